"""Games in and out of the studio as other programs write them: PGN, SGF, and plain text for Duchess."""

from __future__ import annotations

import io
import logging
from typing import cast

import chess
import chess.pgn

from rookery import games
from rookery.api import Outcome, State
from rookery.errors import BadNotation, BadPosition, GameError
from rookery.games.go import GoState
from rookery.games.sgf import read_sgf, write_sgf
from rookery.interfaces.web.messages import Imported
from rookery.interfaces.web.table import Table

# python-chess tells its logger of every move that it cannot read; we say it to whoever asked.
logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def write(table: Table) -> tuple[str, str]:
    """A game as text, and how such files are called."""
    names = [chair.player or "a person" for chair in table.chairs]
    if table.kept.game in ("chess", "kriegspiel"):
        return _write_pgn(table, names), "pgn"
    if table.kept.game.startswith("go"):
        return write_sgf(cast(GoState, table.state), (names[0], names[1])), "sgf"
    return _write_text(table, names), "txt"


def _write_pgn(table: Table, names: list[str]) -> str:
    game = chess.pgn.Game()
    outcome = table.outcome()
    game.headers.update(
        {"Event": table.spec.title, "White": names[0], "Black": names[1], "Result": _result(outcome)}
    )
    state: State = games.get(table.kept.game).start(table.kept.start)
    if table.kept.start:
        game.setup(chess.Board(str(state)))
    node: chess.pgn.GameNode = game
    refused: list[str] = []
    for text, _ in table.kept.moves:
        after = state.play(state.parse(text))
        if table.spec.hidden and after.seat == state.seat and after.outcome() is None:
            refused.append(text)
        else:
            node.comment = f"refused: {' '.join(refused)}" if refused else ""
            refused = []
            node = node.add_variation(chess.Move.from_uci(text))
        state = after
    if outcome:
        node.comment = outcome.reason.replace("{", "(").replace("}", ")")
    return f"{game.accept(chess.pgn.StringExporter(columns=80))}\n"


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "*"
    return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]


def _write_text(table: Table, names: list[str]) -> str:
    start = games.get(table.kept.game).start(table.kept.start)
    seats = ", ".join(f"{seat}: {name}" for seat, name in zip(table.spec.seat_names, names, strict=True))
    texts = [text for text, _ in table.kept.moves]
    round_ = table.spec.seats
    lines = [" ".join(texts[at : at + round_]) for at in range(0, len(texts), round_)]
    outcome = table.outcome()
    end = [f"# {outcome.reason}"] if outcome else []
    return "\n".join([f"# {table.spec.title}. {seats}", str(start), *lines, *end]) + "\n"


def read(game: str, text: str) -> Imported:
    """A game or a position that somebody pasted.

    Raises:
        GameError: it cannot be read as one of that game.
    """
    if game in ("chess", "kriegspiel"):
        return _read_pgn(game, text) if "[" in text or "." in text else _read_position(game, text.strip())
    if game.startswith("go"):
        if text.lstrip().startswith("("):
            return _read_sgf(game, text)
        return _read_position(game, text.strip())
    return _read_text(game, text)


def _read_position(game: str, text: str) -> Imported:
    """A position, or moves from the start."""
    try:
        return Imported(game=game, start=str(games.get(game).start(text)), moves=[])
    except BadPosition:
        if len(text.split()) > 1 and "/" in text:
            raise
        return _follow(game, None, text.split())


def _read_pgn(game: str, text: str) -> Imported:
    found = chess.pgn.read_game(io.StringIO(text))
    if found is None or (found.errors and not found.variations):
        raise BadNotation("this is no PGN; a game as chess programs write it, or a FEN, would do")
    if found.errors:
        raise BadNotation(f"the PGN cannot be followed: {_clip(found.errors[0])}")
    start = found.headers.get("FEN")
    return _follow(game, start, [move.uci() for move in found.mainline_moves()])


def _read_sgf(game: str, text: str) -> Imported:
    state = read_sgf(text)
    if state.spec.name != game:
        game = state.spec.name
    moves, before = [], state.previous()
    for move in reversed(state.history()):
        assert before is not None
        moves.append(before.text(move))
        start, before = before, before.previous()
    first = str(start) if moves else str(state)
    return Imported(game=game, start=first, moves=moves[::-1])


def _read_text(game: str, text: str) -> Imported:
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    start = lines.pop(0) if lines and "|" in lines[0] else None
    return _follow(game, start, " ".join(lines).split())


def _follow(game: str, start: str | None, texts: list[str]) -> Imported:
    state = games.get(game).start(start)
    first = str(state) if start else None
    moves = []
    for number, text in enumerate(texts, 1):
        try:
            move = state.parse(text)
            moves.append(state.text(move))
            state = state.play(move)
        except GameError as error:
            raise BadNotation(f"move {number}: {_clip(error)}") from None
    return Imported(game=game, start=first, moves=moves)


def _clip(what: object) -> str:
    text = "".join(c if c.isprintable() else "?" for c in str(what))
    return text if len(text) <= 160 else text[:157] + "..."

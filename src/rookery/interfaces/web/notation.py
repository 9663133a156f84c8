"""Games in and out of the studio as other programs write them: PGN, SGF, and plain text for Duchess."""

from __future__ import annotations

import io
import logging
import re
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, cast

import chess
import chess.pgn
from sgfmill.sgf import Sgf_game  # type: ignore[import-untyped]

from rookery import games, opponents
from rookery.api import Outcome, State
from rookery.errors import BadNotation, BadPosition, GameError, clip, describe
from rookery.games.go import COLUMNS, GoState
from rookery.games.sgf import read_sgf, write_sgf
from rookery.interfaces.web import faces
from rookery.interfaces.web.messages import Branch, Imported, Written
from rookery.interfaces.web.show import PLIES
from rookery.interfaces.web.table import Table

# python-chess tells its logger of every move that it cannot read; we say it to whoever asked.
logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)


def write(table: Table) -> tuple[str, str]:
    """A game as text, and how such files are called."""
    game = games.get(table.kept.game)
    names = [
        opponents.meet(chair.player, game).title if chair.player else chair.person or "Anonymous"
        for chair in table.chairs
    ]
    if table.kept.game in ("chess", "kriegspiel"):
        return _write_pgn(table, names), "pgn"
    if table.kept.game.startswith("go"):
        record = Sgf_game.from_string(_write_go(table, (names[0], names[1])))
        record.get_root().set("DT", _date(table, "%Y-%m-%d"))
        return record.serialise().decode(), "sgf"
    return _write_text(table, names), "txt"


def _date(table: Table, form: str) -> str:
    """The day on which a game was begun, here."""
    return datetime.fromtimestamp(table.kept.created).strftime(form)


def _write_go(table: Table, names: tuple[str, str]) -> str:
    """With the dead stones on which the players agreed, or why else it ended."""
    marking, outcome = table.marking, table.kept.outcome
    result = None
    if table.scoring:
        result = "?"
    elif outcome is not None and table.state.outcome() is None:
        why = {"resigned": "R", "ran out of time": "T"}
        how = next((sign for word, sign in why.items() if outcome.reason.endswith(word)), "")
        result = "0" if outcome.winner is None else f"{'BW'[outcome.winner]}+{how}"
    return write_sgf(cast(GoState, table.state), names, marking.dead if marking else None, result)


def _write_pgn(table: Table, names: list[str]) -> str:
    game = chess.pgn.Game()
    outcome = table.outcome()
    game.headers.update(
        {
            "Event": table.spec.title,
            "Site": "Rookery",
            "Date": _date(table, "%Y.%m.%d"),
            "White": names[0],
            "Black": names[1],
            "Result": _result(outcome),
        }
    )
    state: State = games.get(table.kept.game).start(table.kept.start)
    if table.kept.start:
        game.setup(chess.Board(str(state)))
    node: chess.pgn.GameNode = game
    refused: list[str] = []
    for text, _ in table.kept.moves:
        state = state.play(state.parse(text))
        if not state.stood:
            refused.append(text)
        else:
            node.comment = f"refused: {' '.join(refused)}" if refused else ""
            refused = []
            node = node.add_variation(chess.Move.from_uci(text))
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
    return (
        "\n".join([f"# {table.spec.title}, {_date(table, '%Y-%m-%d')}. {seats}", str(start), *lines, *end])
        + "\n"
    )


def write_tree(game: str, start: str | None, branches: Sequence[Branch]) -> Written:
    """A game with its variations, as other programs read it; of Duchess the main line.

    Raises:
        GameError: the start or a move cannot be read or played.
    """
    states: list[State] = [games.get(game).start(start)]
    for branch in branches:
        before = states[branch.after]
        states.append(before.play(before.parse(branch.text)))
    if game in ("chess", "kriegspiel"):
        record = chess.pgn.Game()
        record.setup(chess.Board(str(states[0])))
        places: list[chess.pgn.GameNode] = [record]
        for branch, after in zip(branches, states[1:], strict=True):
            move = chess.Move.from_uci(states[branch.after].text(after.history()[-1]))
            places.append(places[branch.after].add_variation(move))
        return Written(text=f"{record.accept(chess.pgn.StringExporter(columns=80))}\n", ending="pgn")
    if game.startswith("go"):
        return Written(text=_sgf_tree(cast(Sequence[GoState], states), branches), ending="sgf")
    return Written(text="\n".join([str(states[0]), *_main_line(branches)]) + "\n", ending="txt")


def _sgf_tree(states: Sequence[GoState], branches: Sequence[Branch]) -> str:
    game = Sgf_game.from_string(write_sgf(states[0]))
    nodes = [game.get_root()]
    for branch, after in zip(branches, states[1:], strict=True):
        before, move = states[branch.after], after.history()[-1]
        nodes.append(nodes[branch.after].new_child())
        nodes[-1].set_move("bw"[before.seat], divmod(move, before.size) if move < before.size**2 else None)
    return str(game.serialise().decode())


def _main_line(branches: Sequence[Branch]) -> list[str]:
    """What follows the start first, what follows that first, and so on."""
    moves: list[str] = []
    at = 0
    for number, branch in enumerate(branches, 1):
        if branch.after == at:
            moves.append(branch.text)
            at = number
    return moves


_SAID = 160
"""Characters of another library's complaint that people are shown."""
_FEN = re.compile(r"[1-8pnbrqk]+(/[1-8pnbrqk]+){7}\s+[wb]\b", re.IGNORECASE)
_FORMATS = {"chess": "a FEN or a PGN", "go": "an SGF", "duchess": "a Duchess position"}


def recognise(text: str) -> tuple[str, str] | None:
    """The game that a text can only be of, and how such a text is called; None: it may be of several."""
    start = text.lstrip("\ufeff \t\r\n")
    if re.match(r"\(\s*;", start):
        return "go9", "SGF"
    if _FEN.match(start):
        return "chess", "FEN"
    if re.match(r'\[\w+\s+"', start):
        return "chess", "PGN"
    if found := re.match(r"([46]) t\d q\d+ \|", start):
        return f"duchess{found[1]}", "a Duchess position"
    return None


def read(game: str, text: str, any_game: bool = False) -> Imported:
    """A game or a position that somebody pasted. With `any_game` a text of another game is read as such.

    Raises:
        GameError: it cannot be read as one of that game.
    """
    if not text.strip():
        raise BadNotation(f"there is nothing to read; paste {_FORMATS[faces.get(game).kind]}")
    other, called = recognise(text) or (game, "")
    # Kriegspiel is written as chess is, and an SGF says itself how large its board is.
    if faces.get(other).kind != faces.get(game).kind or (other != game and other.startswith("duchess")):
        if not any_game:
            raise BadNotation(f"this looks like {called}; choose {games.get(other).spec.title}")
        game = other
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
        return Imported(game=game, start=str(games.get(game).start(text)), moves=[], branches=[])
    except BadPosition:
        if len(text.split()) > 1 and "/" in text:
            raise
        return _follow(game, None, text.split())


def _read_pgn(game: str, text: str) -> Imported:
    try:
        found = chess.pgn.read_game(io.StringIO(text))
    except Exception as error:  # of a damaged game the library may say anything
        raise BadNotation(f"the PGN cannot be read: {describe(error)}") from None
    if found is None or (found.errors and not found.variations):
        raise BadNotation("this is neither a PGN nor a FEN")
    if found.errors:
        raise BadNotation(f"the PGN cannot be followed: {clip(found.errors[0], _SAID)}")
    start = found.headers.get("FEN")
    read = _follow(game, start, [move.uci() for move in found.mainline_moves()])
    branches = _flatten(games.get(game).start(start), found, lambda node: node.variations, _uci)
    return read.model_copy(update={"branches": branches})


def _uci(node: Any, state: State) -> str:
    return str(node.move.uci())


def _read_sgf(game: str, text: str) -> Imported:
    state = read_sgf(text)
    if state.spec.name != game:
        game = state.spec.name
    moves, before = [], state.previous()
    for move in reversed(state.history()):
        assert before is not None
        moves.append(before.text(move))
        start, before = before, before.previous()
    first = start if moves else state
    branches = _flatten(first, Sgf_game.from_string(text).get_root(), list, _vertex)
    return Imported(game=game, start=str(first), moves=moves[::-1], branches=branches)


def _vertex(node: Any, state: State) -> str | None:
    try:
        colour, point = node.get_move()
    except ValueError:
        raise BadNotation("no point of the board") from None
    if colour is None:
        return None
    if colour != "bw"[state.seat]:
        raise BadNotation(f"{colour.upper()} moves out of turn")
    return f"{COLUMNS[point[1]]}{point[0] + 1}" if point else "pass"


def _flatten(
    state: State,
    root: Any,
    following: Callable[[Any], Sequence[Any]],
    move_of: Callable[[Any, State], str | None],
) -> list[Branch]:
    """The moves of another program's tree, the main line first. A variation that cannot be played is left
    out from there on, and so is what would be too much to show."""
    branches: list[Branch] = []
    waiting = deque((node, 0, state) for node in following(root))
    while waiting and len(branches) < PLIES:
        node, after, state = waiting.popleft()
        while node is not None and len(branches) < PLIES:
            try:
                text = move_of(node, state)
                if text is not None:
                    move = state.parse(text)
                    branches.append(Branch(after=after, text=state.text(move)))
                    state, after = state.play(move), len(branches)
            except GameError:
                break
            here = following(node)
            waiting.extend((other, after, state) for other in here[1:])
            node = here[0] if here else None
    return branches


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
            raise BadNotation(f"move {number}: {clip(error, _SAID)}") from None
    return Imported(game=game, start=first, moves=moves, branches=_line(moves))


def _line(moves: Sequence[str]) -> list[Branch]:
    return [Branch(after=number, text=text) for number, text in enumerate(moves)]

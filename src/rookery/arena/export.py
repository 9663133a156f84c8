"""Recorded games in the formats that other programs read: PGN for chess and Kriegspiel, SGF for Go."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import chess
import chess.pgn

from rookery import games
from rookery.api import GameRecord, Outcome, State
from rookery.arena.record import Played
from rookery.errors import BadOption, UnsupportedGame

_TERMINATIONS = {"time": "time forfeit", "length": "adjudication", "resignation": "normal"}


def export(header: dict[str, Any], played: Iterable[Played], to: str) -> Iterator[str]:
    """Each game as text.

    Raises:
        BadOption: there is no such format.
        UnsupportedGame: it does not hold this game.
    """
    game = header["game"]
    writers: dict[str, Callable[[dict[str, Any], Played], str]] = {"pgn": write_pgn, "sgf": write_sgf}
    if to not in writers:
        raise BadOption(f"there is no format {to!r}; use pgn or sgf")
    fitting = "pgn" if game in ("chess", "kriegspiel") else "sgf" if game.startswith("go") else None
    if to != fitting:
        hint = f"use {fitting}" if fitting else "its record is all there is"
        raise UnsupportedGame(f"{to} does not hold {game}; {hint}")
    for one in played:
        yield writers[to](header, one)


def replay(record: GameRecord) -> Iterator[tuple[State, str, State]]:
    """Each move of a record, in its one spelling, with the states before and after it."""
    state = games.get(record.game).start(record.start)
    for text in record.moves:
        move = state.parse(text)
        after = state.play(move)
        yield state, state.text(move), after
        state = after


def write_pgn(header: dict[str, Any], played: Played) -> str:
    """A game of chess or Kriegspiel as PGN; refused tries stand in comments before the move that stood."""
    record = played.record
    game = chess.pgn.Game()
    game.headers.update(
        {
            "Event": f"{header['game']}, seed {header['seed']}",
            "Site": "?",
            "Date": "????.??.??",
            "Round": f"{played.pair + 1}.{1 + (played.sides[0] > played.sides[1])}",
            "White": record.players[0],
            "Black": record.players[1],
            "Result": _result(record.outcome),
            "Termination": _termination(record.outcome),
        }
    )
    if record.start != chess.STARTING_FEN:
        game.setup(chess.Board(str(games.get(record.game).start(record.start))))
    node: chess.pgn.GameNode = game
    refused: list[str] = []
    for ply, (_, text, after) in enumerate(replay(record), 1):
        if not after.stood:
            refused.append(text)
            continue
        if refused:
            _comment(node, f"refused: {' '.join(refused)}")
        refused = []
        node = node.add_variation(chess.Move.from_uci(text))
        if ply == record.opening:
            _comment(node, "end of the opening")
    last = [*([f"refused: {' '.join(refused)}"] if refused else []), record.outcome.reason]
    _comment(node, "; ".join(last))
    return f"{game.accept(chess.pgn.StringExporter(columns=80))}\n\n"


def write_sgf(header: dict[str, Any], played: Played) -> str:
    """A game of Go as SGF."""
    from sgfmill.sgf import Sgf_game  # type: ignore[import-untyped]

    from rookery.games import sgf

    record = played.record
    state: State = games.get(record.game).start(record.start)
    for _, _, state in replay(record):  # noqa: B007  (only the last state is wanted)
        pass
    tree = Sgf_game.from_string(sgf.write_sgf(cast(Any, state), (record.players[0], record.players[1])))
    root = tree.get_root()
    if state.outcome() is None:
        root.set("RE", _sgf_result(record.outcome))
    root.set("GC", record.outcome.reason)
    return f"{tree.serialise().decode().strip()}\n"


def _comment(node: chess.pgn.GameNode, text: str) -> None:
    # Braces end a comment, and nothing can quote them.
    text = text.replace("{", "(").replace("}", ")")
    node.comment = f"{node.comment}; {text}" if node.comment else text


def _result(outcome: Outcome) -> str:
    return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]


def _termination(outcome: Outcome) -> str:
    if outcome.reason.startswith("illegal move"):
        return "rules infraction"
    if outcome.reason.startswith("crashed"):
        return "abandoned"
    return _TERMINATIONS.get(outcome.reason, "normal")


def _sgf_result(outcome: Outcome) -> str:
    if outcome.winner is None:
        return "Void" if outcome.reason == "length" else "0"
    how = {"time": "T", "resignation": "R"}.get(outcome.reason, "F")
    return f"{'BW'[outcome.winner]}+{how}"

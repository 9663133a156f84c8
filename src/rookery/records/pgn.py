"""Chess and Kriegspiel as PGN, by python-chess. Tries that a referee refused stand in comments."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import count, islice

import chess
import chess.pgn

from rookery import games
from rookery.api import Game, Outcome, State, Transcript
from rookery.errors import BadNotation, describe
from rookery.games.chess import read_epd
from rookery.records import ends
from rookery.records.tree import flatten

# python-chess tells its logger of every move that it cannot read; we say it to whoever asked.
logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)

_TAG = re.compile(r'\ufeff?\s*\[\w+\s+"')
_TERMINATIONS = {
    "time": "time forfeit",
    "length": "adjudication",
    "illegal move": "rules infraction",
    "crash": "abandoned",
}


class Pgn:
    """Portable Game Notation; positions are FEN or EPD."""

    name = "pgn"
    suffix = "pgn"
    title = "PGN"
    wanted = "a FEN or a PGN"
    positions = "FEN"

    def recognises(self, text: str) -> bool:
        return _TAG.match(text) is not None

    def may_be(self, text: str) -> bool:
        """Whether a text without tags numbers its moves."""
        return "[" in text or "." in text

    def write(self, game: Transcript) -> str:
        states: list[State] = [games.get(game.game).start(game.start)]
        root = chess.pgn.Game()
        root.headers.update(_headers(game))
        root.setup(chess.Board(_fen(states[0])))
        places: list[chess.pgn.GameNode] = [root]
        refused: dict[chess.pgn.GameNode, list[str]] = {}
        for number, branch in enumerate(game.branches, 1):
            before, place = states[branch.after], places[branch.after]
            move = before.parse(branch.text)
            states.append(before.play(move))
            if states[-1].stood:
                _comment(place, refused.pop(place, ()))
                place = place.add_variation(chess.Move.from_uci(before.text(move)))
            else:
                refused.setdefault(place, []).append(before.text(move))
            places.append(place)
            if number == game.opening:
                _remark(place, "end of the opening")
        for place, tries in refused.items():
            _comment(place, tries)
        if game.outcome:
            _remark(root.end(), game.outcome.reason)
        return f"{root.accept(chess.pgn.StringExporter(columns=80))}\n\n"

    def read(self, text: str, game: Game) -> Iterator[Transcript]:
        stream = StringIO(text)
        for number in count(1):
            try:
                found = chess.pgn.read_game(stream)
            except Exception as error:  # of a damaged game the library may say anything
                raise BadNotation(f"game {number} is no PGN: {describe(error)}") from None
            if found is None:
                return
            if found.errors:
                raise BadNotation(f"game {number} of the PGN: {describe(found.errors[0])}")
            yield _transcript(found, game)

    def position(self, text: str, game: Game) -> str:
        fields = text.split()
        return str(game.start(text if len(fields) == 6 else str(read_epd(text)[0])))


def _transcript(found: chess.pgn.Game, game: Game) -> Transcript:
    start = found.headers.get("FEN")
    state = game.start(start)
    root: chess.pgn.GameNode = found
    branches = flatten(state, root, _following, _uci)
    read = Transcript(game.spec.name, str(state) if start else None, branches)
    followed = len(read.moves)
    for move in islice(found.mainline_moves(), followed, None):
        # python-chess has followed it: it knows moves that are none, such as missing a turn.
        raise BadNotation(f"move {followed + 1}, {move.uci()}, cannot be played")
    return read


def _following(node: chess.pgn.GameNode) -> Sequence[chess.pgn.GameNode]:
    return node.variations


def _uci(node: chess.pgn.GameNode, state: State) -> str | None:
    return node.move.uci() if node.move else None


def _fen(state: State) -> str:
    """Without the tries that were refused in a position of Kriegspiel."""
    return " ".join(str(state).split()[:6])


def _headers(game: Transcript) -> dict[str, str]:
    who = dict(zip(("White", "Black"), game.players, strict=False))
    said = {"Event": game.event, "Site": game.site, "Round": game.round}
    tags = {tag: value for tag, value in said.items() if value} | who
    if game.date:
        tags["Date"] = game.date.strftime("%Y.%m.%d")
    if game.outcome:
        tags["Termination"] = _TERMINATIONS.get(ends.kind(game.outcome.reason), "normal")
    return tags | {"Result": _result(game.outcome)}


def _result(outcome: Outcome | None) -> str:
    if outcome is None:
        return "*"
    return "1/2-1/2" if outcome.winner is None else ("1-0", "0-1")[outcome.winner]


def _comment(node: chess.pgn.GameNode, refused: Sequence[str]) -> None:
    if refused:
        _remark(node, f"refused: {' '.join(refused)}")


def _remark(node: chess.pgn.GameNode, text: str) -> None:
    # Braces end a comment, and nothing can quote them.
    text = text.replace("{", "(").replace("}", ")")
    node.comment = f"{node.comment}; {text}" if node.comment else text


FORMATS = [Pgn()]

"""Any game as plain text: a position and moves. Lines that begin with # are remarks."""

from __future__ import annotations

from collections.abc import Iterator

from rookery import games
from rookery.api import Game, Transcript
from rookery.errors import BadNotation, BadPosition, GameError, clip
from rookery.records.tree import line

_SAID = 160
"""Characters of what is wrong with a move that people are shown."""


class Plain:
    """The format of a game that has no other. Of a game with variations it holds the main line."""

    name = "text"
    suffix = "txt"
    title = "plain text"
    wanted = "a position or moves"
    positions = None

    def recognises(self, text: str) -> bool:
        return False

    def may_be(self, text: str) -> bool:
        return True

    def write(self, game: Transcript) -> str:
        spec = games.get(game.game).spec
        about = ", ".join(str(each) for each in (spec.title, game.event, game.date) if each)
        seats = ", ".join(f"{seat}: {who}" for seat, who in zip(spec.seat_names, game.players, strict=False))
        rounds = [game.moves[at : at + spec.seats] for at in range(0, len(game.moves), spec.seats)]
        lines = [
            f"# {about}. {seats}".rstrip(),
            str(games.get(game.game).start(game.start)),
            *(" ".join(moves) for moves in rounds),
            *([f"# {game.outcome.reason}"] if game.outcome else []),
        ]
        return "\n".join(lines) + "\n"

    def read(self, text: str, game: Game) -> Iterator[Transcript]:
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
        if not lines:
            return
        start = None
        try:
            start, lines = str(game.start(lines[0])), lines[1:]
        except BadPosition as error:
            # Then it should begin with a move; what begins with several words and no move was meant as one.
            if " " in lines[0] and not _begins(game, lines[0].split()[0]):
                raise error from None
        yield _follow(game, start, " ".join(lines).split())

    def position(self, text: str, game: Game) -> str:
        return str(game.start(text))


def _begins(game: Game, text: str) -> bool:
    try:
        game.start().parse(text)
    except GameError:
        return False
    return True


def _follow(game: Game, start: str | None, texts: list[str]) -> Transcript:
    state, moves = game.start(start), []
    for number, text in enumerate(texts, 1):
        try:
            move = state.parse(text)
            moves.append(state.text(move))
            state = state.play(move)
        except GameError as error:
            raise BadNotation(f"move {number}: {clip(error, _SAID)}") from None
    return Transcript(game.spec.name, start, line(moves))


PLAIN = Plain()
FORMATS = [PLAIN]

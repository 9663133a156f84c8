"""What the searches of open games with two sides share."""

from __future__ import annotations

from rookery.api import Game, Side
from rookery.errors import UnsupportedGame
from rookery.games.state import NativeState


def require_open(word: str, game: Game) -> None:
    """Refuse a game that hides something, or has more sides than two, or is not played by native rules."""
    spec = game.spec
    if spec.hidden:
        raise UnsupportedGame(f"{word} needs to see the whole board; {spec.name} hides some of it")
    if spec.sides != 2:
        raise UnsupportedGame(f"{word} needs two sides; {spec.name} has {spec.sides}")
    if not isinstance(game.start(), NativeState):
        raise UnsupportedGame(f"{word} needs native rules; those of {spec.name} are Python")


def per_side(value: float, side: Side) -> tuple[float, float]:
    """A value to one side, as values to both."""
    return (value, 0.0 - value) if side == 0 else (0.0 - value, value)

"""What the searches of open games with two sides share."""

from __future__ import annotations

from rookery.api import GameSpec, Side
from rookery.errors import UnsupportedGame


def require_open(word: str, spec: GameSpec) -> None:
    """Refuse a game that does not show the whole board, or has more sides than two."""
    if spec.hidden:
        raise UnsupportedGame(f"{word} needs to see the whole board; {spec.name} hides some of it")
    if spec.sides != 2:
        raise UnsupportedGame(f"{word} needs two sides; {spec.name} has {spec.sides}")


def per_side(value: float, side: Side) -> tuple[float, float]:
    """A value to one side, as values to both."""
    return (value, 0.0 - value) if side == 0 else (0.0 - value, value)

"""How strong the levels of players were measured to be, in numbers and words; the cards have the figures."""

from __future__ import annotations

from dataclasses import dataclass

from rookery.cards import measured
from rookery.names import PlayerName

UNMEASURED = "not measured"


@dataclass(frozen=True)
class Scale:
    """Whose Elo a figure is."""

    zero: str
    """What it is said to be on, in words."""
    bands: tuple[tuple[int, str], ...] = ()
    """Words for it: each holds below its Elo; the last, from the one before on."""


SCALES = {
    "UCI_Elo": Scale(
        "Stockfish's UCI_Elo",
        (
            (800, "beginner"),
            (1200, "casual player"),
            (1600, "club player"),
            (2000, "strong club player"),
            (2200, "expert"),
            (10_000, "master"),
        ),
    ),
    "random": Scale("this game's scale (random mover = 0)"),
}
"""By the name that cards have for them. Only on the scale of people's ratings are there words for people."""


def elo(game: str, player: str) -> tuple[int, ...]:
    """The Elo of a player's levels, from the first on; nothing if nobody has measured it.

    >>> elo("chess", "alphabeta:hash=2+nobody")
    ()
    """
    found = measured(game, PlayerName.parse(player))
    return found.elo if found else ()


def nearest(game: str, player: str, wanted: int) -> int:
    """The level, counted from 1, whose Elo comes nearest."""
    table = elo(game, player)
    return 1 + min(range(len(table)), key=lambda place: abs(table[place] - wanted))


def words(game: str, player: PlayerName, level: int) -> str | None:
    """How strong a player was measured to be at a level, for people; None: nobody has measured it."""
    found = measured(game, player)
    if found is None or not 0 < level <= len(found.elo):
        return None
    return on_scale(SCALES[found.scale], found.elo[level - 1])


def on_scale(scale: Scale, elo: int) -> str:
    """
    >>> on_scale(SCALES["UCI_Elo"], 1441), on_scale(SCALES["random"], 1232)
    ('club player, about 1440 Elo', "about 1230 Elo on this game's scale (random mover = 0)")
    """
    about = f"about {round(elo, -1)} Elo"
    band = next((word for below, word in scale.bands if elo < below), None)
    return f"{band}, {about}" if band else f"{about} on {scale.zero}"

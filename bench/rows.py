"""What is measured, and what it should reach."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

GAMES = ("chess", "kriegspiel", "go5", "go7", "go9", "go13", "go19", "duchess4", "duchess6")


@dataclass(frozen=True)
class Target:
    """A bound on the ratio to the peer, on units a second, or on microseconds a unit."""

    of: Literal["ratio", "rate", "time"]
    bound: float

    def __str__(self) -> str:
        match self.of:
            case "ratio":
                return f">= {self.bound:g}x"
            case "rate":
                return f">= {self.bound:,.0f}/s"
            case "time":
                return f"< {self.bound:g} us"


@dataclass(frozen=True)
class Row:
    """One line of the table: a task, done by Rookery and perhaps by a peer."""

    name: str
    what: str
    game: str
    task: str
    unit: str
    peer: str | None = None
    target: Target | None = None
    details: dict[str, int] = field(default_factory=dict)


def _perft(peer: str, depth: int, target: Target | None = None) -> Row:
    what = f"chess perft {depth}"
    return Row(f"chess-perft-{peer}", what, "chess", "perft", "nodes", peer, target, {"depth": depth})


def _playouts(game: str, peer: str, times: float) -> Row:
    name = f"{game}-playouts-{peer}"
    return Row(name, f"{game} random games", game, "playouts", "plies", peer, Target("ratio", times))


ROWS = (
    _perft("stockfish", 6, Target("ratio", 1)),
    _perft("bulletchess", 5),
    _perft("chess", 4),
    _playouts("chess", "open_spiel", 50),
    _playouts("chess", "bulletchess", 10),
    _playouts("kriegspiel", "open_spiel", 50),
    _playouts("go9", "open_spiel", 20),
    Row("go9-uct", "go9 UCT", "go9", "uct", "simulations", "open_spiel", Target("ratio", 10)),
    Row(
        "go9-threads", "go9 UCT, 2 threads", "go9", "threads", "simulations", "1 thread", Target("ratio", 1.7)
    ),
    Row("go5-playouts", "go5 random games", "go5", "playouts", "games", None, Target("rate", 300_000)),
    Row(
        "duchess4-perft",
        "duchess4 perft 5",
        "duchess4",
        "perft",
        "nodes",
        None,
        Target("rate", 5_000_000),
        {"depth": 5},
    ),
    *(
        Row(f"{game}-{call}", f"{game} state.{call}", game, call, "calls", None, Target("time", 2))
        for game in GAMES
        for call in ("play", "moves")
    ),
)


def choose(names: list[str]) -> list[Row]:
    """The rows whose name has one of the given words in it; all of them if none is given.

    Raises:
        ValueError: a word is in no name.
    """
    for name in names:
        if not any(name in row.name for row in ROWS):
            raise ValueError(f"no row is called {name!r}; there are {', '.join(row.name for row in ROWS)}")
    return [row for row in ROWS if not names or any(name in row.name for name in names)]

"""What is measured, and what it should reach."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

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
    details: dict[str, Any] = field(default_factory=dict)
    limit: float | None = None
    """Units a second that arithmetic allows on one core: bench/README.md counts the instructions."""


def _perft(peer: str, depth: int, target: Target | None = None) -> Row:
    what = f"chess perft {depth}"
    return Row(f"chess-perft-{peer}", what, "chess", "perft", "nodes", peer, target, {"depth": depth})


def _playouts(game: str, peer: str, times: float) -> Row:
    name = f"{game}-playouts-{peer}"
    return Row(name, f"{game} random games", game, "playouts", "plies", peer, Target("ratio", times))


# Openings, middle games and endings, wild and quiet.
POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 w - - 4 9",
    "2r2rk1/1bqnbppp/pp1ppn2/8/2PNP3/1PN2P2/PB2B1PP/2RQ1RK1 b - - 3 14",
    "r4rk1/1pp1qppp/p1np1n2/4p1B1/1bB1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "8/5pk1/3p2p1/1p1Pp2p/1P2P2P/4KPP1/8/8 w - - 0 40",
    "4r1k1/5ppp/p1r5/1p1R4/1P6/P4P2/5KPP/3R4 w - - 0 28",
)


def _search(peer: str) -> Row:
    details = {"depth": 8, "positions": POSITIONS}
    name = f"chess-alphabeta-{peer}"
    return Row(name, "chess alpha-beta", "chess", "search", "nodes", peer, Target("ratio", 1), details)


def _td(network: str, limit: float, target: Target | None = None) -> Row:
    what, details = f"go5 TD learning, {network}", {"network": network}
    return Row(f"go5-td-{network}", what, "go5", "td", "games", None, target, details, limit)


def _read_pgn(peer: str, times: float) -> Row:
    name, target = f"chess-pgn-{peer}", Target("ratio", times)
    return Row(name, "chess games from PGN", "chess", "read_pgn", "games", peer, target)


ON_FILES = ("read_pgn", "sample")
"""Tasks that need a file of games."""

ROWS = (
    _perft("stockfish", 6, Target("ratio", 1)),
    _perft("bulletchess", 5),
    _perft("chess", 4),
    _playouts("chess", "open_spiel", 50),
    _playouts("chess", "bulletchess", 10),
    _playouts("kriegspiel", "open_spiel", 50),
    _playouts("go9", "open_spiel", 20),
    _search("gnuchess"),
    _search("toga2"),
    Row(
        "chess-alphabeta",
        "chess alpha-beta",
        "chess",
        "search",
        "nodes",
        None,
        Target("rate", 2_000_000),
        {"depth": 8, "positions": POSITIONS},
    ),
    _read_pgn("chess", 100),
    _read_pgn("pgn-extract", 4),
    _read_pgn("rust_pgn_reader", 1),
    Row(
        "chess-sample",
        "chess positions from a store, 2 threads",
        "chess",
        "sample",
        "positions",
        None,
        Target("rate", 2_000_000),
    ),
    Row("go9-uct", "go9 UCT", "go9", "uct", "simulations", "open_spiel", Target("ratio", 10)),
    Row(
        "go9-threads", "go9 UCT, 2 threads", "go9", "threads", "simulations", "1 thread", Target("ratio", 1.7)
    ),
    Row("go5-playouts", "go5 random games", "go5", "playouts", "games", None, Target("rate", 300_000)),
    _td("koten", 118_000, Target("rate", 50_000)),
    _td("katatsugi", 130_000, Target("rate", 50_000)),
    _td("roban", 48_000),
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
    Row(
        "duchess4-search",
        "duchess4 alpha-beta, every feature",
        "duchess4",
        "linear_search",
        "nodes",
        None,
        Target("rate", 1_500_000),
    ),
    Row(
        "duchess4-values",
        "duchess4 values, kept",
        "duchess4",
        "linear_values",
        "values",
        "from nothing",
        Target("ratio", 4),
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

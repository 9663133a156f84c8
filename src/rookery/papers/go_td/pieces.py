"""The pieces of work that only this paper has: nets that meet rivals and each other, in native code."""

from __future__ import annotations

from collections.abc import Sequence

from rookery import games, native, players
from rookery.errors import UnknownName
from rookery.evaluators.td import Td
from rookery.games.go import Go
from rookery.learners.td import rival

# GNU Go plays everything out and takes what is dead off the board, for the referee takes no stone for dead.
GNUGO = "gtp:gnugo,level=1,arguments=--mode gtp --never-resign --chinese-rules --capture-all-dead"
GO = Go(5)


def openings(nets: Sequence[str]) -> list[str]:
    """The first move of each net on the empty board."""
    state = GO.start()
    return [state.text(_net(weights).look(state.native, 1, False)[1][0]) for weights in nets]


def meet_rival(weights: str, name: str, depth: int, exact: bool, games: int, seed: int) -> tuple[int, int]:
    """Wins and losses of a net against a rival, half of the games with each colour.

    exact: whether games that end in the tree are worth what they brought, and not what the net says.
    """
    met = native.td_duel(_net(weights), rival(name), GO.start().native, games, seed, depth=depth, exact=exact)
    return sum(met.wins), sum(met.losses)


def meet_net(first: str, second: str, games: int, seed: int) -> tuple[int, int]:
    """Wins of each of two nets, half of the games with each colour."""
    met = native.td_duel(_net(first), _net(second), GO.start().native, games, seed)
    return sum(met.wins), sum(met.losses)


def _net(weights: str) -> native.TdNet:
    return Td(GO, weights).native


def against_naive(name: str, games: int, seed: int) -> int:
    """The wins of a rival."""
    return sum(native.duel(rival(name), native.Naive(), GO.start().native, games, seed).wins)


def player(weights: str, depth: int) -> str:
    """The name of a net that looks so far ahead, for the arena."""
    return f"greedy+td@{weights}" if depth == 1 else f"alphabeta:depth={depth},pruning=no+td@{weights}"


def gnugo_is_here() -> bool:
    try:
        players.make(GNUGO, games.get("go5"))
    except UnknownName:
        return False
    return True

"""The pieces of work that only this paper has: nets that meet rivals and each other, in native code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

from rookery import games, native, players
from rookery.errors import UnknownName
from rookery.evaluators.td import Td
from rookery.games.go import Go, GoState
from rookery.learners.td import TdLearner, rival
from rookery.papers.go_td.plan import RIVALS
from rookery.seeds import generator
from rookery.weights import FILE

# GNU Go plays everything out and takes what is dead off the board, for the referee takes no stone for dead.
GNUGO = "gtp:gnugo,level=1,arguments=--mode gtp --never-resign --chinese-rules --capture-all-dead"
GO = Go(5)


def openings(nets: Sequence[str]) -> list[str]:
    """The first move of each net on the empty board."""
    state = GO.start()
    return [state.text(_net(weights).look(state.native, 1, False)[1][0]) for weights in nets]


def meet_net(first: str, second: str, games: int, seed: int) -> tuple[int, int]:
    """Wins of each of two nets, half of the games with each colour."""
    met = native.td_duel(_net(first), _net(second), GO.start().native, games, seed)
    return sum(met.wins), sum(met.losses)


def meet_rival(weights: str, name: str, depth: int, exact: bool, games: int, seed: int) -> tuple[int, int]:
    """Wins and losses of a net against a rival, half of the games with each colour.

    exact: whether games that end in the tree are worth what they brought, and not what the net says.
    """
    met = native.td_duel(_net(weights), rival(name), GO.start().native, games, seed, depth=depth, exact=exact)
    return sum(met.wins), sum(met.losses)


def untrained(representation: Any, seeds: Sequence[int], games: int) -> list[dict[str, float]]:
    """The shares that nets win against the rivals before they have learnt anything."""
    nets = []
    for seed in seeds:
        folder = Path("untrained") / f"{representation}-seed{seed}"
        folder.mkdir(parents=True, exist_ok=True)
        TdLearner(TdLearner.Options(representation=representation), seed).save(folder)
        nets.append(str(folder / FILE))
    return by_rules(nets, {}, games, seeds[0])


def by_rules(nets: Sequence[str], rules: Mapping[str, Any], games: int, seed: int) -> list[dict[str, float]]:
    """The shares that nets win against the rivals by other rules of the game's end."""
    start = Go(5, **rules).start().native
    return [
        {
            name: sum(native.td_duel(_net(weights), rival(name), start, games, seed).wins) / games
            for name in RIVALS
        }
        for weights in nets
    ]


def meet_nets(
    firsts: Sequence[str], seconds: Sequence[str], openings: int, seed: int
) -> list[list[tuple[int, int]]]:
    """Wins of each of some nets against each of others, and of these, from every opening with each colour."""
    starts = [state.native for state in _openings(openings, seed)]
    others = [_net(weights) for weights in seconds]
    return [[_meet(net, other, starts, seed) for other in others] for net in map(_net, firsts)]


def _meet(net: native.TdNet, other: native.TdNet, starts: Sequence[Any], seed: int) -> tuple[int, int]:
    met = [native.td_duel(net, other, start, 2, seed + i) for i, start in enumerate(starts)]
    return sum(sum(m.wins) for m in met), sum(sum(m.losses) for m in met)


def _openings(count: int, seed: int) -> list[GoState]:
    """Positions after a stone of each; if they are not to be all of them, any."""
    places = list(permutations(range(25), 2))
    if count < len(places):
        drawn = generator(seed, "openings").choice(len(places), count, replace=False)
        places = [places[i] for i in sorted(drawn)]
    return [GO.start().play(black).play(white) for black, white in places]


def watch(weights: str, games: int, seed: int) -> dict[str, Any]:
    """Games of a net, which has White, against gojen: what it thinks of them, and the first that it wins."""
    net, gojen = _net(weights), rival("gojen")
    rng = generator(seed, "watch")
    after_first, at_end, shown = [], [], None
    for _ in range(games):
        state, moves, values = GO.start(), [], []
        while not state.outcome():
            if state.seat == 0:
                move = gojen.choose(state.native, int(rng.integers(2**31)))
            else:
                value, best = net.look(state.native, 1, False)
                move = best[int(rng.integers(len(best)))]
                values.append(value)
            moves.append(state.text(move))
            state = state.play(move)
        after_first.append(values[0])
        if state.score() < 0:
            at_end.append(values[-1])
            shown = shown or {"moves": moves, "values": values, "score": -state.score()}
    return {"games": games, "after_first": after_first, "at_end": at_end, "shown": shown}


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

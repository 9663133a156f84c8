"""The single pieces of work: raising a net, and letting it meet somebody. Each gives what JSON can hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from statistics import harmonic_mean
from typing import Any

from rookery import games, native, players
from rookery.errors import UnknownName
from rookery.evaluators.td import Td
from rookery.games.go import Go
from rookery.learners.td import NETS, TdLearner, rival
from rookery.papers.go_td.plan import RIVALS
from rookery.runs import Recipe, Run

GNUGO = "gtp:gnugo,level=1,arguments=--mode gtp --never-resign --chinese-rules --capture-all-dead"
GO = Go(5)


def raise_net(folder: str, options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """One run, and its net at every sample.

    It lies in a run folder, from which it goes on if it was broken off.
    """
    run = Run.take_up(Path(folder), Recipe("td", seed, TdLearner.Options(**options)))
    run.train()
    nets = run.checkpoints()[-1] / NETS
    samples, lines = [], run.metrics()
    for line in lines:
        weights = str(nets / f"{line['games']:09}.safetensors")
        wins = {name: line[f"strength_{name}"] for name in RIVALS}
        samples.append(
            {"games": line["games"], "wins": wins, "weights": weights, "opening": opening(weights)}
        )
    speeds = [line["games_per_second"] for line in lines]
    return {"samples": samples, "seconds": lines[-1]["seconds"], "games_a_second": harmonic_mean(speeds)}


def opening(weights: str) -> str:
    """The first move of a net on the empty board."""
    state = GO.start()
    _, moves = _net(weights).look(state.native, 1, False)
    return state.text(moves[0])


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
    return Td(GO, weights).net


def against_naive(name: str, games: int, seed: int) -> int:
    """The wins of a rival."""
    return sum(native.duel(rival(name), native.Naive(), GO.start().native, games, seed).wins)


def player(weights: str, depth: int) -> str:
    """The name of a net that looks so far ahead, for the arena."""
    return f"greedy+td@{weights}" if depth == 1 else f"alphabeta:depth={depth},selective=no+td@{weights}"


def meet_gnugo(name: str, games: int, seed: int) -> tuple[int, int, int]:
    """Wins, ties and losses of a player against GNU Go at its lowest level, by our referee.

    GNU Go plays everything out and takes what is dead off the board, for the referee takes no stone for dead.
    """
    from rookery.arena.contest import Contest, enter
    from rookery.arena.match import match

    tally = match(Contest("go5", enter("go5", (name, GNUGO)), games, seed=seed)).tally
    return tally.wins, tally.draws, tally.losses


def gnugo_is_here() -> bool:
    try:
        players.make(GNUGO, games.get("go5"))
    except UnknownName:
        return False
    return True

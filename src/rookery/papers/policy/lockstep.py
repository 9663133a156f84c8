"""Table 3: plain Monte-Carlo by a policy against the policy alone, all games of a match at once.

A move of Monte-Carlo plays some games after each legal move to their end, thousands of evaluations. So that a
GPU has enough to do, one call asks for all such games of all games of the match; native code plays them
(native/search/guided_games.hpp).
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from time import perf_counter
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import Move
from rookery.arena.contest import Contest, ScheduledGame
from rookery.arena.rating import rate
from rookery.games.chess import CHESS
from rookery.games.state import NativeState
from rookery.papers.study import Done
from rookery.seeds import generator

LEAD = 5
"""Pawns by which a game that is cut is won."""
_WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
_CHUNK = 8192


class Network:
    """The shares of the legal moves of many positions: Pelat's network in half precision on a GPU."""

    def __init__(self, source: str, device: str) -> None:
        """source: a run, a file, or one of the zoo."""
        import torch

        from rookery.nets import policy_start

        self._device = torch.device(device)
        self._half = self._device.type == "cuda"
        net = policy_start.network(source).to(self._device)
        self._net = net.half().to(memory_format=torch.channels_last) if self._half else net
        self.asked = 0

    def shares(
        self, planes: NDArray[np.uint8], offsets: NDArray[np.int64], actions: NDArray[np.int16]
    ) -> NDArray[np.float32]:
        """Of every legal move of every position, up to a factor."""
        import torch

        found = []
        with torch.inference_mode():
            for first in range(0, len(planes), _CHUNK):
                last = min(first + _CHUNK, len(planes))
                seen = torch.from_numpy(planes[first:last]).to(self._device)
                x = seen.half().contiguous(memory_format=torch.channels_last) if self._half else seen.float()
                logits = self._net(x)[0].float()
                some = torch.from_numpy(actions[offsets[first] : offsets[last]].astype(np.int64))
                lengths = torch.from_numpy(np.diff(offsets[first : last + 1])).to(self._device)
                rows = torch.repeat_interleave(torch.arange(last - first, device=self._device), lengths)
                told = logits[rows, some.to(self._device)]
                most = torch.full((last - first,), -torch.inf, device=self._device)
                most.scatter_reduce_(0, rows, told, "amax")
                found.append(torch.exp(told - most[rows]).cpu())
        self.asked += len(planes)
        return torch.cat(found).numpy()


@dataclass
class _Game:
    """One game of the match."""

    scheduled: ScheduledGame
    state: NativeState
    rng: np.random.Generator

    @property
    def counts(self) -> bool:
        """Whether it is Monte-Carlo's move."""
        return self.scheduled.sides[self.state.seat] == 0


def meet(
    network: str,
    games: int,
    of_each: int,
    openings: str,
    seed: int,
    device: str,
    max_plies: int,
    played_out: int = 200,
) -> Done:
    """Monte-Carlo with so many games after each move, against the policy, which plays one of its best two.

    max_plies: of a game of the match, which is then drawn. played_out: plies of a game after a move, after
    which the side with more material has won, from `LEAD` pawns on.
    """
    began, net = perf_counter(), Network(network, device)
    contest = Contest("chess", (f"mcts {of_each}", "policy"), games, seed=seed, openings=openings)
    under_way = [_begun(scheduled) for scheduled in contest.schedule()]
    points: dict[int, list[float]] = {}
    counts, cut = Counter[float](), 0
    while under_way:
        alone = [game for game in under_way if not game.counts]
        for game, move in zip(alone, _of_two(net, alone), strict=True):
            game.state = game.state.play(move)
        counting = [game for game in under_way if game.counts and game.state.outcome() is None]
        moves, some_cut = _by_games(net, counting, of_each, played_out)
        cut += some_cut
        for game, move in zip(counting, moves, strict=True):
            game.state = game.state.play(move)
        going_on = []
        for game in under_way:
            over = game.state.outcome()
            if over is None and len(game.state.history()) < max_plies:
                going_on.append(game)
                continue
            result = 0.0 if over is None else over.values[game.scheduled.sides.index(0)]
            counts[result] += 1
            points.setdefault(game.scheduled.pair, []).append((1 + result) / 2)
        under_way = going_on
    pairs = np.bincount([round(2 * sum(each)) for each in points.values() if len(each) == 2], minlength=5)
    score = (counts[1.0] + counts[0.0] / 2) / games
    rating = rate(score, games, pairs.tolist())
    seconds = perf_counter() - began
    terms = {
        "network": network, "games": games, "of_each": of_each, "openings": openings, "seed": seed,
        "device": device, "max_plies": max_plies, "played_out": played_out,
    }  # fmt: skip
    told = {
        "terms": terms,
        "wins": counts[1.0],
        "draws": counts[0.0],
        "losses": counts[-1.0],
        "pentanomial": tuple(pairs.tolist()),
        **{
            name: None if np.isinf(value) else value
            for name, value in (("elo", rating.elo), ("elo_low", rating.low), ("elo_high", rating.high))
        },
        "evaluations": net.asked,
        "evaluations_per_second": round(net.asked / seconds),
        "cut": cut,
        "seconds": seconds,
    }
    return Done(told, seconds)


def _begun(scheduled: ScheduledGame) -> _Game:
    state = cast(NativeState, CHESS.start(scheduled.start))
    for text in scheduled.opening:
        state = state.play(state.parse(text))
    return _Game(scheduled, state, generator(scheduled.seed, "lockstep"))


def _pool(states: list[NativeState], plies: int = 1, seed: int = 0) -> Any:
    threads = min(len(os.sched_getaffinity(0)), 64)
    return native.ChessGuidedGames([state.native for state in states], plies, seed, threads)


def _of_two(net: Network, games: list[_Game]) -> list[Move]:
    """One of the two likeliest moves of each, by their probabilities."""
    if not games:
        return []
    planes, offsets, actions = _pool([game.state for game in games]).encoded()
    shares, chosen = net.shares(planes, offsets, actions), []
    for i, game in enumerate(games):
        own = shares[offsets[i] : offsets[i + 1]].astype(np.float64)
        own[np.argsort(-own, kind="stable")[2:]] = 0
        chosen.append(game.state.moves()[int(game.rng.choice(len(own), p=own / own.sum()))])
    return chosen


def _by_games(net: Network, games: list[_Game], of_each: int, plies: int) -> tuple[list[Move], int]:
    """The move of each after which most was won, and how many of the games that were played out were cut."""
    results: list[dict[Move, float]] = [{} for _ in games]
    starts: list[tuple[int, Move]] = []
    states: list[NativeState] = []
    for number, game in enumerate(games):
        for move in game.state.moves():
            after = game.state.play(move)
            over = after.outcome()
            results[number][move] = 0.0
            if over is not None:
                results[number][move] = of_each * over.values[game.state.seat]
                continue
            starts += [(number, move)] * of_each
            states += [after] * of_each
    cut = 0
    if states:
        pool = _pool(states, plies, int(games[0].rng.integers(2**63)))
        while True:
            planes, offsets, actions = pool.encoded()
            if not len(planes):
                break
            pool.play(offsets, net.shares(planes, offsets, actions))
        for i, ((number, move), end) in enumerate(zip(starts, pool.ends, strict=True)):
            if end == 2:
                cut, lead = cut + 1, _lead(str(pool.last(i)))
                white = 0.0 if abs(lead) < LEAD else 1.0 if lead > 0 else -1.0
            else:
                white = {-1: 0.0, 0: 1.0, 1: -1.0}[end]
            results[number][move] += white if games[number].state.seat == 0 else -white
    chosen = []
    for game, points in zip(games, results, strict=True):
        best = max(points.values())
        level = [move for move, value in points.items() if value == best]
        chosen.append(level[int(game.rng.integers(len(level)))])
    return chosen, cut


def _lead(fen: str) -> int:
    """White's material less Black's, in pawns."""
    men = fen.partition(" ")[0]
    return sum(_WORTH[man.lower()] * (1 if man.isupper() else -1) for man in men if man.lower() in _WORTH)

"""The matches behind the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import log, log10
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

from rookery import games, players
from rookery.api import Limit
from rookery.arena.record import Played
from rookery.papers.kriegspiel.plan import ABLATIONS, APPROACHES, EXPLORATION, RANDOM, SAMPLING, Size, mcts
from rookery.papers.matches import Met, Terms, meet_all
from rookery.papers.measure import Measured
from rookery.papers.study import Piece, Study

GAME = "kriegspiel"


@dataclass(frozen=True)
class Ends:
    """How the games of a match went."""

    plies: float
    """In the mean, tries that were refused left out."""
    tries: float
    """Tries for each move that stood."""
    reasons: Mapping[str, int]


@dataclass(frozen=True)
class Outcome:
    """All that the pieces gave."""

    curves: dict[str, list[Met]]
    """By player (`B1` to `B10`, `C`, `ours`), its match against minimax at each setting of time."""
    ends: dict[str, Ends]
    """Of these matches: `C-0.02` and so on."""
    random: dict[str, Met]
    """Approach A against minimax and against the random mover."""
    exploration: dict[float, Met]
    """C against minimax, by the c of UCT."""
    plateau: dict[str, Met]
    """Minimax with half and with twice the metapositions against minimax."""
    sampling: dict[str, Met]
    """Those that follow each other in strength: `los-random`, `aosp-los`, `hs-aosp`, `minimax-hs`."""
    ablations: dict[str, Met]
    slow: dict[str, Met]
    """C and B1 against minimax at the time of the check."""
    speed: dict[str, float]
    """Nodes a second of C and of B1, one core."""


def do(study: Study, size: Size, seed: int) -> Outcome:
    """Everything, Figure 10 first."""
    terms, other = Terms(GAME, size.games), Terms(GAME, size.other_games)
    grid = {
        f"{name}-{seconds:g}": (mcts(name, seconds), size.minimax)
        for seconds in size.seconds
        for name in APPROACHES
    }
    met = meet_all(study, "figure10", grid, terms, seed)
    how = {
        name: Piece(ends, {"record": f"games/figure10-{name}.jsonl", "games": size.games}) for name in grid
    }
    found = study.do("ends", how)
    usual, slowest = size.usual, size.seconds[-1]
    weak = {
        "minimax": (mcts("A", slowest), size.minimax),
        "random": (mcts("A", slowest), RANDOM),
    }
    exploring = {f"{c:g}": (mcts("C", usual, f"c={c:g}"), size.minimax) for c in EXPLORATION}
    levels = {
        "half": (f"kriegspiel-minimax:nodes={size.nodes // 2}", size.minimax),
        "twice": (f"kriegspiel-minimax:nodes={2 * size.nodes}", size.minimax),
    }
    bounds = f"boards={size.boards},depth=1,pool={size.pool}"
    drawn = [f"kriegspiel-sampling:method={method},{bounds}" for method in SAMPLING]
    names = [RANDOM, *SAMPLING, "minimax"]
    ladder = dict(
        zip(
            (f"{better}-{worse}" for worse, better in pairwise(names)),
            ((better, worse) for worse, better in pairwise([RANDOM, *drawn, size.minimax])),
            strict=True,
        )
    )
    changed = {name: (mcts("ours", usual, option), mcts("ours", usual)) for name, option in ABLATIONS.items()}
    slow = {
        name: (mcts(name, size.slow_seconds), size.minimax) for name in ("C", "B1", "ours") if size.slow_games
    }
    clocked = {
        name: Piece(speed, {"player": mcts(name, size.seconds[-1]), "seed": seed}) for name in ("C", "B1")
    }
    return Outcome(
        {name: [met[f"{name}-{s:g}"] for s in size.seconds if f"{name}-{s:g}" in met] for name in APPROACHES},
        {name: Ends(**told) for name, told in found.items()},
        meet_all(study, "approach-a", weak, other, seed),
        {float(c): each for c, each in meet_all(study, "exploration", exploring, other, seed).items()},
        meet_all(study, "plateau", levels, other, seed),
        meet_all(study, "sampling", ladder, other, seed),
        meet_all(study, "ablations", changed, other, seed),
        meet_all(study, "slow", slow, Terms(GAME, size.slow_games), seed),
        study.do("speed", clocked),
    )


def ends(record: str, games: int) -> dict[str, Any]:
    """How the games of a record ended, how long they were and how many tries a move took."""
    lines = Path(record).read_text().splitlines()[1 : games + 1]
    played = [Played.read(line).record for line in lines]
    stood = [_stood(each.start, each.moves) for each in played]
    return {
        "plies": fmean(stood),
        "tries": sum(len(each.moves) for each in played) / max(1, sum(stood)),
        "reasons": dict(Counter(each.outcome.reason for each in played).most_common()),
    }


def _stood(start: str, moves: tuple[str, ...]) -> int:
    """How many of the tries of a game were moves."""
    state, count = games.get(GAME).start(start), 0
    for text in moves:
        state = state.play(state.parse(text))
        count += state.stood
    return count


def speed(player: str, seed: int) -> float:
    """Nodes a second of a search, over the turns of one game against the random mover."""
    game = games.get(GAME)
    searcher, opponent = players.make(player, game), players.make(RANDOM, game)
    searcher.start(game.spec, 0, seed)
    opponent.start(game.spec, 1, seed)
    nodes, seconds = 0, 0.0
    state = game.start()
    while not state.outcome() and seconds < 10:
        if state.seat == 0:
            began = perf_counter()
            found = searcher.think(state.view(0), Limit())
            nodes, seconds = nodes + found.nodes, seconds + perf_counter() - began
            state = state.play(found.move)
        else:
            state = state.play(opponent.choose(state.view(1), Limit()))
    return nodes / seconds


def elo(met: Met) -> Measured:
    """The Elo of a match with its standard error; of a match won or lost outright, that of half a game."""
    share, total = met.share, met.wins + met.draws + met.losses
    p = min(max(share.value, 0.5 / total), 1 - 0.5 / total)
    return Measured(400 * log10(p / (1 - p)), 400 / log(10) * share.error / (p * (1 - p)))

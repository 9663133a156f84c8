"""The matches behind the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log, log10
from pathlib import Path
from time import process_time
from typing import Any

from rookery import games, players
from rookery.api import Limit
from rookery.arena.record import Played
from rookery.papers.kriegspiel import plan
from rookery.papers.kriegspiel.plan import Size, mcts
from rookery.papers.matches import Batches, Met, meet_in_batches
from rookery.papers.measure import Measured, mean
from rookery.papers.study import Piece, Study

GAME = "kriegspiel"


@dataclass(frozen=True)
class Ends:
    """How the games of a match went."""

    plies: float
    """In the mean, tries that were refused left out."""
    tries: float
    """Of the first player, for each of its moves that stood."""
    their_tries: float
    """The same of the second."""
    reasons: Mapping[str, int]


@dataclass(frozen=True)
class Outcome:
    """All that the pieces gave. What was not played is missing."""

    curves: dict[str, dict[float, Met]]
    """By player (`B1` to `B10`, `C`, `ours`) and setting of time, its match against minimax."""
    ends: dict[str, Ends]
    """Of these matches: `C-0.02` and so on."""
    weak: dict[str, Met]
    """Approach A against minimax and against the random mover."""
    exploration: dict[float, Met]
    """C against minimax, by the c of UCT."""
    plateau: dict[str, Met]
    """Minimax with half and with twice the metapositions against minimax."""
    sampling: dict[str, Met]
    """Every two of the ladder, the stronger by the paper first: `los-random`, `hs-los`, `minimax-hs`, ..."""
    ablations: dict[str, Met]
    slow: dict[str, Met]
    """C and B1 against minimax at the time of the check."""
    speed: dict[str, Measured]
    """Nodes a second of C and of B1, one core, and how many times C's are B1's (`ratio`)."""


def do(study: Study, size: Size, seed: int) -> Outcome:
    """Everything, Figure 10 first."""
    usual, slowest = size.usual, size.seconds[-1]
    ladder = {
        plan.RANDOM: plan.RANDOM,
        **{method: size.sampling(method) for method in plan.SAMPLING},
        "minimax": size.minimax,
    }
    stages = {
        plan.FIGURE: {
            _cell(name, seconds): (mcts(name, seconds), size.minimax)
            for seconds in size.seconds
            for name in (*plan.THEIRS, plan.OURS)
        },
        plan.WEAK: {
            "minimax": (mcts("A", slowest), size.minimax),
            "random": (mcts("A", slowest), plan.RANDOM),
        },
        plan.LADDER: {
            f"{better}-{worse}": (ladder[better], ladder[worse]) for worse, better in combinations(ladder, 2)
        },
        plan.PLATEAU: {
            "half": (f"kriegspiel-minimax:nodes={size.nodes // 2}", size.minimax),
            "twice": (f"kriegspiel-minimax:nodes={2 * size.nodes}", size.minimax),
        },
        plan.SCAN: {f"{c:g}": (mcts("C", usual, f"c={c:g}"), size.minimax) for c in plan.EXPLORATION},
        plan.ABLATED: {
            name: (mcts(plan.OURS, usual, option), mcts(plan.OURS, usual))
            for name, option in plan.ABLATIONS.items()
        },
    }
    found = meet_in_batches(study, stages, GAME, size.games, size.batch, seed)
    clocked = study.do("speed", {"both": Piece(speeds, {"games": size.timed_games, "seed": seed})})["both"]
    late = {
        plan.SLOW: {name: (mcts(name, size.slow_seconds), size.minimax) for name in ("C", "B1")},
    }
    found |= meet_in_batches(study, late, GAME, size.slow_games, size.batch, seed)
    met = {stage: {name: each.met for name, each in matches.items()} for stage, matches in found.items()}
    figure = met[plan.FIGURE]
    return Outcome(
        {
            name: {s: figure[_cell(name, s)] for s in size.seconds if _cell(name, s) in figure}
            for name in (*plan.THEIRS, plan.OURS)
        },
        _ended(study, found[plan.FIGURE]),
        met[plan.WEAK],
        {float(c): each for c, each in met[plan.SCAN].items()},
        met[plan.PLATEAU],
        met[plan.LADDER],
        met[plan.ABLATED],
        met[plan.SLOW],
        {name: mean(values) for name, values in clocked.items()},
    )


def _cell(name: str, seconds: float) -> str:
    return f"{name}-{seconds:g}"


def _ended(study: Study, matches: Mapping[str, Batches]) -> dict[str, Ends]:
    pieces = {name: Piece(ends, {"records": each.records}) for name, each in matches.items()}
    return {name: Ends(**told) for name, told in study.do("ends", pieces).items()}


def ends(records: Sequence[str]) -> dict[str, Any]:
    """How the games of a match ended, how long they were and how many tries a move took."""
    stood, tried = [0, 0], [0, 0]
    reasons: Counter[str] = Counter()
    lines = [line for record in records for line in Path(record).read_text().splitlines()[1:]]
    for line in lines:
        game = Played.read(line)
        reasons[game.record.outcome.reason] += 1
        state = games.get(GAME).start(game.record.start)
        for text in game.record.moves:
            whose = game.sides[state.seat]
            state = state.play(state.parse(text))
            tried[whose] += 1
            stood[whose] += state.stood
    return {
        "plies": sum(stood) / len(lines),
        "tries": tried[0] / max(1, stood[0]),
        "their_tries": tried[1] / max(1, stood[1]),
        "reasons": dict(reasons.most_common()),
    }


def speeds(games: int, seed: int) -> dict[str, list[float]]:
    """Nodes a second of C and of B1 in each game, side by side on the same views, and their ratio."""
    found: dict[str, list[float]] = {"C": [], "B1": [], "ratio": []}
    for number in range(games):
        each = _speeds(seed + number)
        for name, speed in each.items():
            found[name].append(speed)
        found["ratio"].append(each["C"] / each["B1"])
    return found


def _speeds(seed: int) -> dict[str, float]:
    """Of one game that C plays against the random mover, B1 looking on. Time is that of the processor."""
    game = games.get(GAME)
    timed = {name: players.make(mcts(name, 0.005, "endgame=no"), game) for name in ("C", "B1")}
    opponent = players.make(plan.RANDOM, game)
    for player in timed.values():
        player.start(game.spec, 0, seed)
    opponent.start(game.spec, 1, seed)
    nodes, seconds = dict.fromkeys(timed, 0), dict.fromkeys(timed, 0.0)
    state = game.start()
    while not state.outcome():
        view = state.view(state.seat)
        if state.seat == 1:
            state = state.play(opponent.choose(view, Limit()))
            continue
        for name, player in timed.items():
            began = process_time()
            found = player.think(view, Limit())
            nodes[name], seconds[name] = nodes[name] + found.nodes, seconds[name] + process_time() - began
            if name == "C":
                move = found.move
        state = state.play(move)
    return {name: nodes[name] / seconds[name] for name in timed}


def elo(met: Met) -> Measured:
    """The Elo of a match with its standard error; of a match won or lost outright, that of half a game."""
    share, total = met.share, met.games
    p = min(max(share.value, 0.5 / total), 1 - 0.5 / total)
    return Measured(400 * log10(p / (1 - p)), 400 / log(10) * share.error / (p * (1 - p)))

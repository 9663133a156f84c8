"""How a policy network fares against alpha-beta while it learns: Pelat's AB, four plies deep, by
piece-square tables, without quiescence or pruning (section 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import games, native, players
from rookery.api import Limit, Player

RIVAL = "alphabeta:hash=1,pruning=no,quiescence=no,depth=4+pieces"
_PLIES = 400
"""A game that lasts longer is a draw."""

Logits = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""Of [B, 41, 8, 8] planes."""


def score(think: Logits, count: int, seed: int, threads: int, stop: Callable[[], None]) -> float:
    """The share of the points that the network makes in so many games, half of them with each colour, by one
    of its two likeliest moves. seed: of which of them it is."""
    chess, rng = games.get("chess"), np.random.default_rng(seed)
    tables: list[tuple[Any, int]] = [(chess.start(), game % 2) for game in range(count)]
    idle = SimpleQueue[Player]()
    for _ in range(threads):
        idle.put(players.make(RIVAL, chess))
    points = 0.0

    def answer(game: int) -> int:
        rival = idle.get()
        try:
            return _answer(rival, tables[game][0])
        finally:
            idle.put(rival)

    with ThreadPoolExecutor(threads) as pool:
        for _ in range(_PLIES):
            stop()
            ours = [i for i, (state, seat) in enumerate(tables) if state.seat == seat]
            theirs = [i for i, (state, seat) in enumerate(tables) if state.seat != seat]
            answers = pool.map(answer, theirs)
            moves = dict(zip(ours, _drawn(think, [tables[i][0] for i in ours], rng), strict=True))
            moves |= zip(theirs, answers, strict=True)
            after = [(state.play(moves[i]), seat) for i, (state, seat) in enumerate(tables)]
            over = [i for i, (state, _) in enumerate(after) if state.outcome()]
            points += sum((after[i][0].outcome().values[after[i][1]] + 1) / 2 for i in over)
            tables = [each for i, each in enumerate(after) if i not in over]
            if not tables:
                break
    return (points + len(tables) / 2) / count


def _answer(rival: Player, state: Any) -> int:
    # It has just thought about another game: whoever is idle answers alike only if nothing of that is left.
    rival.start(state.spec, state.seat, 0)
    return rival.choose(state.view(state.seat), Limit())


def _drawn(think: Logits, states: Sequence[Any], rng: np.random.Generator) -> list[int]:
    """One of the two likeliest moves of each, in proportion."""
    if not states:
        return []
    natives = [state.native for state in states]
    logits = think(native.chess_planes(natives))
    begins, actions = native.chess_legal_actions(natives)
    found = []
    for i, state in enumerate(states):
        legal = logits[i, actions[begins[i] : begins[i + 1]]].astype(np.float64)
        best = np.argsort(-legal, kind="stable")[:2]
        shares = np.exp(legal[best] - legal[best[0]])
        found.append(state.moves()[int(rng.choice(best, p=shares / shares.sum()))])
    return found

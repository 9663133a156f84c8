"""Belief and thought in Kriegspiel."""

from __future__ import annotations

from rookery import native
from rookery.bench.work import Benchmark, Work, batch
from rookery.games.kriegspiel import KRIEGSPIEL, KriegspielView
from rookery.seeds import generator


def _view() -> KriegspielView:
    """What a seat knows in the middle of a random game, always the same one."""
    rng = generator(1, "bench", "kriegspiel")
    state = KRIEGSPIEL.start()
    while len(state.history()) < 120 or not state.stood:
        state = state.play(int(rng.choice(state.moves())))
    return state.view(state.seat)


def _belief(subject: str) -> Work:
    """Updates by one event: of a metaposition, or of matrices with the metaposition around them."""
    view = _view().native
    kind = native.Possible if subject == "possible" else native.KriegspielBelief
    return batch(lambda updates: kind.replay(view, updates))


BENCHMARKS = {"belief": Benchmark(_belief, "updates/s", ("possible", "matrices"))}

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


_APPROACHES = {
    "c": ("c", 1, 0.3, "paper", 40_000),
    "c-fast": ("c", 1, 0.3, "fast", 40_000),
    "b1": ("b", 1, 0.7, "paper", 2_000),
    "b3": ("b", 3, 0.7, "paper", 2_000),
    "b7": ("b", 7, 0.7, "paper", 1_000),
    "b10": ("b", 10, 0.7, "paper", 1_000),
    "a": ("a", 1, 0.7, "paper", 200),
}


def _mcts(subject: str) -> Work:
    """Nodes of one turn, from nothing: for approach C, moves evaluated; for A and B, simulations."""
    approach, k, c, variant, nodes = _APPROACHES[subject]
    search = native.KriegspielMcts(
        approach=approach,
        k=k,
        c=c,
        foresight=0.5,
        variant=variant,
        mode="corrected",
        weights="weighted",
        illegal="best",
        endgame=True,
        threads=1,
    )
    view, stop = _view().native, native.Stop()

    def run() -> int:
        search.forget()
        return search.think(
            view, nodes=nodes, seconds=0.0, only=[], seed=1, stop=stop, listener=None, analyse=False
        ).nodes

    return Work(run, run())


def _judged(depth: str) -> Work:
    """Boards of the last observation, drawn and judged by every legal move."""
    view = _view().native
    sampling = native.KriegspielSampling(method="los", boards=1, depth=int(depth[-1]), pool=1)

    def judge(boards: int) -> None:
        sampling.forget()
        sampling.choose(view, boards=boards, seconds=0.0, only=[], seed=1)

    return batch(judge)


def _followed(size: str) -> Work:
    """Events that a full pool of boards hears, the enemy's moves among them."""
    view, boards = _view().native, int(size.split()[0])

    def follow() -> None:
        native.KriegspielParticles(size=boards, refill=0).follow(view)

    return Work(follow, len(view))


BENCHMARKS = {
    "belief": Benchmark(_belief, "updates/s", ("possible", "matrices")),
    "kriegspiel-mcts": Benchmark(_mcts, "nodes/s", tuple(_APPROACHES)),
    "judged": Benchmark(_judged, "boards/s", ("depth 1", "depth 2")),
    "followed": Benchmark(_followed, "events/s", ("2000 boards", "20000 boards")),
}

"""A little of `make soak`: calls that would end the process end in an exception, or do what they say."""

from collections.abc import Iterator

import pytest

from soak.cell import Keeper
from soak.hazards import HAZARDS
from soak.surface import read
from soak.values import Values

QUICK = """
    look(crew(fill=nan))
    look(crew(fill=inf), lines=5)
    look(crew(fill=3e38, threads=2), depth=4)
    look(alphabeta(net(nan), AlphaBetaOptions(qdepth=4, null_move=True, late_moves=True, hash=1)))
    look(asked(nan), depth=2)
    look(asked(inf), state=go(5), depth=2, lines=3)
    look(asked(raises), depth=2)
    look(comparison(AskedComparator(returns(nan), returns(nan)), ComparisonOptions()))
    td_duel(net(nan), Naive(), go(5), 2, 1)
    look(crew(), lines=0)
    look(crew(), lines=-1)
    look(crew(), depth=-1)
    look(crew(), seconds=nan)
    look(crew(), state=over(ChessState()))
    player().think(view(), limit(depth=3, lines=0))
    ChessState().perft(-1)
    go(2).perft(-1)
    Duchess4State().text(-2**31)
    go(19).chain(400)
    crew(megabytes=2**43)
    GoSolver(2**43)
    look(crew(threads=256), depth=4)
    Workers(2000)
    strap(threads=256, side_by_side=4).play(4)
    strap(side_by_side=0).play(1)
    (lambda t: (t.resume(1, 0, [UnfinishedGame(0, [10**9], [], [])]), t.play(2)))(strap('Duchess4'))
    (lambda t: (t.resume(1, 0, [UnfinishedGame(0, [-1], [], [])]), t.play(2)))(strap())
    (lambda t: (t.resume(-1, 0, []), t.play(2)))(strap())
    strap(fill=nan).play(2)
    TdLearner(go(5), 'koten', 1, eta=nan).play(3)
    TdLearner(go(5), 'koten', 1).replay([10**9], [True])
    selfplay_steps(selfplay(simulations=0))
    selfplay_steps(selfplay(), 30, nan, nan)
    likely().close()
    closed().settle(np.zeros((10**5, 2), np.float32))
    collected().absorb(np.zeros((1, 2), np.float32), np.ones((1, 1), np.float32))
    (lambda s: together(*[lambda: look(s)] * 4))(crew())
    (lambda s: together(*[lambda: look(s, depth=2)] * 3, s.forget, s.stop))(asked())
    (lambda s: look(s, listener=lambda r: look(s, depth=1)))(crew())
    look(expose(asked(reenters)), depth=2)
    left_running((lambda s: lambda: look(s, depth=50, nodes=10**9, seconds=60.0))(crew(threads=2)))
    left_running((lambda s: lambda: look(s, depth=50, nodes=10**9, seconds=60.0))(asked()))
    left_running(lambda: go(9).uct(1.0, 1, 1, 10**9, 60.0, [], Stop(), None))
"""


@pytest.fixture(scope="module")
def keeper() -> Iterator[Keeper]:
    with Keeper() as keeper:
        yield keeper


def quick(line: str) -> object:
    """Under a sanitizer each of many threads takes more memory than a try may have."""
    return pytest.param(line.strip(), marks=[pytest.mark.unsanitized] if "threads=256" in line else [])


@pytest.mark.parametrize("source", [quick(line) for line in QUICK.strip().splitlines()])
def test_a_hazard(keeper: Keeper, source: str) -> None:
    fate = keeper.run(source, seconds=20)
    assert fate.kind in ("done", "refused"), fate


def test_a_death_is_seen(keeper: Keeper) -> None:
    assert keeper.run("import os; os.abort()").detail == "SIGABRT"
    assert keeper.run("ChessState().moves()").kind == "done"


def test_a_hang_is_seen(keeper: Keeper) -> None:
    deaf = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); time.sleep(60)"
    assert keeper.run(deaf, seconds=0.2, patience=0.2).kind == "hung"
    assert keeper.run("time.sleep(60)", seconds=0.2).kind == "interrupted"


def test_everything_that_can_be_called_can_be_attacked() -> None:
    """A new class or parameter needs a good value, or nothing could be learnt from its hostile ones."""
    surface = read()
    values = Values(surface)
    for target in surface.callables:
        assert compile(values.call(target), target.title, "eval")
        for parameter in target.parameters:
            assert values.hostile(target, parameter)


def test_the_hazards_are_python() -> None:
    for source in (source for sources in HAZARDS.values() for source in sources):
        compile(source, source, "exec")
    assert sum(map(len, HAZARDS.values())) > 200

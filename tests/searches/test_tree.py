"""What PUCT and Gumbel share: values by side, a tree kept between moves, and a bound on its memory."""

from __future__ import annotations

import ctypes
import gc
from dataclasses import replace

import numpy as np
import puct_twin
import pytest
from gumbel_twin import Twin
from places import Numbers

from rookery import games, native
from rookery.api import Evaluation, Limit, Policy, PolicyEvaluator
from rookery.errors import BadOption
from rookery.games.state import NativeState
from rookery.searches.puct import Puct
from rookery.seeds import generator

CHESS = games.get("chess")


def think(search, state, limit, seed=1):
    return search.search(state.view(state.seat), limit, generator(seed), lambda info: None)


# --- values belong to sides ------------------------------------------------------------------------------

HEAP = replace(CHESS.spec, name="heap", side_of=(0, 0, 1, 1), policy_size=4, seat_names=("A", "B", "C", "D"))


def heap(left: int, seat: int = 0) -> NativeState:
    """A game in which each side moves twice in a row."""
    return NativeState(HEAP, native.ProbeHeap(left, seat))


class Liking(PolicyEvaluator):
    """Side 0 is thought to be the better off the more is left."""

    def evaluate(self, states):
        lead = np.array([int(str(state).split()[0]) / 100 for state in states], np.float32)
        return Evaluation(
            np.stack([lead, -lead], 1),
            Policy.joined([np.full(len(s.moves()), 1 / len(s.moves())) for s in states]),
        )


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("left", [2, 7, 12])
def test_a_side_that_moves_twice_keeps_its_sign(left, seat):
    state = heap(left, seat)
    root = puct_twin.grow(state, Liking(), 1.0, 4, 150)
    tree = native.PuctTree(state.native.any(), [], 1.0)
    size = 1
    while tree.simulations < 150:
        leaves = [NativeState(HEAP, leaf) for leaf in tree.collect(size, 150)]
        if leaves:
            found = Liking().evaluate(leaves)
            tree.absorb(found.value, (found.policy.offsets, found.policy.shares))
        size = 4
    found = {branch.move: branch for branch in tree.report().moves}
    for edge in root.edges:
        assert found[edge.move].visits == edge.visits
        assert found[edge.move].value == pytest.approx(edge.total / max(edge.visits, 1), abs=1e-6)


@pytest.mark.parametrize("seat", range(4))
def test_so_it_does_in_a_gumbel_search(seat):
    state, settings = heap(9, seat), native.GumbelSettings()
    settings.simulations, settings.scale = 40, 0.1
    move, root, shares = Twin(Liking(), 40, 16, 0.1).search(state)
    tree = native.GumbelTree(state.native.any(), [], settings)
    while leaves := tree.collect():
        found = Liking().evaluate([NativeState(HEAP, leaf) for leaf in leaves])
        tree.absorb(found.value, (found.policy.offsets, found.policy.shares))
    assert tree.chosen() == move
    assert tree.improved()[1] == pytest.approx(shares, abs=1e-4)
    visits = {branch.move: branch.visits for branch in tree.report().moves}
    assert visits == {edge.move: edge.visits for edge in root.edges}


# --- the tree is kept between moves ----------------------------------------------------------------------


def grown(state, nodes, **options):
    tree = native.PuctTree(state.native.any(), [], 1.25, **options)
    return grow(tree, Numbers(CHESS), nodes)


def grow(tree, knowledge, nodes):
    while tree.simulations < nodes and not tree.full:
        leaves = [NativeState(CHESS.spec, leaf) for leaf in tree.collect(1, nodes)]
        if leaves:
            found = knowledge.evaluate(leaves)
            tree.absorb(found.value, (found.policy.offsets, found.policy.shares))
    return tree


def facts(tree):
    return [(b.move, b.visits, b.value, list(b.line)) for b in tree.report().moves]


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_following_keeps_what_was_found_below(plies):
    """The twin's subtree is the new root's, and both go on alike."""
    state = CHESS.start()
    root = puct_twin.grow(state, Numbers(CHESS), 1.25, 1, 600)
    tree = grown(state, 600)
    for _ in range(plies):
        edge = max(root.edges, key=lambda e: e.visits)
        state, root = state.play(edge.move), edge.node
    before = tree.bytes
    assert tree.follow(state.native.any())
    assert tree.bytes < before
    for goes_on in (False, True):
        if goes_on:
            grow(tree, Numbers(CHESS), root.visits + 200)
            puct_twin.grow(state, Numbers(CHESS), 1.25, 1, 200, root=root)
        assert tree.simulations == root.visits
        visits = {branch.move: (branch.visits, branch.value) for branch in tree.report().moves}
        for edge in root.edges:
            assert visits[edge.move] == (edge.visits, pytest.approx(edge.total / max(edge.visits, 1)))


def test_only_a_position_below_is_followed():
    state = CHESS.start()
    tree = grown(state, 100)
    told = facts(tree)
    best = tree.report().moves[0].move
    after = state.play(best)
    worst = after.play(after.moves()[0])
    others = [
        state,  # the root itself
        CHESS.start(str(after)),  # the same board, but how it came about is not known
        games.get("go9").start(),
        worst.play(worst.moves()[0]),  # nobody has been there
    ]
    for other in others:
        assert not tree.follow(other.native.any())
        assert facts(tree) == told
    again = CHESS.start().play(best)  # the same game in other objects
    assert tree.follow(again.native.any())
    assert not tree.follow(state.native.any())  # there is no way back


def test_a_tree_with_leaves_under_way_is_not_followed():
    tree = grown(CHESS.start(), 50)
    tree.collect(4, 100)
    best = tree.report().moves[0].move
    assert not tree.follow(CHESS.start().play(best).native.any())


def test_draws_by_repetition_are_seen_below_a_followed_root():
    """Keys of the moves played stay with the tree: a third occurrence is a draw there too."""
    state = CHESS.start("7k/8/8/8/8/8/R7/K7 w - - 0 1")
    shuffle = ["a2b2", "h8g8", "b2a2", "g8h8"]
    for text in shuffle:
        state = state.play(state.parse(text))

    class Drawish(PolicyEvaluator):
        """Moves of the shuffle are all that is likely, and White is winning."""

        def evaluate(self, states):
            shares = []
            for s in states:
                wanted = [m for m in s.moves() if s.text(m) in shuffle]
                shares.append(np.array([1.0 if m in wanted else 1e-6 for m in s.moves()]))
            return Evaluation(np.tile(np.float32([0.9, -0.9]), (len(states), 1)), Policy.joined(shares))

    kept = Puct(CHESS, Drawish(), batch=1)
    think(kept, state, Limit(nodes=400))
    state = state.play(state.parse("a2b2")).play(state.play(state.parse("a2b2")).parse("h8g8"))
    fresh = think(Puct(CHESS, Drawish(), batch=1), state, Limit(nodes=400))
    result = think(kept, state, Limit(nodes=400))
    assert result.nodes < 400  # it was kept
    draw = state.parse("b2a2")
    assert result.policy[draw] == pytest.approx(fresh.policy[draw], abs=0.15)


def test_a_search_follows_the_game_and_counts_what_it_kept():
    search, fresh = Puct(CHESS, Numbers(CHESS)), Puct(CHESS, Numbers(CHESS))
    state = CHESS.start()
    made = []
    for _ in range(6):
        result = think(search, state, Limit(nodes=200))
        made.append(result.nodes)
        state = state.play(result.move)
        reply = max(think(fresh, state, Limit(nodes=50)).policy.items(), key=lambda pair: pair[1])[0]
        state = state.play(reply)
    assert made[0] == 200 and min(made) < 200  # a bound counts the whole tree, a result what was added


def test_the_same_questions_get_the_same_answers():
    def game(search):
        state, told = CHESS.start(), []
        for _ in range(5):
            result = think(search, state, Limit(nodes=150))
            told.append((result.move, result.nodes, result.value, result.policy))
            state = state.play(result.move)
            state = state.play(state.moves()[0])
        return told

    search = Puct(CHESS, Numbers(CHESS), noise=0.25)
    first = game(search)
    search.forget()
    assert game(search) == first == game(Puct(CHESS, Numbers(CHESS), noise=0.25))


def test_a_forgetful_search_begins_anew():
    search, state = Puct(CHESS, Numbers(CHESS)), CHESS.start()
    move = think(search, state, Limit(nodes=100)).move
    after = state.play(move)
    search.forget()
    alone = think(Puct(CHESS, Numbers(CHESS)), after, Limit(nodes=100))
    assert think(search, after, Limit(nodes=100)) == alone
    # The same position again, or with some moves alone: a new tree too.
    assert think(search, after, Limit(nodes=100)) == alone
    some = Limit(nodes=100, only=tuple(after.moves()[:3]))
    assert think(search, after, some) == think(Puct(CHESS, Numbers(CHESS)), after, some)


def test_a_search_that_failed_leaves_no_tree():
    class Fails(Numbers):
        broken = False

        def evaluate(self, states):
            if self.broken:
                raise RuntimeError("broken")
            return super().evaluate(states)

    knowledge = Fails(CHESS)
    search, state = Puct(CHESS, knowledge), CHESS.start()
    move = think(search, state, Limit(nodes=100)).move
    knowledge.broken = True
    after = state.play(move)
    with pytest.raises(RuntimeError):
        think(search, after, Limit(nodes=500))
    knowledge.broken = False
    again = think(search, after, Limit(nodes=100))
    assert again == think(Puct(CHESS, Numbers(CHESS)), after, Limit(nodes=100))


# --- a bound on its memory -------------------------------------------------------------------------------


def test_a_full_tree_stops_and_answers():
    state = CHESS.start()
    result = think(Puct(CHESS, Numbers(CHESS), memory=1, batch=64), state, Limit(nodes=10**6))
    assert 300 < result.nodes < 5000
    assert result.move in state.moves()


def test_it_never_takes_more_than_it_may():
    tree = native.PuctTree(CHESS.start().native.any(), [], 1.25, None, 2)
    while not tree.full:
        leaves = tree.collect(64, 10**6)
        assert tree.bytes <= 2 << 20
        tree.absorb(np.zeros((len(leaves), 2), np.float32), None)
    assert tree.bytes > 1 << 20
    # The leaves before it was full were counted, the way that found no room was not.
    assert sum(branch.visits for branch in tree.report().moves) == tree.simulations - 1
    assert tree.collect(8, 10**6) == []
    best = tree.report().moves[0].move
    assert tree.follow(CHESS.start().play(best).native.any())
    assert not tree.full and tree.bytes < 1 << 20
    assert tree.collect(8, 10**6)


def test_what_is_counted_is_what_is_held():
    """Against the allocator's own count."""
    allocator = ctypes.CDLL(None)
    if not hasattr(allocator, "mallinfo2"):
        pytest.skip("no mallinfo2 here")

    class Info(ctypes.Structure):
        _fields_ = [(f"number{i}", ctypes.c_size_t) for i in range(10)]

    allocator.mallinfo2.restype = Info

    def held():
        gc.collect()
        info = allocator.mallinfo2()
        return info.number4 + info.number7  # hblkhd, mapped, and uordblks, in use

    before = held()
    tree = native.PuctTree(CHESS.start().native.any(), [], 1.25)
    while tree.simulations < 20_000:
        leaves = tree.collect(64, 20_000)
        tree.absorb(np.zeros((len(leaves), 2), np.float32), None)
        del leaves
    assert tree.bytes == pytest.approx(held() - before, rel=0.15)


@pytest.mark.parametrize("memory", [0, -1, 10**6])
def test_memory_has_a_range(memory):
    with pytest.raises(BadOption, match="memory must be between 1 and 65536 MB"):
        Puct(CHESS, Numbers(CHESS), memory=memory)

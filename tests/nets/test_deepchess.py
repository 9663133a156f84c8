"""The networks of DeepChess in whole numbers, against their twin in floats."""

import numpy as np
import pytest
from deepchess_twin import FULL, SMALL, TINY, embed, leads, mirrored, network, worth

from rookery import cards, games, players, weights
from rookery.api import Comparator, Limit
from rookery.errors import CheckpointMismatch
from rookery.evaluators import deepchess
from rookery.evaluators.deepchess import DeepChess
from rookery.searches.comparison import Comparison
from rookery.seeds import generator
from walks import walk

CHESS = games.get("chess")
FENS = [
    "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 3 20",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 50",
    "rnbqkbnr/pp1ppppp/8/8/2pPP3/8/PPP2PPP/RNBQKBNR b KQkq d3 0 3",
]


def positions(count=150):
    """From random games, siblings among them."""
    found = [CHESS.start(fen) for fen in FENS]
    for seed in range(count):
        *_, state = walk(CHESS, seed, 4 + seed * 7 % 110)
        found.append(state)
        if moves := state.moves():
            found += [state.play(moves[0]), state.play(moves[-1])]
    return found


STATES = positions()
SIZES = {"small": SMALL, "full": FULL, "tiny": TINY}


TRAINED = [name for name, card in cards.zoo().items() if card.knowledge == "deepchess"]


@pytest.fixture(scope="module", params=[*SIZES, *TRAINED])
def net(request):
    """Random networks, and those of the zoo, in positions far from what they were trained on."""
    if request.param in TRAINED:
        arrays = deepchess.read(weights.find(request.param))
    else:
        arrays = network(SIZES[request.param], 1, STATES[:60])
    return arrays, DeepChess.of(CHESS, arrays)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def test_comparisons_are_those_of_the_floats(net):
    """Also of siblings, whose leads are small: 0.995 of the signs, no probability off by 0.01."""
    arrays, knowledge = net
    e = embed(arrays, STATES)
    rng = np.random.default_rng(3)
    a, b = rng.integers(len(STATES), size=(2, 1500))
    a[:300], b[:300] = 3 * rng.integers(len(STATES) // 3, size=300) + [[1], [2]]
    theirs = leads(arrays, e[a], e[b])
    ours = np.array(knowledge.native.leads(*([STATES[i].native for i in which] for which in (a, b))))
    clear = a != b
    assert (np.sign(ours) == np.sign(theirs))[clear].mean() > 0.995
    assert np.abs(sigmoid(ours / 2) - sigmoid(theirs / 2)).max() < 0.01
    np.testing.assert_allclose(
        knowledge.prefer([STATES[0]], [STATES[5]], 0)[0],
        sigmoid(leads(arrays, e[:1], e[5:6])[0] / 2),
        atol=0.01,
    )


def test_what_is_turned_round_is_the_same_turned_round(net):
    _, knowledge = net
    a, b = ([s.native for s in STATES[at::2][:100]] for at in (0, 1))
    forth, back = (np.array(knowledge.native.leads(*pair)) for pair in ((a, b), (b, a)))
    assert (forth == -back).all() and forth.any()
    assert not np.array(knowledge.native.leads(a, a)).any()
    for side in (0, 1):
        forth, back = (
            knowledge.prefer(*pair, side) for pair in ((STATES[:9], STATES[9:18]), (STATES[9:18], STATES[:9]))
        )
        np.testing.assert_allclose(forth + back, 1, atol=1e-6)


def test_a_draw_lies_between_a_position_and_its_mirror(net):
    arrays, knowledge = net
    some = STATES[:80]
    mirrors = [CHESS.start(mirrored(s)) for s in some]
    theirs = leads(arrays, embed(arrays, some), embed(arrays, mirrors)) / 4
    ours = np.array(knowledge.native.above_draw([s.native for s in some]))
    np.testing.assert_allclose(sigmoid(ours), sigmoid(theirs), atol=0.01)
    np.testing.assert_array_equal(ours, -np.array(knowledge.native.above_draw([s.native for s in mirrors])))
    np.testing.assert_allclose(knowledge.prefer_to_draw(some, 1), sigmoid(-ours), atol=1e-6)


def test_values_are_those_of_the_scalar_head(net):
    """Its zero: the middle of the starting position and its mirror."""
    arrays, knowledge = net
    start = [CHESS.start(), CHESS.start(mirrored(CHESS.start()))]
    theirs = worth(arrays, embed(arrays, STATES)) - worth(arrays, embed(arrays, start)).mean()
    ours = np.array(knowledge.native.values([s.native for s in STATES]))
    mover = np.where([s.seat == 0 for s in STATES], theirs, -theirs)
    np.testing.assert_allclose(sigmoid(ours), sigmoid(mover), atol=0.01)
    value = knowledge.evaluate(STATES).value
    np.testing.assert_allclose(value[:, 0], np.tanh(theirs / 2), atol=0.02)
    assert (value.sum(axis=1) == 0).all()


def test_without_a_scalar_head_a_value_is_the_comparison_with_the_mirror():
    arrays = network({part: SMALL[part] for part in ("embed", "compare")}, 2, STATES[:60])
    knowledge = DeepChess.of(CHESS, arrays)
    assert not knowledge.native.has_scalar
    some = [s.native for s in STATES[:60]]
    values, draws = np.array(knowledge.native.values(some)), np.array(knowledge.native.above_draw(some))
    np.testing.assert_array_equal(values, np.where([s.seat == 0 for s in STATES[:60]], draws, -draws))


@pytest.mark.parametrize("name", ["small", "full"])
def test_sums_kept_along_a_line_are_those_computed_from_nothing(name):
    """Castling, en passant and promotions among them, and positions that were not asked for on the way."""
    knowledge = DeepChess.of(CHESS, network(SIZES[name], 1, STATES[:20])).native
    for fen in [None, "r3k2r/PPP1P1PP/8/2Pp4/2pP4/8/ppp1p1pp/R3K2R w KQkq d6 0 1", *FENS]:
        plies, wrong = knowledge.drift(CHESS.start(fen).native, 2000, 7)
        assert plies == 2000 and wrong == 0


def hostile():
    """Weights that no training leaves, and that sums must survive."""
    sound = network(SMALL, 1, STATES[:10])
    yield "huge", {name: a if "ranges" in name else a * 1e3 for name, a in sound.items()}
    yield "least", {name: a if "ranges" in name else a * 1e-20 for name, a in sound.items()}
    yield "zero", {name: a * 0 for name, a in sound.items()}
    yield "ones", {name: a * 0 + 1 for name, a in sound.items()}
    yield "narrow", {name: a * 1e-20 if "ranges" in name else a for name, a in sound.items()}
    yield "wide", {name: a * 1e20 if "ranges" in name else a for name, a in sound.items()}
    yield "bias", {name: a * 1e6 if "bias" in name else a for name, a in sound.items()}


@pytest.mark.parametrize(("name", "arrays"), list(hostile()), ids=lambda x: x if isinstance(x, str) else "")
def test_no_weights_make_a_sum_overflow(name, arrays):
    """What overflowed would have the wrong sign: all ones must keep every sum at or above 0."""
    knowledge = DeepChess.of(CHESS, arrays)
    a, b = ([s.native for s in STATES[at::2][:50]] for at in (0, 1))
    forth, back = (np.array(knowledge.native.leads(*pair)) for pair in ((a, b), (b, a)))
    assert np.isfinite(forth).all() and (forth == -back).all()
    assert np.isfinite(knowledge.native.values(a)).all()
    if name == "ones":
        assert not forth.any(), "both logits are the same"


def test_what_is_too_large_for_whole_numbers_is_refused_in_a_line(tmp_path):
    sound = network(FULL, 1, STATES[:5])
    for size in (9e29, 1e9):
        arrays = {name: a if "ranges" in name else a * 0 + size for name, a in sound.items()}
        deepchess.write(tmp_path / "w", arrays)
        with pytest.raises(CheckpointMismatch, match="weights are too large") as error:
            DeepChess(CHESS, str(tmp_path / "w"))
        assert "\n" not in str(error.value)


def test_weights_of_the_zoo_play_by_their_name(tmp_path, monkeypatch):
    folder = tmp_path / "chess/tiny"
    folder.mkdir(parents=True)
    deepchess.write(folder / weights.FILE, network(TINY, 1, STATES[:20]))
    said = 'knowledge = "deepchess"\nplayer = "comparison+chess/tiny"\ngames = ["chess"]\n'
    (folder / "card.toml").write_text(said + 'title = "tiny"\ndescription = "Tiny."\n')
    monkeypatch.setattr(cards, "ZOO", tmp_path)
    monkeypatch.setattr(cards, "cards", cards.cards.__wrapped__)
    for search in ("comparison", "alphabeta"):
        player = players.make(f"{search}:depth=2+chess/tiny", CHESS)
        move = player.think(CHESS.start().view(0), Limit()).move
        same = players.make(f"{search}:depth=2+deepchess@{folder}", CHESS)
        assert move == same.think(CHESS.start().view(0), Limit()).move


def test_a_search_does_the_same_every_time():
    known = DeepChess.of(CHESS, network(SMALL, 1, STATES[:20]))
    found = []
    for _ in range(2):
        for limit in (Limit(nodes=3000), Limit(depth=3)):
            search, heard = Comparison(CHESS, known), []
            search.search(STATES[5].view(STATES[5].seat), limit, generator(1), heard.append)
            found.append([(info.nodes, info.value, info.pv) for info in heard])
    assert found[:2] == found[2:] and all(found)


def test_comparisons_in_native_code_are_those_that_python_asks_for():
    """The same search, compiled with the network and asking for each comparison."""

    class Asked(Comparator):
        def prefer(self, a, b, side):
            return known.prefer(a, b, side)

        def prefer_to_draw(self, a, side):
            return known.prefer_to_draw(a, side)

    known = DeepChess.of(CHESS, network(SMALL, 1, STATES[:20]))
    for state in [CHESS.start(FENS[0]), CHESS.start(FENS[1]), STATES[8]]:
        results = [
            search.search(state.view(state.seat), Limit(depth=2), generator(1), lambda info: None)
            for search in (
                Comparison(CHESS, known, quiescence=False),
                Comparison(CHESS, Asked(), quiescence=False),
            )
        ]
        assert (results[0].move, results[0].nodes) == (results[1].move, results[1].nodes)
        assert results[0].value == pytest.approx(results[1].value, abs=1e-5)

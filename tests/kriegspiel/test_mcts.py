"""Monte Carlo tree search in Kriegspiel: values by hand and by the twin, trees, refused tries, games."""

import numpy as np
import outcomes_twin as twin
import pytest

from rookery import native, players
from rookery.api import Limit
from rookery.arena.game import play_game
from rookery.errors import BadOption, IllegalMove, UnsupportedGame
from rookery.games.kriegspiel import KRIEGSPIEL
from rookery.searches.kriegspiel.mcts import KriegspielMcts
from rookery.seeds import generator

SHUT_IN = "k7/p3p3/8/8/8/8/PP6/K3R3 w - - 0 1 material"
"""The Rook's tries beyond e7 are refused, and White cannot know it."""
CONSTANTS = {name: value for name, value, *_ in native.belief_constants()}


def views(games=3, plies=60):
    """Views of random games, those after refused tries among them."""
    for seed in range(games):
        rng = generator(seed, "mcts")
        state = KRIEGSPIEL.start()
        for ply in range(plies):
            moves = state.moves()
            if not moves:
                break
            if ply % 7 == 3:
                yield state.view(state.seat)
            state = state.play(moves[int(rng.integers(len(moves)))])


def played(fen, *texts):
    state = KRIEGSPIEL.start(fen)
    for text in texts:
        state = state.play(state.parse(text))
    return state


def search(name, view):
    return players.make(name, KRIEGSPIEL).think(view, Limit())


# --- exchanges


def test_exchange_without_attackers_gains_nothing():
    assert native.exchange_gain([], False, 0.2, 0.2, 2.0) == 0


def test_exchange_takes_back_what_is_not_protected():
    assert native.exchange_gain([0.3], False, 0.2, 0.2, 1.0) == pytest.approx(0.2)


def test_exchange_weighs_the_next_retake():
    # One more attacker expected: our man is lost with 1 - 1/e.
    lost = 1 - np.exp(-1)
    assert native.exchange_gain([0.1], False, 0.2, 0.2, 2.0) == pytest.approx(0.2 - lost * 0.1)
    # With a second man of ours behind it, what takes it is taken in turn, and nobody is left.
    assert native.exchange_gain([0.1, 0.1], False, 0.2, 0.2, 2.0) == pytest.approx(0.2 - lost * (0.1 - 0.2))


def test_exchange_is_left_when_it_does_not_pay():
    assert native.exchange_gain([0.9], False, 0.1, 0.1, 9.0) == 0


def test_a_king_takes_only_what_is_not_protected():
    assert native.exchange_gain([0.0], True, 0.2, 0.2, 1.0) == pytest.approx(0.2)
    assert native.exchange_gain([0.0], True, 0.2, 0.2, 2.0) == pytest.approx(0.2 * np.exp(-1))


def test_exchanges_equal_the_twin():
    rng = np.random.default_rng(5)
    for _ in range(300):
        ours = sorted(rng.uniform(0.1, 0.3, rng.integers(0, 6)).tolist())
        king = bool(ours) and bool(rng.integers(2))
        first, later, control = rng.uniform(0.05, 0.3), rng.uniform(0.05, 0.3), rng.uniform(0, 5)
        assert native.exchange_gain(ours, king, first, later, control) == pytest.approx(
            twin.gain(ours, king, first, later, control), abs=1e-6
        )


# --- evaluation


@pytest.mark.parametrize("reactions", ["control", "paper"])
@pytest.mark.parametrize("weights", ["count", "weighted"])
@pytest.mark.parametrize("mode", ["corrected", "paper"])
def test_edges_equal_the_twin(weights, mode, reactions):
    compared = 0
    for view in views():
        belief = native.KriegspielBelief(view.native, mode)
        tree = native.MctsTree(view.native, mode=mode, weights=weights, reactions=reactions)
        for edge in tree.node(0).edges:
            assert edge.legal == pytest.approx(belief.chance(edge.move).legal, abs=1e-6)
            expected = twin.stood(view, belief, edge.move, weights, CONSTANTS, reactions, mode)
            assert edge.stood == pytest.approx(expected, abs=5e-5), view.text(edge.move)
            compared += 1
    assert compared > 200


def test_taking_back_goes_on_with_an_exchange():
    # The enemy's Queen has taken on d4, and nothing else of his bears on it. The paper's constant is for the
    # first capture of an exchange: by it whoever takes back would be lost.
    state = played("4k3/3q4/8/8/3N4/8/8/3QK3 b - - 0 1", "d7d4")
    [taking] = [
        e
        for e in native.MctsTree(state.view(0).native, reactions="paper").node(0).edges
        if KRIEGSPIEL.start().text(e.move) == "d1d4"
    ]
    [first] = [
        e
        for e in native.MctsTree(played("4k3/8/8/8/3q4/8/8/3QK3 w - - 0 1").view(0).native, reactions="paper")
        .node(0)
        .edges
        if KRIEGSPIEL.start().text(e.move) == "d1d4"
    ]
    assert taking.stood - first.stood > 0.2


# --- trees


@pytest.mark.parametrize(("illegal", "foresight"), [("best", 0.5), ("paper", 1.0)])
def test_values_go_up_by_maximum_and_by_probability(illegal, foresight):
    for view in views(games=2, plies=40):
        tree = native.MctsTree(view.native, foresight, illegal=illegal, seed=3)
        tree.grow(150)
        nodes = [tree.node(i) for i in range(len(tree))]
        assert len(nodes) > 50
        seen = set()
        for node in nodes:
            if not node.edges:
                continue
            assert node.value == max(edge.value for edge in node.edges)
            for edge, value in zip(node.edges, values(node, illegal), strict=True):
                assert edge.value == pytest.approx(value, abs=1e-5)
                if not edge.visits:
                    continue
                answers = edge.answers
                assert sum(p for p, _, _ in answers) == pytest.approx(1, abs=1e-3)
                assert edge.stood == pytest.approx(
                    sum(p * v for p, v, _ in answers) / sum(p for p, _, _ in answers), abs=1e-5
                )
                for _, value, replies in answers:
                    if not replies:
                        continue
                    assert sum(reply.probability for reply in replies) == pytest.approx(1, abs=1e-3)
                    if any(reply.child >= 0 for reply in replies):
                        assert value == pytest.approx(
                            sum(reply.probability * reply.value for reply in replies), abs=1e-5
                        )
                    for reply in replies:
                        if reply.child >= 0:
                            below = nodes[reply.child].value
                            mixed = reply.computed + foresight * (below - reply.computed)
                            assert reply.value == pytest.approx(mixed, abs=1e-5)
                            assert reply.child not in seen
                            seen.add(reply.child)


def values(node, illegal):
    """What each move is worth, refusals included."""
    if illegal == "paper":
        return [e.legal * e.stood + (1 - e.legal) * node.balance for e in node.edges]
    worst = min(e.stood for e in node.edges)
    floor = [e.legal * e.stood + (1 - e.legal) * worst for e in node.edges]
    return [
        e.legal * e.stood + (1 - e.legal) * (max([worst, *floor[:i], *floor[i + 1 :]]) - 0.01)
        for i, e in enumerate(node.edges)
    ]


# --- turns


@pytest.mark.parametrize("approach", ["a", "b", "c", "c,variant=fast"])
def test_a_refused_try_is_never_tried_again(approach):
    state = played(SHUT_IN)
    player = players.make(f"kriegspiel-mcts:approach={approach},nodes=400", KRIEGSPIEL)
    player.start(KRIEGSPIEL.spec, 0, 5)
    before = player.think(state.view(0), Limit())
    assert before.move in state.moves()
    refused = next(m for m in state.moves() if not state.accepts(m) and m in before.policy)
    after_state = state.play(refused)
    assert not after_state.stood
    after = player.think(after_state.view(0), Limit())
    assert refused not in after.policy and after.move != refused
    assert after.nodes <= 400 // 4 + 60  # a quarter as long, up to the last node's moves


def test_trees_are_kept_within_a_turn_only():
    search = native.KriegspielMcts("c", 1, 0.3, 0.5, "paper", "corrected", "weighted", "best", True, 1)
    state = played(SHUT_IN)
    stop = native.Stop()

    def think(state):
        view = state.view(state.seat).native
        return search.think(view, 3000, 0.0, [], 1, stop, None, False)

    first = {branch.move: branch.visits for branch in think(state).moves}
    bad = next(m for m in state.moves() if not state.accepts(m) and m in first)
    refused = state.play(bad)
    assert search.continues(refused.view(0).native)
    second = {branch.move: branch.visits for branch in think(refused).moves}
    assert second.keys() == first.keys() - {bad}
    assert all(second[move] >= first[move] for move in second)
    good = next(m for m in refused.moves() if refused.accepts(m))
    later = refused.play(good)
    later = later.play(next(m for m in later.moves() if later.accepts(m)))
    assert not search.continues(later.view(0).native)
    search.forget()
    assert not search.continues(refused.view(0).native)


@pytest.mark.parametrize(
    "options", ["approach=a,nodes=30", "approach=b,nodes=200", "nodes=3000", "nodes=3000,threads=2"]
)
def test_the_same_seed_gives_the_same_moves(options):
    def game():
        made = [players.make(f"kriegspiel-mcts:{options}", KRIEGSPIEL) for _ in range(2)]
        return play_game(KRIEGSPIEL, made, seed=4, max_plies=12).moves

    assert game() == game()


@pytest.mark.parametrize("variant", ["fast", "paper"])
def test_a_search_ends_where_every_line_is_pruned(variant):
    # The Queens stand beside each other: whatever follows is far worse than the root, or has no moves.
    state = KRIEGSPIEL.start("8/8/8/8/8/5K2/1q2Q3/3k4 b - - 0 1")
    result = search(f"kriegspiel-mcts:variant={variant},nodes=940", state.view(1))
    assert result.nodes <= 1000


def test_takes_back_and_promotes():
    taken = played("4k3/8/8/3q4/8/8/3R4/3RK3 b - - 0 1", "d5d2")
    assert taken.text(search("kriegspiel-mcts:nodes=5000", taken.view(0)).move) in ("d1d2", "e1d2")
    ready = played("7k/P4ppp/8/8/8/8/5PPP/6K1 w - - 0 1")
    assert ready.text(search("kriegspiel-mcts:nodes=5000", ready.view(0)).move) == "a7a8q"


def test_only_and_lines_are_obeyed():
    state = KRIEGSPIEL.start()
    only = tuple(state.parse(text) for text in ("a2a3", "h2h4"))
    heard = []
    player = players.make("kriegspiel-mcts:nodes=2000", KRIEGSPIEL)
    result = player.think(state.view(0), Limit(only=only, lines=2), heard.append)
    assert result.move in only
    assert [info.rank for info in heard[-2:]] == [1, 2]
    assert {info.pv[0] for info in heard[-2:]} == set(only)


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ("approach=d", "approach must be a, b or c (got 'd')"),
        ("k=0", "k must be between 1 and 40"),
        ("c=-1", "c must be between 0"),
        ("foresight=2", "foresight must be between 0"),
        ("variant=slow", "variant must be fast or paper"),
        ("weights=heavy", "weights must be weighted or count"),
        ("illegal=never", "illegal must be best or paper"),
        ("reactions=none", "reactions must be control or paper"),
        ("tuned=patience", "tuned wants NAME:NUMBER"),
        ("tuned=courage:1", "no constant is called 'courage'"),
        ("tuned=retake_rate:-50", "retake_rate must be between 0 and 100"),
        ("tuned=patience:1;patience:2", "the constant patience is given twice"),
        ("tuned=retake:0.5", "no constant is called 'retake' here"),
        ("approach=b,tuned=patience:2", "no constant is called 'patience' here"),
        ("reactions=paper,tuned=capture_rate:0.1", "no constant is called 'capture_rate' here"),
        ("tuned=least_legal:0.9;most_legal:0.1", "least_legal must not be above most_legal"),
        ("approach=a,reactions=nonsense", "reactions must be control or paper"),
        ("threads=0", "threads must be between 1 and 256"),
    ],
)
def test_wrong_options_are_named(options, wrong):
    with pytest.raises(BadOption, match="kriegspiel-mcts: ") as error:
        players.make(f"kriegspiel-mcts:{options}", KRIEGSPIEL)
    assert wrong in str(error.value)


def test_constants_of_the_reactions_that_are_played_can_be_tuned():
    for options in ("tuned=patience:2", "reactions=paper,tuned=retake:0.5", "approach=b,tuned=suffer:0.2"):
        players.make(f"kriegspiel-mcts:{options}", KRIEGSPIEL)


def test_a_tuned_belief_is_the_one_that_is_told():
    state = KRIEGSPIEL.start()
    for text in ("e2e4", "e7e5"):
        state = state.play(state.parse(text))
    view = state.view(0)
    plain, tuned = (
        players.make(name, KRIEGSPIEL).believer.belief(view)
        for name in ("kriegspiel-mcts", "kriegspiel-mcts:tuned=doubt:1")
    )
    assert np.array_equal(plain.possible, tuned.possible)
    assert not np.allclose(plain.probability, tuned.probability)


@pytest.mark.parametrize("spent", (0.0, 0.3, 2.0))
def test_a_try_of_a_turn_has_at_most_half_of_the_time_that_is_left(spent):
    """Whether trees are kept or a lone King is hunted, which keeps none."""
    searched = KriegspielMcts(KRIEGSPIEL)
    view = KRIEGSPIEL.start("7k/8/8/8/8/8/R7/K7 w - - 0 1 material").view(0)
    _, seconds = searched._share(view, Limit(time=0.1, spent=spent))
    assert seconds == pytest.approx(0.05)


def test_other_games_and_other_turns_are_refused():
    from rookery import games

    with pytest.raises(UnsupportedGame, match="plays kriegspiel only"):
        players.make("kriegspiel-mcts", games.get("chess"))
    with pytest.raises(IllegalMove, match="not this seat's turn"):
        search("kriegspiel-mcts:nodes=100", KRIEGSPIEL.start().view(1))


# --- strength


def score(name, other, games, seed=0):
    made = [players.make(each, KRIEGSPIEL) for each in (name, other)]
    points = 0.0
    for game in range(games):
        seat = game % 2
        record = play_game(KRIEGSPIEL, made if seat == 0 else made[::-1], seed=seed + game // 2)
        assert not record.outcome.reason.startswith(("crashed", "illegal"))
        points += (1 + record.outcome.values[seat]) / 2
    return points / games


def test_c_beats_random():
    assert score("kriegspiel-mcts:nodes=1500", "random", 10) >= 0.7


@pytest.mark.slow
def test_c_beats_sergeant():
    assert score("kriegspiel-mcts:nodes=10000", "sergeant", 60) > 0.65


@pytest.mark.slow
def test_a_is_far_below_c():
    assert score("kriegspiel-mcts:approach=a,nodes=100", "kriegspiel-mcts:nodes=10000", 20) < 0.35

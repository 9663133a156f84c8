"""Circles of preferences, against a count of every three by hand."""

from itertools import combinations, permutations

import numpy as np
from deepchess_twin import SMALL, network

from rookery import games
from rookery.evaluators.comparing import Comparing
from rookery.evaluators.deepchess import DeepChess
from rookery.evaluators.transitivity import Triples, cyclic_triples
from walks import walk

CHESS = games.get("chess")
STATES = [list(walk(CHESS, seed, 20 + 10 * seed))[-1] for seed in range(6)]


class Ring:
    """Better than each other in a ring of seven."""

    def prefer(self, a, b, side):
        lead = [(hash(x) - hash(y) + 3) % 7 - 3 for x, y in zip(a, b, strict=True)]
        return 0.5 + np.array(lead, np.float32) * (0.1 if side == 0 else -0.1)

    def prefer_to_draw(self, a, side):
        return np.full(len(a), 0.5, np.float32)


def by_hand(comparator, state):
    leaves = [state.play(move) for move in state.moves()]
    leaves = [leaf for leaf in leaves if not leaf.outcome()]
    found = Triples(0, 0)
    for three in combinations(leaves, 3):
        ring = any(
            all(comparator.prefer([x], [y], 0)[0] > 0.5 for x, y in ((a, b), (b, c), (c, a)))
            for a, b, c in permutations(three)
        )
        found = Triples(found.all + 1, found.cyclic + ring)
    return found


def test_circles_are_those_counted_by_hand():
    state = CHESS.start("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    assert cyclic_triples(Ring(), [state]) == by_hand(Ring(), state)
    assert cyclic_triples(Ring(), STATES).cyclic > 0


def test_numbers_go_in_no_circle():
    network_of = DeepChess.of(CHESS, network(SMALL, 1, STATES))
    assert cyclic_triples(Comparing(network_of), STATES).cyclic == 0
    compared = cyclic_triples(network_of, STATES)
    assert compared.all == cyclic_triples(Comparing(network_of), STATES).all > 10_000
    assert compared.share < 0.25, "three coins would do as well"

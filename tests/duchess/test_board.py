"""The board: whole-board sums, single squares, lines, and the twin's board square by square."""

import pytest
from duchess_twin import KINDS, SECTORS, board

from rookery.games.duchess import squares

# On the empty board, in the order of KINDS; then the Pawn's steps.
SUMS = {
    4: ([764, 764, 2856, 1660, 2508, 656, 1852, 1004, 356], 408),
    6: ([1044, 1044, 4512, 2604, 3732, 912, 2820, 1692, 492], 552),
}
# Targets of K R B Q N D F, the Pawn's steps and its captures.
TARGETS = {
    (4, "V"): [12, 28, 12, 40, 12, 24, 40, 6, 6],
    (6, "V"): [12, 36, 12, 48, 12, 24, 48, 6, 6],
    (4, "1c6"): [8, 20, 9, 29, 12, 21, 32, 4, 4],
    (6, "1c6"): [8, 24, 10, 34, 12, 22, 36, 4, 4],
    (4, "3c6"): [8, 16, 8, 24, 10, 18, 26, 4, 4],
    (4, "3c5"): [5, 16, 8, 24, 6, 14, 22, 3, 2],
    (4, "1d6"): [8, 20, 8, 28, 8, 16, 28, 4, 4],
    (4, "2d6"): [8, 16, 10, 26, 10, 20, 26, 4, 4],
    (6, "1d6"): [8, 24, 10, 34, 10, 20, 34, 4, 4],
    (4, "1c5"): [8, 20, 10, 30, 10, 20, 30, 4, 4],
    (6, "1c5"): [8, 24, 12, 36, 10, 22, 34, 4, 4],
    (4, "2e5"): [7, 16, 12, 28, 6, 18, 22, 4, 3],
    (4, "1e5"): [5, 20, 8, 28, 4, 12, 24, 3, 2],
    (6, "1e5"): [7, 24, 12, 36, 6, 18, 30, 4, 3],
    (4, "1a4"): [6, 12, 11, 23, 6, 17, 18, 3, 3],
    (6, "1a4"): [6, 16, 12, 28, 6, 18, 22, 3, 3],
    (4, "1e4"): [5, 16, 8, 24, 4, 12, 20, 3, 2],
    (4, "1c4"): [8, 16, 11, 27, 8, 19, 24, 4, 4],
    (4, "1a1"): [3, 12, 4, 16, 2, 6, 14, 2, 1],
    (4, "1e1"): [3, 16, 8, 24, 2, 10, 18, 2, 1],
    (4, "2a1"): [3, 16, 8, 24, 2, 10, 18, 2, 1],
    (4, "2e1"): [3, 12, 4, 16, 2, 6, 14, 2, 1],
}


class Native:
    """The native board by names."""

    def __init__(self, players):
        self.all = squares(players)
        self.names = [s.name for s in self.all]
        for relation in ("edges", "corners", "leaps", "straight_lines", "slant_lines"):
            sets = {s.name: {self.names[i] for i in getattr(s, relation)} for s in self.all}
            setattr(self, relation, sets)

    def attacks(self, kind, name):
        straight, slant, leaps = self.straight_lines[name], self.slant_lines[name], self.leaps[name]
        beside = self.edges[name] | self.corners[name]
        return {
            "K": beside, "W": beside, "Q": straight | slant, "D": slant | leaps, "F": straight | leaps,
            "N": leaps, "R": straight, "B": slant, "P": self.corners[name],
        }[kind]  # fmt: skip


@pytest.fixture(scope="module", params=[4, 6])
def native(request):
    native = Native(request.param)
    native.players = request.param
    return native


def test_size_and_colours(native):
    assert len(native.names) == {4: 117, 6: 157}[native.players]
    dark = [s for s in native.all if (s.x + s.y) % 2 == 0]
    assert len(dark) == {4: 59, 6: 79}[native.players]


def test_sums(native):
    targets, steps = SUMS[native.players]
    assert [sum(len(native.attacks(k, n)) for n in native.names) for k in KINDS] == targets
    assert sum(map(len, native.edges.values())) == steps


def test_single_squares(native):
    for (players, name), counts in TARGETS.items():
        if players == native.players:
            found = [len(native.attacks(kind, name)) for kind in "KRBQNDF"]
            assert [*found, len(native.edges[name]), len(native.corners[name])] == counts, name


def test_relations_are_symmetric(native):
    for relation in (native.edges, native.corners, native.leaps, native.straight_lines, native.slant_lines):
        for name, others in relation.items():
            assert name not in others
            assert all(name in relation[other] for other in others)


def test_knights_change_colour_and_bishops_keep_it(native):
    dark = {s.name: (s.x + s.y) % 2 == 0 for s in native.all}
    for name in native.names:
        assert {dark[other] for other in native.leaps[name]} == {not dark[name]}
        assert {dark[other] for other in native.slant_lines[name]} == {dark[name]}
        assert not native.leaps[name] & native.attacks("Q", name)
        assert not native.straight_lines[name] & native.slant_lines[name]


def test_distance_is_in_king_moves(native):
    """A flood from the Vortex reaches each square after as many steps as it says."""
    known, ring, steps = {"V"}, {"V"}, 0
    counts = []
    while ring:
        assert {s.distance for s in native.all if s.name in ring} == {steps}
        counts.append(len(ring))
        ring = {other for name in ring for other in native.attacks("K", name)} - known
        known |= ring
        steps += 1
    assert counts == [1, 12, 24, *[5 * native.players] * 4]


def test_twin_has_the_same_board(native):
    twin = board(native.players)
    assert native.names == twin.names
    for kind in KINDS:
        assert {name: native.attacks(kind, name) for name in native.names} == twin.attacks[kind]
    assert native.edges == twin.edges


def test_board_turns_towards_a_seat(native):
    """Every seat's own squares come to where the first seat of its shape has them."""
    for seat, home in enumerate(SECTORS[native.players]):
        turn = home - SECTORS[native.players][seat % 2 if native.players == 4 else 0]
        for square in native.all:
            seen = native.names[square.seen_by[seat]]
            if square.name == "V":
                assert seen == "V"
            else:
                assert seen == f"{(int(square.name[0]) - 1 - turn) % 6 + 1}{square.name[1:]}"


def test_lines_as_described(native):
    """Files of a flap come out two sectors on, the middle one opposite; a folded flap ends them."""

    def file(sector, letter, ranks):
        up = native.players == 6 or sector not in (3, 6)
        return {f"{sector}{letter}{rank}" for rank in ranks if rank > 4 or up}

    a_file = file(1, "a", (2, 3, 4)) | {"2e5", "2d5", "2c5", "3e6", "3e5"} | file(3, "e", (1, 2, 3, 4))
    rank = {f"1{letter}1" for letter in "bcde"}
    assert native.straight_lines["1a1"] == a_file | rank
    c_file = file(1, "c", (2, 3, 4, 5, 6)) | {"V"} | file(4, "c", (6, 5, 4, 3, 2, 1))
    assert native.straight_lines["1c1"] == c_file | {"1a1", "1b1", "1d1", "1e1"}
    e_file = file(1, "e", (2, 3, 4, 5, 6)) | {"6c5", "6d5", "6e5"} | file(5, "a", (4, 3, 2, 1))
    assert native.straight_lines["1e1"] == e_file | {"1a1", "1b1", "1c1", "1d1"}


def test_slants_of_the_smaller_board():
    native = Native(4)
    assert native.slant_lines["1e1"] == {"1d2", "1c3", "1b4", "2e5", "2d4", "2c3", "2b2", "2a1"}
    assert native.slant_lines["1d1"] >= {"1c2", "1b3", "1a4", "2e4", "2d3", "2c2", "2b1"}
    assert native.slant_lines["1e2"] >= {"1d3", "1c4", "2e6", "2d5", "2c4", "2b3", "2a2"}
    assert native.slant_lines["1a3"] >= {"1b4", "1c5", "1d6", "6c5"}
    assert {"2d6", "V", "5d6", "5e5"} <= native.slant_lines["2e5"]

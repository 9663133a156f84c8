"""Dead stones proposed, changed and counted, as people score Go."""

import pytest

from rookery import native
from rookery.endings import go as ending
from rookery.errors import BadPosition, UnknownName
from rookery.games import go_rules
from rookery.games.go import Go, GoState
from rookery.games.go_scoring import chains, count, estimate, propose, seki, toggle

# Black owns two thirds of the board; White has one hopeless stone in it.
HOPELESS = ".....XO../.....XO../.....XO../.....XO../..O..XO../.....XO../.....XO../....XXO../.....XO.."
# The same with nothing left to do: all but the stone at C5 can never be taken.
SETTLED = ".X.X.XO.O/XXXXXXOO./.X.X.XO.O/XXXXXXOO./..O..XO.O/XXXXXXOO./.X.X.XO.O/XXXXXXOO./.X.X.XO.O"
# Two chains that share their last two liberties: whoever plays there loses its own.
SEKI = "/".join(["....OX..."] * 5 + ["OOOOOXXXX", "OOOXXOOX.", "OXXX.OOX.", "OXXX.OOX."])


def board(rows: str, rules: str = "chinese", komi: float = 0.5) -> GoState:
    size = rows.count("/") + 1
    return go_rules.get(rules).board(size, komi).start(f"{rows} b")


def ended(state: GoState) -> GoState:
    return state.play(state.size**2).play(state.size**2)


def names(state: GoState, points: frozenset[int]) -> list[str]:
    return sorted(state.text(point) for point in points)


def test_a_hopeless_stone_is_dead_and_its_owner_loses() -> None:
    for rules, margin in (("chinese", 26.5), ("japanese", 26.5)):
        state = ended(board(HOPELESS, rules))
        assert names(state, propose(state)) == ["C5"]
        outcome = state.outcome()
        assert outcome is not None and outcome.winner == 0
        assert state.score() == margin and outcome.reason == f"by {margin} points"


@pytest.mark.parametrize("rules", ["tromp-taylor", "mayer"])
def test_where_every_stone_counts_it_counts(rules: str) -> None:
    state = ended(board(HOPELESS, rules))
    outcome = state.outcome()
    assert outcome is not None and outcome.winner == 1 and outcome.reason == "passes"


def test_an_ordinary_game_against_a_low_level_is_counted_as_gnu_go_does() -> None:
    # Level 2 played Black, GNU Go White, which lists as dead all of Black's stones.
    rows = ".O.XXXXO./O.OXOOOXX/XO.O.OOO./.XO...O.O/.O.OOOXOO/XOOXXOXXO/O.OXOXX.X/XOXXOOOX./.OX...OXX"
    state = go_rules.get("chinese").board(9, 6.5).start(f"{rows} b 0:8 - 2 70 area agreed komi=6.5")
    assert propose(state) == ending.propose(state) == frozenset(state.stones(0))
    assert state.score() == -87.5
    assert count(state).margin == -22.5  # what it is worth if every stone is alive


def test_benson_decides_where_it_reaches() -> None:
    state = board(SETTLED)
    alive, secure = native.go_life(str(state), 9)
    assert set(alive[0]) == set(state.stones(0)) and set(alive[1]) == set(state.stones(1)) - {38}
    assert 38 in secure[0]
    assert propose(state, [-1.0] * 81) == {38}  # whatever a network thinks


def test_seki_is_left_alone() -> None:
    state = board(SEKI)
    assert propose(state) == frozenset()


def test_the_network_is_asked_where_playouts_are_not_sure() -> None:
    rows = "..O...../..O...../OOO...../........./....X..../........./........./........./........."
    state = (
        go_rules.get("chinese").board(9).start("/".join(r.ljust(9, ".")[:9] for r in rows.split("/")) + " b")
    )
    (black,) = state.stones(0)
    assert black in propose(state, [-1.0] * 81) and black not in propose(state, [1.0] * 81)


def test_playouts_are_the_same_for_the_same_seed() -> None:
    text = str(board(HOPELESS))
    first, again, other = (native.go_ownership(text, 9, 50, seed) for seed in (1, 1, 2))
    assert (first.black, first.white, first.kept) == (again.black, again.white, again.kept)
    assert first.black != other.black
    assert all(b + w <= 50 for b, w in zip(first.black, first.white, strict=True))


@pytest.mark.parametrize("size", [2, 5, 9, 13, 19])
def test_playouts_on_every_board(size: int) -> None:
    found = native.go_ownership(str(Go(size).start()), size, 20, 7)
    assert len(found.black) == len(found.white) == len(found.kept) == size * size
    assert sum(found.black) + sum(found.white) > 0.5 * 20 * size * size * (size > 2)


def test_wrong_questions_are_refused() -> None:
    text = str(Go(5).start())
    for size, playouts, first in ((5, 0, -1), (5, 1, 2)):
        with pytest.raises(ValueError, match="must be"):
            native.go_ownership(text, size, playouts, 1, first)
    for size in (1, 6, 20):
        with pytest.raises(BadPosition, match=r"board|rows"):
            native.go_life(text, size)


def test_a_tap_turns_a_chain_and_its_like() -> None:
    rows = "X.X.O..../.XX.O..../XX..O..../....O..../OOOOO..../......X../...X...../........./........."
    state = board(rows)
    corner = frozenset(p for p in state.stones(0) if p // 9 > 5)
    marked = toggle(state, frozenset(), state.stones(0)[-1])
    assert corner <= marked and len(marked) == len(corner) + 0 * len(marked)
    assert toggle(state, marked, min(corner)) == frozenset()
    assert toggle(state, frozenset(), 0) == frozenset()  # no stone there


def test_counts() -> None:
    rows = "..X.O/..X../..X../..X../..X.."
    white = 24
    area, territory = board(rows, "chinese"), board(rows, "japanese")
    assert (count(area).black, count(area).white) == (15, 1.5)
    assert count(area, {white}).margin == 24.5
    # A dead stone is a point for the territory below it and one as a prisoner.
    assert count(territory, {white}).black == 10 + 10 + 1
    level = board("..X../..X../..X../..X../..X..", komi=25.0)
    assert count(level).outcome().winner is None
    assert count(board("XX.OO/XX.OO/XX.OO/XX.OO/XX.O.", komi=0)).owner.count(-1) == 5


def test_the_count_of_every_stone_is_the_native_one() -> None:
    for rules in ("tromp-taylor", "mayer"):
        state = go_rules.get(rules).board(5, 0.5).start()
        for move in (12, 7, 6, 17, 11, 8, 13, 18, 16, 3):
            state = state.play(move)
            assert count(state).margin == state.score()


def test_handicap_stones_are_placed_and_paid_for() -> None:
    state = go_rules.get("chinese").board(9, handicap=2).start()
    assert names(state, frozenset(state.stones(0))) == ["C3", "G7"] and state.seat == 1
    assert state.komi == 0.5 and state.handicap == 2
    assert count(state).white == 2.5 and count(state).black == 81
    assert count(go_rules.get("japanese").board(9, handicap=2).start()).white == 0.5
    assert Go(9).start(str(state)) == state
    with pytest.raises(UnknownName, match="handicap"):
        go_rules.get("chinese").board(9, handicap=1)


def test_rules_have_names() -> None:
    for name, rules in go_rules.RULES.items():
        assert go_rules.of(rules.board(9).start()) is rules and go_rules.get(name.upper()) is rules
    assert go_rules.of(Go(9).start()) is go_rules.RULES["mayer"]
    with pytest.raises(UnknownName, match="no rules of Go are called 'ing'; there are chinese"):
        go_rules.get("ing")


def test_seki_has_a_status_of_its_own() -> None:
    state = board(SEKI)
    shared = seki(state, frozenset())
    assert not shared & set(propose(state))
    assert seki(board(HOPELESS), frozenset()) == frozenset()


def test_every_chain_is_found_once() -> None:
    state = board(HOPELESS)
    found = chains(state)
    assert sorted(p for chain in found for p in chain) == sorted([*state.stones(0), *state.stones(1)])


def test_estimates_hold_for_alive_groups() -> None:
    known = estimate(board(HOPELESS))
    assert min(known.owner[p] for p in board(HOPELESS).stones(0)) > 0.5


# --- programs at the end -----------------------------------------------------------------------------


def test_a_program_that_would_lose_by_passing_plays_on() -> None:
    state = go_rules.get("chinese").board(9, 7.5).start(f"{HOPELESS} w")
    move = ending.settle(state, 81)
    assert move != 81 and move % 9 < 5  # there is room to live in Black's area
    assert ending.settle(state.play(81), 81) == 81  # and Black, who wins by passing, passes


def test_dead_stones_are_taken_where_every_stone_counts() -> None:
    state = go_rules.get("tromp-taylor").board(9, 22.5).start(f"{SETTLED} b")
    assert state.score() < 0 < count(state, {38}).margin
    assert state.text(ending.settle(state, 81)) in {"B5", "D5"}
    ahead = go_rules.get("tromp-taylor").board(9, 0.5).start(f"{SETTLED} b")
    assert ending.settle(ahead, 81) == 81


def test_a_program_passes_once_the_count_is_won() -> None:
    state = go_rules.get("chinese").board(9, 7.5).start(f"{SETTLED} w").play(81)
    assert ending.settle(state, state.parse("B5")) == 81
    # But not on a board that is open yet, though the count as it stands is won.
    opened = go_rules.get("chinese").board(9).start().play(40).play(41).play(81)
    assert ending.settle(opened, opened.parse("C3")) == opened.parse("C3")


def test_a_lost_game_with_nothing_left_is_passed() -> None:
    state = go_rules.get("chinese").board(9, 7.5).start(f"{SETTLED} w")
    assert ending.settle(state, 81) == 81


def test_other_games_are_left_alone() -> None:
    from rookery import endings, games

    state = games.get("chess").start()
    assert endings.settle(state, state.moves()[0]) == state.moves()[0]
    assert endings.of(state.spec) is None and not endings.waits(state)


def test_play_goes_on_before_the_passes() -> None:
    from rookery import endings, games

    go = games.adjusted(games.get("go5"), {}).start()
    before = go.play(go.parse("C3"))
    over = before.play(25).play(25)
    assert endings.waits(over) and endings.of(over.spec).resumed(over) == before


def test_programs_accept_what_is_no_worse_for_them() -> None:
    state = ended(board(HOPELESS))
    proposed = propose(state)
    assert ending.accepts(state, 0, proposed, proposed) and ending.accepts(state, 1, proposed, proposed)
    assert ending.accepts(state, 1, proposed, frozenset()) and not ending.accepts(
        state, 0, proposed, frozenset()
    )

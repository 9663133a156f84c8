"""Positional superko: no board comes again."""

import pytest

from rookery.errors import IllegalMove
from rookery.games.go import Go

from .positions import run, walk


@pytest.mark.parametrize(
    ("size", "moves", "repeats"),
    [(2, "A1 B1 A2 B2 A1 A2", "A1"), (3, "B1 A2 C2 B2 A1 C1", "B1")],
)
def test_a_board_may_not_come_again(size: int, moves: str, repeats: str) -> None:
    simple, superko = run(Go(size).start(), moves), run(Go(size, ko="psk").start(), moves)
    move = simple.parse(repeats)
    boards = set()
    state = simple.play(move)
    after = str(state).split()[0]
    while (state := state.previous()) is not None:
        boards.add(str(state).split()[0])
    assert after in boards
    assert set(simple.moves()) - set(superko.moves()) == {move}
    with pytest.raises(IllegalMove, match=f"{repeats}: superko"):
        superko.parse(repeats)
    with pytest.raises(IllegalMove):
        superko.play(move)


@pytest.mark.parametrize("size", [2, 3])
def test_no_board_is_seen_twice(size: int) -> None:
    def repeated(ko: str) -> int:
        count, before, seen = 0, "", set()
        for state in walk(Go(size, ko=ko), 150, seed=size):
            board = str(state).split()[0]
            if not state.history():
                seen = set()
            elif board != before:  # a pass leaves the board as it is
                count += board in seen
            seen.add(board)
            before = board
        return count

    assert repeated("psk") == 0
    assert repeated("simple") > 0


def test_native_random_games_keep_superko() -> None:
    """On the smallest board nearly every game without superko runs through the same boards again."""
    simple, superko = (Go(2, ko=ko).start().native.playouts(2000, 1) for ko in ("simple", "psk"))
    assert superko.plies < simple.plies


def test_the_past_is_not_in_the_text() -> None:
    """A position read from text remembers the ko, and no board but its own."""
    state = run(Go(2, ko="psk").start(), "A1 B1 A2 B2 A1 A2")
    again = Go(2).start(str(state))
    assert again == state
    assert again.options == "psk"
    assert 0 in again.moves()
    ko = run(Go(5, ko="psk").start("...../.XO../X.XO./.XO../..... w"), "B3")
    assert 12 not in Go(5).start(str(ko)).moves()

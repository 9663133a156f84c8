"""Tries as people write them, understood from the own pieces alone."""

import pytest

from rookery.errors import BadNotation, GameError, IllegalMove
from rookery.games.kriegspiel import KRIEGSPIEL
from walks import walk


def understood(text: str, start: str | None = None, *tries: str) -> str:
    state = KRIEGSPIEL.start(start)
    for each in tries:
        state = state.play(state.parse(each))
    view = state.view(state.seat)
    return view.text(view.parse(text))


@pytest.mark.parametrize(
    ("text", "meant"),
    [("e4", "e2e4"), ("e3", "e2e3"), ("Nf3", "g1f3"), ("N-f3", "g1f3"), ("Ng1-f3", "g1f3"), ("exd3", "e2d3")],
)
def test_at_the_start(text: str, meant: str) -> None:
    assert understood(text) == meant


def test_by_black() -> None:
    assert understood("e5", None, "e2e4") == "e7e5"
    assert understood("Nc6", None, "e2e4") == "b8c6"
    assert understood("exd6", None, "e2e4") == "e7d6"


def test_promotions_castling_and_pieces_told_apart() -> None:
    ready = "4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert understood("a8", ready) == understood("a8=Q", ready) == "a7a8q"
    assert understood("a8=N", ready) == "a7a8n" and understood("axb8=R", ready) == "a7b8r"
    assert (
        understood("O-O", ready) == understood("0-0", ready) == "e1g1"
        and understood("O-O-O", ready) == "e1c1"
    )
    assert understood("Rhf1", ready) == "h1f1" and understood("Rad1", ready) == "a1d1"
    knights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1"
    with pytest.raises(BadNotation, match="could start from b1 or f1; write b1d2"):
        understood("Nd2", knights)
    assert understood("Nbd2", knights) == "b1d2" and understood("Nfd2", knights) == "f1d2"


@pytest.mark.parametrize("text", ["Ke5", "Nf6", "e5", "Qd4", "Bc4+", "O-O-O-O", "a9", "hello", "", "e"])
def test_what_no_piece_can_try_is_refused_in_a_line(text: str) -> None:
    with pytest.raises((IllegalMove, BadNotation)) as refusal:
        understood(text)
    assert "\n" not in str(refusal.value)


def test_any_squares_may_be_tried_and_every_move_can_be_written_in_full() -> None:
    assert understood("e2e5") == "e2e5"
    for state in walk(KRIEGSPIEL, 3, 120):
        view = state.view(state.seat)
        for move in view.moves():
            text = view.text(move)
            kind = (view.piece(text[:2]) or "").replace("P", "")
            sign = "x" if not kind and text[0] != text[2] else "-"
            written = f"{kind}{text[:2]}{sign}{text[2:4]}{text[4:].upper()}"
            assert view.parse(written) == move, written


def test_reading_needs_nothing_but_the_view() -> None:
    """Two positions that look the same to White are read the same by White."""
    seen = KRIEGSPIEL.start("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").view(0)
    other = KRIEGSPIEL.start("4k3/8/8/8/4P2p/8/8/4K3 w - - 0 1").view(0)
    for text in ("e5", "exd5", "Kd2", "exf5"):
        try:
            assert seen.parse(text) == other.parse(text)
        except GameError:
            pytest.fail(text)

"""The text of positions and moves: it comes back the same, and nothing but a clear refusal meets the rest."""

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.errors import BadNotation, BadPosition, IllegalMove, UnknownName
from rookery.games.go import Go, GoState

from .positions import walk

ROWS = "...../.XO../X.XO./.XO../....."
KO = "...../.XO../XO.O./.XO../..... b 0:1 C3 0 1"
GAMES = [Go(2), Go(5), Go(5, "area", "psk", 6.5, "benson"), Go(9, komi=-0.5), Go(19, scoring="area")]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_text_comes_back_the_same(game: Go) -> None:
    for state in walk(game, 20 // game.size + 1, seed=1):
        again = Go(game.size).start(str(state))
        assert again == state
        assert hash(again) == hash(state)
        assert str(again) == str(state)
        assert (again.seat, again.ko, again.captures) == (state.seat, state.ko, state.captures)
        assert again.score() == state.score()
        assert again.outcome() == state.outcome()
        assert "psk" in state.options or again.moves() == state.moves()
        for move in state.moves()[:3]:
            assert state.parse(state.text(move)) == move == state.parse(state.text(move).lower())


def test_short_texts() -> None:
    assert str(Go(5).start(ROWS)) == f"{ROWS} b 0:0 - 0 0"
    assert str(Go(5).start(f"{ROWS} w")) == f"{ROWS} w 0:0 - 0 0"
    assert str(Go(5, scoring="area").start(f"{ROWS} w")) == f"{ROWS} w 0:0 - 0 0 area"
    assert str(Go(5, scoring="area").start(f"{ROWS} w 0:0 - 0 0")) == f"{ROWS} w 0:0 - 0 0"


def test_options_in_any_order() -> None:
    text = f"{ROWS} b 0:0 - 0 0 komi=7.0 benson area psk"
    assert str(Go(5).start(text)) == f"{ROWS} b 0:0 - 0 0 area psk benson komi=7"


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("", "''"),
        ("...../...../.....", "got 3"),
        ("...../...../...../...../...", "'...': row 1"),
        ("...../...../..x../...../.....", "'..x..': row 3"),
        ("...../...../...../...../XO..X/", "got 6"),
        ("OX.../X..../...../...../.....", "chain at A5 has no liberty"),
        (f"{ROWS} black", "'black'"),
        (f"{ROWS} b 0:0", "3 fields"),
        (f"{ROWS} b 0 - 0 0", "'0': prisoners"),
        (f"{ROWS} b 0:-1 - 0 0", "'0:-1': prisoners"),
        (f"{ROWS} b 0:0:0 - 0 0", "'0:0:0': prisoners"),
        (f"{ROWS} b 10000:0 - 0 0", "'10000:0': prisoners"),
        (f"{ROWS} b 0:0 Z1 0 0", "'Z1': the ko point"),
        (f"{ROWS} b 0:0 pass 0 0", "'pass': the ko point"),
        (f"{ROWS} b 0:0 C3 0 0", "'C3': the ko point must be empty"),
        (f"{ROWS} b 0:0 A1 0 0", "'A1': no ko"),
        (KO.replace(" b ", " w "), "'C3': no ko"),
        (KO.replace("XO.O.", "XO..."), "'C3': no ko"),
        (KO.replace(" 0 1", " 1 2"), "'C3': a pass lifts the ko"),
        (f"{ROWS} b 0:0 - 3 9", "'3': the count of passes"),
        (f"{ROWS} b 0:0 - 0 201", "'201': the count of plies"),
        (f"{ROWS} b 0:0 - 0 +1", r"'\+1': the count of plies"),
        (f"{ROWS} b 0:0 - 0 0 area area", "'area': no option, given twice"),
        (f"{ROWS} b 0:0 - 0 0 benson agreed", "'agreed': no option, given twice, or against another"),
        (f"{ROWS} b 0:0 - 0 0 handicap=1", "'handicap=1': handicap"),
        (f"{ROWS} b 0:0 - 0 0 rubbish", "'rubbish': no option"),
        (f"{ROWS} b 0:0 - 0 0 komi=6.25", "'komi=6.25': komi"),
        (f"{ROWS} b 0:0 - 0 0 komi=1001", "'komi=1001': komi"),
        (f"{ROWS} b\n", r"'b\?': the side to move"),
        ("é" * 100, r"'\?{40}\.\.\.'"),
    ],
)
def test_bad_positions_are_refused(text: str, quoted: str) -> None:
    with pytest.raises(BadPosition, match=quoted) as error:
        Go(5).start(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "text", ["", "C", "3", "C0", "C6", "F1", "I1", "C03", "C3 ", "CC3", "passe", "ß3", "C3\0"]
)
def test_bad_moves_are_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="as a move; write 'pass' or a point from A1 to E5"):
        Go(5).start().parse(text)


@pytest.mark.parametrize("move", [-1, 26, 10**6])
def test_numbers_that_are_no_moves_are_refused(move: int) -> None:
    state = Go(5).start()
    with pytest.raises(IllegalMove):
        state.play(move)
    with pytest.raises(IllegalMove):
        state.text(move)


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        ({"size": 1}, "between 2 and 19"),
        ({"size": 20}, "between 2 and 19"),
        ({"size": 5, "scoring": "stones"}, "territory or area"),
        ({"size": 5, "ko": "none"}, "simple or psk"),
        ({"size": 5, "dead_stones": "all"}, "none or benson"),
        ({"size": 5, "komi": 0.3}, "multiple of 0.5"),
        ({"size": 5, "komi": float("nan")}, "multiple of 0.5"),
    ],
)
def test_bad_options_are_refused(options: dict, hint: str) -> None:
    with pytest.raises(UnknownName, match=hint):
        Go(**options)


def mutations(texts: list[str], alphabet: str, count: int, seed: int) -> list[str]:
    """Texts with a few characters dropped, doubled, swapped or replaced."""
    rng = random.Random(seed)
    found = []
    for _ in range(count):
        letters = list(rng.choice(texts))
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(letters) + 1)
            letters[at : at + rng.randint(0, 2)] = rng.choices(alphabet, k=rng.randint(0, 2))
        found.append("".join(letters))
    return found


def read(text: str) -> GoState | None:
    """A position if the text is one; any other error than the one allowed fails the test."""
    try:
        return Go(5).start(text)
    except BadPosition as error:
        assert "\n" not in str(error)
        return None


def test_mutated_positions() -> None:
    texts = [str(state) for game in GAMES[1:3] for state in walk(game, 2, seed=3)]
    states = [read(text) for text in mutations(texts, ".XO/ bw0:1-9C3=komiarea\n\0é", 5000, seed=1)]
    good = [state for state in states if state]
    assert 100 < len(good) < 4000
    for state in good:
        assert Go(5).start(str(state)) == state


def test_mutated_moves() -> None:
    state = Go(5).start(KO)
    texts = [state.text(move) for move in range(26)] + ["pass", "Pass"]
    played = 0
    for text in mutations(texts, "ABCDEFabcdefI0123456789 -pas\n\0é", 5000, seed=2):
        try:
            played += state.text(state.parse(text)).lower() == text.lower()
        except (BadNotation, IllegalMove) as error:
            assert "\n" not in str(error)
    assert played > 100


@settings(deadline=None)
@given(st.text())
def test_any_text_at_all(text: str) -> None:
    read(text)
    with contextlib.suppress(BadNotation, IllegalMove):
        Go(5).start().parse(text)

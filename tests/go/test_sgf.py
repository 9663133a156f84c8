"""Games as SGF: written and read back, read from others, and refused when they are broken."""

import pytest

from rookery.errors import BadPosition
from rookery.games import go_rules
from rookery.games.go import Go
from rookery.records.sgf import read_sgf, write_sgf

from .positions import run, walk
from .test_text import mutations

GAMES = [
    Go(2),
    Go(5),
    Go(5, "area", "psk", 6.5, "benson"),
    Go(9, komi=-0.5),
    Go(19, "area", komi=7.5),
    Go(9, "territory", "psk"),
    Go(9, "area", komi=0.5, dead_stones="agreed", handicap=3),
]


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_games_come_back_the_same(game: Go) -> None:
    for state in list(walk(game, 3, seed=2))[::17]:
        again = read_sgf(write_sgf(state, ("a] b\\", "Zoë")))
        assert again == state
        assert again.history() == state.history()
        assert again.spec == state.spec


def test_set_up_comes_back_the_same() -> None:
    start = Go(5, komi=0.5).start("...../.XO../X.XO./.XO../..... w")
    state = run(start, "B3 E1 E5 C3 pass")
    text = write_sgf(state)
    for part in ("SZ[5]", "KM[0.5]", "PL[W]", "AB[", "AW[", "RU[Mayer]", ";B[cc];W[tt]"):
        assert part in text.replace("\n", "")
    again = read_sgf(text)
    assert again == state
    assert again.history() == state.history()


def test_result_is_written() -> None:
    assert "RE[B+24]" in write_sgf(run(Go(5).start(), "C3 pass pass"))
    assert "RE[W+0.5]" in write_sgf(run(Go(5, komi=0.5).start(), "pass pass"))
    assert "RE[0]" in write_sgf(run(Go(5).start(), "pass pass"))
    assert "RE" not in write_sgf(run(Go(5).start(), "C3 pass"))


def test_rules_handicap_and_the_agreed_count_are_written() -> None:
    game = go_rules.get("japanese").board(5, 0.5)
    state = run(game.start("..X.O/..X../..X../..X../..X.."), "pass pass")
    text = write_sgf(state, dead={24}).replace("\n", "")
    for part in ("RU[Japanese]", "KM[0.5]", "RE[B+20.5]", "TB["):
        assert part in text
    assert "TW[" not in text and "RE[B+9.5]" in write_sgf(state, dead=()).replace("\n", "")
    assert read_sgf(text) == state
    given = write_sgf(go_rules.get("chinese").board(9, handicap=4).start())
    assert "HA[4]" in given and "KM[0.5]" in given and "RU[Chinese]" in given
    assert read_sgf(given).handicap == 4 and read_sgf("(;SZ[9]HA[0])").handicap == 0
    assert "RE[W+R]" in write_sgf(state, result="W+R")


def test_what_sgf_cannot_tell_is_not_written() -> None:
    for rest in ("0:1 - 0 0", "0:0 - 1 0", "0:0 - 0 7"):
        with pytest.raises(BadPosition, match="SGF cannot tell"):
            write_sgf(Go(5).start(f"...../...../...../...../..... b {rest}"))


def test_the_main_line_is_read() -> None:
    state = read_sgf("(;GM[1]FF[4]SZ[9];B[ee]C[a ) comment](;W[cc];B[gg])(;W[gc]))")
    assert [state.text(move) for move in state.history()] == ["E5", "C7", "G3"]


def test_passes_are_empty_or_tt() -> None:
    assert read_sgf("(;SZ[5]RU[Mayer];B[];W[tt])").outcome().reason == "passes"
    assert read_sgf("(;;B[tt];W[])").size == 19


@pytest.mark.parametrize(
    ("rules", "options"),
    [
        ("Japanese", "agreed"),
        ("korean", "agreed"),
        ("Chinese", "area agreed"),
        ("AGA", "area agreed"),
        ("NZ", "area agreed"),
        ("New Zealand", "area agreed"),
        ("Tromp-Taylor", "area psk"),
        ("Mayer", ""),
        ("Chinese every-stone", "area"),
        ("japanese benson", "benson"),
        ("Chinese psk benson", "area psk benson"),
    ],
)
def test_rules(rules: str, options: str) -> None:
    assert read_sgf(f"(;SZ[5]RU[{rules}])").options == options
    assert read_sgf("(;SZ[5]RU[my own])", rules=rules).options == options


def test_the_first_move_tells_who_is_to_move() -> None:
    assert read_sgf("(;SZ[5]AB[bb][dd];W[cc])").history() == [12]
    assert read_sgf("(;SZ[5]AB[bb][dd]PL[W])").seat == 1
    assert read_sgf("(;SZ[5]AB[bb:dd])").stones(0) == [6, 7, 8, 11, 12, 13, 16, 17, 18]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "this is no SGF: no SGF data found"),
        ("hello", "this is no SGF"),
        ("(;SZ[5];B[aa]", "this is no SGF: unexpected end"),
        ("(;SZ[x])", "this is no SGF: bad SZ"),
        ("(;SZ[5:7])", "this is no SGF: bad SZ"),
        ("(;SZ[1])", r"SZ\[1\]: the board must be between 2 and 19"),
        ("(;SZ[26];B[zz])", r"SZ\[26\]"),
        ("(;SZ[27])", "this is no SGF: size out of range"),
        ("(;GM[2]SZ[8])", r"GM\[2\]: a record of another game"),
        ("(;SZ[5];B[ff])", r"B\[ff\]: B has no such value"),
        ("(;SZ[5];B[a])", r"B\[a\]: B has no such value"),
        ("(;SZ[5];B[aa];W[aa])", "move 2: A5: there is a stone already"),
        ("(;SZ[5];B[aa];B[bb])", "move 2: B moves out of turn"),
        ("(;SZ[5]PL[W];B[bb])", "move 1: B moves out of turn"),
        ("(;SZ[5];B[];W[];B[aa])", "move 3: A5: the game is over"),
        ("(;SZ[5];B[aa]W[bb])", "node 1: both B and W"),
        ("(;SZ[5];B[aa];AW[bb])", "node 2: stones are set up"),
        ("(;SZ[5]AB[aa]AW[aa])", "AW: two stones are set up at A5"),
        ("(;SZ[5]AB[zz])", r"AB\[zz\]: AB has no such value"),
        ("(;SZ[5]AB[aa]AW[ba][ab])", "the chain at A5 has no liberty"),
        ("(;SZ[5]PL[x])", r"PL\[x\]: PL has no such value"),
        ("(;SZ[5]KM[x])", r"KM\[x\]: KM has no such value"),
        ("(;SZ[5]KM[3.75])", r"KM\[3.75\]: komi must be"),
        ("(;SZ[5]RU[mi\nne])", r"RU\[mi.ne\]: unknown rules"),
        ("(;SZ[5]RU[Chinesse])", r"unknown rules; did you mean chinese\?"),
    ],
)
def test_broken_sgf_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadPosition, match=says) as error:
        read_sgf(text)
    assert "\n" not in str(error.value)


def test_mutated_sgf() -> None:
    texts = [write_sgf(state) for state in list(walk(GAMES[2], 2, seed=4))[::7]]
    texts.append(write_sgf(run(Go(5).start("...../..X../...../...../..... w"), "A1 B2")))
    good = 0
    for text in mutations(texts, "();[]BWAKMSZRU:abcdet0159.\\\n\0é", 3000, seed=3):
        try:
            state = read_sgf(text)
        except BadPosition as error:
            assert "\n" not in str(error)
        else:
            good += 1
            assert read_sgf(write_sgf(state)) == state
    assert 100 < good < 2900

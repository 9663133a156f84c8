"""Each rule of each rival by a position that shows it; all against their twins; and their names."""

import random

import pytest
import rival_twin as twin

from rookery import games, native, players
from rookery.api import Limit
from rookery.errors import BadOption, IllegalMove, UnsupportedGame
from rookery.games.go import Go

GO = Go(5)
NAIVE, GOJEN, WALLY = native.Naive(), native.Gojen(), native.Wally()


def board(rows: str, seat: str = "b", size: int = 5):
    return Go(size).start("/".join(rows.split()) + " " + seat)


def choices(rival, state, tries: int = 60) -> set[str]:
    """All that a rival plays here."""
    return {state.text(rival.choose(state.native, seed)) for seed in range(tries)}


# --- naive -------------------------------------------------------------------------------------------


def test_naive_takes_the_most_stones():
    assert choices(NAIVE, board("OX... ..... ...OO ...XX .....")) == {"A4"}
    assert choices(NAIVE, board("OO.X. XX..O ...X. ..... O.X.X")) == {"C5"}
    assert choices(NAIVE, board("OO.X. XX... .X.X. ..... OX...")) == {"C5"}


def test_naive_captures_rather_than_saves():
    assert choices(NAIVE, board("OX... .X... ..O.. .OXO. .....")) == {"A4"}


def test_naive_saves_a_chain_in_atari():
    assert choices(NAIVE, board("..... ..... ..O.. .OXO. .....")) == {"C1"}


def test_naive_lets_a_lost_chain_go():
    # The stone in the corner has one liberty, and on it another chain of one liberty.
    assert "B1" not in choices(NAIVE, board("..... ..... ..... OO... X.O..", "b"), 200)


def test_naive_joins_a_weak_chain_rather_than_stretching_it():
    # C3 has two liberties: D3 joins E3, C2 only stretches.
    assert choices(NAIVE, board("..... ..O.. .OX.X ..... .....")) == {"D3"}
    assert choices(NAIVE, board("..... ..O.. .OX.. ..... .....")) == {"C2", "D3"}


def test_naive_wanders_but_not_into_eyes_or_atari():
    # A5 and C5 are eyes, A1 and E1 leave a stone in atari.
    state = board(".X.XX XXXX. ..... OOOOO .....")
    assert choices(NAIVE, state, 300) == {"A3", "B3", "C3", "D3", "E3", "E4", "B1", "C1", "D1"}


def test_naive_passes_when_nothing_is_left():
    assert choices(NAIVE, board(".X.XX XXXXX XXXXX XXXXX XXXX.")) == {"pass"}


# --- gojen -------------------------------------------------------------------------------------------


def test_gojen_opens_beside_the_centre():
    assert choices(GOJEN, GO.start()) == {"C2", "C4", "B3", "D3"}


def test_gojen_passes_where_all_is_its_own():
    assert choices(GOJEN, board("..... ..... ..X.. ..... .....")) == {"pass"}


@pytest.mark.parametrize(
    ("rows", "move"),
    [
        ("..... .XOX. ..X.. ..... O...X", "C5"),  # takes
        ("..... ..... ..O.. .OXO. .....", "C1"),  # runs, though to no more than two liberties
        ("..X.. .XO.. ..X.. ..... .....", "D4"),  # takes rather than anything else
    ],
)
def test_gojen_takes_and_defends(rows, move):
    assert choices(GOJEN, board(rows)) == {move}


def test_gojen_attacks_what_cannot_run_first():
    # Neither stone of White's can run from an attack to more than two liberties.
    state = board("..X.. ..XO. ...X. ..... O....")
    values = {state.text(point): value for point, value in twin.gojen(state).items()}
    assert values["A2"] == values["B1"] == 70 + 4 and values["D5"] == values["E4"] == 70 + 4
    assert choices(native.Gojen(noise=0), state) == {"A2", "B1", "D5", "E4"}
    blind = {state.text(point): value for point, value in twin.gojen(state, escape=False).items()}
    assert blind["A2"] == 50 + 4
    assert twin.gojen(state, attack=1)[state.parse("A2")] < 40


def test_patterns_under_eight_symmetries():
    assert len(twin.PATTERNS.split()) == 64
    assert len(twin.patterns()) == 187


def test_noise_makes_gojen_less_sure():
    # Two moves of nearly the same value: without noise always the better, with it both.
    state = GO.start().play(12)
    values = twin.gojen(state)
    best = {state.text(p) for p, v in values.items() if v == max(values.values())}
    assert choices(native.Gojen(noise=0), state, 300) == best
    assert choices(native.Gojen(noise=60), state, 300) > best


# --- wally -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "moves"),
    [
        ("OO.X. XX..O ...X. ..... O.X..", {"C5"}),  # takes the most
        ("..... ..... ..O.. .OXO. .....", {"C1"}),  # saves
        ("..... ..O.. .OX.. ..... .....", {"C2", "D3"}),  # saves before it is in atari
        ("..... .XXO. ..... ..... .....", {"D5", "D3"}),  # bends round a stone
        ("..... ...O. ..... ..... .....", {"D5", "E4", "D3", "C4"}),  # leans on one
        ("..... .O... ..O.. ..... ...X.", {"B3", "C4"}),  # parts two of them
        ("..... ..... ..X.. .XO.. .....", {"C1", "D2"}),  # attacks what has two liberties
        (".X.XX XXXXX XXXXX XXXXX XXXX.", {"pass"}),
    ],
)
def test_wally_does_the_first_thing_that_it_can(rows, moves):
    assert choices(WALLY, board(rows)) == moves


# --- all of them -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "games_", "every"), [(5, 9, 3), (7, 2, 5), (9, 2, 13)])
def test_same_as_the_twins_in_games_of_all_kinds(size, games_, every):
    rng, quiet = random.Random(size), native.Gojen(noise=0)
    weak = native.Gojen(noise=0, attack=2, escape=False)
    ways = (NAIVE, GOJEN, WALLY, native.Random(), None)
    for game in range(games_):
        state = Go(size).start()
        while state.outcome() is None:
            if len(state.history()) % every == 0 and (state.stones(0) or state.stones(1)):
                seed = rng.randrange(2**32)
                assert NAIVE.choose(state.native, seed) in best(twin.naive(state), twin.wandering(state)), (
                    state
                )
                values = twin.gojen(state)
                assert quiet.choose(state.native, seed) in best(values, {size * size}), state
                weaker = twin.gojen(state, attack=2, escape=False)
                assert weak.choose(state.native, seed) in best(weaker, {size * size}), state
            rival = ways[(game + state.seat * (game % 3)) % len(ways)] or rng.choice(ways[:-1])
            state = state.play(rival.choose(state.native, rng.randrange(2**32)))


def best(values: dict[int, int], otherwise: set[int]) -> set[int]:
    top = max(values.values(), default=None)
    return {point for point, value in values.items() if value == top} or otherwise


@pytest.mark.parametrize("name", ["naive", "gojen", "gojen:noise=40,attack=1,escape=no", "wally"])
@pytest.mark.parametrize("board_name", ["go5", "go9", "go19"])
def test_play_legal_games_by_name(name, board_name):
    game = games.get(board_name)
    player, state = players.make(name, game), game.start()
    assert player.name == name
    player.start(game.spec, 0, 1)
    for _ in range(60):
        if state.outcome() is None:
            state = state.play(player.choose(state.view(state.seat), Limit()))


def test_refusals():
    with pytest.raises(UnsupportedGame, match="gojen plays Go only, not chess"):
        players.make("gojen", games.get("chess"))
    with pytest.raises(BadOption, match=r"noise must be between 0 and 1000 \(got -1\)"):
        players.make("gojen:noise=-1", GO)
    with pytest.raises(BadOption, match=r"attack must be between 1 and 3 \(got 4\)"):
        players.make("gojen:attack=4", GO)
    with pytest.raises(UnsupportedGame, match="one of a few"):
        players.make("naive", GO).think(GO.start().view(0), Limit(only=(1, 2)))
    with pytest.raises(IllegalMove, match="no move"):
        NAIVE.choose(board("..... ..... ..X.. ..... .....").play(25).play(25).native, 1)

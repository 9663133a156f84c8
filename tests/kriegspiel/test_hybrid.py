"""Kriegspiel by whole boards and a tree of messages: what hangs, by the twin; whole turns."""

from time import perf_counter

import blindfold_twin as twin
import chess
import pytest

from rookery import native, players
from rookery.api import Limit
from rookery.arena.game import play_game
from rookery.errors import BadOption, IllegalMove, UnsupportedGame
from rookery.games import get
from rookery.games.kriegspiel import KRIEGSPIEL
from rookery.seeds import generator

SMALL = "kriegspiel-hybrid:boards=20,pool=100,tree=800"


def think(fen, *texts, player=SMALL):
    state = KRIEGSPIEL.start(fen)
    for text in texts:
        state = state.play(state.parse(text))
    made = players.make(player, KRIEGSPIEL)
    made.start(KRIEGSPIEL.spec, state.seat, 3)
    return state, made.think(state.view(state.seat), Limit())


# --- an enemy who does not see


def test_losses_equal_the_twin():
    compared, hanging = 0, 0
    for seed in range(12):
        rng = generator(seed, "blindfold")
        board = chess.Board()
        for ply in range(70):
            legal = sorted(board.legal_moves, key=str)
            if not legal:
                break
            move = legal[int(rng.integers(len(legal)))]
            if ply % 3 == 0:
                after = board.copy(stack=False)
                after.push(move)
                if after.legal_moves.count():
                    number = KRIEGSPIEL.start(board.fen()).parse(move.uci())
                    lost, _ = native.blindfold(board.fen(), number)
                    expected = twin.losses(after, board.is_capture(move), move.to_square)
                    assert lost == pytest.approx(expected, rel=1e-4, abs=1e-2), (board.fen(), move.uci())
                    compared += 1
                    hanging += expected > 0
            board.push(move)
    assert compared > 150
    assert hanging > 50


def blindfold(fen, text):
    return native.blindfold(fen, KRIEGSPIEL.start(fen).parse(text))


def test_what_he_cannot_know_is_rarely_taken():
    fen = "3rk3/8/8/8/8/8/8/Q3K3 w - - 0 1"
    assert blindfold(fen, "a1d1")[0] < 950 / 3
    took = blindfold("3rk3/8/8/8/8/8/3p4/Q2K4 w - - 0 1", "d1c2")
    assert took[0] == 0
    assert blindfold("3rk3/8/8/8/8/8/3p4/3QK3 w - - 0 1", "d1d2")[0] == pytest.approx(0.65 * (950 - 500))


def test_mate_and_stalemate_are_seen():
    assert blindfold("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6g7")[1] == 1
    assert blindfold("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "g5g6")[1] == 0


def test_illegal_moves_are_told():
    with pytest.raises(IllegalMove):
        blindfold("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "g6a1")


# --- turns


def test_mates_where_every_board_is_mate():
    state, result = think("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    assert state.text(result.move) == "a1a8"


def test_takes_back():
    state, result = think("4k3/8/8/3q4/8/8/3R4/3RK3 b - - 0 1", "d5d2")
    assert state.text(result.move) in ("d1d2", "e1d2")


def test_refused_tries_are_not_tried_again():
    state = KRIEGSPIEL.start("k7/p3p3/8/8/8/8/PP6/K3R3 w - - 0 1 material")
    made = players.make(SMALL, KRIEGSPIEL)
    made.start(KRIEGSPIEL.spec, 0, 5)
    tried = []
    while state.seat == 0 and len(tried) < 20:
        tried.append(made.think(state.view(0), Limit()).move)
        state = state.play(tried[-1])
    assert len(set(tried)) == len(tried) < 20


def test_the_same_seed_gives_the_same_moves():
    def game():
        made = [players.make(SMALL, KRIEGSPIEL) for _ in range(2)]
        return play_game(KRIEGSPIEL, made, seed=4, max_plies=16).moves

    assert game() == game()


def test_only_is_obeyed_and_lines_are_told():
    state = KRIEGSPIEL.start()
    only = tuple(state.parse(text) for text in ("a2a3", "h2h4"))
    heard = []
    made = players.make(SMALL, KRIEGSPIEL)
    made.start(KRIEGSPIEL.spec, 0, 1)
    result = made.think(state.view(0), Limit(only=only, lines=2), heard.append)
    assert result.move in only
    assert {info.pv[0] for info in heard} == set(only)


def test_a_lone_king_is_hunted_within_the_time():
    view = KRIEGSPIEL.start("7k/8/8/8/8/8/R7/K7 w - - 0 1 material").view(0)
    made = players.make(SMALL, KRIEGSPIEL)

    def took(seconds):
        began = perf_counter()
        assert made.think(view, Limit(time=seconds)).value[0] == 1
        return perf_counter() - began

    # The least of several, since others use this machine too; without a bound it is a hundred times as much.
    assert min(took(0.001) for _ in range(5)) < min(took(None) for _ in range(5)) / 5


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        ("boards=0", "boards must be between 1"),
        ("pool=0", "pool must be between 1"),
        ("lookahead=2", "lookahead must be between 0"),
        ("tuned=courage:1", "no constant is called 'courage'"),
        ("tuned=scale:0", "scale must be between 1 and 10000"),
        ("tuned=foresight:50", "foresight must be between 0 and 1"),
    ],
)
def test_wrong_options_are_named(options, wrong):
    with pytest.raises(BadOption, match="kriegspiel-hybrid: ") as error:
        players.make(f"kriegspiel-hybrid:{options}", KRIEGSPIEL)
    assert wrong in str(error.value)


def test_plays_nothing_else():
    with pytest.raises(UnsupportedGame, match="kriegspiel only, not chess"):
        players.make("kriegspiel-hybrid", get("chess"))


def test_only_moves_that_may_be_tried_are_chosen_from_each_once():
    view = KRIEGSPIEL.start().view(0)
    engine = native.KriegspielHybrid(20, 100, 800, 0.5, [])
    move = view.moves()[0]
    found = engine.choose(view.native, 0.0, [move] * 10_000, 1)
    assert [each.move for each in found.ranked] == [move]
    with pytest.raises(IllegalMove, match="none of the moves to choose from"):
        engine.choose(view.native, 0.0, [0] * 10_000, 1)

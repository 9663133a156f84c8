"""Native self-play of chess: its games and labels are those of the slow twin, however many are played at a
time."""

from __future__ import annotations

import random
from zlib import crc32

import numpy as np
import pytest
from chess_selfplay_twin import ABORTED, NOT_LEARNT, Game, Line, play, reward

from rookery import native
from rookery.errors import BadOption, Diverged, IllegalMove
from rookery.games.chess import CHESS

ACTIONS, WIDTH = 1968, 41 * 64


def opinion(planes: np.ndarray) -> np.ndarray:
    """Logits that depend on the position alone."""
    rng = np.random.default_rng(crc32(planes.tobytes()))
    return (3 * rng.normal(size=ACTIONS)).astype(np.float32)


def moves_of(*words: str) -> list[int]:
    state, found = CHESS.start(), []
    for word in words:
        found.append(state.parse(word))
        state = state.play(found[-1])
    return found


def walked(plies: int, seed: int) -> list[int]:
    state, chance = CHESS.start(), random.Random(seed)
    for _ in range(plies):
        state = state.play(chance.choice(state.moves()))
    return list(state.history())


# A mate in one to be found or missed, a Queen that hangs, people's games won by either side and by nobody.
LINES = [
    Line(moves_of("f3", "e5", "g4"), -1),
    Line(moves_of("e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6"), 1),
    Line(walked(30, 1), 1),
    Line(walked(41, 2), -1),
    Line(walked(12, 3), 0),
    Line([], 1),
]


def starts(lines: list[Line], workers: object) -> object:
    begins = np.cumsum([0, *(len(line.moves) for line in lines)]).astype(np.int64)
    moves = np.array([move for line in lines for move in line.moves], np.uint16)
    return native.ChessStarts(moves, begins, np.array([line.won for line in lines], np.int8), workers)


def native_games(
    lines: list[Line], seed: int, count: int, games: int, threads: int = 1, **rules: object
) -> dict[int, dict[str, np.ndarray]]:
    """The first `count` games by number, played `games` at a time."""
    workers = native.Workers(threads)
    table = native.ChessSelfPlay(starts(lines, workers), seed, games, count, **rules)
    logits = np.zeros((games, ACTIONS), np.float32)
    planes, sides = np.zeros((games, WIDTH), np.uint8), np.zeros(games, np.int8)
    while table.step(logits, planes, sides, workers):
        for i in np.nonzero(sides >= 0)[0]:
            logits[i] = opinion(planes[i].reshape(41, 8, 8))
    found = table.take()
    split = {}
    for i, number in enumerate(found["number"].tolist()):
        rows = slice(int(found["games"][i]), int(found["games"][i + 1]))
        split[number] = {
            "played": found["played"][rows],
            "rewards": found["rewards"][rows],
            "boards": found["boards"][rows],
            "legal": np.diff(found["legal_begins"])[rows],
            **{key: found[key][i] for key in ("start", "end", "human")},
        }
    return split


def same(found: dict[str, np.ndarray], game: Game) -> None:
    actions = {name: number for number, name in enumerate(native.chess_actions())}
    assert [actions[native.uci(move)] for move in game.moves] == found["played"].tolist()
    assert np.allclose(found["rewards"], game.rewards, rtol=1e-6)
    assert (found["start"], found["end"], found["human"]) == (game.start, game.end, game.human)


@pytest.mark.parametrize(
    ("max_plies", "top", "human"), [(12, 0, True), (60, 2, True), (40, 0, False), (200, 2, True)]
)
def test_games_and_labels_are_those_of_the_twin(max_plies: int, top: int, human: bool) -> None:
    found = native_games(LINES, 5, 10, 4, max_plies=max_plies, top=top, human=human)
    assert sorted(found) == list(range(10))
    for number, game in found.items():
        same(game, play(LINES, 5, number, opinion, max_plies, top, human))


def test_the_games_of_the_twin_end_in_every_way() -> None:
    """So that the test above compares something."""
    ends, worths = set(), set()
    for line, seeds in ((LINES[0], range(6)), (LINES[2], range(4))):
        for seed in seeds:
            game = play([line], seed, 0, opinion, 300, 2, True)
            ends.add(game.end)
            worths |= {worth if worth in (1.0, 0.0, NOT_LEARNT) else 0.5 for worth in game.rewards}
    ends.add(play([LINES[4]], 1, 0, opinion, 3, 0, True).end)
    assert ends >= {0, ABORTED} and ends & {1, -1}
    assert worths == {1.0, 0.0, NOT_LEARNT, 0.5} or worths >= {1.0, NOT_LEARNT}


@pytest.mark.parametrize(("games", "threads"), [(1, 1), (3, 2), (12, 3)])
def test_games_in_lock_step_are_those_played_one_at_a_time(games: int, threads: int) -> None:
    rules = {"max_plies": 30, "top": 0, "human": True}
    alone = native_games(LINES, 9, 12, 1, **rules)
    together = native_games(LINES, 9, 12, games, threads, **rules)
    assert alone.keys() == together.keys()
    for number in alone:
        assert all(np.array_equal(alone[number][key], together[number][key]) for key in alone[number])


def test_every_row_of_the_table_of_rewards() -> None:
    """By hand, from the paper: the human winner is White."""
    for end, white, black in (
        (1, 1.0, NOT_LEARNT),
        (0, 0.25, 1.0),
        (-1, 0.0, 1.0),
        (ABORTED, 0.25, 0.25),
    ):
        assert (reward(end, 1, 1, 4), reward(end, 1, -1, 4)) == (white, black)
    for end, worth in ((1, 1.0), (0, 0.25), (-1, 0.0), (ABORTED, 0.0)):
        assert reward(end, 0, 1, 4) == worth
    assert reward(1, 1, 1, 1) == NOT_LEARNT


@pytest.mark.parametrize("won", [1, -1, 0])
def test_a_position_that_stands_three_times_is_drawn_and_labelled_so(won: int) -> None:
    back = ("Nf3", "Nf6", "Ng1", "Ng8")
    workers = native.Workers(1)
    table = native.ChessSelfPlay(starts([Line(moves_of(*back), won)], workers), 1, 1, 1)
    logits = np.zeros((1, ACTIONS), np.float32)
    for move, liked in (("g1f3", 2000), ("f3g1", 1000), ("g8f6", 2000), ("f6g8", 1000)):
        logits[0, native.chess_actions().index(move)] = liked
    planes, sides = np.zeros((1, WIDTH), np.uint8), np.zeros(1, np.int8)
    while table.step(logits, planes, sides, workers):
        pass
    found = table.take()
    assert found["end"].tolist() == [0] and len(found["played"]) == 8
    choices = np.diff(found["legal_begins"])
    wanted = [1.0 if won else NOT_LEARNT] * 4
    wanted += [reward(0, won, (1, -1)[ply % 2], int(choices[ply])) for ply in range(4, 8)]
    assert np.allclose(found["rewards"], wanted)


def test_starts_in_which_a_game_is_over_are_left_out() -> None:
    workers = native.Workers(1)
    mated = Line(moves_of("f3", "e5", "g4", "Qh4"), -1)
    assert len(starts([mated, LINES[0]], workers)) == 1
    with pytest.raises(BadOption, match="no position to begin a game from"):
        starts([mated], workers)


def test_what_is_no_line_is_refused() -> None:
    workers = native.Workers(1)
    with pytest.raises(IllegalMove, match="is not among the moves"):
        starts([Line([moves_of("e4")[0]] * 2, 1)], workers)
    for moves, begins, won in (([], [0, 1], [1]), ([], [1, 0], [1]), ([], [0, 0], [2]), ([], [0], [1])):
        with pytest.raises(BadOption):
            native.ChessStarts(
                np.array(moves, np.uint16), np.array(begins, np.int64), np.array(won, np.int8), workers
            )


def test_a_policy_that_is_no_number_is_told_and_ends_the_games() -> None:
    workers = native.Workers(1)
    table = native.ChessSelfPlay(starts(LINES, workers), 1, 2)
    logits = np.zeros((2, ACTIONS), np.float32)
    planes, sides = np.zeros((2, WIDTH), np.uint8), np.zeros(2, np.int8)
    table.step(logits, planes, sides, workers)
    logits[1] = np.nan
    with pytest.raises(Diverged, match="policy is not finite"):
        table.step(logits, planes, sides, workers)
    with pytest.raises(Diverged, match="begin new ones"):
        table.step(np.zeros((2, ACTIONS), np.float32), planes, sides, workers)


@pytest.mark.parametrize("place", [0, 7, -1])
def test_one_move_that_has_no_number_is_told_though_others_are_likelier(place: int) -> None:
    workers = native.Workers(1)
    table = native.ChessSelfPlay(starts([LINES[5]], workers), 1, 1, top=2)
    logits = np.zeros((1, ACTIONS), np.float32)
    planes, sides = np.zeros((1, WIDTH), np.uint8), np.zeros(1, np.int8)
    table.step(logits, planes, sides, workers)
    legal = [native.chess_actions().index(native.uci(move)) for move in CHESS.start().moves()]
    logits[0, legal[3:5]] = 9
    logits[0, legal[place]] = np.nan
    with pytest.raises(Diverged, match="policy is not finite"):
        table.step(logits, planes, sides, workers)

"""Random games played by the native rules and by the twin at once, which must agree at every ply."""

from __future__ import annotations

from collections import Counter

import numpy as np
from duchess_twin import KINDS, SET, Step, Twin, board

from rookery import games
from rookery.errors import BadPosition
from rookery.games.duchess import DuchessState

FULL_PLIES, SPARSE_PLIES = 80, 60


def compare_games(seeds: range) -> Counter[str]:
    """Plays a game for each seed and counts what happened in them."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        compare_game(seed, seen)
    return seen


def compare_game(seed: int, seen: Counter[str]) -> None:
    """One game: in five, one begins at the start and four with few men, where mates are near."""
    rng = np.random.default_rng(seed)
    players = 6 if seed % 3 == 0 else 4
    if seed % 5 == 0:
        twin, plies = Twin.start(players), FULL_PLIES
        state = games.get(f"duchess{players}").start()
        assert str(state) == str(twin)
    else:
        twin, state = sparse(players, rng, seen)
        plies = SPARSE_PLIES
    seen["games"] += 1
    for _ in range(plies):
        moves = agree(twin, state)
        if not moves:
            break
        step = moves[choose(state, list(moves), rng)]
        count_step(twin, step, seen)
        mated = state.mated()
        twin, state = twin.play(step), state.play(state.parse(twin.text(step)))
        seen["mates"] += len(set(state.mated()) - set(mated))
        seen["releases"] += len(set(mated) - set(state.mated()))
    agree(twin, state)
    if over := state.outcome():
        seen[over.reason] += 1


def agree(twin: Twin, state: DuchessState) -> dict[str, Step]:
    """Holds one position against the other; gives the moves by their text, none if the game is over."""
    where = str(twin)
    assert str(state) == where
    assert state.seat == twin.turn
    moves = {twin.text(step): step for step in twin.moves()}
    assert {state.text(move) for move in state.board_moves()} == moves.keys(), where
    assert state.native.perft(1) == len(moves), where
    checked = [seat for seat in range(twin.players) if twin.in_check(seat)]
    assert state.in_check() == checked, where
    assert state.mated() == [seat for seat in checked if twin.mated(seat)], where
    found, expected = state.outcome(), twin.outcome()
    assert (found and (found.winner, found.reason)) == expected, where
    return {} if expected else moves


def choose(state: DuchessState, texts: list[str], rng: np.random.Generator) -> str:
    """Half of the time any move, else one of those that mate and check most enemies and free most friends."""
    texts = sorted(texts)
    if rng.random() < 0.5:
        return texts[rng.integers(len(texts))]

    def promise(text: str) -> tuple[int, int, float]:
        after = state.play(state.parse(text))
        ours = [seat % 2 == state.seat % 2 for seat in after.mated()]
        checks = [seat for seat in after.in_check() if seat % 2 != state.seat % 2]
        return ours.count(False) - ours.count(True), len(checks), rng.random()

    return max(texts, key=promise)


def count_step(twin: Twin, step: Step, seen: Counter[str]) -> None:
    text = twin.text(step)
    seen["plies"] += 1
    seen["teleports"] += "~" in text
    seen["captures"] += "x" in text
    seen["promotions"] += "=" in text
    seen["Pawns left on the Vortex"] += text[0] == "P" and text.endswith("V")
    if text == "--":
        seen["mated passes" if twin.in_check(twin.turn) else "stalemated passes"] += 1


def sparse(players: int, rng: np.random.Generator, seen: Counter[str]) -> tuple[Twin, DuchessState]:
    """A position with few men that could arise. Both halves must agree which ones could not."""
    while True:
        twin = scatter(players, rng)
        try:
            state = games.get(f"duchess{players}").start(str(twin))
        except BadPosition:
            assert not twin.could_arise(), str(twin)
            seen["positions refused"] += 1
            continue
        assert twin.could_arise(), str(twin)
        return twin, state


def scatter(players: int, rng: np.random.Generator) -> Twin:
    """Kings anywhere, mostly on back ranks; one side with strong pieces, the other with few men."""
    free = list(board(players).names)
    rng.shuffle(free)
    strong = rng.integers(2)
    twin = Twin(players, turn=int(rng.integers(players)))
    twin.quiet = int(rng.integers(185, 200)) if rng.random() < 0.15 else int(rng.integers(20))
    for seat in range(players):
        back = [square for square in free if square[-1] in "12"]
        king = back[0] if rng.random() < 0.7 else free[0]
        free.remove(king)
        twin.men[king] = (seat, "K")
    for seat in range(players):
        box = [kind for kind in KINDS if kind != "K" for _ in range(SET[kind])]
        weights = np.array([{"Q": 4, "F": 3, "R": 2, "W": 3}.get(kind, 1) for kind in box], dtype=float)
        count = int(rng.integers(2, 7) if seat % 2 == strong else rng.integers(0, 4))
        for kind in rng.choice(box, size=count, replace=False, p=weights / weights.sum()):
            twin.men[free.pop()] = (seat, str(kind))
    return twin

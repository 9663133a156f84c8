"""All that a seat of Kriegspiel is told, worked out again by a slow referee of its own.

    python -m soak.leaks                            10,000 games of random tries
    python -m soak.leaks --count 100 --plies 600

After every try, each seat's view is held against the referee of the tests, which is written from the rules
on another chess library: what was heard, the seat's own men, whose turn it is, and what may be tried, the
last from those three alone. What a view says beyond that is a leak: the first is printed with the tries that
led to it, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import chess
from referee_twin import Referee

from rookery.games.kriegspiel import KRIEGSPIEL, KriegspielView
from soak.table import table


@dataclass(frozen=True)
class Told:
    """Everything that can be read from a view of a game from the usual start."""

    heard: tuple[str, ...]
    men: str
    turn: int
    tries: int
    checks: str
    moves: tuple[str, ...]
    refused: tuple[str, ...]


def read(view: KriegspielView) -> Told:
    known = view.native
    checks = "" if view.checks == "-" else view.checks.replace("+", "")
    moves, refused = (tuple(sorted(map(view.text, each))) for each in (view.moves(), known.refused))
    return Told(tuple(view.events), view.men, view.turn, view.tries, checks, moves, refused)


class Twin:
    """What each seat may be told, by the slow referee."""

    def __init__(self) -> None:
        self._referee = Referee()
        self._refused: list[str] = []
        """Tries of this turn."""
        self._since: dict[int, tuple[str, set[str]]] = {}
        """Of each seat, what a refusal leaves as it is: its men, and the moves of a turn before any try."""

    def attempt(self, text: str) -> None:
        turn = self._referee.board.turn
        self._referee.attempt(text)
        if self._referee.board.turn == turn:
            self._refused = [*self._refused, text]
        else:
            self._refused, self._since = [], {}

    def told(self, seat: int) -> Told:
        heard = self._referee.heard[seat]
        turn = 0 if self._referee.board.turn else 1
        # Of the last line that both heard; before the first there is neither a check nor a capture.
        line = next((each for each in reversed(heard) if not each.startswith("ILLEGAL")), "")
        said = dict(part.split("=") for part in line.split() if "=" in part)
        checks = said.get("chk", "-").replace("+", "").replace("-", "")
        tries = int(said.get("tries", 0))
        over = said.get("end", "-") != "-"
        refused = tuple(sorted(self._refused)) if turn == seat else ()
        if seat not in self._since:
            own = self._own(seat)
            asked = turn == seat and not over
            self._since[seat] = own.board_fen(), self._moves(own, seat, tries, checks) if asked else set()
        men, moves = self._since[seat]
        return Told(tuple(heard), men, turn, tries, checks, tuple(sorted(moves - set(refused))), refused)

    def _own(self, seat: int) -> chess.Board:
        """The seat's own men on an empty board, with its own rights to castle."""
        board = self._referee.board.copy(stack=False)
        for square in chess.SquareSet(board.occupied_co[seat == 1]):
            board.remove_piece_at(square)
        board.castling_rights &= chess.BB_RANK_8 if seat else chess.BB_RANK_1
        board.turn, board.ep_square = seat == 0, None
        return board

    @staticmethod
    def _moves(own: chess.Board, seat: int, tries: int, checks: str) -> set[str]:
        """What nothing that the seat knows rules out: Pawns take while tries are announced, Kings do not
        castle out of check, and own men are in the way."""
        moves = {move.uci() for move in own.pseudo_legal_moves if not (checks and own.is_castling(move))}
        if tries:
            for start in own.pieces(chess.PAWN, seat == 0):
                for to in own.attacks(start) & ~own.occupied:
                    letters = "nbrq" if chess.square_rank(to) in (0, 7) else [""]
                    step = chess.square_name(start) + chess.square_name(to)
                    moves |= {step + letter for letter in letters}
        return moves


def wrong(told: Told, right: Told) -> str:
    """The first thing in which a view is not what the rules give; nothing: there is none."""
    found = vars(told)
    faults = (
        f"{name}: {found[name]} and not {due}" for name, due in vars(right).items() if found[name] != due
    )
    return next(faults, "")


def game(seed: int, plies: int, look: Callable[[KriegspielView], Told] = read) -> tuple[int, str]:
    """How many tries a game of random tries had, and what was wrong with what its seats were told."""
    rng, state, twin, tried = random.Random(seed), KRIEGSPIEL.start(), Twin(), 0
    texts: list[str] = []
    while True:
        for seat in (0, 1):
            if fault := wrong(look(state.view(seat)), twin.told(seat)):
                return tried, f"seat {seat}: {fault} after {' '.join(texts)}"
        if state.outcome() or tried == plies:
            return tried, ""
        move = rng.choice(list(state.view(state.seat).moves()))
        texts.append(state.text(move))
        twin.attempt(texts[-1])
        state, tried = state.play(move), tried + 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="games")
    parser.add_argument("--plies", type=int, default=200, help="tries of a game at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="write one JSON document instead")
    args = parser.parse_args()

    began = time.monotonic()
    played = [game(args.seed + number, args.plies) for number in range(args.count)]
    faults = [fault for _, fault in played if fault]
    tries, seconds = sum(each for each, _ in played), time.monotonic() - began
    if args.json:
        found = {"games": args.count, "tries": tries, "leaks": len(faults), "first": "".join(faults[:1])}
        print(json.dumps({**found, "seconds": round(seconds, 1), "failed": bool(faults)}))
    else:
        print(table(["games", "tries", "leaks"], [[args.count, tries, len(faults)]]))
        print("".join(faults[:1]) or f"{seconds:.0f} s")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()

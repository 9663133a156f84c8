"""Exact play on small Go boards: proofs of how many points a position is worth, and judging games by them.

Points are area, Black's less White's, under simple ko; komi is left out. A proof never rests on repetition: a
line that goes round for ever counts against the side that claims. So where both sides would rather repeat,
neither bound can be proven, and the answer stays open. native/solve/proof.hpp states why the proofs hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from rookery import native
from rookery.api import Move, Seat
from rookery.errors import UnsupportedGame
from rookery.games.go import GoState

LARGEST = 5
MOST_MOVES = 30
"""Of the prover, in one proof."""
CHUNK = 20_000_000
"""Nodes between two looks at the clock and the keyboard."""
LONG = 10_000_000
"""Nodes from which the tables of distances, some ten seconds of work on 5x5, repay their making."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a seat scores at least so many points. None: not settled within the nodes."""

    holds: bool | None
    nodes: int
    moves: int = 0
    """The prover's own, that the proof takes at most."""
    line: Sequence[Move] = ()
    """The proof's main line: the opponent holds out as long as it can."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is proven of a position's points, Black's less White's."""

    least: int
    most: int
    nodes: int

    @property
    def points(self) -> int | None:
        return self.least if self.least == self.most else None

    @property
    def outcome(self) -> int | None:
        """1 if Black wins, 0 for a tie, -1 if White wins; None if that is open."""
        low, high = _sign(self.least), _sign(self.most)
        return low if low == high else None


@dataclass(slots=True)
class Progress:
    """A step of a proof: what was asked of whom, with how many moves, and how it went."""

    seat: Seat
    points: int
    moves: int
    nodes: int
    holds: bool | None


def _sign(points: int) -> int:
    return (points > 0) - (points < 0)


def _quiet(_: Progress) -> None:
    pass


@dataclass(slots=True)
class Solver:
    """Proofs with a table of `hash_mb` MiB, which later questions share."""

    hash_mb: int = 256
    threads: int = 1
    tell: Callable[[Progress], None] = _quiet
    _native: native.GoSolver = field(init=False)

    def __post_init__(self) -> None:
        self._native = native.GoSolver(self.hash_mb)

    def at_least(
        self, state: GoState, points: int, nodes: int, seat: Seat = 0, line: bool = False
    ) -> Verdict:
        """Whether a seat can force this many points more than the other.

        Both the claim and its opposite are tried, with ever more moves, until one of them is proven.

        Raises:
            UnsupportedGame: the board is too large, or not played with simple ko.
        """
        known = _settled(state, points, seat)
        if known is not None:
            return Verdict(known, 0)
        used = 0
        far = points == state.size**2 and (state.size < LARGEST or nodes >= LONG)
        if far and state.size % 2 and seat == state.seat and not any(state.stones(s) for s in (0, 1)):
            # The middle alone: what it proves holds for the board, and all first moves would take far longer.
            middle = state.size**2 // 2
            verdict = self.at_least(state.play(middle), points, nodes, seat, line)
            return replace(verdict, moves=verdict.moves + 1, line=(middle, *verdict.line))
        for moves in range(MOST_MOVES + 1):
            for claimant, claim in ((seat, points), (1 - seat, 1 - points)):
                if claimant != seat and far and nodes >= LONG:
                    continue  # Nearly all of the work would go into what can hardly be shown.
                holds, spent, played = self._ask(state, claimant, claim, moves, nodes - used, far, line)
                used += spent
                self.tell(Progress(claimant, claim, moves, used, holds))
                if holds:
                    return Verdict(claimant == seat, used, moves, played)
                if used >= nodes:
                    return Verdict(None, used)
        return Verdict(None, used)

    def bounds(self, state: GoState, nodes: int, exact: bool = True) -> Bounds:
        """Closes in on a position's points, the outcome first; without `exact` no further than that."""
        _check(state)
        area = state.size**2
        least, most, used = -area, area, 0
        if exact and nodes >= LONG and not state.stones(1 - state.seat):
            # With distances to go by, the whole board is the claim that is soonest shown.
            whole = self.at_least(state, area, nodes // 2, state.seat)
            used = whole.nodes
            if whole.holds:
                least = most = area * (1 - 2 * state.seat)
        while least < most:
            claim = 1 if least < 1 <= most else 0 if least < 0 <= most else (least + most + 1) // 2
            if not exact and _sign(least) == _sign(most):
                break
            verdict = self.at_least(state, claim, nodes - used)
            used += verdict.nodes
            if verdict.holds is None:
                break
            if verdict.holds:
                least = claim
            else:
                most = claim - 1
        return Bounds(least, most, used)

    def _ask(
        self, state: GoState, seat: Seat, points: int, moves: int, nodes: int, far: bool, line: bool
    ) -> tuple[bool | None, int, list[Move]]:
        """Piece by piece, so that an interrupt gets through; the table keeps what was found."""
        black, white = (sum(1 << p for p in state.stones(s)) for s in (0, 1))
        ko = -1 if state.ko is None else state.ko
        used, holds, played = 0, None, list[Move]()
        while holds is None and used < nodes:
            piece = min(CHUNK, max(1, (nodes - used) // self.threads))
            holds, spent, played = self._native.ask(
                state.size, black, white, state.seat, ko, seat, points, moves, piece, self.threads, far, line
            )
            used += max(1, spent)
        return holds, used, played


def _check(state: GoState) -> None:
    if state.size > LARGEST:
        raise UnsupportedGame(
            f"a board of {state.size}x{state.size} is too large to solve; the largest is {LARGEST}x{LARGEST}"
        )
    if "psk" in state.options:
        raise UnsupportedGame("positions under superko (psk) cannot be solved, only those under simple ko")


def _settled(state: GoState, points: int, seat: Seat) -> bool | None:
    """What needs no search: the end of the game, and what a second pass would make the end."""
    _check(state)
    area = state.size**2
    if not -area < points <= area:
        return points <= area
    score = state.area_score() * (1 - 2 * seat)
    if state.outcome():
        return score >= points
    if state.passes == 1 and (score >= points) == (state.seat == seat):
        return score >= points
    return None


# --- judging play ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judgement:
    """A move against the best there was. None where the nodes did not settle it."""

    seat: Seat
    kept: bool | None
    """Whether the exact outcome, a win, tie or loss, is still what it was."""
    lost: int | None
    """The points that it cost."""


@dataclass(frozen=True, slots=True)
class Record:
    """How exactly a seat played."""

    moves: int
    judged: int
    kept: int
    scored: int
    lost: int

    @classmethod
    def of(cls, judgements: Sequence[Judgement]) -> Record:
        kept = [j.kept for j in judgements if j.kept is not None]
        lost = [j.lost for j in judgements if j.lost is not None]
        return cls(len(judgements), len(kept), sum(kept), len(lost), sum(lost))

    @property
    def share_kept(self) -> float | None:
        return self.kept / self.judged if self.judged else None

    @property
    def lost_per_move(self) -> float | None:
        return self.lost / self.scored if self.scored else None


def judge(states: Sequence[GoState], budget: int, solver: Solver | None = None) -> list[Judgement]:
    """Judges each move of a game, given its states in order, with so many nodes for each of them."""
    solver = solver or Solver()
    values = [solver.bounds(state, budget) for state in states]
    found = []
    for state, before, after in zip(states, values, values[1:], strict=False):
        sign = 1 - 2 * state.seat
        same = None if None in (before.outcome, after.outcome) else before.outcome == after.outcome
        lost = None if None in (before.points, after.points) else sign * (before.least - after.least)
        found.append(Judgement(state.seat, same, lost))
    return found


def sum_up(judgements: Iterable[Judgement]) -> dict[Seat, Record]:
    """The share of moves that kept the outcome, and the points lost, of each seat."""
    every = list(judgements)
    return {seat: Record.of([j for j in every if j.seat == seat]) for seat in (0, 1)}

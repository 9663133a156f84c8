"""How programs end a game of Go with people: what they hold for dead, when they pass, when they play on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from rookery import games, native, players
from rookery.api import Move, Seat, State
from rookery.errors import RookeryError
from rookery.games import go_scoring
from rookery.games.go import GoState, Point
from rookery.games.go_scoring import Dead

_NETWORK = "go/zero"
_LEARNT_ON = (5, 7, 9)
"""The boards on which the network was trained; elsewhere its word on a point is worth little."""
_SURE = 0.9
"""How far a point is one side's by playouts if nobody should play there any more."""
_TRIES = 40
"""Moves that are tried before a lost game is given up by a pass,"""
_PLAYOUTS = 64
"""the playouts for each,"""
_HOPE = 0.1
"""and the share of them that must win."""


def propose(state: GoState) -> Dead:
    """The dead stones of a position, by Benson's proof, playouts and, where it learnt, the network."""
    return go_scoring.propose(state, network_ownership(state))


def network_ownership(state: GoState) -> tuple[float, ...] | None:
    """The network's word on each point, from 1, Black's, to -1, White's; None where there is none to ask."""
    knowledge = _network(state.size) if state.size in _LEARNT_ON else None
    return knowledge.ownership(state) if knowledge else None


@cache
def _network(size: int) -> Any:
    try:
        return players.know(_NETWORK, games.get(f"go{size}"))
    except RookeryError:  # no onnxruntime, or no weights
        return None


def accepts(state: GoState, seat: Seat, proposed: Dead, dead: Dead) -> bool:
    """Whether a program agrees to these dead stones: to whatever is no worse for it than the proposal."""
    sign = 1 - 2 * seat
    return sign * go_scoring.count(state, dead).margin >= sign * go_scoring.count(state, proposed).margin


def settle(state: GoState, move: Move) -> Move:
    """The move that a program makes in a game with people, where its search chose `move`.

    It is another one in two cases. A pass that would lose becomes a move that might not, if there is one. And
    when the opponent has passed, the board is settled and the count is won, it passes too.
    """
    passing, seat = state.size**2, state.seat
    if move != passing and state.passes == 0:
        return move
    if _margin(state, seat) > 0:
        return passing if move == passing or (state.passes and settled(state)) else move
    return move if move != passing else _try(state)


def _margin(state: GoState, seat: Seat) -> float:
    """By how much a seat wins if the game ends as it stands."""
    agreed = state.dead_stones == "agreed"
    found = go_scoring.count(state, propose(state)).margin if agreed else state.score()
    return found if seat == 0 else -found


def settled(state: GoState) -> bool:
    """Whether nearly every point will be whose it is by the count now; a few may still be nobody's."""
    known = go_scoring.estimate(state)
    owners = go_scoring.count(state, go_scoring.propose(state)).owner
    doubtful = sum(
        owner == go_scoring.NEUTRAL or (1 - 2 * owner) * known.owner[point] < 0.4
        for point, owner in enumerate(owners)
    )
    return 8 * doubtful < state.size**2


def forecast(state: GoState) -> dict[str, Any]:
    """Who leads and by how much, by area and random games: words, and the points likely to be each side's."""
    owner = go_scoring.estimate(state).owner
    lead = sum(owner) - go_scoring.komi(state)
    leader = "Black" if lead > 0 else "White"
    empty = [p for p in range(state.size**2) if p not in (*state.stones(0), *state.stones(1))]
    likely = ([state.text(p) for p in empty if sign * owner[p] > 0.3] for sign in (1, -1))
    words = (
        f"Estimate: {leader} leads by about {abs(lead):.0f}" if abs(lead) >= 1 else "Estimate: about level"
    )
    return dict(zip(("words", "black", "white"), (words, *likely), strict=True))


def _try(state: GoState) -> Move:
    """The move that wins most playouts, if it wins enough of them; else the pass."""
    seat, best = state.seat, (_HOPE, 0.0)
    choice = state.size**2
    for move in _candidates(state):
        after = state.play(move)
        found = native.go_ownership(str(after), state.size, _PLAYOUTS, 1, 1 - seat)
        wins = found.black_wins / _PLAYOUTS
        worth = (wins, found.margin) if seat == 0 else (1 - wins, -found.margin)
        if worth > best:
            choice, best = move, worth
    return choice


def _candidates(state: GoState) -> list[Point]:
    """Moves that may change something: where it is open whose a point will be, and, where every stone counts,
    next to stones that only wait to be taken."""
    seat, size = state.seat, state.size
    sign = 1 - 2 * seat
    known = go_scoring.estimate(state)
    own = set(state.stones(seat))
    doomed: set[Point] = set()
    if state.dead_stones != "agreed":
        dead = propose(state) - own
        doomed = {liberty for point in dead for liberty in state.liberties(point)}
    points = []
    for move in state.moves():
        if move == size * size or all(near in own for near in go_scoring.around(size, move)):
            continue
        if abs(known.owner[move]) < _SURE or move in doomed:
            points.append(move)
    points.sort(key=lambda p: (p not in doomed, abs(sign * known.owner[p])))
    return points[:_TRIES]


class GoEnding:
    """The dead stones of Go."""

    def waits(self, state: State) -> bool:
        go = cast(GoState, state)
        return go.passes == 2 and go.dead_stones == "agreed"

    def propose(self, state: State) -> Dead:
        return propose(cast(GoState, state))

    def pieces(self, state: State) -> Sequence[Point]:
        go = cast(GoState, state)
        return [*go.stones(0), *go.stones(1)]

    def toggle(self, state: State, removed: Dead, cell: Point) -> Dead:
        return go_scoring.toggle(cast(GoState, state), removed, cell)

    def count(self, state: State, removed: Dead) -> go_scoring.Count:
        return go_scoring.count(cast(GoState, state), removed)

    def territory(self, state: State, removed: Dead) -> Sequence[Sequence[str]]:
        standing = set(self.pieces(state)) - removed
        owners = self.count(state, removed).owner
        return [
            [state.text(p) for p, owner in enumerate(owners) if owner == seat and p not in standing]
            for seat in (0, 1)
        ]

    def picture(self, state: State, removed: Dead) -> str:
        return cast(GoState, state).counted_picture(removed)

    def accepts(self, state: State, seat: Seat, proposed: Dead, removed: Dead) -> bool:
        return accepts(cast(GoState, state), seat, proposed, removed)

    def resumed(self, state: State) -> State:
        """Before the passes."""
        go = cast(GoState, state)
        while go.passes and (before := go.previous()) is not None:
            go = before
        return go

    def settle(self, state: State, move: Move) -> Move:
        return settle(cast(GoState, state), move)

    def forecast(self, state: State) -> dict[str, Any]:
        return forecast(cast(GoState, state))


ENDINGS = {"go": GoEnding()}

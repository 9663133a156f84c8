"""What a seat of a game that hides something may know: its belief, and what follows from what it heard.

While the game goes on, each seat is told its own, from its view alone. When it is over, everybody may see
what every seat believed at each moment. It needs no player, takes milliseconds, and is there for guests too.
"""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request

from rookery import deductions, games
from rookery.api import Deduction, GameSpec, Seat, View
from rookery.errors import HiddenInformation, RookeryError
from rookery.interfaces.web import believing
from rookery.interfaces.web.messages import BeliefTold, Conclusions, ConclusionsAsked, KnownAsked
from rookery.interfaces.web.play import TableName, revealed
from rookery.interfaces.web.table import Table

router = APIRouter(prefix="/api/tables")


def believe(view: View) -> BeliefTold:
    """What a seat believes, by the belief that comes with its game.

    Raises:
        RookeryError: none does.
    """
    belief = _deduction(view.spec).belief(view)
    return BeliefTold(chances=believing.chances(belief), kinds=believing.kinds(belief))


def _deduction(spec: GameSpec) -> Deduction:
    found = deductions.of(spec)
    if found is None:
        raise RookeryError(f"there are no conclusions to draw in {spec.title}")
    return found


def _own(table: Table, secret: str) -> Seat:
    """The one seat that a secret opens in a game that hides something."""
    if not table.spec.hidden:
        raise RookeryError(f"{table.spec.title} hides nothing")
    seats = table.seats_of([secret])
    if not seats:
        raise HiddenInformation("only who holds a seat may ask what could be known there")
    return seats[0]


def _table(request: Request, name: str) -> Table:
    found: Table = request.app.state.studio.tables.get(name)
    return found


@router.post("/{table}/known")
async def known(table: TableName, asked: KnownAsked, request: Request) -> BeliefTold:
    """What your seat may believe of what it cannot see."""
    found = _table(request, table)
    view = found.state.view(_own(found, asked.secret))
    async with request.app.state.studio.knowing:
        return await asyncio.to_thread(believe, view)


@router.post("/{table}/conclusions")
async def conclusions(table: TableName, asked: ConclusionsAsked, request: Request) -> Conclusions:
    """What each line that your seat heard lets it conclude."""
    found = _table(request, table)
    view = found.state.view(_own(found, asked.secret))
    async with request.app.state.studio.knowing:
        lines = await asyncio.to_thread(_deduction(found.spec).conclusions, view, asked.first)
        announced = await asyncio.to_thread(found.face.announced, view)
    return Conclusions(first=asked.first, lines=[list(line) for line in lines], announced=list(announced))


@router.get("/{table}/beliefs")
async def beliefs(
    table: TableName, request: Request, number: Annotated[int, Query(ge=0, le=3000)] = 0
) -> list[BeliefTold]:
    """What each seat believed after so many moves and tries of a game that is over."""
    found = revealed(_table(request, table))
    moves = [text for text, _ in found.kept.moves[:number]]
    async with request.app.state.studio.knowing:
        return await asyncio.to_thread(_both, found, moves)


def _both(table: Table, moves: list[str]) -> list[BeliefTold]:
    state = games.get(table.kept.game).start(table.kept.start)
    for text in moves:
        state = state.play(state.parse(text))
    return [believe(state.view(seat)) for seat in range(table.spec.seats)]

"""Every game that was played here: found again, and thrown away."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request

from rookery import games
from rookery.errors import UnknownName
from rookery.interfaces.web.messages import OutcomeShown, Told
from rookery.interfaces.web.show import meet, outcome_shown
from rookery.interfaces.web.store import Listed, Store
from rookery.interfaces.web.tables import Tables

router = APIRouter(prefix="/api")
TableName = Annotated[str, Path(min_length=1, max_length=40)]
_RECENT = 30
_PAGE = 24


class Played(Told):
    id: str
    game: str
    title: str
    seats: list[str]
    players: list[str | None]
    titles: list[str]
    """What to call whoever sits there; empty: somebody who gave no name."""
    moves: int | None
    """None while the number is a secret."""
    outcome: OutcomeShown | None
    touched: float


class Shelf(Told):
    """A page of the library."""

    total: int
    """Games that were asked for, on all pages."""
    offset: int
    games: list[Played]


def _tables(request: Request) -> Tables:
    found: Tables = request.app.state.studio.tables
    return found


def _shown(one: Listed) -> Played:
    spec = games.get(one.game).spec
    secret = spec.hidden and one.outcome is None
    return Played(
        id=one.id,
        game=one.game,
        title=spec.title,
        seats=list(spec.seat_names),
        players=one.players,
        titles=[
            meet(player, one.game).title if player else person or ""
            for player, person in zip(one.players, one.people, strict=True)
        ],
        moves=None if secret else one.moves,
        outcome=outcome_shown(spec, one.outcome),
        touched=one.touched,
    )


@router.get("/tables")
async def recent(request: Request) -> list[Played]:
    """The games that were played last."""
    return [_shown(one) for one in _tables(request).store.recent(_RECENT)]


@router.get("/library")
async def shelf(
    request: Request,
    game: Annotated[str, Query(max_length=40)] = "",
    state: Literal["all", "finished", "drawn", "unfinished"] = "all",
    who: Annotated[str, Query(max_length=60)] = "",
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
) -> Shelf:
    """Games of a kind, in a state, with somebody whose name has these words; the newest first."""
    store = _tables(request).store
    players = _called(store, who) if who else None
    total, listed = store.search(game, state, who, players, _PAGE, offset)
    return Shelf(total=total, offset=offset, games=[_shown(one) for one in listed])


@router.delete("/tables/{table}", status_code=204)
async def throw_away(table: TableName, request: Request) -> None:
    """Delete a game for good."""
    _tables(request).delete(table)


def _called(store: Store, words: str) -> list[str]:
    """The players that people would call so."""
    found = []
    for game, player in store.players():
        try:
            title = meet(player, game).title
        except UnknownName:  # A game that is no more.
            continue
        if words.lower() in title.lower():
            found.append(player)
    return found

"""What can be played, how it looks, and against whom."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path
from fastapi.responses import JSONResponse

from rookery import games, levels, players
from rookery.interfaces.web import faces
from rookery.interfaces.web.messages import Replay, Told
from rookery.interfaces.web.show import replay
from rookery.names import PlayerName

router = APIRouter(prefix="/api")
GameName = Annotated[str, Path(max_length=40)]


class GameShown(Told):
    name: str
    title: str
    kind: str
    hidden: bool
    seats: list[str]
    sides: list[int]
    opponent: str
    """Whom people meet unless they choose somebody."""
    levels: int
    """How many levels that opponent has; 0: none."""
    elo: list[int]
    """What the levels were measured at, from the first on, as far as somebody has measured them."""


class PlayerShown(Told):
    name: str
    description: str
    levels: int
    spellings: list[str]
    """Its name at each level."""
    elo: list[int]
    """What they were measured at."""
    options: list[str]
    believes: bool
    """Whether it can say where it believes hidden men to be."""
    sees: bool
    """Whether it has knowledge that values a position at a glance,"""
    explains: bool
    """and says what it sees there."""


class PlayersShown(Told):
    game: str
    default: str
    players: list[PlayerShown]


class RulesShown(Told):
    title: str
    kind: str
    """Which family of drawings its pieces are of,"""
    seat: str
    """and the seat in whose colour they are shown."""
    text: str
    """Markdown."""


@cache
def _games() -> list[GameShown]:
    found = []
    for name in faces.names():
        game = games.get(name)
        spec, opponent = game.spec, players.default(game)
        found.append(
            GameShown(
                name=name,
                title=spec.title,
                kind=faces.get(name).kind,
                hidden=spec.hidden,
                seats=list(spec.seat_names),
                sides=list(spec.side_of),
                opponent=opponent,
                levels=players.levels(opponent),
                elo=list(levels.measured(name, opponent)),
            )
        )
    return found


@cache
def _insight(game: str, knowledge: str) -> tuple[bool, bool]:
    """Whether this knowledge values a position at a glance, and whether it says what it sees there."""
    known = players.know(knowledge, games.get(game)) if knowledge else None
    return hasattr(known, "evaluate"), hasattr(known, "explain")


@cache
def _players(game: str) -> PlayersShown:
    rules = games.get(game)
    found = []
    for entry in players.for_game(rules):
        options = [option.name for option in entry.options]
        steps = range(1, players.levels(entry.name) + 1)
        spellings = [players.vary(entry.name, {"level": level}) for level in steps]
        name = PlayerName.parse(entry.name)
        sees, explains = _insight(game, str(name.knowledge or ""))
        found.append(
            PlayerShown(
                name=entry.name,
                description=entry.description,
                levels=len(spellings),
                spellings=spellings,
                elo=list(levels.measured(game, entry.name)),
                options=options,
                believes=hasattr(players.searches()[name.word], "belief"),
                sees=sees,
                explains=explains,
            )
        )
    return PlayersShown(game=game, default=players.default(rules), players=found)


@router.get("/games")
async def list_games() -> list[GameShown]:
    """Every game that can be drawn."""
    return _games()


@router.get("/games/{game}/players")
async def list_players(game: GameName) -> PlayersShown:
    """Everybody who plays a game."""
    games.get(game)
    return await asyncio.to_thread(_players, game)


@router.get("/games/{game}/rules")
async def rules(game: GameName) -> RulesShown:
    """How a game is played, for who has never played it."""
    face, spec = faces.get(game), games.get(game).spec
    return RulesShown(title=spec.title, kind=face.kind, seat=spec.seat_names[0], text=games.rules(game))


@router.get("/games/{game}/board/{seat}")
async def board(game: GameName, seat: Annotated[int, Path(ge=0, le=5)]) -> Any:
    """Where everything lies, seen from a seat."""
    face = faces.get(game)
    seats = games.get(game).spec.seats
    return JSONResponse(_board(game, seat % seats) | {"kind": face.kind})


@cache
def _board(game: str, seat: int) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(faces.get(game).geometry(seat))


@router.get("/games/{game}/start")
async def start(game: GameName) -> Replay:
    """The position from which people begin."""
    return replay(game, faces.get(game).opening, [])

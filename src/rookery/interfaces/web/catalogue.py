"""What can be played, how it looks, and against whom."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse

from rookery import games, opponents, players, records, roster
from rookery.api import Believer, Comparator, Evaluator, Explainer, Game
from rookery.interfaces.web import faces
from rookery.interfaces.web.faces import Look, Option, Piece
from rookery.interfaces.web.messages import Replay, Told
from rookery.interfaces.web.show import replay
from rookery.names import KnowledgeName, PlayerName

router = APIRouter(prefix="/api")
public = APIRouter()
"""What everybody may know who has the page: facts of the games themselves."""
GameName = Annotated[str, Path(max_length=40)]


class Rating(Told):
    """Somebody who plays like people of a rating."""

    elo: int
    player: str
    """Its name,"""
    title: str
    """what people call it,"""
    words: str
    """and what they are told of it."""


class RatingsShown(Told):
    title: str
    """What people call them all."""
    usual: int
    """Whom people meet unless they choose another: its place in the list."""
    list: list[Rating]


class GameShown(Told):
    name: str
    title: str
    look: Look
    hidden: bool
    seats: list[str]
    colours: list[str]
    sides: list[int]
    formats: str
    """What can be pasted to start from: a FEN or a PGN."""
    opponent: str
    """Whom people meet unless they choose somebody,"""
    opponent_title: str
    """and what people call it."""
    levels: int
    """How many levels that opponent has; 0: none."""
    spellings: list[str]
    """Its name at each level, from the first on,"""
    strengths: list[str]
    """and how strong it was measured to be there, in words."""
    ratings: RatingsShown | None
    """Who plays like people, and is met unless somebody else is chosen."""


class PlayerShown(Told):
    name: str
    """Program text: for experts, and for the server."""
    title: str
    description: str
    strength: str
    levels: int
    spellings: list[str]
    """Its name at each level, from the first on,"""
    strengths: list[str]
    """and how strong it was measured to be there, in words."""
    options: list[str]
    believes: bool
    """Whether it can say where it believes hidden pieces to be."""
    sees: bool
    """Whether it has knowledge that values a position at a glance,"""
    explains: bool
    """and says what it sees there, or which move it prefers to which."""


class PlayersShown(Told):
    game: str
    default: str
    players: list[PlayerShown]


class RulesShown(Told):
    title: str
    text: str
    """Markdown."""


class FaceShown(Told):
    """How a game looks, whatever the position."""

    look: Look
    colours: list[str]
    """Of each seat."""
    pieces: list[Piece]


def _spellings(player: str) -> list[str]:
    return [players.vary(player, {"level": level}) for level in range(1, players.levels(player) + 1)]


def _strengths(player: str, game: Game) -> list[str]:
    return [opponents.meet(spelling, game).strength for spelling in _spellings(player)]


@cache
def _games() -> list[GameShown]:
    found = []
    for name in games.names():
        game = games.get(name)
        spec, opponent = game.spec, roster.default(game)
        found.append(
            GameShown(
                name=name,
                title=spec.title,
                look=faces.get(name).look,
                hidden=spec.hidden,
                seats=list(spec.seat_names),
                colours=list(faces.colours(name)),
                sides=list(spec.side_of),
                formats=records.of(game).wanted,
                opponent=opponent,
                opponent_title=opponents.meet(opponent, game).title,
                levels=players.levels(opponent),
                spellings=_spellings(opponent),
                strengths=_strengths(opponent, game),
                ratings=_ratings(game),
            )
        )
    return found


def _ratings(game: Game) -> RatingsShown | None:
    card = roster.like_people(game)
    if card is None or card.ratings is None:
        return None
    usual = int(dict(card.told)[card.ratings.option])
    found = []
    for elo in card.ratings.offered():
        player = players.rated(str(card.player), elo)
        who = opponents.meet(player, game)
        found.append(Rating(elo=elo, player=player, title=who.title, words=who.strength))
    place = min(range(len(found)), key=lambda place: abs(found[place].elo - usual))
    return RatingsShown(title=card.title, usual=place, list=found)


def _insight(knowledge: KnowledgeName | None) -> tuple[bool, bool]:
    """Whether this knowledge values a position at a glance, and whether it has more to say of it."""
    if knowledge is None:
        return False, False
    known = roster.known(knowledge).kind
    return issubclass(known, Evaluator), issubclass(known, (Explainer, Comparator))


@cache
def _players(game: str) -> PlayersShown:
    rules = games.get(game)
    found = []
    for entry in roster.for_game(rules):
        options = [option.name for option in entry.options]
        opponent = opponents.meet(entry.name, rules)
        name = PlayerName.parse(entry.name)
        sees, explains = _insight(name.knowledge)
        found.append(
            PlayerShown(
                name=entry.name,
                title=opponent.title,
                description=opponent.description,
                strength=opponent.strength,
                levels=players.levels(entry.name),
                spellings=_spellings(entry.name),
                strengths=_strengths(entry.name, rules),
                options=options,
                believes=issubclass(roster.search(name), Believer),
                sees=sees,
                explains=explains,
            )
        )
    return PlayersShown(game=game, default=roster.default(rules), players=found)


@router.get("/games")
async def list_games() -> list[GameShown]:
    """Every game."""
    return _games()


@router.get("/games/{game}/players")
async def list_players(game: GameName, request: Request) -> PlayersShown:
    """Everybody who plays a game, the programs that the owner allows included."""
    games.get(game)
    shown = await asyncio.to_thread(_players, game)
    programs = [
        _program(str(name), games.get(game))
        for name in request.app.state.studio.permits.engines
        if roster.plays(name, games.get(game))
    ]
    return shown.model_copy(update={"players": [*shown.players, *programs]})


def _program(name: str, game: Game) -> PlayerShown:
    who = opponents.meet(name, game)
    return PlayerShown(
        name=name,
        title=who.title,
        description=who.description,
        strength=who.strength,
        levels=0,
        spellings=[],
        strengths=[],
        options=[],
        believes=False,
        sees=False,
        explains=False,
    )


@public.get("/games/{game}/rules")
async def rules(game: GameName) -> RulesShown:
    """How a game is played, for who has never played it."""
    return RulesShown(title=games.get(game).spec.title, text=games.rules(game))


@public.get("/games/{game}/face")
async def face(game: GameName) -> FaceShown:
    """How it looks."""
    found = faces.get(game)
    return FaceShown(look=found.look, colours=list(faces.colours(game)), pieces=list(found.pieces))


@public.get("/games/{game}/options")
async def options(game: GameName, request: Request) -> list[Option]:
    """What can be chosen before a game; of what has been chosen, the query tells."""
    return list(faces.get(game).options(request.query_params))


@public.get("/games/{game}/board/{seat}")
async def board(game: GameName, seat: Annotated[int, Path(ge=0, le=5)]) -> Any:
    """Where everything lies, seen from a seat."""
    return JSONResponse(_board(game, seat % games.get(game).spec.seats))


@cache
def _board(game: str, seat: int) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(faces.get(game).geometry(seat))


@router.get("/games/{game}/start")
async def start(game: GameName, request: Request) -> Replay:
    """The position from which people begin with the options of the query."""
    return replay(game, faces.get(game).opening(request.query_params), [])

"""Positions under the glass: stepping through games, setting positions up, and players thinking aloud."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request, WebSocket, WebSocketDisconnect
from pydantic import Field, TypeAdapter, ValidationError

from rookery import games, players
from rookery.api import State
from rookery.errors import HiddenInformation, Resignation, RookeryError
from rookery.interfaces.web import faces, messages, notation
from rookery.interfaces.web.engines import Engines, Lines, Question
from rookery.interfaces.web.faces import Face, Man, Step
from rookery.interfaces.web.guard import Bucket
from rookery.interfaces.web.messages import Asked, Imported, Replay, Told
from rookery.interfaces.web.show import here, replay, tree
from rookery.interfaces.web.tables import Tables
from rookery.interfaces.web.wire import next_text
from rookery.names import PlayerName

router = APIRouter(prefix="/api")
_LONGEST = 131_072
_LATE = 20.0
"""Seconds beyond its time after which a player is stopped by force."""


@router.post("/replay")
async def frames(asked: messages.LineAsked) -> Replay:
    """Every position of a line of moves."""
    return await asyncio.to_thread(replay, asked.game, asked.start, asked.moves)


@router.post("/position")
async def position(asked: messages.LineAsked) -> messages.PositionShown:
    """Where a line of moves leads, and what can be played there."""
    return await asyncio.to_thread(here, asked.game, asked.start, asked.moves)


@router.post("/tree")
async def grow(asked: messages.TreeAsked) -> messages.Tree:
    """Every position of a game with its variations."""
    return await asyncio.to_thread(tree, asked.game, asked.start, asked.branches)


@router.post("/import")
async def read(asked: messages.ImportAsked) -> Imported:
    """A game or a position that somebody pasted: PGN, FEN, SGF or text."""
    faces.get(asked.game)
    return await asyncio.to_thread(notation.read, asked.game, asked.text, asked.any_game)


@router.post("/write")
async def write(asked: messages.TreeAsked) -> messages.Written:
    """A game with its variations, as other programs read it."""
    faces.get(asked.game)
    return await asyncio.to_thread(notation.write_tree, asked.game, asked.start, asked.branches)


@router.post("/setup")
async def arrange(asked: messages.SetupAsked) -> messages.Arranged:
    """The text of a position put on a board by hand, if it is a legal one."""
    face = faces.get(asked.game)
    men = [Man(man.cell, man.kind, man.seat) for man in asked.men]
    state = games.get(asked.game).start(face.arrange(men, asked.turn))
    return messages.Arranged(position=str(state))


# --- thinking aloud -----------------------------------------------------------------------------------


class Think(Asked):
    do: Literal["think"]
    game: messages.Name
    player: messages.Name
    start: messages.PositionText | None = None
    moves: messages.Moves = Field(default_factory=list)
    lines: Annotated[int, Field(ge=1, le=8)] = 3
    seconds: Annotated[float, Field(gt=0, le=600, strict=False)] = 10
    number: Annotated[int, Field(ge=0)] = 0
    """Comes back with every answer: one that was on its way when the position changed is known by it."""


class Stop(Asked):
    do: Literal["stop"]


Wish = Annotated[Think | Stop, Field(discriminator="do")]
_wish: TypeAdapter[Wish] = TypeAdapter(Wish)


class LineTold(Told):
    depth: int | None
    nodes: int
    seconds: float
    value: list[float]
    score: float | None
    wins_in: int | None
    moves: list[str]
    labels: list[str]
    first: Step | None


class ThoughtTold(Told):
    """What a player thinks so far."""

    type: Literal["thought"] = "thought"
    lines: list[LineTold]
    number: int


class ChoiceTold(Told):
    """What it would play in the end, and how it shares its belief among the moves."""

    type: Literal["choice"] = "choice"
    move: Step
    label: str
    value: list[float]
    nodes: int
    shares: list[tuple[Step, float]]
    number: int


class Analyst:
    """One browser that lets players think aloud, one position at a time."""

    def __init__(self, socket: WebSocket, engines: Engines, tables: Tables) -> None:
        self._socket = socket
        self._engines = engines
        self._tables = tables
        self._thinking: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    async def serve(self) -> None:
        bucket = Bucket(10.0, 60.0)
        try:
            while True:
                text = await next_text(self._socket)
                if not bucket.take() or len(text) > _LONGEST:
                    await self._socket.close(1008, "too many or too long messages")
                    return
                try:
                    await self._obey(_wish.validate_json(text))
                except ValidationError:
                    await self._complain("that message cannot be read")
        except (WebSocketDisconnect, RuntimeError):
            pass  # It has gone, perhaps while something was being sent.
        finally:
            await self._stop()

    async def _obey(self, wish: Wish) -> None:
        await self._stop()
        if isinstance(wish, Think):
            self._thinking = asyncio.create_task(self._think(wish))

    async def _stop(self) -> None:
        thinking, self._thinking = self._thinking, None
        if thinking is not None:
            thinking.cancel()
            with suppress(asyncio.CancelledError):
                await thinking

    async def _think(self, wish: Think) -> None:
        try:
            await self._answer(wish)
        except Resignation:
            await self._complain(f"{wish.player} would resign here")
        except RookeryError as error:
            await self._complain(str(error))

    async def _answer(self, wish: Think) -> None:
        face, state = faces.get(wish.game), games.get(wish.game).start(wish.start)
        for text in wish.moves:
            state = state.play(state.parse(text))
        if state.outcome():
            raise RookeryError("the game is over here; there is nothing to think about")
        if state.spec.hidden:
            raise HiddenInformation("a game with hidden pieces cannot be analysed here")
        newest: asyncio.Queue[Lines] = asyncio.Queue()
        talking = asyncio.create_task(self._talk(newest, face, state, wish.number))
        question = Question(
            "move",
            wish.game,
            wish.start,
            wish.moves,
            state.seat,
            unbounded(wish.player),
            limit={"time": wish.seconds, "lines": wish.lines, "analyse": True},
        )
        try:
            reply = await self._engines.ask(question, wish.seconds + _LATE, newest.put_nowait)
        finally:
            talking.cancel()
        lines: Lines = []
        while not newest.empty():
            lines = newest.get_nowait()
        if lines:
            await self._say(lines, face, state, wish.number)
        await self._conclude(reply, face, state, wish.number)

    async def _talk(self, newest: asyncio.Queue[Lines], face: Face, state: State, number: int) -> None:
        while True:
            lines = await newest.get()
            while not newest.empty():
                lines = newest.get_nowait()
            await self._say(lines, face, state, number)

    async def _say(self, lines: Lines, face: Face, state: State, number: int) -> None:
        await self._send(ThoughtTold(lines=[_line(line, face, state) for line in lines], number=number))

    async def _conclude(self, reply: dict[str, Any], face: Face, state: State, number: int) -> None:
        shares = [(face.step(text), share) for text, share in reply["policy"].items()]
        await self._send(
            ChoiceTold(
                move=face.step(reply["move"]),
                label=face.label(state, reply["move"]),
                value=reply["value"],
                nodes=reply["nodes"],
                shares=shares,
                number=number,
            )
        )

    async def _complain(self, text: str) -> None:
        await self._send(messages.ErrorTold(text=text))

    async def _send(self, told: Told) -> None:
        async with self._sending:
            await self._socket.send_json(told.model_dump())


def unbounded(player: str) -> str:
    """The same player without the bounds of its name: how long it thinks is said beside it here."""
    if PlayerName.parse(player).external:
        return player
    return players.vary(player, dict.fromkeys(players.bounds(player)))


def _line(line: dict[str, Any], face: Face, state: State) -> LineTold:
    labels = []
    for text in line["moves"]:
        labels.append(face.label(state, text))
        state = state.play(state.parse(text))
    first = face.step(line["moves"][0]) if line["moves"] else None
    return LineTold(**line, labels=labels, first=first)


@router.websocket("/analyse")
async def analyse(socket: WebSocket) -> None:
    """Players thinking aloud."""
    await socket.accept()
    studio = socket.app.state.studio
    waking = asyncio.create_task(studio.analysts.warm())
    await Analyst(socket, studio.analysts, studio.tables).serve()
    await waking


class ExplainAsked(messages.LineAsked):
    player: messages.Name


class Preferred(Told):
    """A move among those that knowledge compares."""

    label: str
    sure: list[float]
    """The probability that it is preferred to each of them, in their order."""


class Explained(Told):
    """What knowledge sees at a glance."""

    value: list[float]
    features: list[tuple[str, float]]
    """What is there, and what it counts for whoever is to move; the weightiest first."""
    map: dict[str, float]
    """In Go: the value, for whoever is to move, of a stone on each point."""
    preferences: list[Preferred]
    """Where the knowledge compares positions: its moves, the best first."""


@router.post("/explain")
async def explain(asked: ExplainAsked, request: Request) -> Explained:
    """What a player's knowledge sees in a position, without thought."""
    face = faces.get(asked.game)
    question = Question("explain", asked.game, asked.start, asked.moves, 0, asked.player)
    reply = await request.app.state.studio.analysts.ask(question, _LATE)
    steps = [(face.step(text), value) for text, value in reply["map"].items()]
    points = {step.to: value for step, value in steps if step.to and step.start is None}
    preferences = []
    if reply["preferences"]:
        state = games.get(asked.game).start(asked.start)
        for text in asked.moves:
            state = state.play(state.parse(text))
        preferences = [
            Preferred(label=face.label(state, text), sure=sure) for text, sure in reply["preferences"]
        ]
    return Explained(value=reply["value"], features=reply["features"], map=points, preferences=preferences)


# --- what a player would believe in your chair --------------------------------------------------------


class BeliefAsked(Asked):
    player: messages.Name
    secret: messages.Secret


@router.post("/tables/{table}/belief")
async def belief(table: str, asked: BeliefAsked, request: Request) -> messages.BeliefTold:
    """How likely a player in your chair would hold it that a hidden piece stands on each square."""
    studio = request.app.state.studio
    found = studio.tables.get(table)
    seats = found.seats_of([asked.secret])
    if not seats:
        raise HiddenInformation("only who holds a seat may ask what could be known there")
    moves = [text for text, _ in found.kept.moves]
    question = Question("belief", found.kept.game, found.kept.start, moves, seats[0], asked.player)
    reply = await studio.analysts.ask(question, _LATE)
    return messages.BeliefTold(chances=reply["chances"], kinds=reply["kinds"])

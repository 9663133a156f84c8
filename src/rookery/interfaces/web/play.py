"""Tables over the wire: HTTP to lay and find them, a WebSocket to play at one."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, WebSocket, WebSocketDisconnect
from fastapi.responses import PlainTextResponse
from pydantic import ValidationError

from rookery.api import Seat
from rookery.errors import HiddenInformation, RookeryError
from rookery.interfaces.web import messages, notation
from rookery.interfaces.web.guard import Bucket, TooMany
from rookery.interfaces.web.messages import Created, EstimateTold, HintAsked, HintTold, Replay, TableAsked
from rookery.interfaces.web.show import replay, show
from rookery.interfaces.web.table import Refused, Table
from rookery.interfaces.web.tables import Tables
from rookery.interfaces.web.wire import next_text

router = APIRouter(prefix="/api/tables")
TableName = Annotated[str, Path(min_length=1, max_length=40)]
_RATE, _BURST = 20.0, 60.0
"""Messages a second that one browser may send, and how many at once."""
_LONGEST = 16_384
"""Characters of a message."""
_FAULTS = 20
"""Messages that could not be read, after which a connection is closed."""


def _tables(request: Request | WebSocket) -> Tables:
    found: Tables = request.app.state.studio.tables
    return found


@router.post("", status_code=201)
async def create(asked: TableAsked, request: Request) -> Created:
    """Lay a table. Who gets this answer holds the seats that its secrets open."""
    if not request.app.state.studio.laying.take(request.client.host if request.client else ""):
        raise TooMany("too many new games; wait a moment")
    return await _tables(request).create(asked)


def revealed(table: Table) -> Table:
    """A table at which nothing is hidden, or nothing any more.

    Raises:
        HiddenInformation: the game goes on, and each seat may know its own view alone.
    """
    if table.spec.hidden and table.outcome() is None:
        raise HiddenInformation("the board is the referee's secret until the game is over")
    return table


@router.get("/{table}/replay")
async def all_frames(table: TableName, request: Request) -> Replay:
    """Every position of a game that hides nothing, or nothing any more."""
    found = revealed(_tables(request).get(table))
    moves = [text for text, _ in found.kept.moves]
    return await asyncio.to_thread(replay, found.kept.game, found.kept.start, moves, found.outcome())


@router.get("/{table}/export", response_class=PlainTextResponse)
async def export(table: TableName, request: Request) -> PlainTextResponse:
    """The game as PGN, SGF or text."""
    found = revealed(_tables(request).get(table))
    text, suffix = notation.write(found)
    disposition = f'attachment; filename="{found.kept.game}-{found.id}.{suffix}"'
    return PlainTextResponse(text, headers={"content-disposition": disposition})


@router.post("/{table}/hint")
async def hint(table: TableName, asked: HintAsked, request: Request) -> HintTold:
    """What the usual player would do in your seat, from what that seat may know."""
    found = _tables(request).get(table)
    seats = found.seats_of([asked.secret])
    if not seats:
        raise Refused("only who holds a seat may ask for a hint")
    text = await found.hint(seats)
    step = found.face.step(text)
    return HintTold(text=text, label=found.face.label(found.state, text), start=step.start, to=step.to)


@router.post("/{table}/estimate")
async def estimate(table: TableName, asked: HintAsked, request: Request) -> EstimateTold:
    """Who leads a game of Go."""
    found = _tables(request).get(table)
    if not found.seats_of([asked.secret]):
        raise Refused("only who holds a seat may ask for an estimate")
    return await found.estimate()


# --- the table itself ---------------------------------------------------------------------------------


class Browser:
    """One connection to a table."""

    def __init__(self, socket: WebSocket, table: Table) -> None:
        self._socket = socket
        self._table = table
        self._seats: tuple[Seat, ...] = ()
        self._news = asyncio.Event()
        self._told: dict[str, Any] = {}
        self._sending = asyncio.Lock()

    async def serve(self) -> None:
        """Until it goes away."""
        telling = asyncio.create_task(self._tell())
        try:
            await self._listen()
        except (WebSocketDisconnect, RuntimeError):
            pass  # It has gone, perhaps while something was being sent.
        finally:
            self._table.unwatch(self._news.set)
            telling.cancel()
            with suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await telling

    async def _listen(self) -> None:
        bucket, faults = Bucket(_RATE, _BURST), 0
        while True:
            text = await next_text(self._socket)
            if not bucket.take():
                await self._socket.close(1008, "too many messages")
                return
            try:
                if len(text) > _LONGEST:
                    raise Refused("that message is too long")
                await self._obey(messages.said.validate_json(text))
            except ValidationError:
                faults += 1
                await self._send(messages.ErrorTold(text="that message cannot be read").model_dump())
            except RookeryError as error:
                await self._send(messages.ErrorTold(text=str(error)).model_dump())
            if faults > _FAULTS:
                await self._socket.close(1008, "too many messages that cannot be read")
                return

    async def _obey(self, asked: messages.Said) -> None:
        table = self._table
        if isinstance(asked, messages.Sit):
            self._seats = table.seats_of(asked.secrets)
            self._told = {}
            table.watch(self._news.set, self._seats)
            self._news.set()
            return
        if isinstance(asked, messages.Ping):
            await self._send(messages.Pong().model_dump())
            return
        seat = self._seat(getattr(asked, "seat", None))
        match asked:
            case messages.Move():
                table.move(seat, asked.text)
            case messages.Undo():
                table.undo(seat, self._seats)
            case messages.Resign():
                table.resign(seat)
            case messages.Draw():
                table.offer_draw(seat, self._seats)
            case messages.Answer():
                table.answer(self._seats, asked.yes)
            case messages.Rematch():
                table.invite_again(asked.table, asked.invitations)
            case messages.Call():
                table.call(self._seats, asked.name)
            case messages.Retry():
                table.retry()
            case messages.Mark():
                table.mark(asked.cell)
            case messages.Agree():
                table.agree(self._seats, asked.number)
            case messages.Resume():
                table.resume()

    def _seat(self, asked: Seat | None) -> Seat:
        """For whom a browser speaks: whoever it says, else whose turn it is, else its first seat."""
        if not self._seats:
            raise Refused("you are watching; only who holds a seat can play")
        if asked is not None and asked not in self._seats:
            raise Refused("somebody else sits there")
        turn = self._table.state.seat
        return asked if asked is not None else turn if turn in self._seats else self._seats[0]

    async def _tell(self) -> None:
        """Send what has changed. What cannot be sent fast enough is skipped: the newest counts."""
        while True:
            await self._news.wait()
            self._news.clear()
            shown = show(self._table, self._seats).model_dump()
            # Clocks tick by themselves: that alone is no news, and in some games must not be.
            known = {**shown, "seats": [{**seat, "clock": None} for seat in shown["seats"]]}
            if known != self._told:
                self._told = known
                await self._send(shown)

    async def _send(self, message: dict[str, Any]) -> None:
        async with self._sending:
            await self._socket.send_json(message)


@router.websocket("/{table}/play")
async def play(socket: WebSocket, table: str) -> None:
    """A seat at a table, or a place beside it."""
    await socket.accept()
    try:
        found = _tables(socket).get(table)
    except RookeryError as error:
        await socket.send_json(messages.ErrorTold(text=str(error)).model_dump())
        await socket.close(1008)
        return
    await Browser(socket, found).serve()

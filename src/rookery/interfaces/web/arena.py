"""Matches and tournaments, held by the arena in processes of their own and read from their records."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Request
from fastapi import Path as InPath
from pydantic import Field

from rookery import durable, games, opponents
from rookery.arena import record as records
from rookery.arena.contest import Contest
from rookery.arena.match import judge
from rookery.arena.record import Played
from rookery.arena.tournament import TournamentResult
from rookery.errors import RecordMismatch, RookeryError, UnknownName, describe, quote
from rookery.interfaces.web import faces
from rookery.interfaces.web.jobs import BOUNDED, Jobs
from rookery.interfaces.web.messages import Asked, Name, OutcomeShown, Replay, Told
from rookery.interfaces.web.permits import Permits
from rookery.interfaces.web.show import outcome_shown, replay

router = APIRouter(prefix="/api/contests")
ContestName = Annotated[str, InPath(max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
_SHOWN = 500
"""Games that are listed of a contest, the newest."""


class ContestAsked(Asked):
    game: Name
    players: Annotated[list[Name], Field(min_length=2, max_length=12)]
    games: Annotated[int, Field(ge=2, le=100_000)] = 20
    seconds: Annotated[float, Field(ge=0.001, le=60, strict=False)] | None = None
    nodes: Annotated[int, Field(ge=1, le=10**9)] | None = None
    depth: Annotated[int, Field(ge=1, le=64)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0


class ContestListed(Told):
    name: str
    game: str
    players: list[str]
    titles: list[str]
    """What people call them; where two would be called the same, their names."""
    planned: int | None
    running: bool
    failure: str | None


class GameListed(Told):
    number: int
    seats: list[str]
    moves: int
    """As people of the game count them: each by itself, or rounds of them."""
    outcome: OutcomeShown


class ContestShown(ContestListed):
    title: str
    played: int
    result: dict[str, Any] | None
    """As `rookery record show --json` gives it."""
    games: list[GameListed]


class Arena:
    """The contests of the studio, one file each."""

    def __init__(self, folder: Path, permits: Permits, jobs: Jobs) -> None:
        self._folder = folder
        self._permits = permits
        self._jobs = jobs
        # A match is held in two processes: one that keeps the record, and one in which players think.
        self._command = (*BOUNDED, str(permits.budget.job // 2))
        self._read: dict[str, tuple[int, dict[str, Any], list[Played]]] = {}

    async def start(self, asked: ContestAsked) -> str:
        faces.get(asked.game)
        self._permits.match(asked.players)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            number = 1
            while (self._folder / f"{asked.game}-{number}.json").exists():
                number += 1
            name = f"{asked.game}-{number}"
            durable.write(self._folder / f"{name}.json", json.dumps(asked.model_dump()))
        except OSError as error:
            raise RookeryError(f"the match cannot be kept: {describe(error)}") from None
        await self.resume(name)
        return name

    async def resume(self, name: str) -> None:
        asked = self._plan(name)
        self._permits.match(asked.players)
        verb = "match" if len(asked.players) == 2 else "tournament"
        arguments = [verb, asked.game, *asked.players, "--games", str(asked.games), "--seed", str(asked.seed)]
        for option, value in (
            ("--movetime", asked.seconds),
            ("--nodes", asked.nodes),
            ("--depth", asked.depth),
        ):
            arguments += [option, str(value)] if value is not None else []
        path = self._folder / f"{name}.jsonl"
        arguments += ["--workers", "1", "--record", str(path), "--json"]
        await self._jobs.start(f"match-{name}", [*self._command, *arguments])

    def stop(self, name: str) -> None:
        """Break it off; what was played is in its record.

        Raises:
            RookeryError: it is not being held.
        """
        self._jobs.stop(f"match-{name}")

    def names(self) -> list[str]:
        """The newest first."""
        found: dict[str, float] = {}
        for path in self._folder.glob("*.json*"):
            if path.suffix in (".json", ".jsonl") and re.fullmatch(r"[A-Za-z0-9][\w-]*", path.stem):
                with suppress(OSError):
                    found[path.stem] = max(found.get(path.stem, 0.0), path.stat().st_mtime)
        return sorted(found, key=lambda name: -found[name])

    def listed(self, name: str) -> ContestListed:
        """How it stands; one whose files are damaged says so."""
        key = f"match-{name}"
        job = self._jobs.get(key)
        planned, failure = None, job.failure if job else None
        try:
            asked = self._plan(name)
            game, players, planned = asked.game, asked.players, asked.games
            planned *= len(players) * (len(players) - 1) // 2
        except RookeryError as error:
            header, _ = self.read(name)
            game, players = str(header.get("game", "")), [str(each) for each in header.get("entrants", [])]
            if game not in games.names():
                game, failure = "", str(error) if isinstance(error, RecordMismatch) else "no record of games"
        running = self._jobs.running(key)
        return ContestListed(
            name=name,
            game=game,
            players=players,
            titles=_titles(game, players) if game else players,
            planned=planned,
            running=running,
            failure=failure,
        )

    def read(self, name: str) -> tuple[dict[str, Any], list[Played]]:
        """What has been recorded so far; nothing, if that cannot be read.

        Raises:
            UnknownName: there is no such contest.
        """
        if name not in self.names():
            raise UnknownName(f"there is no contest called {name!r}")
        path = self._folder / f"{name}.jsonl"
        try:
            size = path.stat().st_size
            if name not in self._read or self._read[name][0] != size:
                header, played = records.read(path)
                self._read[name] = size, header, played
        except (OSError, RecordMismatch, UnknownName):  # of a game that there is no longer
            return {}, []
        return self._read[name][1:]

    def _plan(self, name: str) -> ContestAsked:
        path = self._folder / f"{name}.json"
        if not path.is_file():
            raise UnknownName(f"there is no contest called {name!r}")
        try:
            asked = ContestAsked.model_validate_json(path.read_bytes())
        except (OSError, ValueError):
            raise RecordMismatch(f"its plan, {path.name}, is damaged") from None
        if asked.game not in games.names():
            raise RecordMismatch(f"its plan, {path.name}, is of {quote(asked.game)}, which is no game here")
        return asked


def _titles(game: str, names: list[str]) -> list[str]:
    titles = [opponents.meet(name, games.get(game)).title for name in names]
    return [title if titles.count(title) == 1 else name for title, name in zip(titles, names, strict=True)]


def _arena(request: Request) -> Arena:
    found: Arena = request.app.state.studio.arena
    return found


def _result(header: dict[str, Any], played: list[Played]) -> dict[str, Any] | None:
    if not played:
        return None
    contest = Contest.recorded(header, max(1, len(played)))
    ordered = records.order(played)
    if len(contest.entrants) == 2:
        return judge(contest, ordered).json()
    table = TournamentResult.empty(contest)
    for game in ordered:
        table.add(game)
    return table.json()


def _show(arena: Arena, name: str) -> ContestShown:
    listed = arena.listed(name)
    if not listed.game:
        raise RecordMismatch(f"{name} cannot be shown: {listed.failure}")
    header, played = arena.read(name)
    spec = games.get(listed.game).spec
    together = 1 if faces.get(listed.game).look.every_move_counts else spec.seats
    shown = []
    for number, game in list(enumerate(played))[-_SHOWN:]:
        outcome = outcome_shown(spec, game.record.outcome)
        assert outcome is not None
        shown.append(
            GameListed(
                number=number,
                seats=list(game.record.players),
                moves=ceil(game.record.plies / together),
                outcome=outcome,
            )
        )
    return ContestShown(
        **listed.model_dump(),
        title=spec.title,
        played=len(played),
        result=_result(header, played),
        games=shown[::-1],
    )


@router.get("")
async def list_contests(request: Request) -> list[ContestListed]:
    """Every match and tournament, the newest first."""
    arena = _arena(request)
    return [arena.listed(name) for name in arena.names()[:50]]


@router.post("", status_code=201)
async def start(asked: ContestAsked, request: Request) -> ContestListed:
    """Begin a match (two players) or a tournament (more)."""
    studio = request.app.state.studio
    spelt = [await studio.tables.spell(player, asked.game) for player in asked.players]
    name = await studio.arena.start(asked.model_copy(update={"players": spelt}))
    listed: ContestListed = studio.arena.listed(name)
    return listed


@router.get("/{contest}")
async def look(contest: ContestName, request: Request) -> ContestShown:
    """How it stands."""
    return await asyncio.to_thread(_show, _arena(request), contest)


@router.post("/{contest}/stop")
async def stop(contest: ContestName, request: Request) -> ContestListed:
    """Break it off; `resume` goes on."""
    arena = _arena(request)
    arena.listed(contest)
    arena.stop(contest)
    return arena.listed(contest)


@router.post("/{contest}/resume")
async def resume(contest: ContestName, request: Request) -> ContestListed:
    """Go on where it was broken off."""
    arena = _arena(request)
    await arena.resume(contest)
    return arena.listed(contest)


@router.get("/{contest}/games/{number}")
async def game(contest: ContestName, number: Annotated[int, InPath(ge=0)], request: Request) -> Replay:
    """Every position of one game."""
    _, played = _arena(request).read(contest)
    if number >= len(played):
        raise RookeryError(f"there is no game {number}; {len(played)} have been played")
    record = played[number].record
    return await asyncio.to_thread(replay, record.game, record.start, record.moves, record.outcome)

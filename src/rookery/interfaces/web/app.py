"""The studio as an ASGI application: what can be asked of it, and the page itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from rookery import __version__
from rookery.errors import EngineError, RookeryError, UnknownName, describe
from rookery.interfaces.web import analysis, arena, catalogue, doorway, known, library, papers, play, training
from rookery.interfaces.web.access import Access
from rookery.interfaces.web.budget import Budget
from rookery.interfaces.web.connections import calmly
from rookery.interfaces.web.doorway import STATIC
from rookery.interfaces.web.engines import Engines, WrongQuestion
from rookery.interfaces.web.guard import FAILED, App, Buckets, Guard, TooMany
from rookery.interfaces.web.jobs import Jobs
from rookery.interfaces.web.permits import Permits
from rookery.interfaces.web.store import Store
from rookery.interfaces.web.tables import Tables
from rookery.names import PlayerName

_LAYING, _LAYING_BURST = 2.0, 300.0
"""New tables a second from one address, and how many at once."""
_KNOWING = 2
"""Questions about what can be known that are answered side by side; who comes later waits."""
_PARTS = (doorway, catalogue, library, play, known, analysis, arena, training, papers)
ROUTERS = (*(part.router for part in _PARTS), catalogue.public)
"""Everything that can be asked."""


@dataclass(frozen=True)
class Settings:
    """Where the studio keeps things, and how it behaves."""

    folder: Path
    """For its own store."""
    runs: Path
    """Where training happens: one folder a run."""
    records: Path
    """Where matches are recorded."""
    reports: Path
    """Where reports of reproduced papers lie."""
    token: str | None
    """What its owner brings; None: everybody may do everything, which only tests want."""
    key: str
    """Of which links for guests are made."""
    engines: tuple[PlayerName, ...] = ()
    """Programs of other people that may play here."""
    hosts: tuple[str, ...] = ()
    """Names besides localhost under which it may be reached."""
    addresses: tuple[str, ...] = ()
    """Where others reach it; none: only this machine does."""
    pace: float = 0.35
    """Least seconds between two moves that no person makes, so that people can follow them."""
    rate: float = 100.0
    """Requests a second from one address."""
    burst: float = 400.0


class Studio:
    """Everything that lives as long as the server."""

    def __init__(self, settings: Settings, access: Access, store: Store) -> None:
        self.settings = settings
        self.access = access
        budget = self.budget = Budget.here()
        self.store = store
        self.laying = Buckets(_LAYING, _LAYING_BURST)
        permits = self.permits = Permits(settings.runs, budget, settings.engines)
        few = min(budget.cores, budget.players)
        self.engines = Engines(permits.player, few, budget.players, budget.worker, runs=settings.runs)
        # Analysis goes on until it is stopped, so it must not stand in the way of those who play.
        self.analysts = Engines(permits.player, 1, budget.analysts, budget.worker, 5, settings.runs)
        self.knowing = asyncio.Semaphore(_KNOWING)
        self.tables = Tables(self.store, self.engines, settings.pace)
        self.jobs = Jobs(settings.folder / "jobs", settings.runs, budget.jobs)
        self.arena = arena.Arena(settings.records, permits, self.jobs)
        self.runs = training.Runs(settings.runs, permits, self.jobs)

    async def close(self) -> None:
        self.tables.close()
        await asyncio.gather(self.engines.close(), self.analysts.close(), self.jobs.close())
        self.store.close()


def create(settings: Settings) -> App:
    """The application, with its guard before it.

    Raises:
        RookeryError: its folders or its store cannot be used.
    """
    access = Access(settings.token, settings.key)
    try:
        settings.runs.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RookeryError(f"{describe(error)}; name another folder by --runs") from None
    store = Store(settings.folder / "studio.sqlite3")

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(calmly)
        app.state.studio = studio = Studio(settings, access, store)
        warming = asyncio.create_task(studio.engines.warm())
        yield
        await asyncio.gather(warming, return_exceptions=True)
        await studio.close()

    app = FastAPI(title="Rookery studio", version=__version__, lifespan=life, docs_url=None, redoc_url=None)
    for router in ROUTERS:
        app.include_router(router)
    _add_errors(app)

    app.mount("/", StaticFiles(directory=STATIC), name="static")
    return Guard(app, access, settings.hosts, settings.rate, settings.burst)


def _add_errors(app: FastAPI) -> None:
    """Whatever goes wrong is one sentence."""

    @app.exception_handler(RookeryError)
    async def rookery_error(request: Request, error: RookeryError) -> JSONResponse:
        failed = isinstance(error, EngineError) and not isinstance(error, WrongQuestion)
        status = 404 if isinstance(error, UnknownName) else 503 if failed else 400
        status = 429 if isinstance(error, TooMany) else status
        return JSONResponse({"error": str(error)}, status)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return JSONResponse({"error": first_fault(error.errors())}, 422)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> JSONResponse:
        # It goes on to the guard, which writes it to the log.
        return JSONResponse({"error": FAILED}, 500)


def first_fault(faults: Iterable[Any]) -> str:
    """What is wrong with a message, in one line."""
    for fault in faults:
        where = ".".join(str(part) for part in fault["loc"] if part != "body")
        return f"{where}: {fault['msg']}" if where else str(fault["msg"])
    return "this message cannot be read"

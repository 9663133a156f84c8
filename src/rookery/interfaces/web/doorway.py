"""The way in: the page itself, the token, and the links that let guests to one table."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi import Path as InPath
from fastapi.responses import HTMLResponse
from pydantic import Field

from rookery.interfaces.web.access import Access
from rookery.interfaces.web.messages import Asked, ClaimAsked, Claimed, Secret, Told

STATIC = Path(str(files("rookery.interfaces.web") / "static"))
router = APIRouter()
TableName = Annotated[str, InPath(min_length=1, max_length=40)]


class TokenAsked(Asked):
    token: Annotated[str, Field(max_length=200)]


class EnterAsked(Asked):
    watch: Secret | None = None
    """Of a watch link; None: the browser may have followed one before."""


class Entered(Told):
    granted: bool


class Link(Told):
    watch: str


def _access(request: Request) -> Access:
    found: Access = request.app.state.studio.access
    return found


@cache
def _page() -> str:
    return (STATIC / "index.html").read_text(encoding="utf-8")


@router.get("/", include_in_schema=False)
async def page(request: Request) -> HTMLResponse:
    """The page. It is told whether it is the owner's, and where others can reach it."""
    settings = request.app.state.studio.settings
    who = "owner" if _access(request).owns(request.scope, request.headers) else "guest"
    share = escape(settings.addresses[0] if settings.addresses else "", quote=True)
    return HTMLResponse(_page().replace("<html ", f'<html data-access="{who}" data-share="{share}" ', 1))


@router.post("/api/access")
async def bring_token(asked: TokenAsked, request: Request, response: Response) -> Entered:
    """Let a browser in that brings the token."""
    access = _access(request)
    granted = access.opens(asked.token)
    if granted:
        response.headers["set-cookie"] = access.keep(request.scope)
    return Entered(granted=granted)


@router.post("/api/tables/{table}/enter")
async def enter(table: TableName, asked: EnterAsked, request: Request, response: Response) -> Entered:
    """Whether this browser may look at a table; who brings its watch link may from now on."""
    access = _access(request)
    if asked.watch is not None and access.grants(table, asked.watch):
        response.headers["set-cookie"] = access.admit(request.scope, table)
        return Entered(granted=True)
    known = access.owns(request.scope, request.headers) or access.visits(
        table, request.scope, request.headers
    )
    return Entered(granted=known)


@router.post("/api/tables/{table}/claim")
async def claim(table: TableName, asked: ClaimAsked, request: Request, response: Response) -> Claimed:
    """Take the seat to which somebody was invited."""
    seat, secret = request.app.state.studio.tables.get(table).claim(asked.invitation)
    response.headers["set-cookie"] = _access(request).admit(request.scope, table)
    return Claimed(seat=seat, secret=secret)


@router.get("/api/tables/{table}/link")
async def link(table: TableName, request: Request) -> Link:
    """What others need to watch."""
    request.app.state.studio.tables.get(table)
    return Link(watch=_access(request).link(table))

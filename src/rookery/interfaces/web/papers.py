"""The reports of reproduced papers, shipped ones and one's own: Markdown, with pictures beside it.

A report links to pages of the documentation, which are shown too where the repository is there.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi import Path as InPath
from fastapi.responses import FileResponse

from rookery.errors import UnknownName
from rookery.interfaces.web.messages import Told
from rookery.papers import SHIPPED
from rookery.papers.report import summary_of

router = APIRouter(prefix="/api/papers")
Name = Annotated[str, InPath(max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
_ROOT = Path(__file__).parents[4]
"""Of the repository, if this is run from one."""
_PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}


class Paper(Told):
    name: str
    title: str
    summary: str | None
    """How much of it was reproduced."""
    shipped: bool
    """Whether it comes with Rookery."""
    changed: float


class Report(Told):
    name: str
    text: str
    pages: tuple[str, ...] = ()
    """Pages of the documentation that it may lead to."""


def _reports(request: Request) -> dict[str, Path]:
    """Reports by name. Only what is found here is ever opened, whatever the page asks for."""
    folder: Path = request.app.state.studio.settings.reports
    found = {path.parent.name: path for path in sorted(SHIPPED.glob("*/report.md"))}
    if folder.is_dir():
        found |= {path.stem: path for path in sorted(folder.glob("*.md"))}
        found |= {path.parent.name: path for path in sorted(folder.glob("*/report.md"))}
        found |= {path.parent.name: path for path in sorted(folder.glob("*/README.md"))}
    # A link that points nowhere is no report.
    return {name: path for name, path in found.items() if path.is_file()}


def _listed(name: str, path: Path) -> Paper:
    text = path.read_text(encoding="utf-8", errors="replace")
    title = next((line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#")), name)
    shipped = path.is_relative_to(SHIPPED)
    return Paper(
        name=name, title=title, summary=summary_of(text), shipped=shipped, changed=path.stat().st_mtime
    )


def _find(request: Request, name: str) -> Path:
    found = _reports(request)
    if name not in found:
        raise UnknownName(f"there is no report called {name!r}")
    return found[name]


@router.get("")
async def list_papers(request: Request) -> list[Paper]:
    """The reports that exist."""
    found = []
    for name, path in _reports(request).items():
        with suppress(OSError):  # One that cannot be read is left out.
            found.append(_listed(name, path))
    return found


def _pages() -> dict[str, Path]:
    """The pages of the documentation by their place in the repository; none where only the package is."""
    if not (_ROOT / "pyproject.toml").is_file():
        return {}
    return {path.relative_to(_ROOT).as_posix(): path for path in sorted(_ROOT.glob("docs/**/*.md"))}


@router.get("/docs/{page:path}")
async def page(page: Annotated[str, InPath(max_length=120)]) -> Report:
    """A page of the documentation, as Markdown."""
    name = f"docs/{page}"
    found = _pages()
    if name not in found:
        raise UnknownName(f"there is no page called {name!r}")
    return Report(name=name, text=found[name].read_text(encoding="utf-8", errors="replace"))


@router.get("/{name}")
async def report(name: Name, request: Request) -> Report:
    """A report, as Markdown."""
    text = _find(request, name).read_text(encoding="utf-8", errors="replace")
    return Report(name=name, text=text, pages=tuple(page for page in _pages() if page in text))


@router.get("/{name}/{picture}", response_class=FileResponse)
async def picture(name: Name, picture: Name, request: Request) -> FileResponse:
    """A picture that lies beside a report."""
    beside = {path.name: path for path in _find(request, name).parent.iterdir() if path.suffix in _PICTURES}
    if picture not in beside:
        raise UnknownName(f"there is no picture called {picture!r}")
    return FileResponse(beside[picture], media_type=_PICTURES[beside[picture].suffix])

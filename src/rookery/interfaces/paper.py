"""The command `paper`."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from rookery.errors import BadOption
from rookery.interfaces.arena.progress import clock
from rookery.interfaces.signals import leaving_in_order
from rookery.interfaces.writing import print_table, write_json

if TYPE_CHECKING:
    from rookery.papers import Paper
    from rookery.papers.study import Progress

_LINE_EVERY = 10.0
"""Seconds between two lines where stderr is no terminal."""


def paper(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="A paper; without it they are listed.")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A small version of everything, in minutes; the default.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="All of it, at the paper's size.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Output folder; default papers/NAME-quick or -full."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Processes; default one per core.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same figures.")] = 1,
    data: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=DIR",
            help="A folder of data that the full study needs; once given, it is remembered.",
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="STAGE", help="Skip this stage; the report says what is missing."),
    ] = None,
    unpack: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Start with the finished work in this archive, written by --pack."),
    ] = None,
    pack: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what is finished to a .tar.xz archive, after Ctrl-C too."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")] = False,
) -> None:
    """Reproduce the tables and figures of a paper and compare them with it. The same command resumes."""
    import os

    from rookery import papers
    from rookery.papers import archive
    from rookery.papers.report import noted
    from rookery.papers.study import Study

    if name is None:
        _list(as_json)
        return
    found = papers.get(name)
    if quick and full:
        raise BadOption("--quick and --full exclude each other; give one of them")
    given, left_out = _data(found, data or []), _stages(found, without or [])
    size = "full" if full else "quick"
    folder = out or Path("papers") / f"{name}-{size}"
    told = _Told()
    with Study(folder, workers or os.cpu_count() or 1, told.progress, commit(), left_out) as study:
        for each, place in given.items():
            study.lend(each, place)
        if unpack:
            archive.unpack(unpack, folder)
        try:
            with leaving_in_order():
                report = found.reproduce(study, full, seed)
        except KeyboardInterrupt:
            lies = f"in {folder}"
            if pack:
                archive.pack(folder, pack)
                lies += f" and in {pack}"
            typer.echo(f"rookery: what is finished lies {lies}; the same command goes on", err=True)
            raise typer.Exit(1) from None
        finally:
            told.close()
        command = f"rookery paper {name} --{size} --seed {seed}" + (
            f" --out {shlex.quote(str(out))}" if out else ""
        )
        command += "".join(f" --without {stage}" for stage in left_out)
        report.facts = {
            "command": f"`{command}`",
            "seed": str(seed),
            "written by": commit(),
            "pieces made by": "; ".join(f"{by} ({n})" for by, n in known(study.commits).most_common()),
            "machines": "; ".join(f"{on} ({n})" for on, n in study.machines.most_common()),
            "time": f"{clock(study.seconds)} of work in all pieces; last session {clock(study.sitting)}",
        } | report.facts
        report.changed += noted(folder)
        report.made = [
            (stage, str(did["pieces"]), clock(did["seconds"])) for stage, did in study.stages.items()
        ]
        files = report.write(folder)
        if pack:
            archive.pack(folder, pack)
            files.append(pack)
    if as_json:
        write_json({"paper": name, "size": size, **report.json(), "files": [str(path) for path in files]})
        return
    rows = [(found.what, found.paper, found.ours, found.told) for found in report.findings]
    print_table(("", "paper", "ours", "verdict"), rows)
    typer.echo(f"\n{folder / 'report.md'} and {folder / 'report.html'} are the full report")


def _data(found: Paper, said: list[str]) -> dict[str, Path]:
    """Where the data lie, by name."""
    given = {}
    for each in said:
        name, _, place = each.partition("=")
        if name not in found.data:
            takes = ", ".join(f"{name} ({what})" for name, what in found.data.items()) or "no data"
            raise BadOption(f"--data {each}: this paper takes {takes}")
        if not Path(place).is_dir():
            raise BadOption(f"--data {each}: {place or 'nothing'} is no folder; write {name}=DIR")
        given[name] = Path(place)
    return given


def _stages(found: Paper, said: list[str]) -> list[str]:
    for each in said:
        if each not in found.optional:
            raise BadOption(
                f"--without must be one of {', '.join(found.optional)} (got {each})"
                if found.optional
                else f"--without {each}: no stage of this paper can be skipped"
            )
    return said


def _list(as_json: bool) -> None:
    from rookery.papers import papers

    if as_json:
        listed = [
            {"name": n, "title": p.source.title, "authors": p.source.authors, "about": p.about}
            for n, p in papers().items()
        ]
        write_json({"papers": listed})
    else:
        print_table(
            ("paper", "title", "what is reproduced"),
            [(n, f"{p.source.authors}, {p.source.title}", p.about) for n, p in papers().items()],
        )


def commit() -> str:
    """The commit of the source that runs, if it lies in its repository; else the version."""
    from rookery import __file__ as package
    from rookery import __version__

    folder = Path(package).parent
    if not (folder.parent.parent / ".git").exists():
        return f"rookery {__version__}"
    # `git describe --dirty` takes a lock, which whoever is killed meanwhile leaves behind.
    asked = ["git", "--no-optional-locks", "-C", str(folder)]
    try:
        head, changed = (
            subprocess.run([*asked, *words], capture_output=True, text=True, timeout=10, check=True).stdout
            for words in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "--untracked-files=no"))
        )
    except (OSError, subprocess.SubprocessError):
        return f"rookery {__version__}"
    return f"rookery {__version__}, commit {head.strip()}{'-dirty' if changed else ''}"


def known(made: Counter[str]) -> Counter[str]:
    """How many pieces each commit made; a commit that the history no longer has is an earlier one."""
    from rookery import __file__ as package

    folder = Path(package).parent
    in_repository = (folder.parent.parent / ".git").exists()
    found: Counter[str] = Counter()
    for by, pieces in made.items():
        commit = re.search(r"\b[0-9a-f]{7,40}\b", by)
        lost = in_repository and commit and not _in_history(folder, commit[0])
        found["an earlier commit" if lost else by] += pieces
    return found


def _in_history(folder: Path, commit: str) -> bool:
    asked = ["git", "-C", str(folder), "merge-base", "--is-ancestor", commit, "HEAD"]
    try:
        return subprocess.run(asked, capture_output=True, timeout=10, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return True


class _Told:
    """How far it is, on stderr: a line that renews itself, or a line now and then."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._last = -_LINE_EVERY
        self._stage = ""

    def progress(self, progress: Progress) -> None:
        if not progress.of:  # a stage that is skipped, of which nothing is kept
            return
        line = f"{progress.stage}: {progress.done}/{progress.of}"
        if self._terminal:
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        elif progress.stage != self._stage or monotonic() - self._last >= _LINE_EVERY:
            self._last, self._stage = monotonic(), progress.stage
            print(line, file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._terminal:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

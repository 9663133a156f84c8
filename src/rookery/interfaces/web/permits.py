"""What a page may ask for: the one place where it is decided.

Every player's name on its way to a worker, a match, a training or an analysis passes `Permits`, and so does
every option of a recipe that names a player or a file. So a page can start no program but those that the
owner named when starting the studio, set nothing of them but how far they look and how strong they are, read
no weights but those of the studio's runs and of the zoo, and ask for no more memory or threads than it has.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, get_origin, get_type_hints

from rookery.cards import zoo
from rookery.engines.program import command
from rookery.errors import BadOption, UnknownName, quote
from rookery.interfaces.web.budget import Budget
from rookery.names import PlayerName
from rookery.runs import recipe
from rookery.runs.recipe import Recipe

SPEAKS = {"stockfish": "uci", "fairymax": "xboard", "gnugo": "gtp", "pachi": "gtp"}
"""The protocols of well-known programs; others are named with theirs: `uci:/opt/lc0/lc0`."""

_RUN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_KEPT = frozenset({"opponent", "priors", "records", "store", "stores", "teacher"})
"""Options that name files or players, and may only stay as a recipe of ours has them."""
_WORD = re.compile(r"[A-Za-z0-9_:.-]{1,40}")
_SETTINGS: dict[str, tuple[float, float] | None] = {
    "depth": (1, 64),
    "nodes": (1, 10**9),
    "time": (0.001, 600),
    "level": (0, 20),
    "skill level": (0, 20),
    "uci_elo": (0, 4000),
    "uci_limitstrength": None,
}
"""All that may be set of a program, and in which bounds; None: true or false. Nothing here names a file."""


def engines(named: Iterable[str]) -> tuple[PlayerName, ...]:
    """The programs that the owner names, as players.

    Raises:
        BadOption: it is not said which protocol one speaks.
        UnknownName: one is not installed.
    """
    found = []
    for text in named:
        name = PlayerName.parse(f"{SPEAKS[text]}:{text}" if text in SPEAKS else text)
        if name.program is None or name.options:
            raise BadOption(f"--engine {quote(text)}: write PROTOCOL:PROGRAM, or one of {', '.join(SPEAKS)}")
        command(name.program, {})
        found.append(name)
    return tuple(found)


@dataclass(frozen=True)
class Permits:
    """What may be asked for in this studio."""

    runs: Path
    """Where training happens: the names of its folders are sources of weights."""
    budget: Budget
    engines: tuple[PlayerName, ...] = ()
    """Programs that may play."""

    def player(self, text: str) -> PlayerName:
        """A player's name, if a page may ask for it.

        Raises:
            BadOption: it may not.
        """
        name = PlayerName.parse(text)
        if name.program is not None:
            self._program(name)
            return name
        for key, most in (
            ("hash", self.budget.hash),
            ("memory", self.budget.hash),
            ("threads", self.budget.cores),
        ):
            _bound(f"{name.word}: {key}", name.option(key), most)
            if name.knowledge is not None:
                _bound(f"{name.knowledge.name}: {key}", name.knowledge.option(key), most)
        if name.source is not None:
            self.source(name.source)
        return name

    def _program(self, name: PlayerName) -> None:
        if PlayerName(name.word, (), None, name.program) not in self.engines:
            known = ", ".join(map(str, self.engines)) or "none"
            why = f"the owner of this studio allows {known} (rookery serve --engine NAME)"
            raise BadOption(f"{quote(f'{name.word}:{name.program}')} may not be started from here; {why}")
        for key, value in name.options:
            if key.lower() not in _SETTINGS:
                raise BadOption(
                    f"{key} of {name.program} may not be set from here; {', '.join(_SETTINGS)} may"
                )
            bounds = _SETTINGS[key.lower()]
            if bounds is None:
                if value.lower() not in ("true", "false"):
                    raise BadOption(f"{key} must be true or false (got {quote(value)})")
            elif (
                not re.fullmatch(r"\d{1,10}(\.\d{1,6})?", value) or not bounds[0] <= float(value) <= bounds[1]
            ):
                raise BadOption(f"{key} must be between {bounds[0]:g} and {bounds[1]:g} (got {quote(value)})")

    def source(self, text: str) -> Path | None:
        """Where weights of that name lie: the folder of a run; None: in the zoo.

        Raises:
            BadOption: it names neither.
        """
        if text in zoo():
            return None
        folder = self.runs / text if _RUN.fullmatch(text) else None
        # What a link in there points to lies elsewhere.
        if folder is None or not folder.is_dir() or folder.resolve().parent != self.runs.resolve():
            raise BadOption(f"{quote(text)} is no name of a run; choose one of the list")
        return folder.resolve()

    def match(self, players: Sequence[str]) -> None:
        """Whether these may meet.

        Raises:
            BadOption: one of them may not be asked for, or all together want too much memory.
        """
        names = [self.player(text) for text in players]
        wanted = sum(_number(name.option("hash") or name.option("memory")) or 16 for name in names)
        if wanted > self.budget.match:
            raise BadOption(
                f"these players need {wanted} MB of memory together; {self.budget.match} MB are available"
            )

    def recipe(self, name: str, changes: Sequence[str]) -> list[str]:
        """The changes to a recipe as they may be passed on.

        Raises:
            UnknownName: there is no such recipe or key.
            BadOption: a value may not be asked for.
        """
        if name not in recipe.names():
            raise UnknownName(f"no recipe is called {quote(name)}; choose one of the list")
        wanted = recipe.find(name, changes)
        passed = list(changes)
        own = set(_texts(recipe.find(name)))
        for key, value in _texts(wanted):
            if key in _KEPT and (key, value) in own:
                continue  # as the recipe has it, which may be nothing
            if key == "teacher":
                passed += [f"teacher={json.dumps(str(self.source(value) or value))}"]
            elif key == "start":
                folder = self.source(value) if value != "initial" else None
                # The run shall find it again from wherever it is resumed.
                passed += [f"start={json.dumps(str(folder))}"] if folder else []
            elif key in ("opponents", "players"):
                self.player(value)
            elif key not in ("features", "device") or not _WORD.fullmatch(value):
                raise BadOption(f"{key} = {quote(value)} may not be set from here")
        said = {each.name: getattr(wanted.options, each.name) for each in fields(wanted.options)}
        _bound("threads", str(said.get("threads", 0)), self.budget.cores)
        memory = said.get("hash", 0) * said.get("parallel_games", 1)
        if memory > self.budget.training:
            raise BadOption(
                f"hash * parallel_games must be at most {self.budget.training} MB here (got {memory})"
            )
        return passed


def _texts(wanted: Recipe) -> list[tuple[str, str]]:
    """Every text among the options of a recipe, but for those that choose from a list."""
    found: list[tuple[str, str]] = []
    kinds = get_type_hints(type(wanted.options))
    for each in fields(wanted.options):
        value: Any = getattr(wanted.options, each.name)
        texts = value if isinstance(value, tuple) else (value,)
        if get_origin(kinds[each.name]) is not Literal:
            found += [(each.name, text) for text in texts if isinstance(text, str)]
    return found


def _bound(what: str, text: str | None, most: int) -> None:
    number = _number(text)
    if number is not None and number > most:
        raise BadOption(f"{what} must be at most {most} here (got {quote(str(text))})")


def _number(text: str | None) -> int | None:
    """The whole number that a text is; None: what it is instead, `players.make` will say."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return None

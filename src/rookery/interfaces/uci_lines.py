"""The lines of UCI: what `go` asks for, what options there are, how a report is spelled.

Everything here is text to values and back, before and without any player.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rookery.interfaces.lines import line_text

if TYPE_CHECKING:
    from rookery.api import Info, State

_CENTIPAWNS = 400.0
"""The scale of the centipawns that stand for a value where the knowledge has none, as in `handmade`."""
_MOST_CENTIPAWNS = 9999


# --- go ----------------------------------------------------------------------------------------------


@dataclass
class Go:
    """What a `go` line says; times are in milliseconds."""

    numbers: dict[str, int] = field(default_factory=dict)
    """wtime, btime, winc, binc, movestogo, depth, nodes, mate, movetime."""
    searchmoves: list[str] = field(default_factory=list)
    infinite: bool = False
    ponder: bool = False
    mistakes: list[str] = field(default_factory=list)
    """What could not be read; the rest counts nevertheless, for somebody is waiting for a move."""


_LEAST = {"wtime": None, "btime": None, "winc": 0, "binc": 0, "movestogo": 1}
_LEAST |= {"depth": 1, "nodes": 1, "mate": 1, "movetime": 1}


def read_go(words: list[str]) -> Go:
    """
    >>> go = read_go("wtime 300 depth x infinite searchmoves e2e4 d2d4".split())
    >>> go.numbers, go.searchmoves, go.infinite, go.mistakes
    ({'wtime': 300}, ['e2e4', 'd2d4'], True, ['depth x'])
    """
    go = Go()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word in ("infinite", "ponder"):
            setattr(go, word, True)
        elif word == "searchmoves":
            while rest and rest[0] not in (*_LEAST, "infinite", "ponder", "searchmoves"):
                go.searchmoves.append(rest.pop(0))
        elif word in _LEAST:
            text = rest.pop(0) if rest else ""
            number, least = read_number(text), _LEAST[word]
            if number is None or (least is not None and number < least):
                go.mistakes.append(f"{word} {text}".strip())
            else:
                go.numbers[word] = number
        else:
            go.mistakes.append(word)
    return go


def read_number(text: str) -> int | None:
    """A whole number that fits where numbers go.

    >>> read_number("-12"), read_number("1e3"), read_number("9" * 30)
    (-12, None, None)
    """
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 15 else None


# --- options -----------------------------------------------------------------------------------------


@dataclass
class Option:
    """One `option` line, and the value that it has now."""

    name: str
    kind: str
    """spin, check or button."""
    default: int = 0
    """1 and 0 for a check."""
    least: int = 0
    most: int = 0
    value: int = field(init=False)

    def __post_init__(self) -> None:
        self.value = self.default

    def line(self) -> str:
        """
        >>> Option("Hash", "spin", 16, 1, 1024).line()
        'option name Hash type spin default 16 min 1 max 1024'
        """
        start = f"option name {self.name} type {self.kind}"
        if self.kind == "check":
            return f"{start} default {('false', 'true')[self.default]}"
        if self.kind == "spin":
            return f"{start} default {self.default} min {self.least} max {self.most}"
        return start

    def set(self, text: str) -> str | None:
        """Take a value, or say what is wrong with it."""
        if self.kind == "button":
            return None
        value = {"true": 1, "false": 0}.get(text.lower()) if self.kind == "check" else read_number(text)
        if self.kind == "check" and value is None:
            return f"{self.name} is true or false, not '{text}'"
        if value is None or (self.kind == "spin" and not self.least <= value <= self.most):
            return f"{self.name} is a number from {self.least} to {self.most}, not '{text}'"
        self.value = value
        return None


def read_setoption(words: list[str]) -> tuple[str, str] | None:
    """The name and the value of a `setoption` line, or None if it is none.

    >>> read_setoption("name Move Overhead value 30".split())
    ('Move Overhead', '30')
    """
    if not words or words[0].lower() != "name":
        return None
    lower = [word.lower() for word in words]
    end = lower.index("value") if "value" in lower else len(words)
    return " ".join(words[1:end]), " ".join(words[end + 1 :])


# --- reports -----------------------------------------------------------------------------------------


def info_line(info: Info, state: State, wdl: bool) -> str:
    """A report of a search that thinks about this state."""
    value = info.value[state.spec.side_of[state.seat]]
    parts = ["info"]
    if info.depth is not None:
        parts.append(f"depth {info.depth}")
        if info.deepest is not None:
            parts.append(f"seldepth {max(info.deepest, info.depth)}")
    parts.append(f"multipv {info.rank} score {_score(info, value)}")
    if wdl:
        parts.append("wdl {} {} {}".format(*win_draw_loss(value)))
    milliseconds = int(1000 * info.seconds)
    parts.append(f"nodes {info.nodes} nps {int(info.nodes / max(info.seconds, 1e-3))} time {milliseconds}")
    line = line_text(state, info.pv)
    return " ".join(parts + (["pv", *line] if line else []))


def _score(info: Info, value: float) -> str:
    """Centipawns where the knowledge has them, else those that hand-made knowledge would need for its value.

    UCI has no other unit that every program reads, and lc0 derives its own from values too.
    """
    if info.wins_in:
        moves = (abs(info.wins_in) + 1) // 2
        return f"mate {moves if info.wins_in > 0 else -moves}"
    score = info.score
    if score is None:
        score = _CENTIPAWNS * math.atanh(min(max(value, -1 + 1e-12), 1 - 1e-12))
    return f"cp {round(min(max(score, -_MOST_CENTIPAWNS), _MOST_CENTIPAWNS))}"


def win_draw_loss(value: float) -> tuple[int, int, int]:
    """Wins, draws and losses in a thousand games whose mean result is the value, in [-1, 1].

    Values say nothing of draws. These are the shares of a game decided by two equal halves, each won with
    the same probability, and drawn if they split: right in the mean, and never measured.

    >>> win_draw_loss(0.0), win_draw_loss(1.0)
    ((250, 500, 250), (1000, 0, 0))
    """
    half = (1 + min(max(value, -1.0), 1.0)) / 2
    win, loss = round(1000 * half * half), round(1000 * (1 - half) * (1 - half))
    return win, 1000 - win - loss, loss

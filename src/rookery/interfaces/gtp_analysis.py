"""What `lz-analyze` and `kata-analyze` print while a search goes on: a line of the best moves at times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

from rookery.api import Info, Move, Seat, State
from rookery.interfaces.lines import line_text

LINES = 10
"""How many moves are looked at, unless somebody asks for fewer."""


@dataclass
class Asked:
    """The arguments of an analysis."""

    seat: Seat
    interval: float = 1.0
    """Seconds between two lines."""
    lines: int = LINES
    allowed: set[str] = field(default_factory=set)
    """As text; none means all."""
    avoided: set[str] = field(default_factory=set)


def read_analysis(words: list[str], seat: Seat, colour: Callable[[str], Seat | None]) -> Asked | None:
    """Reads `[colour] [interval] [key value ...]`; None if it cannot be read.

    `seat` moves where no colour is given. Keys for what we cannot tell, such as ownership, are passed over.
    """
    asked, rest = Asked(seat), [word.lower() for word in words]
    if rest and colour(rest[0]) is not None:
        asked.seat = colour(rest.pop(0)) or 0
    if rest and rest[0].isdecimal():
        rest.insert(0, "interval")
    while rest:
        key = rest.pop(0)
        if key in ("allow", "avoid"):  # Each with a colour, moves, and the depth up to which it counts.
            if len(rest) < 3 or colour(rest[0]) is None:
                return None
            moves = set(rest[1].split(","))
            if colour(rest[0]) == asked.seat:
                (asked.allowed if key == "allow" else asked.avoided).update(moves)
            del rest[:3]
            continue
        value = rest.pop(0) if rest else ""
        if key in ("interval", "maxmoves"):
            if not value.isdecimal() or len(value) > 9:
                return None
            if key == "interval":
                asked.interval = max(int(value), 1) / 100
            else:
                asked.lines = max(1, min(int(value), LINES))
        elif not key.isalpha() or not value:
            return None
    return asked


class Analysis:
    """Writes what a search reports, now and then, as Leela Zero (`lz`) or KataGo (`kata`) spells it."""

    def __init__(self, state: State, asked: Asked, spelling: str, write: Callable[[str], None]) -> None:
        self._state = state
        self._asked = asked
        self._spelling = spelling
        self._write = write
        self._infos: dict[int, Info] = {}
        self._told: tuple[Info, ...] = ()
        self._lock = Lock()
        self._ended = Event()
        self._thread = Thread(target=self._tell, daemon=True)
        self._thread.start()

    def moves(self) -> tuple[Move, ...]:
        """The moves that are looked at; none means all."""
        asked, state = self._asked, self._state
        texts = {move: state.text(move).lower() for move in state.moves()}
        wanted = [m for m, text in texts.items() if not asked.allowed or text in asked.allowed]
        wanted = [m for m in wanted if texts[m] not in asked.avoided]
        return tuple(wanted) if len(wanted) < len(texts) else ()

    def hear(self, info: Info) -> None:
        with self._lock:
            if info.rank == 1:
                self._infos.clear()
            self._infos[info.rank] = info

    def end(self) -> None:
        """Write what has not been written yet, and nothing after it."""
        self._ended.set()
        self._thread.join()
        self._tell_once()

    def _tell(self) -> None:
        while not self._ended.wait(self._asked.interval):
            self._tell_once()

    def _tell_once(self) -> None:
        with self._lock:
            infos = tuple(info for info in self._infos.values() if info.pv)
        if infos and (infos != self._told or not self._ended.is_set()):
            self._told = infos
            self._write(" ".join(self._move(info, order) for order, info in enumerate(infos)))

    def _move(self, info: Info, order: int) -> str:
        state = self._state
        share = (1 + info.value[state.spec.side_of[state.seat]]) / 2
        winrate = f"{share:.6f}" if self._spelling == "kata" else f"{round(10000 * share)}"
        line = " ".join(line_text(state, info.pv))
        best = state.text(info.pv[0])
        return f"info move {best} visits {info.nodes} winrate {winrate} order {order} pv {line}"

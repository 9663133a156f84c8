"""GTP 2, the Go Text Protocol: any player of Go for any program that speaks it.

Every line with a command is answered by one block: `=` or `?`, the command's id, text, and two newlines.
Texts of errors are those of GNU Go, which programs know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from rookery import __version__, registry
from rookery.api import Info, Limit, Move, SearchResult, Seat
from rookery.clock import ByoYomi, budget
from rookery.errors import (
    BadNotation,
    BadOption,
    GameError,
    IllegalMove,
    RookeryError,
    UnknownName,
    UnsupportedGame,
    warn,
)
from rookery.games import go_rules
from rookery.games.go import SIZES, GoState, handicap_points
from rookery.games.go_scoring import Dead, chains, count, seki
from rookery.interfaces import pipe
from rookery.interfaces.goban import Goban
from rookery.interfaces.gtp_analysis import Analysis, Asked, read_analysis
from rookery.interfaces.session import FOREVER, Listener, Session, make_thinker

_COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
_KGS = {
    "chinese": "chinese",
    "aga": "chinese",
    "new_zealand": "chinese",
    "japanese": "japanese",
    "korean": "japanese",
    "tromp-taylor": "tromp-taylor",
}
"""What the names of KGS mean here."""
_USUAL_SIZES = (19, 13, 9, 7, 5)
_PATIENCE = 2.0
"""Seconds that a search has to end when the server does."""
_LINE = re.compile(r"\s*(?P<id>\d+)?\s*(?P<words>.*)")


class Failure(Exception):
    """A command is answered with `?` and this text."""


class Server:
    """One engine, as a Go program sees it."""

    def __init__(
        self,
        player: str,
        write: Callable[[str], None],
        *,
        rules: str = go_rules.USUAL,
        komi: float | None = None,
        size: int | None = None,
    ) -> None:
        """player: its name; write: takes each block of the answer, to which it adds a newline.

        rules: by name; komi: what is usual if None.

        Raises:
            RookeryError: there is no such player, or it does not play Go on such a board.
        """
        self._name = player
        self._write = write
        self._id = ""
        self._clocks: ByoYomi | None = None
        self._analysis: Analysis | None = None
        self._board, self._session = lay(player, rules, komi, size)
        self._commands = self._list()

    def run(self, lines: Iterable[str]) -> None:
        """Obey until `quit` or the end."""
        try:
            for line in lines:
                self._end_analysis()
                if not self._obey(line):
                    break
        finally:
            self._session.stop()
            self._session.wait(_PATIENCE)
            self._end_analysis()

    @property
    def thinking(self) -> bool:
        return self._session.thinking

    def _obey(self, line: str) -> bool:
        """Answer one line; False after `quit`."""
        printable = "".join(c if c >= " " and c != "\x7f" else " " if c == "\t" else "" for c in line)
        found = _LINE.fullmatch(printable.partition("#")[0].strip())
        assert found
        self._id, words = found["id"] or "", found["words"].split()
        if not words and not self._id:
            return True
        name = words[0] if words else ""
        try:
            if name not in self._commands:
                raise Failure("unknown command")
            answer = self._commands[name](words[1:])
        except Failure as failure:
            self._write(f"?{self._id} {failure}\n")
        else:
            if answer is not None:
                self._write(f"={self._id} {answer}".rstrip(" ") + "\n")
        return name != "quit"

    def _list(self) -> dict[str, Callable[[list[str]], str | None]]:
        return {
            "protocol_version": lambda words: "2",
            "name": lambda words: f"Rookery {self._name}",
            "version": lambda words: __version__,
            "known_command": lambda words: str(words[:1] != [] and words[0] in self._commands).lower(),
            "list_commands": lambda words: "\n".join(self._commands),
            "quit": lambda words: "",
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "kgs-rules": self._kgs_rules,
            "fixed_handicap": self._fixed_handicap,
            "place_free_handicap": self._place_free_handicap,
            "set_free_handicap": self._set_free_handicap,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "loadsgf": self._loadsgf,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "final_status_list": self._final_status_list,
            "showboard": lambda words: "\n" + self._board.state.picture(),
            "captures": lambda words: str(self._board.state.captures[self._colour(words)]),
            "is_legal": self._is_legal,
            "all_legal": self._all_legal,
            "lz-analyze": lambda words: self._analyze(words, "lz"),
            "kata-analyze": lambda words: self._analyze(words, "kata"),
            "lz-genmove_analyze": lambda words: self._genmove_analyze(words, "lz"),
            "kata-genmove_analyze": lambda words: self._genmove_analyze(words, "kata"),
            "gogui-analyze_commands": lambda words: _GOGUI,
        }

    # --- the board -----------------------------------------------------------------------------------

    def _colour(self, words: list[str], failure: str = "invalid color") -> Seat:
        seat = _colour(words[0]) if words else None
        if seat is None:
            raise Failure(failure)
        return seat

    def _boardsize(self, words: list[str]) -> str:
        size = _whole(words[0]) if words else None
        if size is None:
            raise Failure("boardsize not an integer")
        if size not in SIZES:
            raise Failure("unacceptable size")
        try:
            board = Goban(size, self._board.rules, self._board.komi)
            self._fit(board)
        except RookeryError:
            raise Failure("unacceptable size") from None
        self._board = board
        return ""

    def _clear_board(self, words: list[str]) -> str:
        self._board.clear()
        self._session.new_game()
        return ""

    def _komi(self, words: list[str]) -> str:
        try:
            komi = float(words[0])
        except (IndexError, ValueError):
            raise Failure("komi not a float") from None
        try:
            self._board.change(komi=komi)
        except (UnknownName, ValueError, OverflowError):
            raise Failure("unacceptable komi: it must be a multiple of 0.5 from -1000 to 1000") from None
        return ""

    def _kgs_rules(self, words: list[str]) -> str:
        name = _KGS.get(words[0].lower()) if words else None
        if name is None:
            raise Failure(f"unknown rules; {registry.hint(' '.join(words[:1]), _KGS)}")
        try:
            self._board.change(rules=go_rules.get(name))
        except GameError as error:
            raise Failure(f"the game so far breaks these rules: {error}") from None
        return ""

    def _place_free_handicap(self, words: list[str]) -> str:
        """The usual points; fewer stones than asked for where there are no more, as GTP allows."""
        asked = (_whole(words[0]) if words else None) or 0
        most = next((n for n in range(min(asked, 9), 1, -1) if handicap_points(self._board.size, n)), 0)
        return self._fixed_handicap([str(most)])

    def _fixed_handicap(self, words: list[str]) -> str:
        self._need_empty_board()
        points = handicap_points(self._board.size, (_whole(words[0]) if words else None) or 0)
        if points is None:
            raise Failure("invalid handicap")
        self._board.place(points)
        return " ".join(self._text(point) for point in points)

    def _set_free_handicap(self, words: list[str]) -> str:
        self._need_empty_board()
        try:
            points = {self._board.turn(0).parse(word) for word in words}
            if not 2 <= len(points) == len(words) or self._board.size**2 in points:
                raise Failure("invalid handicap")
            self._board.place(points)
        except GameError:
            raise Failure("invalid handicap") from None
        return ""

    def _need_empty_board(self) -> None:
        if self._board.state.stones(0) or self._board.state.stones(1):
            raise Failure("board not empty")

    def _play(self, words: list[str]) -> str:
        seat = self._colour(words, "invalid color or coordinate")
        try:
            self._board.play(seat, " ".join(words[1:2]))
        except BadNotation:
            raise Failure("invalid color or coordinate") from None
        except IllegalMove:
            raise Failure("illegal move") from None
        return ""

    def _undo(self, words: list[str]) -> str:
        if not self._board.undo():
            raise Failure("cannot undo")
        return ""

    def _loadsgf(self, words: list[str]) -> str:
        if not words:
            raise Failure("missing filename")
        number = _whole(words[1]) if len(words) > 1 else None
        if len(words) > 1 and not number:
            raise Failure("move number not an integer above 0")
        board = Goban(self._board.size, self._board.rules, self._board.komi)
        try:
            text = Path(words[0]).read_bytes().decode("utf-8", "replace")
            board.load(text, number - 1 if number else None)
            self._fit(board)
        except (OSError, ValueError, RookeryError) as error:
            raise Failure(f"cannot open or parse '{words[0]}': {error}".replace("\n", " ")) from None
        self._board = board
        return "black" if board.state.seat == 0 else "white"

    def _fit(self, board: Goban) -> None:
        """Seat the player at a board, which may be of another size."""
        if board.size != self._board.size:
            self._session = Session(board.game, make_thinker(self._name, board.game))

    # --- the referee ---------------------------------------------------------------------------------

    def _final_score(self, words: list[str]) -> str:
        score = self._board.state.score()
        if self._board.state.dead_stones == "agreed":
            score = count(self._board.state, self._dead()).margin
        return f"{'B' if score > 0 else 'W'}+{abs(score):.1f}" if score else "0"

    def _final_status_list(self, words: list[str]) -> str:
        if not words:
            raise Failure("missing status")
        if words[0] not in ("alive", "dead", "seki"):
            raise Failure("invalid status")
        state, dead = self._board.state, self._dead()
        shared = seki(state, dead)
        found = []
        for chain in chains(state):
            status = "dead" if chain[0] in dead else "seki" if chain[0] in shared else "alive"
            if status == words[0]:
                found.append(" ".join(map(self._text, chain)))
        return "\n".join(found)

    def _dead(self) -> Dead:
        """What the referee takes off the board; where every stone counts, nothing."""
        from rookery.endings import go as ending

        state = self._board.state
        return ending.propose(state) if state.dead_stones == "agreed" else frozenset()

    def _is_legal(self, words: list[str]) -> str:
        seat = self._colour(words, "invalid color or coordinate")
        try:
            self._board.turn(seat).parse(" ".join(words[1:2]))
        except BadNotation:
            raise Failure("invalid color or coordinate") from None
        except IllegalMove:
            return "0"
        return "1"

    def _all_legal(self, words: list[str]) -> str:
        state = self._board.turn(self._colour(words))
        return " ".join(self._text(move) for move in state.moves() if move < self._board.size**2)

    # --- thinking ------------------------------------------------------------------------------------

    def _time_settings(self, words: list[str]) -> str:
        numbers = [_whole(word) for word in words[:3]]
        if len(numbers) < 3 or None in numbers:
            raise Failure("not three integers")
        main, seconds, stones = (number or 0 for number in numbers)
        unlimited = main == 0 and (stones == 0 or seconds == 0)
        self._clocks = None if unlimited else ByoYomi(main, seconds, stones)
        return ""

    def _time_left(self, words: list[str]) -> str:
        seat = self._colour(words)
        seconds, stones = [*(_whole(word) for word in words[1:3]), None, None][:2]
        if seconds is None or stones is None:
            raise Failure("time and stones not two integers")
        if self._clocks:
            self._clocks.set(seat, seconds, stones)
        return ""

    def _genmove(self, words: list[str]) -> str:
        seat = self._colour(words)
        text = self._text(self._settled(self._board.turn(seat), seat, lambda info: None))
        self._board.play(seat, text)
        return text.upper()

    def _reg_genmove(self, words: list[str]) -> str:
        seat = self._colour(words)
        return self._text(self._settled(self._board.turn(seat), seat, lambda info: None)).upper()

    def _settled(
        self, state: GoState, seat: Seat, on_info: Callable[[Info], None], limit: Limit | None = None
    ) -> Move:
        """The player's move, but no pass that loses what can be won."""
        from rookery.endings import go as ending

        return ending.settle(state, self._think(state, seat, on_info, limit))

    def _think(
        self, state: GoState, seat: Seat, on_info: Callable[[Info], None], limit: Limit | None = None
    ) -> Move:
        """The player's move; waits for it."""
        ends: list[SearchResult | Exception] = []
        time = budget(self._clocks.clock(seat)) if self._clocks else None
        limit = limit or Limit()
        if time:
            limit = replace(limit, time=time.hard)
        began = perf_counter()
        self._session.state = state
        self._session.go(limit, Listener(on_info, ends.append, ends.append), time)
        self._session.wait()
        if self._clocks:
            self._clocks.spend(seat, perf_counter() - began)
        if isinstance(ends[0], Exception):
            raise Failure(f"{type(ends[0]).__name__}: {ends[0]}".replace("\n", " "))
        return ends[0].move

    def _genmove_analyze(self, words: list[str], spelling: str) -> None:
        asked = self._read_analysis(words)
        state = self._board.turn(asked.seat)
        self._write(f"={self._id}")
        analysis = Analysis(state, asked, spelling, self._write)
        limit = Limit(only=analysis.moves(), lines=asked.lines)
        try:
            text = self._text(self._settled(state, asked.seat, analysis.hear, limit))
        finally:
            analysis.end()
        self._board.play(asked.seat, text)
        self._write(f"play {text}\n")

    def _analyze(self, words: list[str], spelling: str) -> None:
        """Begins to analyse, which goes on until the next line comes."""
        asked = self._read_analysis(words)
        state = self._board.turn(asked.seat)
        self._write(f"={self._id}")
        self._analysis = Analysis(state, asked, spelling, self._write)
        limit = Limit(time=FOREVER, only=self._analysis.moves(), lines=asked.lines, analyse=True)
        self._session.state = state
        ignore = Listener(self._analysis.hear, lambda result: None, lambda error: None)
        self._session.go(limit, ignore, hold=True)

    def _end_analysis(self) -> None:
        if self._analysis:
            self._session.stop()
            self._session.wait()
            self._analysis.end()
            self._analysis = None
            self._write("")

    def _read_analysis(self, words: list[str]) -> Asked:
        asked = read_analysis(words, self._board.state.seat, _colour)
        if asked is None:
            raise Failure(
                "analysis takes a color, an interval in hundredths of a second, and pairs of key and value"
            )
        return asked

    def _text(self, move: Move) -> str:
        return self._board.state.text(move)


_GOGUI = """string/Final Score/final_score
plist/All Legal/all_legal %c
string/Captures/captures %c
string/Final Status Alive/final_status_list alive
string/Final Status Dead/final_status_list dead
none/Regression Move/reg_genmove %c"""


def _colour(text: str) -> Seat | None:
    return _COLOURS.get(text.lower())


def _whole(text: str) -> int | None:
    """A number from 0 on, of a size that makes sense."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 9 else None


_BEFORE = {
    ("territory", "simple"): "mayer",
    ("area", "simple"): "chinese",
    ("area", "psk"): "tromp-taylor",
}
"""What --scoring and --ko chose, until rules had names."""


def lay(player: str, rules: str, komi: float | None, size: int | None) -> tuple[Goban, Session]:
    """A board that the player plays on, of the size asked for or of the greatest usual one."""
    sizes = (size,) if size else _USUAL_SIZES
    for place, number in enumerate(sizes, 1):
        board = Goban(number, go_rules.get(rules), komi)
        try:
            return board, Session(board.game, make_thinker(player, board.game))
        except UnsupportedGame:
            if place == len(sizes):
                raise
    raise AssertionError("there are sizes")


def rules_named(rules: str | None, scoring: str | None, ko: str | None) -> str:
    """The name of the rules that the options of the command choose, those it had before `--rules` too.

    Raises:
        BadOption: old and new ones are mixed, or the old ones choose no rules that have a name.
    """
    if scoring is None and ko is None:
        return rules or go_rules.USUAL
    if rules is not None:
        raise BadOption("--rules says it all; leave out --scoring and --ko")
    asked = (scoring or "territory", ko or "simple")
    if asked not in _BEFORE:
        raise BadOption(
            f"there are no rules with --scoring {asked[0]} --ko {asked[1]}; choose some by --rules"
        )
    warn(f"gtp: --scoring and --ko are now --rules {_BEFORE[asked]}")
    return _BEFORE[asked]


def serve(player: str, rules: str, komi: float | None, size: int | None) -> None:
    """Speak GTP on stdin and stdout.

    Raises:
        RookeryError: there is no such player of Go.
    """
    pipe.serve(lambda write: Server(player, write, rules=rules, komi=komi, size=size))

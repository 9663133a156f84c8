"""UCI, the Universal Chess Interface: any player of chess for any program that speaks it.

The server answers `uci` before anything heavy is loaded, and `isready` at all times, also while it thinks.
A line that it cannot read is answered with an `info string`; nothing that is sent can end it but `quit` and
the end of the input.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rookery import __version__, registry, strength
from rookery.clock import OVERHEAD, Budget, budget
from rookery.errors import GameError, RookeryError, UnknownName
from rookery.interfaces import pipe
from rookery.interfaces.lines import line_text
from rookery.interfaces.session import FOREVER, Listener, Session, make_thinker
from rookery.interfaces.uci_lines import Go, Option, info_line, read_go, read_setoption
from rookery.levels import NARROW
from rookery.names import PlayerName

if TYPE_CHECKING:
    from rookery.api import Info, Limit, SearchResult, State

_PATIENCE = 2.0
"""Seconds that a search has to end when the server does."""
_MAKING = ("Hash", "Threads", "Level", "UCI_LimitStrength", "UCI_Elo")
"""The options that make another player."""


class Server:
    """One engine, as a chess program sees it."""

    def __init__(self, player: str, write: Callable[[str], None]) -> None:
        """player: its name; write: takes each line of the answer, from several threads."""
        self._name = player
        self._write = write
        self._options = {option.name.lower(): option for option in _options(player)}
        self._made: Session | None = None
        self._unmade = False
        """Whether options have changed that make another player."""
        self._refused = False
        """Whether the last position was."""
        self._debug = False

    def run(self, lines: Iterable[str]) -> None:
        """Obey until `quit` or the end.

        Raises:
            RookeryError: there is no such player of chess.
        """
        try:
            for line in lines:
                words = line.split()
                if words[:1] == ["quit"]:
                    break
                if words:
                    self._obey(words)
        except RookeryError as error:
            self._say(f"ERROR: {error}")
            raise
        finally:
            if self._made:
                self._made.stop()
                self._made.wait(_PATIENCE)

    @property
    def thinking(self) -> bool:
        return self._made is not None and self._made.thinking

    def _obey(self, words: list[str]) -> None:
        commands: dict[str, Callable[[list[str]], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "ucinewgame": self._ucinewgame,
            "setoption": self._setoption,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "debug": self._set_debug,
            "register": lambda words: None,
        }
        command = commands.get(words[0])
        if command is None:
            known = ", ".join([*commands, "quit"])
            self._say(f"unknown command '{_short(words[0])}'; there are {known}")
        else:
            command(words[1:])

    def _say(self, text: str) -> None:
        self._write(f"info string {text}")

    # --- who we are ----------------------------------------------------------------------------------

    def _uci(self, words: list[str]) -> None:
        self._write(f"id name Rookery {__version__} {self._name}")
        self._write("id author the Rookery authors")
        for option in self._options.values():
            self._write(option.line())
        self._write("uciok")
        self._session()  # Now, and not when the clock runs already.

    def _isready(self, words: list[str]) -> None:
        if not self._session().thinking:
            self._ready()
        self._write("readyok")

    def _set_debug(self, words: list[str]) -> None:
        if words in (["on"], ["off"]):
            self._debug = words == ["on"]
        else:
            self._say("debug is on or off")

    def _setoption(self, words: list[str]) -> None:
        read = read_setoption(words)
        if read is None:
            self._say("an option is set by 'setoption name NAME value VALUE'")
            return
        name, value = _short(read[0]), _short(read[1])
        option = self._options.get(name.lower())
        if option is None:
            known = [option.name for option in self._options.values()]
            self._say(f"no option is called '{name}'; {registry.hint(name, known)}")
        elif option.kind == "button":
            self._ucinewgame([])
        elif mistake := option.set(value):
            self._say(mistake)
        elif option.name in _MAKING:
            self._unmade = True

    def _value(self, name: str) -> int:
        return self._options[name.lower()].value

    # --- the player ----------------------------------------------------------------------------------

    def _session(self) -> Session:
        """The table, laid when it is first needed."""
        if self._made is None:
            from rookery import games

            chess = games.get("chess")
            self._made = Session(chess, make_thinker(self._name, chess), unclaimed)
        return self._made

    def _ready(self) -> Session:
        """The table with the player that the options ask for. Nobody may be thinking, or is stopped."""
        session = self._session()
        if self._unmade:
            self._unmade = False
            session.stop()
            session.wait()
            name = self._wanted()
            try:
                session.player = make_thinker(name, session.game)
                self._tell_elo(name)
            except (RookeryError, MemoryError) as error:
                self._say(f"{name} cannot play: {error or 'not enough memory'}")
        return session

    def _tell_elo(self, name: str) -> None:
        """Say what a level is worth to whoever has just chosen it."""
        level = PlayerName.parse(name).option("level")
        if level is not None and int(level) <= len(elo := strength.elo("chess", name)):
            self._say(f"level {level} is worth about {elo[int(level) - 1]} Elo")

    def _wanted(self) -> str:
        """The player's name with what the options ask for, as far as the player has such options."""
        from rookery import players

        changes: dict[str, int | None] = {}
        for option in ("Hash", "Threads", "Level"):
            if (value := self._value(option)) != self._options[option.lower()].default:
                changes[option.lower()] = value or None
        if strength.elo("chess", self._name) and self._value("UCI_LimitStrength"):
            changes["level"] = strength.nearest("chess", self._name, self._value("UCI_Elo"))
        name = self._name
        for key, change in changes.items():
            try:
                name = players.vary(name, {key: change})
            except UnknownName as error:
                self._say(str(error))
        return name

    def _ucinewgame(self, words: list[str]) -> None:
        self._ready().new_game()

    def _position(self, words: list[str]) -> None:
        session = self._session()
        self._refused = True
        end = words.index("moves") if "moves" in words else len(words)
        if words[:1] == ["fen"] and end > 1:
            start = " ".join(words[1:end])
        elif words[:end] == ["startpos"]:
            start = None
        else:
            self._say("a position is 'startpos' or 'fen FEN', perhaps with 'moves MOVE...' after it")
            return
        try:
            session.position(start, words[end + 1 :])
        except GameError as error:
            self._say(f"{error}; the position is refused")
        else:
            self._refused = False

    # --- thinking ------------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> None:
        session = self._ready()
        go = read_go(words)
        for mistake in go.mistakes:
            self._say(f"'{_short(mistake)}' is no parameter of go, and was ignored")
        session.stop()
        session.wait()  # Its move is told before anything is said of the next.
        state = session.state
        if self._refused:
            self._say("there is no valid position to search")
            self._write("bestmove 0000")
        elif state.outcome():
            self._tell_end(state)
        else:
            limit, time = self._bounds(go, state)
            session.go(limit, self._listener(state), time, hold=go.infinite or go.ponder)

    def _tell_end(self, state: State) -> None:
        lost = state.outcome().winner is not None  # type: ignore[union-attr]
        self._write(f"info depth 0 score {'mate 0' if lost else 'cp 0'}")
        self._write("bestmove (none)")

    def _bounds(self, go: Go, state: State) -> tuple[Limit, Budget | None]:
        from rookery.api import Clock, Limit

        numbers, overhead = go.numbers, self._value("Move Overhead") / 1000
        us = "wb"[state.seat]
        time = None
        if f"{us}time" in numbers and not go.infinite:
            left, increment = numbers[f"{us}time"] / 1000, numbers.get(f"{us}inc", 0) / 1000
            time = budget(Clock(left, increment, numbers.get("movestogo")), overhead)
        seconds = time.hard if time else None
        if "movetime" in numbers:
            asked = numbers["movetime"] / 1000
            seconds = min(seconds or FOREVER, asked - min(overhead, asked / 4))
        if go.infinite or go.ponder:
            seconds = FOREVER
        depth = numbers.get("depth")
        if "mate" in numbers:
            # Two plies a move, and two more to see past what is cut off.
            depth = min(depth or 2 * numbers["mate"] + 2, 2 * numbers["mate"] + 2)
        if self._debug:
            self._say(f"thinks by {time} and {seconds} s, depth {depth}, nodes {numbers.get('nodes')}")
        only = tuple(dict.fromkeys(self._read_moves(go.searchmoves, state)))
        lines = self._value("MultiPV")
        looks_on = go.infinite or lines > 1
        return Limit(depth, numbers.get("nodes"), seconds, only, lines, analyse=looks_on), time

    def _read_moves(self, texts: list[str], state: State) -> Iterable[int]:
        for text in texts:
            try:
                yield state.parse(text)
            except GameError as error:
                self._say(f"{error}; it is left out")

    def _listener(self, state: State) -> Listener:
        wdl = bool(self._value("UCI_ShowWDL"))

        def on_info(info: Info) -> None:
            self._write(info_line(info, state, wdl))

        def on_move(result: SearchResult) -> None:
            best = state.text(result.move)
            line = line_text(state, result.pv[:2])
            answer = f" ponder {line[1]}" if len(line) == 2 and line[0] == best else ""
            self._write(f"bestmove {best}{answer}")

        def on_error(error: Exception) -> None:
            self._say(f"{type(error).__name__}: {error}".replace("\n", " "))
            self._write("bestmove 0000")

        return Listener(on_info, on_move, on_error)

    def _stop(self, words: list[str]) -> None:
        if self._made:
            self._made.stop()

    def _ponderhit(self, words: list[str]) -> None:
        if self._made and self._made.held:
            self._made.release()
        else:
            self._say("nothing is pondered on")


def _options(player: str) -> list[Option]:
    """What `uci` declares. Options that a player does not have are declared too: programs set them unasked.

    There is no UCI_Chess960, for these rules know only the castling of chess, and UCI_Elo only where the Elo
    of the player's levels has been measured.
    """
    settings = dict(PlayerName.parse(player).options)

    def spin(name: str, default: int, least: int, most: int) -> Option:
        named = settings.get(name.lower(), "")
        value = int(named) if named.isdecimal() and len(named) < 9 else default
        return Option(name, "spin", min(max(value, least), most), least, most)

    elo = strength.elo("chess", player)
    by_elo = [Option("UCI_LimitStrength", "check")] if elo else []
    by_elo += [Option("UCI_Elo", "spin", elo[-1], elo[0], elo[-1])] if elo else []
    return [
        spin("Hash", 16, 1, _half_memory()),
        spin("Threads", 1, 1, 256),
        spin("Level", 0, 0, len(NARROW)),
        Option("Move Overhead", "spin", round(1000 * OVERHEAD), 0, 5000),
        Option("MultiPV", "spin", 1, 1, 218),
        Option("Ponder", "check"),
        Option("UCI_ShowWDL", "check"),
        Option("Clear Hash", "button"),
        *by_elo,
    ]


def _half_memory() -> int:
    """Half of this machine's memory, in megabytes."""
    try:
        pages, size = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return 1024
    return min(max(pages * size // 2**21, 16), 65536)


def unclaimed(state: State) -> State:
    """The same position with its past forgotten: where nobody claims a draw, a game goes on.

    What is over for other reasons, such as mate, is over still.
    """
    from rookery.games.chess import CHESS

    fields = str(state).split()
    fields[4] = "0"
    return CHESS.start(" ".join(fields))


def _short(text: str) -> str:
    """Text from outside, fit to be quoted in a line."""
    printable = "".join(c if c.isprintable() else "?" for c in text[:80])
    return printable + ("..." if len(text) > 80 else "")


def serve(player: str) -> None:
    """Speak UCI on stdin and stdout.

    Raises:
        RookeryError: there is no such player of chess.
    """
    pipe.serve(lambda write: Server(player, write))

"""Every error that Rookery raises on purpose.

A message says what was wrong, where, and what to do. Interfaces print it as one line; a traceback is
always a bug. What goes wrong without stopping the work is a warning, one line too.
"""

import errno
import logging

_log = logging.getLogger("rookery")
_QUOTED = 60
"""Characters of what somebody gave that an error shows."""


def warn(message: str) -> None:
    """Say one line on stderr, unless whoever uses Rookery has set up logging otherwise."""
    _log.warning("rookery: %s", message)


def describe(error: BaseException) -> str:
    """Any error in one line, as people should read it.

    >>> describe(OSError(28, "No space left on device", "a/b")), describe(KeyError())
    ('a/b: No space left on device', 'KeyError')
    """
    if isinstance(error, OSError) and error.strerror:
        if error.errno == errno.ENAMETOOLONG or not error.filename:
            return error.strerror
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def clip(value: object, most: int) -> str:
    """No more of a text than that, made fit for a message of one line.

    >>> clip("go\\n5", 60), clip("x" * 100, 8)
    ('go?5', 'xxxxx...')
    """
    text = "".join(c if c.isprintable() else "?" for c in str(value))
    return text if len(text) <= most else text[: most - 3] + "..."


def quote(value: object) -> str:
    """What somebody gave, in quotes and fit for one line, but no more of it than people will read.

    >>> quote("a" * 100)[-6:], quote("two\\nlines"), quote(3)
    ("aa...'", "'two\\\\nlines'", "'3'")
    """
    text = str(value)
    short = text if len(text) <= _QUOTED else text[: _QUOTED - 3] + "..."
    return f"'{short}'" if short.isprintable() else ascii(short)


class RookeryError(Exception):
    """Anything that a user can mend."""


class GameError(RookeryError, ValueError):
    """Something is wrong with a position, a move or the text of one."""


class BadPosition(GameError):
    """The text describes no position of the game."""


class BadNotation(GameError):
    """The text cannot be read as a move."""


class IllegalMove(GameError):
    """A move that can be read, but not played here."""


class HiddenInformation(RookeryError):
    """A player asked for what its seat may not know."""


class UnsupportedGame(RookeryError):
    """A search, evaluator or command does not fit this game."""


class UnknownName(RookeryError):
    """No game, player or option has this name."""


class BadOption(RookeryError, ValueError):
    """An option has this name, but not this value."""


class EvaluationError(RookeryError, ValueError):
    """An evaluator said what is no number, or not in the shape that was asked for."""


class PlayerBusy(RookeryError, RuntimeError):
    """A player or a native object was asked by a second thread while it works for a first."""


class NoThread(RookeryError, RuntimeError):
    """The machine lends no more threads."""


class Interrupted(RookeryError):
    """Work was broken off, since whoever wanted it wished it to stop."""


class Diverged(RookeryError):
    """What is learnt has left the range in which it means anything: steps are too large."""


class EngineError(RookeryError, RuntimeError):
    """An external program failed or broke its protocol."""


class IllegalAnswer(EngineError):
    """An external program answered with a move that cannot be played."""

    def __init__(self, message: str, move: str) -> None:
        super().__init__(message)
        self.move = move
        """As the program wrote it."""


class EngineTimeout(EngineError):
    """An external program did not answer in time."""


class Resignation(RookeryError):
    """A player gives its game up."""


class RecordMismatch(RookeryError):
    """A record cannot be read, or is another one than is asked for."""


class BadStore(RookeryError):
    """A folder is no store of games, or not as it was written."""


class CheckpointMismatch(RookeryError):
    """Weights or a run do not fit what is asked of them."""

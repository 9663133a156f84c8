"""Being asked to leave by somebody other than the person at the keyboard."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_ASKED = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def leaving_in_order() -> Iterator[None]:
    """Until the end, whoever ends the program or closes its terminal is heard as Ctrl-C is.

    What a parent has told it to ignore, as `nohup` does, stays ignored.

    Raises:
        KeyboardInterrupt: somebody did.
    """
    before = {number: signal.getsignal(number) for number in _ASKED}
    heard = {number: handler for number, handler in before.items() if handler == signal.SIG_DFL}
    for number in heard:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in heard.items():
            signal.signal(number, handler)

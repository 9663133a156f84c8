"""A job of the studio: `python -m rookery.job BYTES COMMAND...`

It is `rookery COMMAND...` within so much memory, which writes down in the end how it ended: the server that
started it may be gone by then.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from rookery.cli import main as rookery
from rookery.interfaces.web.budget import MEGABYTE, confine
from rookery.interfaces.web.jobs import END


def main() -> None:
    memory = int(sys.argv.pop(1))
    confine(memory)
    os.nice(10)
    code: object = 1
    try:
        rookery()
        code = 0
    except MemoryError:
        sys.exit(f"rookery: it asked for more memory than it may have here ({memory // MEGABYTE} MB)")
    except SystemExit as end:
        code = end.code or 0
        raise
    finally:
        if END in os.environ:
            with suppress(OSError):
                Path(os.environ[END]).write_text(str(code if isinstance(code, int) else 1))


if __name__ == "__main__":
    main()

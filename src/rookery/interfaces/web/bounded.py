"""The jobs of the studio: `python -m rookery.interfaces.web.bounded BYTES COMMAND...`"""

from __future__ import annotations

import os
import sys

from rookery.interfaces.web.budget import MEGABYTE, confine


def main() -> None:
    memory = int(sys.argv.pop(1))
    confine(memory)
    os.nice(10)
    from rookery.cli import main as rookery

    try:
        rookery()
    except MemoryError:
        sys.exit(f"rookery: it asked for more memory than it may have here ({memory // MEGABYTE} MB)")


if __name__ == "__main__":
    main()

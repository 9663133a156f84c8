"""Programs that try to kill Rookery; see README.md."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOKERY = (sys.executable, "-c", "from rookery.cli import main; main()")
"""The command, of this interpreter."""

# What the tests have to talk to servers, and to say nonsense to them.
sys.path[:0] = [str(ROOT / "tests" / folder) for folder in ("", "interfaces", "kriegspiel", "web")]

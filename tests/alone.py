"""Code in a process of its own: what may die must not take the tests with it."""

import subprocess
import sys
import textwrap


def run_alone(code: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """Runs Python code; how it ended, and all that it wrote. A death by a signal is a returncode below 0."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=seconds
    )


def lived(code: str, seconds: float = 60) -> str:
    """The same for code that must end well; what it printed."""
    done = run_alone(code, seconds)
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-2000:]}"
    return done.stdout

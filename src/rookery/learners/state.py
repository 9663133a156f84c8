"""What a checkpoint says is checked before a learner believes it: the file may be damaged, or another's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rookery.errors import CheckpointMismatch


@contextmanager
def fitting(path: Path) -> Iterator[None]:
    """Whatever does not fit in here is told as one line that names the file.

    Raises:
        CheckpointMismatch: something did not.
    """
    try:
        yield
    except CheckpointMismatch:
        raise
    except TypeError:  # whose words are about functions and their arguments
        raise CheckpointMismatch(f"{path} cannot be used: a value in it is of a wrong kind") from None
    except KeyError as error:
        raise CheckpointMismatch(f"{path} cannot be used: it does not say {error}") from None
    except Exception as error:
        words = (str(error) or type(error).__name__).splitlines()[0].rstrip(":")
        raise CheckpointMismatch(f"{path} cannot be used: {words}") from None


def read_state(path: Path) -> dict[str, Any]:
    """What a learner wrote of itself as JSON.

    Raises:
        CheckpointMismatch: it cannot be read.
    """
    with fitting(path):
        state = json.loads(path.read_text())
        if not isinstance(state, dict):
            raise TypeError
        return state


def whole(state: dict[str, Any], key: str, low: int, high: int) -> int:
    """A whole number out of it, within a range; for use under `fitting`."""
    value = state[key]
    if type(value) is not int:
        raise ValueError(f"{key} is no whole number")
    if not low <= value <= high:
        raise ValueError(f"{key} must be between {low} and {high} (got {value})")
    return value


def number(state: dict[str, Any], key: str, low: float, high: float) -> float:
    """The same for any number."""
    value = state[key]
    if type(value) not in (int, float) or not low <= value <= high:
        raise ValueError(f"{key} must be between {low:g} and {high:g} (got {str(value)[:40]})")
    return float(value)

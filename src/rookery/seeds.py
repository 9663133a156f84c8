"""Every generator in Rookery derives from one seed by a named path; there is no global one."""

from __future__ import annotations

from zlib import crc32

import numpy as np


def generator(seed: int, *path: str | int) -> np.random.Generator:
    """The generator of one place in a run. Places with different paths draw independently.

    >>> a, b = generator(1, "player", 0), generator(1, "player", 0)
    >>> int(a.integers(1000)) == int(b.integers(1000))
    True
    """
    key = tuple(crc32(part.encode()) if isinstance(part, str) else part for part in path)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))

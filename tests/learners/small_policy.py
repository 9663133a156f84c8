"""A file of weights of a tiny policy network for chess, made without torch."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from rookery import weights


@cache
def folder(channels: int = 4, seed: int = 1) -> str:
    """Where it lies; made once in a process."""
    rng, c = np.random.default_rng(seed), channels
    shapes = {
        "tower.stem.conv": (c, 41, 1, 1),
        "tower.blocks.0.first.conv": (c, c, 3, 3),
        "tower.blocks.0.second.conv": (c, c, 3, 3),
        "head.2": (1968, 16 * c),
    }
    arrays = {}
    for name, shape in shapes.items():
        spread = np.sqrt(2 / np.prod(shape[1:]))
        arrays[f"{name}.weight"] = rng.normal(0, spread, shape).astype(np.float32)
        arrays[f"{name}.bias"] = rng.normal(0, 0.1, shape[0]).astype(np.float32)
    place = Path(mkdtemp(prefix="rookery-policy-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    shape = {"encoder": "chess-planes-41", "trunk": "residual", "blocks": 1, "channels": c, "squeeze": 0}
    facts = {"game": "chess", "shape": {**shape, "head": "pooling", "norm": False}}
    weights.write(place / weights.FILE, "policy", 1, facts, arrays)
    return str(place / weights.FILE)

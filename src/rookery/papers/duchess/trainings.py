"""The trainings of the study, each a run of its own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rookery.learners.treestrap import TreeStrapLearner
from rookery.runs import Recipe, Run
from rookery.weights import FILE


def train(folder: str, options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """One training. It lies in a run folder, from which it goes on if it was broken off."""
    recipe = Recipe("treestrap", seed, TreeStrapLearner.Options(**options))
    run = Run.take_up(Path(folder), recipe, whatever=("threads",))
    run.train()
    lines = run.metrics()
    return {
        "weights": str((run.checkpoints()[-1] / FILE).relative_to(folder)),
        "seconds": lines[-1]["seconds"],
        "nodes_a_second": float(np.mean([line["nodes_per_second"] for line in lines])),
    }

"""Runs: training a player by a recipe, in a folder that survives whatever happens to the program.

    DIR/config.toml           the recipe with every key said, and hashes of the data that it reads
    DIR/metrics.jsonl         a line a step
    DIR/events/               the same for TensorBoard, where it is installed
    DIR/checkpoints/000040/   all that the learner needs to go on after step 40

A checkpoint is written aside and renamed, so there is never half of one, and it has sums of its files: where
the newest is damaged, the one before is taken.
"""

from rookery.runs.recipe import Recipe, about, catalogue, find, names
from rookery.runs.run import Run, Step

__all__ = ["Recipe", "Run", "Step", "about", "catalogue", "find", "names"]

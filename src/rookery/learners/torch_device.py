"""What a learner of networks works with: torch, on a processor or a GPU, and threads for native code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from rookery.errors import BadOption, RookeryError

if TYPE_CHECKING:
    import torch

_MOST_THREADS = 256
"""What native code takes."""


def require(learner: str, device: str) -> torch.device:
    """The device of that name; `auto`: a GPU if there is one.

    Raises:
        RookeryError: torch is not installed.
        BadOption: a GPU is asked for, and there is none.
    """
    try:
        import torch

        from rookery.nets.zero_device import pick_device
    except ImportError as error:
        raise RookeryError(f"{learner} needs torch ({error}); run: pip install 'rookery[train]'") from None
    found = pick_device(device)
    if found.type == "cuda" and not torch.cuda.is_available():
        raise BadOption(f"device = {device}: torch finds no GPU; use auto or cpu")
    return found


def threads(asked: int) -> int:
    """As many as were asked for; 0: one for each core that this process may use."""
    return asked or min(len(os.sched_getaffinity(0)), _MOST_THREADS)

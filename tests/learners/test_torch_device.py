from __future__ import annotations

import sys

import pytest

from rookery.errors import BadOption, RookeryError
from rookery.learners import torch_device


def test_without_torch_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(RookeryError, match=r"^td2 needs torch .*; run: pip install 'rookery\[train\]'$"):
        torch_device.require("td2", "cpu")


def test_a_gpu_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert torch_device.require("td2", "auto").type == torch_device.require("td2", "cpu").type == "cpu"
    with pytest.raises(BadOption, match="torch finds no GPU; use auto or cpu"):
        torch_device.require("td2", "cuda")


def test_threads_are_those_asked_for_or_one_for_each_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(1000)))
    assert (torch_device.threads(3), torch_device.threads(0)) == (3, 256)

"""A plugin for pytest that bounds the processor time of tests: of one, by a signal that ends the process;
of all, by beginning no other. Which test runs stands in a file, so that it is known when the process dies."""

from __future__ import annotations

import os
import resource
from collections.abc import Generator
from pathlib import Path

import pytest

_ONE = 60
"""Processor seconds that one test may take."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    Path(os.environ["BOUNDED_RUNNING"]).write_text(item.nodeid)
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + _ONE, hard))
    result = yield
    most, times = os.environ["BOUNDED_SECONDS"], os.times()
    if most and times.user + times.system + times.children_user + times.children_system > float(most):
        item.session.shouldstop = "out of time"
    return result

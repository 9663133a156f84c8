"""How much of this machine the studio may take: memory, processes and threads, all of it together.

Whatever a visitor starts works in processes whose memory the system bounds (`confine`), and there are only
so many of them, so a small machine stays alive. What certainly does not fit is refused before it starts.
"""

from __future__ import annotations

import os
import resource
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MEGABYTE = 1 << 20
_SHARE = 0.7
"""Of the machine's memory; half of it for players who think at tables, half for matches and training."""
_LEAST, _MOST = 384 * MEGABYTE, 4096 * MEGABYTE
"""Bytes of a process in which players think; with all libraries loaded about 110 MB are taken."""
_JOB = 768 * MEGABYTE
"""Least bytes for a match or a training."""
_JOBS = 4
"""At most so many at a time."""
_CGROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


@dataclass(frozen=True)
class Budget:
    """What may be taken."""

    cores: int
    players: int
    """Processes in which players think for tables,"""
    analysts: int
    """and for those who analyse."""
    worker: int
    """Bytes of each."""
    jobs: int
    """Matches and trainings at a time."""
    job: int
    """Bytes of each."""

    @classmethod
    def of(cls, memory: int, cores: int) -> Budget:
        """For a machine of so many bytes.

        >>> Budget.of(4 << 30, 2)
        Budget(cores=2, players=2, analysts=1, worker=402653184, jobs=1, job=1503238553)
        """
        half = int(memory * _SHARE) // 2
        wanted = 2 * cores + 2 + max(2, cores)
        worker = min(_MOST, max(_LEAST, half // wanted))
        processes = max(3, min(wanted, half // worker))
        jobs = max(1, min(_JOBS, half // _JOB))
        analysts = max(1, processes // 4)
        return cls(cores, processes - analysts, analysts, worker, jobs, half // jobs)

    @classmethod
    def here(cls) -> Budget:
        return cls.of(machine_memory(), len(os.sched_getaffinity(0)))

    @property
    def hash(self) -> int:
        """Megabytes that one player may ask for as a table of positions."""
        return self.worker // (4 * MEGABYTE)

    @property
    def training(self) -> int:
        """Megabytes that a training may ask for beside the program itself."""
        return max(64, self.job // MEGABYTE - 256)

    @property
    def match(self) -> int:
        """Megabytes of tables that all entrants of a match may ask for together: two processes hold it."""
        return max(64, self.job // (2 * MEGABYTE) - 256)


def machine_memory() -> int:
    """Bytes that there are, or that this process and its children may have."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for path in _CGROUPS:
        with suppress(OSError, ValueError):
            found.append(int(path.read_text()))
    return min(found)


def confine(memory: int) -> None:
    """Bound the memory of this process, and of each that it starts.

    Bounded is what it may write to itself: libraries and mapped files take nothing from others.
    """
    if memory:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))

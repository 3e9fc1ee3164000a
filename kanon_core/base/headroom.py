"""The memory of this process: how much it holds, how much a server may hold, and how much more it may take
before the system stops it or refuses memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

SYSTEM = Path("/")
"""The folder above proc and sys, in which the system reports memory; only Linux does."""
_OWN = "Max data size"
MEMORY = "KANON_MEMORY"
"""An environment variable: the megabytes of a server's process above which it accepts no files; unset: no
limit."""
SHARE = "KANON_SHARE"
"""An environment variable: the megabytes that a file with its table, and later the table with its results,
may take in one tab; unset: no limit."""


def left(system: Path = SYSTEM) -> int | None:
    """Return the bytes that this process may still take: the least of the machine's free memory, the rest
    within the limits of its service or container (cgroup v2), and the rest within its own limit
    (RLIMIT_DATA). None where the system reports none of these.

    >>> left() is None or left() >= 0
    True
    """
    found = [max(one, 0) for one in (*_of_machine(system), *_of_groups(system), *_of_process(system))]
    return min(found, default=None)


def _of_machine(system: Path) -> Iterator[int]:
    yield from _field(system / "proc/meminfo", "MemAvailable:")


def _of_groups(system: Path) -> Iterator[int]:
    """Yield the bytes that each control group of this process leaves. Copies of files that the group could
    drop at once are not counted as taken."""
    own = next(
        (line[3:] for line in _text(system / "proc/self/cgroup").splitlines() if line[:3] == "0::"), ""
    )
    root = system / "sys/fs/cgroup"
    place = root / own.strip("/")
    for group in (place, *place.parents):
        most, taken = _text(group / "memory.max").strip(), _text(group / "memory.current").strip()
        if most.isdecimal() and taken.isdecimal():
            yield int(most) - int(taken) + _counted(group / "memory.stat", "inactive_file")
        if group == root:
            return


def _of_process(system: Path) -> Iterator[int]:
    for line in _text(system / "proc/self/limits").splitlines():
        most = line.removeprefix(_OWN).split()[0] if line.startswith(_OWN) else ""
        if most.isdecimal():
            yield from (int(most) - taken for taken in _field(system / "proc/self/status", "VmData:"))


def _field(file: Path, name: str) -> Iterator[int]:
    """Yield the bytes of a field that the system reports in kB."""
    yield from (1024 * int(line.split()[1]) for line in _text(file).splitlines() if line.startswith(name))


def _counted(file: Path, name: str) -> int:
    return next((int(line.split()[1]) for line in _text(file).splitlines() if line.split()[0] == name), 0)


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except OSError:
        return ""


def held() -> int:
    """Return the bytes of this machine's memory that this process holds; 0 where the system does not report
    it (only Linux does).

    >>> held() >= 0
    True
    """
    return _bytes(1)


def reserved() -> int:
    """Return the bytes that this process has reserved, whether it holds them yet or not; 0 where the system
    does not report it.

    >>> reserved() >= held()
    True
    """
    return _bytes(0)


def _bytes(which: int) -> int:
    try:
        pages = Path("/proc/self/statm").read_text("utf-8").split()[which]
    except OSError:
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")

"""What this process holds of the machine's memory, and how much a server may."""

from __future__ import annotations

import os
from pathlib import Path

MEMORY = "KANON_MEMORY"
"""Of the environment: megabytes of a server's process from which on it takes no files; none: no limit."""
SHARE = "KANON_SHARE"
"""Of the environment: megabytes that a file with its table, and then that table with its results, may take in
one tab; none: no limit."""


def held() -> int:
    """Bytes of this machine's memory that this process holds; 0 where the system does not tell (only Linux
    does).

    >>> held() >= 0
    True
    """
    return _bytes(1)


def reserved() -> int:
    """Bytes that this process has asked for, whether it holds them yet or not; 0 where the system does not
    tell.

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

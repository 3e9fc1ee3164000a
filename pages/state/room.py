"""Whether the server has room for another table: limits on the memory of all and of each tab, said when it is
started, and what the system leaves."""

from __future__ import annotations

import math
import os

from kanon_core.base.headroom import MEMORY, SHARE, held, left
from kanon_core.base.memory import bytes_of
from kanon_core.base.words import tr
from kanon_core.table.table import Table

TIMES, SPARE = 10, 64_000_000
"""Bytes that reading takes for each of the file's (csv: 8 at most were measured), and that must stay left."""


def full() -> bool:
    """Return whether the server takes no file now. Who has a table goes on with it."""
    most = _said(MEMORY)
    return most is not None and held() > most


def share() -> int | None:
    """Bytes that a file with its table, and then that table with its results, may take in one tab; None: no
    limit."""
    return _said(SHARE)


def too_large(file: bytes, table: Table | None = None) -> str:
    """Return why a file – and its table, once it was read – is more than one tab may have; "" if it is
    not."""
    most, takes = share(), len(file) + (bytes_of(table) if table is not None else 0)
    if most is None or takes <= most:
        return ""
    says = tr(
        "The file takes {takes:,} MB of memory; this server gives each tab {most:,} MB. Take fewer records or"
        " columns."
    )
    if table is not None:
        says = tr(
            "The file and its table take {takes:,} MB of memory; this server gives each tab {most:,} MB. Take"
            " fewer records or columns."
        )
    return says.format(takes=-(-takes // 1_000_000), most=most // 1_000_000)


def left_beside(table: Table) -> float:
    """Bytes of a tab's share that its table leaves for results; infinite where there is no limit."""
    most = share()
    return math.inf if most is None else most - bytes_of(table)


def no_room(file: bytes) -> str:
    """Return why a file is not even read: the system leaves less memory than reading takes, and would end the
    server and everybody's tables with it; "" where there is room, or nobody knows."""
    takes, there = TIMES * len(file) + SPARE, left()
    if there is None or takes <= there:
        return ""
    return tr(
        "To read the file takes about {takes:,} MB of memory; the computer that runs Kanon has {left:,} MB"
        " left. Take fewer records or columns, or try again when others have left."
    ).format(takes=-(-takes // 1_000_000), left=there // 1_000_000)


def _said(name: str) -> int | None:
    """A limit in bytes."""
    megabytes = os.environ.get(name, "")
    return int(megabytes) * 1_000_000 if megabytes.isdecimal() else None

"""Whether the server has room for another table: limits on the memory of all and of each tab, said when it is
started."""

from __future__ import annotations

import math
import os

from kanon_core.base.memory import bytes_of
from kanon_core.base.resident import MEMORY, SHARE, held
from kanon_core.base.words import tr
from kanon_core.table.table import Table


def full() -> bool:
    """Whether the server takes no file now. Who has a table goes on with it."""
    most = _said(MEMORY)
    return most is not None and held() > most


def share() -> int | None:
    """Bytes that a file with its table, and then that table with its results, may take in one tab; None: no
    limit."""
    return _said(SHARE)


def too_large(file: bytes, table: Table | None = None) -> str:
    """Why a file – and its table, once it was read – is more than one tab may have; "" if it is not."""
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


def _said(name: str) -> int | None:
    """A limit in bytes."""
    megabytes = os.environ.get(name, "")
    return int(megabytes) * 1_000_000 if megabytes.isdecimal() else None

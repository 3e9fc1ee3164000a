"""Whether the server has room for another table: limits on the memory of all and of each tab, said when it is
started."""

from __future__ import annotations

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
    """Bytes that the file, table and results of one tab may take; None: no limit."""
    return _said(SHARE)


def too_large(file: bytes, table: Table | None = None) -> str:
    """Why a file – and its table, once it was read – is more than one tab may have; "" if it is not."""
    most, takes = share(), len(file) + (bytes_of(table) if table is not None else 0)
    if most is None or takes <= most:
        return ""
    what = tr("The file and its table take") if table is not None else tr("The file takes")
    return tr(
        "{what} {takes:,} MB of memory; this server gives each tab {most:,} MB. Take fewer records or"
        " columns."
    ).format(what=what, takes=-(-takes // 1_000_000), most=most // 1_000_000)


def _said(name: str) -> int | None:
    """A limit in bytes."""
    megabytes = os.environ.get(name, "")
    return int(megabytes) * 1_000_000 if megabytes.isdecimal() else None

"""Limits of this server: uploads or samples only, and the memory of all tabs and of each tab. The limits are
set when the server starts."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from kanon_core.base import headroom
from kanon_core.base.classroom import Classroom
from kanon_core.base.words import tr

if TYPE_CHECKING:
    from kanon_core.table.table import Table

READING_TIMES, SPARE_BYTES = 10, 64_000_000
"""The bytes of memory for each byte of a file while it is read (csv: at most 8 were measured), and the bytes
that must stay free."""


def memory_full() -> bool:
    """Return whether the server takes no file now; visitors who have a table continue with it."""
    limit = _limit(headroom.MEMORY)
    return limit is not None and headroom.held() > limit


def tab_limit() -> int | None:
    """Return the bytes that a file with its table, and then that table with its results, may take in one tab;
    None: no limit."""
    return _limit(headroom.SHARE)


def above_tab_limit(file: bytes, table: Table | None = None) -> str:
    """Return a sentence if a file, with its table after reading, needs more memory than a tab may have; else
    ""."""
    from kanon_core.base.memory import bytes_of

    limit, takes = tab_limit(), len(file) + (bytes_of(table) if table is not None else 0)
    if limit is None or takes <= limit:
        return ""
    says = tr(
        "The file needs {takes:,} MB of memory, but this server allows {most:,} MB for each tab."
        " Use fewer records or columns."
    )
    if table is not None:
        says = tr(
            "The file and its table need {takes:,} MB of memory, but this server allows {most:,}"
            " MB for each tab. Use fewer records or columns."
        )
    return says.format(takes=-(-takes // 1_000_000), most=limit // 1_000_000)


def bytes_for_results(table: Table) -> float:
    """Return the bytes of a tab's share that remain for results; infinite without a limit."""
    from kanon_core.base.memory import bytes_of

    limit = tab_limit()
    return math.inf if limit is None else limit - bytes_of(table)


def above_free_memory(file: bytes) -> str:
    """Return a sentence if reading a file needs more memory than is free, as the system would then end the
    server; "" if there is enough memory or the free memory is unknown."""
    takes, free = READING_TIMES * len(file) + SPARE_BYTES, headroom.left()
    if free is None or takes <= free:
        return ""
    return tr(
        "Reading the file needs about {takes:,} MB of memory, but the computer that runs Kanon has only"
        " {left:,} MB free. Use fewer records or columns, or try again when other people have left."
    ).format(takes=-(-takes // 1_000_000), left=free // 1_000_000)


def _limit(name: str) -> int | None:
    """Return a limit of the environment in bytes."""
    megabytes = os.environ.get(name, "")
    return int(megabytes) * 1_000_000 if megabytes.isdecimal() else None


def files_refused() -> bool:
    """Return whether uploads are refused: in a class whose server does not allow them."""
    classroom = Classroom.of()
    return classroom is not None and not classroom.uploads

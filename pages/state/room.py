"""Whether the server has room for another table: a limit on the memory of all, said when it is started."""

from __future__ import annotations

import os

from kanon_core.base.resident import MEMORY, held


def full() -> bool:
    """Whether the server takes no file now. Who has a table goes on with it."""
    said = os.environ.get(MEMORY, "")
    return said.isdecimal() and held() > int(said) * 1_000_000

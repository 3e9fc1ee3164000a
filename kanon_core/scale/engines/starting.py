"""How worker processes start: without the program that asks for them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def without_program() -> Iterator[None]:
    """Processes that are started meanwhile do not import the program that runs: a task is a function of this
    package. A program then needs no ``if __name__ == "__main__"``, and a page or a notebook can start
    workers, too.

    >>> with without_program():
    ...     hasattr(sys.modules["__main__"], "__file__")
    False
    """
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program

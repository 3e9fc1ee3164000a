"""The memory that objects hold, and the return of unused memory to the machine."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Sequence

import numpy as np


def bytes_of(*things: object, without: Sequence[object] = ()) -> int:
    """Return the bytes of all arrays that these objects hold, in attributes, lists, tuples and values of
    dicts, each array counted once; but not those of objects in ``without``.

    >>> once = np.zeros(10)
    >>> bytes_of([once, {"part": once[:5]}], (np.zeros(2),)), bytes_of([once], without=[once])
    (96, 0)
    """
    seen = {id(thing): thing for thing in without}
    left, found = list(things), 0
    while left:
        thing = left.pop()
        while isinstance(thing, np.ndarray) and isinstance(thing.base, np.ndarray):
            thing = thing.base
        if id(thing) in seen:
            continue
        seen[id(thing)] = thing
        if isinstance(thing, np.ndarray):
            found += thing.nbytes
        elif not isinstance(thing, type):
            left += _parts(thing)
    return found


def _parts(thing: object) -> Iterator[object]:
    if isinstance(thing, dict):
        yield from thing.values()
    elif isinstance(thing, list | tuple):
        yield from thing
    elif hasattr(thing, "__dict__"):
        yield from list(vars(thing).values())


def give_back() -> None:
    """Give unused memory back to the system, as far as its allocators can; takes some milliseconds. Otherwise
    the memory of freed arrays would be kept for later ones."""
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    if (trim := _trim()) is not None:
        trim(0)


def _trim() -> ctypes._NamedFuncPointer | None:
    """glibc's way, on systems that have it."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        found = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):
        return None
    return found

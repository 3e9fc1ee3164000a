"""Where something is wrong: the file that it is said of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from kanon_core.base.errors import KanonError
from kanon_core.base.words import tr


@contextmanager
def in_file(file: object) -> Iterator[None]:
    """What is wrong meanwhile is said of this file by its name, if ``file`` is a path that has one.

    >>> with in_file("data/people.csv"):
    ...     raise KanonError("The file is empty.")
    Traceback (most recent call last):
    kanon_core.base.errors.KanonError: In the file “people.csv”: The file is empty.
    """
    try:
        yield
    except KanonError as problem:
        name = Path(file).name if isinstance(file, str | PathLike) else ""
        if not name or f"“{name}”" in str(problem):
            raise
        said = tr("In the file “{name}”: {problem}").format(name=name, problem=problem)
        raise type(problem)(said) from None

"""Where something is wrong: the file that it is said of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from kanon_core.base.errors import InputError, KanonError
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


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """What the system refuses meanwhile is said of this file. Raises InputError.

    >>> with writing(Path("released.csv")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    kanon_core.base.errors.InputError: The file “released.csv” cannot be written (No space left ...
    """
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or tr("the system refused")
        said = tr("The file “{name}” cannot be written ({reason}); choose another place.")
        raise InputError(said.format(name=file.name, reason=reason)) from None

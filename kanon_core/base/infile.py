"""Read and write files safely: errors name the file, no file is left half written, and no file gets
characters that it cannot hold."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from kanon_core.base.errors import InputError, KanonError
from kanon_core.base.words import tr

_HALVES = re.compile("[\ud800-\udfff]")


@contextmanager
def in_file(file: object) -> Iterator[None]:
    """Add the file's name to errors that are raised inside, if ``file`` is a path with a name.

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
    """Raise InputError with the file's name if the system refuses to write inside.

    >>> with writing(Path("released.csv")):
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    kanon_core.base.errors.InputError: The file “released.csv” cannot be written (No space left ...
    """
    try:
        yield
    except OSError as problem:
        reason = problem.strerror or tr("the operating system refused")
        said = tr("The file “{name}” cannot be written ({reason}); choose another folder.")
        raise InputError(said.format(name=file.name, reason=reason)) from None


def write_files(files: Mapping[Path, bytes], secret: str | None = None) -> None:
    """Write all of these files or none: each is first written beside its place, then renamed. Only its owner
    may read the file at ``secret`` (mode 600), as it holds a seed or original rows. Raises InputError when
    the system refuses."""
    beside = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    try:
        for path, part in beside.items():
            hidden = secret is not None and path == Path(secret)
            with writing(path), open(part, "wb", opener=_owner_only if hidden else None) as file:
                file.write(files[path])
        for path, part in beside.items():
            with writing(path):
                part.replace(path)
    finally:
        for part in beside.values():
            part.unlink(missing_ok=True)


def _owner_only(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_EXCL, 0o600)


def encodable(text: str) -> str:
    """Return the text with U+FFFD in place of halves of characters (lone surrogates)."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)

"""Storage of files: folders of this machine, or any address that fsspec knows (s3://…, gs://…, hdfs://…)."""

from __future__ import annotations

import contextlib
import errno
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from kanon_core.base.errors import KanonError, OptionError
from kanon_core.base.words import tr

OF_A_JOB = ".kanon-"
"""The beginning of the names of folders in which jobs are done."""


class StorageError(KanonError):
    """A file of the work, of the source or of the release cannot be read or written."""


@contextlib.contextmanager
def storage_errors() -> Iterator[None]:
    """Within this context, turn errors of the system about files into a sentence. Raises StorageError.

    >>> with storage_errors():
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    kanon_core.scale.work.storage.StorageError: A file could not be read or written (No space left ...). ...
    """
    try:
        yield
    except OSError as problem:
        raise StorageError(
            tr(
                "A file could not be read or written ({reason}). Nothing was published. Free disk"
                " space or grant access; the same call then resumes where it ended."
            ).format(reason=os.strerror(problem.errno) if problem.errno else type(problem).__name__)
        ) from None


def is_remote(address: str) -> bool:
    """Return whether it is an address rather than a path of this machine."""
    return "://" in address


def system(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path there. Raises OptionError where fsspec is not
    installed or does not know it."""
    try:
        import fsspec

        found: tuple[Any, str] = fsspec.core.url_to_fs(address)
        return found
    except ImportError as problem:
        raise OptionError(
            tr("Addresses such as s3://… need a library that is not installed: {problem}").format(
                problem=problem
            )
        ) from None
    except ValueError:
        raise OptionError(
            tr(
                "The kind of the address “{address}” is unknown; name a folder, or an address such"
                " as s3://… or gs://…."
            ).format(address=address.partition("://")[0] + "://")
        ) from None


@contextlib.contextmanager
def answering(address: str) -> Iterator[None]:
    """Within this context, turn errors of a remote storage into a sentence. Raises StorageError."""
    try:
        yield
    except KanonError:
        raise
    except Exception as problem:  # each kind of storage has errors of its own
        raise StorageError(
            tr(
                "The storage at “{address}” reported an error ({kind}). Check the address and your"
                " access to it."
            ).format(address=address.partition("://")[0] + "://…", kind=type(problem).__name__)
        ) from None


def opened(address: str) -> IO[bytes]:
    """Return the file, opened to be read."""
    if is_remote(address):
        with answering(address):
            place, path = system(address)
            found: IO[bytes] = place.open(path, "rb")
            return found
    return Path(address).open("rb")


def size_of(file: str) -> list[object]:
    """Return a mark by which to tell whether a file is the same as before: its size, and the time of its last
    change or the mark of its storage. Raises StorageError."""
    if is_remote(file):
        with answering(file):
            place, path = system(file)
            return [place.size(path), str(place.ukey(path))]
    with storage_errors():
        found = Path(file).stat()
        return [found.st_size, found.st_mtime_ns]


def _make(folder: Path) -> None:
    """Make a folder and those above it, but not that of a job: if it is gone, the job has ended, and a late
    worker would leave rows there."""
    if not folder.is_dir():
        if folder.name.startswith(OF_A_JOB):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        _make(folder.parent)
        folder.mkdir(exist_ok=True)


@contextlib.contextmanager
def written(path: Path, lasting: bool = False) -> Iterator[Path]:
    """Open a place to write to, which becomes ``path`` only when the whole file is written. ``lasting``:
    first flush the file to the disk, so that it survives if the machine goes off. Raises StorageError, as
    when the disk is full."""
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    with storage_errors():
        _make(path.parent)
        try:
            yield beside
            if lasting:
                with beside.open("rb") as file:
                    os.fsync(file.fileno())
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)

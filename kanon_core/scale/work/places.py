"""Where files lie: folders of this machine, or any address that fsspec knows (s3://…, gs://…, hdfs://…)."""

from __future__ import annotations

import contextlib
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from kanon_core.base.errors import InputError, KanonError, OptionError
from kanon_core.base.words import tr

ENDINGS = (".parquet", ".pq", ".csv", ".tsv")


class StorageError(KanonError):
    """A file of the work, of the source or of the release cannot be read or written."""


@contextlib.contextmanager
def told() -> Iterator[None]:
    """What the system says of files meanwhile is said in a sentence. Raises StorageError.

    >>> with told():
    ...     raise OSError(28, "No space left on device")
    Traceback (most recent call last):
    kanon_core.scale.work.places.StorageError: A file could not be read or written (No space left ...). ...
    """
    try:
        yield
    except OSError as problem:
        raise StorageError(
            tr(
                "A file could not be read or written ({reason}). Nothing was published; make room or give"
                " access, and the same call goes on where it ended."
            ).format(reason=os.strerror(problem.errno) if problem.errno else type(problem).__name__)
        ) from None


def is_remote(address: str) -> bool:
    """Whether it is an address rather than a path of this machine."""
    return "://" in address


def system(address: str) -> tuple[Any, str]:
    """The file system of an address, and the path there. Raises OptionError where fsspec is not installed or
    does not know it."""
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
                "The address “{address}” is of no kind that is known; name a folder, or s3://…, gs://…."
            ).format(address=address.partition("://")[0] + "://")
        ) from None


def opened(address: str) -> IO[bytes]:
    """The file, opened to be read."""
    if is_remote(address):
        place, path = system(address)
        found: IO[bytes] = place.open(path, "rb")
        return found
    return Path(address).open("rb")


def size_of(file: str) -> list[object]:
    """What tells whether a file is the same as before: its size, and when it was changed or what its storage
    knows it by. Raises StorageError."""
    with told():
        if is_remote(file):
            place, path = system(file)
            return [place.size(path), str(place.ukey(path))]
        found = Path(file).stat()
        return [found.st_size, found.st_mtime_ns]


def files_in(source: str) -> list[str]:
    """The files of a folder with all its subfolders, of a pattern with ``*``, or the file itself, in the
    order of their names. Raises InputError where there are none."""
    if is_remote(source):
        place, path = system(source)
        found = place.glob(path) if "*" in path else place.find(path)
        kept = [str(place.unstrip_protocol(name)) for name in found]
    else:
        path_here = Path(source)
        if "*" in source:
            whole = path_here.absolute()
            kept = [str(path) for path in Path(whole.anchor).glob(str(whole.relative_to(whole.anchor)))]
        else:
            kept = [str(path) for path in path_here.rglob("*")] if path_here.is_dir() else [source]
        kept = [name for name in kept if Path(name).is_file()]
    kept = sorted(name for name in kept if name.lower().endswith(ENDINGS) and not _hidden(name, source))
    if not kept:
        raise InputError(
            tr("There is no parquet or csv file at “{name}”; name a folder, a file or a pattern.").format(
                name=Path(source).name or source
            )
        )
    return kept


def _hidden(name: str, source: str) -> bool:
    """Names that begin with _ or . are no data, as everywhere in folders of parquet files."""
    steps = Path(name).parts[len(Path(source.partition("*")[0]).parts) :]
    return any(step.startswith(("_", ".")) for step in steps)


@contextlib.contextmanager
def written(path: Path) -> Iterator[Path]:
    """A place to write to, which becomes ``path`` when all went well: nobody finds half a file there. Raises
    StorageError, as when the disk is full."""
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    with told():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield beside
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)

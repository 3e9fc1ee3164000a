"""Where files lie: folders of this machine, or any address that fsspec knows (s3://…, gs://…, hdfs://…)."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.words import tr

ENDINGS = (".parquet", ".pq", ".csv", ".tsv")


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
    """What tells whether a file is the same as before: its size, and when it was changed where that is
    known."""
    if is_remote(file):
        place, path = system(file)
        return [place.size(path)]
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
    """A place to write to, which becomes ``path`` when all went well: nobody finds half a file there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    try:
        yield beside
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)

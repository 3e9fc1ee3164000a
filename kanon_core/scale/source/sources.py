"""Files of a table: those of a folder, of a pattern, of an address, or of several of these."""

from __future__ import annotations

import os
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path

from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.words import tr
from kanon_core.scale.work.storage import answering, is_remote, storage_errors, system

ENDINGS = (".parquet", ".pq", ".csv", ".tsv")
Source = str | PathLike[str] | Sequence[str]
"""A folder, a pattern, an address, or a list of such."""


def source_files(source: Source) -> list[str]:
    """Return the files of a source, each once. Raises InputError where there are none, one is named twice, or
    a link leads nowhere or to a folder."""
    found = [name for one in _each(source) for name in files_in(one)]
    seen = dict[str, str]()
    for name in found:
        real = name if is_remote(name) else os.path.realpath(name)
        if real in seen:
            raise InputError(
                tr(
                    "The file “{name}” is given twice, also as “{other}”, so its records would"
                    " count twice. Name it once."
                ).format(name=Path(name).name, other=seen[real])
            )
        seen[real] = name
    return found


def roots_of(source: Source) -> tuple[str, ...]:
    """Return the folders that hold all files of a source; names of folders below these may define columns."""
    return tuple(_root(one) for one in _each(source))


def _root(source: str) -> str:
    base, star, _ = source.partition("*")
    if star:
        return base.rpartition("/")[0] if is_remote(source) else str(Path(f"{base}x").parent)
    if source.lower().endswith(ENDINGS) and (is_remote(source) or Path(source).is_file()):
        return source.rpartition("/")[0] if is_remote(source) else str(Path(source).parent)
    return source


def left_out(source: Source) -> list[str]:
    """Return the names of the files in the folders of a source that are not read because of their endings;
    hidden files are not listed."""
    return sorted(
        Path(name).name
        for one in _each(source)
        if not is_remote(one) and Path(one).is_dir()
        for name in _below(one)
        if not name.lower().endswith(ENDINGS) and not _hidden(name, one)
    )


def files_in(source: str) -> list[str]:
    """Return the files of a folder with all its subfolders, of a pattern with ``*``, or the file itself, in
    the order of their names. Raises InputError where there are none."""
    if is_remote(source):
        with answering(source):
            place, path = system(source)
            found = place.glob(path) if "*" in path else place.find(path)
        kept = [str(place.unstrip_protocol(name)) for name in found]
    else:
        path_here = Path(source)
        if "*" in source:
            whole = path_here.absolute()
            kept = [str(path) for path in Path(whole.anchor).glob(str(whole.relative_to(whole.anchor)))]
            kept = [name for name in kept if Path(name).is_file()]
        else:
            kept = _below(source) if path_here.is_dir() else [source] if path_here.is_file() else []
    kept = sorted(name for name in kept if name.lower().endswith(ENDINGS) and not _hidden(name, source))
    if not kept:
        raise InputError(
            tr("There is no parquet or csv file at “{name}”; name a folder, a file or a pattern.").format(
                name=Path(source).name or source
            )
        )
    return kept


def _each(source: Source) -> list[str]:
    return [fspath(source)] if isinstance(source, str | PathLike) else [fspath(one) for one in source]


def _below(folder: str) -> list[str]:
    """Return all files below a folder. Raises InputError for links that lead nowhere or to folders, which are
    not followed; StorageError for a folder that may not be read."""
    found = list[str]()
    with storage_errors():
        for place, folders, files in os.walk(folder, onerror=_refuse):
            paths = [str(Path(place) / name) for name in (*folders, *files)]
            for path in paths:
                if Path(path).is_symlink() and not Path(path).is_file() and not _hidden(path, folder):
                    raise InputError(
                        tr(
                            "“{name}” is a link to a folder, or a broken link, and is not followed."
                            " Name its target as a further source, or remove the link."
                        ).format(name=Path(path).name)
                    )
            found += [path for path in paths if Path(path).is_file()]
    return found


def _refuse(problem: OSError) -> None:
    raise problem


def _hidden(name: str, source: str) -> bool:
    """Return whether the name begins with _ or ., and so is no data, as in all folders of parquet files."""
    above = Path(_root(source))
    if not is_remote(source):
        name, above = str(Path(name).absolute()), above.absolute()
    return any(step.startswith(("_", ".")) for step in Path(name).parts[len(above.parts) :])


def apart(out: str | PathLike[str], source: Source) -> str:
    """Return the folder to write, which must not be inside a folder that is read: its files would be data the
    next time. Raises OptionError.

    >>> apart("released", "people/*.parquet")
    'released'
    """
    out = fspath(out)
    for one in _each(source):
        base, star, _ = one.partition("*")
        if is_remote(one) or is_remote(out):
            inside = out.startswith(base.rpartition("/")[0] + "/" if star else base.rstrip("/") + "/")
        else:
            folder = Path(f"{base}x").parent if star else Path(base)
            inside = bool(star or folder.is_dir()) and Path(out).resolve().is_relative_to(folder.resolve())
        if inside:
            raise OptionError(
                tr(
                    "“{name}” would be inside the folder that is read, and be read as data the next"
                    " time. Choose a place elsewhere."
                ).format(name=Path(out).name)
            )
    return out

"""Where a release comes from and goes to: its files, the folder it is made in, and the moment it appears."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from kanon_core.base.errors import InputError, KanonError, OptionError
from kanon_core.base.randomness import secret_seed
from kanon_core.base.words import tr
from kanon_core.scale.engines.base import EngineError
from kanon_core.scale.work.keeping import keep, kept
from kanon_core.scale.work.places import StorageError, files_in, is_remote, system, told


def source_files(source: str | Sequence[str]) -> list[str]:
    """The files of a source: a folder, a pattern or an address, or several."""
    return files_in(source) if isinstance(source, str) else [name for one in source for name in files_in(one)]


def free_place(out: str) -> str:
    """The folder to write, which must not be there yet."""
    place = Path(out)
    if is_remote(out):
        files, path = system(out)
        there, parent = files.exists(path), True
    else:
        there, parent = place.exists(), place.absolute().parent.is_dir()
    if there:
        raise OptionError(
            tr("“{name}” is there already; name a folder that is not, or delete it.").format(name=place.name)
        )
    if not parent:
        raise InputError(
            tr("There is no folder for “{target}”; make it first or choose another place.").format(
                target=place.name
            )
        )
    return out


def apart(out: str, source: str | Sequence[str]) -> str:
    """The folder to write, which must not lie in a folder that is read: its files would be data next time.
    Raises OptionError.

    >>> apart("released", "people/*.parquet")
    'released'
    """
    for one in [source] if isinstance(source, str) else source:
        base, star, _ = one.partition("*")
        if is_remote(one) or is_remote(out):
            inside = out.startswith(base.rpartition("/")[0] + "/" if star else base.rstrip("/") + "/")
        else:
            folder = Path(f"{base}x").parent if star else Path(base)
            inside = bool(star or folder.is_dir()) and Path(out).resolve().is_relative_to(folder.resolve())
        if inside:
            raise OptionError(
                tr(
                    "“{name}” would lie in the folder that is read, and be read as data the next time; name a"
                    " folder elsewhere."
                ).format(name=Path(out).name)
            )
    return out


@contextmanager
def work_folder(work: str | None, out: str, said: Mapping[str, object]) -> Iterator[Path]:
    """The folder of this very job: made, or found again with what was done before it was stopped. It is
    deleted at the end, and where the same call would end in the same error; it stays where work was stopped.
    Raises StorageError, and OptionError, as where another process does this job just now."""
    if work is None and is_remote(out):
        raise OptionError(tr("Name a work folder that all workers see: the release goes to an address."))
    place = Path(work) if work is not None else Path(out).absolute().parent
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
    folder = place / f".kanon-{digest}"
    with told():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_own(folder)
    with _alone_in(folder):
        try:
            yield folder
        except KanonError as problem:
            if not isinstance(problem, EngineError | StorageError):
                shutil.rmtree(folder, ignore_errors=True)
            raise
        shutil.rmtree(folder, ignore_errors=True)


def _check_own(folder: Path) -> None:
    """Raises StorageError where somebody else made the folder, or may read it: it holds originals."""
    found = folder.stat()
    theirs = hasattr(os, "geteuid") and found.st_uid != os.geteuid()
    if theirs or (os.name == "posix" and found.st_mode & 0o077):
        raise StorageError(
            tr(
                "The work folder “{name}” is there already, and others can read it; delete it, or name"
                " another place by --work."
            ).format(name=folder.name)
        )


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Two processes at once would delete what the other needs. The system lets go of the lock of a process
    that ends, however it does; where there are no such locks (Windows), nothing is kept apart."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with told():
        lock = (folder / "driver.lock").open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OptionError(
                tr("Another process does this very job just now; wait for it, or end it first.")
            ) from None
        yield


def kept_seed(folder: Path, seed: int | None) -> int:
    """The seed of this job: a secret one is kept while it is not finished."""
    found = kept(folder / "seed.npz")
    if found is None:
        found = {"seed": str(secret_seed() if seed is None else seed)}
        keep(folder / "seed.npz", found)
    return int(found["seed"])


def publish(folder: Path, out: str) -> None:
    """Bring an audited release to its place: at once on this machine, the last file last elsewhere."""
    with told():
        for left in folder.glob(".*"):  # by a worker that was killed while it wrote
            left.unlink()
        if is_remote(out):
            files, path = system(out)
            files.put(f"{folder}/", f"{path}/", recursive=True)
            return
        try:
            folder.rename(out)
        except OSError:  # on another disk
            beside = Path(out).with_name(f".{Path(out).name}.part")
            shutil.copytree(folder, beside, dirs_exist_ok=True)
            beside.rename(out)

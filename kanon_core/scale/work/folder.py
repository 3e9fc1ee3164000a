"""The work folder of a job, which only its owner can read and one process at a time can use."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from os import PathLike
from pathlib import Path

from kanon_core.base.errors import KanonError, OptionError
from kanon_core.base.randomness import secret_seed
from kanon_core.base.words import tr
from kanon_core.scale.engines.base import EngineError
from kanon_core.scale.work.keeping import keep, kept
from kanon_core.scale.work.storage import OF_A_JOB, StorageError, is_remote, storage_errors

_BOOT = Path("/proc/sys/kernel/random/boot_id")
_SEED, LOCK = "seed.npz", "driver.lock"
"""Files of the folder that stay; each process that does the job takes `LOCK` anew."""


@contextmanager
def work_folder(work: str | PathLike[str] | None, out: str, job: Mapping[str, object]) -> Iterator[Path]:
    """Make the folder of this job, or find it again with the work done before it was stopped. It is deleted
    at the end, and after an error that the same call would repeat; it stays when work was stopped. Raises
    StorageError, and OptionError, as where another process does this job just now."""
    if work is None and is_remote(out):
        raise OptionError(
            tr("The release goes to an address: name a work folder to which all workers have access.")
        )
    place = Path(work) if work is not None else Path(out).absolute().parent
    digest = hashlib.sha256(json.dumps(job, sort_keys=True).encode()).hexdigest()[:16]
    folder = place / f"{OF_A_JOB}{digest}"
    with storage_errors():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_own(folder)
    with _alone_in(folder):
        _forget_another_boot(folder)
        try:
            yield folder
        except KanonError as problem:
            if not isinstance(problem, EngineError | StorageError):
                shutil.rmtree(folder, ignore_errors=True)
            raise
        _delete(folder)


def _delete(folder: Path) -> None:
    """Delete the whole folder, even if an interrupt comes meanwhile."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except KeyboardInterrupt:
        shutil.rmtree(folder, ignore_errors=True)


def _check_own(folder: Path) -> None:
    """Raises StorageError if another user made the folder, or can read it: it holds originals."""
    if not _is_own(folder):
        raise StorageError(
            tr(
                "The work folder “{name}” already exists, and others can read it. Delete it, or"
                " name another place with --work."
            ).format(name=folder.name)
        )


def _is_own(folder: Path) -> bool:
    """Return whether the folder is this user's, and no other user can read it."""
    found = folder.stat()
    theirs = hasattr(os, "geteuid") and found.st_uid != os.geteuid()
    return not theirs and (os.name != "posix" or not found.st_mode & 0o077)


def left_in(place: Path) -> list[Path]:
    """Return the folders of the user's jobs there that no process does now: those jobs were stopped."""
    found = sorted(place.glob(f"{OF_A_JOB}*")) if place.is_dir() else []
    return [folder for folder in found if _is_own(folder) and not _is_done_now(folder)]


def _is_done_now(folder: Path) -> bool:
    """Return whether a process holds the lock of the folder."""
    try:
        import fcntl
    except ImportError:
        return False
    if not (folder / LOCK).exists():
        return False
    with (folder / LOCK).open() as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


def _forget_another_boot(folder: Path) -> None:
    """Delete all but the seed if the machine went off meanwhile: files that were written last may be empty or
    hold nothing but zeros."""
    try:
        boot = _BOOT.read_text()
    except OSError:  # another system, which has no such file
        return
    known = folder / "boot"
    with storage_errors():
        if known.exists() and known.read_text() != boot:
            for path in folder.iterdir():
                if path.is_dir():
                    shutil.rmtree(path)
                elif path.name not in (_SEED, LOCK):
                    path.unlink()
        known.write_text(boot)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Hold the lock of the folder, as two processes at once would delete each other's files. The system
    releases the lock of a process that ends, however it ends; on systems without such locks (Windows),
    processes are not kept apart."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with storage_errors():
        lock = (folder / LOCK).open("w")
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise OptionError(
                tr("Another process is running the same job. Wait until it ends, or stop it first.")
            ) from None
        yield


def kept_seed(folder: Path, seed: int | None) -> int:
    """Return the seed of this job; a secret one is kept until the job is finished."""
    found = kept(folder / _SEED)
    if found is None:
        found = {"seed": str(secret_seed() if seed is None else seed)}
        keep(folder / _SEED, found, lasting=True)
    return int(found["seed"])

"""Files that a release is read from and written to, and the moment at which it appears."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.infile import write_files
from kanon_core.base.words import tr
from kanon_core.scale.work.storage import StorageError, answering, is_remote, storage_errors, system


def free_place(out: str) -> str:
    """Return the folder to write. Raises OptionError if it exists, InputError if its folder does not."""
    place = Path(out)
    if is_remote(out):
        with answering(out):
            files, path = system(out)
            there, parent = files.exists(path), True
    else:
        there, parent = place.exists(), place.absolute().parent.is_dir()
    if there:
        raise OptionError(
            tr("“{name}” already exists; name a new folder, or delete this one.").format(name=place.name)
        )
    if not parent:
        raise InputError(
            tr("The folder of “{target}” does not exist; create it or choose another place.").format(
                target=place.name
            )
        )
    return out


def publish(folder: Path, out: str) -> None:
    """Bring an audited release to its place: at once on this machine, the last file last elsewhere."""
    with storage_errors():
        for left in folder.glob(".*"):  # left by a worker that was killed while it wrote
            left.unlink()
        if is_remote(out):
            with answering(out):
                files, path = system(out)
                files.put(f"{folder}/", f"{path}/", recursive=True)
            return
        try:
            folder.rename(out)
        except OSError as problem:
            if problem.errno != errno.EXDEV:  # on another disk
                raise
            beside = Path(out).with_name(f".{Path(out).name}.part")
            try:
                shutil.copytree(folder, beside, dirs_exist_ok=True)
                beside.rename(out)
            finally:
                shutil.rmtree(beside, ignore_errors=True)


def keep_recipe(text: str, place: str) -> None:
    """Write a recipe, which holds the seed, before its release appears, so that no release is without it.
    Raises StorageError."""
    try:
        write_files({Path(place): (text + "\n").encode()}, place)
    except InputError as problem:
        raise StorageError(str(problem)) from None

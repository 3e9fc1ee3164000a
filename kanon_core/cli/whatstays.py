"""What the command line says of a job over many files that did not come to its end."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kanon_core.base.errors import InputError, KanonError
from kanon_core.base.words import tr
from kanon_core.cli.output import Bar, printable
from kanon_core.scale.engines import EngineError
from kanon_core.scale.work.folder import LOCK, left_in
from kanon_core.scale.work.places import StorageError, is_remote

_TICK = 1.0
"""The clock of a file system may lag behind by so many seconds."""


@contextmanager
def what_stays(place: Path, bar: Bar, out: str = "") -> Iterator[None]:
    """Whatever ends a job meanwhile and leaves its work folder in ``place``, that is said besides: it holds
    the originals; so are folders of jobs that were stopped before. ``out``: where the release appears. Raises
    what was raised; InputError where the system refused something."""
    began = time.time()
    if before := left_in(place):
        print(printable(_left_before(place, before)), file=sys.stderr, flush=True)
    try:
        yield
    except KeyboardInterrupt:
        bar.clear()
        said = tr("Stopped; nothing was released.")
        if out and not is_remote(out) and Path(out).exists():
            said = tr("Stopped when the release was there already, in “{name}”, before all was said of it.")
            said = said.format(name=Path(out).name)
        raise KeyboardInterrupt(f"{said} {_goes_on(place, began)}".strip()) from None
    except (EngineError, StorageError) as problem:
        raise type(problem)(f"{problem} {_goes_on(place, began)}".strip()) from None
    except KanonError:
        raise
    except OSError as problem:
        said = tr("The system refused ({reason}); see whether the disk is full and the cluster answers.")
        reason = problem.strerror or tr("the system refused")
        raise InputError(f"{said.format(reason=reason)} {_goes_on(place, began)}".strip()) from None
    except Exception:
        bar.clear()
        print(printable(_goes_on(place, began)), file=sys.stderr)
        raise


def _left_before(place: Path, folders: list[Path]) -> str:
    return tr(
        "In “{place}” lies the work of jobs that were stopped, the originals in clear: {names}. The same"
        " command goes on from its own; delete the others."
    ).format(place=place.absolute(), names=", ".join(folder.name for folder in folders))


def _goes_on(place: Path, began: float) -> str:
    """Where the work lies, "" where no folder was taken since this job began."""
    locks = (folder / LOCK for folder in left_in(place))
    if not any(lock.exists() and lock.stat().st_mtime >= began - _TICK for lock in locks):
        return ""
    return tr(
        "What was done lies in a folder .kanon-… in “{place}”, the originals in clear: the same command goes"
        " on from there; if you do not go on, delete it."
    ).format(place=place.absolute())

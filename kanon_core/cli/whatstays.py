"""What the command line says of a job over many files that did not come to its end."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kanon_core.base.errors import InputError, KanonError
from kanon_core.base.words import tr
from kanon_core.cli.output import Bar, printable
from kanon_core.scale.engines import EngineError
from kanon_core.scale.work.places import StorageError


@contextmanager
def what_stays(place: Path, bar: Bar) -> Iterator[None]:
    """Whatever ends a job meanwhile and leaves its work folder in ``place``, that is said besides: it holds
    the originals. Raises what was raised; InputError where the system refused something."""
    goes_on = tr(
        "What was done lies in a folder .kanon-… in “{place}”, the originals in clear: the same command goes"
        " on from there; if you do not go on, delete it."
    ).format(place=place.absolute())
    try:
        yield
    except KeyboardInterrupt:
        bar.clear()
        raise KeyboardInterrupt(tr("Stopped; nothing was released.") + " " + goes_on) from None
    except (EngineError, StorageError) as problem:
        raise type(problem)(f"{problem} {goes_on}") from None
    except KanonError:
        raise
    except OSError as problem:
        said = tr("The system refused ({reason}); see whether the disk is full and the cluster answers.")
        reason = problem.strerror or tr("the system refused")
        raise InputError(f"{said.format(reason=reason)} {goes_on}") from None
    except Exception:
        bar.clear()
        print(printable(goes_on), file=sys.stderr)
        raise

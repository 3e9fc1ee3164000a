"""The command ``kanon``, also ``python -m kanon_core``: same names, options and results as from Python."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from kanon_core.base.errors import KanonError
from kanon_core.base.words import printable, tr
from kanon_core.cli.commands import action, parsed


def main(words: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 done, 1 the audited file does not keep what was asked, 2 something was wrong (one sentence on stderr
    says what), 130 interrupted. A file is written whole or not at all.
    """
    given = list(sys.argv[1:] if words is None else words)
    try:
        arguments = parsed(given)
        code = action(arguments.command)(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt as stopped:
        return _stopped(str(stopped) or tr("Stopped; nothing was written."), 130)
    except BrokenPipeError:
        # The reader of our output has gone (… | head); Python would complain again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KanonError as problem:
        return _stopped(str(problem), 2)
    except MemoryError:
        return _stopped(tr("This machine does not have enough memory. Use fewer records or columns."), 2)
    except Exception as defect:
        return _stopped(_defect(defect), 2)


def _stopped(sentence: str, code: int) -> int:
    print(printable(sentence), file=sys.stderr)
    return code


def _defect(defect: Exception) -> str:
    """Return where an error happened, without its message, which could quote a cell."""
    place = traceback.extract_tb(defect.__traceback__)[-1]
    where = tr("{file}, line {line}").format(file=Path(place.filename).name, line=place.lineno)
    return tr("This is a defect in Kanon, not in your input: {name} in {where}. Please report it.").format(
        name=type(defect).__name__, where=where
    )

"""Output of the command line: text tables, progress, files."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from kanon_core.base.errors import InputError
from kanon_core.base.progress import Remaining, Tick, silent
from kanon_core.base.words import printable, tr
from kanon_core.table.reading import SAMPLE

if TYPE_CHECKING:
    import pandas as pd


def width(text: str) -> int:
    """Return the number of terminal cells of a text: wide East Asian characters take two, combining marks
    none.

    >>> width("k-匿名")
    6
    """
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def text_table(header: Sequence[str], rows: Iterable[Sequence[object]], right: Iterable[int] = ()) -> str:
    """Return aligned columns, those at the places ``right`` to the right; without trailing blanks.

    >>> print(text_table(("column", "values"), [("age", 74), ("zip", 9)], right=(1,)))
    column  values
    age         74
    zip          9
    """
    lines = [list(header), *([printable(cell) for cell in row] for row in rows)]
    widths = [max(width(line[i]) for line in lines) for i in range(len(header))]
    ends = set(right)

    def padded(line: list[str]) -> str:
        cells = []
        for i, cell in enumerate(line):
            blanks = " " * (widths[i] - width(cell))
            cells.append(blanks + cell if i in ends else cell + blanks)
        return "  ".join(cells).rstrip()

    return "\n".join(padded(line) for line in lines)


class Bar:
    """Progress and the time left on stderr while it is a terminal; as a context, it clears its line at the
    end."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._remaining = Remaining()

    @property
    def tick(self) -> Tick:
        """Return the tick to hand to the core."""
        return self._draw if self._shown else silent

    def _draw(self, fraction: float | None, note: str = "") -> None:
        share = "    " if fraction is None else f"{100 * fraction:3.0f} %"
        words = " · ".join(filter(None, (printable(note)[:60], self._remaining.after(fraction))))
        sys.stderr.write(f"\r\x1b[K{share} {words}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Leave an empty line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()


def check_targets(targets: Sequence[str], inputs: Iterable[str], released: bool = False) -> None:
    """Refuse, before any work, a file that could not be written at the end; the ending of the first target
    gives its format (of a release, when ``released``).

    Raises OptionError for an unknown ending, InputError for a folder that is not there and for a target that
    is an input or another target.
    """
    from kanon_core.report.released_file import format_of

    format_of(targets[0], released)
    files = [name for name in inputs if not name.startswith(SAMPLE)]
    for place, target in enumerate(targets):
        must_differ(target, *files, *targets[:place])
        if not Path(target).parent.is_dir():
            raise no_folder(target)


def no_folder(target: str) -> InputError:
    """Return the error on a file whose folder does not exist."""
    said = tr("The folder of “{target}” does not exist; create it or choose another place.")
    return InputError(said.format(target=target))


def must_differ(target: str, *inputs: str) -> None:
    """Raises InputError when writing the target would destroy one of the inputs."""
    for source in inputs:
        if _same(Path(target), Path(source)):
            raise is_input(target)


def is_input(target: str) -> InputError:
    """Return the error on a file to write that is an input."""
    said = tr("“{name}” is an input; choose another name for the output.")
    return InputError(said.format(name=Path(target).name))


def _same(first: Path, second: Path) -> bool:
    try:
        return first.samefile(second)
    except OSError:
        return first.resolve() == second.resolve()


def table_file(target: str, frame: pd.DataFrame) -> dict[Path, bytes]:
    """Return the bytes of a table by the path of its file, whose ending says the format."""
    from kanon_core.report.released_file import format_of
    from kanon_core.table.writers import write_frame

    return {Path(target): write_frame(frame, format_of(target))}


def say(*texts: object, to: TextIO | None = None) -> None:
    """Print each text on a line of its own, to stdout unless another stream is named."""
    for text in texts:
        print(printable(text), file=to)


def names_of(classes: Iterable[type]) -> str:
    """Return their names as they are written on the command line, with commas."""
    return ", ".join(cls.__name__.lower() for cls in classes)

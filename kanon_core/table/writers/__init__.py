"""A table as a file that is safe to open: csv, xlsx or parquet, the same bytes for the same frame.

A spreadsheet runs a cell of a csv file that begins with "=", "+", "-" or "@" as a formula, and a table's
texts come from strangers. In csv such texts (column names too) get a leading apostrophe, see `neutralized`,
unless a reader that is no spreadsheet is to have them as they are (``plain``); names stay different from one
another, while the cells "=x" and "'=x" both read "'=x". In xlsx they are cells of the type text, which are
never run and stay texts when somebody edits them. Half a character (a lone surrogate), which no file can
hold, becomes U+FFFD. Reading the file back gives the same values but for these two; csv has no types, so a
column of texts that are all numbers comes back as numbers, and an empty text as missing.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.infile import encodable
from kanon_core.base.words import tr, tr_n
from kanon_core.table.writers import cells
from kanon_core.table.writers.cells import neutralized, safe_text
from kanon_core.table.writers.workbook import workbook

_ARROW_TEXT = pd.StringDtype("pyarrow", na_value=np.nan)


def write_frame(frame: pd.DataFrame, format: str = "csv", plain: bool = False) -> bytes:
    """The bytes of a file with the frame's columns (not its index); ``plain``: without apostrophes in csv.

    csv is UTF-8 with "\\n" line ends and a comma; xlsx has one sheet of plain cells and no formula; parquet
    keeps numbers, truth values and dates, and changes no text. Whatever else a column holds is written as
    text: of a categorical column the values in its cells, never the list of its categories. The bytes depend
    on the frame alone, for xlsx also on the version of zlib, for parquet on the version of pyarrow, which
    writes its name into the file. Raises OptionError for another format and InputError when the frame does
    not fit the format. Cost O(cells).
    """
    if format not in WRITERS:
        said = tr("Kanon does not write the format “{format}”; choose one of {names}.")
        raise OptionError(said.format(format=format, names=", ".join(WRITERS)))
    return _csv(frame, encodable, str) if plain and format == "csv" else WRITERS[format](frame)


def marked_cells(frame: pd.DataFrame) -> int:
    """Return how many cells of the frame, names of columns included, have an apostrophe in front in csv.

    >>> marked_cells(pd.DataFrame({"a": ["=1", "-", "b"], "-x": [-1, -2, -3]}))
    2
    """
    count = sum(neutralized(str(name)) != str(name) for name in frame.columns)
    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        if not cells.is_number(column):
            codes, distinct = pd.factorize(pd.Series(cells.texts(column), dtype=object), use_na_sentinel=True)
            marked = np.array([neutralized(text) != text for text in distinct], bool)
            count += int(marked[codes[codes >= 0]].sum())
    return count


def marked_said(count: int, plain: bool) -> str:
    """Return the sentence on so many cells that have a leading apostrophe, or, ``plain``, have none.

    >>> marked_said(2, False)[:37]
    '2 cells have a leading apostrophe, be'
    """
    if plain:
        said = tr_n(
            "{count:,} cell has no leading apostrophe, and a spreadsheet could run it as a formula; do not"
            " open the file in a spreadsheet.",
            "{count:,} cells have no leading apostrophe, and a spreadsheet could run them as formulas; do not"
            " open the file in a spreadsheet.",
            count,
        )
        return said.format(count=count)
    without = tr(
        "For programs other than spreadsheets, write the file without apostrophes (on the command line:"
        " --plain-cells)."
    )
    return f"{in_front_said(count)} {without}"


def in_front_said(count: int) -> str:
    """Return the sentence on so many cells of csv that have a leading apostrophe.

    >>> in_front_said(1)
    '1 cell has a leading apostrophe, because a spreadsheet could run it as a formula.'
    """
    says = tr_n(
        "{count:,} cell has a leading apostrophe, because a spreadsheet could run it as a formula.",
        "{count:,} cells have a leading apostrophe, because a spreadsheet could run them as formulas.",
        count,
    )
    return says.format(count=count)


def _csv(
    frame: pd.DataFrame,
    name: Callable[[str], str] = safe_text,
    cell: Callable[[str], str] = neutralized,
) -> bytes:
    columns = [_csv_cells(frame.iloc[:, place], cell) for place in range(frame.shape[1])]
    lines = [",".join(cells.quoted(text) for text in cells.fitted_names(frame.columns, name))]
    lines += map(",".join, zip(*columns, strict=True))
    if frame.shape[1] == 1:
        lines = [line or '""' for line in lines]
    return "".join(f"{line}\n" for line in lines).encode()


def _csv_cells(column: pd.Series, safe: Callable[[str], str]) -> list[str]:
    if cells.is_number(column):
        return ["" if value is None else cells.number_text(value) for value in cells.numbers(column)]
    texts = cells.texts(column)
    known = {text: cells.quoted(safe(text)) for text in set(texts) if text is not None}
    return ["" if text is None else known[text] for text in texts]


def _parquet(frame: pd.DataFrame) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = cells.fitted_names(frame.columns, encodable)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        said = tr("Several columns have the name “{name}”, which parquet does not allow; rename them.")
        raise InputError(said.format(name=twice))
    arrays = [_arrow_cells(frame.iloc[:, place]) for place in range(len(names))]
    file = BytesIO()
    pq.write_table(pa.table(arrays, names=names), file, compression="zstd")
    return file.getvalue()


def _arrow_cells(column: pd.Series) -> Any:
    """The column as an Arrow array: numbers, truth values and dates of their own type, all else as text. A
    categorical column handed to Arrow would carry every category into the file, also those that no row
    has."""
    import pyarrow as pa

    if isinstance(column.dtype, pd.SparseDtype):
        column = pd.Series(column.to_numpy())
    if column.dtype.kind in "iufb" or cells.is_moment(column) or column.dtype == _ARROW_TEXT:
        return pa.array(column, from_pandas=True)
    return pa.array(cells.texts(column), pa.large_string())


WRITERS: dict[str, Callable[[pd.DataFrame], bytes]] = {"csv": _csv, "xlsx": workbook, "parquet": _parquet}
"""By name of a format, the function that returns the bytes of the file."""

__all__ = ["WRITERS", "in_front_said", "marked_cells", "marked_said", "neutralized", "write_frame"]

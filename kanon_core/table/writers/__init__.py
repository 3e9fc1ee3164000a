"""A table as a file that is safe to open: csv, xlsx or parquet, the same bytes for the same frame.

A spreadsheet runs a text cell that begins with "=", "+", "-" or "@" as a formula, and a table's texts come
from strangers. In csv and xlsx such texts (column names too) get a leading apostrophe, see `neutralized`;
names stay different from one another, while the cells "=x" and "'=x" both read "'=x". Half a character (a
lone surrogate), which no file can hold, becomes U+FFFD. Reading the file back gives the same values but for
these two; csv has no types, so a column of texts that are all numbers comes back as numbers, and an empty
text as missing.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.words import tr
from kanon_core.table.columns.characters import encodable
from kanon_core.table.writers import cells as plain
from kanon_core.table.writers.cells import neutralized, safe_text
from kanon_core.table.writers.workbook import workbook

_ARROW_TEXT = pd.StringDtype("pyarrow", na_value=np.nan)


def write_frame(frame: pd.DataFrame, format: str = "csv") -> bytes:
    """The bytes of a file with the frame's columns (not its index).

    csv is UTF-8 with "\\n" line ends and a comma; xlsx has one sheet of plain cells and no formula; parquet
    keeps numbers, truth values and dates, and changes no text. Whatever else a column holds is written as
    text: of a categorical column the values in its cells, never the list of its categories. The bytes depend
    on the frame alone, for xlsx also on the version of zlib, for parquet on the version of pyarrow, which
    writes its name into the file. Raises OptionError for another format and InputError when the frame does
    not fit the format. Cost O(cells).
    """
    if format not in WRITERS:
        raise OptionError(
            tr("“{format}” is not a format written here; choose one of {names}.").format(
                format=format, names=", ".join(WRITERS)
            )
        )
    return WRITERS[format](frame)


def _csv(frame: pd.DataFrame) -> bytes:
    columns = [_csv_cells(frame.iloc[:, place]) for place in range(frame.shape[1])]
    lines = [",".join(plain.quoted(name) for name in plain.fitted_names(frame.columns, safe_text))]
    lines += map(",".join, zip(*columns, strict=True))
    if frame.shape[1] == 1:
        lines = [line or '""' for line in lines]
    return "".join(f"{line}\n" for line in lines).encode()


def _csv_cells(column: pd.Series) -> list[str]:
    if plain.is_number(column):
        return ["" if value is None else repr(value) for value in plain.numbers(column)]
    cells = plain.texts(column)
    known = {cell: plain.quoted(neutralized(cell)) for cell in set(cells) if cell is not None}
    return ["" if cell is None else known[cell] for cell in cells]


def _parquet(frame: pd.DataFrame) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = plain.fitted_names(frame.columns, encodable)
    if len(set(names)) < len(names):
        raise InputError(tr("Two columns have the same name, which parquet does not allow; rename one."))
    arrays = [_arrow_cells(frame.iloc[:, place]) for place in range(len(names))]
    file = BytesIO()
    pq.write_table(pa.table(arrays, names=names), file, compression="zstd")
    return file.getvalue()


def _arrow_cells(column: pd.Series) -> Any:
    """The column as an Arrow array: numbers, truth values and dates of their own type, all else as text. A
    categorical column handed to Arrow would carry every category into the file, also those of nobody in the
    frame."""
    import pyarrow as pa

    if isinstance(column.dtype, pd.SparseDtype):
        column = pd.Series(column.to_numpy())
    if column.dtype.kind in "iufb" or plain.is_moment(column) or column.dtype == _ARROW_TEXT:
        return pa.array(column, from_pandas=True)
    return pa.array(plain.texts(column), pa.large_string())


WRITERS: dict[str, Callable[[pd.DataFrame], bytes]] = {"csv": _csv, "xlsx": workbook, "parquet": _parquet}
"""Format name → what makes its bytes."""

__all__ = ["WRITERS", "neutralized", "write_frame"]

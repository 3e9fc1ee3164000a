"""Cells as columns of text."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from kanon_core.base.words import tr
from kanon_core.table.readers.base import Limits, too_long

_TEXT = pd.StringDtype("pyarrow", na_value=np.nan)


def text_array(cells: pa.ChunkedArray) -> pd.api.extensions.ExtensionArray:
    """The cells as a pandas str column; null becomes NaN."""
    dtype: Any = _TEXT  # its stubs do not know how it reads arrow's arrays
    texts: pd.api.extensions.ExtensionArray = dtype.__from_arrow__(cells.cast(pa.large_string()))
    return texts


def check_lengths(column: object, name: str, limits: Limits) -> None:
    """Raises InputError naming the column when one of its texts is longer than the limits allow. Cost
    O(cells), and nothing where all texts of a block are shorter together."""
    cells = getattr(column, "_pa_array", None)
    large = [] if cells is None else [chunk for chunk in cells.chunks if chunk.nbytes > limits.characters]
    if any((pc.max(pc.binary_length(chunk)).as_py() or 0) > limits.characters for chunk in large):
        raise too_long(tr("the column “{name}”").format(name=name), limits)

"""The sensitive values of a file, alone or among those of its original."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.guarantees.attributes.counts import Values, values_of
from kanon_core.release.uploaded.sets import plain_form
from kanon_core.table.attribute import ORDERED_KINDS, Attribute
from kanon_core.table.columns.columns import encode
from kanon_core.table.notation.numbers import decimals_of, number_of
from kanon_core.table.notation.parts import NOTHING, UNSAID

if TYPE_CHECKING:
    from kanon_core.table.table import Table


def file_values(attribute: Attribute, cells: pd.Series, original: Table | None) -> Values:
    """The values of a sensitive column of texts, as its kind says: numbers may have decimal commas, and words
    such as NA are missing among them. A column of numbers with other texts is compared as it is written.

    Beside an original that has all these values, `Values.occurring` counts its records; else there is none.
    Item sets have no values. Cost O(rows).
    """
    if attribute.kind == "items":
        return Values(attribute.name, np.zeros(len(cells), np.int32), 0, False)
    if original is not None and attribute.name in original.schema.names:
        whole = original.frame[attribute.name]
        both = _values(attribute, pd.concat([_texts(cells), _texts(whole)], ignore_index=True))
        occurring = np.bincount(both.codes[len(cells) :], minlength=both.distinct)
        codes = both.codes[: len(cells)]
        if (occurring[codes] > 0).all():
            return both._replace(codes=codes, occurring=occurring)
    return _values(attribute, cells)


def _texts(cells: pd.Series) -> pd.Series:
    """As texts, without the apostrophe that keeps a spreadsheet from running one."""
    texts = cells.astype("str")
    marked = texts.str.startswith("'", na=False)
    return texts.mask(marked, texts[marked].map(plain_form).reindex(texts.index)) if marked.any() else texts


def _values(attribute: Attribute, cells: pd.Series) -> Values:
    if attribute.is_numeric and not pd.api.types.is_numeric_dtype(cells):
        cells, attribute = _numbers(attribute, cells)
    return values_of(encode(cells, attribute))


def _numbers(attribute: Attribute, cells: pd.Series) -> tuple[pd.Series, Attribute]:
    """The cells as numbers; where some are none, as they are, of a column of categories."""
    codes, distinct = pd.factorize(cells, use_na_sentinel=True)
    texts = [str(text).strip() for text in distinct.tolist()]
    gone = [text in NOTHING or text in UNSAID for text in texts]
    categorical = Attribute(attribute.name, attribute.role, "categorical", attribute.weight)
    if attribute.kind in ("datetime", *ORDERED_KINDS):
        said = cells.mask(cells.isin([t for t, g in zip(distinct.tolist(), gone, strict=True) if g]))
        fits = encode(said, attribute).misfits is None
        return (said, attribute) if fits else (cells, categorical)
    comma = decimals_of(texts).comma
    numbers = np.array([np.nan if g else number_of(t, comma) for t, g in zip(texts, gone, strict=True)])
    if (np.isnan(numbers) & ~np.array(gone, bool)).any():
        return cells, categorical
    return pd.Series(np.append(numbers, np.nan)[codes]), attribute

"""UCI's Online Retail: invoices of a shop, in which returns and rows without a customer may be left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from kanon_core.base.errors import InputError
from kanon_core.base.words import later, tr, tr_n
from kanon_core.table.readers.notes import Note

_COLUMNS = {
    "InvoiceNo": ("text", "identifier"),
    "StockCode": ("categorical", "quasi_identifier"),
    "Description": ("text", "identifier"),
    "Quantity": ("numeric", "quasi_identifier"),
    "InvoiceDate": ("datetime", "quasi_identifier"),
    "UnitPrice": ("numeric", "quasi_identifier"),
    "CustomerID": ("categorical", "person"),
    "Country": ("categorical", "quasi_identifier"),
}
ROLES: dict[str, str] = {name: role for name, (_, role) in _COLUMNS.items()}
"""The columns by name, in order, and their roles. Invoices and descriptions would tell rows and products, so
they are not published."""

KINDS: dict[str, str] = {name: kind for name, (kind, _) in _COLUMNS.items()}
"""Their kinds."""

WITHOUT: dict[str, str] = {
    "returns": later("returned goods: the invoice begins with C, or the quantity is below 0"),
    "nobody": later("rows without a customer"),
}
"""The records that may be left out, by word."""


def is_retail(columns: Iterable[object]) -> bool:
    """Return whether a table has exactly these columns, in this order."""
    return tuple(columns) == tuple(ROLES)


def prepared(frame: pd.DataFrame, without: Sequence[str]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """The frame with customers and codes as texts, without what is to be left out, and a sentence for each
    count. Raises InputError when the table is another one, for an unknown word, and when nothing remains."""
    unknown = sorted(set(without) - WITHOUT.keys())
    if unknown:
        said = tr("“{value}” cannot be left out; choose one of {names}.")
        raise InputError(said.format(value=unknown[0], names=", ".join(WITHOUT)))
    if not is_retail(frame.columns):
        if without:
            said = tr(
                "Returns and rows without a customer can only be left out of UCI's Online"
                " Retail, which has the columns {columns}."
            )
            raise InputError(said.format(columns=", ".join(ROLES)))
        return frame, ()
    frame = frame.copy(deep=False)
    for name in ("CustomerID", "StockCode", "InvoiceNo"):
        frame[name] = _codes(frame[name])
    quantity = pd.to_numeric(frame["Quantity"], errors="coerce").to_numpy(np.float64)
    found = {
        "returns": (
            frame["InvoiceNo"].str.upper().str.startswith("C").fillna(False).to_numpy(bool) | (quantity < 0)
        ),
        "nobody": frame["CustomerID"].isna().to_numpy(),
    }
    kept = ~np.any([found[word] for word in without], axis=0) if without else np.ones(len(frame), bool)
    if not kept.any():
        raise InputError(tr("No row remains when these rows are left out; keep some of them."))
    notes = tuple(_note(word, int(rows.sum()), word in without) for word, rows in found.items() if rows.any())
    return frame[kept].reset_index(drop=True), notes


def _codes(values: pd.Series) -> pd.Series:
    """Numbers as they are written without decimals, texts as they are, missing ones missing."""
    whole = pd.api.types.is_numeric_dtype(values) and bool((values.dropna() % 1 == 0).all())
    return values.astype("Int64").astype("str") if whole else values.astype("str").str.removesuffix(".0")


def _note(word: str, count: int, out: bool) -> Note:
    if word == "returns":
        kept = tr_n(
            "{count:,} return was kept.",
            "{count:,} returns were kept.",
            count,
        )
        advice = tr("To leave returns out, use “returns”.")
        gone = tr_n("{count:,} return was left out.", "{count:,} returns were left out.", count)
    else:
        kept = tr_n(
            "{count:,} row without a customer was kept.",
            "{count:,} rows without a customer were kept.",
            count,
        )
        advice = tr("To leave such rows out, use “nobody”.")
        gone = tr_n(
            "{count:,} row without a customer was left out.",
            "{count:,} rows without a customer were left out.",
            count,
        )
    return Note(gone.format(count=count)) if out else Note(kept.format(count=count), advice)

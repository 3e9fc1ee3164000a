"""The meaning of columns of purchases, guessed from their names, and the steps of their values."""

from __future__ import annotations

import re

import numpy as np

from kanon_core.table.columns.columns import Numbers

_PRICE = re.compile(r"price|cost|amount|単価|価格|金額", re.I)
_QUANTITY = re.compile(r"quantity|qty|pieces|数量|個数", re.I)

_DECIMALS, _CENTS = 6, 2


def is_price(name: str) -> bool:
    """Return whether a column of this name holds prices."""
    return bool(_PRICE.search(name))


def is_quantity(name: str) -> bool:
    """Return whether a column of this name holds numbers of pieces."""
    return bool(_QUANTITY.search(name))


def step_of(column: Numbers) -> float:
    """The step of the values: a day, a second, or a power of ten (a price: a cent at most); 0 = none."""
    if column.attribute.kind == "datetime":
        return 86_400.0 if column.unit == "D" else 1.0
    values = np.unique(column.values[~column.missing])
    for places in range(_CENTS if is_price(column.attribute.name) else 0, _DECIMALS + 1):
        scaled = values * 10.0**places
        if (
            np.abs(scaled).max(initial=0) < 2**53
            and (np.abs(scaled - np.rint(scaled)) <= 1e-9 * np.abs(scaled)).all()
        ):
            return 10.0**-places
    return 0.0

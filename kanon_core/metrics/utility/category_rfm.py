"""Recency, frequency and monetary value of each product or category of products, before and after."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import tr
from kanon_core.metrics.utility.base import read_shares
from kanon_core.metrics.utility.rfm import DAY, PARTS, Purchases, RFMChange, read_purchases
from kanon_core.metrics.utility.statistics import correlation
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories
from kanon_core.table.table import Table

COLUMNS = (*PARTS, *(f"{part} after" for part in PARTS))
"""The numbers of `category_rfm`, beside the category."""


class Kept(NamedTuple):
    """The values of one part of RFM by category, compared before and after.

    ``error``: a share of the whole, 0 = exact; ``order``: Spearman's rank correlation of before and after,
    NaN where all categories are alike.
    """

    error: float
    order: float


def category_rfm(table: Table, release: Release) -> pd.DataFrame:
    """Return, by category of product, the category, its recency, frequency and monetary value, and each of
    these after anonymization, ``… after``.

    Categories: the values of the quasi-identifier of categories with most of them – products, or what a map
    of categories puts in their place. R: days from the last purchase of the category to the last of all; F:
    number of records; M: Σ price × quantity (Σ price without a column of quantities). After: an interval
    counts as its middle, and a record published with a set of s categories counts 1/s for each of them in F
    and M; R′ takes the last published middle of a day at which the category is in the set. A category of
    which nothing is published has F′ = M′ = 0 and the whole period as R′. Missing products are left out.

    Two causes make the numbers err. A set says which categories were bought, not how often each, so that a
    common one loses to the rare ones beside it. And the middle of a wide interval of quantities or prices is
    far above what most records have, so that M′ may be many times M.

    Raises UnsuitableError for a table without people, prices, dates or products. Cost O(n · s).

    Reference: purchase-history paper, §5, which asks for such an analysis and prints none; RFM: A. Hughes,
    “Strategic Database Marketing”, 1994.

    >>> import kanon_core as kc, pandas as pd
    >>> frame = pd.DataFrame({
    ...     "who": ["a", "b"], "day": pd.to_datetime(["2024-01-01", "2024-01-05"]),
    ...     "product": ["mug", "lamp"], "price": [2.0, 6.0],
    ... })
    >>> roles = {"who": "person", **dict.fromkeys(["day", "product", "price"], "quasi_identifier")}
    >>> kinds = {"who": "categorical", "product": "categorical", "price": "numeric"}
    >>> table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles).with_kinds(kinds))
    >>> found = category_rfm(table, kc.anonymize(table, kc.PurchaseHistories(), k=2))
    >>> found[["category", "monetary", "monetary after"]].values.tolist()
    [['lamp', 6.0, 4.0], ['mug', 2.0, 4.0]]
    """
    products = _products(table)
    before, after = read_purchases(table), read_purchases(table, release)
    published, known = release[products.attribute.name], np.flatnonzero(~products.missing)
    shown = np.flatnonzero(published.cell >= 0)
    shares = read_shares(products, published.cells)[:, : products.distinct]
    each = shares[published.cell[shown]].tocoo()
    parts = (
        _summed(products, before, products.codes[known], known, np.ones(len(known))),
        _summed(products, after, each.col, shown[each.row], each.data),
    )
    values = dict(zip(COLUMNS, (column for part in parts for column in part), strict=True))
    return pd.DataFrame({"category": list(products.labels[: products.distinct]), **values})


def _summed(
    products: Categories, bought: Purchases, category: np.ndarray, record: np.ndarray, share: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """R, F and M of each category, where these shares of these records are of these categories."""
    count, last = products.distinct, np.full(products.distinct, bought.first)
    np.fmax.at(last, category, bought.days[record])
    spent = np.nan_to_num(bought.spent[record])
    return (
        (bought.last - last) / DAY,
        np.bincount(category, share, count),
        np.bincount(category, share * spent, count),
    )


def category_kept(table: Table, release: Release) -> dict[str, Kept]:
    """Return, by part of `category_rfm`, how far the numbers are from the true ones, and whether their order
    is kept.

    Errors: mean |R′ − R| as a share of the days from first to last purchase; Σ |F′ − F| / Σ F and Σ |M′ − M|
    / Σ |M| over categories: 0 = all in its place, 1 = as much is missing or misplaced as there is in all.
    Raises what `category_rfm` raises.
    """
    frame, kept = category_rfm(table, release), dict[str, Kept]()
    days = read_purchases(table)
    whole = {"recency": len(frame) * (days.last - days.first) / DAY}
    for part in PARTS:
        before, after = frame[part].to_numpy(), frame[f"{part} after"].to_numpy()
        total, gap = whole.get(part, float(np.abs(before).sum())), float(np.abs(after - before).sum())
        ranks = [pd.Series(values).rank().to_numpy() for values in (before, after)]
        alike = any(values.std() == 0 for values in ranks)
        kept[part] = Kept(gap / total if total else 0.0, float("nan") if alike else correlation(*ranks))
    return kept


def _products(table: Table) -> Categories:
    """The quasi-identifier of categories with most values."""
    found = [column for column in table.quasi if isinstance(column, Categories)]
    reasons = RFMChange().unsuitable(table)
    if not found:
        reasons.append(
            tr(
                "The table has no quasi-identifier of categories for products; give the column of"
                " products the kind categorical."
            )
        )
    if reasons:
        raise UnsuitableError(" ".join(reasons))
    return max(found, key=lambda column: column.distinct)

"""The encoded column of any kind, which algorithms, metrics and charts use."""

from __future__ import annotations

import pandas as pd

from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.base import MISSING, Misfits
from kanon_core.table.columns.categories import Categories, encode_categories
from kanon_core.table.columns.items import Items, encode_items
from kanon_core.table.columns.levels import encode_cyclic, encode_ordinal
from kanon_core.table.columns.numbers import Numbers, encode_dates, encode_numbers
from kanon_core.table.domain import ColumnDomain, LabelDomain, NumberDomain, of_another_schema

__all__ = ["MISSING", "Categories", "Column", "Items", "Misfits", "Numbers", "encode"]

Column = Numbers | Categories | Items


def encode(values: pd.Series, attribute: Attribute, whole: ColumnDomain | None = None) -> Column:
    """The column of this attribute; cells that do not fit its kind become missing and are reported as
    misfits. ``whole``: the domain of the whole column, of which these cells are a part. Raises SchemaError
    when they have values that it does not have."""
    if attribute.kind == "ordinal" and not isinstance(whole, NumberDomain):
        return encode_ordinal(values, attribute, whole)
    if attribute.kind == "cyclic":
        return encode_cyclic(values, attribute, whole)
    if attribute.is_numeric and attribute.kind != "ordinal" and not isinstance(whole, LabelDomain):
        encoder = encode_dates if attribute.kind == "datetime" else encode_numbers
        return encoder(values, attribute, whole)
    if not attribute.is_numeric and not isinstance(whole, NumberDomain):
        if attribute.kind == "items":
            return encode_items(values, attribute, whole)
        return encode_categories(values, attribute, whole)
    raise of_another_schema(attribute.name)

"""Facts that a column takes from the other columns: the order of day and month in ambiguous dates, and the
length of a degree of longitude at the latitudes of the table."""

from __future__ import annotations

import math
from dataclasses import replace

import pandas as pd

from kanon_core.table.columns.columns import Column, Numbers, encode


def with_agreed_dates(frame: pd.DataFrame, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return the columns of a table. An ambiguous column of dates takes the order of the columns whose values
    or schema determine one, if these agree, and else the first of `ORDERS` that it allows. The user is asked
    about the column in both cases.

    >>> import kanon_core as kc
    >>> kc.read_table(b"a,b\\n1/2/2020,3/25/2020\\n2/12/2020,4/1/2020\\n")["a"].form
    DateForm(order='mdy', possible=('dmy', 'mdy'), mixed=(), short=False, share=1.0)
    """
    forms = [column.form if isinstance(column, Numbers) else None for column in columns]
    known = {form.order for form in forms if form is not None and form.order and not form.asks}
    return tuple(
        _by(frame.iloc[:, place], column, known)
        if (form := forms[place]) is not None and len(form.possible) > 1
        else column
        for place, column in enumerate(columns)
    )


def _by(cells: pd.Series, column: Column, known: set[str]) -> Column:
    """Return the column, read by the only order that is known, or by the first of those that are possible."""
    assert isinstance(column, Numbers) and column.form is not None
    form, attribute = column.form, column.attribute
    order = next(iter(known)) if len(known) == 1 and known <= set(form.possible) else form.possible[0]
    if order == form.order:
        return column
    other = encode(cells, replace(attribute, date_order=order), column.whole)
    assert isinstance(other, Numbers) and other.form is not None
    return replace(other, attribute=attribute, form=replace(form, order=order, share=other.form.share))


def with_parallel(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns of a table; where latitude and longitude are both quasi-identifiers, the longitudes know
    the `parallel` of the table: its latitude farthest from the equator, in whole degrees, rounded away from
    the equator so that it is no record's own latitude. A degree east is shortest there.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"latitude,longitude\\n35.2,139.1\\n-43.6,172.5\\n")
    >>> alone = table.with_schema(table.schema.with_quasi(["longitude"]))
    >>> table["longitude"].parallel, alone["longitude"].parallel
    (44, 0)
    """
    kinds = {c.attribute.kind: c for c in columns if c.attribute.role == "quasi_identifier"}
    latitude, longitude = kinds.get("latitude"), kinds.get("longitude")
    found = 0
    if isinstance(latitude, Numbers):
        low, high = latitude.range
        found = math.ceil(max(-low, high))
    wanted = (found if column is longitude else 0 for column in columns)
    return tuple(
        replace(column, parallel=parallel)
        if isinstance(column, Numbers) and column.parallel != parallel
        else column
        for column, parallel in zip(columns, wanted, strict=True)
    )

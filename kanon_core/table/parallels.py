"""How long a degree of longitude is where the places of a table lie."""

from __future__ import annotations

import math
from dataclasses import replace

from kanon_core.table.columns.columns import Column, Numbers


def with_parallel(columns: tuple[Column, ...]) -> tuple[Column, ...]:
    """The columns of a table; where latitude and longitude are both quasi-identifiers, the longitudes know
    the `parallel` of the table: its latitude farthest from the equator, in whole degrees, rounded away from
    it so that it is nobody's own. There a degree east is shortest.

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

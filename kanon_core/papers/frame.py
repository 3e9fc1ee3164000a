"""Rows as a tidy frame with numbers, and the texts that views share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from kanon_core.base.words import tr
from kanon_core.papers.base import Part, Row

PROVEN = 1e-6
"""The share of an optimum by which its lower bound may be below it: rounding of linear programs."""


def frame_of(rows: Sequence[Row]) -> pd.DataFrame:
    """Return one line for each row, with these columns: table and unit; the place of the row; samples and
    records of each; mean, least and greatest; the paper's number, our ratio to it, and its data; the optimum
    and our distance above it (a share); our data."""
    places = dict.fromkeys(name for row in rows for name in row.place)
    records = []
    for row in rows:
        record: dict[str, Any] = {
            "table": row.part.table,
            "unit": row.part.unit,
            **{name: row.place.get(name) for name in places},
            "samples": len(row.values),
            "records": row.part.size,
            "mean": row.mean,
            "least": min(row.values),
            "greatest": max(row.values),
            "paper": row.printed,
        }
        record["ratio to paper"] = row.ratio
        record["paper is of"] = "" if row.printed is None else row.part.papers_data
        record["optimum"] = row.least
        record["above optimum"] = row.above
        record["data"] = row.part.data
        records.append(record)
    return pd.DataFrame(records)


def compared_text(part: Part) -> str:
    """Return a text on the comparison with the paper's numbers, and the remark about them."""
    said = tr("The paper's numbers (marked *) are for {data}: compare order and proportions, not sizes.")
    if not part.papers_data:
        said = tr("The paper prints no such numbers.")
    elif part.comparable:
        said = tr("The paper's numbers are for {data}.")
    return " ".join(filter(None, (said.format(data=part.papers_data), part.remark)))


def papers_text(row: Row) -> str:
    """Return the paper's number with its decimals, and an asterisk when it cannot be compared; empty without
    one."""
    if row.printed is None:
        return ""
    part = row.part
    digits = part.digits if part.printed_digits is None else part.printed_digits
    return f"{row.printed:,.{digits}f}" + ("" if part.comparable else "*")


def above_text(row: Row) -> str:
    """Return the distance of the row above the optimum, in percent; "proven" for an optimum proven by its
    bound."""
    if row.is_floor and row.least is not None:
        return tr("proven") if row.mean - row.least <= PROVEN * row.mean else tr("not proven")
    return "" if row.above is None else f"+{100 * row.above:.1f} %"

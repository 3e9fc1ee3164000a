"""Rows for people: a tidy frame with numbers as numbers, and the few texts that views share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from kanon_core.base.words import tr
from kanon_core.papers.base import Part, Row

PROVEN = 1e-6
"""Share of an optimum by which its lower bound may be below it: rounding of linear programs."""


def frame_of(rows: Sequence[Row]) -> pd.DataFrame:
    """One line per row, columns in this order: table and unit; where the row stands; samples and records of
    each; mean, least and greatest; the paper's number, our ratio to it and what it is of; the optimum, how
    far above it we are (a share); our data.
    """
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
    """Return a text on what may be compared with the paper's numbers, and what must be known of them."""
    said = tr("The paper's numbers (with *) are of {data}: compare order and proportions, not sizes.")
    if not part.papers_data:
        said = tr("The paper prints no numbers of this kind.")
    elif part.comparable:
        said = tr("The paper's numbers are of {data}.")
    return " ".join(filter(None, (said.format(data=part.papers_data), part.remark)))


def papers_text(row: Row) -> str:
    """The paper's number with its decimals, an asterisk when it cannot be compared; empty without one."""
    if row.printed is None:
        return ""
    part = row.part
    digits = part.digits if part.printed_digits is None else part.printed_digits
    return f"{row.printed:,.{digits}f}" + ("" if part.comparable else "*")


def above_text(row: Row) -> str:
    """Return how far the row is above the optimum, in percent; "proven" for an optimum that its bound
    proves."""
    if row.is_floor and row.least is not None:
        return tr("proven") if row.mean - row.least <= PROVEN * row.mean else tr("not proven")
    return "" if row.above is None else f"+{100 * row.above:.1f} %"

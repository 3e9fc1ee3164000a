"""Findings counted record by record, with dictionaries."""

from __future__ import annotations

from collections import Counter

import numpy as np

import kanon_core as kc
from kanon_core.covers.cells import PublishedColumn
from kanon_core.table.columns.columns import Column


def candidates(release: kc.Release) -> dict[int, list[int]]:
    """By published record: the records that are published with a row which could be its own."""
    if release.cover.overlap:
        bearer = {int(row): record for record, row in enumerate(release.row)}
        return {
            record: [
                bearer[row] for row in range(len(release.cover.sizes)) if record in release.cover.members(row)
            ]
            for record in range(len(release))
        }
    names = [column.attribute.name for column in release.published]
    shown = np.flatnonzero(~release.suppressed).tolist()
    texts = dict(
        zip(
            shown,
            release.to_frame(np.array(shown, int))[names].astype(str).itertuples(index=False),
            strict=True,
        )
    )
    return {record: [other for other in shown if texts[other] == texts[record]] for record in shown}


def singled_out(release: kc.Release, values: list) -> tuple[list[int], list[int]]:
    """Records from 1 that are found by their value alone, and those by value and quasi-identifiers."""
    behind = candidates(release)
    there = Counter(values[record] for record in behind)
    alone = [record for record in behind if there[values[record]] == 1]
    together = [
        record
        for record, others in behind.items()
        if len(others) > 1 and sum(values[other] == values[record] for other in others) == 1
    ]
    return [r + 1 for r in sorted(alone)], [r + 1 for r in sorted({*alone, *together})]


def narrowed(column: Column, published: PublishedColumn, beside: list) -> tuple[list[bool], list[bool]]:
    """For each published record: whether its cell is narrower, and whether it is given back, for who knows
    how the column goes with the values beside it."""
    keys = ["missing" if key != key else key for key in column.keys.tolist()]
    everybody = np.arange(len(keys))
    narrower, back = [], []
    for record in np.flatnonzero(published.cell >= 0).tolist():
        inside = published.cells.underlying.contain(
            column, everybody, np.full(len(keys), published.cell[record])
        )
        allowed = {keys[other] for other in np.flatnonzero(inside)}
        left = {keys[other] for other in np.flatnonzero(inside) if beside[other] == beside[record]}
        narrower.append(len(left) < len(allowed))
        back.append(len(left) == 1 and len(allowed) > 1)
    return narrower, back


def distance_from(whole: list[int], part: list[int], distinct: int, ordered: bool) -> float:
    """The earth mover's distance between the values of a class and of the table, by its definition."""
    p = np.bincount(part, minlength=distinct) / len(part)
    q = np.bincount(whole, minlength=distinct) / len(whole)
    if ordered:
        return float(np.abs(np.cumsum(p - q)).sum() / max(distinct - 1, 1))
    return float(np.abs(p - q).sum() / 2)

"""Pictures of groups: on a number line where possible, else in the plane; or a table of the published
cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kanon_core.algorithms.clustering.univariate import not_one_number
from kanon_core.charts.canvas.plane import plane
from kanon_core.charts.steps import Scene
from kanon_core.charts.steps.online import OnLine
from kanon_core.charts.steps.onplane import Mark, OnPlane
from kanon_core.charts.steps.tables import ItemTable
from kanon_core.covers.cells import PublishedColumn
from kanon_core.table.table import Table
from kanon_core.teaching.explain.distances import centroid
from kanon_core.teaching.explain.narration import Logged, Step

MOST = 60
"""The most steps for one kind of decision; more decisions are summarized."""


def picture(
    table: Table,
    groups: np.ndarray,
    marks: Sequence[Mark] = (),
    means: Sequence[Mark] = (),
    links: np.ndarray | None = None,
    focus: np.ndarray | None = None,
) -> Scene:
    """Return the picture of the records, the groups so far, the marks of the step, the ``means`` of some
    records, ``links`` between records (not on a number line), and the ``focus``, outside which records are
    faint."""
    if not not_one_number(table):
        return OnLine(table, table.quasi[0].attribute.name, groups, marks, means, focus=focus)
    places = [place for mark in means for place in centroid(plane(table), mark.records, mark.name)]
    return OnPlane(table, groups, marks=marks, places=places, links=links, focus=focus)


def table_step(
    run: Logged,
    sentence: str,
    line: int,
    groups: np.ndarray,
    focus: tuple[int, ...] = (),
    shown: Mapping[str, PublishedColumn] | None = None,
) -> Step:
    """Return a step whose picture is the table of published cells in these groups, the ``focus`` first;
    ``shown``: by name, columns whose cells are not those of the groups."""
    now = groups.copy()
    return Step(sentence, line, now, ItemTable(run.table, run.records, now, focus, shown or {}))


def star(middle: int, others: np.ndarray) -> np.ndarray:
    """Return lines from one record to others: int64 (m, 2)."""
    return np.column_stack([np.full(len(others), middle), others])


def together(count: int, most: int = MOST) -> list[range]:
    """Return the numbers 0 … count − 1 in at most ``most`` runs of equal length, the last one shorter.

    >>> together(5, 2), together(2, 5)
    ([range(0, 3), range(3, 5)], [range(0, 1), range(1, 2)])
    """
    step = -(-count // most) or 1
    return [range(start, min(count, start + step)) for start in range(0, count, step)]

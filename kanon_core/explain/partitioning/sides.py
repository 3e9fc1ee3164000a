"""The two sides of a cut, in words and in a picture; and why a cut was given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kanon_core.algorithms.clustering.univariate import not_one_number
from kanon_core.base.words import tr
from kanon_core.charts.canvas.plane import plane
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.steps.online import OnLine
from kanon_core.charts.steps.onplane import OnPlane
from kanon_core.charts.steps.scene import Scene
from kanon_core.explain.run import Logged
from kanon_core.explain.values import value_of, values_of
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.table import Table

_LISTED = 3


def describe(table: Table, name: str, left: np.ndarray, right: np.ndarray) -> str:
    """``11 records up to 45, 12 from 46``; of categories the values of both sides."""
    column = table[name]
    sizes = {"left": len(left), "right": len(right)}
    if not isinstance(column, Numbers):
        return tr("{left} records with {some}, {right} with {others}").format(
            **sizes, some=_named(values_of(table, name, left)), others=_named(values_of(table, name, right))
        )
    if column.missing[left].all():
        return tr("{left} records without a value, {right} with one").format(**sizes)
    present = left[~column.missing[left]]
    low = value_of(table, name, int(present[np.argmax(column.values[present])]))
    high = value_of(table, name, int(right[np.argmin(column.values[right])]))
    said = tr("{left} records up to {low}, {right} from {high}").format(**sizes, low=low, high=high)
    if len(present) < len(left):
        said += " " + tr("(missing values stand below all others)")
    return said


def _named(values: list[str]) -> str:
    return listed(values) if len(values) <= _LISTED else tr("{count} values").format(count=len(values))


def given_up(run: Logged, records: np.ndarray, tried: Sequence[dict[str, Any]]) -> list[str]:
    """Why each cut that was tried and not allowed was given up, one sentence each."""
    return [_refused(run, records, one) for one in tried if not one["allowed"]]


def _refused(run: Logged, records: np.ndarray, tried: dict[str, Any]) -> str:
    name = tried["column"]
    names = {"column": name, "k": run.k, "size": len(records)}
    if tried["left"]:
        return tr(
            "“{column}” is not cut: {left} and {right} records would break the rule on sensitive values."
        ).format(**names, left=tried["left"], right=tried["right"])
    column = run.table[name]
    if not isinstance(column, Numbers) or column.missing[records].any():
        return tr("“{column}” is not cut: no cut beside its middle value leaves {k} on both sides.").format(
            **names
        )
    values = column.values[records]
    middle = records[np.argsort(values, kind="stable")[len(records) // 2]]
    return tr(
        "“{column}” is not cut: of {size} records its median {median} has {below} below it and {upto} up to"
        " it, so no cut there leaves {k} on both sides."
    ).format(
        **names,
        below=int((values < column.values[middle]).sum()),
        upto=int((values <= column.values[middle]).sum()),
        median=value_of(run.table, name, int(middle)),
    )


def split_picture(
    table: Table, groups: np.ndarray, part: np.ndarray, cut: dict[str, Any] | None = None
) -> Scene:
    """The parts so far, and where the cut (column, left, right) is, if its column is an axis."""
    if not not_one_number(table):
        name = table.quasi[0].attribute.name
        if cut is None:
            return OnLine(table, name, groups, focus=part)
        values = table.numbers(name).values
        left, right = cut["left"], cut["right"]
        ends = int(left[np.argmax(values[left])]), int(right[np.argmin(values[right])])
        return OnLine(table, name, groups, boundary=ends, focus=part)
    picture = plane(table)
    outline = "hulls" if picture.projected else "rectangles"
    split = None
    for letter, axis in (("x", picture.x), ("y", picture.y)):
        if cut is not None and not picture.projected and axis.name == cut["column"]:
            split = _between(letter, axis.values[cut["left"]], axis.values[cut["right"]])
    return OnPlane(table, groups, outline, split=split, focus=part)


def _between(letter: str, left: np.ndarray, right: np.ndarray) -> tuple[str, float] | None:
    """The place between two sides of an axis; None where they are mixed on it."""
    for low, high in ((left, right), (right, left)):
        if low.max() <= high.min():
            return letter, float(low.max() + high.min()) / 2
    return None

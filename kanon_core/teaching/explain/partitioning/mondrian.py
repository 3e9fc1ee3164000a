"""Narration of Mondrian: the part, the column that is cut, the cuts tried before, and both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.clustering.univariate import not_one_number
from kanon_core.algorithms.partitioning.mondrian import Mondrian
from kanon_core.base.words import later, tr
from kanon_core.charts.canvas.plane import plane
from kanon_core.charts.canvas.theme import listed
from kanon_core.charts.steps import Scene
from kanon_core.charts.steps.online import OnLine
from kanon_core.charts.steps.onplane import GROUP_COLORS, OnPlane
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.table import Table
from kanon_core.teaching.explain.narration import Logged, Narration, Step
from kanon_core.teaching.explain.pictures import MOST, together
from kanon_core.teaching.explain.wording import amount, apart, value_of, values_of

_LISTED = 3
_NAMED = 4
"""The most columns whose extents a sentence lists."""


def describe(table: Table, name: str, left: np.ndarray, right: np.ndarray) -> str:
    """Return the sizes of both sides and what separates them, such as ``11 records up to 45, 12 from 46``;
    for categories, the values of both sides."""
    column = table[name]
    sizes = {"left": len(left), "right": len(right)}
    if not isinstance(column, Numbers):
        return tr("{left} records with {some}, {right} with {others}").format(
            **sizes, some=_values(values_of(table, name, left)), others=_values(values_of(table, name, right))
        )
    if column.missing[left].all():
        return tr("{left} records without a value, {right} with one").format(**sizes)
    present = left[~column.missing[left]]
    low = value_of(table, name, int(present[np.argmax(column.values[present])]))
    high = value_of(table, name, int(right[np.argmin(column.values[right])]))
    said = tr("{left} records up to {low}, {right} from {high}").format(**sizes, low=low, high=high)
    if len(present) < len(left):
        said += " " + tr("(missing values are below all others)")
    return said


def _values(values: list[str]) -> str:
    return listed(values) if len(values) <= _LISTED else tr("{count} values").format(count=len(values))


def given_up(run: Logged, records: np.ndarray, tried: Sequence[dict[str, Any]]) -> list[str]:
    """Return one sentence for each cut that was tried and rejected, with the reason."""
    return [_refused(run, records, one) for one in tried if not one["allowed"]]


def _refused(run: Logged, records: np.ndarray, tried: dict[str, Any]) -> str:
    name = tried["column"]
    names = {"column": name, "k": run.k, "size": len(records)}
    if tried["left"]:
        return tr(
            "“{column}” is not cut: parts of {left} and {right} records would violate the guarantee for"
            " sensitive values."
        ).format(**names, left=tried["left"], right=tried["right"])
    column = run.table[name]
    if not isinstance(column, Numbers) or column.missing[records].any():
        return tr("“{column}” is not cut: no cut next to its median value leaves {k} on both sides.").format(
            **names
        )
    values = column.values[records]
    middle = records[np.argsort(values, kind="stable")[len(records) // 2]]
    return tr(
        "“{column}” is not cut: {below} of {size} records are below its median {median} and {upto} are not"
        " above it, so no cut there leaves {k} on both sides."
    ).format(
        **names,
        below=int((values < column.values[middle]).sum()),
        upto=int((values <= column.values[middle]).sum()),
        median=value_of(run.table, name, int(middle)),
    )


def split_picture(
    table: Table, groups: np.ndarray, part: np.ndarray, cut: dict[str, Any] | None = None
) -> Scene:
    """Return the picture of the parts so far, with a line at the cut (column, left, right) if its column is
    an axis."""
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
    """Return the place between two sides of an axis; None if they overlap on it."""
    for low, high in ((left, right), (right, left)):
        if low.max() <= high.min():
            return letter, float(low.max() + high.min()) / 2
    return None


class MondrianSteps(Narration):
    """A step for each cut, then one for each part that is not cut."""

    algorithm: ClassVar[type[Mondrian]] = Mondrian
    events: ClassVar[frozenset[str]] = frozenset({"part", "tried", "cut", "group"})
    said: ClassVar[tuple[str, ...]] = (
        later("Begin with all records in one part."),
        later(
            "The extent of a part in a column is the width of its interval / range of the column or, for"
            " categories, (number of its values − 1) / (number of the column's values − 1), times the"
            " column's weight."
        ),
        later(
            "Median: cut the column with the largest extent at its median; if this leaves fewer than k"
            " records on a side, try the next largest. Gain: choose the allowed cut that leaves the"
            " smallest NCP."
        ),
        later("A part that cannot be cut is a group. Repeat until no part can be cut."),
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, Mondrian)
        groups, told = np.zeros(len(run.table), np.int64), _Wording(run, run.algorithm)
        yield told.began(groups.copy())
        closed, part, tried = list[_Part](), dict[str, Any](), list[dict[str, Any]]()
        for event, what in run.events:
            if event == "part":
                part, tried = what, []
            elif event == "tried":
                tried.append(what)
            elif event == "cut":
                groups[what["right"]] = _fresh(groups, int(groups[what["left"][0]]))
                yield told.cut(groups.copy(), _Part(part, tried), what)
            else:
                closed.append(_Part(part, tried))
        for some in together(len(closed), MOST - 10):
            yield told.closed(groups.copy(), closed[some.start : some.stop])


def _fresh(groups: np.ndarray, beside: int) -> int:
    """Return a new number whose color differs from that of the group beside."""
    number = int(groups.max()) + 1
    return number + ((number - beside) % GROUP_COLORS == 0)


@dataclass(frozen=True)
class _Part:
    """A part (records, columns, extents), and the cuts tried."""

    what: dict[str, Any]
    tried: list[dict[str, Any]]

    @property
    def records(self) -> np.ndarray:
        found: np.ndarray = self.what["records"]
        return found


@dataclass(frozen=True)
class _Wording:
    """The wording of a run."""

    run: Logged
    algorithm: Mondrian

    def began(self, groups: np.ndarray) -> Step:
        """Return the step of all records in one part."""
        sentence = tr("All {count} records are one part.").format(count=len(groups))
        return Step(sentence, 0, groups, split_picture(self.run.table, groups, np.arange(len(groups))))

    def cut(self, groups: np.ndarray, part: _Part, cut: dict[str, Any]) -> Step:
        """Return the step of a cut, with its reason and the cuts rejected before."""
        size = len(part.records)
        said = [tr("A part of {size} records.").format(size=size)]
        if self.algorithm.cut == "gain":
            said.append(self._prices(part))
        else:
            said.append(self._extents(part))
            said += given_up(self.run, part.records, part.tried)
        sides = describe(self.run.table, cut["column"], cut["left"], cut["right"])
        least = tr("“{column}” is cut, which leaves the smallest loss: {sides}.")
        text = least if self.algorithm.cut == "gain" else tr("“{column}” is cut: {sides}.")
        said.append(text.format(column=cut["column"], sides=sides))
        scene = split_picture(self.run.table, groups, part.records, cut)
        return Step(" ".join(said), 2, groups, scene)

    def closed(self, groups: np.ndarray, parts: Sequence[_Part]) -> Step:
        """Return the step of parts that are not cut."""
        records = np.concatenate([part.records for part in parts])
        least = 2 * self.run.k
        names = {"size": str(len(records)), "least": str(least), "count": str(len(parts))}
        names["numbers"] = self.run.numbers(records)
        if len(parts) > 1:
            said = tr("{count} parts with {size} records in total cannot be cut and become groups.")
        elif len(records) < least:
            said = tr("A part of {size} records, fewer than 2k = {least}, is a group: {numbers}.")
        elif not parts[0].tried:
            said = tr("A part of {size} records with equal values in every column is a group: {numbers}.")
        else:
            given = (
                " ".join(given_up(self.run, records, parts[0].tried)).replace("{", "{{").replace("}", "}}")
            )
            said = (
                tr("A part of {size} records cannot be cut.") + f" {given} " + tr("It is a group: {numbers}.")
            )
        scene = split_picture(self.run.table, groups, records)
        return Step(said.format(**names), 3, groups, scene)

    def _extents(self, part: _Part) -> str:
        """Return a text of the extents, the largest first, each times the weight of its column."""
        total = sum(column.attribute.weight for column in self.run.table.quasi)
        found = part.what["extents"] * total
        order = np.argsort(-found, kind="stable").tolist()
        texts = [
            tr("“{column}” {extent}").format(column=part.what["columns"][i], extent=amount(float(found[i])))
            for i in order[:_NAMED]
        ]
        if len(order) > _NAMED:
            texts.append(tr("{count} more columns less").format(count=len(order) - _NAMED))
        return tr("Its extents, the largest first: {extents}.").format(extents=", ".join(texts))

    def _prices(self, part: _Part) -> str:
        """Return a text on the loss after the best cut of each column."""
        before = float(len(part.records) * part.what["extents"].sum())
        found = sorted(
            (one for one in part.tried if one["left"]),
            key=lambda trial: (not trial["allowed"], trial["loss"]),
        )
        texts = [
            tr("“{column}” ({left} and {right} records) leaves {loss}").format(
                column=one["column"], left=one["left"], right=one["right"], loss=apart(one["loss"], before)[0]
            )
            + ("" if one["allowed"] else tr(", but violates the guarantee for sensitive values"))
            for one in found[:_NAMED]
        ]
        return tr("The number of its records times their NCP is {before}; the best cut of {cuts}.").format(
            before=amount(before), cuts=", ".join(texts)
        )

"""Facts about all fragments that the cells of a column depend on: the step to which ends are rounded, when
the intervals themselves choose it; and whether means are numbers or, where some are missing, texts.

The groups of all fragments are made and counted first; then their cells are written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cover import Cover, Partition
from kanon_core.covers.recoding import arcs, intervals
from kanon_core.covers.rounding.choice import SHARE, chosen
from kanon_core.covers.rounding.tally import least_of, median_of, merged, tally
from kanon_core.release.recipe import Recipe
from kanon_core.scale.anonymizing.fragment import Settled, covered
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.fragments.dividing import Divided
from kanon_core.scale.fragments.first_stages import Begun
from kanon_core.scale.fragments.routing import Rows, table_of
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.passes.neighbors import Neighbors, neighbors
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result, keep, kept
from kanon_core.table.columns.columns import Column, Numbers
from kanon_core.table.schema import Schema
from kanon_core.table.steps import AUTO

GROUPS = "groups"

Groups = Callable[[int], Cover]
"""The groups of a fragment by its place."""


@dataclass(frozen=True)
class KeptGroups:
    """The groups that `Group` made and wrote."""

    folder: str

    def __call__(self, place: int) -> Cover:
        """Return the groups of the fragment at this place."""
        found = kept(self._path(place))
        assert found is not None
        return Partition(found["groups"])

    def keep(self, place: int, cover: Cover) -> None:
        """Write the groups of a fragment."""
        keep(self._path(place), {"groups": cover.set_of})

    def _path(self, place: int) -> Path:
        return Path(self.folder) / GROUPS / f"{place:06d}.npz"


@dataclass(frozen=True)
class Group:
    """Groups the rows of a fragment, and finds what the cells of some columns depend on over all fragments:
    for the columns ``steps``, how wide intervals are; for the columns ``gaps``, whether some of the means are
    missing. Its other attributes are those of `Anonymize`."""

    encoded: Encoded
    recipe: Recipe
    rows: Rows
    steps: tuple[str, ...]
    gaps: tuple[str, ...]

    def __call__(self, numbered: tuple[int, Any, str]) -> Result:
        """Return the widths of the fragment's intervals and which of its columns have missing means, and
        ``again``: the groups must be made again, as they are not all that is published."""
        place, which, path = numbered
        recipe = self.recipe
        table = table_of(self.encoded.whole, self.rows.batch(which))
        cover, published = covered(table, recipe.algorithm, recipe.k, recipe.seed, path)
        hiding = recipe.algorithm.guarantee(recipe.k)
        plain = hiding.disjoint and not hiding.pseudonyms
        plain = plain and all(a.kind != "items" for a in table.schema.quasi_identifiers)
        if plain:
            KeptGroups(self.encoded.folder).keep(place, cover)
        found: Result = {"again": not plain}
        for column, one in zip(table.quasi, published, strict=True):
            name = column.attribute.name
            if name in self.steps:
                found[f"widths:{name}"] = tally(_widths(column, cover), SHARE)
            if name in self.gaps:
                found[f"gaps:{name}"] = _has_gaps(one)
        return found


def settled_in(job: Job, by: Begun, recipe: Recipe, rows: Divided) -> tuple[Settled, Groups | None]:
    """Return what the cells of all fragments have in common, and the groups if they are made by now. No stage
    is run where nothing has to be known."""
    steps, gaps = _steps_of(by.schema), _with_gaps(by.whole)
    if not steps and not gaps:
        return Settled(), None
    whole, encoded = by.whole, by.encoded
    numbers = [name for name in steps if whole.schema[name].kind != "datetime"]
    values = neighbors(job, encoded, by.parts, numbers)
    work = Group(encoded, recipe, rows.rows, steps, gaps)
    found = job.stage("group", work, rows.fragments, recipe.algorithm.title)
    widths: dict[str, list[np.ndarray]] = {name: [] for name in steps}
    missing, again = set[str](), False
    for one in found:
        again = again or bool(one["again"])
        missing |= {name for name in gaps if one[f"gaps:{name}"]}
        for name, own in widths.items():
            own[:] = [merged([*own, one[f"widths:{name}"]])]
    chosen_steps = {name: _step(whole, name, own, values.get(name)) for name, own in widths.items()}
    groups = None if again else KeptGroups(encoded.folder)
    return Settled(chosen_steps, tuple(sorted(missing))), groups


def check_named_steps(schema: Schema) -> None:
    """Raise UnsuitableError where the intervals of all rows would choose a step, but only some rows are
    looked at."""
    if names := _steps_of(schema):
        raise UnsuitableError(
            tr(
                "The automatic step of column “{name}” depends on the intervals of all rows. Name a"
                " step instead of auto."
            ).format(name=names[0])
        )


def _steps_of(schema: Schema) -> tuple[str, ...]:
    """Return the columns whose step is automatic."""
    quasi = schema.quasi_identifiers
    return tuple(a.name for a in quasi if a.round_to == AUTO and a.recoding == "generalize")


def _with_gaps(whole: Whole) -> tuple[str, ...]:
    """Return the columns of means, medians or modes of numbers of which some may be missing."""
    found, nothing = [], whole.nothing()
    for attribute in whole.schema.quasi_identifiers:
        column = whole.column(attribute.name, nothing[attribute.name])
        if attribute.recoding != "generalize" and isinstance(column, Numbers) and column.has_missing:
            found += [attribute.name] * (column.as_written(column.values) is not None)
    return tuple(found)


def _widths(column: Column, cover: Cover) -> np.ndarray:
    """Return the widths of the intervals of the sets, where they have one."""
    assert isinstance(column, Numbers)
    line = (intervals(column, cover) if column.circle is None else arcs(column, cover)).as_intervals()
    widths: np.ndarray = line.high - line.low
    return widths[widths > 0]


def _has_gaps(published: PublishedColumn) -> bool:
    """Return whether a missing value is published of some row that is not suppressed."""
    numbers, cell = published.cells.numbers(), published.cell
    return numbers is not None and bool(np.isnan(numbers[cell[cell >= 0]]).any())


def _step(whole: Whole, name: str, widths: Sequence[np.ndarray], values: Neighbors | None) -> str:
    """Return the step that all intervals choose, "" for none."""
    column, width = whole.column(name, np.zeros(0)), median_of(merged(widths))
    assert isinstance(column, Numbers)
    if values is None:
        grid = chosen(column, width)
    else:
        apart = least_of(values.apart) if SHARE * width else median_of(values.apart)
        grid = chosen(column, width, apart, values.largest)
    return grid.step if grid else ""

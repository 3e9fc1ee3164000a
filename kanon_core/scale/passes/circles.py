"""Circles of numbers: each is cut at the widest gap between the values of all parts, as on one machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pyarrow as pa

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import tr
from kanon_core.scale.encoding.item_codes import keys_of
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.table.attribute import Attribute
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.levels import DAY, around
from kanon_core.table.columns.numbers import Numbers
from kanon_core.table.domain import Domain, NumberDomain


@dataclass(frozen=True)
class Different:
    """Finds the different values of some columns of numbers in a part."""

    encoded: Encoded
    names: tuple[str, ...]

    def __call__(self, part: int) -> Result:
        """Return the values by column, ascending, float64."""
        batch = self.encoded.batch(part)
        values = {name: _numbers(batch, name) for name in self.names}
        return {name: np.unique(own[~np.isnan(own)]) for name, own in values.items()}


@dataclass(frozen=True)
class Unroll:
    """Adds up the values of a part on the lines onto which circles are unrolled."""

    encoded: Encoded
    circles: Mapping[str, Circle]

    def __call__(self, part: int) -> Result:
        """Return the domains of the values."""
        batch, own = self.encoded.batch(part), self.circles.items()
        found = {name: NumberDomain.of(circle.unrolled(_numbers(batch, name))) for name, circle in own}
        return {"domain": Domain(found).to_json()}


def opened(job: Job, encoded: Encoded, whole: Whole, parts: int, fragments: bool) -> Whole:
    """Return the whole with its circles of numbers and the words that fit no circle. It takes two passes over
    the values of these columns, none where there are no such columns; the driver holds 8 bytes of each
    different value. Raises UnsuitableError for numbers beyond their circle, and for circles of an algorithm
    that does not run within ``fragments``."""
    names = [name for name in whole.domain.columns if _is_circle(whole, name)]
    if not fragments and (names or whole.held):
        raise UnsuitableError(circle_refused(whole.schema[[*whole.held, *names][0]]))
    whole = replace(whole, misfits=dict(whole.misfits) | _unfit(whole))
    if not names:
        return whole
    note, work = tr("finding the different values"), Different(encoded, tuple(names))
    found = list(job.stage("around", work, range(parts), note))
    values = {name: np.unique(np.concatenate([one[name] for one in found])) for name in names}
    circles = {name: _circle(whole, name, own) for name, own in values.items()}
    unrolled = job.stage("unrolled", Unroll(encoded, circles), range(parts), note)
    domains = [Domain.from_json(one["domain"]) for one in unrolled]
    lines = cast(Mapping[str, NumberDomain], domains[0].merged(*domains[1:]).columns)
    return replace(whole, circles={name: (circle, lines[name]) for name, circle in circles.items()})


def circle_refused(attribute: Attribute) -> str:
    """Return the sentence on a column of a circle where the algorithm does not run within fragments."""
    said = tr("Column “{name}” is cyclic.")
    if attribute.kind == "longitude":
        said = tr("Column “{name}” has longitudes on more than half of the globe.")
    advice = tr(
        "Over many files, only Fragments anonymizes such columns. Choose Fragments of an algorithm, or give"
        " the column another kind, such as numeric."
    )
    return f"{said.format(name=attribute.name)} {advice}"


def _numbers(batch: pa.RecordBatch, name: str) -> np.ndarray:
    keys = keys_of(batch.column(f"key:{name}"))
    assert isinstance(keys, np.ndarray)
    return keys


def _is_circle(whole: Whole, name: str) -> bool:
    """Return whether a column of numbers is on a circle; longitudes on half of the globe are on a line."""
    kind, own = whole.schema[name].kind, whole.domain.columns[name]
    if not isinstance(own, NumberDomain):
        return False
    return kind == "cyclic" or (kind == "longitude" and own.high - own.low > 180.0)


def _unfit(whole: Whole) -> dict[str, int]:
    """Return, by column on a circle, how many words are not on the circle."""
    found = {}
    for name, held in whole.held.items():
        column = whole.column(name, np.arange(len(held)))
        assert isinstance(column, Numbers)
        found[name] = int(held[column.missing].sum())
    return {name: count for name, count in found.items() if count}


def _circle(whole: Whole, name: str, values: np.ndarray) -> Circle:
    """Return the circle of a column with these different values."""
    attribute, own = whole.schema[name], whole.domain.columns[name]
    assert isinstance(own, NumberDomain)
    if attribute.kind == "longitude":
        return Circle.around(values, 360.0, -180.0)
    if whole.types[name] == "moment":
        finer = bool(np.mod(values, 60).any())
        return replace(Circle.around(values, DAY), clock=True, seconds=finer)
    period, first = around(attribute, *own.range)
    if own.count and not first <= own.low <= own.high <= first + period:
        raise UnsuitableError(
            tr(
                "Column “{name}” has numbers outside its period of {period:g}. Correct them in the files, or"
                " name another period."
            ).format(name=name, period=period)
        )
    return Circle.around(values, period, first)

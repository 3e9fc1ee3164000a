"""Cut places of circles of numbers: at the widest gap between the values of all parts, as on one machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.words import tr
from kanon_core.scale.encoding.item_codes import keys_of
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.passes.neighbors import Neighbors, neighbors
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.table.columns.circle import Circle
from kanon_core.table.columns.levels import DAY, around
from kanon_core.table.columns.numbers import Numbers
from kanon_core.table.domain import Domain, NumberDomain


@dataclass(frozen=True)
class Places:
    """The places of written numbers on their circles, on which the last place is the first."""

    circles: Mapping[str, Circle]

    def __call__(self, name: str, keys: np.ndarray) -> np.ndarray:
        """Return the places of a column's numbers on its circle, float64 (n)."""
        circle = self.circles[name]
        return np.where(keys == circle.first + circle.period, circle.first, keys)


@dataclass(frozen=True)
class Unroll:
    """Adds up the values of a part on the lines onto which circles are unrolled."""

    encoded: Encoded
    circles: Mapping[str, Circle]

    def __call__(self, part: int) -> Result:
        """Return the domains of the values, and the columns that have parts of a minute."""
        batch, found, finer = self.encoded.batch(part), {}, []
        for name, circle in self.circles.items():
            keys = keys_of(batch.column(f"key:{name}"))
            assert isinstance(keys, np.ndarray)
            found[name] = NumberDomain.of(circle.unrolled(keys))
            if np.mod(keys[~np.isnan(keys)], 60).any():
                finer.append(name)
        return {"domain": Domain(found).to_json(), "finer": finer}


def opened(job: Job, encoded: Encoded, whole: Whole, parts: int) -> Whole:
    """Return the whole with its circles of numbers and the words that fit no circle. It takes three passes
    over the values of these columns, none where there are no such columns. Raises UnsuitableError for numbers
    beyond their circle."""
    whole = replace(whole, misfits=dict(whole.misfits) | _unfit(whole))
    circles = {name: one for name in whole.domain.columns if (one := _circle(whole, name)) is not None}
    if not circles:
        return whole
    apart = neighbors(job, encoded, parts, list(circles), Places(circles), "around")
    circles = {name: _cut(whole, name, one, apart[name]) for name, one in circles.items()}
    found = job.stage("unrolled", Unroll(encoded, circles), range(parts), tr("looking at different values"))
    domains = [Domain.from_json(one["domain"]) for one in found]
    unrolled = domains[0].merged(*domains[1:]).columns
    finer = {name for one in found for name in one["finer"]}
    lines = {}
    for name, circle in circles.items():
        line = unrolled[name]
        assert isinstance(line, NumberDomain)
        lines[name] = (replace(circle, seconds=circle.clock and name in finer), line)
    return replace(whole, circles=lines)


def _unfit(whole: Whole) -> dict[str, int]:
    """Return, by column on a circle, how many words are not on the circle."""
    found = {}
    for name, held in whole.held.items():
        column = whole.column(name, np.arange(len(held)))
        assert isinstance(column, Numbers)
        found[name] = int(held[column.missing].sum())
    return {name: count for name, count in found.items() if count}


def _circle(whole: Whole, name: str) -> Circle | None:
    """Return the circle of a column of numbers, not cut yet; None for other columns, and for longitudes that
    need no cut."""
    attribute, own = whole.schema[name], whole.domain.columns[name]
    if not isinstance(own, NumberDomain):
        return None
    if attribute.kind == "longitude":
        return Circle(360.0, -180.0, -180.0) if own.high - own.low > 180.0 else None
    if attribute.kind != "cyclic":
        return None
    if whole.types[name] == "moment":
        return Circle(DAY, clock=True)
    period, first = around(attribute, *own.range)
    if own.count and not first <= own.low <= own.high <= first + period:
        raise UnsuitableError(
            tr(
                "Column “{name}” has numbers that do not lie on its circle of {period:g}; correct them in the"
                " files, or name another period."
            ).format(name=name, period=period)
        )
    return Circle(period, first, first)


def _cut(whole: Whole, name: str, circle: Circle, apart: Neighbors) -> Circle:
    """Return the circle, cut as `Circle.around` cuts it."""
    own = whole.domain.columns[name]
    assert isinstance(own, NumberDomain)
    ended = bool(own.count) and own.high == circle.first + circle.period and own.low != circle.first
    circle = replace(circle, ended=ended)
    if own.high - own.low <= circle.period / 2 or not len(apart.widest):
        return circle
    low, high = apart.widest.tolist()
    least, greatest = apart.ends.tolist()
    return circle if high - low <= least + circle.period - greatest else replace(circle, cut=high)

"""Widths of the rectangles of a release, in figures and sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.words import number_text, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.maps.boxes import Boxes, drawing_order, placed
from kanon_core.charts.maps.units import Floats, area_text, length_text
from kanon_core.release.release import Release

_TOP = 85.06
"""Degrees to which Web Mercator goes."""


@dataclass(frozen=True, eq=False)
class Placed:
    """The rectangles of a release.

    ``boxes``: one for each distinct set; ``own`` int64 (n): the one that each record is published with, −1
    for a record that is suppressed or has no place; ``disjoint``: whether each record is in one set;
    ``means``: whether places are published as means, so that rectangles are points."""

    title: str
    boxes: Boxes
    own: np.ndarray
    disjoint: bool
    means: bool

    @classmethod
    def of(cls, title: str, release: Release, named: tuple[str, str]) -> Placed:
        """Return the rectangles of a release; ``named``: the quasi-identifiers of latitude and longitude."""
        means = any(release[name].cells.aggregated for name in named)
        return cls(title, *placed(release, *named), release.guarantee.disjoint, means)

    @cached_property
    def areas_km2(self) -> Floats:
        """Area of the rectangle of each record that has one, float64 (≤ n)."""
        return np.asarray(self.boxes.areas_km2[self.own[self.own >= 0]])

    @cached_property
    def diagonals_km(self) -> Floats:
        """Diagonal of the rectangle of each record that has one."""
        return np.asarray(self.boxes.diagonals_km[self.own[self.own >= 0]])

    def published_with(self, number: int) -> np.ndarray:
        """Return the records that are published with a rectangle, by its number in the order of drawing."""
        return np.flatnonzero(self.own == int(drawing_order(self.boxes)[number]))

    def facts(self) -> list[tuple[str, str]]:
        """Mean and median area of the records' rectangles and their mean diagonal: names and texts."""
        if not len(self.areas_km2):
            return [(tr("records on the map"), tr("none"))]
        if self.means:
            return [(tr("places"), tr("published as means"))]
        return [
            (tr("mean area"), area_text(float(self.areas_km2.mean()))),
            (tr("median area"), area_text(float(np.median(self.areas_km2)))),
            (tr("mean diagonal"), length_text(float(self.diagonals_km.mean()))),
        ]

    @property
    def sentence(self) -> str:
        """Return a sentence on how wide the rectangles are, which have no extent, and how many records have
        none."""
        if not len(self.boxes):
            return tr("No published record has a place.")
        if self.means:
            return tr(
                "Latitude or longitude is published as a mean, so no group has an area. To see rectangles,"
                " publish intervals: set the recoding on the Data page."
            )
        if not self.boxes.diagonals_km.any():
            return tr(
                "Every place is published exactly: all records of a group are at one place, and no rectangle"
                " has an area. To hide places, choose a larger k or round ends on the Data page."
            )
        said = [areas_sentence(self.boxes.areas_km2, self.disjoint)]
        points, missing = int((self.boxes.diagonals_km == 0).sum()), int((self.own < 0).sum())
        if points:
            says = tr("Groups published as an exact point: {count:,}.")
            said.append(says.format(count=points))
        if missing:
            said.append(tr("Records without a place or suppressed: {count:,}.").format(count=missing))
        if max(-self.boxes.south.min(), self.boxes.north.max()) > _TOP:
            said.append(tr("The map ends at 85° north and south: places beyond are drawn at its edge."))
        return " ".join(said)


def areas_sentence(areas: np.ndarray, disjoint: bool) -> str:
    """Return how wide these rectangles are (km², at least one), one for each group of records or each row.

    >>> areas_sentence(np.array([0.5, 1.9, 310.0]), True)
    'Half of the 3 rectangles, one for each group of records, cover at most 1.9 km²; ... covers 310 km².'
    """
    if len(areas) == 1:
        says = tr("The one rectangle covers {widest}.")
    elif areas.min() == areas.max():
        says = tr("Each of the {count:,} rectangles, one for {what}, covers {widest}.")
    elif np.median(areas) == 0:
        says = tr(
            "At least half of the {count:,} rectangles, one for {what}, have no area; the largest covers"
            " {widest}."
        )
    else:
        says = tr(
            "Half of the {count:,} rectangles, one for {what}, cover at most {middle}; the largest covers"
            " {widest}."
        )
    middle, widest = area_text(float(np.median(areas))), area_text(float(areas.max()))
    what = tr("each group of records") if disjoint else tr("each published row")
    return says.format(count=len(areas), what=what, middle=middle, widest=widest)


def compared_sentence(placed: Sequence[Placed]) -> str:
    """Return which release has the smallest mean area, and how much larger the others' are; "" for fewer than
    two."""
    ranked = sorted(
        ((float(one.areas_km2.mean()), one.title) for one in placed if len(one.areas_km2) and not one.means),
        key=lambda pair: pair[0],
    )
    if len(ranked) < 2:
        return ""
    (least, best), rest = ranked[0], ranked[1:]
    if rest[-1][0] == least:
        return tr("The mean area is the same for all, {area}.").format(area=area_text(least))
    others = ", ".join(_more(title, least, area) for area, title in rest)
    says = tr("{best} has the smallest mean area, {area}; {others}.")
    return says.format(best=best, area=area_text(least), others=others)


def _more(title: str, least: float, area: float) -> str:
    """Return how a larger mean area compares with the least, in words."""
    if area == least:
        says = tr("{title} has the same")
    elif not least:
        says = tr("{title} has {area}")
    elif area >= 2 * least:
        says = tr("{title} has {times} times as much ({area})")
    else:
        says = tr("{title} has {percent} % more ({area})")
    return says.format(
        title=title,
        area=area_text(area),
        times=number_text(float(f"{area / least:.3g}")) if least else "",
        percent=look.percent_text(area / least - 1) if least else "",
    )

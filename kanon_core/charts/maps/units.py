"""Areas and lengths as people read them, and the scale of colors that areas or counts are shown in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import number_text

Floats = npt.NDArray[np.float64]

LEAST_KM2 = 1e-6
"""One square meter: what is smaller shares its color, and no label goes below it."""
_HECTARE_KM2, _MILLION = 0.01, 1e6
_BENDS_FROM = 20.0


def area_text(area: float) -> str:
    """An area in km² with its unit: square meters below a hectare, hectares below a square kilometer,
    millions from a million.

    >>> [area_text(area) for area in (0, 6e-12, 0.005, 0.034, 1.9, 12345.6, 24625239.0)]
    ['0 m²', 'less than 1 m²', '5,000 m²', '3.4 ha', '1.9 km²', '12,346 km²', '24.6 million km²']
    """
    if area >= _MILLION:
        return tr("{count} million km²").format(count=f"{area / _MILLION:.3g}")
    if 0 < area < LEAST_KM2:
        return tr("less than 1 m²")
    if area < _HECTARE_KM2:
        return _short(area * 1e6, "m²")
    return _short(area * 100, "ha") if area < 1 else _short(area, "km²")


def length_text(length: float) -> str:
    """A length in km with its unit; short ones in meters.

    >>> [length_text(length) for length in (0, 2e-7, 0.25, 123.4)]
    ['0 m', 'less than 1 m', '250 m', '123 km']
    """
    if 0 < length < 1e-3:
        return tr("less than 1 m")
    return _short(length * 1000, "m") if length < 1 else _short(length, "km")


def _short(value: float, unit: str) -> str:
    """Three significant digits, never as a power of ten from 1 on; whole numbers from 1,000 in full."""
    if value >= 1000:
        return f"{value:,.0f} {unit}"
    return f"{float(f'{value:.3g}'):,.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def count_of(value: float) -> str:
    """A number of records: whole from 10 on.

    >>> [count_of(value) for value in (0.025, 3.0, 1234.5)]
    ['0.025', '3', '1,234']
    """
    return f"{value:,.0f}" if value >= 10 else number_text(float(f"{value:.2g}"))


def color_scale(values: Floats) -> tuple[npt.NDArray[np.uint8], list[tuple[float, float]]]:
    """Places of values on a palette of 256 colors, and the at most three ticks of its legend.

    Linear from the smallest to the largest value, logarithmic where the largest is more than 20 times the
    smallest positive one; zeros then share the lowest color. Returns the indexes (g,) and (place 0 … 1,
    value) of the ticks: one when all values are equal, none without values.
    """
    if not len(values):
        return np.empty(0, dtype=np.uint8), []
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.full(len(values), 128, dtype=np.uint8), [(0.0, low)]
    floor = float(values[values > 0].min())
    if high > _BENDS_FROM * floor:
        place = np.log(np.maximum(values, floor) / floor) / np.log(high / floor)
        ticks = [(0.0, floor), (0.5, float(np.sqrt(floor * high))), (1.0, high)]
    else:
        place = (values - low) / (high - low)
        ticks = [(0.0, low), (0.5, (low + high) / 2), (1.0, high)]
    return np.rint(255 * place).astype(np.uint8), ticks


@dataclass(frozen=True, eq=False)
class Scale:
    """Values as colors: ``indexes`` uint8, places on a palette of 256; ``ticks``: place 0 … 1 and text of at
    most three labels of the legend."""

    indexes: npt.NDArray[np.uint8]
    ticks: tuple[tuple[float, str], ...]


def area_scale(areas: Floats) -> Scale:
    """Areas in km² as colors, see `color_scale`; a few almost flat rectangles do not stretch the scale.

    What is smaller than one in fifty of those that have an area, or than a square meter, shares the lowest
    color, and the lowest label then says so.

    >>> area_scale(np.array([0.00123, 0.1, 312.4])).ticks
    ((0.0, '1,200 m²'), (0.5, '62 ha'), (1.0, '310 km²'))
    >>> area_scale(np.array([6e-12, 1.0, 1.0, 2.0])).ticks
    ((0.0, '≤ 1 km²'), (0.5, '1.5 km²'), (1.0, '2 km²'))
    """
    solid = areas[areas >= LEAST_KM2]
    floor = float(np.quantile(solid, 0.02, method="lower")) if len(solid) else 0.0
    return _scale(np.maximum(areas, floor) if floor else areas * 0, area_text, bool((areas < floor).any()))


def count_scale(counts: Floats, least: float = 0.0) -> Scale:
    """Numbers of records as colors, see `color_scale`; those below ``least`` share the lowest.

    >>> count_scale(np.array([3.0, 4.0, 5.0])).ticks
    ((0.0, '3'), (0.5, '4'), (1.0, '5'))
    """
    return _scale(np.maximum(counts, least), count_of, bool((counts < least).any()))


def _scale(values: Floats, text: Callable[[float], str], below: bool) -> Scale:
    indexes, ticks = color_scale(values)
    texts = [(place, text(float(f"{value:.2g}"))) for place, value in ticks]
    if len({says for _, says in texts}) < len(texts):
        texts = list({says: (place, says) for place, says in (texts[-1], texts[0])}.values())[::-1]
    return Scale(indexes, tuple((p, f"≤ {says}" if below and not p else says) for p, says in texts))

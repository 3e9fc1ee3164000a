"""Areas and lengths as people read them, and the scale of colors that areas or counts are shown in."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from kanon_core.base.words import later, number_text, tr

Floats = npt.NDArray[np.float64]
Units = tuple[tuple[float, float, str], ...]

LEAST_KM2 = 1e-6
"""One square meter: smaller areas share its color, and no label goes below it."""
_NOT_ZERO = 5e-324
AREAS: Units = (
    (1e6, 1e-6, later("{count} million km²")),
    (1.0, 1.0, later("{count} km²")),
    (0.01, 100.0, later("{count} ha")),
    (LEAST_KM2, 1e6, later("{count} m²")),
    (_NOT_ZERO, 1.0, later("less than 1 m²")),
    (0.0, 1.0, later("0 m²")),
)
LENGTHS: Units = (
    (1.0, 1.0, later("{count} km")),
    (1e-3, 1e3, later("{count} m")),
    (_NOT_ZERO, 1.0, later("less than 1 m")),
    (0.0, 1.0, later("0 m")),
)
"""The units of areas and lengths, for Python and for the script: from how many km² or km on, times which
factor, and with which unit they are written."""
_BENDS_FROM = 20.0


def area_text(area: float) -> str:
    """Return an area in km² with its unit: square meters below a hectare, hectares below a square kilometer,
    millions from a million.

    >>> [area_text(area) for area in (0, 6e-12, 0.005, 0.034, 1.9, 12345.6, 24625239.0)]
    ['0 m²', 'less than 1 m²', '5,000 m²', '3.4 ha', '1.9 km²', '12,346 km²', '24.6 million km²']
    """
    return _quantity(area, AREAS)


def length_text(length: float) -> str:
    """Return a length in km with its unit; short ones in meters.

    >>> [length_text(length) for length in (0, 2e-7, 0.25, 123.4)]
    ['0 m', 'less than 1 m', '250 m', '123 km']
    """
    return _quantity(length, LENGTHS)


def _quantity(value: float, units: Units) -> str:
    """Three significant digits, never as a power of ten; whole numbers from 100 on."""
    times, says = next((times, says) for least, times, says in units if value >= least)
    count = float(f"{value * times:.3g}") if value * times < 1000 else value * times
    return tr(says).format(count=f"{count:,.0f}" if count >= 100 else f"{count:.3g}")


def color_scale(values: Floats) -> tuple[npt.NDArray[np.uint8], list[float]]:
    """Return the places of values on a palette of 256 colors, and the ticks of its legend: the values at its
    beginning, middle and end; one where all values are equal, none without values.

    Linear from the smallest to the largest value, logarithmic where the largest is more than 20 times the
    smallest positive one; zeros then share the lowest color.
    """
    if not len(values):
        return np.empty(0, dtype=np.uint8), []
    low, high = float(values.min()), float(values.max())
    if low == high:
        return np.full(len(values), 128, dtype=np.uint8), [low]
    floor = float(values[values > 0].min())
    if high > _BENDS_FROM * floor:
        place = np.log(np.maximum(values, floor) / floor) / np.log(high / floor)
        ticks = [floor, float(np.sqrt(floor * high)), high]
    else:
        place = (values - low) / (high - low)
        ticks = [low, (low + high) / 2, high]
    return np.rint(255 * place).astype(np.uint8), ticks


Scale = tuple[npt.NDArray[np.uint8], list[str]]
"""Values as places on a palette of 256 colors, and the at most three labels of its legend."""


def area_scale(areas: Floats) -> Scale:
    """Return areas in km² as colors, see `color_scale`; few almost flat rectangles do not stretch the scale.

    What is smaller than one in fifty of those that have an area, or than a square meter, shares the lowest
    color, and the lowest label then says so.

    >>> area_scale(np.array([0.00123, 0.1, 312.4]))[1]
    ['1,200 m²', '62 ha', '310 km²']
    >>> area_scale(np.array([6e-12, 1.0, 1.0, 2.0]))[1]
    ['≤ 1 km²', '1.5 km²', '2 km²']
    """
    solid = areas[areas >= LEAST_KM2]
    floor = float(np.quantile(solid, 0.02, method="lower")) if len(solid) else 0.0
    indexes, labels = _scale(np.maximum(areas, floor) if floor else areas * 0, area_text)
    return indexes, [f"≤ {labels[0]}", *labels[1:]] if (areas < floor).any() else labels


def count_scale(counts: Floats) -> Scale:
    """Return numbers of records as colors, see `color_scale`.

    >>> count_scale(np.array([3.0, 4.0, 5.0]))[1]
    ['3', '4', '5']
    """
    return _scale(counts, number_text)


def _scale(values: Floats, text: Callable[[float], str]) -> Scale:
    indexes, ticks = color_scale(values)
    labels = [text(float(f"{value:.2g}")) for value in ticks]
    return indexes, labels if len(set(labels)) == len(labels) else list(dict.fromkeys(labels[::2]))

"""Areas and lengths as people read them, and the scale of colors that areas or counts are shown in."""

from __future__ import annotations

import math
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


Ends = tuple[float, float]
"""The least and the greatest value of a scale, both positive, or both 0."""
Scale = tuple[npt.NDArray[np.uint8], list[str]]
"""Values as places on a palette of 256 colors, and the labels of its legend."""


def color_scale(values: Floats, ends: Ends) -> npt.NDArray[np.uint8]:
    """Return the places of values on a palette of 256 colors: logarithmic between the ends; what is beyond an
    end has its color.

    >>> color_scale(np.array([0.0, 1.0, 10.0, 500.0]), (1.0, 100.0)).tolist()
    [0, 0, 128, 255]
    """
    low, high = ends
    if not low < high:
        return np.full(len(values), 128, dtype=np.uint8)
    place = np.log(np.clip(values, low, high) / low) / np.log(high / low)
    return np.asarray(np.rint(255 * place), dtype=np.uint8)


def area_scale(areas: Floats, ends: Ends) -> Scale:
    """Return areas in km² as colors, see `color_scale`.

    >>> area_scale(np.array([0.00123, 0.1, 312.4]), (0.01, 100.0))[1]
    ['≤ 1 ha', '1 km²', '≥ 100 km²']
    """
    return _scale(areas, (max(ends[0], LEAST_KM2), ends[1]), area_text)


def count_scale(counts: Floats, ends: Ends) -> Scale:
    """Return numbers of records as colors, see `color_scale`.

    >>> count_scale(np.array([3.0, 4.0, 5.0]), (2.0, 200.0))[1]
    ['≤ 2', '20', '≥ 200']
    """
    return _scale(counts, ends, number_text)


def _scale(values: Floats, ends: Ends, text: Callable[[float], str]) -> Scale:
    low, high = ends
    if not len(values):
        return color_scale(values, ends), []
    least, middle, most = (text(float(f"{one:.2g}")) for one in (low, math.sqrt(low * high), high))
    if not low < high or least == most:
        return color_scale(values, ends), [most]
    return color_scale(values, ends), [f"≤ {least}", middle, f"≥ {most}"]

"""Density of records in gray, for pictures of more records than can be told apart."""

from __future__ import annotations

import numpy as np

from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings
from kanon_core.charts.canvas.painting import HEIGHT, WIDTH, Canvas, picture_below

Ends = tuple[float, float]
CELLS = (WIDTH // 4, HEIGHT // 4)
"""Columns and rows of the cells in which records are counted; the browser smooths what is between them."""
_DEVIATION = 2.0
_SHADES = 60
_FAINTEST = 1_000
_OPACITIES = (0.07, 0.62)


def density(x: np.ndarray, y: np.ndarray, ends: tuple[Ends, Ends]) -> np.ndarray:
    """Return the records at each cell of a picture, each record spread over the cells around its own by a
    normal distribution with a deviation of two cells.

    ``ends``: of the picture in x and in y. Returns float64 (rows, columns), the uppermost row first, with 0
    where less is than a tenth of the peak of one record. Cost O(records + cells).
    """
    from scipy.ndimage import gaussian_filter

    (columns, rows), canvas = CELLS, Canvas(*ends, *CELLS)
    cells = canvas.rows(y) * columns + canvas.columns(x)
    counts = np.bincount(cells, minlength=rows * columns).reshape(rows, columns)
    found = gaussian_filter(counts.astype(np.float64), _DEVIATION, mode="constant")
    return np.where(found < 0.1 / (2 * np.pi * _DEVIATION**2), 0.0, found)


def density_below(cells: np.ndarray, ends: tuple[Ends, Ends], theme: str) -> Settings:
    """Return a `density` as a gray picture below the traces, darker where there are more records."""
    canvas, gray = Canvas(*ends, *CELLS), look.theme_of(theme).muted
    canvas.pixels = _shades(cells)
    return picture_below(canvas, [(gray, opacity) for opacity in np.linspace(*_OPACITIES, _SHADES).tolist()])


def _shades(cells: np.ndarray) -> np.ndarray:
    """Return the palette number of each cell, uint8: 0 for an empty cell, else 1 … 60 by the logarithm of its
    weight; cells with less than 1/1,000 of the fullest one have 1."""
    held, found = cells > 0, np.zeros(cells.shape, np.uint8)
    part = 1 + np.log(np.maximum(cells[held] / cells.max(initial=0.0), 1 / _FAINTEST)) / np.log(_FAINTEST)
    found[held] = 1 + np.rint((_SHADES - 1) * part)
    return found

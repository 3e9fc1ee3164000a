"""Density: records spread evenly over boxes, counted in the cells of a picture, where outlines are too many
to tell apart."""

from __future__ import annotations

import numpy as np

from kanon_core.charts.canvas.painting import Canvas

Ends = tuple[float, float]
Place = tuple[np.ndarray, np.ndarray]
"""x and y of many corners."""
CELL = 4
"""Pixels of a side of a cell."""
SHADES = 60
_FAINTEST = 1_000


def spread(
    low: Place, high: Place, weights: np.ndarray, ends: tuple[Ends, Ends], shape: tuple[int, int]
) -> np.ndarray:
    """Weight per cell, each spread evenly over the cells that its box touches.

    ``low`` and ``high``: the corners of the boxes; ``ends``: of the picture, in x and in y; ``shape``:
    columns and rows of cells. What lies outside the picture is not counted. Returns float64 (rows, columns),
    the uppermost row first. Cost O(boxes + cells).
    """
    (columns, rows), ((west, east), (south, north)) = shape, ends
    across, up = columns / (east - west), rows / (north - south)
    left = _cells(low[0] - west, across, columns, down=True)
    right = _cells(high[0] - west, across, columns, down=False)
    top = _cells(north - high[1], up, rows, down=True)
    bottom = _cells(north - low[1], up, rows, down=False)
    right, bottom = np.maximum(right, left), np.maximum(bottom, top)
    each = weights / ((right - left + 1.0) * (bottom - top + 1.0))
    seen = (right >= 0) & (left < columns) & (bottom >= 0) & (top < rows)
    left, right = (np.clip(side[seen], 0, columns - 1) for side in (left, right))
    top, bottom = (np.clip(side[seen], 0, rows - 1) for side in (top, bottom))
    corners = [(top, left, 1), (top, right + 1, -1), (bottom + 1, left, -1), (bottom + 1, right + 1, 1)]
    found = np.zeros((rows + 1) * (columns + 1))
    for row, column, sign in corners:
        found += np.bincount(row * (columns + 1) + column, sign * each[seen], len(found))
    summed = found.reshape(rows + 1, columns + 1).cumsum(0).cumsum(1)[:rows, :columns]
    return np.where(summed > 1e-9 * max(1.0, float(summed.max())), summed, 0.0)


def fill(canvas: Canvas, cells: np.ndarray) -> None:
    """Paint cells, uint8 (rows, columns) of palette numbers, over the whole picture."""
    rows = np.arange(canvas.height) * cells.shape[0] // canvas.height
    columns = np.arange(canvas.width) * cells.shape[1] // canvas.width
    canvas.pixels = cells[rows[:, None], columns]


def shaded(cells: np.ndarray) -> np.ndarray:
    """uint8: 0 of an empty cell, else 1 … `SHADES`, the more the fuller, by the logarithm; cells with less
    than a thousandth of the fullest share the first."""
    most, found = float(cells.max(initial=0.0)), np.zeros(cells.shape, np.uint8)
    held = cells > 0
    part = 1 + np.log(np.maximum(cells[held] / (most or 1.0), 1 / _FAINTEST)) / np.log(_FAINTEST)
    found[held] = 1 + np.rint((SHADES - 1) * part)
    return found


def inks(color: str) -> list[tuple[str, float]]:
    """The palette of `shaded`: one color, the stronger the fuller a cell is."""
    return [(color, opacity) for opacity in np.linspace(0.06, 0.95, SHADES).tolist()]


def _cells(offset: np.ndarray, scale: float, count: int, down: bool) -> np.ndarray:
    """The cell in which an edge lies; an edge on the border of two cells belongs to its box's side."""
    place = offset * scale
    cell = np.floor(place) if down else np.ceil(place) - 1
    return np.asarray(np.where(place == count, count - 1, cell), np.int64)

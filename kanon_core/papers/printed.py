"""The numbers that the papers print, each with its table, row and column: data, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


class Printed(NamedTuple):
    """One number of a paper and where it stands."""

    paper: str
    table: str
    row: str
    column: str
    value: float


def _cells(
    paper: str, table: str, rows: Sequence[str], columns: Mapping[str, Sequence[float]]
) -> Iterator[Printed]:
    for column, values in columns.items():
        for row, value in zip(rows, values, strict=True):
            yield Printed(paper, table, row, column, value)


_METHODS = ("greedy 2-anonymity", "greedy", "lottery", "lottery + clusters", "tours", "tours + clusters")
_TABLE_8 = {"cost": (0.2145, 0.2328, 3.1490, 0.1493, 0.3186, 0.1640)}
_TABLE_9 = {
    "lottery": (5535.23, 11066.13, 16600.02, 22153.13, 27682.26, 33205.50),
    "lottery + clusters": (1819.31, 4083.07, 7413.35, 10041.37, 12741.39, 15973.04),
    "tours": (1683.76, 3367.52, 5416.70, 7465.88, 9718.28, 11970.68),
    "tours + clusters": (1718.13, 3443.10, 5656.75, 7858.74, 10364.58, 12826.53),
}
_SIZES = ("10,000", "100,000")
_KS = tuple(f"k = {k}" for k in (2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 17, 20))
_PURCHASES = {
    "table 9": {
        "utility": (0.348, 0.472, 0.542, 0.583, 0.615, 0.641, 0.680, 0.718, 0.748, 0.780, 0.807, 0.833),
        "safety": (0.500, 0.333, 0.250, 0.200, 0.166, 0.143, 0.125, 0.100, 0.083, 0.066, 0.059, 0.050),
        "total": (0.848, 0.805, 0.792, 0.783, 0.781, 0.784, 0.805, 0.818, 0.831, 0.846, 0.866, 0.883),
    },
    "table 13": {
        "utility": (0.348, 0.472, 0.542, 0.583, 0.615, 0.642, 0.680, 0.718, 0.748, 0.780, 0.807, 0.833),
        "categories": (0.324, 0.447, 0.517, 0.558, 0.590, 0.617, 0.655, 0.694, 0.725, 0.758, 0.785, 0.812),
    },
    "table 14": {
        "utility": (0.324, 0.447, 0.517, 0.583, 0.590, 0.617, 0.655, 0.694, 0.725, 0.758, 0.785, 0.812),
        "safety": (0.500, 0.333, 0.250, 0.200, 0.167, 0.143, 0.125, 0.100, 0.083, 0.067, 0.059, 0.050),
        "total": (0.824, 0.780, 0.767, 0.758, 0.757, 0.760, 0.780, 0.794, 0.808, 0.824, 0.844, 0.862),
    },
}
PRINTED: tuple[Printed, ...] = (
    *_cells("k-concealment", "table 8", _METHODS, _TABLE_8),
    *_cells("k-concealment", "table 9", [f"k = {k}" for k in range(2, 8)], _TABLE_9),
    *_cells("set-valued", "table 2", _SIZES, {"items": (26_383, 58_847), "share": (50.7, 13.3)}),
    *_cells("set-valued", "table 3", _SIZES, {"seconds": (87.4, 7_005.4)}),
    *(
        cell
        for table, columns in _PURCHASES.items()
        for cell in _cells("purchase-history", table, _KS, columns)
    ),
)
"""Every printed number, in the order of the papers; methods by their English names."""

_VALUES = {(cell.paper, cell.table, cell.row, cell.column): cell.value for cell in PRINTED}


def printed(paper: str, table: str, row: str, column: str) -> float | None:
    """The number a paper prints at this place; None when it prints none."""
    return _VALUES.get((paper, table, row, column))

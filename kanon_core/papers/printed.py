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
    paper: str, table: str, columns: Sequence[str], rows: Mapping[str, Sequence[float]]
) -> Iterator[Printed]:
    for row, values in rows.items():
        for column, value in zip(columns, values, strict=True):
            yield Printed(paper, table, row, column, value)


PRINTED: tuple[Printed, ...] = (
    *_cells(
        "000",
        "table 8",
        ("cost",),
        {
            "greedy 2-anonymity": (0.2145,),
            "greedy": (0.2328,),
            "lottery": (3.1490,),
            "lottery + clusters": (0.1493,),
            "tours": (0.3186,),
            "tours + clusters": (0.1640,),
        },
    ),
    *_cells(
        "000",
        "table 9",
        ("lottery", "lottery + clusters", "tours", "tours + clusters"),
        {
            "k = 2": (5535.23, 1819.31, 1683.76, 1718.13),
            "k = 3": (11066.13, 4083.07, 3367.52, 3443.10),
            "k = 4": (16600.02, 7413.35, 5416.70, 5656.75),
            "k = 5": (22153.13, 10041.37, 7465.88, 7858.74),
            "k = 6": (27682.26, 12741.39, 9718.28, 10364.58),
            "k = 7": (33205.50, 15973.04, 11970.68, 12826.53),
        },
    ),
    *_cells("001", "table 2", ("items", "share"), {"10,000": (26_383, 50.7), "100,000": (58_847, 13.3)}),
    *_cells("001", "table 3", ("seconds",), {"10,000": (87.4,), "100,000": (7_005.4,)}),
    *_cells(
        "002",
        "table 9",
        ("utility", "safety", "total"),
        {
            "k = 2": (0.348, 0.500, 0.848),
            "k = 3": (0.472, 0.333, 0.805),
            "k = 4": (0.542, 0.250, 0.792),
            "k = 5": (0.583, 0.200, 0.783),
            "k = 6": (0.615, 0.166, 0.781),
            "k = 7": (0.641, 0.143, 0.784),
            "k = 8": (0.680, 0.125, 0.805),
            "k = 10": (0.718, 0.100, 0.818),
            "k = 12": (0.748, 0.083, 0.831),
            "k = 15": (0.780, 0.066, 0.846),
            "k = 17": (0.807, 0.059, 0.866),
            "k = 20": (0.833, 0.050, 0.883),
        },
    ),
    *_cells(
        "002",
        "table 13",
        ("utility", "categories"),
        {
            "k = 2": (0.348, 0.324),
            "k = 3": (0.472, 0.447),
            "k = 4": (0.542, 0.517),
            "k = 5": (0.583, 0.558),
            "k = 6": (0.615, 0.590),
            "k = 7": (0.642, 0.617),
            "k = 8": (0.680, 0.655),
            "k = 10": (0.718, 0.694),
            "k = 12": (0.748, 0.725),
            "k = 15": (0.780, 0.758),
            "k = 17": (0.807, 0.785),
            "k = 20": (0.833, 0.812),
        },
    ),
    *_cells(
        "002",
        "table 14",
        ("utility", "safety", "total"),
        {
            "k = 2": (0.324, 0.500, 0.824),
            "k = 3": (0.447, 0.333, 0.780),
            "k = 4": (0.517, 0.250, 0.767),
            "k = 5": (0.583, 0.200, 0.758),
            "k = 6": (0.590, 0.167, 0.757),
            "k = 7": (0.617, 0.143, 0.760),
            "k = 8": (0.655, 0.125, 0.780),
            "k = 10": (0.694, 0.100, 0.794),
            "k = 12": (0.725, 0.083, 0.808),
            "k = 15": (0.758, 0.067, 0.824),
            "k = 17": (0.785, 0.059, 0.844),
            "k = 20": (0.812, 0.050, 0.862),
        },
    ),
)
"""Every printed number, in the order of the papers; methods by their English names."""

_VALUES = {(cell.paper, cell.table, cell.row, cell.column): cell.value for cell in PRINTED}


def printed(paper: str, table: str, row: str, column: str) -> float | None:
    """The number a paper prints at this place; None when it prints none."""
    return _VALUES.get((paper, table, row, column))

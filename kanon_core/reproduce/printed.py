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
)
"""Every printed number, in the order of the papers; methods by their English names."""

_VALUES = {(cell.paper, cell.table, cell.row, cell.column): cell.value for cell in PRINTED}


def printed(paper: str, table: str, row: str, column: str) -> float | None:
    """The number a paper prints at this place; None when it prints none."""
    return _VALUES.get((paper, table, row, column))

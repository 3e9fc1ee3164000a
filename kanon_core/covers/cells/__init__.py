"""Published cells: one protocol (`base.Cells`), one file for each kind."""

from kanon_core.covers.cells.aggregates import AggregatedNumbers, AggregatedValues
from kanon_core.covers.cells.arcs import Arcs
from kanon_core.covers.cells.base import Cells, PublishedColumn, Ranges, rows_of
from kanon_core.covers.cells.intervals import Intervals
from kanon_core.covers.cells.items import CommonItems
from kanon_core.covers.cells.nodes import Nodes
from kanon_core.covers.cells.valuesets import MergedCells, ValueSets

__all__ = [
    "Cells",
    "CommonItems",
    "AggregatedValues",
    "Arcs",
    "Intervals",
    "MergedCells",
    "Nodes",
    "PublishedColumn",
    "Ranges",
    "AggregatedNumbers",
    "ValueSets",
    "rows_of",
]

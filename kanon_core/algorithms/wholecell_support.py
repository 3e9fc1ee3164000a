"""Algorithms that can be tried on a sample of whole cells, and the equivalent algorithms for the whole
table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.options import declared
from kanon_core.base.words import tr
from kanon_core.table.table import Table
from kanon_core.table.wholecells import WholeCells

if TYPE_CHECKING:
    from kanon_core.algorithms.base import Algorithm


def everywhere(algorithm: Algorithm, cells: WholeCells, k: int) -> Algorithm:
    """Return the algorithm that does in the whole table what this one does in the cells of a sample: itself,
    or `Fragments` of it. Raises UnsuitableError if results in the cells do not hold for the whole table."""
    if k > cells.most_k:
        raise UnsuitableError(
            tr(
                "The cells of this sample support k up to {most:,}; for a larger k, draw a new sample with"
                " kanon tune."
            ).format(most=cells.most_k)
        )
    if reason := not_in_cells(algorithm, k):
        raise UnsuitableError(reason)
    found = in_files(algorithm, cells.rows)
    assert found is not None
    return found


def not_in_cells(algorithm: Algorithm, k: int) -> str:
    """Return a sentence why an algorithm cannot be tried on any sample of whole cells; "" if it can."""
    if algorithm.guarantees(k)[1:]:  # guarantees besides the size of anonymity sets
        return tr(
            "A sample of cells lacks the sensitive values of the whole table; try {title} on the sample"
            " without ℓ-diversity and t-closeness, and set them when you anonymize all files."
        ).format(title=algorithm.title)
    if in_files(algorithm, 1) is not None:
        return ""
    return tr(
        "{title} with these options cannot run on the files of this sample, so it cannot be tried on the"
        " sample; choose Mondrian with strict cuts at the median, or an algorithm that Fragments can run,"
        " such as MDAV or Sorting."
    ).format(title=algorithm.title)


def in_files(algorithm: Algorithm, rows: int) -> Algorithm | None:
    """Return the algorithm to run on many files: Mondrian itself if its cuts are exact, or Fragments with
    this number of rows for another algorithm that makes groups; None if there is none."""
    alone: type[Algorithm] = declared("Mondrian")
    if isinstance(algorithm, alone) and algorithm.by_exact_cuts:
        return algorithm
    try:  # by name, as Fragments imports all families
        pieces: Algorithm = declared("Fragments")(algorithm, rows)
    except OptionError:
        return None
    return pieces if pieces.by_exact_cuts and pieces.guarantee(2).disjoint else None


def why_not(algorithm: Algorithm, table: Table, k: int) -> list[str]:
    """Return reasons, in sentences, why an algorithm cannot be tried on this sample of whole cells; empty for
    other tables."""
    if table.whole_cells is None:
        return []
    try:
        everywhere(algorithm, table.whole_cells, k)
    except UnsuitableError as problem:
        return [str(problem)]
    return []

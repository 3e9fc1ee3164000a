"""The algorithms that are tried on a sample of whole cells, and those that then do the same in the whole
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
    """The algorithm that does in the whole table what this one does in the cells of a sample: itself, or
    `Fragments` of it. Raises UnsuitableError with the reason where results in the cells do not hold for the
    whole."""
    if k > cells.most_k:
        raise UnsuitableError(
            tr(
                "The cells of this sample were cut for k of at most {most:,}; draw it again with kanon tune"
                " for a larger k."
            ).format(most=cells.most_k)
        )
    if reason := not_in_cells(algorithm, k):
        raise UnsuitableError(reason)
    found = in_files(algorithm, cells.rows)
    assert found is not None
    return found


def not_in_cells(algorithm: Algorithm, k: int) -> str:
    """Return why an algorithm cannot be tried on any sample of whole cells, in a sentence; "" where it
    can."""
    if algorithm.guarantees(k)[1:]:  # guarantees besides the number among which records hide
        return tr(
            "A sample of cells does not know the sensitive values of the whole table; try {title} without"
            " ℓ-diversity and t-closeness, and ask for them when all files are anonymized."
        ).format(title=algorithm.title)
    if in_files(algorithm, 1) is not None:
        return ""
    return tr(
        "{title} with these options is not tried on a sample of cells, as it cannot be run on the many files"
        " that it comes from; choose Mondrian with strict cuts at the median, or MDAV, Sorting and others"
        " that Fragments takes."
    ).format(title=algorithm.title)


def in_files(algorithm: Algorithm, rows: int) -> Algorithm | None:
    """Return the algorithm that runs on many files: Mondrian with strict cuts itself, or Fragments, with so
    many rows, of another algorithm that makes groups; None where there is none."""
    alone: type[Algorithm] = declared("Mondrian")
    if isinstance(algorithm, alone) and algorithm.by_exact_cuts:
        return algorithm
    try:  # by name, as Fragments knows all families
        pieces: Algorithm = declared("Fragments")(algorithm, rows)
    except OptionError:
        return None
    return pieces if pieces.by_exact_cuts and pieces.guarantee(2).disjoint else None


def why_not(algorithm: Algorithm, table: Table, k: int) -> list[str]:
    """Return why an algorithm is not tried on a sample of whole cells, in sentences; empty for other
    tables."""
    if table.whole_cells is None:
        return []
    try:
        everywhere(algorithm, table.whole_cells, k)
    except UnsuitableError as problem:
        return [str(problem)]
    return []

"""The backward attack: it finds the rows of a release that must belong to people of an earlier one, and not
to people who were added since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.progress import Tick, silent, stage, stages
from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.matching.fitting import allowed
from kanon_core.risk.several.intersection import ADDED, Found, Intersection
from kanon_core.risk.several.matched import assigned
from kanon_core.risk.several.sides import Published, Several, Side
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_PAIRS = 25_000_000
"""The most pairs of classes, or of groups of rows in all flows, that are compared."""


def backward(
    table: Table,
    releases: Sequence[Published],
    added: Sequence[int] | None = None,
    k: int | None = None,
    progress: Tick | None = None,
) -> Intersection:
    """Return what earlier releases reveal about added people to an attacker who knows the quasi-identifiers
    of one person and that this person was added.

    Everybody of an earlier release has a row in the present one, with the same unchanged cells, and cells
    that overlap: some value of the table is true of both. So each earlier row takes one of those, and of a
    group of g equal rows at least c are taken: those that cannot go elsewhere, which is the number of all
    earlier rows less a maximum flow to the other groups. A person who was added has one of the g − c others.

    ``releases``: the present one first. ``added``: numbers of the records that were added, from 0; by default
    the last records of the table, as many as it has in excess of the rows of the longest earlier release.
    Raises OptionError for fewer than two releases, or unknown record numbers; UnsuitableError where none was
    added, and where an earlier row can be of no present one (people who left, or cells that were changed);
    InputError for a file that cannot be read. Cost: a maximum flow for each group of rows that the added ones
    fit.

    B. C. M. Fung, K. Wang, A. W. Fu, J. Pei, Anonymity for continuous data publishing, EDBT 2008 (its
    backward attack, whose count of c, by one group at a time, is never above this one).

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,ill\\n20,flu\\n21,hiv\\n22,hiv\\n21,ok\\n")
    >>> table = table.with_schema(table.schema.with_roles({"ill": "sensitive"}))
    >>> files = (b"age,ill\\n20-22,flu\\n20-22,hiv\\n20-22,hiv\\n20-22,ok\\n",
    ...     b"age,ill\\n20-22,flu\\n20-22,hiv\\n20-22,hiv\\n")
    >>> found = kc.backward(table, files, k=2)
    >>> found.targets.tolist(), found.alone.tolist(), found.left.tolist()
    ([3], [4], [1])
    """
    tick, seen = progress or silent, Several.of(table, releases)
    targets, (present, *earlier) = _added(table, seen.sides, added), seen.sides
    fit = present.fits(table, targets, stage(tick, 0.0, 0.2))
    wanted = np.flatnonzero(np.asarray(fit.sum(axis=0)).ravel())
    left = present.held.copy()
    for part, side in stages(tick, earlier, 0.2):
        left = left.minimum(_not_taken(table, present, side, wanted, part))
    found, counts = Found(table, seen), fit.astype(np.int64)
    found.add([counts @ present.held], [counts @ left])
    return found.result(targets, seen.wanted_k(k), ADDED)


def _added(table: Table, sides: Sequence[Side], given: Sequence[int] | None) -> np.ndarray:
    """Return the numbers of the records that were added, ascending."""
    if given is None:
        more = len(table) - max(len(side.rows.classes) for side in sides[1:])
        if more <= 0:
            raise UnsuitableError(
                tr("No earlier release has fewer rows than the table has records, so nobody was added.")
            )
        return np.arange(len(table) - more, len(table))
    found = np.unique(np.asarray(given, np.int64))
    if not len(found) or found[0] < 0 or found[-1] >= len(table):
        says = tr("Give at least one added record, by its number from 1 to {records}.")
        raise OptionError(says.format(records=len(table)))
    return found


def _not_taken(table: Table, present: Side, earlier: Side, wanted: np.ndarray, tick: Tick) -> csr_array:
    """int64 (classes × codes): the number of rows of each group of the present release that can belong to
    people who were not in the earlier one; for classes that are not ``wanted``, all rows."""
    from scipy.sparse import csr_array

    now, before = _Groups.of(present), _Groups.of(earlier)
    old, new = _pairs(now, before, _overlap(table, present, earlier))
    if int(assigned(old, new, before.size, now.size).sum()) < len(earlier.shown):
        raise UnsuitableError(
            tr(
                "The backward attack was not tried: an earlier row has no possible counterpart in the"
                " present release, so people left or cells were changed."
            )
        )
    left, some = now.size.copy(), np.isin(now.class_of, wanted)
    parts = list(_components(old, new, some))
    if sum(len(pairs) * len(groups) for pairs, groups in parts) > MOST_PAIRS:
        raise UnsuitableError(_too_many())
    for number, (pairs, groups) in enumerate(parts):
        tick(number / len(parts), tr("excluding rows of people in earlier releases"))
        own, begin = np.unique(old[pairs], return_inverse=True)
        theirs, end = np.unique(new[pairs], return_inverse=True)
        supply, room = before.size[own], now.size[theirs]
        for group in groups:
            closed = np.where(theirs == group, 0, room)
            left[group] -= supply.sum() - assigned(begin, end, supply, closed).sum()
    return csr_array((left, (now.class_of, now.code)), present.held.shape)


class _Groups(NamedTuple):
    """Rows with equal quasi-identifiers and equal unchanged cells: their class, code and number."""

    class_of: np.ndarray
    code: np.ndarray
    size: np.ndarray

    @classmethod
    def of(cls, side: Side) -> _Groups:
        """Return the groups of a release."""
        held = side.held.tocoo()
        return cls(*(np.asarray(part, np.int64) for part in (*held.coords, held.data)))


def _pairs(now: _Groups, before: _Groups, overlap: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return int64 (pairs) each: earlier groups, and present groups whose rows may belong to the same
    people."""
    found = []
    for code in np.unique(before.code):
        old, new = np.flatnonzero(before.code == code), np.flatnonzero(now.code == code)
        one, other = np.nonzero(overlap[np.ix_(before.class_of[old], now.class_of[new])])
        found.append((old[one], new[other]))
    return np.concatenate([one for one, _ in found]), np.concatenate([other for _, other in found])


def _overlap(table: Table, present: Side, earlier: Side) -> np.ndarray:
    """Booleans (earlier classes × present classes): in every column some value of the table is true of both
    cells."""
    if len(present.first) * len(earlier.first) > MOST_PAIRS:
        raise UnsuitableError(_too_many())
    found = np.ones((len(earlier.first), len(present.first)), bool)
    here = {column.attribute.name: column for column in present.rows.published}
    for column in earlier.rows.published:
        if column.attribute.name in here:
            one = _true_of(table, column, earlier.first)
            other = _true_of(table, here[column.attribute.name], present.first)
            found &= one.T @ other > 0
    return found


def _true_of(table: Table, published: PublishedColumn, rows: np.ndarray) -> np.ndarray:
    """float32 (different values × rows), 1 = the value is true of the row's cell."""
    column = table[published.attribute.name]
    values = np.unique(column.keys, return_index=True)[1]
    which, cell = np.unique(published.cell[rows], return_inverse=True)
    return allowed(column, published.cells, values, which)[:, cell].astype(np.float32)


def _components(
    old: np.ndarray, new: np.ndarray, some: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the pairs of each connected component, and its present groups among ``some`` (booleans), if there
    are any."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if not len(old):
        return
    first = int(old.max()) + 1
    nodes = first + len(some)
    graph = csr_array((np.ones(len(old), np.int8), (old, first + new)), (nodes, nodes))
    own = connected_components(graph, directed=False)[1][old]
    order = np.argsort(own, kind="stable")
    for pairs in np.split(order, np.flatnonzero(np.diff(own[order])) + 1):
        groups = np.unique(new[pairs])
        if some[groups].any():
            yield pairs, groups[some[groups]]


def _too_many() -> str:
    says = tr("The backward attack was not tried: it would compare more than {limit:,} pairs of rows.")
    return says.format(limit=MOST_PAIRS)

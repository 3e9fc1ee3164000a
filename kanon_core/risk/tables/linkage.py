"""Linkage of a row to a person by an attacker who knows the person's quasi-identifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick
from kanon_core.covers.matching.fitting import fits
from kanon_core.guarantees.identity.combinations import all_items
from kanon_core.risk.tables.base import Answer, TableAttack
from kanon_core.risk.tables.release_view import ReleaseView, at_own
from kanon_core.table.columns.set_arrays import chosen_sets, incidence

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True)
class ConsistentLinkage(TableAttack):
    """Guess, uniformly, one of the published rows that fit the knowledge of a person; the chance is 1 / (rows
    that fit).

    All quasi-identifiers of the person are known; with ``items`` above 0, only this number of the person's
    published items, drawn at random. An aggregate counts as the interval or set of its group, which is more
    than the attacker sees. In histories, all records of the person are known, and a history fits if each of
    its rows fits one of them. Under k-anonymity, k-concealment and (k, kᵐ)-anonymity (with m ``items``) at
    least k rows fit, so it is right at most once in k.

    P. Samarati and L. Sweeney 1998; A. Gionis, A. Mazza, T. Tassa, k-Anonymization revisited, ICDE 2008.
    """

    title: ClassVar[str] = "Linkage, consistent"
    sentence: ClassVar[str] = "Picks one of the published rows that fit a person's quasi-identifiers."
    histories: ClassVar[bool] = True

    items: Annotated[int, Integer(0, 3, help="number of known items of a person; 0 = all")] = 0

    def answers(
        self, seen: ReleaseView, targets: np.ndarray, rng: np.random.Generator, tick: Tick
    ) -> Iterator[Answer]:
        """One answer."""
        if seen.release.pseudonymous:
            yield _of_people(seen, targets, tick)
            return
        known = self.items and any(c.attribute.kind == "items" for c in seen.release.published)
        found = _by_some_items(seen, targets, self.items, rng, tick) if known else seen.fits(targets, tick)
        yield linked(seen, targets, found)


@dataclass(frozen=True)
class NearestLinkage(TableAttack):
    """Guess, uniformly, one of the published rows that are nearest to a person's quasi-identifiers.

    The distance is that of k-concealment (`kanon_core.covers.matching.fitting.nearest`). Of a mean it uses
    only the published number. Equal published rows are equally near, so it is right at most once in k under
    k-anonymity and, over all draws of the rows, under k-concealment.

    J. Domingo-Ferrer and V. Torra 2001, distance-based record linkage.
    """

    title: ClassVar[str] = "Linkage, nearest"
    sentence: ClassVar[str] = "Picks the published row that is nearest to a person's quasi-identifiers."

    def answers(
        self, seen: ReleaseView, targets: np.ndarray, rng: np.random.Generator, tick: Tick
    ) -> Iterator[Answer]:
        """One answer."""
        yield linked(seen, targets, seen.nearest(targets, tick))


def linked(seen: ReleaseView, targets: np.ndarray, fits: csr_array) -> Answer:
    """Return the chance of picking a target's own row among those that fit: ``fits``, booleans (targets ×
    classes)."""
    among, own = fits @ seen.sizes, seen.own[targets]
    return Answer(np.where(at_own(fits, own), 1.0 / np.maximum(among, 1), 0.0), 1.0 / seen.rows)


def _by_some_items(
    seen: ReleaseView, targets: np.ndarray, most: int, rng: np.random.Generator, tick: Tick
) -> csr_array:
    """Booleans (targets × classes): the single values fit, and the row contains the known items, up to
    ``most`` of the target's published items."""
    singles = [column for column in seen.release.published if column.attribute.kind != "items"]
    found = fits(seen.table, singles, seen.first, targets, tick)
    published = all_items(seen.release)
    sets = chosen_sets(published.starts, published.items, seen.release.row[seen.first])
    width = int(published.items.max(initial=0)) + 1
    starts, members = chosen_sets(*sets, seen.own[targets])
    known_starts, known = _drawn_members(starts, members, most, rng)
    sizes = np.diff(known_starts)
    shared = (incidence(known_starts, known, width) @ incidence(*sets, width).T).tocsr()
    whole = np.repeat(np.arange(len(targets)), np.diff(shared.indptr))
    shared = _replaced(shared, shared.data == sizes[whole])
    nothing = (sizes == 0).astype(np.int8)[:, None]
    return (found.multiply(shared) + found.astype(np.int8).multiply(nothing)).tocsr().astype(bool)


def _replaced(matrix: csr_array, data: np.ndarray) -> csr_array:
    """Return the sparse matrix with other entries at the same places."""
    from scipy.sparse import csr_array

    return csr_array((data.astype(np.int8), matrix.indices, matrix.indptr), shape=matrix.shape)


def _drawn_members(
    starts: np.ndarray, members: np.ndarray, most: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Return up to ``most`` members of each set, drawn at random, as starts and members."""
    owner = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((rng.random(len(members)), owner))
    kept = order[np.arange(len(members)) - starts[owner] < most]
    return np.concatenate([[0], np.cumsum(np.minimum(np.diff(starts), most))]), members[kept]


def _of_people(seen: ReleaseView, targets: np.ndarray, tick: Tick) -> Answer:
    """Return the chance of picking a history of the person among the histories whose rows all fit records of
    the person and which are not longer than these."""
    found, truth = seen.histories(tick)
    fitting, rows = (found.fitting > 0).astype(np.int64), (found.rows > 0).astype(np.int64)
    every = np.diff(rows.indptr)[:, None]
    possible = (rows @ fitting).toarray() == every
    possible &= found.sizes[:, None] <= found.people.counts
    bearing = np.bincount(found.history, minlength=len(possible))
    own = np.zeros((len(possible), len(found.people)))
    np.add.at(own, (found.history, truth), 1.0)
    among, right = bearing @ possible, (own * possible).sum(axis=0)
    chances = np.where(among > 0, right / np.maximum(among, 1), 0.0)
    return Answer(chances[targets], 1.0 / max(len(found.names), 1))

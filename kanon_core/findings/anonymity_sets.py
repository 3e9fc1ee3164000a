"""Anonymity sets: the records that an attacker cannot tell a record from, in every kind of release."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.words import tr
from kanon_core.covers.pseudonyms import equal_histories
from kanon_core.guarantees import Hiding
from kanon_core.release.release import Release
from kanon_core.table.columns.keys import distinct, order_of, paired, tallied


@dataclass(frozen=True, eq=False)
class AnonymitySets:
    """The anonymity sets of a release, against the strongest attacker who knows quasi-identifiers alone.

    ``set_of`` int64 (n): the set of each record, 0 … without gaps, −1 = not published. ``owner`` and
    ``member`` int64 (m): record ``member[i]`` is published with a row that could be that of the records of
    set ``owner[i]``; ``member`` is all of them, a slice, where everybody is published and sets are disjoint.
    ``attacker``: the knowledge of the attacker, in words; ``disjoint``: each set is an equivalence class, of
    records or of histories.
    """

    set_of: np.ndarray
    owner: np.ndarray
    member: np.ndarray | slice
    attacker: str
    disjoint: bool

    @cached_property
    def sizes(self) -> np.ndarray:
        """int64 (sets): how many rows could be those of the records of each set."""
        return np.bincount(self.owner)

    def alike(self, codes: np.ndarray) -> np.ndarray:
        """int64 (n): how many of the rows that could be a record's have the record's own code (codes int64
        (n)); 0 where it is not published. Cost O(m log m)."""
        if self.disjoint:
            return self._alike_in_own(codes)
        width = int(codes.max(initial=0)) + 1
        keys, counts = tallied(self.owner * width + codes[self.member])
        wanted = self.set_of * width + codes
        place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        return np.asarray(np.where(keys[place] == wanted, counts[place], 0))

    def _alike_in_own(self, codes: np.ndarray) -> np.ndarray:
        """Return `alike` where the rows that could be a record's are those of its own set: they are sorted,
        so that equal ones stand together."""
        keys = self._pairs(codes)
        order = order_of(keys)
        first = np.flatnonzero(np.diff(keys[order], prepend=-1))
        runs = np.diff(np.append(first, len(keys)))
        alike, found = np.empty(len(keys), np.int64), np.zeros(len(codes), np.int64)
        alike[order] = np.repeat(runs, runs)
        found[self.member] = alike
        return found

    def different(self, codes: np.ndarray) -> np.ndarray:
        """int64 (sets): how many different codes (int64 (n)) the rows of each set have."""
        return np.bincount(distinct(self._pairs(codes)) >> _bits(codes))

    def _pairs(self, codes: np.ndarray) -> np.ndarray:
        """int64 (m): the set and the code of each row in one number."""
        return np.asarray((self.owner << _bits(codes)) | codes[self.member])

    def records_of(self, sets: np.ndarray) -> np.ndarray:
        """n booleans: the record is of one of the marked sets."""
        return np.asarray(np.append(sets, False)[self.set_of])


def anonymity_sets(release: Release) -> AnonymitySets:
    """The anonymity sets of a release, found once.

    Groups: the equivalence classes. Histories: classes of records of equal histories, which an attacker who
    knows all records of a person finds. Sets that overlap: for each record the k rows of its cover; an
    attacker who knows everybody's quasi-identifiers and runs the program finds just these.
    """
    found: AnonymitySets | None = release.__dict__.get("_anonymity_sets")
    if found is None:
        found = release.__dict__["_anonymity_sets"] = (
            _overlapping(release) if release.cover.overlap else _apart(release)
        )
    return found


def _apart(release: Release) -> AnonymitySets:
    classes = release.classes
    if not release.pseudonymous and not release.suppressed.any():
        return AnonymitySets(classes, classes, slice(None), _knows(release), True)
    if release.pseudonymous:
        numbers = release.bearers.numbers
        shown = np.flatnonzero(numbers >= 0)
        histories = equal_histories(numbers, classes)
        classes = np.full(len(classes), -1)
        classes[shown] = paired(histories[numbers[shown]], release.classes[shown])
    member = np.flatnonzero(classes >= 0)
    return AnonymitySets(classes, classes[member], member, _knows(release), True)


def _overlapping(release: Release) -> AnonymitySets:
    """Row ``sets[i]`` of the cover could be that of record ``order[i]``; it bears the values of the record
    that is published with it."""
    cover = release.cover
    bearer = np.zeros(len(cover.sizes), np.int64)
    bearer[release.row] = np.arange(len(release))
    return AnonymitySets(np.arange(len(release)), cover.order, bearer[cover.sets], _knows(release), False)


def _bits(codes: np.ndarray) -> int:
    """Return how many bits the codes take."""
    return int(codes.max(initial=0)).bit_length()


def _knows(release: Release) -> str:
    if release.recipe.algorithm.promises or release.cover.overlap or release.pseudonymous:
        return knowledge(release.guarantee)
    return tr("has found the row of one person")


def knowledge(guarantee: Hiding) -> str:
    """Return what an attacker knows who learns the values of an anonymity set, after “an attacker who”."""
    if not guarantee.disjoint:
        return tr("knows everybody’s quasi-identifiers and the program")
    if guarantee.pseudonyms:
        return tr("knows the quasi-identifiers of all records of one person")
    return tr("knows all quasi-identifiers of one person")

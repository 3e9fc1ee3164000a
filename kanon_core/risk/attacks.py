"""Attackers who know the original records and link published histories back to people.

Each guesses one person for every pseudonym, or −1 for no attempt. They use pseudonyms, the published cells of
quasi-identifiers and the original, but not the columns that are published unchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from kanon_core.base.options import Declared
from kanon_core.base.words import tr
from kanon_core.covers.cells import ValueSets
from kanon_core.risk.evidence import Evidence
from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.columns.set_arrays import chosen_sets

_NEVER = 1e-9


@dataclass(frozen=True)
class Attack(Declared):
    """Base of all attacks on published histories. ``title`` and ``sentence`` (the attacker's action) are for
    people; annotated fields are its options."""

    title: ClassVar[str]
    sentence: ClassVar[str]

    def guess(self, seen: Evidence) -> np.ndarray:
        """int64 (pseudonyms): the number of the person (`Persons.numbers`) taken for each, −1 = no
        attempt."""
        raise NotImplementedError  # pragma: no cover - every attack overrides it


@dataclass(frozen=True)
class UniqueRows(Attack):
    """Rows that fit only one person's records identify this person; the person to whom most rows point is
    named.

    The contest's sample re-uniq looks for rows equal to a unique row of the original: here a row may also be
    generalized.

    Reference: PWSCUP 2018, sample program re-uniq.
    """

    title: ClassVar[str] = "Unique rows"
    sentence: ClassVar[str] = "Looks for published rows that fit the records of only one person."

    def guess(self, seen: Evidence) -> np.ndarray:
        """Return the person whom most identifying rows of a history fit; −1 where no row identifies
        anybody."""
        fits = (seen.fitting > 0).astype(np.int64)
        telling = np.asarray(fits.sum(axis=1)).ravel() == 1
        votes = (seen.rows @ fits.multiply(telling[:, None]).tocsr()).toarray()
        return np.asarray(np.where(votes.max(axis=1, initial=0) > 0, votes.argmax(axis=1), -1)[seen.history])


@dataclass(frozen=True)
class ItemContainment(Attack):
    """The person who bought from most of the published product sets; then the one whose number of records is
    nearest.

    People with fewer records than the history has rows are no candidates. Only the sets of columns of
    categories are used.

    Reference: PWSCUP 2018, sample program re-item.
    """

    title: ClassVar[str] = "Products"
    sentence: ClassVar[str] = (
        "Looks for the person who bought products from the largest number of published product sets."
    )

    def guess(self, seen: Evidence) -> np.ndarray:
        """Return the best candidate of each history; −1 where there is none."""
        people, counts = len(seen.people), seen.people.counts
        score = np.zeros((len(seen.sizes), people))
        for column in seen.published:
            own = seen.table[column.attribute.name]
            if isinstance(own, Categories):
                sets = column.cells.underlying.as_sets()
                bought = np.zeros((len(own.labels), people), bool)
                owned = np.flatnonzero(seen.people.numbers >= 0)
                bought[own.codes[owned], seen.people.numbers[owned]] = True
                for history in range(len(score)):
                    score[history] += _containing(seen, sets, bought, history)
                    seen.tick(history / len(score), tr("comparing products"))
        sizes = seen.sizes[:, None]
        score -= np.abs(counts - sizes) / (1.0 + counts.max(initial=0) + sizes)
        score[counts < sizes] = -np.inf
        return np.asarray(
            np.where(np.isfinite(score.max(axis=1, initial=-np.inf)), score.argmax(axis=1), -1)[seen.history]
        )


def _containing(seen: Evidence, sets: ValueSets, bought: np.ndarray, history: int) -> np.ndarray:
    """int64 (people): the number of the history's sets from which each person bought something; ``bought``
    booleans (values × people)."""
    places = slice(*seen.rows.indptr[history : history + 2])
    cells, times = seen.rows.indices[places], seen.rows.data[places]
    starts, members = chosen_sets(sets.starts, sets.codes, cells)
    return np.asarray(times @ np.logical_or.reduceat(bought[members], starts[:-1], axis=0))


@dataclass(frozen=True)
class NearestOverlap(Attack):
    """The person whose records span the ranges most similar to the history's intervals.

    The similarity of a person and a history is the mean over numbers and dates of the common length of their
    ranges, divided by the length of their union.

    Reference: PWSCUP 2018: nearest neighbor by interval overlap; P. Jaccard 1912.
    """

    title: ClassVar[str] = "Overlapping intervals"
    sentence: ClassVar[str] = (
        "Looks for the person whose dates, prices and quantities span the ranges most similar to"
        " the published ones."
    )

    def guess(self, seen: Evidence) -> np.ndarray:
        """Return the most similar person of each history; −1 where no number is published as an interval."""
        people, spans = seen.people, 0
        owned, score = np.flatnonzero(people.numbers >= 0), np.zeros((len(seen.sizes), len(people)))
        cells = seen.rows.indices
        for column in seen.published:
            own = seen.table[column.attribute.name]
            if isinstance(own, Numbers) and not column.cells.aggregated:
                between = column.cells.as_intervals()
                low, high = _ends(own.values[owned], own.values[owned], people.numbers[owned], len(people))
                of = np.repeat(np.arange(len(seen.sizes)), np.diff(seen.rows.indptr))
                below, above = _ends(between.low[cells], between.high[cells], of, len(seen.sizes))
                score += _overlap(below[:, None], above[:, None], low, high)
                spans += 1
        return score.argmax(axis=1)[seen.history] if spans else np.full(len(seen.names), -1)


def _ends(low: np.ndarray, high: np.ndarray, of: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return least ``low`` and greatest ``high`` of each of ``count`` owners; (∞, −∞) without any."""
    least, greatest = np.full(count, np.inf), np.full(count, -np.inf)
    np.fmin.at(least, of, low)
    np.fmax.at(greatest, of, high)
    return least, greatest


def _overlap(low: np.ndarray, high: np.ndarray, other_low: np.ndarray, other_high: np.ndarray) -> np.ndarray:
    """Common length / joint length of two intervals, 1 for equal points, 0 for an empty one."""
    common = np.minimum(high, other_high) - np.maximum(low, other_low)
    joint = np.maximum(high, other_high) - np.minimum(low, other_low)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(joint > 0, np.maximum(common, 0) / joint, 1.0)
    return np.where((low <= high) & (other_low <= other_high), share, 0.0)


@dataclass(frozen=True)
class BestGuess(Attack):
    """The strongest attack: Bayesian, it names different people for different pseudonyms by the most likely
    of all such assignments.

    All people are equally likely beforehand. The likelihood of a history for a person is the probability that
    rows drawn at random from the person's records fit it: Π over its rows of (records that fit) / (records),
    1e-9 where none does. People with fewer records than rows are excluded. The names of greatest joint
    likelihood are found as an assignment. Where people have several pseudonyms, different people are named
    only for pseudonyms of equal histories. Where k histories are equal, no attacker can do better than guess
    among their people: 1 in k.

    Reference: naive Bayes as in P. Domingos and M. Pazzani 1997; purchase-history paper, §3, for 1/k.
    """

    title: ClassVar[str] = "Bayesian best guess"
    sentence: ClassVar[str] = (
        "Assigns people to all pseudonyms at once, in the way that makes the published rows most likely."
    )

    def guess(self, seen: Evidence) -> np.ndarray:
        """Return the assignment of greatest likelihood; cost up to O(people³)."""
        from scipy.optimize import linear_sum_assignment

        counts = seen.people.counts
        shares = seen.fitting.astype(np.float64)
        shares.data = np.log(shares.data / counts[shares.indices]) - np.log(_NEVER)
        likely = (seen.rows @ shares).toarray() + np.log(_NEVER) * seen.sizes[:, None]
        likely[counts < seen.sizes[:, None]] = 2.0 * likely.min(initial=-1.0) - 1.0
        found = np.full(len(seen.names), -1)
        if not seen.several:
            pseudonyms, people = linear_sum_assignment(likely[seen.history], maximize=True)
            found[pseudonyms] = people
            return found
        for history in range(len(likely)):
            alike = np.flatnonzero(seen.history == history)[: len(counts)]
            found[alike] = np.argsort(-likely[history], kind="stable")[: len(alike)]
        return found


ATTACKS: tuple[type[Attack], ...] = (UniqueRows, ItemContainment, NearestOverlap, BestGuess)
"""Every attack, in menu order; the last is the strongest."""

"""Attribute inference: a sensitive value of a person, guessed from the rows that may be theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Choice, Real
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr
from kanon_core.risk.tables.base import Answer, TableAttack
from kanon_core.risk.tables.release_view import ReleaseView
from kanon_core.table.columns.columns import Column, Items, Numbers
from kanon_core.table.columns.set_arrays import set_keys

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from kanon_core.release.release import Release
    from kanon_core.table.table import Table

RULES = {
    "fitting": later("the most frequent value (for numbers, the median) of all rows that fit the person"),
    "nearest": later("the value of the row that is nearest to the person"),
}
_NEVER = 1e-12


@dataclass(frozen=True)
class AttributeInference(TableAttack):
    """Guess each sensitive value of a person from the published rows; all quasi-identifiers of the person are
    known.

    A guess is right if it is the person's value; a number may differ by up to ``near`` of the range. One of
    several most frequent values is drawn. If no row fits, the guess is the most frequent value of all rows;
    for numbers, the lowest of the values with the most rows within ``near``. The same guess is the baseline:
    nothing has to be known about the person. It is right at least as often as a value drawn from the rows:
    Σ pᵢ² ≤ max pᵢ. Missing is a value of its own, a whole item set one value.

    M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnádi, A unified framework for quantifying privacy risk in
    synthetic data, PETS 2023 (whose attacker takes the nearest row).
    """

    title: ClassVar[str] = "Attribute inference"
    sentence: ClassVar[str] = "Guesses a person's sensitive value from the rows that can be this person's."
    among: ClassVar[str] = "control"
    unaided: ClassVar[str] = later("most frequent value")

    rule: Annotated[str, Choice(RULES, help="rule for the guess")] = "fitting"
    near: Annotated[
        float,
        Real(
            0, 100, unit="%", help="largest error, in percent of the range, of a number that counts as right"
        ),
    ] = 1.0

    def unsuitable(self, table: Table, release: Release) -> list[str]:
        """Return a reason unless there is something to guess."""
        if not table.schema.of_role("sensitive"):
            return [tr("No column is sensitive; give that role to a column whose values nobody must learn.")]
        return super().unsuitable(table, release)

    def answers(
        self, seen: ReleaseView, targets: np.ndarray, rng: np.random.Generator, tick: Tick
    ) -> Iterator[Answer]:
        """One answer for each sensitive column."""
        look = seen.fits if self.rule == "fitting" else seen.nearest
        found = look(targets, tick)
        for attribute in seen.table.schema.of_role("sensitive"):
            values = _Values.of(seen, seen.table[attribute.name], self.near)
            yield self._answer(values, found, targets, attribute.name)

    def _answer(self, values: _Values, fits: csr_array, targets: np.ndarray, name: str) -> Answer:
        own = values.codes[targets]
        unaided = values.unaided()[own]
        counts = (fits.astype(np.int64) @ values.of_class).tocsr()
        counts.sort_indices()
        target = np.repeat(np.arange(len(targets)), np.diff(counts.indptr))
        guessed = self._guessed(values, counts, target)
        right = values.right(counts.indices, own[target]) * guessed
        total = np.bincount(target, guessed, len(targets))
        chances = np.bincount(target, right, len(targets)) / np.maximum(total, _NEVER)
        return Answer(np.where(total > 0, chances, unaided), float(unaided.mean()), name)

    def _guessed(self, values: _Values, counts: csr_array, target: np.ndarray) -> np.ndarray:
        """float64 (entries of ``counts``): the weight with which each value is guessed for its target."""
        if self.rule == "nearest":
            return np.asarray(counts.data, np.float64)
        if not values.ordered:
            most = np.zeros(counts.shape[0], np.int64)
            np.maximum.at(most, target, counts.data)
            return np.asarray(counts.data == most[target], np.float64)
        total = np.bincount(target, counts.data, counts.shape[0])
        before = np.cumsum(counts.data)
        within = before - np.concatenate([[0], before])[counts.indptr[:-1]][target]
        half = 2 * within >= total[target]
        guessed = np.zeros(len(target))
        reached = np.flatnonzero(half)
        guessed[reached[np.unique(target[reached], return_index=True)[1]]] = 1.0
        return guessed


@dataclass(frozen=True, eq=False)
class _Values:
    """A sensitive column: ``codes`` int64 (n); ``numbers`` float64 (values) where they are numbers,
    ascending, and ``width``, within which one is as good as another; ``of_class`` int64 (classes × values):
    how many rows of each class have each value."""

    codes: np.ndarray
    of_class: csr_array
    numbers: np.ndarray | None = None
    width: float = 0.0

    @classmethod
    def of(cls, seen: ReleaseView, column: Column, near: float) -> _Values:
        """Return the values of this column."""
        from scipy.sparse import csr_array

        numbers, width = None, 0.0
        if isinstance(column, Numbers):
            numbers, codes = np.unique(column.values, return_inverse=True)
            width = near / 100 * (column.range[1] - column.range[0])
        else:
            codes = set_keys(column.starts, column.items) if isinstance(column, Items) else column.codes
        codes = np.asarray(codes, np.int64)
        shown = np.flatnonzero(seen.own >= 0)
        shape = len(seen.sizes), int(codes.max()) + 1
        ones = np.ones(len(shown), np.int64)
        return cls(codes, csr_array((ones, (seen.own[shown], codes[shown])), shape=shape), numbers, width)

    @property
    def ordered(self) -> bool:
        """Return whether they are numbers."""
        return self.numbers is not None

    def right(self, guess: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Booleans: each guess is right about the value at the same place."""
        if self.numbers is None:
            return np.asarray(guess == own)
        apart = np.abs(self.numbers[guess] - self.numbers[own])
        return np.asarray((guess == own) | (apart <= self.width))

    def unaided(self) -> np.ndarray:
        """float64 (values): the chance that the most frequent value of all published rows is right about
        each value; one of several categories that are as frequent is drawn."""
        counts = np.asarray(self.of_class.sum(axis=0)).ravel()
        if self.numbers is not None:
            below = np.searchsorted(self.numbers, self.numbers - self.width)
            above = np.searchsorted(self.numbers, self.numbers + self.width, "right")
            before = np.concatenate([[0], np.cumsum(counts)])
            gaps = np.isnan(self.numbers)
            counts = np.where(gaps, counts, before[above] - before[below])
        best = np.flatnonzero(counts == counts.max())
        if self.numbers is not None:
            return self.right(np.full(len(counts), best[0]), np.arange(len(counts))).astype(np.float64)
        chances = np.zeros(len(counts))
        chances[best] = 1.0 / len(best)
        return chances

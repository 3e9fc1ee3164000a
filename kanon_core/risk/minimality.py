"""Minimality attack: disclosure of sensitive values by cuts that the algorithm did not make.

An algorithm that keeps ℓ or t leaves a group whole where a cut would break them. An attacker who knows
everybody's quasi-identifiers, the program, the algorithm and its options, but not the seed, runs it on every
possible assignment of the published values and keeps the assignments that lead to this release.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import factorial, prod

import numpy as np

from kanon_core.algorithms.base import Algorithm, Run
from kanon_core.base.compiled import SMALL, uncompiled
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.guarantees.attributes.counts import Counts, Values
from kanon_core.guarantees.attributes.sensitive import SensitiveGuarantee
from kanon_core.release.release import Release
from kanon_core.table.columns.keys import row_keys
from kanon_core.table.table import Table

WAYS = 20_000
"""The most assignments of the sensitive values that are tried."""


@dataclass(frozen=True, eq=False)
class Belief:
    """The belief of the attacker about one sensitive column.

    ``before`` and ``after`` int64 (n, distinct): how often the class of each record has each value, and in
    how many of the assignments that lead to this release the record has it.
    """

    values: Values
    before: np.ndarray
    after: np.ndarray

    @property
    def gain(self) -> np.ndarray:
        """float64 (n): the largest rise of the probability of any value, 0 … 1."""
        return np.asarray((_shares(self.after) - _shares(self.before)).max(axis=1))

    @property
    def certain(self) -> np.ndarray:
        """n booleans: the class leaves the value open, but the attacker knows it."""
        return np.asarray(((self.after > 0).sum(axis=1) == 1) & ((self.before > 0).sum(axis=1) > 1))

    def above(self, share: float) -> np.ndarray:
        """n booleans: a value is more probable than this, and none was by the class alone."""
        now, then = (_shares(counts).max(axis=1) > share + 1e-9 for counts in (self.after, self.before))
        return np.asarray(now & ~then)

    def broken(self, guarantee: SensitiveGuarantee) -> np.ndarray:
        """n booleans: the class keeps the guarantee, but the attacker's belief about the record does not. As
        a class has shares, a belief has probabilities: of ℓ-diversity it must leave ℓ values possible, or an
        entropy of log ℓ; of t-closeness it must be within t of the table."""
        found = []
        for counts in (self.before, self.after):
            owner, codes = np.nonzero(counts)
            each = Counts(self.values, owner, codes, counts[owner, codes])
            found.append(guarantee.broken(guarantee.measured(each)))
        return np.asarray(found[1] & ~found[0])


@dataclass(frozen=True, eq=False)
class Minimality:
    """The result of the attack: ``ways``, the number of assignments of values that the classes allow;
    ``leading``, how many of them lead to this release; the belief about each protected column; and the
    guarantees in question."""

    ways: int
    leading: int
    beliefs: tuple[Belief, ...]
    guarantees: tuple[SensitiveGuarantee, ...]

    @property
    def gain(self) -> np.ndarray:
        """float64 (n): the greatest gain in any column."""
        return np.asarray(np.max([belief.gain for belief in self.beliefs], axis=0))

    @property
    def certain(self) -> np.ndarray:
        """n booleans: a value that the class leaves open is certain to the attacker."""
        return np.asarray(np.any([belief.certain for belief in self.beliefs], axis=0))

    def broken(self, guarantee: SensitiveGuarantee) -> np.ndarray:
        """n booleans: in some column, the class keeps its guarantee, but the attacker's belief does not."""
        return np.asarray(np.any([belief.broken(guarantee) for belief in self.beliefs], axis=0))


def minimality_attack(table: Table, release: Release, most: int = WAYS, tick: Tick = silent) -> Minimality:
    """Return the result of the attack on a release whose groups depend on the sensitive values that they
    protect.

    All assignments of the values of each class to its records are equally likely beforehand, so ``before`` is
    the knowledge from the release alone (1 / size × counts); assignments that do not lead to the same
    published cells are excluded. Exact. Cost: ``ways`` runs of the algorithm.

    Raises UnsuitableError for a release that keeps neither ℓ nor t, one in which records are left out or
    groups depend on the seed (Mondrian, not strict), and for more than ``most`` ways.

    >>> import kanon_core as kc
    >>> from kanon_core.risk import minimality_attack
    >>> table = kc.read_table(b"age,diagnosis\\n1,hiv\\n1,hiv\\n2,flu\\n2,ok\\n2,gout\\n")
    >>> table = table.with_schema(table.schema.with_roles({"diagnosis": "sensitive"}))
    >>> release = kc.anonymize(table, kc.Mondrian(diversity=2), k=2)
    >>> found = minimality_attack(table, release)  # one class of 5; uncut, for the first two are alike
    >>> found.ways, found.leading, found.certain.tolist(), float(found.gain[0].round(3))
    (60, 6, [True, True, False, False, False], 0.6)

    Reference: R. C. Wong et al., Minimality attack in privacy preserving data publishing, VLDB 2007.
    """
    guarantees = tuple(g for g in release.guarantees if isinstance(g, SensitiveGuarantee))
    if not guarantees:
        raise UnsuitableError(
            tr("The release has no guarantee about sensitive values, so the attack does not apply.")
        )
    if release.suppressed.any():
        raise UnsuitableError(tr("Some records are suppressed, so their sensitive values are not published."))
    columns = guarantees[0].columns(table)
    codes = np.column_stack([column.codes for column in columns])
    whole = row_keys(codes)
    if (ways := ways_of(whole, release.classes)) > most:
        raise UnsuitableError(
            tr("The sensitive values can be assigned to the records in more than {most:,} ways.").format(
                most=most
            )
        )
    leads = _Leading(table, release, tuple(column.name for column in columns))
    if not leads.check_order():
        raise UnsuitableError(
            tr("The groups depend on the order of the records, and therefore on the secret seed.")
        )
    after = [np.zeros((len(table), column.distinct), np.int64) for column in columns]
    people, leading = np.arange(len(table)), 0
    for tried, way in enumerate(_laid_out(whole, release.classes)):
        tick(tried / ways, tr("trying assignments of sensitive values"))
        if leads(way):
            leading += 1
            for counts, column in zip(after, columns, strict=True):
                counts[people, column.codes[way]] += 1
    beliefs = (
        Belief(column, _in_class(column, release.classes), counts)
        for column, counts in zip(columns, after, strict=True)
    )
    return Minimality(ways, leading, tuple(beliefs), guarantees)


def ways_of(codes: np.ndarray, classes: np.ndarray) -> int:
    """Return in how many different ways the codes of each class, int64 (n), can be laid out over its records.

    >>> ways_of(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1]))
    3
    """
    members = (codes[classes == one] for one in range(classes.max(initial=-1) + 1))
    return prod(factorial(len(own)) // prod(map(factorial, np.bincount(own).tolist())) for own in members)


class _Leading:
    """A test of whether the algorithm publishes the same if record i has the sensitive values of record
    way[i]."""

    def __init__(self, table: Table, release: Release, names: tuple[str, ...]) -> None:
        self.table, self.release, self.names = table, release, names
        self.algorithm: Algorithm = release.recipe.algorithm
        self.shown = release.texts(np.arange(len(table)))
        self.known = dict[bytes, bool]()

    def __call__(self, way: np.ndarray) -> bool:
        """Return whether the way leads to this release. Groups that were seen before are not published
        again."""
        columns = tuple(
            column.taken(way) if column.attribute.name in self.names else column
            for column in self.table.columns
        )
        with uncompiled(len(way) <= SMALL):
            made = self.algorithm.cover(replace(self.table, columns=columns), self.release.recipe.k, Run())
        key = made.set_of.tobytes()
        if key not in self.known:
            again = Release.of(self.table, made, self.release.recipe)
            same = not made.suppressed.any() and again.texts(np.arange(len(way))) == self.shown
            self.known[key] = same
        return self.known[key]

    def check_order(self) -> bool:
        """Return whether the true values lead to the release both in the order of the records and in the
        reverse order."""
        everybody = np.arange(len(self.table))
        turned = replace(
            self.table, columns=tuple(column.taken(everybody[::-1]) for column in self.table.columns)
        )
        with uncompiled(len(everybody) <= SMALL):
            made = self.algorithm.cover(turned, self.release.recipe.k, Run()).renumbered(everybody[::-1])
        again = Release.of(self.table, made, self.release.recipe).texts(everybody)
        return again == self.shown and self(everybody)


def _laid_out(codes: np.ndarray, classes: np.ndarray) -> Iterator[np.ndarray]:
    """Yield for each different way, int64 (n): the record whose values each record has."""
    bearer = np.zeros(int(codes.max()) + 1, np.int64)
    bearer[codes] = np.arange(len(codes))
    members = [np.flatnonzero(classes == one) for one in range(int(classes.max()) + 1)]
    each = [list(_orders(np.sort(codes[own]).tolist())) for own in members]
    way = np.zeros(len(codes), np.int64)
    for chosen in product(*each):
        for own, order in zip(members, chosen, strict=True):
            way[own] = bearer[list(order)]
        yield way


def _orders(values: list[int]) -> Iterator[tuple[int, ...]]:
    """Yield the different orders of an ascending list, in lexicographic order."""
    while True:
        yield tuple(values)
        rise = next((i for i in range(len(values) - 2, -1, -1) if values[i] < values[i + 1]), None)
        if rise is None:
            return
        above = next(j for j in range(len(values) - 1, rise, -1) if values[j] > values[rise])
        values[rise], values[above] = values[above], values[rise]
        values[rise + 1 :] = values[:rise:-1]


def _in_class(column: Values, classes: np.ndarray) -> np.ndarray:
    """int64 (n, distinct): how many records of its class have each value."""
    counts = np.zeros((int(classes.max()) + 1, column.distinct), np.int64)
    np.add.at(counts, (classes, column.codes), 1)
    return np.asarray(counts[classes])


def _shares(counts: np.ndarray) -> np.ndarray:
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))

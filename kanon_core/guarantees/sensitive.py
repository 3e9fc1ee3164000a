"""Promises on what a class of published records tells about its sensitive values.

Each is computed anew from the published classes and the table, and shares no code with the algorithms that
keep it.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from kanon_core.guarantees.base import WITNESSES, Verdict
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Categories, Items, Numbers
from kanon_core.table.table import Table

_ROUNDING = 1e-8  # an algorithm rounds by 1e-9; sums over a million values err by less than 1e-9
_COUNTS_AT_ONCE = 10_000_000


class LDiversity:
    """Every class of published records has at least ℓ sensitive values [Machanavajjhala et al. 2007].

    ℓ counts different values, or, if the algorithm's ``entropy`` is set, exp of the entropy of their shares.
    Missing is a value of its own. Every protected column must keep it.
    """

    name: ClassVar[str] = "ℓ-diversity"

    @staticmethod
    def asked(algorithm: Any) -> bool:
        """Whether an algorithm's options promise this."""
        return getattr(algorithm, "diversity", 1.0) > 1

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict; cost O(n log n · columns)."""
        algorithm: Any = release.recipe.algorithm
        found = [(np.inf, np.zeros(0, np.int64))]
        for codes, width, _ in _protected(table, algorithm):
            kinds = _diversity(release.classes, codes, width, algorithm.entropy)
            found.append((kinds.min(initial=np.inf), np.flatnonzero(kinds < algorithm.diversity - _ROUNDING)))
        least, failing = min(value for value, _ in found), np.concatenate([classes for _, classes in found])
        what = "effective" if algorithm.entropy else "different"
        sentence = f"Every class of published records has at least {least:.3g} {what} sensitive values."
        if len(failing):
            sentence = (
                f"{len(np.unique(failing))} classes have fewer than {algorithm.diversity:g} {what} sensitive"
                " values."
            )
        return _verdict(LDiversity.name, release, failing, float(least), algorithm.diversity, sentence)


class TCloseness:
    """The sensitive values of every class are distributed as in the table, but for t [Li, Li,
    Venkatasubramanian 2007].

    The earth mover's distance: values of a number are ordered, neighbors 1 / (values − 1) apart; others are
    all 1 apart.
    """

    name: ClassVar[str] = "t-closeness"

    @staticmethod
    def asked(algorithm: Any) -> bool:
        """Whether an algorithm's options promise this."""
        return getattr(algorithm, "closeness", 1.0) < 1

    @staticmethod
    def check(table: Table, release: Release) -> Verdict:
        """The verdict; cost O(classes · values + n) per column."""
        algorithm: Any = release.recipe.algorithm
        found = [(0.0, np.zeros(0, np.int64))]
        for codes, width, ordered in _protected(table, algorithm):
            away = _distances(release.classes, codes, width, ordered)
            found.append((away.max(initial=0.0), np.flatnonzero(away > algorithm.closeness + _ROUNDING)))
        most, failing = max(value for value, _ in found), np.concatenate([classes for _, classes in found])
        sentence = f"The sensitive values of every class are within {most:.3g} of those of the table."
        if len(failing):
            sentence = (
                f"The sensitive values of {len(np.unique(failing))} classes are farther than"
                f" {algorithm.closeness:g} from those of the table."
            )
        return _verdict(TCloseness.name, release, failing, float(most), algorithm.closeness, sentence)


def _verdict(
    name: str, release: Release, failing: np.ndarray, found: float, required: float, sentence: str
) -> Verdict:
    records = np.flatnonzero(np.isin(release.classes, failing))[:WITNESSES] + 1
    return Verdict(name, not len(failing), found, required, sentence, tuple(map(int, records)))


def _protected(table: Table, algorithm: Any) -> list[tuple[np.ndarray, int, bool]]:
    """Codes, number of values and whether they are ordered, of each column that the options speak of."""
    names = algorithm.protect or [attribute.name for attribute in table.schema.of_role("sensitive")]
    found = []
    for column in (table[name] for name in names):
        assert not isinstance(column, Items)
        if isinstance(column, Categories):
            found.append((column.codes.astype(np.int64), len(column.labels), False))
        if isinstance(column, Numbers):
            distinct, codes = np.unique(column.values, return_inverse=True)
            found.append((codes.astype(np.int64), len(distinct), True))
    return found


def _diversity(classes: np.ndarray, codes: np.ndarray, width: int, entropy: bool) -> np.ndarray:
    """ℓ of each class."""
    kept = classes >= 0
    pairs, counts = np.unique(classes[kept] * width + codes[kept], return_counts=True)
    owner = pairs // width
    if not entropy:
        return np.bincount(owner).astype(np.float64)
    shares = counts / np.bincount(classes[kept])[owner]
    return np.exp(-np.bincount(owner, shares * np.log(shares)))


def _distances(classes: np.ndarray, codes: np.ndarray, width: int, ordered: bool) -> np.ndarray:
    """Distance of each class from all records, suppressed ones included."""
    whole = np.bincount(codes, minlength=width) / len(codes)
    rows = np.flatnonzero(classes >= 0)
    rows = rows[np.argsort(classes[rows], kind="stable")]
    count, step = int(classes.max(initial=-1)) + 1, max(1, _COUNTS_AT_ONCE // width)
    found = np.zeros(count)
    for start in range(0, count, step):
        end = min(start + step, count)
        some = rows[slice(*np.searchsorted(classes[rows], [start, end]))]
        cells = np.bincount((classes[some] - start) * width + codes[some], minlength=(end - start) * width)
        table = cells.reshape(end - start, width)
        surplus = table / table.sum(axis=1, keepdims=True) - whole
        if ordered:
            found[start:end] = np.abs(np.cumsum(surplus, axis=1)).sum(axis=1) / max(width - 1, 1)
        else:
            found[start:end] = np.abs(surplus).sum(axis=1) / 2
    return found

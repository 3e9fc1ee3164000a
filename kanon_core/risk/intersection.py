"""Several releases of one table: what their intersection leaves of what each hides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import IO, TYPE_CHECKING

import numpy as np
import pandas as pd

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.percent import percent
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import generator, subkey
from kanon_core.base.words import tr
from kanon_core.matching.fitting import fits
from kanon_core.release.cells import PublishedColumn
from kanon_core.release.release import Release
from kanon_core.release.uploaded.unchanged import Unchanged, unchanged_columns
from kanon_core.release.uploaded.uploaded import UploadedRelease, read_release
from kanon_core.table.columns.keys import row_keys
from kanon_core.table.table import Table
from kanon_core.table.writers.cells import texts as written

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Published = Release | UploadedRelease | str | PathLike[str] | bytes | IO[bytes]
"""A release, or the file that was published."""

TARGETS = 2_000
_AT_ONCE = 200


@dataclass(frozen=True, eq=False)
class Intersection:
    """What several releases leave together of the records ``targets``, int64 (t).

    ``alone`` int64 (t): the rows of the first release that fit each; ``left`` int64 (t): how many of these
    all releases leave; ``each``: of every release, how many rows fit. ``compared``: the columns published
    unchanged that all of them have, by which rows are compared. ``certain_alone`` and ``certain``: by
    sensitive column, booleans (t): the first release alone, and all together, leave one value. ``of``: how
    many records there are. A record that some release has no row for has ``left`` 0, and nothing about it is
    certain.
    """

    targets: np.ndarray
    alone: np.ndarray
    left: np.ndarray
    each: np.ndarray
    compared: tuple[str, ...]
    certain_alone: dict[str, np.ndarray]
    certain: dict[str, np.ndarray]
    k: int
    of: int

    @property
    def fewer(self) -> np.ndarray:
        """Booleans (t): the record hid among k or more in the first release, and hides among less now."""
        return np.asarray((self.left < self.k) & (self.left > 0) & (self.alone >= self.k))

    @property
    def single(self) -> np.ndarray:
        """Booleans (t): one row is left, and the first release left more."""
        return np.asarray((self.left == 1) & (self.alone > 1))

    def learned(self, column: str) -> np.ndarray:
        """Booleans (t): the sensitive value was not certain, and is now."""
        return np.asarray(self.certain[column] & ~self.certain_alone[column])

    @property
    def sentence(self) -> str:
        """The result in words."""
        if not self.compared:
            return tr(
                "The releases share no column that is published unchanged, so an attacker who knows one"
                " person's quasi-identifiers cannot tell which rows of them are the same person's."
            )
        tried = len(self.targets)
        drawn = (tr("all {of:,}") if tried == self.of else tr("{tried:,} (drawn of {of:,})")).format(
            tried=tried, of=self.of
        )
        said = tr(
            "An attacker who knows all quasi-identifiers of one person and has all {releases} releases keeps"
            " only rows whose unchanged cells ({columns}) stand in rows that fit in each of them. Of {drawn}"
            " records, {fewer:,} ({share}) that hid among {k} or more are left with less, {single:,} of all"
            " with a single row."
        ).format(
            releases=len(self.each),
            columns=", ".join(f"“{name}”" for name in self.compared),
            drawn=drawn,
            fewer=int(self.fewer.sum()),
            share=percent(int(self.fewer.sum()), tried),
            k=self.k,
            single=int(self.single.sum()),
        )
        return " ".join([said, *self._more()])

    def _more(self) -> Iterator[str]:
        for name in self.certain:
            count = int(self.learned(name).sum())
            says = tr("“{name}” becomes certain of {count:,} ({share}).")
            yield says.format(name=name, count=count, share=percent(count, len(self.targets)))
        if gone := int((self.each == 0).any(axis=0).sum()):
            says = tr("{gone:,} have no row that fits in some release, so nothing is said of them.")
            yield says.format(gone=gone)


def intersect(
    table: Table,
    releases: Sequence[Published],
    k: int | None = None,
    targets: int = TARGETS,
    seed: int = 0,
    progress: Tick | None = None,
) -> Intersection:
    """What releases of the same people tell together, to an attacker who knows all quasi-identifiers of one.

    A person has a row in each release, and what is published unchanged is the same in all. So a value that
    stands g₁ times in rows of one release that fit the person, g₂ times in those of another …, can be the
    person's in at most min(g₁, g₂, …) rows: that many are left of it. ``left`` is their sum over the
    combinations of unchanged cells; a sensitive value is certain when only combinations with it are left.
    ``releases``: the one that is judged first; files are read beside the table (`read_release`), which may
    have fewer rows than it. ``k``: among how many everybody is to hide, by default that of the first release.
    Of a table with more than ``targets`` records, so many are drawn with ``seed``.

    Raises OptionError for less than two releases, InputError for a file that cannot be read, UnsuitableError
    for histories of people. Cost O(targets · rows · columns) for each release.

    S. R. Ganta, S. P. Kasiviswanathan, A. Smith, Composition attacks and auxiliary information in data
    privacy, KDD 2008; B. C. M. Fung, K. Wang, A. W. Fu, J. Pei, Anonymity for continuous data publishing,
    EDBT 2008 (its forward and cross attack).

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,ill\\n20,flu\\n21,hiv\\n22,hiv\\n23,ok\\n")
    >>> table = table.with_schema(table.schema.with_roles({"ill": "sensitive"}))
    >>> files = b"age,ill\\n20-21,flu\\n20-21,hiv\\n22-23,hiv\\n22-23,ok\\n", (
    ...     b"age,ill\\n20,flu\\n21-22,hiv\\n21-22,hiv\\n23,ok\\n")
    >>> found = kc.intersect(table, files, k=2)
    >>> found.left.tolist(), found.learned("ill").tolist()
    ([1, 1, 1, 1], [True, True, True, True])
    """
    if len(releases) < 2:
        raise OptionError(tr("An intersection is of two releases at least; give another one."))
    sides = [_Side.of(table, one) for one in releases]
    tick, names = progress or silent, _shared(sides)
    codes, count = _coded(sides, names)
    some = generator(subkey(seed, "targets")).permutation(len(table))[:targets]
    chosen, found = np.sort(some), _Found(table, names)
    for start in range(0, len(chosen), _AT_ONCE):
        part = stage(tick, start / len(chosen), min(1.0, (start + _AT_ONCE) / len(chosen)))
        part(0.0, tr("intersecting releases"))
        records = chosen[start : start + _AT_ONCE]
        found.add([side.counts(table, records, own, count) for side, own in zip(sides, codes, strict=True)])
    first = releases[0]
    asked = first.guarantee.k if k is None and isinstance(first, Release) else 2 if k is None else k
    return found.result(chosen, asked, [sides[0].text(name) for name in names], codes[0], len(table))


def _shared(sides: Sequence[_Side]) -> tuple[str, ...]:
    """The unchanged columns that all have, with single values in every row."""
    each = [[u.name for u in side.unchanged if not u.less.any()] for side in sides]
    return tuple(name for name in each[0] if all(name in other for other in each))


def _coded(sides: Sequence[_Side], names: Sequence[str]) -> tuple[list[np.ndarray], int]:
    """Of each release, a number for the unchanged cells of each row, equal where all of these are; and how
    many numbers there are."""
    lengths = np.cumsum([len(side.classes) for side in sides])[:-1]
    columns = [np.concatenate([side.text(name) for side in sides]) for name in names]
    coded = [pd.factorize(column)[0] for column in columns]
    joint = row_keys(np.column_stack(coded)) if coded else np.zeros(sum(len(s.classes) for s in sides), int)
    return np.split(joint, lengths), int(joint.max(initial=-1)) + 1


@dataclass(frozen=True, eq=False)
class _Side:
    """A release by rows: ``classes`` int64 (rows), −1 = stars."""

    published: tuple[PublishedColumn, ...]
    classes: np.ndarray
    unchanged: tuple[Unchanged, ...]

    @classmethod
    def of(cls, table: Table, given: Published) -> _Side:
        """A release, or one that is read from its file."""
        if not isinstance(given, Release):
            read = given if isinstance(given, UploadedRelease) else read_release(given, table)
            return cls(read.published, np.where(read.shown, read.classes, -1), read.unchanged)
        if given.pseudonymous:
            raise UnsuitableError(
                tr("Only releases with a row for each record are intersected; this one has histories.")
            )
        given.recipe.check_table(table)
        names = [a.name for a in table.schema.of_role("sensitive", "other")]
        cells = {name: ["" if t is None else t for t in written(table.frame[name])] for name in names}
        frame = pd.DataFrame(cells, index=table.frame.index)
        return cls(given.published, given.classes, unchanged_columns(table, frame, given.suppressed))

    def text(self, name: str) -> np.ndarray:
        """object (rows): an unchanged column's cells as texts."""
        column = next(one for one in self.unchanged if one.name == name)
        cells = column.published.cells
        texts = np.array([*cells.texts(column.column, np.arange(len(cells))), "*"], object)
        return np.asarray(texts[column.published.cell[: len(self.classes)]])

    def counts(self, table: Table, records: np.ndarray, codes: np.ndarray, width: int) -> csr_array:
        """int64 (records × codes): how many rows that fit each record have each code."""
        from scipy.sparse import csr_array

        shown = np.flatnonzero(self.classes >= 0)
        classes, first, which = np.unique(self.classes[shown], return_index=True, return_inverse=True)
        held = csr_array((np.ones(len(shown), np.int64), (which, codes[shown])), (len(classes), width))
        found = fits(table, self.published, shown[first], records).astype(np.int64) @ held
        return csr_array(found)


class _Found:
    """What is found portion by portion."""

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        private = {attribute.name for attribute in table.schema.of_role("sensitive")}
        self.sensitive = [name for name in names if name in private]
        self.names = tuple(names)
        self.each: list[np.ndarray] = []
        self.left: list[csr_array] = []
        self.first: list[csr_array] = []

    def add(self, counts: Sequence[csr_array]) -> None:
        """A portion: of each release, records × codes."""
        least = counts[0]
        for other in counts[1:]:
            least = least.minimum(other)
        self.left.append(least.tocsr())
        self.first.append(counts[0])
        self.each.append(np.array([one.sum(axis=1) for one in counts]))

    def result(
        self, targets: np.ndarray, k: int, texts: Sequence[np.ndarray], codes: np.ndarray, of: int
    ) -> Intersection:
        """All portions; ``texts`` and ``codes``: the cells of the compared columns, row by row of the first
        release, and their joint number."""
        from scipy.sparse import vstack

        left, first = vstack(self.left, format="csr"), vstack(self.first, format="csr")
        value_of = {n: _by_code(t, codes, left.shape[1]) for n, t in zip(self.names, texts, strict=True)}
        each = np.concatenate(self.each, axis=1)
        return Intersection(
            targets,
            each[0],
            np.asarray(left.sum(axis=1)).ravel(),
            each,
            self.names,
            {name: _one_value(first, value_of[name]) for name in self.sensitive},
            {name: _one_value(left, value_of[name]) for name in self.sensitive},
            k,
            of,
        )


def _by_code(texts: np.ndarray, codes: np.ndarray, width: int) -> np.ndarray:
    """int64 (codes): a number for the cell of each joint code, −1 where the first release has none."""
    found = np.full(width, -1)
    found[codes] = pd.factorize(texts)[0]
    return found


def _one_value(counts: csr_array, value: np.ndarray) -> np.ndarray:
    """Booleans (records): all that is left has one value."""
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    kept = counts.data > 0
    row, own = row[kept], value[counts.indices[kept]]
    low = np.full(counts.shape[0], np.iinfo(np.int64).max)
    high = np.full(counts.shape[0], -1)
    np.minimum.at(low, row, own)
    np.maximum.at(high, row, own)
    return np.asarray(low == high)

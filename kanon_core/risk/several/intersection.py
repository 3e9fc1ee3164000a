"""Several releases of one table, and the intersection of the candidates that each leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import generator, subkey
from kanon_core.base.words import counted, percent, quoted, tr, tr_n
from kanon_core.risk.several.sides import Published, Several
from kanon_core.table.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_array

ONE, EVERYBODY, ADDED = "one", "everybody", "added"
KNOWS = {
    ONE: (
        "An attacker who knows all quasi-identifiers of one person and has all {releases} releases"
        " keeps only rows whose unchanged cells ({columns}) occur in fitting rows of every release."
    ),
    EVERYBODY: (
        "An attacker who knows everybody's quasi-identifiers and has all {releases} releases links"
        " their rows by unchanged cells ({columns}) and excludes rows that must belong to others."
    ),
    ADDED: (
        "An attacker who knows all quasi-identifiers of one person, and that this person was added"
        " after the earlier releases, uses unchanged cells ({columns}) to exclude rows that must"
        " belong to people of those releases."
    ),
}
"""The knowledge of each attacker and its use, in a sentence."""

TARGETS = 2_000
_AT_ONCE = 200


@dataclass(frozen=True, eq=False)
class Intersection:
    """The intersection of several releases for the records ``targets``, int64 (t).

    ``alone`` int64 (t): the number of rows of the first release that fit each record; ``left`` int64 (t): how
    many of these are left by all releases together; ``each``: the number of rows that fit in every release.
    ``compared``: the columns by which rows are compared, which all releases have and publish unchanged.
    ``certain_alone`` and ``certain``, by sensitive column, booleans (t): one value is left by the first
    release alone, and by all together. ``of``: the number of records. ``knows``: the attacker's knowledge, a
    key of `KNOWS`. For a record without a row in some release, ``left`` is 0 and nothing is certain.
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
    knows: str = ONE

    @property
    def fewer(self) -> np.ndarray:
        """Booleans (t): the record hides among k or more in the first release, but among fewer in all
        together."""
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
        """Return the result in words."""
        if not self.compared:
            return tr(
                "The releases share no column that is published unchanged, so an attacker who knows one"
                " person's quasi-identifiers cannot link rows of different releases to each other."
            )
        tried, fewer = len(self.targets), int(self.fewer.sum())
        counts = tr_n(
            "{fewer:,} of {tried} ({share}) hides among {k} or more rows of the first release, but among"
            " fewer when the releases are combined. Records reduced to a single row: {single:,}.",
            "{fewer:,} of {tried} ({share}) hide among {k} or more rows of the first release, but among"
            " fewer when the releases are combined. Records reduced to a single row: {single:,}.",
            fewer,
        )
        drawn = "" if tried == self.of else tr(" drawn from {of:,}").format(of=self.of)
        said = f"{tr(KNOWS[self.knows])} {counts}".format(
            releases=len(self.each),
            columns=quoted(self.compared),
            tried=counted(tried, "record") + drawn,
            fewer=fewer,
            share=percent(fewer, tried),
            k=self.k,
            single=int(self.single.sum()),
        )
        return " ".join([said, *self._more()])

    def _more(self) -> Iterator[str]:
        for name in self.certain:
            count = int(self.learned(name).sum())
            says = tr("The value of “{name}” becomes certain for {count:,} of the records ({share}).")
            yield says.format(name=name, count=count, share=percent(count, len(self.targets)))
        if gone := int((self.each == 0).any(axis=0).sum()):
            says = tr(
                "For {gone:,} of the records, some release has no fitting row; nothing is concluded about"
                " these records."
            )
            yield says.format(gone=gone)


def intersect(
    table: Table,
    releases: Sequence[Published],
    k: int | None = None,
    targets: int = TARGETS,
    seed: int = 0,
    progress: Tick | None = None,
) -> Intersection:
    """Return what several releases of the same people together reveal to an attacker who knows all
    quasi-identifiers of one person.

    A person has a row in each release, with the same unchanged cells in all. So a value that occurs g₁ times
    in the rows of one release that fit the person, g₂ times in those of another …, can be the person's in at
    most min(g₁, g₂, …) rows: this number is left. ``left`` is their sum over the combinations of unchanged
    cells; a sensitive value is certain when only combinations with it are left. ``releases``: the one that is
    judged first; files are read beside the table (`read_release`), which may have fewer rows than it. ``k``:
    the required size of anonymity sets, by default that of the first release. From a table with more than
    ``targets`` records, this number is drawn with ``seed``.

    Raises OptionError for fewer than two releases, InputError for a file that cannot be read, UnsuitableError
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
    tick, seen = progress or silent, Several.of(table, releases)
    some = generator(subkey(seed, "targets")).permutation(len(table))[:targets]
    chosen, found = np.sort(some), Found(table, seen)
    for start in range(0, len(chosen), _AT_ONCE):
        part = stage(tick, start / len(chosen), min(1.0, (start + _AT_ONCE) / len(chosen)))
        part(0.0, tr("comparing releases"))
        records = chosen[start : start + _AT_ONCE]
        found.add([side.counts(table, records) for side in seen.sides])
    return found.result(chosen, seen.wanted_k(k))


class Found:
    """The results, collected portion by portion."""

    def __init__(self, table: Table, seen: Several) -> None:
        private = {attribute.name for attribute in table.schema.of_role("sensitive")}
        self.seen, self.of = seen, len(table)
        self.sensitive = [name for name in seen.names if name in private]
        self.each: list[np.ndarray] = []
        self.left: list[csr_array] = []
        self.first: list[csr_array] = []

    def add(self, counts: Sequence[csr_array], kept: Sequence[csr_array] = ()) -> None:
        """Add a portion: for each release, records × codes of the rows that fit, and of the rows that are
        ``kept``, by default all."""
        least, *others = kept or counts
        for other in others:
            least = least.minimum(other)
        self.left.append(least.tocsr())
        self.first.append(counts[0])
        self.each.append(np.array([one.sum(axis=1) for one in counts]))

    def result(self, targets: np.ndarray, k: int, knows: str = ONE) -> Intersection:
        """Return the result of all portions."""
        from scipy.sparse import vstack

        left, first = vstack(self.left, format="csr"), vstack(self.first, format="csr")
        value_of = {name: self.seen.value_of(name) for name in self.sensitive}
        each = np.concatenate(self.each, axis=1)
        return Intersection(
            targets,
            each[0],
            np.asarray(left.sum(axis=1)).ravel(),
            each,
            self.seen.names,
            {name: _one_value(first, value_of[name]) for name in self.sensitive},
            {name: _one_value(left, value_of[name]) for name in self.sensitive},
            k,
            self.of,
            knows,
        )


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

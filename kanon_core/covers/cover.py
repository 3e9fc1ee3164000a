"""Covers: for each published record, the set of original records its cells must be true of.

A cover determines which records hide each other, but no published value. It is the "blueprint" bipartite
graph of the k-concealment paper (§2). `Partition` is the cover of disjoint groups, `Concealment` that of k
edge-disjoint perfect matchings, whose sets overlap.

Both are m sets of records, set s being ``order[starts[s]:starts[s + 1]]``, ascending; record i is published
with set ``set_of[i]`` (−1 = suppressed).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from kanon_core.base.errors import KanonError
from kanon_core.base.randomness import generator
from kanon_core.base.words import tr
from kanon_core.covers.draw import stages, stages_in_fragments
from kanon_core.table.columns.keys import by_first, order_of


class MalformedCover(KanonError):
    """An invalid cover: a defect of an algorithm, not of the input."""


@dataclass(frozen=True, eq=False)
class Cover(ABC):
    """The common base of both covers; ``overlap``: a record is in several sets."""

    overlap: ClassVar[bool] = False

    @abstractmethod
    def __len__(self) -> int:
        """Return how many records there are, n."""

    @property
    @abstractmethod
    def set_of(self) -> np.ndarray:
        """int64 (n): the set each record is published with, −1 = suppressed."""

    @property
    @abstractmethod
    def sizes(self) -> np.ndarray:
        """int64 (m): how many records each set has."""

    @property
    @abstractmethod
    def order(self) -> np.ndarray:
        """int64: the records of all sets, set by set, ascending within each."""

    @cached_property
    def starts(self) -> np.ndarray:
        """int64 (m + 1): where each set begins in ``order``, and its length at the end."""
        return np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)

    @property
    def sets(self) -> np.ndarray:
        """The set of each entry of ``order``, int64."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def drawn(self, seed: int, order: np.ndarray) -> np.ndarray:
        """int64 (n): the set each record is published with, −1 = suppressed; of several sets, one that this
        seed draws. ``order`` int64 (n): the records in an order that does not depend on their numbers."""
        return self.set_of

    def stages(self, seed: int, order: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the stages of that draw: the sets that remain for each record after each part of it, int64
        (n, d); record and set i have the number ``order[i]``. Yields nothing if there is no draw."""
        return iter(())

    def in_fragments(self, fragment: np.ndarray, paths: tuple[str, ...]) -> Self:
        """Return the same cover, whose sets each lie within one fragment; each fragment then draws by itself.
        ``fragment`` int64 (n): the fragment of each record; ``paths``: for each fragment, the sides of the
        cuts that lead to it."""
        return self

    @abstractmethod
    def renumbered(self, records: np.ndarray) -> Self:
        """The same cover where record i has the number ``records[i]``, int64 (n), a permutation."""

    @classmethod
    @abstractmethod
    def side_by_side(cls, parts: Sequence[tuple[np.ndarray, Self]]) -> Self:
        """Return the cover of all records, made of parts; each part is the numbers of its records, int64, and
        its cover."""

    @abstractmethod
    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the log events of this cover: a ``group`` (members) or ``matching`` (number, targets) for
        each."""

    @property
    def suppressed(self) -> np.ndarray:
        """n booleans."""
        return self.set_of < 0

    def members(self, which: int) -> np.ndarray:
        """The record numbers of a set, ascending."""
        return self.order[self.starts[which] : self.starts[which + 1]]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and all(
            np.array_equal(getattr(self, one.name), getattr(other, one.name)) for one in fields(self)
        )


@dataclass(frozen=True, eq=False)
class Partition(Cover):
    """Disjoint groups: record i is published with the records of its group.

    ``groups`` holds n labels; −1 = the record is suppressed. Whatever labels are given, they are renumbered
    0, 1, … by the lowest record of each group, so that equal partitions have equal bytes. Raises
    MalformedCover for labels that are not whole numbers ≥ −1 in one dimension.

    >>> cover = Partition(np.array([7, 7, -1, 3, 3]))
    >>> cover.groups.tolist(), cover.sizes.tolist()
    ([0, 0, -1, 1, 1], [2, 2])
    """

    groups: np.ndarray

    def __post_init__(self) -> None:
        labels = np.asarray(self.groups)
        if labels.ndim != 1 or labels.dtype.kind not in "iu" or not len(labels):
            said = tr("The groups of a partition must be a list of whole numbers, one per record.")
            raise MalformedCover(said)
        if labels.min() < -1:
            raise MalformedCover(tr("A group label must be 0 or more, or −1 for a suppressed record."))
        object.__setattr__(self, "groups", by_first(labels))
        self.groups.flags.writeable = False

    def __len__(self) -> int:
        return len(self.groups)

    def renumbered(self, records: np.ndarray) -> Self:
        """The same groups of records of these numbers."""
        labels = {one.name: np.empty(len(records), np.int64) for one in fields(self)}
        for name, given in labels.items():
            given[records] = getattr(self, name)
        return type(self)(**labels)

    @classmethod
    def side_by_side(cls, parts: Sequence[tuple[np.ndarray, Self]]) -> Self:
        """All groups of the parts."""
        n = sum(len(records) for records, _ in parts)
        labels = {one.name: np.empty(n, np.int64) for one in fields(cls)}
        for name, given in labels.items():
            first = 0
            for records, part in parts:
                own = getattr(part, name)
                given[records] = np.where(own < 0, -1, own + first)
                first += int(own.max()) + 1
        return cls(**labels)

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Its groups."""
        return (("group", {"members": self.members(group)}) for group in range(len(self.sizes)))

    @property
    def set_of(self) -> np.ndarray:
        """int64 (n): the set each record is published with: its group, −1 = suppressed."""
        return self.groups

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of records of each set, int64 (m)."""
        return np.bincount(self.groups + 1)[1:]

    @cached_property
    def order(self) -> np.ndarray:
        """Record numbers sorted by group, then number; suppressed ones are left out."""
        return order_of(self.groups)[int(self.suppressed.sum()) :]


@dataclass(frozen=True, eq=False)
class Histories(Partition):
    """Disjoint groups of records of many people, in blocks: the records of a person in a block are one
    published history.

    ``blocks`` holds n labels, −1 = suppressed. Raises MalformedCover unless each group lies in one block and
    exactly the records without a group have no block.
    """

    blocks: np.ndarray

    def __post_init__(self) -> None:
        super().__post_init__()
        given = np.asarray(self.blocks)
        if given.shape != self.groups.shape or given.dtype.kind not in "iu" or given.min() < -1:
            said = tr("The blocks of histories must be a list of whole numbers, one per record.")
            raise MalformedCover(said)
        object.__setattr__(self, "blocks", by_first(given))
        of_group = np.full(len(self.sizes) + 1, -1)
        of_group[self.groups] = self.blocks
        if of_group[-1] != -1 or (of_group[:-1] < 0).any() or (of_group[self.groups] != self.blocks).any():
            raise MalformedCover(
                tr("Every group must belong to one block, and no suppressed record may have a block.")
            )
        self.blocks.flags.writeable = False


@dataclass(frozen=True, eq=False)
class Concealment(Cover):
    """k edge-disjoint perfect matchings, the first the identity (k-concealment paper, §2.3).

    ``matchings`` int64 (k, n): matching m leads original record j to published row ``matchings[m, j]``. The
    cells of row i must be true of every j with ``matchings[m, j] == i`` for some m: exactly k records.
    ``fragment``, ``paths``: as `in_fragments`; empty where the draw is one for all. Raises MalformedCover
    unless every row is a permutation, the first the identity, no edge is used twice or leaves a fragment.

    >>> cover = Concealment(np.array([[0, 1, 2], [1, 2, 0]]))
    >>> cover.members(0).tolist()
    [0, 2]
    """

    overlap: ClassVar[bool] = True

    matchings: np.ndarray
    fragment: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    paths: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        given = np.asarray(self.matchings)
        if given.ndim != 2 or given.dtype.kind not in "iu" or not given.size:
            raise MalformedCover(tr("Matchings must be k lists of n record numbers."))
        matchings = given.astype(np.int64)
        numbers = np.arange(matchings.shape[1])
        if not np.array_equal(matchings[0], numbers) or (np.sort(matchings, axis=1) != numbers).any():
            raise MalformedCover(
                tr("Every matching must be a permutation of all records, and the first must be the identity.")
            )
        used = np.sort(matchings, axis=0)
        if (used[1:] == used[:-1]).any():
            raise MalformedCover(
                tr("Two matchings lead a record to the same row; matchings must have no edge in common.")
            )
        if self.paths and (self.fragment[matchings] != self.fragment).any():
            raise MalformedCover(tr("No edge of a matching may lead from one fragment to another."))
        object.__setattr__(self, "matchings", matchings)
        matchings.flags.writeable = False

    def __len__(self) -> int:
        return int(self.matchings.shape[1])

    def renumbered(self, records: np.ndarray) -> Self:
        """The same matchings of records of these numbers."""
        matchings = np.empty_like(self.matchings)
        matchings[:, records] = records[self.matchings]
        fragment = self.fragment[np.argsort(records)] if self.paths else self.fragment
        return replace(self, matchings=matchings, fragment=fragment)

    def in_fragments(self, fragment: np.ndarray, paths: tuple[str, ...]) -> Self:
        """The same matchings."""
        return replace(self, fragment=fragment, paths=paths)

    @classmethod
    def side_by_side(cls, parts: Sequence[tuple[np.ndarray, Self]]) -> Self:
        """Matching m is matching m of all parts together."""
        k, n = len(parts[0][1].matchings), sum(len(records) for records, _ in parts)
        matchings = np.empty((k, n), np.int64)
        for records, part in parts:
            matchings[:, records] = records[part.matchings]
        return cls(matchings)

    def events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Its matchings."""
        return (("matching", {"number": i, "targets": one}) for i, one in enumerate(self.matchings))

    def drawn(self, seed: int, order: np.ndarray) -> np.ndarray:
        """int64 (n): one of the k sets of each record (`kanon_core.covers.draw`)."""
        *_, last = self.stages(seed, order)
        found = np.empty(len(self), np.int64)
        found[order] = order[last[:, 0]]
        return found

    def stages(self, seed: int, order: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the stages of the draw, see `Cover.stages`: d falls from k to 1, in all fragments at once."""
        rows = np.argsort(order)[self.matchings[:, order]].T
        if self.paths:
            return stages_in_fragments(rows, seed, self.fragment[order], self.paths)
        return stages(rows, generator(seed))

    @cached_property
    def set_of(self) -> np.ndarray:
        """int64 (n): the set of which each record is the first member, which has the record's own number. The
        release draws the set that the record is published with (`kanon_core.covers.draw`)."""
        return np.arange(len(self))

    @property
    def sizes(self) -> np.ndarray:
        """Number of records of each set, int64 (n): k everywhere."""
        return np.full(len(self), len(self.matchings))

    @cached_property
    def order(self) -> np.ndarray:
        """The records of row 0's set ascending, then row 1's …: int64 (k n)."""
        sources = np.argsort(self.matchings, axis=1)
        return np.sort(sources, axis=0).T.ravel()

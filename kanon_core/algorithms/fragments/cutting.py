"""Cuts of a table, or of its people, into fragments by Mondrian's strict median cuts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.distances.mixed import unit_columns_of
from kanon_core.table.columns.columns import Items, Numbers
from kanon_core.table.domain import NumberDomain
from kanon_core.table.people import persons_of
from kanon_core.table.table import Table


class Fragment(NamedTuple):
    """``path``: the sides of the cuts that lead to it, from the top; "LR" is the right part of the left part
    of the table, "" the whole table. ``members`` int64 (m): its records, ascending."""

    path: str
    members: np.ndarray


class Cut(NamedTuple):
    """A cut: the part with this path was cut in this column."""

    path: str
    column: str


@dataclass(frozen=True)
class Cuts:
    """The fragments, in the order of their paths, and the cuts that lead to them, in the order made."""

    fragments: tuple[Fragment, ...]
    cuts: tuple[Cut, ...]

    @property
    def fragment(self) -> np.ndarray:
        """Return the number of each record's fragment, int64 (n)."""
        found = np.empty(sum(len(own) for _, own in self.fragments), np.int64)
        for number, (_, members) in enumerate(self.fragments):
            found[members] = number
        return found

    def below(self, path: str) -> np.ndarray:
        """Return the records of the part with this path, int64, ascending."""
        return np.sort(np.concatenate([own for name, own in self.fragments if name.startswith(path)]))


def cut_table(table: Table, k: int, rows: int, tick: Tick = silent) -> Cuts:
    """Return strict median cuts, as of `Mondrian`, made while a part has more than ``rows`` records and both
    sides keep k; a part that cannot be cut is a fragment of any size.

    Item sets are not cut. The cuts of a part depend only on its records and on the ranges and labels of the
    whole table, so a part can be cut on any machine. Cost O(n · attributes) for each level of cuts.

    >>> import kanon_core as kc
    >>> found = cut_table(kc.read_table(b"age\\n20\\n30\\n40\\n50\\n60\\n70\\n"), k=2, rows=4)
    >>> [(fragment.path, fragment.members.tolist()) for fragment in found.fragments]
    [('L', [0, 1, 2]), ('R', [3, 4, 5])]
    """
    if len(table) <= rows:
        return Cuts((Fragment("", np.arange(len(table))),), ())
    tick(0.0, tr("reading the records"))
    knife = _Knife(table, k)
    found, cuts, waiting, closed = list[Fragment](), list[Cut](), [("", 0, len(table))], 0
    while waiting:
        path, start, end = waiting.pop()
        attribute, middle = knife.cut(start, end) if end - start > rows else (-1, end)
        if attribute < 0:
            found.append(Fragment(path, knife.records(start, end)))
            closed += end - start
        else:
            cuts.append(Cut(path, knife.names[attribute]))
            waiting += [(f"{path}R", middle, end), (f"{path}L", start, middle)]
        tick(closed / len(table), tr("cutting the table"))
    return Cuts(tuple(found), tuple(cuts))


class _Knife:
    """Mondrian's loops, one cut at a time. ``names``: the columns in the order of the loops."""

    def __init__(self, table: Table, k: int) -> None:
        from kanon_core.algorithms.partitioning import mondrian_kernels as kernels
        from kanon_core.algorithms.partitioning.constraints import rule_of
        from kanon_core.algorithms.partitioning.mondrian import Mondrian
        from kanon_core.algorithms.partitioning.mondrian_cuts_kernels import new_records, new_work

        columns = [column for column in table.quasi if not isinstance(column, Items)]
        columns.sort(key=lambda column: not isinstance(column, Numbers))
        self.names = [column.attribute.name for column in columns]
        self._loop = kernels.cut_parts
        self._limits = kernels.Limits(k, True, False, rule_of((), Mondrian()))
        no_rule = np.zeros((len(table), 0), np.int64)
        self._records, values = new_records(unit_columns_of(table), no_rule)
        self._work = new_work(len(table), values, k)

    def cut(self, start: int, end: int) -> tuple[int, int]:
        """Cut the part ``start`` … ``end`` of the order; return the attribute, −1 if no cut is allowed, and
        the middle."""
        work = self._work
        work.stack[0] = start, end
        work.made[:] = 1, 0, 0
        self._loop(self._records, work, self._limits, 1)  # this budget is enough for one part
        if not work.made[2]:
            return -1, end
        attribute, _, middle, _ = work.cuts[0].tolist()
        return attribute, middle

    def records(self, start: int, end: int) -> np.ndarray:
        """Return these records, int64, ascending: a cut keeps the order within both sides."""
        return self._work.order[start:end].copy()


def people_at_most(rows: int, people: int, records: int) -> int:
    """Return the most people of a fragment: as many as have ``rows`` records on average.

    >>> people_at_most(1000, people=500, records=2500)
    200
    """
    return max(1, rows * people // records)


def cut_people(
    table: Table, k: int, rows: int, wholes: Mapping[str, NumberDomain], tick: Tick = silent
) -> Cuts:
    """Return cuts of a table's people, made as `cut_table` cuts records. Each person's first record
    represents them: both sides of a cut keep k people, and all records of a person stay together.

    A part is cut while it has more people than have ``rows`` records on average. Records without a person go
    to the first fragment. ``wholes``: as in `Table.part`, so that widths are those of the whole. Cost O(n)
    besides the cuts.
    """
    persons = persons_of(table)
    named = np.flatnonzero(persons.numbers >= 0)
    first = named[np.unique(persons.numbers[named], return_index=True)[1]]
    most = people_at_most(rows, len(first), len(table))
    found = cut_table(table.part(first, wholes), k, most, tick)
    fragment = np.append(found.fragment, 0)[persons.numbers]
    order = np.argsort(fragment, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(fragment))[:-1])
    paths = (one.path for one in found.fragments)
    return Cuts(tuple(map(Fragment, paths, members)), found.cuts)

"""Fragments of people: all records of a person lie in the same one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kanon_core.algorithms.fragments.cutting import Cuts, Fragment, cut_from_the_top
from kanon_core.base.progress import Tick, silent
from kanon_core.table.domain import NumberDomain
from kanon_core.table.people import persons_of
from kanon_core.table.table import Table


def people_at_most(rows: int, people: int, records: int) -> int:
    """How many people a fragment has at most: as many as have so many ``rows`` on average.

    >>> people_at_most(1000, people=500, records=2500)
    200
    """
    return max(1, rows * people // records)


def cut_people_from_the_top(
    table: Table, k: int, rows: int, wholes: Mapping[str, NumberDomain], tick: Tick = silent
) -> Cuts:
    """Cut the people of a table as `cut_from_the_top` cuts records, of which each stands by the first record
    of theirs: both sides of a cut keep k people, and all records of a person follow.

    A part is cut as long as it has more people than have ``rows`` records on average. Records that name
    nobody go to the first fragment. ``wholes``: as of `Table.part`, so that widths are those of the whole.
    Cost O(n), and that of the cuts.
    """
    persons = persons_of(table)
    named = np.flatnonzero(persons.numbers >= 0)
    first = named[np.unique(persons.numbers[named], return_index=True)[1]]
    most = people_at_most(rows, len(first), len(table))
    found = cut_from_the_top(table.part(first, wholes), k, most, tick)
    fragment = np.append(found.fragment, 0)[persons.numbers]
    order = np.argsort(fragment, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(fragment))[:-1])
    paths = (one.path for one in found.fragments)
    return Cuts(tuple(map(Fragment, paths, members)), found.cuts)

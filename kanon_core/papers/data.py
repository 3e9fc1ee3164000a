"""Data for the tables of the papers: random samples of a given table or of our own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from kanon_core.base.errors import InputError
from kanon_core.base.randomness import generator
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.papers.base import Source
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.reading import SAMPLE, read_table
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table

_PLAIN = {"latitude": "numeric", "longitude": "numeric"}


class Data(NamedTuple):
    """The records to draw from, their description, and whether they are the paper's."""

    table: Table
    what: str
    same: bool = False

    def samples(self, size: int, count: int, option: str) -> list[Table]:
        """Return ``count`` random samples without replacement, with the seeds 0, 1, …; raises InputError for
        too few records.

        ``option`` is the name of the option for the size.
        """
        n = len(self.table)
        if n < size:
            raise InputError(
                tr(
                    "The table has {records}, too few for samples of {size}; set “{option}” to {n:,} or less."
                ).format(records=counted(n, "record"), size=counted(size, "record"), n=n, option=option)
            )
        return [self.table.some(generator(seed).choice(n, size, replace=False)) for seed in range(count)]

    def sampled(self, size: int, count: int) -> str:
        """Return a description of ``count`` such samples."""
        return tr_n(
            "{count} random sample of {size:,} from {data}",
            "{count} random samples of {size:,} from {data}",
            count,
        ).format(count=count, size=size, data=self.what)


def our_own(name: str, what: str) -> Source:
    """Return one of our samples."""
    return Source(read_table(f"{SAMPLE}{name}"), what)


def households() -> Source:
    """Return our own households."""
    return our_own("households-5000", tr("our sample of invented households"))


def city() -> Source:
    """Return our own people with places."""
    return our_own("people-5000", tr("our sample of an invented city"))


def all_attributes(source: Source, papers: tuple[int, int, int]) -> Data:
    """Return the data with every column as a quasi-identifier of weight 1, except those that name a person.

    ``papers`` are the records, numeric and other attributes of the paper's data: a table of the same shape is
    taken for it.
    """
    table = source.table
    kept = [a for a in table.schema if a.role not in ("identifier", "person", "sampling_weight", "undecided")]
    chosen = _only(table, [Attribute(a.name, kind=_PLAIN.get(a.kind, a.kind)) for a in kept])
    numeric = sum(attribute.is_numeric for attribute in kept)
    what = tr("{records} of {name}, {numeric} numeric and {other} other attributes").format(
        records=counted(len(table), "record"), name=source.name, numeric=numeric, other=len(kept) - numeric
    )
    return Data(chosen, what, (len(table), numeric, len(kept) - numeric) == papers)


def coordinates_of(table: Table) -> list[str]:
    """Return the names of the first latitude and the first longitude column; nothing unless there are
    both."""
    found = [next((a.name for a in table.schema if a.kind == kind), "") for kind in ("latitude", "longitude")]
    return found if all(found) else []


def places(source: Source, names: Sequence[str]) -> Data:
    """Return the records with both coordinates, in degrees; raises InputError for columns without numbers."""
    table = source.table
    for name in names:
        if not isinstance(table[name], Numbers):
            raise InputError(
                tr("Column “{name}” holds no numbers; coordinates must be decimal degrees.").format(name=name)
            )
    complete = ~np.any([table[name].missing for name in names], axis=0)
    if not complete.any():
        raise InputError(tr("No record has both a latitude and a longitude; choose other columns."))
    chosen = _only(table, [Attribute(name, kind="numeric") for name in names]).some(complete)
    gone = int((~complete).sum())
    what = tr("{records} of {name}, latitude and longitude")
    if gone:
        what = tr("{records} of {name} ({gone:,} without a place left out), latitude and longitude")
    return Data(chosen, what.format(records=counted(len(chosen), "record"), name=source.name, gone=gone))


def _only(table: Table, attributes: list[Attribute]) -> Table:
    """Return the table of these columns alone."""
    if not attributes:
        raise InputError(
            tr(
                "The table has no column except those that name a person, so nothing can be"
                " compared; choose another table."
            )
        )
    own = table.some(np.arange(len(table)), [attribute.name for attribute in attributes])
    return own.with_schema(
        Schema(tuple(replace(a, delimiter=own.schema[a.name].delimiter) for a in attributes))
    )

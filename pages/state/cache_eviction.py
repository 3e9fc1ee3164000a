"""Cache eviction: the number of results that a session keeps; fewer for a large table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TypeVar

import kanon_core as kc
from kanon_core.base.memory import give_back
from kanon_core.metrics import Measured
from kanon_core.release.release import rest, size_of
from pages.state.limits import bytes_for_results

Key = TypeVar("Key")

LARGE_TABLE = 200_000
"""The records above which a release that is not on screen keeps only what takes long to compute."""
FEWEST_RELEASES = 2
"""Releases that stay however large they are: the one on screen and the one before."""
KEPT_BYTES = 150_000_000
"""The most bytes of releases: four or five of a million records; less where the tab's share has less memory
left."""


def evicted(releases: OrderedDict[Key, kc.Release], table: kc.Table) -> Iterator[Key]:
    """Yield the releases of this table to drop, those used longest ago first."""
    sizes = {key: size_of(release) for key, release in releases.items()}
    held, limit = sum(sizes.values()), min(KEPT_BYTES, bytes_for_results(table))
    for key in list(releases)[: -FEWEST_RELEASES or None]:
        if held > limit:
            held -= sizes[key]
            yield key


def shrink(releases: Iterable[kc.Release], whole: Collection[object]) -> None:
    """Reduce the releases of large tables, except those in ``whole``, to what takes long to compute."""
    for release in releases:
        if release not in whole and len(release) > LARGE_TABLE:
            rest(release)


def give_back_after(table: kc.Table) -> None:
    """Give the memory back to the system that work on a large table took."""
    if len(table) > LARGE_TABLE:
        give_back()


def without_records(measured: Measured) -> Measured:
    """Return a measure without the numbers of single records, of a large table."""
    heavy = measured.records is not None and len(measured.records) > LARGE_TABLE
    return replace(measured, records=None) if heavy else measured

"""How much of what was computed a session keeps: of a large table less."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import kanon_core as kc
from kanon_core.base.memory import give_back
from kanon_core.metrics import Measured
from kanon_core.release.release import rest, size_of
from pages.state.room import left_beside

if TYPE_CHECKING:
    from pages.state.session import Session

Key = TypeVar("Key")

HEAVY = 200_000
"""Records from which a release that is not on screen keeps only what takes long to find again."""
FEWEST = 2
"""Releases that stay however large they are: the one on screen and the one before."""
KEPT_BYTES = 150_000_000
"""Of releases: four or five of a million records; less where a tab has less left beside its table."""


def beyond(releases: OrderedDict[Key, kc.Release], table: kc.Table) -> Iterator[Key]:
    """The releases of this table, in the order in which they were used, that make room for those used
    last."""
    sizes = {key: size_of(release) for key, release in releases.items()}
    left, most = sum(sizes.values()), min(KEPT_BYTES, left_beside(table))
    for key in list(releases)[: -FEWEST or None]:
        if left > most:
            left -= sizes[key]
            yield key


def rested(releases: Iterable[kc.Release], awake: Collection[object]) -> None:
    """Of large tables, all but these rest."""
    for release in releases:
        if release not in awake and len(release) > HEAVY:
            rest(release)


def tidied(table: kc.Table) -> None:
    """Give back what working on a large table took."""
    if len(table) > HEAVY:
        give_back()


def asleep(session: Session) -> None:
    """Of a session whose page is gone, keep what was set and found, not what is drawn of it again."""
    session.pictures.clear()
    for release in session.releases.values():
        rest(release)


def lighter(measured: Measured) -> Measured:
    """A measure without the numbers of single records, of a large table."""
    heavy = measured.records is not None and len(measured.records) > HEAVY
    return replace(measured, records=None) if heavy else measured

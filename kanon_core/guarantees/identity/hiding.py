"""The common base of guarantees with a k: the number among which each record hides, and the words for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.guarantees.base import Guarantee, Judged
from kanon_core.table.people import many_records_each

if TYPE_CHECKING:
    from kanon_core.table.table import Table

K = Annotated[int, Integer(2, 10**9, help="among how many each one hides at least")]


@dataclass(frozen=True)
class Hiding(Guarantee):
    """A guarantee that everybody hides among at least ``k``. Class attributes hold the words for it:

    ``unit`` (what k counts: "records" or "people") and ``one`` of them; ``group`` and ``groups`` (those that
    look alike); ``alike`` (the same, in a sentence); ``disjoint`` (they do not overlap, so that there are
    groups to show); ``pseudonyms`` (the column of the person is published as pseudonyms); ``risk`` (the event
    whose risk is 1 / k); ``own_rows`` (records of one group publish rows of their own, so that classes are
    smaller than groups) and ``beyond`` (the attacker from whom records hide only among their class, where
    that is not the attacker of the guarantee).
    """

    unit: ClassVar[str] = "records"
    one: ClassVar[str] = "record"
    group: ClassVar[str] = "group"
    groups: ClassVar[str] = "groups"
    alike: ClassVar[str] = "records with equal published quasi-identifiers"
    groups_title: ClassVar[str] = "Sizes of the groups"
    disjoint: ClassVar[bool] = True
    pseudonyms: ClassVar[bool] = False
    risk: ClassVar[str] = "worst risk"
    own_rows: ClassVar[bool] = False
    beyond: ClassVar[str] = ""

    symbol: ClassVar[str] = "k"
    parameter: ClassVar[str] = "k"

    k: K = 5

    @property
    def known_items(self) -> int:
        """The most items of a person that the attacker may know for it to hold; 0 = any number."""
        return 0

    @property
    def requested(self) -> str:
        """The k that was asked for, in a word."""
        return f"{self.k}"

    def unsuitable(self, table: Table) -> list[str]:
        """Return reasons where records do not stand for people, because people have many each."""
        return many_records_each(table)

    def prepare(self, release: Judged, tick: Tick = silent) -> None:
        """Do once, with progress, what `check`, `among` and `sizes` share."""
        release.find_classes(tick)

    def among(self, release: Judged) -> np.ndarray:
        """int64 (n): how many each record hides among, itself included; 0 = suppressed."""
        return np.asarray(np.append(release.class_sizes, 0)[release.classes])

    def sizes(self, release: Judged) -> np.ndarray:
        """int64: how many there are in each set of those that look alike."""
        return release.class_sizes

    def smallest(self, release: Judged) -> int:
        """The number of records, or people, among which the worst-protected one hides; 0 when nothing is
        published."""
        shown = ~release.suppressed
        if not shown.any():
            return 0
        return int(release.hidden_among.min(where=shown, initial=len(release.classes)))

    def achieved(self, release: Judged) -> tuple[str, int, str]:
        """The k that was reached: its name, the number, and what it says."""
        return (
            tr("Achieved k"),
            self.smallest(release),
            tr("how many {unit} the worst-protected one hides among").format(unit=tr(self.unit)),
        )

    def reading(self, release: Judged) -> list[str]:
        """Return what it means for this release, in parts of a sentence of which every second matters
        most."""
        smallest = self.smallest(release)
        return [
            tr("Every published record hides among at least "),
            f"{smallest}",
            tr(" {alike}, so an attacker who {knows} picks the right {one} with at most ").format(
                alike=self.alike, knows=self.attacker, one=self.one
            ),
            f"{100 / smallest:.1f} %",
        ]

    def caveats(self, release: Judged) -> tuple[str, ...]:
        """Return what this guarantee leaves open for this release, in sentences."""
        return ()

    def about_group(self, members: int) -> str:
        """Return what a group of the cover with so many records means."""
        return tr("{members:,} records hide among one another here.").format(members=members)

    def about_numbers(self) -> tuple[str, ...]:
        """Return for which attacker figures on the sizes of classes hold, where that is not the attacker of
        the guarantee."""
        return ()

    def counted(self, number: int) -> str:
        """Return this number of what k counts, in words: "1 record", "5 people"."""
        return f"{number:,} {self.one if number == 1 else tr(self.unit)}"

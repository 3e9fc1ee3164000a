"""The common base of guarantees with a k: the sizes of anonymity sets, and the words for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr
from kanon_core.guarantees.base import Guarantee, Judged
from kanon_core.table.people import many_records_each

if TYPE_CHECKING:
    from kanon_core.table.table import Table

K = Annotated[int, Integer(2, 10**9, help="least size of an anonymity set")]


@dataclass(frozen=True)
class Hiding(Guarantee):
    """A guarantee that every anonymity set has at least ``k`` members. Class attributes hold the words for
    it:

    ``unit`` (the things that k counts: "records" or "people") and ``one`` of them; ``group`` and ``groups``
    (the anonymity sets); ``alike`` (their members, in a sentence); ``disjoint`` (the sets do not overlap, so
    that there are groups to show); ``pseudonyms`` (the column of the person is published as pseudonyms);
    ``risk`` (the event whose risk is 1 / k); ``own_rows`` (records of one group publish rows of their own, so
    that classes are smaller than groups) and ``beyond`` (the attacker for whom the anonymity set is the
    class, if that is not the attacker of the guarantee).
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
        """The requested k, in a word."""
        return f"{self.k}"

    def unsuitable(self, table: Table) -> list[str]:
        """Return reasons where records are not people, because people have many each."""
        return many_records_each(table)

    def prepare(self, release: Judged, tick: Tick = silent) -> None:
        """Do once, with progress, what `check`, `among` and `sizes` share."""
        release.find_classes(tick)

    def among(self, release: Judged) -> np.ndarray:
        """int64 (n): the size of each record's anonymity set, itself included; 0 = suppressed."""
        return np.asarray(np.append(release.class_sizes, 0)[release.classes])

    def sizes(self, release: Judged) -> np.ndarray:
        """int64: the size of each anonymity set."""
        return release.class_sizes

    def smallest(self, release: Judged) -> int:
        """The size of the smallest anonymity set, in records or people; 0 when nothing is published."""
        shown = ~release.suppressed
        if not shown.any():
            return 0
        return int(release.hidden_among.min(where=shown, initial=len(release.classes)))

    def achieved(self, release: Judged) -> tuple[str, int, str]:
        """The k that was reached: its name, the number, and its meaning."""
        return (
            tr("Achieved k"),
            self.smallest(release),
            tr("size of the smallest anonymity set, in {unit}").format(unit=tr(self.unit)),
        )

    def reading(self, release: Judged) -> list[str]:
        """Return the meaning of the guarantee for this release, in parts of a sentence; every second part is
        emphasized."""
        smallest = self.smallest(release)
        return [
            tr("The anonymity set of every published record has at least "),
            f"{smallest}",
            tr(
                " {alike}. An attacker who {knows} picks the right {one} with a probability of at most "
            ).format(alike=self.alike, knows=self.attacker, one=self.one),
            f"{100 / smallest:.1f} %",
        ]

    def caveats(self, release: Judged) -> tuple[str, ...]:
        """Return the limits of this guarantee for this release, in sentences."""
        return ()

    def about_group(self, members: int) -> str:
        """Return the meaning of a group of the cover with so many records."""
        return tr(
            "This group has {members:,} records. Their published quasi-identifiers do not tell them apart."
        ).format(members=members)

    def about_numbers(self) -> tuple[str, ...]:
        """Return the attacker for whom figures on class sizes hold, if that is not the attacker of the
        guarantee."""
        return ()

    def counted(self, number: int) -> str:
        """Return this number of what k counts, in words: "1 record", "5 people"."""
        return counted(number, "person" if self.unit == "people" else "record")

"""kᵐ-anonymity: protection against an attacker who knows a few items of a person, but not all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, cast

import numpy as np

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.kinds import Integer
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.covers.cells import CommonItems
from kanon_core.guarantees.base import Judged, Tally, Verdict
from kanon_core.guarantees.counted import CountedItems
from kanon_core.guarantees.identity.combinations import (
    MOST_ITEMS,
    MOST_KNOWN,
    all_items,
    item_columns,
    rarest,
    same_single_values,
)
from kanon_core.guarantees.identity.deeper import too_many
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.table.columns.items import Items
from kanon_core.table.table import Table, item_sets

if TYPE_CHECKING:
    from kanon_core.guarantees.files.written import WrittenFile

M = Annotated[int, Integer(1, MOST_KNOWN, help="greatest number of a person's items that the attacker knows")]


@dataclass(frozen=True)
class KMAnonymity(Hiding):
    """kᵐ-anonymity: any ``m`` published items of a record are items of at least k published records.

    Every column of item sets is judged by itself. An attacker who knows m items of a person, and that they
    were published, finds k candidates. It follows from k-anonymity, where k records publish the very same
    set; a release that breaks k-anonymity can still keep it. With a hierarchy, a published group is also an
    item of every record that publishes something below it. Where it fails, ``found`` is a number below k that
    was met, not the least. Sets that k records publish need no count; others cost O(|set|^(m − 1) · records
    that share items). From m = 4 on, more than 20 million combinations of the table's items are refused
    before they are counted.

    M. Terrovitis, N. Mamoulis, P. Kalnis, Privacy-preserving anonymization of set-valued data, VLDB 2008.
    """

    name: ClassVar[str] = "kᵐ-anonymity"
    weaker: ClassVar[bool] = True
    attacker: ClassVar[str] = "knows up to m items of a person"
    meaning: ClassVar[str] = (
        "Any m published items of a record occur together in at least k published records."
    )
    example: ClassVar[str] = (
        "k = 5, m = 2: an attacker who knows that a person bought bread and milk finds at least five"
        " baskets with both, or none."
    )

    m: M = 2

    @property
    def _items(self) -> str:
        return counted(self.m, "item")

    def reached(self, verdict: Verdict) -> str:
        """Return only a bound, as the search does not go on to the least shared items."""
        return f"k {'≥' if verdict.holds else '≤'} {verdict.found:,.0f}"

    def unsuitable(self, table: Table) -> list[str]:
        """Return reasons where there are no item sets, or more combinations than can be counted."""
        reasons = _no_sets(table)
        return reasons if reasons or self.m <= MOST_ITEMS else too_many(item_sets(table), self.k, self.m)

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """The fewest records met that share m items, and the records with such items."""
        fewest, failing = len(table), np.zeros(0, np.int64)
        for sets, row in sets_by_column(table, release):
            least, few = rarest(sets, row, self.k, self.m, tick=tick)
            fewest, failing = min(fewest, least), np.union1d(failing, np.flatnonzero(np.isin(row, few)))
        empty = release.source == "release" and bool(release.suppressed.all())
        return Tally(fewest, 0, len(failing), {}, empty, release.source, (), failing)

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict."""
        if tally.empty:
            return self.nobody(self.k)
        fewest, failing = int(tally.worst), tally.records
        said = tr_n(
            "Every published item of a record occurs in at least {fewest} published records.",
            "Any {m} published items of a record occur together in at least {fewest} published records.",
            self.m,
        )
        if failing:
            said = tr_n(
                "{failing:,} record publishes up to {items} that fewer than {k} records publish together.",
                "{failing:,} records publish up to {items} that fewer than {k} records publish together.",
                failing,
            )
        said = said.format(failing=failing, m=self.m, items=self._items, k=self.k, fewest=fewest)
        return self.verdict(not failing, fewest, self.k, said, tally.failing)


@dataclass(frozen=True)
class KKMAnonymity(KMAnonymity):
    """(k, kᵐ)-anonymity: the published single values of a record, together with any m or fewer of its
    published items, are published of at least k records.

    An attacker who knows the single values and m items of a person finds at least k records that publish
    them, or none. The items may be of several columns. Classes are those of equal published single values,
    whatever the groups of the algorithm were. It does not cover attackers who know more than m items: the
    sentence counts the records that they can tell apart. Where it fails, ``found`` is a number below k that
    was met, not the least. Cost as that of `KMAnonymity`.

    G. Poulis, G. Loukides, A. Gkoulalas-Divanis, S. Skiadopoulos, Anonymizing data with relational and
    transaction attributes, ECML-PKDD 2013.
    """

    name: ClassVar[str] = "(k, kᵐ)-anonymity"
    weaker: ClassVar[bool] = True
    attacker: ClassVar[str] = "knows all single values and up to m items of one person"
    meaning: ClassVar[str] = (
        "The published single values of a record and any m of its published items occur together in at"
        " least k records."
    )
    example: ClassVar[str] = (
        "k = 5, m = 2: an attacker who knows the age, sex and two purchases of a person finds at least five"
        " such records, or none."
    )
    group: ClassVar[str] = "different row"
    groups: ClassVar[str] = "different rows"
    groups_title: ClassVar[str] = "Records with equal published rows"
    own_rows: ClassVar[bool] = True
    by_items: ClassVar[bool] = True
    beyond: ClassVar[str] = " from an attacker who knows every item of a person"

    @property
    def known_items(self) -> int:
        """The most items of a person that the attacker may know."""
        return self.m

    @property
    def requested(self) -> str:
        """The requested k, and the attacker."""
        return tr("{k} for up to {items_known}").format(k=self.k, items_known=self._items_known)

    @property
    def _items_known(self) -> str:
        return tr_n("{m} known item", "{m} known items", self.m).format(m=self.m)

    def achieved(self, release: Judged) -> tuple[str, int, str]:
        """Return the requested k, which holds for the attacker who knows no more than m items."""
        return (
            tr("Achieved k, {m} known").format(m=self.m),
            self.k,
            (
                tr(
                    "least number of records that publish the single values and up to {items} known of a"
                    " person, if any record does"
                ).format(items=self._items)
            ),
        )

    def reading(self, release: Judged) -> list[str]:
        """Return the meaning for the attacker who knows no more than m items; `caveats` speak of one who
        knows all."""
        return [
            tr(
                "An attacker who knows the single values and up to {items} of a person finds at least "
            ).format(items=self._items),
            f"{self.k}",
            tr(" records that publish them, or none. A guess is right with a probability of at most "),
            f"{100 / self.k:.1f} %",
        ]

    def caveats(self, release: Judged) -> tuple[str, ...]:
        """Return the disclosure to an attacker who knows every item of a person."""
        return (self._caveat(self.told_apart(release), int((~release.suppressed).sum())),)

    def _caveat(self, apart: int, published: int) -> str:
        if not apart:
            return tr(
                "Even an attacker who knows every item of a person finds at least {k} equal records."
            ).format(k=self.k)
        return tr(
            "An attacker who knows every item of a person can tell {apart:,} of {published} apart: fewer"
            " than {k} records publish the same row."
        ).format(apart=apart, published=counted(published, "record"), k=self.k)

    def told_apart(self, release: Judged) -> int:
        """Return how many records publish a row, of single values and all items, that fewer than k records
        publish."""
        sizes = release.class_sizes
        return int(sizes[sizes < self.k].sum())

    def about_group(self, members: int) -> str:
        """Return the meaning of a group: its records share single values, not items."""
        return tr(
            "This group has {members:,} records with equal published single values, each with items of its"
            " own. An attacker who knows no item cannot tell them apart. An attacker who knows up to"
            " {items} finds at least {k} records, or none."
        ).format(members=members, items=self._items, k=self.k)

    def about_numbers(self) -> tuple[str, ...]:
        """Return sentences: figures on classes hold for attackers who know every item."""
        return (
            (
                tr(
                    "The figure holds for an attacker who knows every item of a person. An attacker who"
                    " knows up to {items} finds at least {k} records that publish them, or none."
                ).format(items=self._items, k=self.k)
            ),
        )

    def tally(self, table: Table, release: Judged, tick: Tick = silent) -> Tally:
        """Return the fewest records found that publish single values and m items together, and the records
        that fail; the number of published records, and of those that an attacker who knows all items can tell
        apart."""
        rows = all_sets(table, release)
        if not len(rows.singles):
            return Tally(np.inf, empty=True, others={"apart": 0, "published": 0}, source=release.source)
        sizes = np.bincount(rows.singles, rows.held).astype(np.int64)
        least, few = rarest(rows.items, rows.row, self.k, self.m, rows.singles, tick)
        few = np.union1d(few, np.flatnonzero(sizes[rows.singles] < self.k))
        failing = np.flatnonzero(np.isin(rows.row, few))
        others = {"apart": self.told_apart(release), "published": int(rows.held.sum())}
        worst = min(least, int(sizes.min()))
        return Tally(worst, 0, len(failing), others, False, release.source, (), failing)

    def conclude(self, tally: Tally) -> Verdict:
        """The verdict."""
        if tally.empty:
            return self.nobody(self.k)
        fewest, failing, published = int(tally.worst), tally.records, tally.others["published"]
        if tally.source in ("rows", "persons"):
            said = _of_rows(failing)
        elif failing:
            said = tr_n(
                "{failing:,} record publishes single values and up to {items} that fewer than {k} records"
                " publish together.",
                "{failing:,} records publish single values and up to {items} that fewer than {k} records"
                " publish together.",
                failing,
            )
        else:
            said = tr(
                "An attacker who knows the single values and up to {items} of a person finds at least {least}"
                " that publish them, or none. {caveats}"
            )
        least, caveats = counted(fewest, "record"), self._caveat(tally.others["apart"], published)
        said = said.format(
            failing=failing,
            n=counted(published, "record"),
            items=self._items,
            k=self.k,
            fewest=least,
            least=least,
            caveats=caveats,
        )
        return self.verdict(not failing, fewest, self.k, said, tally.failing)


def _of_rows(failing: int) -> str:
    """The sentence on the rows of a file, of which so many fail, with blanks."""
    if not failing:
        return tr(
            "An attacker who knows the single values and up to {items} of a row finds at least {fewest}."
        )
    return tr_n(
        "{failing:,} of {n} has single values and up to {items} that fewer than {k} rows have together.",
        "{failing:,} of {n} have single values and up to {items} that fewer than {k} rows have together.",
        failing,
    )


def sets_by_column(table: Table, release: Judged) -> Iterator[tuple[CommonItems, np.ndarray]]:
    """The different sets of each column of item sets, and int64 (n), which of them each record has, −1 =
    none; of a file each row's own."""
    if release.source in ("rows", "persons"):
        every = np.arange(len(table))
        yield from ((CommonItems(column.starts, column.items), every) for column in read_sets(table))
    else:
        for column in item_columns(release.published):
            yield column.cells.as_items(), column.cell


def all_sets(table: Table, release: Judged) -> CountedItems:
    """The rows that are published, with their items of all columns; of a file each row by itself."""
    if release.source == "counts":
        return cast("CountedItems", release)
    if release.source == "release":
        return CountedItems(release.held, all_items(release), same_single_values(release), release.row)
    file, columns = cast("WrittenFile", release), read_sets(table)
    sets, n = {column.attribute.name for column in columns}, len(table)
    singles = file.classes_of([name for name in file.quasi if name not in sets])
    first = np.cumsum([0, *(len(column.labels) for column in columns)])
    owner = np.concatenate([np.repeat(np.arange(n), column.sizes) for column in columns])
    items = np.concatenate([c.items + start for c, start in zip(columns, first, strict=False)])
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=n))])
    ordered = items[np.argsort(owner, kind="stable")].astype(np.int32)
    return CountedItems(np.ones(n, np.int64), CommonItems(starts, ordered), singles)


def read_sets(table: Table) -> list[Items]:
    """The columns of item sets. Raises UnsuitableError where a cell is not an item set, so that its items are
    not known."""
    for column in item_sets(table):
        if column.misfits is not None:
            raise UnsuitableError(
                tr_n(
                    "Column “{name}” has {count:,} cell that is not an item set; correct it or give the"
                    " column another kind.",
                    "Column “{name}” has {count:,} cells that are not item sets; correct them or give the"
                    " column another kind.",
                    column.misfits.count,
                ).format(name=column.attribute.name, count=column.misfits.count)
            )
    return item_sets(table)


def _no_sets(table: Table) -> list[str]:
    if any(attribute.kind == "items" for attribute in table.schema.quasi_identifiers):
        return []
    return [
        tr(
            "No quasi-identifier holds item sets, but this guarantee is about the items that an attacker"
            " knows of a person; choose another guarantee."
        )
    ]

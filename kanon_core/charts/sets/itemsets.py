"""Effect of a release on a column of item sets: counts and sentences for the view Item sets and figures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import counted, later, number_text, stressed, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.covers.cells import CommonItems, PublishedColumn
from kanon_core.metrics import NCP, SuppressedItems
from kanon_core.metrics.loss.items import grouped_counts, item_counts
from kanon_core.release.release import Release
from kanon_core.table.columns.columns import Items
from kanon_core.table.columns.texts import item_texts
from kanon_core.table.table import Table

NO_ITEMS = later("No record has an item in “{name}”.")


def item_columns(table: Table) -> tuple[Items, ...]:
    """The quasi-identifiers that hold item sets, in column order."""
    return tuple(column for column in table.quasi if isinstance(column, Items))


@dataclass(frozen=True, eq=False)
class ItemView:
    """One column of item sets before and after, with a published set for each row. Make it with
    `ItemView.of`.

    With a hierarchy a set of ``cells`` holds every group above its items; ``lowest`` has those alone that its
    text names.
    """

    release: Release
    column: Items
    published: PublishedColumn

    @classmethod
    def of(cls, table: Table, release: Release, name: str) -> ItemView:
        """The view of a column; raises SchemaError unless it holds item sets and is published."""
        column = table[name]
        found = next((one for one in release.by_row if one.attribute.name == name), None)
        if not isinstance(column, Items) or found is None:
            raise SchemaError(
                tr(
                    "Column “{name}” is not a quasi-identifier of kind items; choose a column that is one."
                ).format(name=name)
            )
        return cls(release, column, found)

    @property
    def name(self) -> str:
        """The column's name."""
        return self.column.attribute.name

    @property
    def cell(self) -> np.ndarray:
        """int64 (n): the published set of each record, −1 = suppressed."""
        return self.published.cell

    @property
    def cells(self) -> CommonItems:
        """The published sets."""
        return self.published.cells.as_items()

    @cached_property
    def counts(self) -> tuple[np.ndarray, np.ndarray]:
        """Return how many records have each item, and how many are published with it: int64 (labels) each."""
        return item_counts(self.column, self.published)

    @cached_property
    def grouped(self) -> np.ndarray:
        """int64 (labels): how many records' texts name a group above each item instead of it."""
        return grouped_counts(self.column, self.published)

    @property
    def has_groups(self) -> bool:
        """Return whether the column has a hierarchy, so that an item may be published as a group."""
        return not self.column.closure.is_flat

    @cached_property
    def lowest(self) -> CommonItems:
        """Return the cells without the groups that are above another member."""
        return self.cells.lowest(self.column)

    @cached_property
    def shown(self) -> np.ndarray:
        """int64 (n): how many items and groups each record's set names; 0 for suppressed ones."""
        return np.asarray(np.append(self.lowest.sizes, 0)[self.cell])

    @cached_property
    def gone(self) -> np.ndarray:
        """int64 (n): how many of its items each record is published without, even as a group."""
        if not self.has_groups:
            return np.asarray(self.column.sizes - self.shown)
        rows = np.repeat(np.arange(len(self.cell)), self.column.sizes)
        lost = self.cells.shown_as(self.column, self.cell) < 0
        return np.bincount(rows[lost], minlength=len(self.cell))

    @property
    def total(self) -> int:
        """Return how many items all records have."""
        return len(self.column.items)

    @property
    def kept(self) -> int:
        """Return how many items of all records are published as they are."""
        return int(self.counts[1].sum())


def loss_sentence(view: ItemView) -> tuple[str, ...]:
    """Return a sentence on the loss of the sets, in parts of which every second is stressed."""
    lost, total = int(view.gone.sum()), view.total
    if not total:
        return (tr(NO_ITEMS).format(name=view.name),)
    told = tr_n(
        "*{lost:,}* of the {items} in “{name}” is suppressed (*{share} %*)",
        "*{lost:,}* of the {items} in “{name}” are suppressed (*{share} %*)",
        lost,
    )
    grouped, gone = int(view.grouped.sum()), int((view.cell < 0).sum())
    if view.has_groups:
        told += "; " + tr_n(
            "*{grouped:,}* is published as a group (*{grouped_share} %*)",
            "*{grouped:,}* are published as a group (*{grouped_share} %*)",
            grouped,
        )
    bare = int(((view.shown == 0) & (view.cell >= 0) & (view.column.sizes > 0)).sum())
    if bare:
        told += "; " + tr_n(
            "*{bare:,}* record that has items is published without any",
            "*{bare:,}* records that have items are published without any",
            bare,
        )
    if gone:
        told += "; " + tr_n("*{gone:,}* record is suppressed", "*{gone:,}* records are suppressed", gone)
    shares = {"share": look.percent_text(lost / total), "grouped_share": look.percent_text(grouped / total)}
    counts = {"lost": lost, "grouped": grouped, "bare": bare, "gone": gone}
    items = counted(total, "item")
    return stressed(told + ".", items=items, name=view.name, **shares, **counts)


def penalties_sentence(view: ItemView) -> str:
    """The exact and the fast penalty of the sets (set-valued paper, eq. 10 and 15), and why they differ."""
    table, n = view.release.table, len(view.cell)
    exact = NCP().measure(table, view.release).attributes[view.name]
    fast = SuppressedItems().measure(table, view.release).attributes[view.name]
    text = tr(
        "Exact penalty NCP_sv = {exact}, on average {exact_percent} % of a record's own items; fast penalty"
        " NCP*_sv = {fast}, {fast_percent} % of all items."
    ).format(
        exact=number_text(n * exact),
        exact_percent=look.percent_text(exact),
        fast=number_text(n * fast),
        fast_percent=look.percent_text(fast),
    )
    why = tr("The penalties differ because large sets lose a larger share of their items than small ones.")
    if np.isclose(exact, fast):
        why = tr("The two penalties are equal here.")
    elif exact > fast:
        why = tr(
            "The penalties differ because small sets lose a larger share of their items than large ones."
        )
    groups = tr("An item published as a group loses the group's share of all values.")
    return " ".join([text, groups, why] if view.has_groups else [text, why])


@dataclass(frozen=True, eq=False)
class Groups:
    """The groups of a release and what they publish of a column: arrays over groups.

    ``records`` how many there are, ``items`` how many items and groups the set of each names, ``lost`` the
    suppressed items of all its records.
    """

    records: np.ndarray
    items: np.ndarray
    lost: np.ndarray

    def order(self, by: str) -> np.ndarray:
        """Group numbers, the most of ``by`` ("records", "items" or "lost") first, ties by group number."""
        return np.argsort(-getattr(self, by), kind="stable")


def groups_of(view: ItemView) -> Groups:
    """The groups of the release; suppressed records are in none. Cost O(n)."""
    count, kept = len(view.cells), view.cell >= 0
    records = np.bincount(view.cell[kept], minlength=count)
    lost = np.bincount(view.cell[kept], view.gone[kept], count).astype(np.int64)
    return Groups(records, view.lowest.sizes, lost)


def groups_sentence(view: ItemView, groups: Groups) -> str:
    """Return a sentence on the numbers of groups and different sets, and the largest published set."""
    if not len(groups.records):
        return tr("No record is published, so there are no groups.")
    different = len(np.unique(view.cells.keys()))
    most = int(groups.items.max())
    what = view.release.guarantee.group
    text = tr("{count:,} {groups} publish {sets} of “{name}”").format(
        count=len(groups.records),
        groups=view.release.guarantee.groups,
        sets=counted(different, "different set"),
        name=view.name,
    )
    if len(groups.records) == 1:
        text = tr("The one {what} publishes {items} of “{name}”").format(
            what=what, items=_named(view, most), name=view.name
        )
    elif most:
        first = int(np.flatnonzero(groups.items == most)[0])
        text += "; " + tr("the largest set has {items} and is shared by {records}").format(
            items=_named(view, most), records=counted(int(groups.records[first]), "record")
        )
    empty = int(groups.records[groups.items == 0].sum())
    if empty and most:
        text += "; " + tr("with the empty set: {records}").format(records=counted(empty, "record"))
    return text + "."


def _named(view: ItemView, count: int) -> str:
    if not view.has_groups:
        return counted(count, "item")
    return tr_n("{count:,} item or group", "{count:,} items and groups", count).format(count=count)


def short_sets(
    column: Items, starts: np.ndarray, items: np.ndarray, sets: np.ndarray, most: int
) -> tuple[list[str], list[int]]:
    """Return, for each of these sets, the first ``most`` items as text, ``a, d`` without braces, and how many
    more items there are.

    Items are quoted as in a published cell. Cost O(most · sets).
    """
    ends = np.minimum(starts[1:][sets], starts[:-1][sets] + most)
    sizes = ends - starts[:-1][sets]
    cut = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.repeat(starts[:-1][sets] - cut[:-1], sizes) + np.arange(cut[-1])
    texts = item_texts(column, cut, items[places], np.arange(len(sets)))
    more = (starts[1:] - starts[:-1])[sets] - sizes
    return [text[1:-1] for text in texts], more.tolist()

"""The release: published cells, the cover they come from, and the recipe that made them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import pandas as pd

from kanon_core.base.errors import UnsuitableError
from kanon_core.base.memory import bytes_of
from kanon_core.base.progress import Tick, silent
from kanon_core.base.randomness import subkey
from kanon_core.base.words import tr
from kanon_core.covers.cells import PublishedColumn, rows_of
from kanon_core.covers.cover import Cover, Partition
from kanon_core.covers.matching.consistency import Consistency, consistency
from kanon_core.covers.pseudonyms import Bearers, bearers_of, pseudonyms_of
from kanon_core.covers.recoding import recode
from kanon_core.guarantees import Guarantees, Hiding, Verdict
from kanon_core.guarantees.attributes.counts import Counts, counted, values_of
from kanon_core.release.recipe import Recipe
from kanon_core.table.columns.keys import paired
from kanon_core.table.columns.texts import SUPPRESSED, as_published
from kanon_core.table.order import order_of_rows
from kanon_core.table.people import persons_of
from kanon_core.table.table import Table
from kanon_core.table.wholecells import refuse_sample

_FOUND_AGAIN = ("classes", "class_sizes", "hidden_among", "_behind", "row", "first", "by_row", "held")
"""Attributes that `rest` forgets, because they are computed again in O(n log n); others stay."""


@dataclass(frozen=True, eq=False)
class Release:
    """The data that would be published from a table. Made by `kanon_core.anonymize`, which audits it first.

    ``published`` has one entry per quasi-identifier; ``release["age"]`` is that of a name. ``report`` holds
    numbers of the algorithm's run (judgement count, steps …). ``verdicts``: the findings of the run's audit;
    empty for a release that `kanon_core.anonymize` did not make.
    """

    table: Table
    cover: Cover
    published: tuple[PublishedColumn, ...]
    recipe: Recipe
    report: dict[str, float] = field(default_factory=dict)
    verdicts: tuple[Verdict, ...] = field(default=(), init=False)

    @classmethod
    def of(
        cls,
        table: Table,
        cover: Cover,
        recipe: Recipe,
        report: dict[str, float] | None = None,
        tick: Tick = silent,
        shown: Mapping[str, PublishedColumn] | None = None,
    ) -> Release:
        """Recode the table's quasi-identifiers along the cover, with ticks; ``shown``: by name, columns of
        which the algorithm has chosen the cells."""
        published, set_of = [], _drawn(table, cover, recipe.seed)
        for i, column in enumerate(table.quasi):
            now = partial(
                tick, i / len(table.quasi), tr("recoding {name}").format(name=column.attribute.name)
            )
            now()
            chosen = (shown or {}).get(column.attribute.name)
            published.append(chosen or replace(recode(column, cover, now), cell=set_of))
        made = cls(table, cover, tuple(published), recipe, report or {})
        made.__dict__["set_of"] = set_of
        return made

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, name: str) -> PublishedColumn:
        """Return the published quasi-identifier of this name; KeyError where there is none."""
        found = next((column for column in self.published if column.attribute.name == name), None)
        if found is None:
            raise KeyError(tr("There is no published quasi-identifier “{name}”.").format(name=name))
        return found

    def __repr__(self) -> str:
        guarantee = self.guarantee
        sizes = self.hiding_sizes if guarantee.disjoint else self.cover.sizes
        least = sizes.min(initial=len(self))
        return (
            f"Release({len(self)} records, {guarantee.name} with k = {guarantee.requested},"
            f" {len(sizes)} {guarantee.groups} of {least} or more, by {self.recipe.algorithm.title})"
        )

    @cached_property
    def set_of(self) -> np.ndarray:
        """int64 (n): the set of the cover that each record is published with, −1 = suppressed; under
        k-concealment it is drawn (`kanon_core.covers.draw`)."""
        return _drawn(self.table, self.cover, self.recipe.seed)

    @cached_property
    def row(self) -> np.ndarray:
        """int64 (n): the published row of each record, −1 = suppressed: records of one cover set with the
        same cells have one row. Rows are numbered by their first records."""
        return rows_of(self.set_of, self.published)

    @cached_property
    def first(self) -> np.ndarray:
        """int64 (rows): the first record that is published with each row."""
        found = np.empty(int(self.row.max(initial=-1)) + 1, np.int64)
        shown = np.flatnonzero(self.row >= 0)[::-1]
        found[self.row[shown]] = shown
        return found

    @cached_property
    def by_row(self) -> tuple[PublishedColumn, ...]:
        """Return the published columns with one cell for each row, for whatever goes over rows."""
        return tuple(column.by_row(self.row, self.first) for column in self.published)

    @property
    def source(self) -> str:
        """Return the form of what a guarantee judges here (`kanon_core.guarantees.Judged`)."""
        return "release"

    @property
    def guarantees(self) -> Guarantees:
        """Return the guarantees of its algorithm; the first one counts anonymity sets."""
        return self.recipe.algorithm.guarantees(self.recipe.k)

    @property
    def guarantee(self) -> Hiding:
        """Return the guarantee that counts the anonymity set of each record, or person."""
        return self.recipe.algorithm.guarantee(self.recipe.k)

    @cached_property
    def held(self) -> np.ndarray:
        """int64 (rows): how many records are published with each row, at least 1."""
        return np.bincount(self.row + 1)[1:]

    @property
    def groups(self) -> np.ndarray:
        """int64 (n): the group of each record, −1 = suppressed; UnsuitableError when the cover's sets
        overlap."""
        if not isinstance(self.cover, Partition):
            raise UnsuitableError(
                tr("Under k-concealment the sets of records overlap, so there are no groups to show.")
            )
        return self.cover.groups

    @property
    def pseudonymous(self) -> bool:
        """Return whether the column of the person is published as pseudonyms."""
        return self.guarantee.pseudonyms

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the names of all columns that are published, in order."""
        return tuple(self.to_frame(np.arange(min(1, len(self)))).columns)

    @property
    def suppressed(self) -> np.ndarray:
        """n booleans, in the order of the input records."""
        return self.cover.suppressed

    @cached_property
    def classes(self) -> np.ndarray:
        """int64 (n): records with equal published quasi-identifiers share a number; −1 = suppressed. From the
        published cells, not from the cover: groups that happen to publish the same cells are one class."""
        return self._find_classes(silent)

    def find_classes(self, tick: Tick = silent) -> np.ndarray:
        """`classes`, ticking while they are found the first time."""
        if "classes" not in self.__dict__:
            self.__dict__["classes"] = self._find_classes(tick)
        return self.classes

    def _find_classes(self, tick: Tick) -> np.ndarray:
        if not self.published:
            return np.where(self.suppressed, -1, 0)
        keys = np.zeros(1, np.int64)
        for i, column in enumerate(self.published):
            tick(i / len(self.published), tr("comparing cells of {name}").format(name=column.attribute.name))
            keys = paired(keys, column.cells.keys()[column.cell[self.first]])
            if int(keys.max(initial=-1)) == len(self.first) - 1:  # all rows differ already
                break
        return np.asarray(np.append(keys, -1)[self.row])

    @cached_property
    def class_sizes(self) -> np.ndarray:
        """Return sizes of the classes, int64."""
        return np.bincount(self.classes + 1)[1:]

    def counts(self, name: str) -> Counts:
        """Return how often each class has each value of this column."""
        return counted(self.classes, values_of(self.table[name]))

    @property
    def unit(self) -> str:
        """Return the unit that k counts: "people" or "records"."""
        return self.guarantee.unit

    @cached_property
    def hiding_sizes(self) -> np.ndarray:
        """int64: the size of each set of indistinguishable records or people (`Hiding.sizes`)."""
        return self.guarantee.sizes(self)

    @cached_property
    def bearers(self) -> Bearers:
        """Return the pseudonyms, by number, under which records are published, and the person of each."""
        return bearers_of(persons_of(self.table), self.cover)

    @cached_property
    def pseudonyms(self) -> np.ndarray:
        """int64 (n): the number under which each record is published; 0 = suppressed."""
        return pseudonyms_of(self.table, self.published, self.bearers, self.recipe.seed)

    @cached_property
    def hidden_among(self) -> np.ndarray:
        """int64 (n): the size of the anonymity set of each record, itself included (`Hiding.among`); 0 =
        suppressed."""
        return self.guarantee.among(self)

    def consistency(self, tick: Tick = silent) -> Consistency:
        """Return which originals fit which published rows, and the matches among them; counted once."""
        found: Consistency | None = self.__dict__.get("_consistency")
        if found is None:
            found = self.__dict__["_consistency"] = consistency(self.table, self.published, tick)
        return found

    def to_frame(self, rows: np.ndarray | None = None) -> pd.DataFrame:
        """Published cells as text a person reads, for all records or the given record numbers, in that order.

        Identifiers and persons are left out (an algorithm that protects people publishes a pseudonym in place
        of the person); sensitive and other columns are unchanged; suppressed records read ``*``. A numeric
        column published as mean or median stays numeric where no record is suppressed or missing.

        >>> import kanon_core as kc
        >>> release = kc.anonymize(kc.read_table(b"age\\n20\\n21\\n22\\n"), kc.Sorting(), k=3, seed=1)
        >>> release.to_frame()["age"].tolist()
        ['[20, 22]', '[20, 22]', '[20, 22]']
        """
        rows = np.arange(len(self)) if rows is None else np.asarray(rows)
        texts, gone = self.texts(rows), self.suppressed[rows]
        shown: dict[str, object] = {}
        for attribute in self.table.schema:
            name = attribute.name
            if name in texts:
                numbers = self._numbers(name, rows)
                shown[name] = pd.Series(texts[name], dtype="str") if numbers is None else numbers
            elif attribute.role == "person" and self.pseudonymous:
                numbered = pd.Series(self.pseudonyms[rows].astype(str), dtype="str")
                shown[name] = numbered.mask(gone, SUPPRESSED)
            elif attribute.role in ("sensitive", "other"):
                kept = as_published(self.table.frame[name].iloc[rows]).reset_index(drop=True)
                if isinstance(kept.dtype, pd.CategoricalDtype):  # which lists what only others have
                    kept = kept.cat.remove_unused_categories()
                shown[name] = kept.astype(object).mask(gone, SUPPRESSED) if gone.any() else kept
        return pd.DataFrame(shown)

    def texts(self, rows: np.ndarray) -> dict[str, list[str]]:
        """Return, by quasi-identifier, the published cells of these record numbers as text."""
        return {
            column.attribute.name: column.texts(self.table[column.attribute.name], rows)
            for column in self.published
        }

    def _numbers(self, name: str, rows: np.ndarray) -> np.ndarray | None:
        """Return the single values of a numeric column, such as means; None where it is published as text or
        has gaps."""
        column = self[name]
        numbers, cell = column.cells.numbers(), column.cell[rows]
        if numbers is None or (cell < 0).any() or np.isnan(numbers[cell]).any():
            return None
        own = replace(self.table.numbers(name), attribute=column.attribute)
        return own.as_written(numbers[cell])

    def publish(self, shuffle: bool = True, first: int | None = None) -> pd.DataFrame:
        """Return the frame to hand over: as `to_frame`, without suppressed records, rows shuffled by default.

        The order reveals nothing: it is that of a keyed hash of the rows (`kanon_core.table.order`), and
        depends on the published rows and the seed alone. The same recipe on the same data gives the same
        bytes. ``first``: only that many rows from its top, for a preview. Cost O(n log n · columns). Raises
        UnsuitableError for a sample of whole cells (`kanon_core.table.wholecells`), which is not released.

        This method checks no findings; the commands and the page Release check them before they write. Look
        at `kanon_core.judge`, and hand over nothing with a finding of severity "stops" that has no reason.

        >>> import kanon_core as kc
        >>> table = kc.read_table(b"age\\n20\\n21\\n22\\n30\\n31\\n32\\n")
        >>> release = kc.anonymize(table, kc.Sorting(), k=3, seed=1)
        >>> release.publish()["age"].tolist()
        ['[20, 22]', '[20, 22]', '[20, 22]', '[30, 32]', '[30, 32]', '[30, 32]']
        """
        refuse_sample(self.table.whole_cells)
        frame = self.to_frame(np.flatnonzero(~self.suppressed))
        if shuffle and len(frame):
            frame = frame.iloc[order_of_rows(frame, self.recipe.seed)].reset_index(drop=True)
        return frame if first is None else frame.head(first)


def _drawn(table: Table, cover: Cover, seed: int) -> np.ndarray:
    return cover.drawn(subkey(seed, "draw"), table.ordered(seed)[1])


def rest(release: Release) -> None:
    """Forget attributes that can be computed again on request; the release itself does not change.

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table("sample:people-5000"), kc.Mondrian(), k=5, seed=1)
    >>> classes, before = release.classes, size_of(release)
    >>> rest(release)
    >>> size_of(release) < before, (release.classes == classes).all().item()
    (True, True)
    """
    for name in _FOUND_AGAIN:
        release.__dict__.pop(name, None)
    release.cover.__dict__.pop("order", None)


def size_of(release: Release) -> int:
    """Return bytes of the arrays that a release holds besides its table."""
    return bytes_of(release, without=[release.table, release.recipe])

"""Find means, medians and modes in a released file: the columns that publish them, and the values that each
may be computed from.

A file does not name the records of a mean. Rows may be in the order of the records, as other programs leave
them, or shuffled, as ours are. So the program looks for a grouping that makes the values true: by the order
of the rows, or, if the file has no other quasi-identifier, by neighboring values. Otherwise it checks
conditions of every grouping: means keep the sum of the column, and are between the lowest and the highest
mean of so many records. Values that pass may be true, and are not confirmed.

Single values that the original has as often are read as values. Only if the file cannot be true in this way
are they read as aggregates (``anyhow``), unless a condition fails; their groups may overlap, as those of
k-concealment do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kanon_core.covers.cells import AggregatedNumbers, AggregatedValues, Cells, Intervals, ValueSets
from kanon_core.table.columns.columns import Categories, Column, Numbers
from kanon_core.table.notation.numbers import decimals_of

_EXACT = 1e-9
_TRIED_AT_MOST = 5_000_000
_UNITS = {"D": 86_400.0, "s": 1.0, "us": 1e-6}
MEAN, MEDIAN, MODE = "mean", "median", "mode"


@dataclass(frozen=True)
class Aggregated:
    """A column of a file that publishes one number or category for each group of rows.

    ``statistic``: "mean", "median" or "mode"; ``grouped``: for every group, records were found whose
    statistic it is, within the rounding of what is printed.
    """

    name: str
    statistic: str
    grouped: bool


@dataclass(frozen=True, eq=False)
class Written:
    """A column of a file: its different ``texts``; ``codes`` int64 (rows), which of them each row has;
    ``classes`` int64 (rows), equal for rows whose quasi-identifiers are written alike; ``stars`` booleans
    (rows): the row is nothing but stars; ``alone``: it is the only quasi-identifier of the file."""

    texts: Sequence[str]
    codes: np.ndarray
    classes: np.ndarray
    stars: np.ndarray
    alone: bool = True

    @property
    def pairs(self) -> bool:
        """True if every class that is shown has two rows or more."""
        return int(np.bincount(self.classes[~self.stars], minlength=1).min(where=self._shown, initial=2)) > 1

    @property
    def _shown(self) -> np.ndarray:
        return np.bincount(self.classes[~self.stars], minlength=1) > 0


def read_aggregates(
    column: Column, cells: Cells, written: Written, anyhow: bool = False
) -> tuple[Cells, Aggregated] | None:
    """Return the cells as aggregates, and their description; None where they are no single values, or can be
    no mean, median or mode of groups. None also where the original has each of these values as often, unless
    ``anyhow`` is set or the column's recoding says that they are aggregates. Cost O(n log n)."""
    if isinstance(column, Numbers):
        found = _Values.of(column, cells, written)
        if found is None:
            return None
        return (found.anyhow() if anyhow else None) or found.aggregated()
    if isinstance(column, Categories):
        return _modes(column, cells, written, anyhow)
    return None


@dataclass(frozen=True, eq=False)
class _Values:
    """The numbers of a column of a file: ``between``, its cells; ``value`` float64 (m), ascending, the
    different numbers; ``rows`` int64: the rows that have one, ``group`` int64 (rows): which; ``near``: how
    far a printed number may be from what it stands for."""

    column: Numbers
    written: Written
    between: Intervals
    value: np.ndarray
    group: np.ndarray
    rows: np.ndarray
    near: float

    @classmethod
    def of(cls, column: Numbers, cells: Cells, written: Written) -> _Values | None:
        between, shown = cells.as_intervals(), np.flatnonzero(~written.stars)
        if not len(shown) or not len(column.present):
            return None
        used = np.unique(written.codes[shown])
        low, high = between.low, between.high
        single = (low == high) & np.isfinite(low)
        nothing = np.isnan(low) | ((low == -np.inf) & (high == np.inf))
        if between.partly_missing[used].any() or not (nothing | single)[used].all():
            return None
        rows = shown[single[written.codes[shown]]]
        if not len(rows):
            return None
        value, group = np.unique(low[written.codes[rows]], return_inverse=True)
        near = _near(column, [written.texts[code] for code in used.tolist() if single[code]])
        return cls(column, written, between, value, group, rows, near)

    @property
    def counts(self) -> np.ndarray:
        return np.bincount(self.group)

    @property
    def whole(self) -> bool:
        """True if every record has a value and a row with a value."""
        return len(self.rows) == len(self.column.values) and not self.column.has_missing

    @property
    def enough(self) -> bool:
        """True if each of the numbers occurs in at least as many records as rows."""
        own, counts = np.unique(self.column.present, return_counts=True)
        place = np.minimum(np.searchsorted(own, self.value), len(own) - 1)
        return bool(((own[place] == self.value) & (counts[place] >= self.counts)).all())

    @property
    def statistics(self) -> list[str]:
        """The statistics that the numbers may be: the one that the column's recoding names, or any."""
        said = self.column.attribute.recoding
        return [s for s in (MEAN, MEDIAN, MODE) if said in ("generalize", s)]

    def aggregated(self) -> tuple[Cells, Aggregated] | None:
        name, written, asked = self.column.attribute.name, self.written, self.statistics
        if self.column.attribute.recoding == "generalize" and self.enough:
            return None
        groupings = self._groupings()
        for statistic in asked:
            for grouping in groupings:
                if (statistic == MEAN or written.pairs) and self._is(grouping, statistic):
                    return self._cells(*_ends(grouping, self.group)), Aggregated(name, statistic, True)
        for statistic in asked:
            if written.pairs and self._may_be(statistic):
                ends = self._farthest() if statistic == MEAN else self._everything()
                return self._cells(*ends), Aggregated(name, statistic, False)
        return None

    def anyhow(self) -> tuple[Cells, Aggregated] | None:
        """Return aggregates that are known only to be within the range of the records' values."""
        for statistic in self.statistics:
            if self._may_overlap(statistic):
                cells = self._cells(*self._everything())
                return cells, Aggregated(self.column.attribute.name, statistic, False)
        return None

    def _groupings(self) -> list[np.ndarray]:
        """float64 (rows shown) each: the value of each row's record, with rows in the order of the records,
        or of their values."""
        found, values = [], self.column.values
        if len(self.written.codes) == len(values):
            found.append(values[self.rows])
        if self.whole and self.written.alone:
            ordered = np.empty(len(self.rows))
            ordered[np.argsort(self.group, kind="stable")] = np.sort(values)
            found.append(ordered)
        return found

    def _is(self, values: np.ndarray, statistic: str) -> bool:
        """Return whether the printed numbers are this of the groups of these values; missing ones do not
        count."""
        present = ~np.isnan(values)
        group, values = self.group[present], values[present]
        counts = np.bincount(group, minlength=len(self.value))
        if not (counts > 0).all():
            return False
        if statistic == MEAN:
            # Differences from the printed number, so that sums of large numbers lose no digits.
            off = np.bincount(group, values - self.value[group]) / counts
            return bool((np.abs(off) <= self.near).all())
        order = np.lexsort((values, group))
        ordered, first = values[order], np.cumsum(counts) - counts
        if statistic == MEDIAN:
            low, high = ordered[first + (counts - 1) // 2], ordered[first + counts // 2]
            return bool((np.abs((low + high) / 2 - self.value) <= self.near).all())
        own = np.bincount(group, np.abs(values - self.value[group]) <= self.near, len(self.value))
        runs = np.flatnonzero(np.append(True, (np.diff(ordered) != 0) | (np.diff(group[order]) != 0)))
        longest = np.zeros(len(self.value))
        np.maximum.at(longest, group[order][runs], np.diff(np.append(runs, len(ordered))))
        return bool((own >= longest).all())

    def _may_be(self, statistic: str) -> bool:
        """Return whether, by sums and counts, some grouping of the records can have these numbers."""
        present, value, counts = np.sort(self.column.present), self.value, self.counts
        if value[0] < present[0] - self.near or value[-1] > present[-1] + self.near:
            return False
        own = np.isin(value, present)
        if statistic == MEAN:
            return bool(own[counts == 1].all()) and (self.column.has_missing or self._within(present))
        if self.column.has_missing:
            return statistic == MEDIAN or bool(own.all())
        if statistic == MODE:
            return bool(own.all()) and self._often_enough()
        half, upto = np.cumsum((counts + 1) // 2), np.searchsorted(present, value + self.near, "right")
        from_up = _from_up((counts + 1) // 2)
        above = len(present) - np.searchsorted(present, value - self.near, "left")
        return bool((half <= upto).all() and (from_up <= above).all())

    def _may_overlap(self, statistic: str) -> bool:
        """Return the same as `_may_be` for overlapping groups, where each record is in equally many groups. A
        median has half of its group on each side, so that at most twice as many rows as records are there."""
        present, value = np.sort(self.column.present), self.value
        if self.column.circle is not None:  # a median between two values of its group may be anywhere
            return True
        if value[0] < present[0] - self.near or value[-1] > present[-1] + self.near:
            return False
        if statistic == MODE:
            return bool(np.isin(value, present).all())
        if self.column.has_missing:
            return True
        if statistic == MEAN:
            return self._within(present)
        upto = np.searchsorted(present, value + self.near, "right")
        above = len(present) - np.searchsorted(present, value - self.near, "left")
        few = (np.cumsum(self.counts) <= 2 * upto).all() and (_from_up(self.counts) <= 2 * above).all()
        return bool(few) and self._between_two(np.unique(present))

    def _between_two(self, own: np.ndarray) -> bool:
        """Return whether each number is a record's value, or the middle of two such values; assumed if there
        are too many to try."""
        left = self.value[~np.isin(self.value, own)]
        if len(left) * len(own) > _TRIED_AT_MOST:
            return True
        other = 2 * left[:, None] - own[None, :]
        place = np.clip(np.searchsorted(own, other), 1, max(1, len(own) - 1))
        nearest = np.minimum(
            np.abs(own[place - 1] - other), np.abs(own[np.minimum(place, len(own) - 1)] - other)
        )
        return bool((nearest <= 2 * self.near).any(axis=1).all())

    def _often_enough(self) -> bool:
        """Return whether, for each value, at least as many records have it as classes publish it."""
        first = np.unique(self.written.classes[self.rows], return_index=True)[1]
        own = np.searchsorted(np.sort(self.column.present), self.value, "right")
        own = own - np.searchsorted(np.sort(self.column.present), self.value, "left")
        return bool((np.bincount(self.group[first], minlength=len(own)) <= own).all())

    def _within(self, present: np.ndarray) -> bool:
        """Return whether the sums of the least, and of the greatest, groups are within those of as many
        records, and the sum of all is that of the column where all records have a row."""
        middle = float(present.mean())
        sums, rows = np.cumsum(self.counts * (self.value - middle)), np.cumsum(self.counts)
        least = np.append(0.0, np.cumsum(present - middle))
        greatest = np.append(0.0, np.cumsum((present - middle)[::-1]))
        room = rows * self.near
        back = sums[-1] - np.append(0.0, sums[:-1])
        after = rows[-1] - np.append(0, rows[:-1])
        if (sums < least[rows] - room).any() or (back > greatest[after] + after * self.near).any():
            return False
        return not self.whole or bool(abs(sums[-1]) <= room[-1])

    def _farthest(self) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest value that a record of each mean can have."""
        present, others = np.sort(self.column.present), self.counts - 1
        least, greatest = self._everything()
        if self.column.has_missing:
            return least, greatest
        low_sums = np.append(0.0, np.cumsum(present))[others]
        high_sums = np.append(0.0, np.cumsum(present[::-1]))[others]
        sums, room = self.counts * self.value, self.counts * self.near
        low = np.maximum(least, sums - room - high_sums)
        return np.minimum(low, self.value), np.maximum(
            np.minimum(greatest, sums + room - low_sums), self.value
        )

    def _everything(self) -> tuple[np.ndarray, np.ndarray]:
        present = self.column.present
        return np.full(len(self.value), present.min()), np.full(len(self.value), present.max())

    def _cells(self, low: np.ndarray, high: np.ndarray) -> Cells:
        """The numbers, in place of the intervals from ``low`` to ``high`` (m) of their groups; other cells
        as they are."""
        own, cells = self.between, np.arange(len(self.between))
        place = np.minimum(np.searchsorted(self.value, own.low), len(self.value) - 1)
        mine = cells[self.value[place] == own.low]
        ends, gaps = (own.low.copy(), own.high.copy()), own.partly_missing.copy()
        ends[0][mine] = np.minimum(low, self.value)[place[mine]]
        ends[1][mine] = np.maximum(high, self.value)[place[mine]]
        gaps[mine] = self.column.has_missing
        shown = np.where(np.isinf(own.low), 0.0, own.low)
        return AggregatedNumbers.of(shown, Intervals(*ends, gaps))


def _from_up(counts: np.ndarray) -> np.ndarray:
    """int64 (m): the sum of each count and all after it."""
    return np.cumsum(counts[::-1])[::-1]


def _ends(values: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """float64 (groups) each: the least and the greatest value of each group."""
    count = int(group.max()) + 1
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    np.fmin.at(low, group, values)
    np.fmax.at(high, group, values)
    return low, high


def _near(column: Numbers, texts: Sequence[str]) -> float:
    """Half of the last place that is printed, or of the unit in which dates are written."""
    size = max(abs(end) for end in column.range) * _EXACT
    if column.attribute.kind == "datetime":
        return _UNITS[column.unit] / 2 + size
    if column.levels or (column.circle is not None and column.circle.clock):
        return 0.5 if column.levels else 30.0
    sign = "," if decimals_of(texts).comma else "."
    places = max(len(text.strip().partition(sign)[2]) for text in texts)
    return 0.5 * 10.0**-places + size


def _modes(
    column: Categories, cells: Cells, written: Written, anyhow: bool
) -> tuple[Cells, Aggregated] | None:
    """Return the same as `read_aggregates` for categories."""
    sets, shown, name = cells.as_sets(), np.flatnonzero(~written.stars), column.attribute.name
    every, used = len(column.labels), np.unique(written.codes[shown])
    if not len(shown) or (sets.sizes[used] != 1).any() or not (written.pairs or anyhow):
        return None
    value = np.zeros(len(sets), np.int64)
    value[used] = sets.codes[sets.starts[:-1][used]]
    published, own = value[written.codes[shown]], np.bincount(column.codes, minlength=every)
    if anyhow:
        return _hiding(value, [np.arange(every)] * len(value)), Aggregated(name, MODE, False)
    if column.attribute.recoding == "generalize" and (np.bincount(published, minlength=every) <= own).all():
        return None
    if len(written.codes) == len(column.codes):
        codes, classes = column.codes[shown].astype(np.int64), written.classes[shown]
        keys, counts = np.unique(classes * every + codes, return_counts=True)
        most = np.zeros(int(classes.max()) + 1, np.int64)
        np.maximum.at(most, keys // every, counts)
        if (np.bincount(classes, published == codes, len(most)) >= most)[classes].all():
            pairs = np.unique(published * every + codes)
            members = [pairs[pairs // every == code] % every for code in value.tolist()]
            return _hiding(value, members), Aggregated(name, MODE, True)
    first = np.unique(written.classes[shown], return_index=True)[1]
    if (np.bincount(published[first], minlength=every) > own).any():
        return None
    return _hiding(value, [np.arange(every)] * len(value)), Aggregated(name, MODE, False)


def _hiding(value: np.ndarray, members: Sequence[np.ndarray]) -> Cells:
    """The categories with these codes, each in place of a set."""
    starts = np.append(0, np.cumsum([len(codes) for codes in members])).astype(np.int64)
    hidden = ValueSets(starts, np.concatenate(members).astype(np.int32))
    return AggregatedValues.of(value.astype(np.int32), hidden)

"""Information loss by the sum of squared differences from the mean: SSE / SST."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from kanon_core.base.sums import Sums, counts_of, moments_of, squares_about
from kanon_core.distances.chosen import names_of, sources
from kanon_core.distances.unscaled import centers_and_factors, compares_all_values, mismatches, unscaled
from kanon_core.metrics.base import Measured
from kanon_core.metrics.loss.setlosses import Against, against, category_loss, item_loss
from kanon_core.metrics.summed import Anonymized, Summed
from kanon_core.release.release import Release
from kanon_core.table.table import Table, item_sets


@dataclass(frozen=True)
class ILSSDM(Summed):
    """ILSSDM = SSE / SST, in 0..1 (ILD paper, §2.4.2; MIL paper, §2).

    SSE = Σ over records of d²(record, centroid of the set it is published with: its group), SST the same with
    one group of all records. d is the mixed distance (`kanon_core.distances.mixed`), in which the distances
    chosen for columns count, a place as one attribute; a category's centroid is its shares, so it adds w/2 ·
    (n_g − Σ_v n_gv² / n_g) per attribute and group. Of item sets (ours) each item is a coordinate that is 1
    where the record has it, all of a column scaled together so that it varies as much as a number does. For
    z-scored numbers this is the paper's definition. The measure judges the grouping: it is the same whether a
    group publishes means or intervals. A suppressed record counts with its distance to the overall centroid.
    Where records of a group show items of their own, each item has two sets: the records of the group that
    show it, which lose nothing of it, and the others. SST = 0 (nothing varies) gives 0. Cost O(n ·
    attributes).
    """

    title: ClassVar[str] = "Information loss"
    short: ClassVar[str] = "Loss"
    symbol: ClassVar[str] = "SSE/SST"
    sentence: ClassVar[str] = (
        "Share of the variation between records that is lost within the groups; 0 % keeps all, 100 % keeps"
        " none."
    )
    scale: ClassVar[str] = "0 % = nothing lost"
    formula: ClassVar[str] = r"\mathrm{SSE}/\mathrm{SST},\ \mathrm{SSE}=\sum_g\sum_{i\in g}d^2(x_i,\bar x_g)"
    example: ClassVar[str] = "Values 1, 3 | 5, 7: SSE = 2 + 2 = 4, SST = 20, loss = 0.2."
    percent: ClassVar[bool] = True
    monotone: ClassVar[bool] = True
    of_groups: ClassVar[bool] = True
    parts: ClassVar[tuple[str, ...]] = ("total", "attribute", "record")

    def part(self, table: Table, made: Anonymized) -> Sums:
        """Return the sums of each column.

        Of numbers: the moments, the squared differences from the means of the sets, and how the center of the
        whole table pulls missing and suppressed values (`Against`). Of codes and items: how often each
        occurs, and what the sets lose of them.
        """
        return Sums.combine([_whole(table, made), *(column.sums(made) for column in _lost(table, made))])

    def total(self, table: Table, sums: Sums) -> Measured:
        """Total, and per attribute (its own SSE / SST)."""
        frame = _Frame.of(table, sums)
        whole, lost = frame.whole, frame.lost(sums)
        sst = sum(whole.values())
        shares = {name: lost[name] / own if sst > 0 and own > 0 else 0.0 for name, own in whole.items()}
        return Measured(sum(lost.values()) / sst if sst > 0 else 0.0, _by_column(table, shares))

    def unsummed(self, table: Table) -> list[str]:
        """Return where a chosen distance compares all values of a column of numbers."""
        return compares_all_values(table)

    def measure(self, table: Table, release: Release) -> Measured:
        """Return also, per record, its share of SST; the shares add up to the total."""
        whole, records = _whole(table, release), np.zeros(len(table))
        frame, parts = _Frame.of(table, whole), [whole]
        sst = sum(frame.whole.values())
        for column in _lost(table, release):
            parts.append(column.sums(release))
            records += frame.records(column)
        found = self.total(table, Sums.combine(parts))
        return replace(found, records=records / sst if sst > 0 else np.zeros(len(table)))


class _Lost(NamedTuple):
    """The loss of the records of a part in one column, per record, float64 (n): of each of its numbers, of
    its ``codes`` (the values themselves), or of its items."""

    name: str
    numbers: tuple[Against, ...] = ()
    codes: tuple[np.ndarray, ...] = ()
    items: np.ndarray | None = None

    def sums(self, made: Anonymized) -> Sums:
        """Return the losses added up; those of codes and items leave out suppressed records, which are
        counted instead."""
        shown = made.set_of >= 0
        found, moments = dict[str, np.ndarray](), dict[str, np.ndarray]()
        if self.numbers:
            own = [one.sums for one in self.numbers]
            found[f"numbers:{self.name}"] = np.array([squares for squares, _ in own])
            moments[f"pulled:{self.name}"] = np.array([pulled for _, pulled in own])
        for number, lost in enumerate(self.codes if self.items is None else (self.items,)):
            found[f"{number}:{self.name}"] = np.array(lost[shown].sum())
        return Sums(found, moments=moments)


def _lost(table: Table, made: Anonymized) -> Iterator[_Lost]:
    for column in unscaled(table):
        codes = (category_loss(own.astype(np.int32, copy=False), made) for own in column.codes)
        yield _Lost(column.name, tuple(against(own, made) for own in column.numbers), tuple(codes))
    for items in item_sets(table):
        yield _Lost(items.attribute.name, items=item_loss(items, made))


def _whole(table: Table, made: Anonymized) -> Sums:
    """Return what does not depend on the sets, found once for a table where nothing is suppressed: the
    moments of numbers, and how often codes and items occur, in all records and in the suppressed ones."""
    gone = made.set_of < 0
    if not gone.any():
        return table.once("ILSSDM", lambda: _counted(table, gone))
    return _counted(table, gone)


def _counted(table: Table, gone: np.ndarray) -> Sums:
    counts, moments = dict[str, np.ndarray](), dict[str, np.ndarray]()
    for column in unscaled(table):
        if column.numbers:
            present = ~np.isnan(column.numbers[0])
            moments[f"whole:{column.name}"] = np.array([moments_of(own[present]) for own in column.numbers])
        for number, own in enumerate(column.codes):
            counts[f"{number}:{column.name}"] = counts_of(own, own[gone])
    for items in item_sets(table):
        held = np.repeat(gone, items.sizes)
        counts[f"0:{items.attribute.name}"] = counts_of(items.items, items.items[held])
    return Sums({"records": np.array([len(gone), gone.sum()])}, counts, moments)


class _Codes(NamedTuple):
    """Counts of some codes: how often each occurs in all ``records``, ``held``, and in the suppressed ones,
    ``gone``, both int64 (V). ``weight``: how much the mean squared difference of a record from the shares
    counts."""

    held: np.ndarray
    gone: np.ndarray
    records: np.ndarray
    weight: float

    @classmethod
    def of(cls, sums: Sums, name: str, weight: float) -> _Codes:
        """Return the codes that are counted by this name."""
        _, held, gone = sums.counts[name]
        return cls(held, gone, sums.numbers["records"], weight)

    @property
    def spread(self) -> float:
        """Σ (x − f)² over all records, x = 1 where a record has the code, f the share of those that do."""
        return float((self.held * (1 - self.held / self.records[0])).sum())

    @property
    def of_gone(self) -> float:
        """Return the same sum over the suppressed records."""
        shares = self.held / self.records[0]
        return float((self.gone * (1 - 2 * shares)).sum() + self.records[1] * (shares**2).sum())


@dataclass(frozen=True)
class _Frame:
    """The mixed distance, once all parts are added up. By column (numbers first, item sets last): the centers
    and the factor of its numbers, and its codes or items."""

    columns: tuple[str, ...]
    numbers: Mapping[str, tuple[np.ndarray, float]]
    codes: Mapping[str, tuple[_Codes, ...]]
    moments: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, table: Table, sums: Sums) -> _Frame:
        """Return the frame of a table, by the sums of all its records. Codes count half of a mismatch, as
        much as each of the two codes adds to the squared distance; all items of a column together vary as
        much as a number does."""
        codes = dict[str, tuple[_Codes, ...]]()
        for name, weights in mismatches(table).items():
            halves = [(f"{number}:{name}", weight / 2) for number, weight in enumerate(weights)]
            codes[name] = tuple(_Codes.of(sums, key, half) for key, half in halves)
        moments = {name: sums.moments[key] for name in codes if (key := f"whole:{name}") in sums.moments}
        names = sorted(codes, key=lambda name: name not in moments)
        for items in item_sets(table):
            name = items.attribute.name
            own = _Codes.of(sums, f"0:{name}", items.attribute.weight)
            scale = (float(own.records[0]) - 1) / (own.spread or 1.0)
            codes[name] = (own._replace(weight=own.weight * scale),)
            names.append(name)
        return cls(tuple(names), centers_and_factors(table, moments), codes, moments)

    @property
    def whole(self) -> dict[str, float]:
        """SST of each column."""
        found = {name: sum(own.weight * own.spread for own in self.codes[name]) for name in self.columns}
        for name, (_, factor) in self.numbers.items():
            found[name] += factor * float(self.moments[name][:, 2].sum())
        return found

    def lost(self, sums: Sums) -> dict[str, float]:
        """SSE of each column."""
        found = dict.fromkeys(self.columns, 0.0)
        for name, (center, factor) in self.numbers.items():
            pulled = squares_about(sums.moments[f"pulled:{name}"], center)
            found[name] += factor * float(sums.numbers[f"numbers:{name}"].sum() + pulled.sum())
        for name, codes in self.codes.items():
            for number, own in enumerate(codes):
                found[name] += own.weight * (float(sums.numbers[f"{number}:{name}"]) + own.of_gone)
        return found

    def records(self, column: _Lost) -> np.ndarray:
        """SSE of each record in a column."""
        found = []
        if column.numbers:
            center, factor = self.numbers[column.name]
            pairs = zip(column.numbers, center.tolist(), strict=True)
            found = [factor * one.squares(c) for one, c in pairs]
        lost = column.codes if column.items is None else (column.items,)
        found += [own.weight * one for own, one in zip(self.codes[column.name], lost, strict=True)]
        return np.asarray(sum(found))


def _by_column(table: Table, shares: dict[str, float]) -> dict[str, float]:
    """Return the shares of the attributes; the two columns of a place, which is one attribute, have the same
    share."""
    places = (names_of(source) for source in sources(table.quasi))
    return shares | {name: shares[names[0]] for names in places for name in names[1:]}

"""Published histories: a history is the multiset of the rows that are published under one pseudonym.

A table in which people have many records publishes, in place of the person, a pseudonym that ties their rows
together. A cover of blocks (`kanon_core.covers.cover.Histories`) may give a person several: one in each
block.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.base.randomness import generator, subkey
from kanon_core.covers.cells import PublishedColumn
from kanon_core.covers.cover import Cover, Histories
from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.columns.texts import as_published, number_texts
from kanon_core.table.order import hashes_of_rows
from kanon_core.table.people import Persons, persons_of
from kanon_core.table.table import Table

_NINE_DIGITS = re.compile("[1-9][0-9]{8}")
_LOWEST, _HIGHEST = 100_000_000, 1_000_000_000


@dataclass(frozen=True)
class Bearers:
    """Pseudonyms by number, in the order in which they first appear: ``numbers`` int64 (n) is the pseudonym
    of each record, −1 = none; ``owner`` int64 (bearers) is the person of each pseudonym
    (`Persons.numbers`)."""

    numbers: np.ndarray
    owner: np.ndarray

    def __len__(self) -> int:
        return len(self.owner)

    @property
    def several(self) -> bool:
        """True if a person has more than one."""
        return len(np.unique(self.owner)) < len(self.owner)


def bearers_of(persons: Persons, cover: Cover) -> Bearers:
    """One pseudonym for each person, or, in a cover of blocks, for each person in each block."""
    blocks = cover.blocks if isinstance(cover, Histories) else np.zeros(len(cover), np.int64)
    shown = np.flatnonzero(~cover.suppressed & (persons.numbers >= 0))
    keys = persons.numbers[shown] * (int(blocks.max(initial=0)) + 1) + blocks[shown]
    codes, uniques = pd.factorize(keys)
    numbers = np.full(len(cover), -1, np.int64)
    numbers[shown] = codes
    return Bearers(numbers, np.asarray(uniques, np.int64) // (int(blocks.max(initial=0)) + 1))


def equal_histories(numbers: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """int64 (bearers): a number for each bearer; bearers with equal multisets of ``rows`` share it.

    ``numbers`` int64 (n): the bearer of each row, −1 = none; ``rows`` int64 (n): equal numbers for equal
    published rows. The result's numbers are in an order that depends on the multisets alone. Cost O(n log n).
    """
    shown = np.flatnonzero(numbers >= 0)
    shown = shown[np.lexsort((rows[shown], numbers[shown]))]
    counts = np.bincount(numbers[shown])
    ends = 8 * np.cumsum(counts)
    packed = rows[shown].astype(">i8").tobytes()
    each = [packed[end - 8 * count : end] for end, count in zip(ends.tolist(), counts.tolist(), strict=True)]
    number = {history: place for place, history in enumerate(sorted(set(each)))}
    return np.array([number[history] for history in each], np.int64)


def hiding(histories: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """int64 (bearers): among how many people each published history hides its person.

    Among the people with an equal history, each person counts once. If the P pseudonyms of that history
    include several of one person, at most M of one, a pseudonym is that person's with the chance M / P; so
    these people hide among P // M.
    """
    pairs = histories * (int(owner.max(initial=0)) + 1) + owner
    codes, counts = np.unique(pairs, return_counts=True)
    classes = codes // (int(owner.max(initial=0)) + 1)
    most = np.zeros(int(histories.max(initial=-1)) + 1, np.int64)
    np.maximum.at(most, classes, counts)
    return np.asarray((np.bincount(histories, minlength=len(most)) // np.maximum(most, 1))[histories])


def pseudonyms_of(
    table: Table, published: Sequence[PublishedColumn], bearers: Bearers, seed: int
) -> np.ndarray:
    """int64 (n): the number under which each record is published, of nine digits; 0 = suppressed."""
    kept = np.flatnonzero(published[0].cell >= 0)
    rows = np.zeros((len(table), 2), np.uint64)
    rows[kept] = row_hashes(_cells(table, published, kept), seed)
    names = names_of(history_sums(bearers.numbers, rows), seed, names_taken(table))
    return np.asarray(np.append(names, 0)[bearers.numbers])


def row_hashes(columns: Iterable[tuple[np.ndarray, Iterable[object]]], seed: int) -> np.ndarray:
    """uint64 (n, 2): two keyed hashes of each published row, of which `history_sums` are made.

    ``columns``: all that are published but the pseudonym, in the order of the schema, each as codes, int (n),
    and its different cells, as in `kanon_core.table.order.hashes_of_rows`. Rows that are written alike have
    equal hashes, in whatever part of the table they are. Cost O(n · columns).
    """
    known = list(columns)
    return np.column_stack([hashes_of_rows(known, seed, f"histories-{lane}") for lane in range(2)])


def history_sums(numbers: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """uint64 (bearers, 2): for each bearer the sums of the hashes of their rows, modulo 2^64.

    ``numbers`` int64 (n): the bearer of each row (`Bearers.numbers`), −1 = none; ``rows`` uint64 (n, 2):
    `row_hashes`. Equal multisets of rows have equal sums, and two different ones almost never (2^−128), so
    that a part that holds all rows of some bearers finds their sums without the other rows. Cost O(n).

    >>> rows = np.array([[1, 10], [2, 20], [2, 20], [1, 10], [9, 90]], np.uint64)
    >>> history_sums(np.array([0, 0, 1, 1, -1]), rows).tolist()
    [[3, 30], [3, 30]]
    """
    shown = np.flatnonzero(numbers >= 0)
    sums = np.zeros((int(numbers.max(initial=-1)) + 1, 2), np.uint64)
    for lane in range(2):
        np.add.at(sums[:, lane], numbers[shown], rows[shown, lane])
    return sums


def names_of(sums: np.ndarray, seed: int, taken: np.ndarray) -> np.ndarray:
    """int64 (bearers): a number of nine digits for each, all different and none of those ``taken`` (int64,
    different).

    The histories, in the order of their ``sums`` (`history_sums`), are given numbers drawn from the seed.
    Bearers of equal histories could swap their numbers without a change in what is published. So the
    published rows, pseudonyms included, depend on the multiset of histories and the seed alone: an attacker
    who knows the seed and the original still cannot tell equal ones apart. Numbers in ``taken`` are left out
    so that no pseudonym is the number of another customer.
    """
    wanted = min(len(sums) + len(taken), _HIGHEST - _LOWEST)
    drawn = generator(subkey(seed, "pseudonyms")).choice(_HIGHEST - _LOWEST, wanted, replace=False) + _LOWEST
    names = np.zeros(len(sums), np.int64)
    names[np.lexsort(sums.T[::-1])] = drawn[~np.isin(drawn, taken)][: len(sums)]
    return names


def numbers_that_are_names(names: Iterable[str]) -> np.ndarray:
    """int64, ascending: those of these texts, each a person's name, that are numbers of nine digits.

    >>> numbers_that_are_names(["Ann", "123456789", " 100000000", "12345"]).tolist()
    [100000000, 123456789]
    """
    return np.array(sorted({int(name) for name in names if _NINE_DIGITS.fullmatch(name.strip())}), np.int64)


def names_taken(table: Table) -> np.ndarray:
    """int64, ascending: the numbers of nine digits that are a person's name in the table. Cost O(n log n)."""
    column = table[persons_of(table).column]
    if isinstance(column, Numbers):
        return numbers_that_are_names(number_texts(np.unique(column.values[~column.missing]), column))
    assert isinstance(column, Categories)
    return numbers_that_are_names(column.labels)


def _cells(
    table: Table, published: Sequence[PublishedColumn], kept: np.ndarray
) -> Iterator[tuple[np.ndarray, Iterable[object]]]:
    """Yield what is published of the records that are not suppressed, as `Release.publish` writes it."""
    recoded = {column.attribute.name: column for column in published}
    for attribute in table.schema:
        if attribute.name in recoded:
            yield _recoded(table, recoded[attribute.name], kept)
        elif attribute.role in ("sensitive", "other"):
            cells = as_published(table.frame[attribute.name].iloc[kept])
            yield pd.factorize(cells, use_na_sentinel=False)


def _recoded(
    table: Table, published: PublishedColumn, kept: np.ndarray
) -> tuple[np.ndarray, Iterable[object]]:
    """Means and medians as numbers where none is missing, all other cells as texts."""
    column, cell, cells = table[published.attribute.name], published.cell[kept], published.cells
    numbers, written = cells.numbers(), None
    if numbers is not None and isinstance(column, Numbers) and not np.isnan(numbers[cell]).any():
        written = column.as_written(numbers)
    return cell, cells.texts(column, np.arange(len(cells))) if written is None else written

"""Published histories: a history is the multiset of the rows that are published under one pseudonym.

A table in which people have many records publishes, in place of the person, a pseudonym that ties their rows
together. A cover of blocks (`kanon_core.release.cover.Histories`) may give a person several: one in each
block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from kanon_core.base.randomness import generator, subkey
from kanon_core.release.cells import PublishedColumn
from kanon_core.release.cover import Cover, Histories
from kanon_core.table.columns.columns import Categories, Numbers
from kanon_core.table.columns.keys import row_keys
from kanon_core.table.columns.texts import number_texts
from kanon_core.table.people import Persons, persons_of
from kanon_core.table.table import Table

_NINE_DIGITS = re.compile("[1-9][0-9]{8}")
_LOWEST, _HIGHEST = 100_000_000, 1_000_000_000


@dataclass(frozen=True)
class Bearers:
    """Pseudonyms by number, in the order in which they first appear: ``numbers`` int64 (n) says under which
    each record is published, −1 = none; ``owner`` int64 (bearers) whose each is (`Persons.numbers`)."""

    numbers: np.ndarray
    owner: np.ndarray

    def __len__(self) -> int:
        return len(self.owner)

    @property
    def several(self) -> bool:
        """Whether a person has more than one."""
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
    """int64 (bearers): those whose multisets of ``rows`` are equal share a number.

    ``numbers`` int64 (n): whose each row is, −1 = no person's; ``rows`` int64 (n): equal numbers for equal
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

    Of those who have an equal history, each person counts once; where a person has several of them, one
    pseudonym of P is that person's with the chance M / P for the M of the person who has most, so they hide
    among P // M.
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
    ranks = row_ranks(table, published)
    names = pseudonyms(bearers, ranks, seed, numbers_that_are_names(table))
    return np.asarray(np.append(names, 0)[bearers.numbers])


def row_ranks(table: Table, published: Sequence[PublishedColumn]) -> np.ndarray:
    """int64 (n): the rank of what is published of each record, among all that is published; −1 = suppressed.

    Columns published unchanged count too. The ranks depend on the published texts alone, not on the order of
    records.
    """
    kept = np.flatnonzero(published[0].cell >= 0)
    parts = [
        pd.factorize(table.frame[attribute.name].iloc[kept].astype(str), sort=True)[0]
        for attribute in table.schema.of_role("sensitive", "other")
    ]
    for column in published:
        texts = column.cells.texts(table[column.attribute.name], np.arange(len(column.cells)))
        parts.append(pd.factorize(np.array(texts, dtype=object), sort=True)[0][column.cell[kept]])
    ranks = np.full(len(table), -1, np.int64)
    ranks[kept] = row_keys(np.column_stack(parts))
    return ranks


def numbers_that_are_names(table: Table) -> np.ndarray:
    """int64, ascending: the numbers of nine digits that are a person's name in the table. Cost O(n log n)."""
    column = table[persons_of(table).column]
    if isinstance(column, Numbers):
        texts = number_texts(np.unique(column.values[~column.missing]), column)
    else:
        assert isinstance(column, Categories)
        texts = list(column.labels)
    return np.array(sorted({int(text) for text in texts if _NINE_DIGITS.fullmatch(text.strip())}), np.int64)


def pseudonyms(bearers: Bearers, ranks: np.ndarray, seed: int, names_taken: np.ndarray) -> np.ndarray:
    """int64 (bearers): a number of nine digits for each, all different and none of those taken (int64,
    different).

    The histories in the order of their ranks are given numbers drawn from the seed. Those of equal histories
    could swap theirs without a change in what is published. So the published rows, pseudonyms included,
    depend on the multiset of histories and the seed alone: an attacker who knows the seed and the original
    still cannot tell equal ones apart. ``ranks``: see `row_ranks`. Names are taken so that no pseudonym is
    the number of another customer.
    """
    order = np.argsort(equal_histories(bearers.numbers, ranks), kind="stable")
    wanted = min(len(bearers) + len(names_taken), _HIGHEST - _LOWEST)
    drawn = generator(subkey(seed, "pseudonyms")).choice(_HIGHEST - _LOWEST, wanted, replace=False) + _LOWEST
    drawn = drawn[~np.isin(drawn, names_taken)][: len(bearers)]
    names = np.zeros(len(bearers), np.int64)
    names[order] = drawn
    return names

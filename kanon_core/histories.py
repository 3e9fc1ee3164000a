"""Published histories: what is published of a person is the multiset of the person's published rows.

A table in which people have many records publishes, in place of the person, a pseudonym that ties their rows together.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from kanon_core.cells import Published, _rank
from kanon_core.data.persons import Persons
from kanon_core.data.table import Table
from kanon_core.randomness import generator

_PSEUDONYMS = 2
"""The stream of the seed that pseudonyms are drawn from; the order of rows has its own."""
_LOWEST, _HIGHEST = 100_000_000, 1_000_000_000


def equal_histories(persons: Persons, rows: np.ndarray) -> np.ndarray:
    """int64 (people): people whose multisets of ``rows`` are equal share a number, −1 = nothing is published of them.

    ``rows`` int64 (n): equal numbers for equal published rows, −1 = suppressed. Numbers are in an order that depends on
    the multisets alone. Cost O(n log n).
    """
    shown = np.flatnonzero((rows >= 0) & (persons.numbers >= 0))
    shown = shown[np.lexsort((rows[shown], persons.numbers[shown]))]
    counts = np.bincount(persons.numbers[shown], minlength=len(persons))
    ends = 8 * np.cumsum(counts)
    packed = rows[shown].astype(">i8").tobytes()
    each = [packed[end - 8 * count : end] for end, count in zip(ends.tolist(), counts.tolist(), strict=True)]
    number = {history: place for place, history in enumerate(sorted(set(each) - {b""}))}
    return np.array([number.get(history, -1) for history in each], np.int64)


def row_ranks(table: Table, published: Sequence[Published], cell: np.ndarray) -> np.ndarray:
    """int64 (n): the rank of what is published of each record, among all that is published; −1 = suppressed.

    Columns published unchanged count too. The ranks depend on the published texts alone, not on the order of records.
    """
    kept = np.flatnonzero(cell >= 0)
    parts = [np.zeros(len(kept), np.int64)]
    parts += [
        pd.factorize(table.frame[attribute.name].iloc[kept].astype(str), sort=True)[0]
        for attribute in table.schema.of_role("sensitive", "other")
    ]
    for column in published:
        texts = column.texts(table[column.attribute.name], np.arange(int(cell.max(initial=-1)) + 1))
        parts.append(pd.factorize(np.array(texts, dtype=object), sort=True)[0][cell[kept]])
    ranks = np.full(len(cell), -1, np.int64)
    ranks[kept] = _rank(np.column_stack(parts))
    return ranks


def pseudonyms(persons: Persons, ranks: np.ndarray, seed: int) -> np.ndarray:
    """int64 (people): a number of nine digits for each person of whom anything is published, all different; else 0.

    The histories in the order of their ranks are given numbers drawn from the seed. People of equal histories could swap
    theirs without a change in what is published. So the published rows, pseudonyms included, depend on the multiset of
    histories and the seed alone: whoever knows the seed and all of the original still cannot tell equal ones apart.
    ``ranks``: see `row_ranks`.
    """
    histories = equal_histories(persons, ranks)
    shown = np.flatnonzero(histories >= 0)
    drawn = generator(seed, _PSEUDONYMS).choice(_HIGHEST - _LOWEST, len(shown), replace=False) + _LOWEST
    names = np.zeros(len(persons), np.int64)
    names[shown[np.argsort(histories[shown], kind="stable")]] = drawn
    return names

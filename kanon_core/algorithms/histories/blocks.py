"""Which people form a block: by their number of records, suppressing the fewest, or by similarity."""

from __future__ import annotations

import numpy as np

from kanon_core.algorithms.histories.values import Values
from kanon_core.data.persons import Persons
from kanon_core.progress import Tick

_QUANTILES = 8
_WINDOW = 10


def by_count(counts: np.ndarray, k: int, spread: bool) -> np.ndarray:
    """int64 (people): the block of each person, those with most records first; −1 = left out [002 §2.2, step 1]."""
    order = np.argsort(-counts, kind="stable")
    whole, left = divmod(len(counts), k)
    sizes = np.full(whole, k)
    if spread:
        sizes += left // whole + (np.arange(whole) >= whole - left % whole)
    blocks = np.full(len(counts), -1, np.int64)
    blocks[order[: sizes.sum()]] = np.repeat(np.arange(whole), sizes)
    return blocks


def by_fewest(counts: np.ndarray, k: int) -> np.ndarray:
    """int64 (people): blocks of k … 2k − 1 people that suppress the fewest records of all blocks; −1 = left out.

    With people sorted by count, some best blocks are runs of them, and a run of s people up to the i-th keeps s · counts[i]:
    dynamic programming over i, in which a person may also be left out. Cost O(people · k).
    """
    order = np.argsort(-counts, kind="stable")
    kept, size = np.zeros(len(order) + 1, np.int64), np.zeros(len(order) + 1, np.int64)
    for i in range(1, len(order) + 1):
        sizes = np.arange(k, min(2 * k - 1, i) + 1)
        found = kept[i - sizes] + sizes * counts[order[i - 1]]
        best = int(np.argmax(found)) if len(found) else -1
        kept[i] = kept[i - 1]
        if best >= 0 and found[best] > kept[i]:
            kept[i], size[i] = found[best], sizes[best]
    runs, i = [], len(order)
    while i > 0:
        if size[i]:
            runs.append(order[i - size[i] : i])
        i -= max(1, int(size[i]))
    blocks = np.full(len(counts), -1, np.int64)
    for number, run in enumerate(reversed(runs)):
        blocks[run] = number
    return blocks


def by_similarity(values: Values, persons: Persons, k: int, spread: bool, tick: Tick) -> np.ndarray:
    """int64 (people): blocks of k people, each begun by the one with most records who is free; −1 = left out.

    One after another the block takes, of the 10 k free people with most records, whoever adds least to an estimate of its
    error: the attributes times the records it suppresses, plus half its records times the mean distance of the people in it.
    The distance of two people is Σ over numbers of the mean difference of their 8 quantiles, in standard
    deviations, at most 1 each. Fewer than k are left at the end: they are left out, or ``spread`` over the last blocks.
    """
    quantiles, counts = _quantiles(values, persons), persons.counts
    left = np.argsort(-counts, kind="stable")
    whole, blocks = len(counts) // k, np.full(len(counts), -1, np.int64)
    for block in range(whole):
        window = left[: _WINDOW * k]
        chosen = _block(quantiles[:, window], counts[window], k, float(values.weights.sum()))
        blocks[window[chosen]] = block
        left = np.delete(left, chosen)
        tick(block / whole, "choosing people")
    if spread:
        blocks[left] = whole - 1 - np.arange(len(left)) % whole
    return blocks


def _block(quantiles: np.ndarray, counts: np.ndarray, k: int, lost: float) -> np.ndarray:
    """The places of k people: the first of the window, and those who suit best. ``quantiles`` (numbers, window, 8)."""
    chosen, least, total = [0], counts[0], counts[0]
    away, free = np.zeros(len(counts)), np.ones(len(counts), bool)
    while len(chosen) < k:
        free[chosen[-1]] = False
        difference = np.minimum(np.abs(quantiles - quantiles[:, chosen[-1], None]), 1.0)
        away += difference.mean(axis=2).sum(axis=0)
        size = len(chosen) + 1
        shared = np.minimum(least, counts)
        cost = (total + counts - size * shared) * lost + shared * away * size / (2 * len(chosen))
        chosen.append(int(np.argmin(np.where(free, cost, np.inf))))
        least, total = min(least, counts[chosen[-1]]), total + counts[chosen[-1]]
    return np.array(chosen)


def _quantiles(values: Values, persons: Persons) -> np.ndarray:
    """float64 (numbers, people, 8): quantiles of each person's numbers, times the attribute's weight."""
    counts, nobody = persons.counts, int((persons.numbers < 0).sum())
    starts = nobody + np.cumsum(counts) - counts
    shares = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    places = starts[:, None] + np.floor(shares * counts[:, None]).astype(np.int64)
    found = [
        weight * column[np.lexsort((column, persons.numbers))][places]
        for column, weight in zip(values.numbers.T, values.weights, strict=False)
    ]
    return np.array(found).reshape(len(found), len(counts), _QUANTILES)


def slot_starts(counts: np.ndarray, blocks: np.ndarray) -> np.ndarray:
    """int64 (blocks + 1): the first slot of each block, which has as many as its person with the fewest records."""
    kept = np.flatnonzero(blocks >= 0)
    least = np.full(int(blocks.max(initial=-1)) + 1, np.iinfo(np.int64).max)
    np.minimum.at(least, blocks[kept], counts[kept])
    return np.concatenate([[0], np.cumsum(least)]).astype(np.int64)

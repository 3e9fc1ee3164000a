"""Blocks of people: by number of records, with the fewest records suppressed, or by similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush

import numpy as np

from kanon_core.algorithms.histories.values import Values
from kanon_core.base.progress import Tick
from kanon_core.base.words import tr
from kanon_core.table.people import Persons

_QUANTILES = 8
_WINDOW = 10


@dataclass(frozen=True)
class Blocks:
    """Blocks of people. ``members``: the people of each block; ``slots`` int64 (blocks): the number of
    records that each of its people publishes. A person in several blocks has a pseudonym in each.
    """

    members: tuple[np.ndarray, ...]
    slots: np.ndarray

    def __len__(self) -> int:
        return len(self.members)

    @cached_property
    def starts(self) -> np.ndarray:
        """Return the number of each block's first slot, over all blocks, int64 (blocks + 1)."""
        return np.concatenate([[0], np.cumsum(self.slots)]).astype(np.int64)

    @property
    def block(self) -> np.ndarray:
        """Return the block of each slot, int64 (slots + 1); the last is −1, for slot −1."""
        return np.append(np.repeat(np.arange(len(self)), self.slots), -1)


def whole(labels: np.ndarray, counts: np.ndarray) -> Blocks:
    """Return blocks of people with equal ``labels``, −1 = in none; slots: the fewest records of a person."""
    order = np.argsort(labels, kind="stable")[int((labels < 0).sum()) :]
    ends = np.flatnonzero(np.diff(labels[order])) + 1
    return _blocks(np.split(order, ends) if len(order) else [], counts)


def _blocks(members: Sequence[np.ndarray], counts: np.ndarray) -> Blocks:
    """Return blocks; each, in order, has as many slots as its person with fewest records left."""
    left, slots = counts.copy(), np.zeros(len(members), np.int64)
    for number, people in enumerate(members):
        slots[number] = left[people].min()
        left[people] -= slots[number]
    return Blocks(tuple(members), slots)


def by_count(counts: np.ndarray, k: int, spread: bool) -> Blocks:
    """Return blocks of k people, most records first; the last n mod k are left out, or ``spread`` (§2.2)."""
    order = np.argsort(-counts, kind="stable")
    full, left = divmod(len(counts), k)
    sizes = np.full(full, k)
    if spread:
        sizes += left // full + (np.arange(full) >= full - left % full)
    blocks = np.full(len(counts), -1, np.int64)
    blocks[order[: sizes.sum()]] = np.repeat(np.arange(full), sizes)
    return whole(blocks, counts)


def by_fewest(counts: np.ndarray, k: int) -> Blocks:
    """Return blocks of k … 2k − 1 people that suppress the fewest records, each person in at most one block.

    With people sorted by count, some optimal blocks are runs of them, and a run of s people up to the i-th
    publishes s · counts[i] records: dynamic programming over i, in which a person may also be left out. Cost
    O(people · k).
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
    return whole(blocks, counts)


def by_similarity(
    values: Values, persons: Persons, k: int, spread: bool, goes_on: bool, tick: Tick
) -> Blocks:
    """Return blocks of k people; each block starts with the person who has most records left.

    Among the 10 k people with most records left, people join one by one: always the one who increases an
    estimate of the block's error least. The estimate is the number of attributes times the records beyond the
    slots, plus half the records times the mean distance of the people. The distance of two people is Σ over
    numbers of the mean difference of their 8 quantiles, in standard deviations, at most 1 each.

    With ``goes_on``, a person who has at least half as many records left as the block has slots can join
    later blocks. At the end fewer than k people remain; they are left out, or, with ``spread``, those in no
    block join the last blocks. Cost O(k² · window) for each block.
    """
    quantiles, left = _quantiles(values, persons), persons.counts
    weight, members, total = float(values.weights.sum()), list[np.ndarray](), len(left)
    waiting = sorted((-count, person) for person, count in enumerate(left.tolist()))  # a heap
    while len(waiting) >= k:
        window = np.array([heappop(waiting)[1] for _ in range(min(_WINDOW * k, len(waiting)))])
        people = np.sort(window[_block(quantiles[:, window], left[window], k, weight)])
        slots = left[people].min()
        rest = left[people] - slots
        left[people] = np.where((rest > 0) & (2 * rest >= slots), rest, 0) if goes_on else 0
        members.append(people)
        for person in window[left[window] > 0].tolist():
            heappush(waiting, (-int(left[person]), person))
        tick(1 - len(waiting) / total, tr("forming blocks of people"))
    if spread:
        fresh = np.setdiff1d([person for _, person in waiting], np.concatenate(members))
        for place, person in enumerate(fresh.tolist()):
            last = len(members) - 1 - place % len(members)
            members[last] = np.sort(np.append(members[last], person))
    return _blocks(members, persons.counts)


def _block(quantiles: np.ndarray, counts: np.ndarray, k: int, lost: float) -> np.ndarray:
    """Return the positions of the window's first person and the k − 1 nearest; ``quantiles`` (numbers,
    window, 8)."""
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
    """Return the weighted quantiles of each person's numbers, float64 (numbers, people, 8)."""
    counts, unnamed = persons.counts, int((persons.numbers < 0).sum())
    starts = unnamed + np.cumsum(counts) - counts
    shares = (np.arange(_QUANTILES) + 0.5) / _QUANTILES
    places = starts[:, None] + np.floor(shares * counts[:, None]).astype(np.int64)
    found = [
        weight * column[np.lexsort((column, persons.numbers))][places]
        for column, weight in zip(values.numbers.T, values.weights, strict=False)
    ]
    return np.array(found).reshape(len(found), len(counts), _QUANTILES)

"""MDAV by scanning every record, in numpy: the twin that the compiled kernels are compared with.

Canonical arithmetic, the same as the kernels': squared distances are accumulated attribute by attribute,
numeric ones first; the sums behind the centroid are taken once in record order and lose each group's members
one by one, pivot first, then nearest first.
"""

from __future__ import annotations

import numpy as np


def squares_from_record(numeric: np.ndarray, codes: np.ndarray, weights: np.ndarray, i: int) -> np.ndarray:
    """Squared distances (n,) of all records from record i."""
    total = np.zeros(len(numeric))
    for j in range(numeric.shape[1]):
        total += (numeric[:, j] - numeric[i, j]) ** 2
    for j in range(codes.shape[1]):
        total += np.where(codes[:, j] != codes[i, j], weights[j], 0.0)
    return total


class Centroid:
    """The centroid of a shrinking set of records: numeric means and category shares, kept as running sums."""

    def __init__(self, numeric: np.ndarray, codes: np.ndarray, weights: np.ndarray) -> None:
        self.numeric, self.codes, self.weights = numeric, codes, weights
        self.size = len(numeric)
        self.total = np.zeros(numeric.shape[1])
        for row in numeric:
            self.total += row
        self.counts = [np.bincount(column) for column in codes.T]

    def drop(self, members: list[int]) -> None:
        """Take the members out, in their order."""
        for i in members:
            self.total -= self.numeric[i]
            for j, code in enumerate(self.codes[i]):
                self.counts[j][code] -= 1
        self.size -= len(members)

    def squares(self) -> np.ndarray:
        """Squared distances (n,) of all records from the centroid."""
        squares = np.zeros(len(self.numeric))
        for j in range(self.numeric.shape[1]):
            squares += (self.numeric[:, j] - self.total[j] / self.size) ** 2
        for j, counts in enumerate(self.counts):
            shares = [count / self.size for count in counts.tolist()]
            concentration = 0.0
            for share in shares:
                concentration += share * share
            terms = np.array(
                [0.5 * self.weights[j] * (1.0 - 2.0 * share + concentration) for share in shares]
            )
            squares += terms[self.codes[:, j]]
        return squares


def farthest(squares: np.ndarray, left: np.ndarray) -> int:
    """The record left with the greatest square, the lowest number on ties."""
    return int(left[np.argmax(squares[left])])


def mdav(numeric: np.ndarray, codes: np.ndarray, weights: np.ndarray, k: int) -> np.ndarray:
    """Labels (n,) of MDAV's groups, numbered as they are made."""
    n = len(numeric)
    labels = np.full(n, -1)
    centroid = Centroid(numeric, codes, weights)
    groups = 0

    def left() -> np.ndarray:
        return np.flatnonzero(labels < 0)

    def take(pivot: int) -> None:
        nonlocal groups
        labels[pivot] = groups
        squares = squares_from_record(numeric, codes, weights, pivot)
        rest = left()
        nearest = rest[np.argsort(squares[rest], kind="stable")][: k - 1]
        labels[nearest] = groups
        centroid.drop([pivot, *nearest.tolist()])
        groups += 1

    while len(left()) >= 3 * k:
        r = farthest(centroid.squares(), left())
        take(r)
        take(farthest(squares_from_record(numeric, codes, weights, r), left()))
    if len(left()) >= 2 * k:
        take(farthest(centroid.squares(), left()))
    labels[left()] = groups
    return labels

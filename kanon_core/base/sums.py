"""Sums, counts by code, and moments that are computed for parts of a table and added up over all parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

_KINDS = ("numbers", "counts", "moments")


@dataclass(frozen=True)
class Sums:
    """Facts of a part of a table, by name, small enough to be kept for every part.

    ``numbers``: arrays of one shape in all parts, which are added. ``counts`` int64 (rows, V): in the first
    row different codes from 0, in each other row how often each occurs, which is added by code. ``moments``
    float64 (m, 3): of m columns of weighted numbers the sum of the weights, their mean, and the weighted sum
    of squared differences from it (`moments_of`).

    >>> one = Sums({"n": np.array(2)}, {"city": np.array([[0, 3], [1, 1]])})
    >>> all_ = Sums.combine([one, Sums({"n": np.array(1)}, {"city": np.array([[3], [1]])})])
    >>> int(all_.numbers["n"]), all_.counts["city"].tolist()
    (3, [[0, 3], [1, 2]])
    """

    numbers: Mapping[str, np.ndarray] = field(default_factory=dict)
    counts: Mapping[str, np.ndarray] = field(default_factory=dict)
    moments: Mapping[str, np.ndarray] = field(default_factory=dict)

    @classmethod
    def combine(cls, parts: Iterable[Sums]) -> Sums:
        """Return the sums of all these parts; only one part is held in memory at a time."""
        numbers: dict[str, np.ndarray] = {}
        dense: dict[str, np.ndarray] = {}
        moments: dict[str, np.ndarray] = {}
        for part in parts:
            for name, own in part.numbers.items():
                numbers[name] = numbers[name] + own if name in numbers else np.array(own)
            for name, own in part.counts.items():
                dense[name] = _counted(dense.get(name), own)
            for name, own in part.moments.items():
                moments[name] = merged_moments(moments[name], own) if name in moments else own
        return cls(numbers, {name: _sparse(found) for name, found in dense.items()}, moments)

    def within(self, name: str) -> Sums:
        """Return the same sums with ``name`` in front of each of their names, so that sums of several owners
        can be kept together (see `of`)."""
        return Sums(*({f"{name}:{key}": own for key, own in getattr(self, kind).items()} for kind in _KINDS))

    def of(self, name: str) -> Sums:
        """Return only the sums that `within` gave this name, by their own names.

        >>> Sums({"n": np.array(2)}).within("NCP").of("NCP")
        Sums(numbers={'n': array(2)}, counts={}, moments={})
        """
        start = f"{name}:"
        kinds = (getattr(self, kind).items() for kind in _KINDS)
        return Sums(*({k.removeprefix(start): own for k, own in one if k.startswith(start)} for one in kinds))

    def arrays(self, before: str) -> dict[str, np.ndarray]:
        """Return the same as arrays for a file; their names begin with ``before``."""
        return {
            f"{before}{kind}:{name}": np.asarray(own)
            for kind in _KINDS
            for name, own in getattr(self, kind).items()
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, np.ndarray], before: str) -> Sums:
        """Return the sums that `arrays` put among these arrays.

        >>> found = Sums({"n": np.array(2)}).arrays("a:") | {"b:numbers:n": np.array(7)}
        >>> Sums.of_arrays(found, "a:")
        Sums(numbers={'n': array(2)}, counts={}, moments={})
        """
        starts = [f"{before}{kind}:" for kind in _KINDS]
        return cls(
            *({n.removeprefix(s): own for n, own in arrays.items() if n.startswith(s)} for s in starts)
        )


def counts_of(codes: np.ndarray, *some: np.ndarray) -> np.ndarray:
    """`Sums.counts` of these codes, whole numbers from 0, and of ``some`` of them.

    >>> counts_of(np.array([4, 1, 4]), np.array([4])).tolist()
    [[1, 4], [1, 2], [0, 1]]
    """
    width = int(codes.max(initial=-1)) + 1
    held = [np.bincount(own, minlength=width) for own in (codes, *some)]
    return _sparse(np.array(held, np.int64))


def moments_of(values: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """`Sums.moments` of one column, float64 (3), of numbers without NaN; ``weights`` ≥ 0, all 1 where left
    out. Cost O(n).

    >>> moments_of(np.array([1.0, 3.0])).tolist(), moments_of(np.array([1.0, 3.0]), np.array([3, 1])).tolist()
    ([2.0, 2.0, 2.0], [4.0, 1.5, 3.0])
    """
    first = float(values[0]) if len(values) else 0.0  # equal numbers then differ by exactly 0
    apart = values - first
    held = float(len(values) if weights is None else weights.sum())
    if not held:
        return np.zeros(3)
    mean = float(np.average(apart, weights=weights))
    squares = np.square(apart - mean)
    return np.array([held, first + mean, float((squares if weights is None else weights * squares).sum())])


def merged_moments(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the moments, float64 (m, 3), of the numbers of both.

    Reference: T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance, The
    American Statistician 37(3), 1983: all terms are positive, so that nothing cancels.

    >>> merged_moments(moments_of(np.array([1.0])), moments_of(np.array([3.0]))).tolist()
    [2.0, 2.0, 2.0]
    """
    held = first[..., 0] + second[..., 0]
    share = np.divide(second[..., 0], held, out=np.zeros_like(held), where=held > 0)
    apart = second[..., 1] - first[..., 1]
    squares = first[..., 2] + second[..., 2] + apart**2 * first[..., 0] * share
    return np.stack([held, first[..., 1] + apart * share, squares], axis=-1)


def squares_about(moments: np.ndarray, center: np.ndarray) -> np.ndarray:
    """float64 (m): the weighted sums of squared differences from these centers, float64 (m)."""
    return np.asarray(moments[..., 2] + moments[..., 0] * (moments[..., 1] - center) ** 2)


def _counted(counts: np.ndarray | None, own: np.ndarray) -> np.ndarray:
    """int64 (rows − 1, codes): counts by code, with those of a part."""
    codes, held = own[0], own[1:]
    width = int(codes.max(initial=-1)) + 1
    if counts is None:
        counts = np.zeros((len(held), width), np.int64)
    elif counts.shape[1] < width:
        counts = np.pad(counts, ((0, 0), (0, max(width, 2 * counts.shape[1]) - counts.shape[1])))
    counts[:, codes] += held
    return counts


def _sparse(counts: np.ndarray) -> np.ndarray:
    codes = np.flatnonzero(counts.any(axis=0))
    return np.vstack([codes, counts[:, codes]]).astype(np.int64)

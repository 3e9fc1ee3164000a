"""A column as points: how a distance enters algorithms that compute with centroids.

Squared Euclidean distances of these points are, for weight 1 and of two different values, 2 on average, as in
the mixed distance (`kanon_core.distances.mixed`). So a distance's unit does not matter: all columns of one
weight weigh alike, as ILD has them (ILD paper, §4.1.3).

    a circle, places    (cos, sin) or three coordinates of the globe: the straight way through it, which puts
                        all pairs in the same order as the way around, and is shorter by 1 % half a radian
                        apart (1.9 hours, 3,200 km), by 36 % at opposite ends
    a tree              d itself where all values are equally deep: one mismatch for each level
    any other values    d itself, along at most 32 axes; what these do not hold counts like a mismatch

For values it is d, not d², that adds up to squared distances, as a mismatch does: the square roots of the
lengths of ways in trees and around rings and of Hamming distances are Euclidean, which the lengths are not
(I. J. Schoenberg, Transactions of the American Mathematical Society 44, 1938).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr

MISMATCH = 2.0
"""The squared distance of two different categories; that of other values has this mean."""
AXES = 32
"""The most axes of a column of values."""
COMPARED = 400
"""The most values over which the mean is taken; of more, this many are evenly chosen in their order."""
_TINY = 1e-9

Apart = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""float64 (r, s): the distances of values to values, given by their numbers int64 (r) and (s)."""


@dataclass(frozen=True, eq=False)
class Coordinates:
    """n records as points, for weight 1.

    ``numeric`` float64 (n, d), never NaN; ``codes`` int32 (n, q); ``weights`` float64 (q): what a mismatch
    adds to the squared distance. ``off``: the mean error of the squared distances of two different values, as
    a share of their mean: 0 where they are exact.
    """

    numeric: np.ndarray
    codes: np.ndarray
    weights: np.ndarray
    off: float = 0.0


def mismatch(codes: np.ndarray) -> Coordinates:
    """Codes of which only equality counts; int32 (n)."""
    return Coordinates(np.zeros((len(codes), 0)), codes[:, None], np.array([MISMATCH]))


def balanced(places: np.ndarray, has_missing: bool, whole: tuple[np.ndarray, float] | None) -> Coordinates:
    """Places in the plane or in space, float64 (n, d), NaN = missing, scaled so that two records are 2 apart
    on average, squared. Missing ones stand at the center and mismatch every present one.

    ``whole``: the center (d,) and the root of the summed variances, given for a part of a table, from whose
    own places they cannot be computed.
    """
    missing = np.isnan(places[:, 0])
    places = rounded(places)
    center, spread = whole or _about(places[~missing])
    factor = factor_of(spread)
    numeric = np.where(missing[:, None], 0.0, places - center) * factor
    found = Coordinates(numeric, np.zeros((len(places), 0), np.int32), np.zeros(0))
    return _with_missing(found, missing if has_missing else None)


def rounded(places: np.ndarray) -> np.ndarray:
    """Return places without the last digits of a sine, which differ from machine to machine."""
    return np.asarray(np.round(places, 12))


def factor_of(spread: float) -> float:
    """Return the factor for places of this spread; 0 for no spread."""
    return 1.0 / spread if spread > _TINY else 0.0


def _about(places: np.ndarray) -> tuple[np.ndarray, float]:
    """The mean of places and the root of their summed variances."""
    if len(places) < 2:
        return (places.mean(axis=0) if len(places) else np.zeros(places.shape[1])), 0.0
    return places.mean(axis=0), float(np.sqrt(places.var(axis=0, ddof=1).sum()))


def leveled(codes: np.ndarray, ways: np.ndarray, lengths: np.ndarray) -> Coordinates:
    """Values of a tree, all equally deep: ``ways`` int64 (V, levels) names the node of each level above a
    value, ``lengths`` (levels) the edges into them; ``codes`` int32 (n) are values, V = missing, which is no
    part of any node. Two values are 2 Σ lengths of the levels in which they differ apart.

    >>> pairs = leveled(np.array([0, 1, 2], np.int32), np.array([[0, 1], [0, 2], [3, 4]]), np.ones(2))
    >>> pairs.codes.tolist(), pairs.weights.tolist()  # 2, 4 and 4 edges apart, on average 10/3
    ([[0, 0], [0, 1], [1, 2]], [1.2, 1.2])
    """
    numbers = [np.unique(level, return_inverse=True)[1] for level in ways.T]
    size, differ = len(ways), [number.max(initial=0) > 0 for number in numbers]
    some = _spaced(size)
    apart = np.zeros((len(some), len(some)))
    for number, length in zip(numbers, lengths, strict=True):
        apart += 2.0 * length * (number[some][:, None] != number[some])
    scale = _scale(apart)
    kept = [np.append(n, n.max(initial=-1) + 1)[codes] for n, d in zip(numbers, differ, strict=True) if d]
    if not kept:  # one value; a missing one is another
        return mismatch(codes)
    weights = [2.0 * length * scale for length, d in zip(lengths, differ, strict=True) if d]
    return Coordinates(
        np.zeros((len(codes), 0)), np.ascontiguousarray(np.column_stack(kept), np.int32), np.array(weights)
    )


def spanned(
    codes: np.ndarray, size: int, apart: Apart, has_missing: bool = False, tick: Tick = silent
) -> Coordinates:
    """Any values by their distances: ``codes`` int32 (n) of ``size`` values, which is also the code of
    missing ones. Cost: the distances of 33 values to all, and of 400 to one another.

    Exact where the root of the distance is Euclidean and 32 axes hold it, as they do of up to 33 values.

    >>> line = np.array([0.0, 1.0, 3.0])
    >>> found = spanned(np.arange(3), 3, lambda a, b: np.abs(line[a][:, None] - line[b]))
    >>> ((found.numeric[:, None] - found.numeric) ** 2).sum(axis=2).round(9).tolist()
    [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]
    """
    axes = axes_of(size, apart, AXES, tick)
    some = _spaced(size)
    wanted = apart(some, some)
    one, other = np.triu_indices(len(some), 1)
    held = ((axes[some][one] - axes[some][other]) ** 2).sum(axis=1)
    wanted, scale = wanted[one, other], _scale(wanted)
    rest = max(float((wanted - held).mean()), 0.0) if len(one) else 0.0
    rest = rest if rest * scale > _TINY else 0.0
    off = float(np.abs(held + rest - wanted).mean()) * scale / MISMATCH if len(one) else 0.0
    center = axes.mean(axis=0) if size else np.zeros(axes.shape[1])
    numeric = np.vstack([axes - center, np.zeros(axes.shape[1])])[codes] * np.sqrt(scale)
    more = int(rest > 0)
    found = Coordinates(
        numeric, codes[:, None][:, :more], np.array([rest * scale])[:more], off if off > _TINY else 0.0
    )
    return _with_missing(found, codes == size if has_missing else None)


def axes_of(size: int, apart: Apart, most: int, tick: Tick = silent) -> np.ndarray:
    """float64 (V, d): coordinates of values whose squared distances are those given; d ≤ ``most``.

    The first axis leads from one of the farthest values to another, each further one from those so far to the
    value that is farthest from them: a Cholesky decomposition with pivots of the inner products that the
    distances make (J. C. Gower, Biometrika 53, 1966; H. Harbrecht, M. Peters, R. Schneider, Applied Numerical
    Mathematics 62, 2012). Where the distances are not Euclidean, no axis takes more of a value's distance
    than remains. Plain sums and roots: the same on every machine.
    """
    axes, everyone = np.zeros((size, 0)), np.arange(size)
    if size < 2:
        return axes
    origin = int(np.argmax(apart(everyone[:1], everyone)[0]))
    start = apart(everyone[origin : origin + 1], everyone)[0]
    left = start.copy()
    for number in range(most):
        tick(number / most, tr("axes of the values"))
        pivot = int(np.argmax(left))
        if left[pivot] <= _TINY * start.max():
            break
        row = apart(everyone[pivot : pivot + 1], everyone)[0]
        inner = (start + start[pivot] - row) / 2 - (axes * axes[pivot]).sum(axis=1)
        room = np.sqrt(left)
        axis = np.clip(inner / room[pivot], -room, room)
        axes, left = np.column_stack([axes, axis]), np.maximum(left - axis**2, 0.0)
        left[pivot] = 0.0
    return axes


def _with_missing(coordinates: Coordinates, missing: np.ndarray | None) -> Coordinates:
    if missing is None:
        return coordinates
    codes = np.column_stack([coordinates.codes, missing.astype(np.int32)])
    return Coordinates(coordinates.numeric, codes, np.append(coordinates.weights, MISMATCH), coordinates.off)


def _spaced(size: int) -> np.ndarray:
    return np.unique(np.linspace(0, max(size - 1, 0), min(size, COMPARED)).round().astype(np.int64))


def _scale(apart: np.ndarray) -> float:
    """Return the factor that makes the mean distance of two different values 2; 1 where all are 0 apart."""
    count = len(apart) * (len(apart) - 1)
    mean = float(apart.sum()) / count if count else 0.0
    return MISMATCH / mean if mean > 0 else 1.0

"""Circles by brute force: the shortest arc around some values, their mean along it, the way between two."""

from __future__ import annotations

from collections.abc import Iterable


def arcs(values: Iterable[float], period: float) -> list[tuple[float, float]]:
    """For each value as a start, how far on all others are reached, and the start; the shortest first."""
    places = sorted({value % period for value in values})
    return sorted((max((other - start) % period for other in places), start) for start in places)


def ambiguous(values: Iterable[float], period: float) -> bool:
    """Return whether two arcs are the shortest, within the rounding of sums."""
    found = arcs(values, period)
    return len(found) > 1 and found[1][0] - found[0][0] < 1e-6


def mean(values: list[float], period: float) -> float:
    """The mean along the shortest arc, in 0 … period."""
    _, start = arcs(values, period)[0]
    return (start + sum((value - start) % period for value in values) / len(values)) % period


def way(a: float, b: float, period: float) -> float:
    """The short way from one to the other."""
    return min((a - b) % period, (b - a) % period)

"""The distances between two values, as their definitions read."""

from __future__ import annotations

import datetime as dt
import math
from itertools import pairwise, permutations


def hamming(a: str, b: str) -> int:
    longer, shorter = sorted((a, b), key=len, reverse=True)
    return sum(x != y for x, y in zip(a, b, strict=False)) + len(longer) - len(shorter)


def levenshtein(a: str, b: str) -> int:
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y)))
        above = row
    return above[-1]


def normalized_levenshtein(a: str, b: str) -> float:
    return levenshtein(a, b) / max(len(a), len(b), 1)


def damerau_levenshtein(a: str, b: str) -> int:
    """Lowrance and Wagner: between the two exchanged letters, others may be deleted and inserted."""
    cost = {}
    for i in range(len(a) + 1):
        for j in range(len(b) + 1):
            if not i or not j:
                cost[i, j] = i + j
                continue
            ways = [cost[i - 1, j] + 1, cost[i, j - 1] + 1, cost[i - 1, j - 1] + (a[i - 1] != b[j - 1])]
            ways += [
                cost[m - 1, o - 1] + (i - m - 1) + 1 + (j - o - 1)
                for m in range(1, i)
                for o in range(1, j)
                if a[m - 1] == b[j - 1] and a[i - 1] == b[o - 1]
            ]
            cost[i, j] = min(ways)
    return cost[len(a), len(b)]


def haversine(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Kilometers between two places in degrees."""
    (south, west), (north, east) = (tuple(map(math.radians, place)) for place in (a, b))
    half = math.sin((north - south) / 2) ** 2
    half += math.cos(south) * math.cos(north) * math.sin((east - west) / 2) ** 2
    return 2 * 6371.0088 * math.asin(math.sqrt(min(1.0, half)))


def tree(parents: dict[str, str], lengths: tuple[float, ...], a: str, b: str) -> float:
    def up(node: str) -> list[str]:
        way = [node]
        while way[-1] in parents:
            way.append(parents[way[-1]])
        return way

    one, other = up(a), up(b)
    common = set(one) & set(other)
    edges = [
        (node, len(way) - 2 - i) for way in (one, other) for i, node in enumerate(way) if node not in common
    ]
    return sum(lengths[level] if lengths else 1.0 for _, level in edges)


def shortest(edges: list[tuple[str, str, float]], a: str, b: str) -> float:
    """The shortest way by trying all orders of the nodes between; for a handful of nodes."""
    length = {frozenset(edge[:2]): edge[2] for edge in edges}
    between = sorted({node for edge in edges for node in edge[:2]} - {a, b})
    ways = [(a, *middle, b) for r in range(len(between) + 1) for middle in permutations(between, r)]
    steps = [[length.get(frozenset(step), math.inf) for step in pairwise(way)] for way in ways]
    return 0.0 if a == b else min(map(sum, steps))


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    return 1 - len(a & b) / len(a | b) if a | b else 0.0


def calendar(part: str, a: dt.datetime, b: dt.datetime) -> float:
    if part == "days":
        return abs((a - b).total_seconds()) / 86_400
    place = {
        "day of year": lambda d: d.replace(year=2000).timetuple().tm_yday,
        "weekday": lambda d: d.weekday(),
        "hour": lambda d: d.hour + d.minute / 60 + d.second / 3600,
    }[part]
    period = {"day of year": 366, "weekday": 7, "hour": 24}[part]
    apart = abs(place(a) - place(b))
    return min(apart, period - apart)

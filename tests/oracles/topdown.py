"""The top-down pass of paper 001 on Python lists: rounds over attributes, one cut a group and round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.oracles.pivots import Basket, common, parts, pivot

Halves = tuple[list[int], list[int]]


@dataclass
class Attribute:
    """Values of all records: floats 0..1 with −1 = missing, codes, item sets, or ways from the root of a
    hierarchy down to the value; ``domain`` of codes; ``ways`` to all values of the hierarchy."""

    kind: str
    values: Sequence
    domain: int = 0
    ways: Sequence[tuple[str, ...]] = ()

    def of(self, group: list[int]) -> list:
        return [self.values[r] for r in group]

    def loss(self, groups: list[list[int]], gone: int) -> float:
        """NCP of numbers and codes, NCP*_sv of item sets, summed over the records; suppressed ones count
        1."""
        if self.kind == "items":
            shown = sum(len(group) * len(common(self.of(group))) for group in groups)
            return len(self.values) - shown / (sum(map(len, self.values)) / len(self.values))
        if self.kind == "codes":
            kinds = sum(len(group) * (len(set(self.of(group))) - 1) for group in groups)
            return kinds / max(self.domain - 1, 1) + gone
        if self.kind == "ways":
            return sum(len(group) * self.below(self.node(group)) for group in groups) / len(self.ways) + gone
        return sum(len(group) * _width(self.of(group)) for group in groups) + gone

    def node(self, group: list[int]) -> tuple[str, ...]:
        """The way down to the lowest node above all values of a group."""
        ways = self.of(group)
        lengths = range(len(ways[0]), 0, -1)
        return next(ways[0][:length] for length in lengths if len({way[:length] for way in ways}) == 1)

    def below(self, node: tuple[str, ...]) -> int:
        """Return the number of values for which a node stands; 0 for one."""
        count = sum(way[: len(node)] == node for way in self.ways)
        return count if count > 1 else 0

    def child(self, group: list[int], k: int) -> Halves | None:
        """The records below one child of the group's node, and the others."""
        node, best, most = self.node(group), None, 0
        for child in dict.fromkeys(way[: len(node) + 1] for way in self.ways if way[: len(node)] == node):
            inside = [r for r in group if self.values[r][: len(child)] == child]
            gain = len(inside) * (self.below(node) - self.below(child))
            if k <= len(inside) <= len(group) - k and gain > most:
                best, most = inside, gain
        return None if best is None else (best, [r for r in group if r not in set(best)])

    def halves(self, group: list[int], k: int, spare: int, midpoint: bool) -> Halves | None:
        """The records on both sides of the cut; None when none is allowed. The second of item sets lacks the
        pivot."""
        if self.kind == "items":
            sets: Sequence[Basket] = self.values
            item = pivot(group, sets, k, spare)
            return None if item is None else parts(group, sets, item)
        if len(group) < 2 * k:
            return None
        if self.kind == "ways":
            return self.child(group, k)
        keys = self.of(group)
        if self.kind == "codes":
            often = Counter(keys)
            ranked = sorted(often, key=lambda code: (-often[code], code))
            return _nearest(group, [ranked.index(code) for code in keys], k)
        missing = [r for r in group if self.values[r] < 0]
        if k <= len(missing) <= len(group) - k:
            return missing, [r for r in group if self.values[r] >= 0]
        middle = (min(keys) + max(keys)) / 2
        if midpoint and not missing and k <= sum(x <= middle for x in keys) <= len(group) - k:
            return [r for r in group if self.values[r] <= middle], [
                r for r in group if self.values[r] > middle
            ]
        return _nearest(group, keys, k)


def _width(values: list[float]) -> float:
    return 1.0 if min(values) < 0 <= max(values) else max(values) - min(values)


def _nearest(group: list[int], keys: list, k: int) -> Halves | None:
    """The cut between two different keys whose left side is nearest to half; of two as near the larger left
    side."""
    sizes = [sum(key <= edge for key in keys) for edge in sorted(set(keys))]
    allowed = [size for size in sizes if k <= size <= len(group) - k]
    if not allowed:
        return None
    size = min(allowed, key=lambda size: (abs(size - len(group) // 2), -size))
    edge = sorted(keys)[size - 1]
    sides = zip(group, keys, strict=True)
    left = [r for r, key in sides if key <= edge]
    return left, [r for r in group if r not in set(left)]


@dataclass
class State:
    """Groups in the order made, the suppressed records, and what each attribute may still cut."""

    groups: list[list[int]]
    open: list[list[int]]
    gone: list[int] = field(default_factory=list)


def topdown(
    attributes: Sequence[Attribute],
    n: int,
    k: int,
    most_suppressed: int = 0,
    midpoint: bool = False,
    keeps: Callable[[list[int]], bool] = lambda group: True,
) -> tuple[list[list[int]], list[int]]:
    """The final groups and the suppressed records. ``keeps``: what every group must keep, for numbers and
    codes."""
    state = State([list(range(n))], [[0] for _ in attributes])
    for a, attribute in enumerate(attributes):
        if attribute.kind == "items" and not any(attribute.values):
            state.open[a] = []
    while any(state.open):
        losses = [
            a.loss(state.groups, len(state.gone)) if o else -1.0
            for a, o in zip(attributes, state.open, strict=True)
        ]
        chosen = max(range(len(attributes)), key=lambda a: (losses[a], -a))
        waiting, state.open[chosen] = state.open[chosen], []
        made: list[int] = []
        for g in waiting:
            halves = attributes[chosen].halves(
                state.groups[g], k, most_suppressed - len(state.gone), midpoint
            )
            if halves is not None and all(keeps(half) for half in halves):
                state.open[chosen].append(g)
                made += _cut(state, g, halves, k, chosen)
        state.open[chosen] += made
    return sorted(sorted(group) for group in state.groups), sorted(state.gone)


def _cut(state: State, g: int, halves: Halves, k: int, chosen: int) -> list[int]:
    """Cuts group g; returns the number of the group made, if one was, which is open wherever g is."""
    if len(halves[1]) < k:
        state.groups[g] = halves[0]
        state.gone += halves[1]
        return []
    smaller, state.groups[g] = sorted(halves, key=len)
    new = len(state.groups)
    state.groups.append(smaller)
    for a, open_ in enumerate(state.open):
        if a != chosen and g in open_:
            open_.append(new)
    return [new]

"""The methods for item sets with which top-down is compared, on Python sets and dictionaries. Written from
the papers and the docstrings, without any code of the package."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product

TOP = "*"
Above = dict[str, str]
"""The node above each item or group; the highest groups hang below `TOP`."""


def way(node: str, above: Above) -> list[str]:
    """The node and all above it."""
    found = [node]
    while found[-1] != TOP:
        found.append(above[found[-1]])
    return found


def values_below(above: Above) -> Counter:
    """Return the number of values below every node; a value counts itself."""
    return Counter(node for value in above if value not in above.values() for node in way(value, above))


# Plain suppression


def rows_are_shared(sets: list[frozenset], k: int) -> bool:
    """Return whether every set is that of at least k records."""
    return all(count >= k for count in Counter(sets).values())


def few_are_shared(sets: list[frozenset], k: int, m: int) -> bool:
    """Return whether every combination of at most m items of a record is in at least k records."""
    counts = Counter(c for own in sets for size in range(1, m + 1) for c in combinations(sorted(own), size))
    return all(count >= k for count in counts.values())


def frequent_first(sets: list[frozenset], k: int, m: int) -> frozenset:
    """The items that are published everywhere: from the most frequent on those that break nothing."""
    often, kept = Counter(item for own in sets for item in own), frozenset()
    for item in sorted(often, key=lambda one: (-often[one], one)):
        shown = [own & (kept | {item}) for own in sets]
        if rows_are_shared(shown, k) if m == 0 else few_are_shared(shown, k, m):
            kept |= {item}
    return kept


# Local partition


def partitioned(sets: list[frozenset], above: Above, k: int) -> list[frozenset]:
    """The groups of record numbers."""
    values, result = values_below(above), []
    waiting = [(list(range(len(sets))), {TOP}, set(), True)]
    while waiting:
        members, nodes, barred, splitable = waiting.pop()
        inner = sorted((nodes - barred) & set(above.values()), key=_order)
        if not splitable or not inner:
            result.append(frozenset(members))
            continue
        gains = [sum(_wins(sets[r], node, above) for r in members) * values[node] for node in inner]
        node = inner[gains.index(max(gains))]
        parts: dict[frozenset, list[int]] = {}
        for record in members:
            children = {step for item in sets[record] for step in way(item, above) if above.get(step) == node}
            parts.setdefault(frozenset(children), []).append(record)
        large = [(children, part) for children, part in parts.items() if len(part) >= k]
        small = [record for part in parts.values() if len(part) < k for record in part]
        closed = False
        if small:
            closed = _filled(small, large, sets, node, above, k)
            waiting.append((sorted(small), nodes, barred | {node}, not closed))
        waiting += [(part, (nodes - {node}) | children, barred, True) for children, part in large]
    return result


def _order(node: str) -> tuple[bool, str]:
    """The top comes last."""
    return node == TOP, node


def _wins(own: frozenset, node: str, above: Above) -> int:
    return sum(node in way(item, above)[1:] for item in own)


def _filled(
    small: list[int], large: list[tuple[frozenset, list[int]]], sets: list, node: str, above: Above, k: int
) -> bool:
    """Records come to those that are too few; true if a whole part had to come."""
    while len(small) < k:
        spare = [
            (_wins(sets[record], node, above), number, record)
            for number, (_, part) in enumerate(large)
            if len(part) > k
            for record in part
        ]
        if not spare:
            break
        _, number, record = min(spare)
        large[number][1].remove(record)
        small.append(record)
    if len(small) >= k:
        return False
    costs = [sum(_wins(sets[record], node, above) for record in part) for _, part in large]
    small += large.pop(costs.index(min(costs)))[1]
    return True


# Apriori


def generalized(sets: list[frozenset], above: Above, k: int, m: int, whole: bool) -> dict[str, str]:
    """Return the node as which each item is published in all records; `TOP` = not at all."""
    cut = {item: item for own in sets for item in own}
    count = Counter(node for own in sets for node in {step for item in own for step in way(item, above)})
    rank = {node: place for place, node in enumerate(sorted(count, key=lambda n: (-count[n], n)))}
    for size in range(1, m + 1):
        while rare := _rare(sets, cut, rank, k, size):
            touched: set[str] = set()
            for combination in rare:
                if not touched & set(combination):
                    before, cut = cut, _cheapest(sets, above, cut, combination, k, whole)
                    moved = [item for item in cut if cut[item] != before[item]]
                    touched |= {before[item] for item in moved} | {cut[item] for item in moved}
    return cut


def _rare(sets: list[frozenset], cut: dict[str, str], rank: dict[str, int], k: int, size: int) -> list[tuple]:
    """The combinations of so many published nodes that some, but fewer than k records have."""
    shown = [sorted({cut[item] for item in own} - {TOP}, key=rank.get) for own in sets]
    counts = Counter(c for own in shown for c in combinations(own, size))
    few = [combination for combination, number in counts.items() if number < k]
    return sorted(few, key=lambda combination: [rank[node] for node in combination])


def _cheapest(
    sets: list[frozenset], above: Above, cut: dict[str, str], combination: tuple, k: int, whole: bool
) -> dict[str, str]:
    """The cut after the cheapest change that leaves the combination to k records."""
    choices = []
    for place, choice in enumerate(product(*(way(node, above) for node in combination))):
        after = cut
        for root, node in sorted(map(_change, choice, combination, [(above, whole)] * 9), key=_depth(above)):
            after = {
                item: node if root in way(item, above) else published for item, published in after.items()
            }
        now = {after[item] for item in after if cut[item] in combination} - {TOP}
        held = sum(all(any(n in way(i, above) for i in own) for n in now) for own in sets)
        if held >= k:
            price = _loss(sets, above, after) - _loss(sets, above, cut)
            choices.append((round(price, 6), place, after))
    return min(choices, key=lambda one: one[:2])[2]


def _change(node: str, member: str, how: tuple[Above, bool]) -> tuple[str, str]:
    """Below which node all is published as this node: at the top, below the highest group, or all."""
    above, whole = how
    return (way(member, above)[-2] if node == TOP and not whole else node, node)


def _depth(above: Above):
    """The lowest changes first, so that higher ones overrule them."""
    return lambda change: (-len(way(change[0], above)), change[1] == TOP)


def _loss(sets: list[frozenset], above: Above, cut: dict[str, str]) -> float:
    """Σ over all items of values below what it is published as / all values; 0 for a single value."""
    values = values_below(above)
    each = {
        node: 1.0 if node == TOP else number / values[TOP] * (number > 1) for node, number in values.items()
    }
    return sum(each[cut[item]] for own in sets for item in own)

"""Item sets under a hierarchy in plain Python: sets of labels, and the group above each label."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import log2

from kanon_core.table.hierarchy.hierarchy import ROOT

Above = Mapping[str, str]


def path(label: str, above: Above) -> list[str]:
    """The label and all groups above it but the top."""
    found = [label]
    while above.get(found[-1], ROOT) != ROOT:
        found.append(above[found[-1]])
    return found


def closure(items: Collection[str], above: Above) -> set[str]:
    """The items and all groups above them."""
    return {node for item in items for node in path(item, above)}


def common(sets: Sequence[Collection[str]], above: Above) -> set[str]:
    """Return the nodes that the closures of all these sets share."""
    return set.intersection(*(closure(held, above) for held in sets))


def lowest(nodes: Collection[str], above: Above) -> set[str]:
    """The nodes that are above no other of them."""
    return {
        node for node in nodes if not any(other != node and node in path(other, above) for other in nodes)
    }


def shown_as(item: str, nodes: Collection[str], above: Above) -> str:
    """The first node on the item's way up that is published; the top if none is."""
    return next((node for node in path(item, above) if node in nodes), ROOT)


def below(node: str, above: Above) -> list[str]:
    """The values below a node, or itself."""
    inner = set(above.values())
    return [value for value in above if value not in inner and (node == ROOT or node in path(value, above))]


def penalty(node: str, above: Above) -> float:
    """Values below / all values; 0 for a single value, 1 for the top."""
    if node == ROOT:
        return 1.0
    count = len(below(node, above))
    return count / len(below(ROOT, above)) if count > 1 else 0.0


def bits_lost(sets: Sequence[Collection[str]], shown: Sequence[Collection[str]], above: Above) -> float:
    """Return the bits that are lost on having each item or not, among the records for which the same node
    tells most of the item; summed over all items."""
    total = 0.0
    for item in set().union(*map(set, sets)):
        told = [shown_as(item, nodes, above) for nodes in shown]
        for node in set(told) - {item}:
            n = told.count(node)
            ones = sum(item in held for held, at in zip(sets, told, strict=True) if at == node)
            total -= sum(part * log2(part / n) for part in (ones, n - ones) if part)
    return total

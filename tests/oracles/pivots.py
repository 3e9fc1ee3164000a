"""Paper 001's pivot rule on Python sets: which item cuts a cluster of item sets, and the groups that
remain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

Basket = frozenset[int]


def common(cluster: Sequence[Basket]) -> Basket:
    """Items that all baskets share; none for no basket."""
    return frozenset.intersection(*cluster) if cluster else frozenset()


def parts(cluster: Sequence[int], baskets: Sequence[Basket], item: int) -> tuple[list[int], list[int]]:
    """Records with the item, and without."""
    return [r for r in cluster if item in baskets[r]], [r for r in cluster if item not in baskets[r]]


def delta(frequency: int, size: int, shared: int, k: int) -> int:
    """Published items after a cut at an item (set-valued paper, eq. 5), with ≤ where the paper prints <."""
    return shared * size + frequency if frequency <= size - k else (shared + 1) * frequency


def pivot(cluster: Sequence[int], baskets: Sequence[Basket], k: int, spare: int) -> int | None:
    """The item by which the records are cut; None when no cut is allowed. At most `spare` records may be
    suppressed."""
    size, shared = len(cluster), common([baskets[r] for r in cluster])
    counts = Counter(item for r in cluster for item in baskets[r] if item not in shared)
    ranked = []
    for item, frequency in counts.items():
        gain = delta(frequency, size, len(shared), k)
        drops = frequency > size - k
        if frequency < k or (drops and (size - frequency > spare or gain <= len(shared) * size)):
            continue
        ranked.append((-gain, item, drops))
    best = min(ranked, default=None)
    if best is None:
        return None
    tied = [(item, drops) for gain, item, drops in ranked if gain == best[0]]
    return min(tied, key=lambda tie: (-published(cluster, baskets, *tie), tie[0]))[0]


def published(cluster: Sequence[int], baskets: Sequence[Basket], item: int, drops: bool) -> int:
    """Common items times records of both parts; of the first alone when the second is suppressed."""
    having, lacking = parts(cluster, baskets, item)
    kept = [having] if drops else [having, lacking]
    return sum(len(part) * len(common([baskets[r] for r in part])) for part in kept)


def groups(baskets: Sequence[Basket], k: int, most_suppressed: int = 0) -> tuple[list[list[int]], list[int]]:
    """The final clusters, and the suppressed records; clusters are cut in rounds, in the order in which they
    were made."""
    open_, closed, gone = [list(range(len(baskets)))], [], []
    while open_:
        kept, made = [], []
        for cluster in open_:
            item = pivot(cluster, baskets, k, most_suppressed - len(gone))
            if item is None:
                closed.append(sorted(cluster))
                continue
            having, lacking = parts(cluster, baskets, item)
            if len(lacking) < k:
                gone += lacking
                kept.append(having)
                continue
            larger, smaller = (lacking, having) if len(having) <= len(lacking) else (having, lacking)
            kept.append(larger)
            made.append(smaller)
        open_ = kept + made
    return sorted(closed), sorted(gone)

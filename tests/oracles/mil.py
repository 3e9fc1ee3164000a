"""Algorithm 1 of the MIL paper word by word, on lists of exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise


def _mean(group: list[Fraction]) -> Fraction:
    return sum(group, Fraction(0)) / len(group)


def plain_mil(ascending, sizes, k: int) -> tuple[list[int], int, int]:
    """(new sizes, judgements, moves)."""
    groups, start = [], 0
    for size in sizes:
        groups.append([Fraction(float(v)) for v in ascending[start : start + size]])
        start += size
    judgements = moves = 0
    flag = True
    while flag:
        flag = False
        for one, two in pairwise(groups):
            while len(one) > k:
                n, m, x = len(one) - 1, len(two), one[-1]
                judgements += 1
                change = (
                    -Fraction(n + 1, n) * (x - _mean(one)) ** 2 + Fraction(m, m + 1) * (x - _mean(two)) ** 2
                )
                if not change < 0:
                    break
                two.insert(0, one.pop())
                moves += 1
                flag = True
            while len(two) > k:
                n, m, x = len(one), len(two) - 1, two[0]
                judgements += 1
                change = (
                    -Fraction(n, n + 1) * (x - _mean(one)) ** 2 + Fraction(m + 1, m) * (x - _mean(two)) ** 2
                )
                if not change > 0:
                    break
                one.append(two.pop(0))
                moves += 1
                flag = True
    return [len(group) for group in groups], judgements, moves

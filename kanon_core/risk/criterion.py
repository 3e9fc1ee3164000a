"""Number of successes in n attempts that shows a release to be unsafe: by the contest's criterion and by the
exact one."""

from __future__ import annotations

from fractions import Fraction

CHANCE = Fraction(1, 3)
"""An attempt that succeeds with at most this chance is harmless (purchase-history paper; PWSCUP 2018)."""
LEVEL = Fraction(1, 2000)
"""1 % of significance, divided by 20."""


def contest_threshold(attempts: int, chance: Fraction = CHANCE, level: Fraction = LEVEL) -> int:
    """Return r(n), the least r with Σ_{i=r..n} C(n, i) pⁱ < α; n + 1 where no number of successes is
    significant.

    The contest's rule. C(n, i) pⁱ is a union bound on the probability of i successes or more in some i of n
    attempts; the binomial probability has the factor (1 − p)ⁿ⁻ⁱ besides and gives the smaller
    `exact_threshold`. Computed in whole numbers; cost O(n) of them.

    >>> [contest_threshold(n) for n in (7, 11, 13, 16, 19, 500, 1000)]
    [7, 10, 11, 13, 15, 308, 612]

    Reference: purchase-history paper, table 1.
    """
    odds, rest = chance.numerator, chance.denominator
    tail, term, least = 0, odds**attempts, attempts + 1  # C(n, i) pⁱ, times the denominator of pⁿ
    limit = level * rest**attempts
    for successes in range(attempts, 0, -1):
        tail += term
        if tail >= limit:
            break
        least, term = successes, term * successes * rest // ((attempts - successes + 1) * odds)
    return least


def exact_threshold(attempts: int, chance: Fraction = CHANCE, level: Fraction = LEVEL) -> int:
    """Return the least r with P(X ≥ r) < α for binomial X; n + 1 where there is none.

    >>> [exact_threshold(n) for n in (7, 10, 19, 500, 1000)]
    [7, 9, 14, 203, 384]
    """
    from scipy.stats import binom

    least = int(binom.isf(float(level), attempts, float(chance)))
    while least > 0 and binom.sf(least - 2, attempts, float(chance)) < level:
        least -= 1
    while binom.sf(least - 1, attempts, float(chance)) >= level:
        least += 1
    return least


def interval(successes: int, attempts: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the Clopper–Pearson interval of a success probability; (0, 1) without attempts.

    Reference: C. Clopper and E. Pearson, Biometrika 26, 1934.

    >>> [round(end, 3) for end in interval(5, 20)]
    [0.087, 0.491]
    """
    if not attempts:
        return 0.0, 1.0
    from scipy.stats import binomtest

    found = binomtest(successes, attempts).proportion_ci(confidence, method="exact")
    return float(found.low), float(found.high)


def residual(attack: tuple[int, int], control: tuple[int, int]) -> tuple[float, float, float]:
    """(a − c) / (1 − c) of two success rates, each given as successes and attempts, and its 95 % interval,
    all cut to 0 … 1: the gain of an attack beyond its success on a control group.

    The errors of both rates, as their Clopper–Pearson intervals have them, are propagated.

    M. Giomi, F. Boenisch, C. Wehmeyer, B. Tasnádi, PETS 2023.

    >>> [round(part, 3) for part in residual((600, 1000), (200, 1000))]
    [0.5, 0.458, 0.541]
    """
    rate, other = (found / tried if tried else 0.0 for found, tried in (attack, control))
    (low, high), (low_other, high_other) = interval(*attack), interval(*control)
    if other >= 1.0:
        return 0.0, 0.0, 1.0
    value, rest = (rate - other) / (1.0 - other), 1.0 - other
    slope = (1.0 - rate) / rest**2
    below = ((rate - low) / rest) ** 2 + ((high_other - other) * slope) ** 2
    above = ((high - rate) / rest) ** 2 + ((other - low_other) * slope) ** 2
    ends = (value, value - below**0.5, value + above**0.5)
    cut, least, most = (min(max(one, 0.0), 1.0) for one in ends)
    return cut, least, most

"""Individual risk: the chance of picking the right person among the indistinguishable people of a population,
of which only a sample is known.

In a register of the population, a person of the sample is one of F indistinguishable people. F is not known;
f, their number in the sample, is known. The risk is the mean of 1 / F, given f.
"""

from __future__ import annotations

import numpy as np

_MANY, _TERMS = 10, 400


def inverse_mean(alike: np.ndarray, share: np.ndarray | float, discount: float = 0.0) -> np.ndarray:
    """float64: the mean of 1 / F of people who look like ``alike`` = f ≥ 1 of the sample, themselves
    included, where a person of the population is in the sample with probability ``share`` = p, 0 < p ≤ 1.

    Given f, the number of the others, F − f, has the negative binomial distribution of f − α successes with
    probability p; α is the ``discount`` of Pitman's sampling formula, and 0 in survey practice. Then

        r = E[1 / F | f] = (p / f) · ₂F₁(1, 1 + α; f + 1; 1 − p),

    which for α = 0 and f = 1, 2, 3 is, with q = 1 − p,

        r = (p / q) · ln(1 / p)
        r = (p / q²) · (p ln p + q)
        r = (p / (2 q³)) · (q (3 q − 2) − 2 p² ln p).

    In (0, 1 / f]; 1 / f where p = 1. Cost O(different pairs of f and p).

    References: R. Benedetti, L. Franconi, Statistical and technological solutions for controlled data
    dissemination, NTTS 1998; L. Franconi, S. Polettini, Individual risk estimation in μ-Argus: a review,
    Privacy in Statistical Databases 2004; for α, J. Pitman, Exchangeable and partially exchangeable random
    partitions, Probability Theory and Related Fields 102, 1995.

    >>> inverse_mean(np.array([1, 2]), np.array([1 / 215, 2 / 360])).round(4).tolist()
    [0.0251, 0.0054]
    """
    sample = np.asarray(alike, np.float64)
    pairs = np.column_stack([sample, np.broadcast_to(share, sample.shape)])
    (f, p), which = _different(pairs)
    return np.asarray(np.minimum(p / f * _hypergeometric(f, p, discount), 1 / f)[which])


def _hypergeometric(f: np.ndarray, p: np.ndarray, discount: float) -> np.ndarray:
    """Return ₂F₁(1, 1 + α; f + 1; 1 − p); from f = 10 on by its series, whose terms then fall fast for any
    p."""
    from scipy.special import hyp2f1

    found, many = np.ones(len(f)), f >= _MANY
    for k in reversed(range(_TERMS)):
        found = 1 + found * (1 + discount + k) / (f + 1 + k) * (1 - p)
    found[~many] = hyp2f1(1.0, 1.0 + discount, f[~many] + 1.0, 1.0 - p[~many])
    return found


def _different(pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows, as columns, and the number of each row among them."""
    rows, which = np.unique(pairs, axis=0, return_inverse=True)
    return rows.T, which.reshape(-1)

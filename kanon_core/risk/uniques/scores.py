"""SUDA and DIS-SUDA scores of records that few attributes single out."""

from __future__ import annotations

import numpy as np


def set_scores(columns: int, most: int) -> np.ndarray:
    """float64 (most): what a minimal unique of 1, 2 … columns adds to the score of its record.

    One of s columns adds ∏ over i = s … most − 1 of (columns − i): the number of ways in which it can grow,
    column by column, to a set of ``most`` columns. So small sets weigh most. For ``most`` = ``columns`` this
    is (columns − s)!, as sdcMicro computes it. The practice guide for sdcMicro multiplies up to i = most,
    which makes all scores (columns − most) times as large.

    Reference: M. J. Elliot et al., SUDA: a program for detecting special uniques, UNECE/Eurostat 2005.

    >>> set_scores(4, 3).tolist()
    [6.0, 2.0, 1.0]
    """
    return np.array([np.prod([columns - i for i in range(s, most)], dtype=float) for s in range(1, most + 1)])


def disclosure_scores(
    scores: np.ndarray, columns: int, unique: int, in_pairs: int, fraction: float = 0.01
) -> np.ndarray:
    """float64 (n): DIS-SUDA, the probability, 0 … 1, that a match with another file which is unique in the
    sample is the right one, as distributed over records by their SUDA ``scores``.

    ``unique``: how many records differ from all others in all columns together; ``in_pairs``: how many are
    equal to exactly one other; ``fraction``: the share of the population that was sampled, 0 < f ≤ 1. With
    d = unique · f / (unique · f + in_pairs · (1 − f)) (data intrusion simulation),
    q = 1 + (8 − columns) / 20 and a = Σ score^−q over records with a score, a record with a score has
    1 / (1 + (unique / d − unique) / (score^q · a)), and one without it 0. These are the constants of
    sdcMicro, whose default is f = 0.01. Cost O(n).

    Reference: M. J. Elliot, A. M. Manning, Using DIS to modify the classification of special uniques,
    UNECE/Eurostat 2003; C. J. Skinner, M. J. Elliot, JRSS B 64(4), 2002.

    >>> disclosure_scores(np.array([0, 6, 12, 6, 10]), 4, 4, 6).round(4).tolist()
    [0.0, 0.005, 0.0114, 0.005, 0.0092]
    """
    found, here = np.zeros(len(scores)), np.flatnonzero(scores)
    if not len(here):
        return found
    share = unique * fraction / (unique * fraction + in_pairs * (1 - fraction))
    powers = np.asarray(scores, float)[here] ** (1 + (8 - columns) / 20)
    found[here] = 1 / (1 + (unique / share - unique) / (powers * (1 / powers).sum()))
    return found

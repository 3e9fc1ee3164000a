"""Which cells of a big table are looked at, and what they tell of the whole.

Rows drawn one by one mislead: they lie apart from the rows beside them, with which they would share a group,
so that loss comes out too high. A cell is a whole part of Mondrian's partition: what happens in it is what
happens there in the whole table.
"""

from __future__ import annotations

import numpy as np

from kanon_core.base.randomness import generator, subkey

LEVEL = 0.95
"""How often the true number lies within the error, of all draws there could be."""


def places_of(records: int, cells: int, rows: int, seed: int) -> np.ndarray | None:
    """int64 (cells), ascending: the drawn rows, as places in the order of the tree of cuts; None where all
    cells are looked at: none are drawn, or so many of ``rows`` rows would hold the whole table.

    The rows are divided, in that order, into cells / 2 stretches of equal length; two are drawn in each,
    independently and uniformly. So each draw meets a cell with the probability rows of the cell / all rows,
    and neighbors in the table are not drawn by chance alone.

    >>> places_of(1_000, 4, 100, seed=7).tolist()
    [137, 437, 562, 784]
    >>> places_of(1_000, 10, 100, seed=7) is None
    True
    """
    if not cells or cells * rows >= records:
        return None
    stretches = np.repeat(np.arange(cells // 2), 2)
    within = generator(subkey(seed, "cells")).random(len(stretches))
    return np.sort(((stretches + within) * (records / (cells // 2))).astype(np.int64))


def estimated(drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""The mean loss of all rows and its error, each float64 (ks), from the loss of the cells around the
    drawn rows, ``drawn`` float64 (draws, ks), two for each stretch one after the other.

    With :math:`y_{h1}, y_{h2}` the mean losses of the two cells of stretch h of H:

    .. math:: \hat y = \frac1H\sum_h\frac{y_{h1}+y_{h2}}2,\quad
              \hat V = \frac1{H^2}\sum_h\frac{(y_{h1}-y_{h2})^2}4,\quad
              \text{error} = t_{0.975}(f)\,\sqrt{\hat V}

    Both are unbiased: cells are drawn with replacement and with probability proportional to their rows, so
    that their plain mean estimates the mean over rows, and no correction for a finite population is due. The
    degrees of freedom :math:`f = 3(\sum d^2)^2/\sum d^4 - 2`, 1 to H, are those of Satterthwaite, from the
    differences d, so that a few stretches of great differences widen the error.

    Reference: M. H. Hansen, W. N. Hurwitz, On the theory of sampling from finite populations, Annals of
    Mathematical Statistics 14, 1943; W. G. Cochran, Sampling techniques, 3rd edition, Wiley 1977, chapters 5
    and 9A; F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics
    Bulletin 2, 1946.

    >>> mean, error = estimated(np.array([[0.1], [0.2], [0.3], [0.4]]))
    >>> float(mean[0].round(3)), float(error[0].round(3))
    (0.25, 0.152)
    """
    from scipy.special import stdtrit

    squares = (drawn[::2] - drawn[1::2]) ** 2
    total, stretches = squares.sum(axis=0), len(squares)
    fourth = np.where(total > 0, (squares**2).sum(axis=0), 1.0)
    freedom = np.clip(3 * total**2 / fourth - 2, 1, stretches)
    error = stdtrit(freedom, (1 + LEVEL) / 2) * np.sqrt(total / 4) / stretches
    return drawn.mean(axis=0), np.asarray(error)

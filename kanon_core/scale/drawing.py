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

    The rows are divided, in that order, into stretches of equal length, and one is drawn uniformly in each,
    so that every part of the table is met. A cell is met with a probability proportional to its rows.

    >>> places_of(1_000, 4, 100, seed=7).tolist()
    [215, 371, 745, 841]
    >>> places_of(1_000, 10, 100, seed=7) is None
    True
    """
    if not cells or cells * rows >= records:
        return None
    within = generator(subkey(seed, "cells")).random(cells)
    return np.asarray(((np.arange(cells) + within) * (records / cells)).astype(np.int64))


def estimated(drawn: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""The mean loss of all rows and its error, each float64 (ks), from the loss of the cells around the
    drawn rows, ``drawn`` float64 (draws, ks), in their order; the number of draws is even.

    With :math:`y_1 \dots y_m` the mean losses of the drawn cells and :math:`d_h = y_{2h-1} - y_{2h}`:

    .. math:: \hat y = \frac1m\sum_i y_i,\quad \hat V = \frac1{m^2}\sum_h d_h^2,\quad
              \text{error} = t_{0.975}(f)\,\sqrt{\hat V},\quad
              f = 3\,\frac{(\sum d_h^2)^2}{\sum d_h^4} - 2

    The mean is unbiased: every row is drawn with the same probability, and a cell stands for its rows. The
    draws of different stretches are independent, and :math:`\mathrm E\,\hat V` is their variance and the
    squared differences of neighboring stretches' means: never too small on average (collapsed strata). Rows
    are drawn, of which a cell has many, so no correction for a finite number of cells is due. The degrees of
    freedom, 1 to m / 2, are Satterthwaite's, so that few great differences widen the error.

    Reference: M. H. Hansen, W. N. Hurwitz, On the theory of sampling from finite populations, Annals of
    Mathematical Statistics 14, 1943; W. G. Cochran, Sampling techniques, 3rd edition, Wiley 1977, chapters 5A
    and 9A; F. E. Satterthwaite, An approximate distribution of estimates of variance components, Biometrics
    Bulletin 2, 1946.

    >>> mean, error = estimated(np.array([[0.1], [0.2], [0.3], [0.4]]))
    >>> float(mean[0].round(3)), float(error[0].round(3))
    (0.25, 0.152)
    """
    from scipy.special import stdtrit

    squares = (drawn[::2] - drawn[1::2]) ** 2
    total, pairs = squares.sum(axis=0), len(squares)
    fourth = np.where(total > 0, (squares**2).sum(axis=0), 1.0)
    freedom = np.clip(3 * total**2 / fourth - 2, 1, pairs)
    error = stdtrit(freedom, (1 + LEVEL) / 2) * np.sqrt(total) / len(drawn)
    return drawn.mean(axis=0), np.asarray(error)

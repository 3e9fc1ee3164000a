"""A sample of whole cells of a big table: the drawn cells, the cell of each record, and the estimates for the
whole.

A cell is a part that exact cuts from the top make of the whole table (`kanon_core.scale.tuning.tuning`).
Records of different cells never share a group there, and so they do not here: what an algorithm does in a
cell of the sample it does in that cell of the whole. Rows drawn one by one mislead: they lie apart from the
rows beside them, with which they would share a group, so that loss comes out too high.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from kanon_core.base.errors import InputError, UnsuitableError
from kanon_core.base.randomness import generator, subkey
from kanon_core.base.words import counted, later, tr
from kanon_core.table.schema import Schema

ENGINE_FLAGS = ("engine", "address", "tls-certificate", "tls-key", "tls-authority")
"""The settings of the engine that drew a sample."""
LEVEL = 0.95
"""The share of all possible draws in which the true number is within the error."""
SETTLED = later(
    "The schema of a sample of whole cells cannot change, because its quasi-identifiers define the cells;"
    " for another schema, draw the sample again with “kanon tune”."
)
"""Why a sample takes no other schema."""
DAMAGED = later("The sample is damaged or cut short; copy it again, or draw a new one with “kanon tune”.")
"""The message on a sample that contradicts itself or cannot be read."""
_ON_EVERYTHING = later(
    "This is a sample of whole cells, drawn to choose an algorithm and k, and is not released. Anonymize the"
    " whole table “{source}” with “kanon anonymize”, or with kc.anonymize_files(source,"
    " table.whole_cells.schema, algorithm, k, out)."
)
NOT_RELEASED = later(
    "This is a sample of whole cells, drawn to choose an algorithm and k, and is not released. Run the"
    " command for the whole table."
)


@dataclass(frozen=True, eq=False)
class WholeCells:
    """The facts that a sample keeps about the table that it was drawn from.

    ``cell``: int64 (n), the number of each record's cell, from 0. ``draws``: int64 (m, even), the cell of
    each draw, in the order of the cuts; a cell may be drawn more than once; none where the sample holds all
    cells. ``records``: how many the whole table has. ``rows``: how many a cell has at most. ``most_k``: the k
    of the cuts; for a larger one the cells are no cells of the whole. ``source`` and ``schema``: the files of
    the whole table, and all their columns, also those that the sample leaves out. ``engine``: by flag of
    `kanon anonymize`, the engine that drew the sample and the address of its workers, which may also
    anonymize the whole.
    """

    cell: np.ndarray
    draws: np.ndarray
    records: int
    rows: int
    most_k: int
    source: str
    schema: Schema
    engine: Mapping[str, str] = field(default_factory=lambda: {"engine": "local"})

    def __post_init__(self) -> None:
        """Raise InputError where the numbers contradict one another."""
        cells = int(self.cell.max(initial=-1)) + 1
        within = cells > 0 and len(np.unique(self.cell)) == cells and not len(self.draws) % 2
        within = within and bool(((self.draws >= 0) & (self.draws < cells)).all())
        if not within or not 0 < len(self.cell) <= self.records or self.most_k < 2 or self.rows < 1:
            raise InputError(tr(DAMAGED))

    @property
    def count(self) -> int:
        """The number of different cells."""
        return int(self.cell.max()) + 1

    @cached_property
    def digest(self) -> str:
        """SHA-256 (64 hex digits) of all of it."""
        facts = [self.records, self.rows, self.most_k, self.source, self.schema.to_json(), dict(self.engine)]
        numbers = (np.ascontiguousarray(one, np.int64).tobytes() for one in (self.cell, self.draws))
        return hashlib.sha256(b"|".join((*numbers, json.dumps(facts).encode()))).hexdigest()

    def estimate(self, each: np.ndarray) -> tuple[float, float]:
        """Return the mean of a number over all records of the whole table, and its error, which is not
        exceeded 95 times in 100 (0 where the sample holds all cells). ``each`` float64 (n): the number of
        each record."""
        if not len(self.draws):
            return float(each.mean()), 0.0
        means = np.bincount(self.cell, each) / np.bincount(self.cell)
        mean, error = estimated(means[self.draws][:, None])
        return float(mean[0]), float(error[0])

    @property
    def sentence(self) -> str:
        """A sentence on what the sample holds, and which figures describe the whole table."""
        said = tr(
            "This sample holds all {records} of the table, in {cells} that an algorithm never mixes. Use it"
            " to choose settings; it is not released."
        )
        if len(self.draws):
            said = tr(
                "This is a sample of whole cells: {cells} with {rows:,} of {records}. The certainty penalty"
                " is an estimate for the whole table, ± its error in 95 of 100 draws. All other figures"
                " (loss, groups, risks, unique records, findings) describe only the sample; those of the"
                " whole table differ."
            )
        records, cells = counted(self.records, "record"), counted(self.count, "cell")
        return said.format(records=records, cells=cells, rows=len(self.cell))


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


def refuse_sample(cells: WholeCells | None) -> None:
    """Raise UnsuitableError where a table is a sample of whole cells: it is not released."""
    if cells is not None:
        raise UnsuitableError(tr(_ON_EVERYTHING).format(source=cells.source))


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

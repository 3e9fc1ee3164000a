"""The end of every story of k-concealment: which matching is the true one is drawn, not computed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas.theme import number_text
from kanon_core.charts.steps.bipartite import LOST, NEW, OFFERED, Bipartite, Edges
from kanon_core.explain.concealment.within import PAIRS_AT_MOST, Within
from kanon_core.explain.step import Step

_SHOWN = 3


def line() -> str:
    """The line of the algorithm that tells of the draw."""
    return tr("Draw, with a secret seed, which of its k rows bears a record's other columns.")


def true_one(within: Within, number: int, fragments: int = 1) -> Iterator[Step]:
    """The parts of the draw (`kanon_core.release.draw`), with the line of this number; of several fragments
    all at once. The cover stays as it is: the draw changes nothing of what is published of the
    quasi-identifiers."""
    stages = within.run.draw
    cover = np.ascontiguousarray(stages[0].T)
    yield Step(_begun(within), number, cover, _scene(within, stages[0], None, OFFERED))
    for before, after in pairwise(stages):
        kind = NEW if after.shape[1] == 1 else OFFERED
        said = _parted(before, after) if fragments == 1 else _each(before, fragments)
        yield Step(said, number, cover, _scene(within, after, before, kind))
    yield Step(_drawn(within, stages[-1][:, 0]), number, cover, _scene(within, stages[-1], None, NEW))


def _begun(within: Within) -> str:
    return tr(
        "Together the matchings give every record {k} edges. Who knows the quasi-identifiers and the program"
        " can compute them all, so which edge is the true one is drawn now, by a secret seed."
    ).format(k=within.run.k)


def _parted(before: np.ndarray, after: np.ndarray) -> str:
    """What one part of the draw did to the edges."""
    d, left = before.shape[1], after.shape[1]
    if d % 2 == 0:
        return tr(
            "The {d} edges of every record and of every row are split at random into two halves; one half is"
            " drawn, with probability 1/2: {left} of each are left."
        ).format(d=d, left=left)
    if left == 1:
        return tr(
            "{d} is odd, so a perfect matching is drawn from the edges. With probability 1/{d} it becomes the"
            " true one: here it does."
        ).format(d=d)
    return tr(
        "{d} is odd, so a perfect matching is drawn from the edges. With probability 1/{d} it becomes the"
        " true one: here it does not, and is taken away, and {left} edges of every record are left."
    ).format(d=d, left=left)


def _each(before: np.ndarray, fragments: int) -> str:
    """What the draw of several fragments did."""
    return tr(
        "Each of the {fragments} fragments draws by itself, with a seed of its own: of the {d} edges of every"
        " record and of every row one is left."
    ).format(fragments=fragments, d=before.shape[1])


def _drawn(within: Within, rows: np.ndarray) -> str:
    """What came out, by the first records of the table."""
    run, own = within.run, int((rows == np.arange(len(rows))).sum())
    first = np.argsort(run.records)[: _SHOWN if len(rows) > PAIRS_AT_MOST else None].tolist()
    pairs = ", ".join(f"{run.number(record)} → {run.number(int(rows[record]))}" for record in first)
    pairs += " …" if len(first) < len(rows) else ""
    return tr_n(
        "Drawn: the other columns of a record are published with the row at its edge ({pairs}). {own} of"
        " {n} has its own row; every edge had the probability 1/{k} = {share}.",
        "Drawn: the other columns of a record are published with the row at its edge ({pairs}). {own} of"
        " {n} have their own row; every edge had the probability 1/{k} = {share}.",
        own,
    ).format(pairs=pairs, own=own, n=counted(len(rows), "record"), k=run.k, share=number_text(1 / run.k))


def _scene(within: Within, rows: np.ndarray, before: np.ndarray | None, kind: int) -> Bipartite:
    """The edges that are left, and those taken away."""
    name = tr("the true matching") if kind == NEW else tr("edges that can be true")
    edges = [Edges(name, _pairs(rows), kind)]
    if before is not None:
        gone = ~(before[:, :, None] == rows[:, None, :]).any(axis=2)
        there = np.repeat(np.arange(len(rows)), before.shape[1])
        lost = np.column_stack([there, before.ravel()])[gone.ravel()]
        edges.insert(0, Edges(tr("taken away"), lost, LOST, len(rows) > 30))
    return within.scene((), edges, published=within.run.draw[0].T)


def _pairs(rows: np.ndarray) -> np.ndarray:
    return np.column_stack([np.repeat(np.arange(len(rows)), rows.shape[1]), rows.ravel()])

"""Passes over all parts that answer questions about nodes of the tree of cuts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kanon_core.base.words import tr
from kanon_core.scale.passes.encoded import Encoded, counted_rows
from kanon_core.scale.passes.questions import Answer, Question, answers
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result

RUNS = 256
"""The most answers of a pass that the driver merges; where there are more parts, workers merge some
before."""


@dataclass(frozen=True)
class Pass:
    """A pass over runs of parts that answers a question about each open node of the tree; a worker merges
    the answers of its run."""

    encoded: Encoded
    tree: Tree
    questions: Mapping[int, Question]

    def __call__(self, run: Sequence[int]) -> Result:
        """Return the answers on these parts, by node and name."""
        merged: dict[int, Answer] = {}
        for part in run:
            rows, sensitive = counted_rows(self.encoded, part)
            self.merge(merged, answers(self.questions, rows, self.tree.leaf_of(rows), sensitive))
        return {f"{node} {name}": value for node, one in merged.items() for name, value in one.items()}

    def merge(self, merged: dict[int, Answer], answers: Mapping[int, Answer]) -> None:
        """Add the answers on some parts to those on others."""
        for node, question in self.questions.items():
            merged[node] = question.merged(merged[node], answers[node]) if node in merged else answers[node]


def ask_all_parts(
    job: Job, encoded: Encoded, parts: int, tree: Tree, questions: Mapping[int, Question], round: int
) -> dict[int, Answer]:
    """Return the answers over all parts, by node."""
    merged, work = dict[int, Answer](), Pass(encoded, tree, questions)
    for one in job.stage("cut", work, runs_of(parts), tr("cutting"), round):
        work.merge(merged, {node: _of_node(node, one) for node in questions})
    return merged


def runs_of(parts: int) -> list[range]:
    """Return the parts in at most `RUNS` runs of equal length, the last one shorter. The runs do not depend
    on the number of workers, so that other workers can continue.

    >>> runs_of(3), runs_of(600)[:2], len(runs_of(600))
    ([range(0, 1), range(1, 2), range(2, 3)], [range(0, 3), range(3, 6)], 200)
    """
    each = -(-parts // RUNS)
    return [range(start, min(start + each, parts)) for start in range(0, parts, each)]


def _of_node(node: int, result: Result) -> Answer:
    start = f"{node} "
    return {name.removeprefix(start): value for name, value in result.items() if name.startswith(start)}

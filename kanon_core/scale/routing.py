"""From parts to fragments: passes that answer questions about nodes, and the one that brings the rows of a
fragment together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from kanon_core.scale.counted import Reader, counted_rows, rows_as_boxes
from kanon_core.scale.encoding import write_batches
from kanon_core.scale.job import Job
from kanon_core.scale.keeping import Result, kept
from kanon_core.scale.questions import Answer, Question, answers
from kanon_core.scale.sets import Keys, Sets, cells_of, keys_of
from kanon_core.scale.tree import Tree
from kanon_core.scale.whole import Whole, whole_in
from kanon_core.table.domain import LabelDomain

if TYPE_CHECKING:
    from kanon_core.scale.counting_kernels import Rows

WHOLE, PARTS, ROUTED = "whole.npz", "parts", "routed"
RUNS = 256
"""The driver merges no more answers of a pass than these; of more parts, workers merge some before."""
_TEXT = pa.large_string()
_ARROW = {
    "whole": pa.int64(),
    "number": pa.float64(),
    "moment": pa.timestamp("us"),
    "text": _TEXT,
    "none": _TEXT,
}


@dataclass(frozen=True)
class Encoded:
    """The encoded parts in the folder of a job, and how an algorithm reads their rows."""

    folder: str
    reader: Reader

    @property
    def whole(self) -> Whole:
        """What they have in common."""
        path = Path(self.folder) / WHOLE
        return whole_in(str(path), path.stat().st_mtime_ns)

    def batch(self, part: int) -> pa.RecordBatch:
        """The rows of a part, as they lie on disk."""
        return batch_in(Path(self.folder) / PARTS / f"{part:06d}.arrow")

    def keys(self, part: int, batch: pa.RecordBatch, sets: bool = True) -> dict[str, Keys]:
        """By coded column: numbers as they are written, words and items as codes in the whole; without
        ``sets``, item sets are left out."""
        known, whole = kept(Path(self.folder) / "encode" / f"{part:06d}.npz"), self.whole
        assert known is not None
        found: dict[str, Keys] = {}
        for name in whole.domain.columns:
            if whole.schema[name].kind == "items" and not sets:
                continue
            found[name] = own = keys_of(batch.column(f"key:{name}"))
            if f"labels:{name}" in known:
                number = whole.numbering(name, known[f"labels:{name}"])
                found[name] = own.numbered(number) if isinstance(own, Sets) else number[own]
            elif isinstance(
                labels := whole.domain.columns[name], LabelDomain
            ):  # no cell of this part has any
                found[name] = np.full(len(own), len(labels.labels), np.int32)
        return found

    def rows(self, keys: Mapping[str, Keys]) -> tuple[Rows, np.ndarray]:
        """Rows by their keys, as the algorithm reads them."""
        return self.reader(self.whole, keys)

    def counted(self, part: int) -> tuple[Rows, np.ndarray]:
        """The rows of a part that the cuts count."""
        sets = self.reader is not rows_as_boxes  # at which Mondrian does not cut
        return self.rows(self.keys(part, self.batch(part), sets))

    def leaves(self, part: int, keys: Mapping[str, Keys], tree: Tree) -> np.ndarray:
        """int64 (n): the leaf of the tree in which each row of a part lies."""
        return tree.leaf_of(self.rows(keys)[0])


@dataclass(frozen=True)
class Pass:
    """A pass over runs of parts that answers a question about each open node of the tree; a worker merges
    the answers of its run."""

    encoded: Encoded
    tree: Tree
    questions: Mapping[int, Question]

    def __call__(self, run: Sequence[int]) -> Result:
        """The answers on these parts, by node and name."""
        merged: dict[int, Answer] = {}
        for part in run:
            rows, sensitive = counted_rows(self.encoded, part)
            self.merge(merged, answers(self.questions, rows, self.tree.leaf_of(rows), sensitive))
        return {f"{node} {name}": value for node, one in merged.items() for name, value in one.items()}

    def merge(self, merged: dict[int, Answer], found: Mapping[int, Answer]) -> None:
        """Add what was found in some parts to what was found in others."""
        for node, question in self.questions.items():
            merged[node] = question.merged(merged[node], found[node]) if node in merged else found[node]


def asked(
    job: Job, encoded: Encoded, parts: int, tree: Tree, questions: Mapping[int, Question], round: int
) -> dict[int, Answer]:
    """The answers over all parts, by node."""
    merged, work = dict[int, Answer](), Pass(encoded, tree, questions)
    for one in job.stage("cut", work, runs_of(parts), "cutting", round):
        work.merge(merged, {node: _of_node(node, one) for node in questions})
    return merged


def runs_of(parts: int) -> list[range]:
    """The parts in runs of equal length, the last shorter, at most `RUNS`: whatever the workers are, so that
    others can go on.

    >>> runs_of(3), runs_of(600)[:2], len(runs_of(600))
    ([range(0, 1), range(1, 2), range(2, 3)], [range(0, 3), range(3, 6)], 200)
    """
    each = -(-parts // RUNS)
    return [range(start, min(start + each, parts)) for start in range(0, parts, each)]


def _of_node(node: int, found: Result) -> Answer:
    start = f"{node} "
    return {name.removeprefix(start): value for name, value in found.items() if name.startswith(start)}


@dataclass(frozen=True)
class Route:
    """Writes the rows of a part fragment by fragment; only those of some leaves where these are named."""

    encoded: Encoded
    tree: Tree
    only: tuple[int, ...] = ()

    def __call__(self, part: int) -> Result:
        """Which fragments the part has rows of, int64, in the order of the batches that are written."""
        batch = self.encoded.batch(part)
        keys = self.encoded.keys(part, batch)
        leaves = self.encoded.leaves(part, keys, self.tree)
        order = np.argsort(leaves, kind="stable")
        if self.only:
            order = order[np.isin(leaves[order], self.only)]
        path = Path(self.encoded.folder) / ROUTED / f"{part:06d}.arrow"
        return write_groups(path, alike(batch, keys, self.encoded.whole), order, leaves[order])


def write_groups(path: Path, batch: pa.RecordBatch, order: np.ndarray, leaves: np.ndarray) -> Result:
    """Write rows of a part in this order, int64, a batch for each fragment; ``leaves``: that of each row in
    this order, ascending. Returns which there are (``leaves``) and how many rows each has (``counts``),
    int64."""
    ordered = batch.take(pa.array(order))
    present, counts = np.unique(leaves, return_counts=True)
    starts = np.cumsum(counts) - counts
    slices = [
        ordered.slice(start, count) for start, count in zip(starts.tolist(), counts.tolist(), strict=True)
    ]
    write_batches(path, slices or [ordered])
    return {"leaves": present, "counts": counts}


def alike(batch: pa.RecordBatch, keys: Mapping[str, Keys], whole: Whole) -> pa.RecordBatch:
    """The rows of a part as those of all others are written: codes of the whole, cells of one type."""
    for place, name in enumerate(batch.schema.names):
        what, _, column = name.partition(":")
        cells = (
            cells_of(keys[column]) if what == "key" else batch.column(name).cast(_ARROW[whole.types[column]])
        )
        batch = batch.set_column(place, name, cells)
    return batch


def batch_in(path: Path, place: int = 0) -> pa.RecordBatch:
    """One batch of an Arrow file. It is read, not mapped: the system would map many pages around it, which
    count as a worker's memory where it takes a little of each of many files."""
    with pa.OSFile(str(path)) as file:
        return pa.ipc.open_file(file).get_batch(place)


def batches_in(path: Path) -> list[pa.RecordBatch]:
    """All batches of an Arrow file."""
    with pa.OSFile(str(path)) as file:
        reader = pa.ipc.open_file(file)
        return [reader.get_batch(i) for i in range(reader.num_record_batches)]

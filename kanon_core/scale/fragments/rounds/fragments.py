"""Clusters that one worker can hold go on in step: each task does one round in one of them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kanon_core.algorithms.partitioning.topdown.cutting import REGROUP, labels_of
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.release.cover import Partition
from kanon_core.scale.fragments.leaves import Leaves, keys_in
from kanon_core.scale.fragments.rounds.losses import Lost
from kanon_core.scale.fragments.rounds.reading import Frame
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.keeping import Result, keep, kept

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Records, Work

IN_ROUNDS = "in rounds"
_ROWS = ("numeric", "starts", "tokens", "record")


class Stood(NamedTuple):
    """Where a fragment stands: the last round that changed it, and the one after which its rows were written
    cluster by cluster."""

    round: int
    rows: int


@dataclass(frozen=True)
class Enter:
    """Reads a fragment's rows and keeps them as the compiled pass reads them."""

    rows: Leaves
    algorithm: TopDown
    k: int

    def __call__(self, numbered: tuple[int, int, list[bool], list[int]]) -> Result:
        """``numbered``: the fragment's place, its leaf, which attributes are closed in it, and which items
        are refused as pivots. Returns what it has lost (`Lost`)."""
        from kanon_core.algorithms.partitioning.topdown.clusters_kernels import new_work
        from kanon_core.algorithms.partitioning.topdown.topdown_kernels import begin

        place, leaf, closed, items = numbered
        frame = Frame(self.rows.encoded.whole, self.algorithm, self.k)
        records = frame.records(keys_in(frame.whole, self.rows.batch(leaf)))
        work = new_work(records, self.k, 0)
        work.closed[0] = closed
        begin(records, work, frame.limits)
        files = Files(self.rows.encoded.folder, place)
        files.keep_rows(Stood(0, 0), records)
        refused = np.array([(0, item + records.first[records.singles]) for item in items], np.int64)
        return files.keep_state(Stood(0, 0), self.k, work, refused.reshape(-1, 2))


@dataclass(frozen=True)
class Round:
    """Cuts every cluster of a fragment once in an ``attribute``, in the round of this ``number``."""

    encoded: Encoded
    algorithm: TopDown
    k: int
    number: int
    attribute: int

    def __call__(self, numbered: tuple[int, Stood]) -> Result:
        """``numbered``: the fragment's place, and where it stands. Returns what it has lost now, and ``rows``
        as of `Stood`."""
        from kanon_core.algorithms.partitioning.topdown.clusters_kernels import CLUSTERS, regroup
        from kanon_core.algorithms.partitioning.topdown.topdown_kernels import go_on, open_round, take_up
        from kanon_core.scale.fragments.rounds.refusals import refuse, refused_in

        place, stood = numbered
        frame, files = Frame(self.encoded.whole, self.algorithm, self.k), Files(self.encoded.folder, place)
        records = frame.nothing._replace(**files.rows(stood))
        work = files.work(stood, records, self.k)
        before = work.made[CLUSTERS]
        take_up(records, work, frame.limits, self.attribute)
        counted = work.open[self.attribute, : work.opened[self.attribute]].copy()
        refused = files.state(stood)["refused"]
        refuse(work, counted, refused)
        open_round(work, self.attribute)
        go_on(records, work, frame.limits, np.iinfo(np.int64).max)
        refused = refused_in(work, counted, refused)
        stood = stood._replace(round=self.number)
        if _due(before, work.made[CLUSTERS]):
            records, stood = regroup(records, work), stood._replace(rows=self.number)
            files.keep_rows(stood, records)
        return files.keep_state(stood, self.k, work, refused)


@dataclass(frozen=True)
class Grouped:
    """The groups that the rounds have made; ``stood``: by fragment, where it stands."""

    encoded: Encoded
    stood: tuple[Stood, ...]

    def __call__(self, place: int) -> Partition:
        """Those of a fragment, whose records are numbered as its rows lie."""
        files, stood = Files(self.encoded.folder, place), self.stood[place]
        state, record = files.state(stood), files.rows(stood)["record"]
        order = record[state["order"]].astype(np.int64)
        return Partition(labels_of(order, state["start"], state["end"]))


@dataclass(frozen=True)
class Files:
    """What is kept of a fragment in the folder of a job."""

    folder: str
    place: int

    def rows(self, stood: Stood) -> Result:
        """Its rows, as they were written last."""
        return _kept(self._rows(stood))

    def state(self, stood: Stood) -> Result:
        """How the pass over them stands."""
        return _kept(self._state(stood))

    def work(self, stood: Stood, records: Records, k: int) -> Work:
        """The pass as it stands; its clusters are not counted."""
        from kanon_core.algorithms.partitioning.topdown.clusters_kernels import CLUSTERS, new_work

        state, work = self.state(stood), new_work(records, k, 0)
        work.order[:], work.place[state["order"]] = state["order"], np.arange(len(state["order"]))
        for name in ("start", "end", "closed"):
            getattr(work, name)[: len(state["start"])] = state[name]
        work.made[CLUSTERS] = len(state["start"])
        return work._replace(spread=state["spread"], units=state["units"])

    def keep_rows(self, stood: Stood, records: Records) -> None:
        """Keep the rows in the order in which they lie."""
        keep(self._rows(stood), {name: getattr(records, name) for name in _ROWS})

    def keep_state(self, stood: Stood, k: int, work: Work, refused: np.ndarray) -> Result:
        """Keep how the pass stands; ``refused``: of `refusals`. Returns what is lost."""
        from kanon_core.algorithms.partitioning.topdown.clusters_kernels import CLUSTERS

        made = work.made[CLUSTERS]
        start, end, closed = work.start[:made], work.end[:made], work.closed[:made]
        opened = (~closed & (end - start >= 2 * k)[:, None]).sum(axis=0)
        lost = Lost(work.spread, work.units, opened)._asdict()
        stands = {"order": work.order, "start": start, "end": end, "closed": closed, "refused": refused}
        keep(self._state(stood), {**stands, **lost})
        return {**lost, "rows": stood.rows}

    def forget(self, old: Stood, new: Stood) -> None:
        """Delete what nobody reads any more."""
        if old.round != new.round:
            self._state(old).unlink(missing_ok=True)
        if old.rows != new.rows:
            self._rows(old).unlink(missing_ok=True)

    def _rows(self, stood: Stood) -> Path:
        return Path(self.folder) / IN_ROUNDS / f"{self.place:06d}-rows-{stood.rows:04d}.npz"

    def _state(self, stood: Stood) -> Path:
        return Path(self.folder) / IN_ROUNDS / f"{self.place:06d}-{stood.round:04d}.npz"


def lost_in(found: Result) -> Lost:
    """What a task returned."""
    return Lost(*(found[name] for name in Lost._fields))


def _due(before: int, after: int) -> bool:
    """Whether a power of `REGROUP` clusters was passed."""
    return int(math.log(after, REGROUP)) > int(math.log(before, REGROUP))


def _kept(path: Path) -> Result:
    found = kept(path)
    assert found is not None
    return found

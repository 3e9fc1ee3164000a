"""Clusters that one worker can hold go on in step: each task does one round in one of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kanon_core.algorithms.partitioning.topdown.cutting import labels_of
from kanon_core.algorithms.partitioning.topdown.topdown import TopDown
from kanon_core.release.cover import Partition
from kanon_core.scale.fragment import batch_of, keys_of
from kanon_core.scale.keeping import Result, keep, kept
from kanon_core.scale.rounds.losses import Lost
from kanon_core.scale.rounds.reading import Frame
from kanon_core.scale.routing import Encoded

if TYPE_CHECKING:
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import Records, Work

IN_ROUNDS = "in rounds"


@dataclass(frozen=True)
class Enter:
    """Reads a fragment's rows and keeps them as the compiled pass reads them; ``leaves`` as of
    `kanon_core.scale.fragment.Anonymize`."""

    encoded: Encoded
    algorithm: TopDown
    k: int
    leaves: tuple[tuple[int, ...], ...]

    def __call__(self, numbered: tuple[int, int, list[bool]]) -> Result:
        """``numbered``: the fragment's place, its leaf, and which attributes are closed in it. Returns what
        it has lost (`Lost`)."""
        place, leaf, closed = numbered
        frame = Frame(self.encoded.whole, self.algorithm, self.k)
        keys = keys_of(frame.whole, batch_of(self.encoded, self.leaves, leaf))
        records = frame.records(keys)
        rows = {name: getattr(records, name) for name in ("numeric", "starts", "tokens", "record")}
        keep(_rows_file(self.encoded, place), rows)
        n = len(records.record)
        state = {"order": records.record, "start": np.zeros(1, np.int64), "end": np.array([n])}
        _, work = _set_up(frame, records, {**state, "closed": np.array([closed])})
        return _written(self.encoded, self.k, place, 0, work)


@dataclass(frozen=True)
class Round:
    """Cuts every cluster of a fragment once in an ``attribute``, in the round of this ``number``."""

    encoded: Encoded
    algorithm: TopDown
    k: int
    number: int
    attribute: int

    def __call__(self, numbered: tuple[int, int]) -> Result:
        """``numbered``: the fragment's place, and the last round that changed it. Returns what it has lost
        now."""
        from kanon_core.algorithms.partitioning.topdown.topdown_kernels import go_on, open_round

        place, latest = numbered
        frame = Frame(self.encoded.whole, self.algorithm, self.k)
        rows, state = _kept(_rows_file(self.encoded, place)), _kept(_file(self.encoded, place, latest))
        records, work = _set_up(frame, frame.nothing._replace(**rows), state)
        open_round(work, self.attribute)
        go_on(records, work, frame.limits, np.iinfo(np.int64).max)
        return _written(self.encoded, self.k, place, self.number, work)


@dataclass(frozen=True)
class Grouped:
    """The groups that the rounds have made; ``latest``: by fragment, the last round that changed it."""

    encoded: Encoded
    latest: tuple[int, ...]

    def __call__(self, place: int) -> Partition:
        """Those of a fragment, whose records are numbered as its rows lie."""
        state = _kept(_file(self.encoded, place, self.latest[place]))
        return Partition(labels_of(state["order"].astype(np.int64), state["start"], state["end"]))


def forget(encoded: Encoded, place: int, number: int) -> None:
    """Delete what a fragment was after a round that another has followed."""
    _file(encoded, place, number).unlink(missing_ok=True)


def _set_up(frame: Frame, records: Records, state: dict[str, Any]) -> tuple[Records, Work]:
    """The records and the pass over them as it stood."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import ATTRIBUTE, CLUSTERS, new_work
    from kanon_core.algorithms.partitioning.topdown.topdown_kernels import begin

    work = new_work(records, frame.k, 0)
    made = len(state["start"])
    work.order[:], work.place[state["order"]] = state["order"], np.arange(len(state["order"]))
    for name in ("start", "end", "closed"):
        getattr(work, name)[:made] = state[name]
    work.made[CLUSTERS], work.made[ATTRIBUTE] = made, -1
    begin(records, work, frame.limits)
    return records, work


def _written(encoded: Encoded, k: int, place: int, number: int, work: Work) -> Result:
    """Keep how the pass stands after a round; returns what is lost."""
    from kanon_core.algorithms.partitioning.topdown.clusters_kernels import CLUSTERS

    made = work.made[CLUSTERS]
    start, end, closed = work.start[:made], work.end[:made], work.closed[:made]
    keep(_file(encoded, place, number), {"order": work.order, "start": start, "end": end, "closed": closed})
    opened = ~closed & (end - start >= 2 * k)[:, None]
    return Lost(work.spread, work.units, opened.sum(axis=0))._asdict()


def lost_in(found: Result) -> Lost:
    """What a task returned."""
    return Lost(*(found[name] for name in Lost._fields))


def _kept(path: Path) -> Result:
    found = kept(path)
    assert found is not None
    return found


def _rows_file(encoded: Encoded, place: int) -> Path:
    return Path(encoded.folder) / IN_ROUNDS / f"{place:06d}.npz"


def _file(encoded: Encoded, place: int, number: int) -> Path:
    return Path(encoded.folder) / IN_ROUNDS / f"{place:06d}-{number:04d}.npz"

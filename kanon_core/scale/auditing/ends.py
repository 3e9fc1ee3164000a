"""Ends of intervals over all fragments: those of equal rows are brought together, and counted by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from kanon_core.base.sums import Sums
from kanon_core.base.words import tr
from kanon_core.findings import ExactEnds
from kanon_core.findings.ends import sums_of_ends
from kanon_core.scale.anonymizing.ends import CLASS, ENDS, read_ends
from kanon_core.scale.anonymizing.partials import PART
from kanon_core.scale.auditing.adding import different
from kanon_core.scale.encoding.batches import batch_in
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result


@dataclass(frozen=True)
class ClassEnds:
    """Brings together the ends of one run of hashes from all ``fragments``."""

    encoded: Encoded
    fragments: int

    def __call__(self, place: int) -> Result:
        """What `ExactEnds` adds up."""
        folder = Path(self.encoded.folder) / ENDS
        read = [batch_in(folder / f"{i:06d}.arrow", place) for i in range(self.fragments)]
        found = pa.Table.from_batches(read)
        first, group = different(np.column_stack([found[name].to_numpy() for name in CLASS]))
        ends = [one.together(group, len(first)) for one in read_ends(found)]
        return dict(sums_of_ends(ends).within(ExactEnds.__name__).arrays(PART))


def class_ends(job: Job, encoded: Encoded, made: Sequence[Result], runs: int) -> Sums:
    """What `ExactEnds` adds up of all fragments where classes may have rows of several; nothing elsewhere."""
    if not all(one[ENDS] for one in made):
        return Sums()
    found = job.stage("ends", ClassEnds(encoded, len(made)), range(runs), tr("auditing the release"))
    return Sums.together(Sums.of_arrays(one, PART) for one in found)

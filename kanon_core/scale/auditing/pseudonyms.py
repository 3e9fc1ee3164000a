"""Pseudonyms over all files of a release: each is borne in one fragment only, as the judgement of histories
fragment by fragment supposes (`kanon_core.scale.auditing.beside`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from kanon_core.base.errors import BrokenPromise
from kanon_core.base.words import tr
from kanon_core.guarantees import Verdict
from kanon_core.guarantees.base import verdict
from kanon_core.scale.anonymizing.ordering import RELEASE, file_name
from kanon_core.scale.auditing.adding import added
from kanon_core.scale.auditing.beside import PSEUDONYMS
from kanon_core.scale.encoding.batches import batch_in, in_runs, write_batches
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result
from kanon_core.table.digests import hashes_of_both

BORNE = "borne"


@dataclass(frozen=True)
class Borne:
    """Finds the different pseudonyms of one file of the release; ``ranges``: into how many runs of their
    hashes they are divided."""

    encoded: Encoded
    seed: int
    ranges: int

    def __call__(self, run: int) -> Result:
        """Return how many different ones the file has."""
        folder = Path(self.encoded.folder)
        (person,) = self.encoded.whole.schema.of_role("person")
        try:
            read = pq.read_table(folder / RELEASE / file_name(run), columns=[person.name])
            names = read.select([person.name]).to_pandas().drop_duplicates()
        except (pa.ArrowException, OSError, ValueError, KeyError):
            raise BrokenPromise(
                tr("The file “{name}” of the release is damaged; nothing was published.").format(
                    name=file_name(run)
                )
            ) from None
        keys, _ = added(hashes_of_both(names.astype("str"), self.seed, PSEUDONYMS), np.ones(len(names), int))
        batch = pa.RecordBatch.from_pydict({str(i): np.ascontiguousarray(keys[:, i]) for i in range(2)})
        write_batches(folder / BORNE / f"{run:06d}.arrow", in_runs(batch, keys[:, 0], self.ranges))
        return {PSEUDONYMS: len(keys)}


@dataclass(frozen=True)
class Different:
    """Counts the different pseudonyms of one range of hashes over all files."""

    encoded: Encoded
    files: int

    def __call__(self, place: int) -> Result:
        """Return how many there are."""
        folder = Path(self.encoded.folder) / BORNE
        found = pa.Table.from_batches([batch_in(folder / f"{i:06d}.arrow", place) for i in range(self.files)])
        keys = np.column_stack([found[str(i)].to_numpy() for i in range(2)])
        return {PSEUDONYMS: len(added(keys, np.ones(len(keys), int))[0])}


def borne_once(job: Job, encoded: Encoded, seed: int, files: int, judged: Sequence[Result]) -> Verdict:
    """Return whether no pseudonym is borne in two fragments: all files together then have as many different
    ones as the fragments have, each by itself (``judged``: what `Beside` found of each)."""
    note = tr("auditing the release")
    job.stage("borne", Borne(encoded, seed, files), range(files), note)
    found = job.stage("different", Different(encoded, files), range(files), note)
    wanted, read = (sum(int(one[PSEUDONYMS]) for one in each) for each in (judged, found))
    said = tr("Each of the {read:,} pseudonyms in the files is borne in one fragment only.")
    if read != wanted:
        said = tr(
            "The files hold {read:,} different pseudonyms, and the fragments {wanted:,}: some are borne in"
            " several fragments, so that histories were not judged as a whole."
        )
    said = said.format(read=read, wanted=wanted)
    return verdict(tr("pseudonyms apart"), read == wanted, read, wanted, said, np.zeros(0, np.int64))

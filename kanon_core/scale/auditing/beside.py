"""Audit of the guarantees that are judged fragment by fragment: the rows to be released, beside the records
from which they were made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.base.errors import BrokenPromise, InputError
from kanon_core.base.words import tr
from kanon_core.covers.uploaded.beside import RowsBeside
from kanon_core.guarantees import Guarantee, Hiding, Judged, Verdict
from kanon_core.guarantees.base import verdict
from kanon_core.scale.anonymizing.fragment import RECORDS, STAGED
from kanon_core.scale.encoding.batches import batches_in
from kanon_core.scale.fragments.routing import Rows, table_of
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.keeping import Result, kept
from kanon_core.table.digests import sums_of_rows

PSEUDONYMS = "pseudonyms"


@dataclass(frozen=True)
class Beside:
    """Reads the rows of a fragment as a recipient of the release does, and judges them beside its records.

    ``rows`` of each fragment, before they were anonymized. It judges the rows that `Order` brings into the
    published order; `complete` checks by their sums that the files hold exactly these rows.
    """

    encoded: Encoded
    guarantees: tuple[Guarantee, ...]
    rows: Rows
    seed: int

    def __call__(self, numbered: tuple[int, Any, str]) -> Result:
        """Return how many rows there are, the sums of their hashes, what each guarantee finds, and how many
        different pseudonyms there are, where people have them. Raises BrokenPromise where they cannot be
        read."""
        place, which, _ = numbered
        table = table_of(self.encoded.whole, self.rows.batch(which))
        try:
            rows = RowsBeside(table, *self._staged(place))
            judged = cast("Judged", rows)
            tallies = [guarantee.tally(table, judged).plain for guarantee in self.guarantees]
        except (pa.ArrowException, OSError, ValueError, KeyError, InputError):
            raise BrokenPromise(
                tr("The rows to be released cannot be read; nothing was published.")
            ) from None
        found: Result = {
            "rows": len(rows.frame),
            "sums": sums_of_rows(rows.frame, self.seed),
            "tallies": tallies,
        }
        if any(isinstance(one, Hiding) and one.pseudonyms for one in self.guarantees):
            found[PSEUDONYMS] = len(np.unique(rows.pseudonyms))
        return found

    def _staged(self, place: int) -> tuple[pd.DataFrame, np.ndarray]:
        """Return the rows of a fragment, and the record that each row was made for."""
        folder = Path(self.encoded.folder)
        rows = pa.Table.from_batches(batches_in(folder / STAGED / f"{place:06d}.arrow"))
        names = [name for name in rows.column_names if name.startswith("cell:")]
        frame = rows.select(names).to_pandas()
        known = kept(folder / RECORDS / f"{place:06d}.npz")
        assert known is not None
        return frame.set_axis([name.removeprefix("cell:") for name in names], axis=1), known["records"]


def borne_once(read: int, judged: Sequence[Result]) -> Verdict:
    """Return the verdict that no pseudonym occurs in two fragments: all files together then have as many
    different ones (``read``) as the fragments have in sum (``judged``: what `Beside` found in each)."""
    wanted = sum(int(each[PSEUDONYMS]) for each in judged)
    said = tr("Each of the {read:,} pseudonyms in the files occurs in one fragment only.")
    if read != wanted:
        said = tr(
            "The files hold {read:,} different pseudonyms, but the fragments {wanted:,}: some occur"
            " in several fragments, so their histories were not judged as a whole."
        )
    said = said.format(read=read, wanted=wanted)
    return verdict(tr("pseudonyms apart"), read == wanted, read, wanted, said, np.zeros(0, np.int64))

"""Gathering of people with several records: all records of a person are brought into one part. There the
first of them, in the order in which algorithms process records, represents the person when the table is
cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa

from kanon_core.base.words import tr
from kanon_core.covers.pseudonyms import names_taken
from kanon_core.scale.encoding.batches import batch_in, write_batches
from kanon_core.scale.encoding.item_codes import Keys, taken
from kanon_core.scale.fragments.routing import alike, keys_in, table_of
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.passes.tree import Tree
from kanon_core.scale.work.job import Job
from kanon_core.scale.work.keeping import Result, kept
from kanon_core.table.digests import hashes_of_both
from kanon_core.table.people import persons_of

if TYPE_CHECKING:
    from kanon_core.scale.passes.counting_kernels import Rows

SCATTERED, GATHERED = "scattered", "gathered"


@dataclass(frozen=True)
class Together(Encoded):
    """Parts that have all records of their people, written as in the whole."""

    def batch(self, part: int) -> pa.RecordBatch:
        """Return the rows of a part, as they are on disk."""
        return batch_in(Path(self.folder) / GATHERED / f"{part:06d}.arrow")

    def keys(self, part: int, batch: pa.RecordBatch, sets: bool = True) -> dict[str, Keys]:
        """Return the keys of a batch; see `Encoded.keys`. There are no item sets."""
        return keys_in(self.whole, batch)

    def counted(self, part: int) -> tuple[Rows, np.ndarray]:
        """Return one row of each person."""
        keys, (_, firsts) = self.keys(part, self.batch(part)), self._people(part)
        return self.rows({name: taken(own, firsts) for name, own in keys.items()})

    def leaves(self, part: int, keys: Mapping[str, Keys], tree: Tree) -> np.ndarray:
        """Return the leaf of each row's person, int64 (n); rows that name nobody have the first leaf."""
        people, firsts = self._people(part)
        rows, _ = self.rows({name: taken(own, firsts) for name, own in keys.items()})
        first = min(tree.leaves, key=tree.begins.__getitem__)
        return np.asarray(np.append(tree.leaf_of(rows), first)[people])

    def _people(self, part: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the person of each row of the part, int64, −1 = nobody, and the row that represents each
        person."""
        found = kept(Path(self.folder) / "gather" / f"{part:06d}.npz")
        assert found is not None
        return found["people"], found["firsts"]


@dataclass(frozen=True)
class Scatter:
    """Writes the rows of a part, of each person into the same one of so many ``ranges``."""

    encoded: Encoded
    person: str
    ranges: int

    def __call__(self, part: int) -> Result:
        """Write the rows; return no facts about them."""
        batch, whole = self.encoded.batch(part), self.encoded.whole
        keys = self.encoded.keys(part, batch)
        place = self._places(whole.column(self.person, keys[self.person]).missing, keys[self.person])
        order = np.argsort(place, kind="stable")
        starts = np.searchsorted(place[order], np.arange(self.ranges + 1)).tolist()
        rows = alike(batch, keys, whole).take(pa.array(order))
        own = [rows.slice(start, end - start) for start, end in pairwise(starts)]
        write_batches(Path(self.encoded.folder) / SCATTERED / f"{part:06d}.arrow", own)
        return {}

    def _places(self, nobody: np.ndarray, names: Keys) -> np.ndarray:
        hashes = hashes_of_both(pd.DataFrame({"name": names}), 0, "people")[:, 0]
        spread = np.arange(len(nobody), dtype=np.uint64)
        return (np.where(nobody, spread, hashes) % np.uint64(self.ranges)).astype(np.int64)


@dataclass(frozen=True)
class Gather:
    """Brings the rows of a range together, from all ``parts``."""

    encoded: Encoded
    parts: int
    seed: int

    def __call__(self, place: int) -> Result:
        """Return the person of each row (``people``), the row that represents each person (``firsts``), and
        the names that are numbers of nine digits (``names``), int64."""
        folder = Path(self.encoded.folder)
        found = [batch_in(folder / SCATTERED / f"{part:06d}.arrow", place) for part in range(self.parts)]
        (batch,) = pa.Table.from_batches(found).combine_chunks().to_batches() or found[:1]
        write_batches(folder / GATHERED / f"{place:06d}.arrow", [batch])
        seen, order = table_of(self.encoded.whole, batch).ordered(self.seed)
        persons = persons_of(seen)
        named = np.flatnonzero(persons.numbers >= 0)
        people = np.empty(len(order), np.int64)
        people[order] = persons.numbers
        firsts = order[named[np.unique(persons.numbers[named], return_index=True)[1]]]
        return {"people": people, "firsts": firsts, "names": names_taken(seen)}


@dataclass(frozen=True)
class Gathered:
    """The parts, how many ``people`` there are, and the ``names`` of theirs that are numbers of nine digits,
    int64, which no pseudonym may be."""

    encoded: Together
    people: int
    names: np.ndarray


def gathered(job: Job, encoded: Encoded, parts: int, seed: int) -> Gathered:
    """Return the parts in which all records of each person are together."""
    (person,) = encoded.whole.schema.of_role("person")
    note = tr("bringing people's records together")
    job.stage("scatter", Scatter(encoded, person.name, parts), range(parts), note)
    found = job.stage("gather", Gather(encoded, parts, seed), range(parts), note)
    people, names = 0, np.zeros(0, np.int64)
    for one in found:
        people, names = people + len(one["firsts"]), np.union1d(names, one["names"])
    return Gathered(Together(encoded.folder), people, names)

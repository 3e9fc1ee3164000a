"""The audit of all files of a release: they are read again, and their classes counted across all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from kanon_core.base.errors import BrokenPromise
from kanon_core.base.words import tr
from kanon_core.guarantees import Guarantee, Verdict
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.base import Tally, verdict
from kanon_core.scale.encoding import coded, in_runs, write_batches
from kanon_core.scale.keeping import Result
from kanon_core.scale.ordering import RELEASE, file_name
from kanon_core.scale.routing import Encoded, batch_in
from kanon_core.table.digests import hashes_of_both, sums_of_rows
from kanon_core.table.domain import LabelDomain

TALLIES = "tallies"


@dataclass(frozen=True)
class Count:
    """Counts the classes of one file of the release, and the protected values in them; ``ranges``: into how
    many runs of hashes the counts are divided, so that they can be added up apart."""

    encoded: Encoded
    seed: int
    ranges: int

    def __call__(self, run: int) -> Result:
        """How many rows there are, and the sums of their hashes."""
        folder, whole = Path(self.encoded.folder), self.encoded.whole
        try:
            frame = read_release(folder / RELEASE / file_name(run))
            codes = [self._codes(name, frame[name]) for name in whole.counts]
        except (pa.ArrowException, OSError, ValueError, KeyError):
            raise BrokenPromise(
                tr("The file “{name}” of the release is damaged; nothing was published.").format(
                    name=file_name(run)
                )
            ) from None
        quasi = [a.name for a in whole.schema.quasi_identifiers]
        classes = hashes_of_both(frame[quasi], self.seed, "classes")
        order = np.lexsort((*codes, classes[:, 1], classes[:, 0]))
        keys = np.column_stack([classes, *codes])[order] if codes else classes[order]
        new = (
            np.concatenate([[True], (keys[1:] != keys[:-1]).any(axis=1)]) if len(keys) else np.zeros(0, bool)
        )
        first = np.flatnonzero(new)
        counts = np.diff([*first, len(keys)])
        kept = keys[first].astype(np.uint64)
        arrays = {str(i): pa.array(np.ascontiguousarray(kept[:, i])) for i in range(kept.shape[1])}
        batch = pa.RecordBatch.from_pydict({**arrays, "count": pa.array(counts.astype(np.int64))})
        write_batches(folder / TALLIES / f"{run:06d}.arrow", in_runs(batch, kept[:, 0], self.ranges))
        return {"rows": len(frame), "sums": sums_of_rows(frame, self.seed), "names": list(frame.columns)}

    def _codes(self, name: str, cells: pd.Series) -> np.ndarray:
        """uint64 (n): the values of a protected column, as a rule numbers them."""
        whole = self.encoded.whole
        plain = cells.astype("str") if isinstance(cells.dtype, pd.CategoricalDtype) else cells
        keys, known = coded(plain, whole.schema[name], False)
        if isinstance(whole.domain.columns[name], LabelDomain):
            keys = whole.numbering(name, known["labels"])[keys]
        (values,) = (each for each in whole.protected({**whole.nothing(), name: keys}) if each.name == name)
        return values.codes.astype(np.uint64)


@dataclass(frozen=True)
class Judge:
    """Adds up one range of hashes over all files and measures every class of it."""

    encoded: Encoded
    guarantees: tuple[Guarantee, ...]
    files: int

    def __call__(self, place: int) -> Result:
        """How many classes there are of each size, and what each guarantee finds of them."""
        folder, whole = Path(self.encoded.folder) / TALLIES, self.encoded.whole
        found = pa.Table.from_batches([batch_in(folder / f"{i:06d}.arrow", place) for i in range(self.files)])
        columns = [found[str(i)].to_numpy() for i in range(found.num_columns - 1)]
        counts = found["count"].to_numpy()
        pair = np.zeros(len(counts), [("a", "<u8"), ("b", "<u8")])
        pair["a"], pair["b"] = columns[:2]
        classes, owner = np.unique(pair, return_inverse=True)
        sizes = np.bincount(owner, counts, len(classes)).astype(np.int64)
        result: Result = dict(zip(("sizes", "classes"), np.unique(sizes, return_counts=True), strict=True))
        protected = {}
        for number, values in enumerate(whole.protected(whole.nothing()), start=2):
            key = owner * values.distinct + columns[number].astype(np.int64)
            different, back = np.unique(key, return_inverse=True)
            held = np.bincount(back, counts).astype(np.int64)
            protected[values.name] = Counts(values, *np.divmod(different, values.distinct), held)
        tallies = [list(guarantee.tally(sizes, protected)) for guarantee in self.guarantees]
        return {**result, "tallies": tallies}


def verdicts(guarantees: Sequence[Guarantee], found: Sequence[Result]) -> list[Verdict]:
    """The verdicts over all ranges, or all fragments."""
    tallies = [[Tally(*one["tallies"][i]) for one in found] for i in range(len(guarantees))]
    return [guarantee.told(each) for guarantee, each in zip(guarantees, tallies, strict=True)]


def unchecked(guarantees: Sequence[Guarantee]) -> list[str]:
    """The names of the guarantees that cannot be judged over many files: neither from counts of classes, nor
    from those of items (`kanon_core.scale.itemaudit`), nor fragment by fragment
    (`kanon_core.scale.beside`)."""
    return [one.name for one in guarantees if not (one.tallied or one.by_items or one.by_fragment)]


def sizes_of(found: Sequence[Result]) -> tuple[np.ndarray, np.ndarray]:
    """The different sizes of classes, ascending, and how many classes have each."""
    sizes = np.concatenate([one["sizes"] for one in found])
    different, back = np.unique(sizes, return_inverse=True)
    return different, np.bincount(back, np.concatenate([one["classes"] for one in found])).astype(np.int64)


def complete(made: Sequence[Sequence[Result]], found: Sequence[Result], names: Sequence[str]) -> Verdict:
    """Whether just the rows that were ``made``, and judged, stand in the files, in columns as agreed."""
    rows, read = _added(found)
    added = [_added(each) for each in made]
    same = all(rows == own and bool((read == sums).all()) for own, sums in added)
    agreed = all(list(one["names"]) == list(names) for one in found)
    sentence = tr("All {rows:,} rows stand in the files as they were made, in columns as agreed.")
    if not (same and agreed):
        sentence = tr("The files do not hold the {rows:,} rows that were made, or hold other columns.")
    wanted = added[0][0]
    return verdict(
        tr("complete files"),
        same and agreed,
        rows,
        wanted,
        sentence.format(rows=wanted),
        np.zeros(0, np.int64),
    )


def _added(found: Sequence[Result]) -> tuple[int, np.ndarray]:
    """How many rows there are in all, and the sums of their hashes, uint64 (2)."""
    rows = sum(int(one["rows"]) for one in found)
    return rows, np.asarray(np.sum([one["sums"] for one in found], axis=0, dtype=np.uint64))


def read_release(path: Path) -> pd.DataFrame:
    """A file of the release; texts as categories, of which each is looked at once."""
    file = pq.ParquetFile(path)
    texts = [
        field.name
        for field in file.schema_arrow
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    ]
    frame: pd.DataFrame = pq.read_table(path, read_dictionary=texts).to_pandas()
    return frame

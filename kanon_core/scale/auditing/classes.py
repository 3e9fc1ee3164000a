"""Audit of the classes of a release: all files are read again, and classes are counted across them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from kanon_core.base.errors import BrokenPromise
from kanon_core.base.words import counted, tr
from kanon_core.findings.attributes import SensitiveValues
from kanon_core.findings.disclosure import DisclosureCounts
from kanon_core.guarantees import Guarantee, Judged, Verdict
from kanon_core.guarantees.attributes.counts import Counts
from kanon_core.guarantees.base import Tally, verdict
from kanon_core.guarantees.counted import CountedClasses
from kanon_core.scale.anonymizing.ordering import RELEASE, file_name
from kanon_core.scale.auditing.adding import added, added_over, owners, runs, summed
from kanon_core.scale.auditing.disclosure import disclosure_counts, tallies_of
from kanon_core.scale.auditing.findings import AuditSummary
from kanon_core.scale.auditing.occurring import Together, batches_of, rare
from kanon_core.scale.encoding.batches import in_runs, write_batches
from kanon_core.scale.encoding.encode import LEFT_OUT, coded
from kanon_core.scale.passes.encoded import Encoded
from kanon_core.scale.work.keeping import Result
from kanon_core.table.digests import hashes_of_both, sums_of_rows
from kanon_core.table.domain import LabelDomain
from kanon_core.table.schema import Schema

TALLIES, VALUES, DISCLOSED = "tallies", "values", "disclosed"


@dataclass(frozen=True)
class Count:
    """Counts, in one file of the release, the classes, the protected and the sensitive values in them, and
    how often values of other columns occur (``sets``). ``ranges``: the number of runs of hashes into which
    the counts are divided, so that each run can be added up by itself; ``pseudonymous``: see
    `published_names`."""

    encoded: Encoded
    seed: int
    ranges: int
    sets: tuple[Together, ...]
    pseudonymous: bool = False

    def __call__(self, run: int) -> Result:
        """Return how many rows there are, the sums of their hashes, and how many sensitive values are
        missing, by column."""
        folder, whole = Path(self.encoded.folder), self.encoded.whole
        try:
            names = published_names(whole.schema, self.pseudonymous)
            frame = read_release(folder / RELEASE / file_name(run), names)
            codes = [self._codes(name, frame[name]) for name in whole.counts]
        except (pa.ArrowException, OSError, ValueError, KeyError):
            raise BrokenPromise(
                tr("The file “{name}” of the release is damaged; nothing was published.").format(
                    name=file_name(run)
                )
            ) from None
        quasi = [a.name for a in whole.schema.quasi_identifiers]
        classes = hashes_of_both(frame[quasi], self.seed, "classes")
        kept, counts = added(np.column_stack([classes, *codes]), np.ones(len(frame), np.int64))
        arrays = {str(i): pa.array(np.ascontiguousarray(kept[:, i])) for i in range(kept.shape[1])}
        batch = pa.RecordBatch.from_pydict({**arrays, "count": pa.array(counts)})
        name = f"{run:06d}.arrow"
        write_batches(folder / TALLIES / name, in_runs(batch, kept[:, 0], self.ranges))
        if self.sets:
            values = batches_of(frame, self.sets, classes, self.seed, self.ranges)
            write_batches(folder / VALUES / name, values)
        missing: list[int] = []
        if sensitive := whole.schema.of_role("sensitive"):
            tallies, missing = tallies_of(frame, sensitive, classes, self.seed, self.ranges)
            write_batches(folder / DISCLOSED / name, tallies)
        found = {"rows": len(frame), "names": list(frame.columns), "missing": missing}
        return found | {"sums": sums_of_rows(frame, self.seed)}

    def _codes(self, name: str, cells: pd.Series) -> np.ndarray:
        """Return the values of a protected column as a rule numbers them, uint64 (n)."""
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
    sets: int
    k: int

    def __call__(self, place: int) -> Result:
        """Return how many classes there are of each size, what each guarantee counts in them, what they
        disclose of sensitive columns, and how many rows have rare values (`rare`)."""
        folder, whole = Path(self.encoded.folder) / TALLIES, self.encoded.whole
        keys, counts = added_over(folder, self.files, place)
        first = runs(keys[:, :2])
        owner = owners(first, len(keys))
        sizes = summed(counts, first)
        result: Result = dict(zip(("sizes", "classes"), np.unique(sizes, return_counts=True), strict=True))
        protected = {}
        for number, values in enumerate(whole.protected(whole.nothing()), start=2):
            pairs, held = added(np.column_stack([owner.astype(np.uint64), keys[:, number]]), counts)
            own, codes = pairs.astype(np.int64).T
            protected[values.name] = Counts(values, own, codes, held)
        judged, table = cast("Judged", CountedClasses(sizes, protected)), whole.empty()
        tallies = [guarantee.tally(table, judged).plain for guarantee in self.guarantees]
        return {**result, "tallies": tallies, **self._values(place)}

    def _values(self, place: int) -> Result:
        folder, search = Path(self.encoded.folder), SensitiveValues()
        sensitive, found = len(self.encoded.whole.schema.of_role("sensitive")), Result()
        if sensitive:
            run = (sensitive, self.files, place)
            found["disclosed"] = disclosure_counts(
                folder / DISCLOSED, self.files, run, search.certainty / 100, search.l
            )
        if self.sets:
            found |= rare(folder / VALUES, self.files, (self.sets, self.files, place), self.k)
        return found


def verdicts(guarantees: Sequence[Guarantee], parts: Sequence[Result]) -> list[Verdict]:
    """Return the verdicts over all ranges of hashes, or all fragments."""
    return [
        guarantee.combined([Tally.of(part["tallies"][i]) for part in parts])
        for i, guarantee in enumerate(guarantees)
    ]


def sizes_of(ranges: Sequence[Result]) -> tuple[np.ndarray, np.ndarray]:
    """Return the different sizes of classes, ascending, and how many classes have each."""
    sizes = np.concatenate([one["sizes"] for one in ranges])
    different, back = np.unique(sizes, return_inverse=True)
    return different, np.bincount(back, np.concatenate([one["classes"] for one in ranges])).astype(np.int64)


def published_names(schema: Schema, pseudonymous: bool = False) -> list[str]:
    """Return the columns of a release, in order; ``pseudonymous``: the column of the person holds
    pseudonyms."""
    left_out = LEFT_OUT if pseudonymous else (*LEFT_OUT, "person")
    return [a.name for a in schema if a.role not in left_out]


def summary_of(
    schema: Schema,
    sets: Sequence[Together],
    rows: tuple[int, int],
    read: Sequence[Result],
    ranges: Sequence[Result],
) -> AuditSummary:
    """Return the summary of what `Count` and `Judge` found; ``rows``: the number of published rows, and of
    all."""
    rarely = {
        one: (sum(int(each["alone"][i]) for each in ranges), sum(int(each["few"][i]) for each in ranges))
        for i, one in enumerate(sets)
    }
    away = {
        a.name: (
            DisclosureCounts.combined([DisclosureCounts(**each["disclosed"][i]) for each in ranges]),
            any(each["missing"][i] for each in read),
        )
        for i, a in enumerate(schema.of_role("sensitive"))
    }
    return AuditSummary(rows[1], rows[0], rarely, away)


def complete(made: Sequence[Sequence[Result]], files: Sequence[Result], names: Sequence[str]) -> Verdict:
    """Return the verdict on whether the files hold exactly the rows that were ``made`` and judged, in the
    columns that were agreed on."""
    rows, read = _added(files)
    own = [_added(each) for each in made]
    same = all(rows == count and bool((read == sums).all()) for count, sums in own)
    agreed = all(list(one["names"]) == list(names) for one in files)
    wanted, holds = own[0][0], same and agreed
    sentence = tr("The files are complete: they hold {rows}, as they were made, in the expected columns.")
    if not holds:
        sentence = tr(
            "The files are not complete: they do not hold exactly the rows that were made ({rows}),"
            " or have other columns."
        )
    said = sentence.format(rows=counted(wanted, "row"))
    return verdict(tr("complete files"), holds, rows, wanted, said, np.zeros(0, np.int64))


def _added(parts: Sequence[Result]) -> tuple[int, np.ndarray]:
    """Return how many rows there are in all, and the sums of their hashes, uint64 (2)."""
    rows = sum(int(one["rows"]) for one in parts)
    return rows, np.asarray(np.sum([one["sums"] for one in parts], axis=0, dtype=np.uint64))


def read_release(path: Path, names: Sequence[str] = ()) -> pd.DataFrame:
    """Return a file of the release; texts as categories, so that each different one is looked at once. Raises
    KeyError where a column of these names is not in it, BrokenPromise where it holds texts that are in none
    of its rows."""
    file = pq.ParquetFile(path)
    texts = [
        field.name
        for field in file.schema_arrow
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type)
    ]
    frame: pd.DataFrame = pq.read_table(path, read_dictionary=texts).to_pandas()
    if absent := set(names) - set(frame.columns):
        raise KeyError(*absent)
    for name in texts:
        _check_nothing_besides(frame[name])
    return frame


def _check_nothing_besides(cells: pd.Series) -> None:
    """Raise BrokenPromise where a file holds a text that none of its rows publishes: a reader of the file
    would find it in the list of a column's different texts."""
    if isinstance(cells.dtype, pd.CategoricalDtype):
        held = np.zeros(len(cells.cat.categories) + 1, bool)
        held[cells.cat.codes] = True
        if not held[:-1].all():
            raise BrokenPromise(
                tr("A file of the release holds texts that occur in none of its rows; nothing was published.")
            )

"""Pseudonyms over the files of a release: none is borne in two fragments; and what a fragment tells of its
own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import BrokenPromise
from kanon_core.guarantees import PersonKAnonymity, Verdict
from kanon_core.scale.anonymizing.fragment import RECORDS, STAGED
from kanon_core.scale.anonymizing.ordering import RELEASE, file_name
from kanon_core.scale.auditing.beside import Beside, borne_once
from kanon_core.scale.auditing.classes import VALUES, Count, published_names, read_release, verdicts
from kanon_core.scale.auditing.occurring import Together, batches_of, rare
from kanon_core.scale.encoding.batches import write_batches
from kanon_core.scale.encoding.whole import Whole
from kanon_core.scale.passes.encoded import WHOLE, Encoded
from kanon_core.scale.work.keeping import keep
from kanon_core.table.domain import Domain

SCHEMA = kc.Schema(
    (
        kc.Attribute("id", "identifier"),
        kc.Attribute("who", "person"),
        kc.Attribute("x", kind="numeric"),
        kc.Attribute("paid", "other", "numeric"),
    )
)
CODED = kc.Schema(SCHEMA.attributes[1:3])
WHO = (Together(("who",)),)


def encoded(folder: Path, frame: pd.DataFrame) -> Encoded:
    """A job's folder that knows the columns of these records."""
    domain = Domain.of(kc.Table.from_frame(frame, CODED).columns)
    sums = np.zeros(2, np.uint64)
    Whole(SCHEMA, domain, len(frame), {"paid": "whole"}, sums, {}, {}, {}).keep(folder / WHOLE)
    return Encoded(str(folder))


def judged(folder: Path, fragments: Sequence[Sequence[str]], files: int) -> Verdict:
    """Return the verdict on fragments with these pseudonyms, row by row, dealt out over a release's files."""
    names = np.array([name for own in fragments for name in own])
    (folder / RELEASE).mkdir()
    for run in range(files):
        file = pd.DataFrame({"who": pd.Series(names[run::files], dtype="str"), "x": 1.0})
        file.to_parquet(folder / RELEASE / file_name(run))
    found = [{"pseudonyms": len(set(own))} for own in fragments]
    for run in range(files):
        frame = read_release(folder / RELEASE / file_name(run))
        write_batches(folder / VALUES / f"{run:06d}.arrow", batches_of(frame, WHO, None, 7, files))
    different = [rare(folder / VALUES, files, (1, files, i), 2)["different"][0] for i in range(files)]
    return borne_once(sum(different), found)


NUMBERS = st.integers(100_000_000, 100_000_009).map(str)


@pytest.mark.deep
@given(st.lists(st.lists(NUMBERS, max_size=9), min_size=1, max_size=4), st.integers(1, 4))
def test_a_pseudonym_in_two_fragments_is_found(tmp_path_factory, fragments, files):
    verdict = judged(tmp_path_factory.mktemp("job"), fragments, files)
    different = len({name for own in fragments for name in own})
    each = sum(len(set(own)) for own in fragments)
    assert (verdict.holds, verdict.found, verdict.required) == (different == each, different, each)


def test_it_is_said(tmp_path):
    for name, fragments in (("good", ["1", "2"]), ("bad", ["1", "1"])):
        (tmp_path / name).mkdir()
        verdict = judged(tmp_path / name, fragments, 2)
        assert verdict.holds == (name == "good") and verdict.guarantee == "pseudonyms apart"
        said = {
            "good": "Each of the 2 pseudonyms in the files occurs in one fragment only.",
            "bad": "The files hold 1 different pseudonyms, but the fragments 2: some occur in several"
            " fragments, so their histories were not judged as a whole.",
        }
        assert verdict.sentence == said[name]


@pytest.mark.parametrize("damage", ["column", "bytes", "gone"])
def test_a_damaged_file_is_not_published(tmp_path, damage):
    by = encoded(tmp_path, pd.DataFrame({"who": ["a", "b"], "x": [1, 2]}))
    (tmp_path / RELEASE).mkdir()
    path = tmp_path / RELEASE / file_name(0)
    if damage == "column":
        pd.DataFrame({"x": [1]}).to_parquet(path)
    elif damage == "bytes":
        path.write_bytes(b"half")
    with pytest.raises(BrokenPromise, match=r"“part-00000.parquet” of the release is damaged"):
        Count(by, 7, 1, WHO, True)(0)


@dataclass(frozen=True)
class Given:
    """The rows of fragments, as they are handed over."""

    batches: dict[int, pa.RecordBatch]

    def batch(self, which: int) -> pa.RecordBatch:
        return self.batches[which]


@pytest.mark.parametrize(
    ("names", "records", "wanted"),
    [
        ((101, 101, 102, 102), (0, 1, 2, 3), "at least 2 people, row by row"),
        ((101, 103, 102, 104), (0, 1, 2, 3), "2 further pseudonyms cover later parts"),
        ((101, 101, 102), (0, 1, 2), "2 published histories are shared by fewer than 2"),
        ((101, 101, 101, 101), (0, 1, 2, 3), "4 records have a pseudonym that is missing, is shared"),
        ((101, 101, 102, 102), (0, 1, 2, 4), "1 published record names no person"),
    ],
)
def test_a_fragment_is_judged_as_it_lies_there(tmp_path, names, records, wanted):
    """Fewer rows than records: some are suppressed. Rows stand in the order of their hashes."""
    frame = pd.DataFrame({"who": ["a", "a", "b", "b", None, "c"], "x": [1, 9, 1, 9, 1, 5]})
    by, rule = encoded(tmp_path, frame), PersonKAnonymity(2)
    codes = pa.array(pd.factorize(frame["who"])[0].astype(np.int32) % 4, pa.int32())
    rows = Given({3: pa.RecordBatch.from_pydict({"key:who": codes, "key:x": frame["x"].astype(float)})})
    cells = pd.DataFrame(
        {"who": [f"{name}" for name in names], "x": [f"{x}" for x in frame["x"][: len(names)]]}
    )
    turned = cells[::-1]
    arrays = {"hash": pa.array(range(len(names)), pa.uint64())}
    arrays |= {f"cell:{name}": pa.array(turned[name].tolist(), pa.large_string()) for name in turned}
    write_batches(tmp_path / STAGED / "000000.arrow", [pa.RecordBatch.from_pydict(arrays)])
    keep(tmp_path / RECORDS / "000000.npz", {"records": np.array(records)[::-1]})
    found = Beside(by, (rule,), rows, 7)((0, 3, ""))
    (verdict,) = verdicts([rule], [found])
    assert wanted in verdict.sentence and verdict.holds == (wanted.startswith(("at least", "2 further")))
    assert found["rows"] == len(names) and found["pseudonyms"] == len(set(names))


def test_the_column_of_the_person_is_published_where_it_holds_pseudonyms():
    assert published_names(SCHEMA) == ["x", "paid"]
    assert published_names(SCHEMA, True) == ["who", "x", "paid"]

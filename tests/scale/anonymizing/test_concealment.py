"""k-concealment by fragments over files: matchings and draw are those of one machine, and each fragment's
rows are judged beside its records."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.errors import BrokenPromise
from kanon_core.base.randomness import seed_of
from kanon_core.covers.cover import Concealment, MalformedCover
from kanon_core.covers.matching.consistency import consistency
from kanon_core.covers.recoding import recode
from kanon_core.guarantees.base import Tally
from kanon_core.scale.anonymizing import fragment
from kanon_core.scale.auditing.beside import Beside
from kanon_core.scale.encoding.batches import batches_in, write_batches
from kanon_core.table.attribute import Attribute
from tests.scale.manytables import CARRIED, DRAWN, QUASI, Many, differences, over_files
from tests.scale.test_bytes import compare

GENERALIZED = sorted(
    name for name, (_, a) in QUASI.items() if a.recoding == "generalize" and a.categories is None
)
INNERS = (
    kc.OptimalConcealment(),
    kc.Clustered(),
    kc.Clustered(kc.Tours()),
    kc.Clustered(kc.Greedy(), "fine"),
)


@pytest.mark.deep
@settings(max_examples=25)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(GENERALIZED), min_size=1, max_size=4, unique=True),
    carried=st.sampled_from(sorted(CARRIED)),
    records=st.integers(2, 150),
    inner=st.sampled_from(INNERS),
    k=st.integers(2, 5),
    rows=st.integers(10, 60),
)
def test_the_rows_and_their_order_are_those_of_one_machine(
    seed, ends, quasi, carried, records, inner, k, rows
):
    if records > rows:  # else it is refused: one machine does it
        compare(Many.of(seed, ends, [*quasi, carried], records), kc.Fragments(inner, rows), k, rows)


def test_what_cannot_be_cut_is_one_fragment_that_draws_as_without_fragments(tmp_path):
    frame = pd.DataFrame({"age": [30] * 40, "place": range(40)})
    schema = kc.Schema(
        (Attribute("age", "quasi_identifier", "numeric"), Attribute("place", "sensitive", "numeric"))
    )
    many = Many(frame, schema, (0, 10, 20, 40))
    compare(many, kc.Fragments(kc.OptimalConcealment(), 20), 3, 20)
    fragments, plain = (
        many.release(algorithm, 3)
        for algorithm in (kc.Fragments(kc.OptimalConcealment(), 20), kc.OptimalConcealment())
    )
    assert fragments.report["fragments"] == 1 and not differences(fragments.publish(), plain.publish())


@pytest.fixture
def few() -> Many:
    return Many.of(5, (0.3, 0.7), ["age", "city", "gaps", "illness"], 130)


@pytest.mark.parametrize("inner", [kc.OptimalConcealment(), kc.Clustered()])
def test_a_row_in_which_a_record_is_alone_is_not_published(few, tmp_path, monkeypatch, inner):
    """Cells that are true, and true of too few."""

    def alone(column, cover):
        return recode(column, kc.Partition(np.arange(len(cover))))

    source = few.written(tmp_path / "source")
    monkeypatch.setattr(fragment, "recode", alone)
    monkeypatch.setattr(Concealment, "drawn", lambda self, seed, order: np.arange(len(self)))
    with pytest.raises(
        BrokenPromise, match=r"k-concealment: \d+ records have fewer than 3 rows of their own"
    ):
        over_files(source, few, kc.Fragments(inner, 40), 3, tmp_path / "out", 40)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_rows_that_are_not_those_that_were_judged_are_not_published(few, tmp_path, monkeypatch):
    """Cells that no guarantee looks at, too: the sums tell."""
    source, judge = few.written(tmp_path / "source"), Beside.__call__

    def another(self, numbered):
        path = Path(self.encoded.folder) / fragment.STAGED / f"{numbered[0]:06d}.arrow"
        read, place = batches_in(path), batches_in(path)[0].schema.names.index("cell:illness")
        turned = [one.set_column(place, "cell:illness", one.column(place)[::-1]) for one in read]
        write_batches(path, turned)
        return judge(self, numbered)

    monkeypatch.setattr(Beside, "__call__", another)
    with pytest.raises(BrokenPromise, match=r"complete files: The files are not complete: .*\(130 rows\)"):
        over_files(source, few, kc.Fragments(kc.OptimalConcealment(), 40), 3, tmp_path / "out", 40)
    assert not (tmp_path / "out").exists()


def test_rows_that_cannot_be_read_are_not_published(few, tmp_path, monkeypatch):
    source = few.written(tmp_path / "source")
    monkeypatch.setattr("kanon_core.scale.auditing.beside.batches_in", lambda path: pa.ipc.open_file(b"half"))
    with pytest.raises(BrokenPromise, match="cannot be read"):
        over_files(source, few, kc.Fragments(kc.OptimalConcealment(), 40), 3, tmp_path / "out", 40)
    assert not (tmp_path / "out").exists()


def test_the_verdict_is_that_on_the_worst_fragment():
    rule = kc.KConcealment(3)
    four, three = (Tally(worst, 0, 0, source="fragment") for worst in (4.0, 3.0))
    good = rule.combined([four, three])
    assert good.holds and good.found == 3 and "at least 3 rows of its own fragment" in good.sentence
    bad = rule.combined([four, replace(three, worst=1.0, records=2), replace(three, worst=2.0, records=1)])
    assert not bad.holds and bad.found == 1 and "3 records have fewer than 3 rows" in bad.sentence


def test_matches_within_fragments_are_matches_in_all():
    """The matches of a record among all records are never fewer than those within its fragment."""
    table = kc.read_table("sample:people-100")
    for inner, k in ((kc.OptimalConcealment(), 3), (kc.Clustered(), 2)):
        release = kc.anonymize(table, kc.Fragments(inner, 30), k, seed=4)
        assert isinstance(release.cover, Concealment) and len(release.cover.paths) > 2
        for number in range(len(release.cover.paths)):
            members = np.flatnonzero(release.cover.fragment == number)
            own = [replace(column, cell=column.cell[members]) for column in release.published]
            within = consistency(table.part(members), own).matches
            assert (within >= k).all() and (release.consistency().matches[members] >= within).all()


@given(st.integers(2, 4), st.lists(st.integers(4, 9), min_size=1, max_size=4), st.integers(0, 10**6))
def test_a_fragment_draws_the_same_wherever_the_others_are(k, sizes, seed):
    """Beside others, in any numbering, and alone."""
    rng = np.random.default_rng(seed)
    n, paths = sum(sizes), tuple(f"{'L' * i}R" for i in range(len(sizes)))
    members = np.split(rng.permutation(n), np.cumsum(sizes)[:-1])
    covers = [Concealment((np.arange(size) + np.arange(k)[:, None]) % size) for size in sizes]
    labels = np.empty(n, np.int64)
    for number, own in enumerate(members):
        labels[own] = number
    whole = Concealment.side_by_side(list(zip(members, covers, strict=True))).in_fragments(labels, paths)
    order = rng.permutation(n)
    drawn = whole.drawn(seed, order)
    assert sorted(drawn.tolist()) == list(range(n)) and (labels[drawn] == labels).all()
    moved, records = whole.renumbered(order), np.argsort(order)
    assert np.array_equal(moved.drawn(seed, order[order])[order], order[drawn])
    assert moved.renumbered(records) == whole
    place = np.argsort(order)
    for own, path in zip(members, paths, strict=True):
        seen = own[np.argsort(place[own])]
        local = np.empty(n, np.int64)
        local[seen] = np.arange(len(seen))
        alone = Concealment(local[whole.matchings[:, seen]]).drawn(seed_of(seed, path), np.arange(len(seen)))
        assert np.array_equal(seen[alone], drawn[seen])
    *_, last = whole.stages(seed, order)
    assert np.array_equal(order[last[:, 0]], drawn[order])


def test_an_edge_between_fragments_is_no_cover():
    with pytest.raises(MalformedCover, match="from one fragment to another"):
        Concealment(np.array([[0, 1, 2], [1, 2, 0]])).in_fragments(np.array([0, 0, 1]), ("L", "R"))

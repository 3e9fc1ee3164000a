"""Item sets over many files: the rows and their order are those of one machine, however sets are written."""

from __future__ import annotations

import contextlib
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.release.release import Release
from kanon_core.scale.anonymizing import ordering
from kanon_core.scale.encoding import item_codes
from kanon_core.scale.engines import Local
from kanon_core.scale.files import FilesRelease, anonymize_files
from kanon_core.table.attribute import Attribute
from tests.scale.inside import Inside, Off
from tests.scale.manytables import DRAWN, Many, bytes_in, differences, over_files, published, small

GOODS = ("ale", "beer", "=bread", "a, b", "cake", "milk", "port", "tea", "7", "10")
DRINKS = kc.Hierarchy.of_paths(
    [
        *((item, "alcohol", "drinks") for item in ("ale", "beer", "port")),
        *((item, "drinks") for item in ("milk", "tea")),
        *((item, "food") for item in ("=bread", "a, b", "cake")),
        *((item,) for item in ("7", "10")),
    ]
)
ALGORITHMS = (
    kc.TopDown(),
    kc.TopDown(known_items=1),
    kc.TopDown(known_items=2),
    kc.TopDown(max_suppressed=0.1, split="midpoint", ties="first"),
    kc.RefineSets(steps=3),
)
QUASI = ("age", "few", "gaps", "city", "plain", "job", "born", "size", "lon")


def baskets(rng: np.random.Generator, many: Many) -> list[list[str]]:
    """The items of each record: few are frequent, some in one part alone; repeated ones, and none at all."""
    part = np.repeat(np.arange(len(many.bounds) - 1), np.diff(many.bounds))
    sizes = np.minimum(rng.geometric(0.4, len(part)) - 1, 6)
    drawn = (np.minimum(rng.geometric(0.3, size) - 1 + 2 * p, 9) for size, p in zip(sizes, part, strict=True))
    return [[GOODS[i] for i in own] for own in drawn]


def with_sets(many: Many, seed: int, written: str, **said: object) -> Many:
    """The table with a column of item sets more: as lists, or as texts with this between items."""
    own = baskets(np.random.default_rng(seed), many)
    cells: object = own
    if written != "lists":
        cells = pd.Series([written.join(one) if one else None for one in own], dtype="str")
    attribute = replace(Attribute("basket", kind="items"), **said)
    frame = many.frame.assign(basket=pd.Series(cells, dtype="str" if written != "lists" else object))
    return Many(frame, kc.Schema((*many.schema, attribute)), many.bounds)


def compare(many: Many, algorithm: kc.Algorithm, k: int) -> tuple[Release, FilesRelease] | None:
    """Both releases; None where both are refused."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = many.written(folder / "source")
        try:
            one = many.release(algorithm, k)
        except kc.KanonError as problem:
            with pytest.raises(type(problem)):
                over_files(source, many, algorithm, k, folder / "out", 0)
            return None
        made = over_files(source, many, algorithm, k, folder / "out", 0)
        apart = differences(one.publish(), published(folder / "out"))
    assert not apart, apart
    told = [(v.guarantee, v.holds, v.sentence) for v in one.verdicts]
    agreed = [(v.guarantee, v.holds, v.sentence) for v in made.verdicts[:-1]]
    assert agreed == [each for each in told if each[0] in {guarantee for guarantee, _, _ in agreed}]
    loss = kc.score(one.table, one, [kc.NCP()]).query("part != 'record'").set_index("name")["value"]
    assert made.loss == pytest.approx(loss.to_dict(), abs=1e-12)
    return one, made


@pytest.mark.deep
@settings(max_examples=40)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(QUASI), min_size=1, max_size=3, unique=True),
    written=st.sampled_from(["lists", ";", " | "]),
    tree=st.booleans(),
    records=st.integers(30, 160),
    inner=st.sampled_from(ALGORITHMS),
    k=st.integers(2, 5),
    rows=st.integers(10, 29),
)
def test_the_rows_and_their_order_are_those_of_one_machine(
    seed, ends, quasi, written, tree, records, inner, k, rows
):
    said = {"hierarchy": DRINKS if tree else None, "weight": 1.5}
    if getattr(inner, "known_items", 0):
        said["hierarchy"] = None
    many = with_sets(Many.of(seed, ends, [*quasi, "illness"], records), seed, written, **said)
    compare(many, kc.Fragments(inner, rows), k)


@pytest.mark.deep
def test_an_empty_part_and_a_part_without_items(tmp_path):
    many = with_sets(Many.of(3, (0.4, 0.4), ["age", "city", "illness"], 120), 3, "lists")
    many.frame.loc[:20, "basket"] = pd.Series([[] for _ in range(21)])
    one, made = compare(many, kc.Fragments(kc.TopDown(), 25), 3)
    assert made.fragments > 3 and one.report["fragments"] == made.fragments
    assert made.recipe.schema["basket"].delimiter == "json"
    again = kc.repeat(
        one.table, made.recipe
    )  # the digest leaves out names of people, which have an order here
    assert again.publish().equals(one.publish())


def test_csv_files_are_read_as_one_file_is(tmp_path):
    many = with_sets(Many.of(7, (0.3, 0.6), ["age", "plain", "pain"], 90), 7, ";")
    (tmp_path / "source").mkdir()
    for number, (start, end) in enumerate(zip(many.bounds, many.bounds[1:], strict=False)):
        many.frame.iloc[start:end].to_csv(tmp_path / "source" / f"{number}.csv", index=False)
    many.frame.to_csv(tmp_path / "whole.csv", index=False)
    algorithm = kc.Fragments(kc.RefineSets(steps=2), 30)
    table = kc.read_table(tmp_path / "whole.csv").with_schema(many.schema)
    one = kc.anonymize(table, algorithm, 3, seed=3)
    over_files(tmp_path / "source", many, algorithm, 3, tmp_path / "out", 0)
    assert not differences(one.publish(), published(tmp_path / "out"))


@pytest.mark.deep
@pytest.mark.parametrize("role", ["sensitive", "other", "identifier"])
@pytest.mark.parametrize(
    "algorithm", [kc.Mondrian(), kc.Fragments(rows=25), kc.Sorting()], ids=lambda one: one.title
)
def test_sets_that_are_no_quasi_identifiers_go_with_their_rows(role, algorithm):
    """Algorithms that see records in an order of their content see that of item sets, too."""
    for written in ("lists", ";"):
        many = with_sets(Many.of(5, (0.2, 0.7), ["age", "city", "income"], 90), 5, written, role=role)
        compare(many, algorithm, 3)


@pytest.mark.deep
def test_a_table_of_item_sets_alone_is_one_fragment(monkeypatch):
    many = with_sets(Many.of(9, (0.3, 0.6), ["illness"], 80), 9, ";")
    algorithm = kc.Fragments(kc.RefineSets(steps=3), 20)
    _, made = compare(many, algorithm, 3)
    assert made.fragments == 1
    monkeypatch.setattr(item_codes, "ITEMS_UNCUT", 20)
    with tempfile.TemporaryDirectory() as place:
        source = many.written(Path(place) / "source")
        with pytest.raises(kc.UnsuitableError, match="item sets, which are not cut into fragments"):
            over_files(source, many, algorithm, 3, Path(place) / "out", 0)
        assert [path.name for path in Path(place).iterdir()] == ["source"]


REFUSED = {
    "“basket” holds item sets, which this algorithm": (kc.Mondrian(), {}),
    "“basket” cannot be counted as single values": (kc.Mondrian(diversity=2.0), {"role": "sensitive"}),
    "lacks values|is no value": (
        kc.Fragments(kc.TopDown(), 20),
        {"hierarchy": kc.Hierarchy.of_paths([("ale", "alcohol"), ("tea", "alcohol")])},
    ),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_cannot_be_done_with_sets_is_refused_in_a_sentence(tmp_path, said):
    algorithm, how = REFUSED[said]
    plain = Many.of(1, (0.3, 0.6), ["age", "illness"], 90)
    many = with_sets(plain, 1, ";", **how)
    source = many.written(tmp_path / "source")
    with pytest.raises(kc.KanonError, match=said):
        over_files(source, many, algorithm, 3, tmp_path / "out", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_lists_are_written_to_parquet_as_lists(tmp_path):
    """So that the tests above read such files."""
    many = with_sets(Many.of(1, (0.3, 0.6), ["age"], 60), 1, "lists")
    first = next(iter(sorted(many.written(tmp_path / "source").iterdir())))
    assert "list" in str(pq.read_schema(first).field("basket").type)


@pytest.mark.deep
@pytest.mark.parametrize("k", [2, 4])
def test_items_that_are_known_are_counted_over_all_files(k, tmp_path):
    """The items of two columns are counted among the records of equal single values from every fragment; a
    row that was slipped into a file of the release breaks the guarantee."""
    many = with_sets(Many.of(2, (0.4, 0.8), ["few", "plain", "illness"], 200), 2, ";")
    own = [";".join(one) for one in baskets(np.random.default_rng(8), many)]
    schema = kc.Schema((*many.schema, Attribute("visits", kind="items", delimiter=";")))
    both = Many(many.frame.assign(visits=own), schema, many.bounds)
    algorithm = kc.Fragments(kc.TopDown(known_items=2), 40)
    one, made = compare(both, algorithm, k)
    assert made.verdicts[0].guarantee == "(k, kᵐ)-anonymity" and made.verdicts[0].found >= k
    assert made.verdicts[0].found == one.verdicts[0].found
    slipped, order = ordering.Order.__call__, ordering.RELEASE

    def slip(self, run):
        found = slipped(self, run)
        path = Path(self.folder) / order / ordering.file_name(run)
        frame = pq.read_table(path).to_pandas()
        frame.loc[0, "basket"] = "{ale, beer, port, tea}"
        frame.to_parquet(path, index=False)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ordering.Order, "__call__", slip)
        source = both.written(tmp_path / "source")
        with pytest.raises(kc.BrokenPromise, match="publish single values and up to 2 items"):
            over_files(source, both, algorithm, k, tmp_path / "out", 0)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


@pytest.mark.deep
def test_work_that_ends_after_each_task_goes_on_to_the_same_bytes(tmp_path):
    """Also by two processes, which begin the work anew."""
    many = with_sets(Many.of(5, (0.3, 0.7), ["age", "city", "illness"], 130), 5, ";")
    source, algorithm = many.written(tmp_path / "source"), kc.Fragments(kc.TopDown(known_items=2), 40)
    over_files(source, many, algorithm, 3, tmp_path / "whole", 0)
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        said = (str(source), many.schema, algorithm, 3)
        while not (tmp_path / "parts").exists():
            with contextlib.suppress(Off):
                anonymize_files(*said, str(tmp_path / "parts"), Inside(stop_after=1), 3, despite="made up")
        anonymize_files(*said, str(tmp_path / "processes"), Local(2), 3, despite="made up")
    for name in ("parts", "processes"):
        assert bytes_in(tmp_path / name) == bytes_in(tmp_path / "whole")

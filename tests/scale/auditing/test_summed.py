"""Metrics and findings that are added up over fragments are those of one machine."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.findings import Aggregates, DirectJoins, ExactEnds, KnownSeed, Longitude, Suppressed
from kanon_core.metrics.summed import Summed
from kanon_core.release.release import Release
from kanon_core.scale.files import FilesRelease
from tests.scale.auditing.test_found import facts
from tests.scale.fragments.test_gathering import TAKEN, WAYS, with_people
from tests.scale.fragments.test_item_sets import ALGORITHMS, DRINKS, with_sets
from tests.scale.manytables import DRAWN, QUASI, STRAIGHT, Many, over_files, suited

WHOLE = (kc.Mondrian(), kc.Sorting())
"""Algorithms that make the same groups however many rows a worker has."""
INNER = (kc.MDAV(), kc.TopDown(), kc.Refine(steps=20), kc.OptimalConcealment(), kc.Clustered())
ALWAYS = (Aggregates, DirectJoins, KnownSeed, ExactEnds, Suppressed, Longitude)
"""Searches that are the same wherever records hide."""
NAMES = {cls.name for cls in ALWAYS}
DISTANCES = {
    "age": (kc.Absolute("sd"), kc.Absolute("none"), kc.Discrete()),
    "gaps": (kc.Absolute(),),
    "born": (kc.Calendar("weekday"), kc.Calendar("day of year"), kc.Calendar()),
    "lat": (kc.GreatCircle(),),
    "city": (kc.Levenshtein(), kc.Discrete()),
    "job": (kc.Tree(),),
    "size": (kc.Absolute("none"),),
    "hour": (kc.Around("none"),),
}


def both(many: Many, algorithm: kc.Algorithm, k: int, rows: int) -> tuple[Release, FilesRelease] | None:
    """The release on one machine and over files; None where both are refused."""
    with tempfile.TemporaryDirectory() as place:
        source = many.written(Path(place) / "source")
        try:
            one = many.release(algorithm, k)
        except kc.KanonError:
            return None
        try:
            return one, over_files(source, many, algorithm, k, Path(place) / "out", rows)
        except kc.UnsuitableError:
            return None


def compare(many: Many, algorithm: kc.Algorithm, k: int, rows: int) -> tuple[Release, FilesRelease] | None:
    """Both, once every metric that is added up is the same, or says why it is not, as many are measured as
    make sense of the table, and what is found is the same."""
    found = both(many, algorithm, k, rows)
    if found is None:
        return None
    one, made = found
    searches = [cls() for cls in ALWAYS]
    expected = kc.judge(one.table, one, searches)
    assert [facts(each) for each in made.findings if each.name in NAMES] == list(map(facts, expected))
    for cls in kc.METRICS:
        metric = cls()
        if not isinstance(metric, Summed):
            continue
        assert (cls in made.measured) == (not metric.unsuitable(one.table)), cls
        if cls in made.measured:
            _same(metric, one, made)
    return found


def _same(metric: Summed, one: Release, made: FilesRelease) -> None:
    own, expected = made.measured[type(metric)], metric.score(one.table, one)
    if reasons := metric.unsummed(one.table):
        assert own.notes == tuple(reasons) and np.isnan(own.total)
    else:
        assert own.total == pytest.approx(expected.total, abs=1e-11)
        assert list(own.attributes) == list(expected.attributes)
        assert own.attributes == pytest.approx(expected.attributes, abs=1e-11)


@pytest.mark.deep
@settings(max_examples=30)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(sorted(QUASI)), min_size=1, max_size=4, unique=True),
    records=st.integers(2, 200),
    algorithm=st.sampled_from(WHOLE),
    k=st.integers(2, 7),
)
def test_whole_tables(seed, ends, quasi, records, algorithm, k):
    compare(Many.of(seed, ends, suited(quasi, algorithm), records), algorithm, k, 40)


@pytest.mark.deep
@settings(max_examples=30)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(sorted(QUASI)), min_size=1, max_size=3, unique=True),
    far=st.lists(st.sampled_from(sorted(DISTANCES)), min_size=1, max_size=3, unique=True),
    records=st.integers(30, 160),
    inner=st.sampled_from(INNER),
    k=st.integers(2, 4),
    which=st.integers(0, 2),
)
def test_fragments_with_chosen_distances(seed, ends, quasi, far, records, inner, k, which):
    columns = list(dict.fromkeys([*quasi, *far, *(["lon"] if "lat" in far else [])]))
    many = Many.of(seed, ends, columns, records)
    chosen = {name: DISTANCES[name][which % len(DISTANCES[name])] for name in far}
    many = replace(many, schema=many.schema.with_distances(chosen))
    compare(many, kc.Fragments(inner, 25), k, 25)


@pytest.mark.deep
@settings(max_examples=15)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(STRAIGHT), max_size=2, unique=True),
    far=st.lists(st.sampled_from(sorted({*DISTANCES} - {"hour"})), min_size=1, max_size=3, unique=True),
    which=st.integers(0, 2),
)
def test_distances_that_the_algorithm_does_not_look_at(seed, ends, quasi, far, which):
    columns = list(dict.fromkeys([*quasi, *far, *(["lon"] if "lat" in far else [])]))
    many = Many.of(seed, ends, columns, 150)
    chosen = {name: DISTANCES[name][which % len(DISTANCES[name])] for name in far}
    compare(replace(many, schema=many.schema.with_distances(chosen)), kc.Mondrian(), 3, 40)


@pytest.mark.deep
@settings(max_examples=15)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(("age", "gaps", "city", "size", "hour")), max_size=2, unique=True),
    tree=st.booleans(),
    records=st.integers(30, 160),
    inner=st.sampled_from(ALGORITHMS),
    k=st.integers(2, 4),
)
def test_item_sets(seed, ends, quasi, tree, records, inner, k):
    said = {"hierarchy": DRINKS if tree else None, "weight": 1.5}
    if getattr(inner, "known_items", 0):
        said["hierarchy"] = None
    many = with_sets(Many.of(seed, ends, [*quasi, "illness"], records), seed, ";", **said)
    compare(many, kc.Fragments(inner, 25), k, 25)


@pytest.mark.deep
@settings(max_examples=15)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(TAKEN), min_size=1, max_size=3, unique=True),
    records=st.integers(60, 200),
    people=st.integers(6, 60),
    inner=st.sampled_from(WAYS),
)
def test_people(seed, ends, quasi, records, people, inner):
    many = with_people(Many.of(seed, ends, [*quasi, "illness"], records), seed, people)
    compare(many, kc.Fragments(inner, 50), 2, 50)


@pytest.mark.deep
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(sorted(QUASI)), max_size=3, unique=True),
    records=st.integers(60, 160),
)
def test_where_records_are_left_out(without_the_youngest, seed, ends, quasi, records):
    many = Many.of(seed, ends, list(dict.fromkeys(["age", *quasi])), records)
    found = compare(many, kc.Fragments(kc.MDAV(), 25), 3, 25)
    assume(found is not None)
    assert found[1].measured[kc.SuppressedRecords].total > 0


@pytest.mark.deep
def test_there_is_something_to_find():
    """The comparisons of random tables are not empty: the tables have findings and a loss."""
    plain = Many.of(0, (0.3, 0.6), ["mean", "longitude", "mean_longitude", "age"], 200)
    sets = with_sets(Many.of(3, (0.3, 0.6), ["age"], 150), 3, ";")
    people = with_people(Many.of(0, (0.0, 0.0), ["clock", "illness"], 60), 0, 6)
    for many, algorithm, names in (
        (plain, kc.Mondrian(), {Aggregates.name, Longitude.name, ExactEnds.name}),
        (sets, kc.Fragments(kc.TopDown(known_items=1), 25), {DirectJoins.name, ExactEnds.name}),
        (people, kc.Fragments(WAYS[3], 50), {DirectJoins.name}),
    ):
        _, made = compare(many, algorithm, 2, 50)
        assert names <= {each.name for each in made.findings}
        assert made.measured[kc.ILSSDM].total > 0


def test_a_loss_that_cannot_be_added_up_says_so(tmp_path):
    many = Many.of(4, (0.3, 0.6), ["age", "city"], 100)
    many = replace(many, schema=many.schema.with_distances({"age": kc.Discrete()}))
    made = over_files(many.written(tmp_path / "source"), many, kc.Mondrian(), 3, tmp_path / "out", 40)
    assert np.isnan(made.measured[kc.ILSSDM].total) and made.measured[kc.NCP].total > 0
    (note,) = made.measured[kc.ILSSDM].notes
    assert note.startswith("The distance of column “age” compares all values of the table")


CRAFTS = ("baker", "dyer", "potter", "smith")


@pytest.mark.parametrize("crafts", [True, False])
def test_ends_are_those_of_all_fragments_with_equal_rows(crafts):
    """Hand-worked: of two fragments each has a record of 20 and one of 30 years. Where both publish [20, 30]
    and “craft”, two records have each end; where the jobs tell them apart, everybody has one alone."""
    tree = kc.Hierarchy.of_paths([(job, "craft") for job in CRAFTS]) if crafts else None
    frame = pd.DataFrame({"age": (20, 30, 20, 30), "job": pd.Series(CRAFTS, dtype="str")})
    attributes = (kc.Attribute("age", kind="numeric", weight=0.01), kc.Attribute("job", hierarchy=tree))
    one, made = compare(Many(frame, kc.Schema(attributes), (0, 2, 4)), kc.Mondrian(), 2, 2)
    assert made.fragments == 2 and one.class_sizes.tolist() == ([4] if crafts else [2, 2])
    found = [each for each in made.findings if each.name == ExactEnds.name]
    assert [each.count for each in found] == ([] if crafts else [4])

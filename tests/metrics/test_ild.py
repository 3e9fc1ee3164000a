"""Information loss by distance: closed forms against the N² definition, for every distance; representatives;
samples."""

from __future__ import annotations

import dataclasses
import tracemalloc
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.distances import DISTANCES, encodings
from kanon_core.distances.chosen import parts_of
from kanon_core.metrics.loss import amounts, ild
from kanon_core.metrics.loss.amounts import amount, row_sums
from kanon_core.metrics.loss.representatives import numbers_of, represented
from tests.distances.cases import CASES, NODES, PARENTS, Case
from tests.helpers import release_of, table_of
from tests.oracles import circles

each_distance = pytest.mark.parametrize("cls", DISTANCES, ids=lambda cls: cls.__name__)


def all_pairs(encoding, power: int) -> float:
    everybody = np.arange(len(encoding))
    return float((encoding.pairs(everybody[:, None], everybody) ** power).sum())


def taken(encoding, rows: np.ndarray):
    """The encoding of these records, repeated as often as they are named."""
    field = {"Line": "values", "Sphere": "points"}.get(type(encoding).__name__, "codes")
    return dataclasses.replace(encoding, **{field: getattr(encoding, field)[rows]})


@each_distance
@settings(max_examples=40, deadline=None)
@given(data=st.data(), power=st.sampled_from([1, 2]))
def test_amounts_are_the_sums_over_all_pairs(cls, data, power):
    case = data.draw(CASES[cls])
    encoding, n = case.part.encoding, len(case.values)
    expected = all_pairs(encoding, power)
    assert amount(encoding, np.ones(n), power) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    held = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)), np.float64)
    repeated = taken(encoding, np.repeat(np.arange(n), held.astype(int)))
    assert amount(encoding, held, power) == pytest.approx(all_pairs(repeated, power), rel=1e-9, abs=1e-9)
    sums = row_sums(encoding, np.ones(n), np.arange(n), power)
    assert sums.sum() == pytest.approx(expected, rel=1e-9, abs=1e-9)


def plain_representatives(case: Case, release: kc.Release) -> list:
    """Return, for each record, the mean, the most frequent value (the first of several) or the common items
    of its group. A suppressed record has the mean or value of all records, and no items."""
    labels, found = release.cover.set_of, []
    for i in range(len(case.values)):
        group = [
            v for v, other in zip(case.values, labels, strict=True) if labels[i] < 0 or other == labels[i]
        ]
        present = [v for v in group if v is not None]
        if case.kind == "items":
            found.append(frozenset.intersection(*present) if labels[i] >= 0 else frozenset())
        elif case.kind == "numeric":
            found.append(float(np.mean(present)) if present else None)
        elif case.kind == "datetime":
            found.append(pd.Series(pd.to_datetime(present)).mean() if present else None)
        elif case.kind == "cyclic":
            found.append(circles.mean(present, case.period) if present else None)
        elif case.kind == "latitude":
            north, east = zip(*present, strict=True) if present else ((), ())
            around = (circles.mean(list(east), 360.0) + 180) % 360 - 180 if present else 0
            found.append((float(np.mean(north)), around) if present else None)
        else:
            counts = Counter(group)
            found.append(min(counts, key=lambda v: (-counts[v], v is None, v or "")))
    return found


def touching(values: list, groups: np.ndarray) -> bool:
    """Return whether the means of two groups differ by no more than the rounding of sums. Whether they are
    equal then depends on the order of addition."""
    means = {group: v for group, v in zip(groups.tolist(), values, strict=True) if isinstance(v, float)}
    return any(b - a <= 1e-9 * (1 + abs(b)) for a, b in pairwise(sorted(means.values())))


def undecided(case: Case, release: kc.Release) -> bool:
    """Return whether some group on a circle has two shortest arcs around it."""
    if case.kind not in ("cyclic", "latitude"):
        return False
    labels, period = release.cover.set_of, case.period or 360.0
    groups = [np.flatnonzero(labels == label) for label in np.unique(labels)] + [np.arange(len(labels))]
    values = ([case.values[i] for i in group if case.values[i] is not None] for group in groups)
    return any(
        circles.ambiguous((v if case.kind == "cyclic" else v[1] for v in of), period) for of in values if of
    )


@pytest.mark.deep
@each_distance
@settings(max_examples=40, deadline=None)
@given(data=st.data(), power=st.sampled_from([1, 2]))
def test_it_is_the_definition(cls, data, power):
    case = data.draw(CASES[cls])
    table, n = case.table, len(case.values)
    release = release_of(table, data.draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n)))
    (part,) = parts_of(table)
    assume(not undecided(case, release))
    values = plain_representatives(case, release)
    assume(cls is not kc.Discrete or not touching(values, release.cover.set_of))
    shown = dataclasses.replace(case, values=values).table
    (column,) = [p.source for p in kc.Product().of(shown.quasi).parts]
    before = all_pairs(part.encoding, power)
    after = all_pairs(case.distance.encoded(column, part.scale), power)
    measured = kc.ILD(representative="group", power=power).measure(table, release)
    # a mean of seconds is rounded to microseconds in one and not in the other
    assert measured.total == pytest.approx(1 - after / before if before > 0 else 0, rel=1e-6, abs=1e-6)
    assert measured.total <= 1 and measured.error == 0
    assert list(measured.attributes.values()) == pytest.approx([measured.total] * len(table.quasi))


TENTHS = st.integers(-90, 90).map(lambda x: x / 10)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(TENTHS, TENTHS, st.integers(0, 3)), min_size=2, max_size=12),
    st.sampled_from(["mean", "generalize"]),
)
def test_with_means_it_is_ilssdm(rows, recoding):
    x, y, groups = zip(*rows, strict=True)
    table = table_of(x=x, y=y)
    table = table.with_schema(
        table.schema.with_roles(dict.fromkeys("xy", "quasi_identifier"))
        .with_kinds(dict.fromkeys("xy", "numeric"))
        .with_recodings(dict.fromkeys("xy", recoding))
        .with_distances(dict.fromkeys("xy", kc.Absolute("sd")))
    )
    release = release_of(table, groups)
    loss, squares = (metric.measure(table, release) for metric in (kc.ILD("schema", "group"), kc.ILSSDM()))
    assert loss.total == pytest.approx(squares.total, abs=1e-9)
    assert loss.attributes == pytest.approx(squares.attributes, abs=1e-9)
    varying = [v for name, v in loss.attributes.items() if len(set(table.frame[name])) > 1]
    alike = kc.ILD(representative="group").measure(table, release)
    assert alike.total == pytest.approx(np.mean(varying) if varying else 0)


def test_weights_of_the_schema_count():
    table = table_of(a=list("xyxx"), b=list("xyzz"))
    table = table.with_schema(table.schema.with_weights({"a": 3.0}))
    release = release_of(table, [0, 0, 1, 1])
    a, b = kc.ILD().measure(table, release).attributes.values()
    # I(a) = 16 − 10 = 6, I(b) = 16 − 6 = 10
    assert kc.ILD("schema").measure(table, release).total == pytest.approx((18 * a + 10 * b) / 28)
    assert kc.ILD().measure(table, release).total == pytest.approx((a + b) / 2)


def test_the_middle_of_an_interval_and_the_mean_of_a_group():
    table = table_of(x=[0.0, 1.0, 5.0, np.nan, np.nan])
    release = release_of(table, [0, 0, 0, 0, 1])
    assert numbers_of(table["x"], release, "cell")[0] == 2.5
    assert numbers_of(table["x"], release, "group")[0] == 2
    assert np.isnan(numbers_of(table["x"], release, "cell")[1])
    gone = release_of(table, [0, 0, -1, 0, -1])
    assert numbers_of(table["x"], gone, "cell").tolist() == [0.5, 2.0]


LINE = kc.GivenMatrix([("a", 0, 1, 9, 9), ("m", 1, 0, 3, 3), ("y", 9, 3, 0, 1), ("z", 9, 3, 1, 0)])


def cell_values(distance: kc.Distance, values: list, groups: list[int]) -> list[str]:
    table = table_of(kc.Schema((kc.Attribute("v", distance=distance),)), v=values)
    (part,) = parts_of(table)
    shown = represented(part, release_of(table, groups), "cell")
    return [table["v"].labels[code] for code in shown.codes]


def test_the_medoid_of_a_set_does_not_count_its_records():
    assert cell_values(LINE, ["a", "m", "y", "z", "a", "a"], [0, 0, 0, 0, 0, 0])[0] == "m"
    assert cell_values(LINE, ["y", "z", "a", "m"], [0, 0, 1, 1])[:2] == ["y", "a"]
    assert cell_values(LINE, ["a", "m", None, "y", None], [0, 0, 0, 0, 1])[:2] == ["m", "(missing)"]
    assert cell_values(kc.Discrete(), ["z", "y", "y"], [0, 0, 0])[0] == "y"


def test_medoids_where_there_is_no_matrix(monkeypatch):
    words = ["cart", "cat", "at", "car", "dog", None, "do", "dodo"]
    groups = [0, 0, 0, 0, 1, 1, 1, 1]
    expected = cell_values(kc.Levenshtein(), words, groups)
    monkeypatch.setattr("kanon_core.distances.base.VALUES_AT_MOST", 3)
    assert cell_values(kc.Levenshtein(), words, groups) == expected == ["cat", "do", *expected[2:]]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.none() | st.sampled_from(NODES), st.integers(-1, 2)), min_size=1, max_size=8))
def test_in_a_tree_the_lowest_node_above(rows):
    values, groups = zip(*rows, strict=True)
    case = Case(kc.Tree(PARENTS), list(values), lambda a, b: 0.0, "categorical")
    table = case.table
    release = release_of(table, groups)
    (part,) = parts_of(table)

    def up(node):
        return [node, *up(PARENTS[node])] if node in PARENTS else [node]

    def lowest(nodes):
        if not nodes:
            return None
        return next(node for node in up(nodes[0]) if all(node in up(other) for other in nodes))

    nodes = [
        lowest([v for v, other in rows if v is not None and (own < 0 or own == other)]) for _, own in rows
    ]
    shown = dataclasses.replace(case, values=nodes).table.columns[0]
    before, after = all_pairs(part.encoding, 2), all_pairs(part.distance.encoded(shown, part.scale), 2)
    measured = kc.ILD().measure(table, release)
    assert measured.total == pytest.approx(1 - after / before if before else 0)


def words_table(n: int, values: int) -> kc.Table:
    rng = np.random.default_rng(values)
    words = ["".join(rng.choice(list("abcdef"), rng.integers(2, 9))) for _ in range(values)]
    schema = kc.Schema((kc.Attribute("w", kind="text", distance=kc.Levenshtein()),))
    return table_of(schema, w=rng.choice(words, n))


def test_a_sample_is_announced_and_keeps_its_error(monkeypatch):
    """At least 17 of 20 tables lie within the error, which covers at least 19 of 20."""
    right, n = 0, 300
    for seed in range(20):
        table = words_table(n, 150 + seed)
        release = release_of(table, np.random.default_rng(seed).integers(0, 40, n))
        exact = kc.ILD().measure(table, release)
        assert exact.error == 0 and not any("sample" in note for note in exact.notes)
        with monkeypatch.context() as few:
            few.setattr("kanon_core.distances.base.VALUES_AT_MOST", 10)
            few.setattr(ild, "SAMPLE", 60)
            again = table.with_schema(table.schema)
            assert isinstance(parts_of(again)[0].encoding, encodings.Computed)
            sampled = kc.ILD().measure(again, release)
            assert sampled == kc.ILD().measure(again, release)
        assert 0 < sampled.error < 0.25 and "sample of 60" in sampled.notes[-1]
        right += abs(sampled.total - exact.total) <= sampled.error
    assert right >= 17


def test_places_beyond_the_size_are_sampled(monkeypatch):
    rng, n = np.random.default_rng(3), 200
    frame = {"lat": rng.normal(35, 1, n), "lon": rng.normal(139, 1, n)}
    schema = kc.Schema(
        (
            kc.Attribute("lat", kind="latitude", distance=kc.GreatCircle()),
            kc.Attribute("lon", kind="longitude"),
        )
    )
    table = table_of(schema, **frame)
    release = release_of(table, np.arange(n) // 5)
    exact = kc.ILD().measure(table, release)
    monkeypatch.setattr(amounts, "VALUES_AT_MOST", 100)
    sampled = kc.ILD().measure(table, release)
    assert sampled.error == 0  # 200 records are fewer than a sample: all of them
    assert sampled.total == pytest.approx(exact.total)
    monkeypatch.setattr(ild, "SAMPLE", 50)
    sampled = kc.ILD().measure(table, release)
    assert 0 < sampled.error < 0.25 and abs(sampled.total - exact.total) <= sampled.error
    assert exact.attributes["lat"] == exact.attributes["lon"] == pytest.approx(exact.total)


def test_a_column_that_cannot_be_measured_is_not_defined():
    schema = kc.Schema((kc.Attribute("t", distance=kc.Tree({"a": "r"})),))
    table = table_of(schema, t=["a", "b"])
    metric, release = kc.ILD(), release_of(table, [0, 0])
    measured = metric.measure(table, release)
    assert np.isnan(measured.total) and metric.text(measured.total) == "not defined"
    assert list(measured.notes) == metric.unsuitable(table) and "“t”" in measured.notes[0]


def test_where_nothing_varies_nothing_is_lost():
    table = table_of(x=[3.0, 3.0, 3.0], c=["a", "a", "a"], gone=[None, None, None])
    for metric in (kc.ILD(), kc.ILD("schema"), kc.ILD(representative="group")):
        for groups in ([0, 0, 0], [-1, 0, 0], [-1, -1, -1]):
            measured = metric.measure(table, release_of(table, groups))
            assert measured.total == 0 and set(measured.attributes.values()) == {0.0}


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.frozensets(st.sampled_from("abcde")), st.integers(0, 2)), min_size=1, max_size=8),
    st.sampled_from([1, 2]),
)
def test_sparse_sums_over_item_sets(rows, power):
    sets, held = zip(*rows, strict=True)
    case = Case(kc.Jaccard(), list(sets), lambda a, b: 0.0, "items")
    (part,) = parts_of(case.table)
    weights, everybody = np.array(held, np.float64), np.arange(len(sets))
    expected = row_sums(part.encoding, weights, everybody, power)
    found = row_sums(amounts.ItemSets(part.source), weights, everybody, power)
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_common_item_of_many_sets_takes_little_room():
    cells = [f"all;i{i};j{i % 77}" for i in range(12_000)]
    table = kc.Table.from_frame(
        pd.DataFrame({"s": cells}), kc.Schema((kc.Attribute("s", kind="items", delimiter=";"),))
    )
    drawn = np.arange(400)
    tracemalloc.start()
    found = row_sums(amounts.ItemSets(table["s"]), np.ones(12_000), drawn, 1)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    alike = np.bincount(np.arange(12_000) % 77)[drawn % 77] - 1
    assert found == pytest.approx((12_000 - alike - 1) * 0.8 + alike * 0.5) and most < 130e6


def test_many_item_sets_are_sampled(monkeypatch):
    rng, n = np.random.default_rng(4), 300
    sets = [";".join(sorted(set(rng.choice(list("abcdefghij"), rng.integers(1, 6))))) for _ in range(n)]
    schema = kc.Schema((kc.Attribute("t", kind="items", delimiter=";"),))
    table = table_of(schema, t=sets)
    release = release_of(table, np.argsort(np.argsort(sets, kind="stable")) // 4)
    exact = kc.ILD().measure(table, release)
    monkeypatch.setattr("kanon_core.distances.base.VALUES_AT_MOST", 10)
    monkeypatch.setattr(ild, "SAMPLE", 80)
    sampled = kc.ILD().measure(table.with_schema(table.schema), release)
    assert exact.error == 0 < sampled.error < 0.2
    assert abs(sampled.total - exact.total) <= sampled.error


MIXED = st.lists(
    st.tuples(
        st.none() | st.integers(-9, 9).map(float),
        st.sampled_from(["cat", "cart", "at", "dog"]),
        st.none() | st.sampled_from("abc"),
        st.frozensets(st.sampled_from("uvw")),
        st.tuples(st.integers(30, 40).map(float), st.integers(130, 140).map(float)),
        st.integers(-1, 2),
    ),
    min_size=2,
    max_size=9,
)


def mixed_table(rows, weights=(1.0, 1.0, 1.0, 1.0, 1.0)) -> kc.Table:
    """A number, a word, a category by a matrix, an item set and a place, each with a weight."""
    frame = {
        "x": pd.Series([r[0] for r in rows], dtype="float64"),
        "w": [r[1] for r in rows],
        "c": pd.Series([r[2] for r in rows], dtype="object"),
        "t": [sorted(r[3]) for r in rows],
        "lat": [r[4][0] for r in rows],
        "lon": [r[4][1] for r in rows],
    }
    matrix = kc.GivenMatrix([("a", 0, 1, 3), ("b", 1, 0, 1), ("c", 3, 1, 0)])
    kinds = (
        ("x", "numeric", kc.Absolute("sd")),
        ("w", "text", kc.Levenshtein()),
        ("c", "categorical", matrix),
        ("t", "items", kc.Jaccard()),
        ("lat", "latitude", kc.GreatCircle()),
    )
    attributes = [
        kc.Attribute(name, kind=kind, distance=distance, weight=weight)
        for (name, kind, distance), weight in zip(kinds, weights, strict=True)
    ]
    return table_of(kc.Schema((*attributes, kc.Attribute("lon", kind="longitude"))), **frame)


def by_definition(table: kc.Table, release: kc.Release, metric: kc.ILD) -> float:
    """1 − Σ_ij d(x̂_i, x̂_j)^power / Σ_ij d(x_i, x_j)^power over all pairs of records."""
    everybody, n = np.arange(len(table)), len(table)
    cell = np.where(release.suppressed, len(release.cover.sizes), release.row)
    sums = np.zeros((2, n, n))
    for part in parts_of(table):
        own = part.encoding.pairs(everybody[:, None], everybody)
        shown = represented(part, release, metric.representative, metric.power)
        published = shown.pairs(cell[:, None], cell)
        amount = (own**metric.power).sum()
        factor = amount ** (-1 / metric.power) if amount else 0.0
        if metric.weights == "schema":
            factor = float(part.weight > 0) if metric.p == np.inf else part.weight ** (1 / metric.p)
        for side, apart in enumerate((own, published)):
            term = factor * apart
            sums[side] = np.maximum(sums[side], term) if metric.p == np.inf else sums[side] + term**metric.p
    joined = sums if metric.p == np.inf else sums ** (1 / metric.p)
    before, after = (joined**metric.power).sum(axis=(1, 2))
    return 1 - after / before if before > 0 else 0.0


@settings(max_examples=80, deadline=None)
@given(
    MIXED,
    st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 4.0])] * 5),
    st.builds(
        kc.ILD,
        st.sampled_from(["1/I", "schema"]),
        st.sampled_from(["group", "cell"]),
        st.sampled_from([1, 2]),
        st.sampled_from([1.0, 1.5, 2.0, 3.0, np.inf]),
    ),
)
def test_many_attributes_by_the_definition(rows, weights, metric):
    """Every p-norm, power, weighting and representative on a mixture; sums over attributes and pairs of
    records alike."""
    table = mixed_table(rows, weights)
    release = release_of(table, [row[-1] for row in rows])
    measured = metric.measure(table, release)
    assert measured.total == pytest.approx(by_definition(table, release, metric), abs=1e-9)
    assert measured.error == 0 and measured.total <= 1


def test_by_the_largest_difference_one_attribute_decides():
    """Chebyshev: (0, 0), (1, 10), (2, 0), (3, 10); x in pairs loses nothing where y, whose differences are
    the larger, does not."""
    table = table_of(x=[0.0, 1.0, 2.0, 3.0], y=[0.0, 10.0, 0.0, 10.0])
    schema = table.schema.with_roles(dict.fromkeys("xy", "quasi_identifier")).with_kinds(
        dict.fromkeys("xy", "numeric")
    )
    table = table.with_schema(schema.with_distances(dict.fromkeys("xy", kc.Absolute("none"))))
    release = release_of(table, [0, 1, 0, 1])
    # Published (1, 0), (2, 10), (1, 0), (2, 10). Largest differences, all ordered pairs: 8 of 10 and 4 of 2
    # before, 8 of 10 after.
    found = kc.ILD("schema", p=np.inf).measure(table, release)
    assert found.details == {"I(A)": 816.0, "I(Â)": 800.0}
    assert kc.ILD("schema", power=1, p=1).measure(table, release).details["I(A)"] == 20 + 80
    for wrong in (0.5, -1, np.nan, "many"):
        with pytest.raises(kc.OptionError, match="of at least 1, or infinity"):
            kc.ILD(p=wrong)


def test_pairs_of_many_records_are_sampled_and_their_error_kept(monkeypatch):
    rng = np.random.default_rng(1)
    right = 0
    for seed in range(20):
        n = 200
        table = table_of(x=rng.normal(size=n) + seed, y=rng.gamma(1, 2, n), c=rng.choice(list("abcd"), n))
        release = release_of(table, np.arange(n) // 5)
        metric = kc.ILD(p=1)
        exact = metric.measure(table, release)
        assert exact.error == 0 and not exact.notes
        with monkeypatch.context() as few:
            few.setattr("kanon_core.metrics.loss.norms.EXACT_AT_MOST", 50)
            few.setattr("kanon_core.metrics.loss.norms._DRAWN", 60)
            few.setattr("kanon_core.metrics.loss.norms.PARTNERS", 20)
            sampled = metric.measure(table, release)
            assert sampled == metric.measure(table, release)
        assert (
            0 < sampled.error < 0.2
            and "The total is estimated from 1,200 pairs of records" in sampled.notes[-1]
        )
        right += abs(sampled.total - exact.total) <= sampled.error
    assert right >= 17


def test_long_comparing_ticks_and_can_be_stopped(monkeypatch):
    monkeypatch.setattr("kanon_core.distances.base.VALUES_AT_MOST", 10)
    monkeypatch.setattr(amounts, "_CELLS_COMPUTED", 2_000)
    table = words_table(300, 200)
    release, seen = release_of(table, np.arange(300) // 3), []
    expected = kc.ILD().measure(table, release)
    found = kc.ILD().evaluate(table, release, lambda share, note="": seen.append((share, note)))
    assert found == expected
    shares = [share for share, note in seen if note == "comparing values"]
    assert len(shares) > 10 and shares == sorted(shares) and shares[0] >= 0.5 and 0.7 < shares[-1] < 1

    def stop(share, note=""):
        if note == "comparing values":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kc.ILD().evaluate(table, release, stop)


def test_the_error_of_the_total_is_made_of_the_attributes_errors():
    """Amounts 100 (± 10) and 100 of two attributes, losses 0.5 ± 0.1 and 0. Weighted by the schema, how much
    each counts is itself uncertain: (100 · 0.1 + |0.5 − 0.25| · 10) / 200; by 1/I they count alike: 0.1 /
    2."""
    parts = tuple(SimpleNamespace(weight=1.0) for _ in range(2))
    found = [(100.0, 50.0, 0.1, 10.0), (100.0, 100.0, 0.0, 0.0)]
    for weights, error in (("schema", 12.5 / 200), ("1/I", 0.05)):
        whole = kc.ILD(weights)._added(parts, found, [0.5, 0.0])
        assert whole.error == pytest.approx(error)
        assert (whole.before - whole.after) / whole.before == pytest.approx(0.25)

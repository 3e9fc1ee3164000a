"""Properties that every registered metric keeps on releases of any partition, suppressed records included."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.options import options_of
from kanon_core.distances.mixed import points_of
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.table.columns.columns import Categories, Items
from tests.contracts.tables import FRAMES, table_of
from tests.helpers import looped

N = 23
PARTITIONS = {
    "threes": np.arange(N) // 3,
    "one group": np.zeros(N, int),
    "alone": np.arange(N),
    "some suppressed": np.where(np.arange(N) % 5 == 0, -1, np.arange(N) % 4),
    "all suppressed": np.full(N, -1),
}

each_metric = pytest.mark.parametrize("cls", [*METRICS, *UTILITIES], ids=lambda cls: cls.__name__)
each_table = looped("name", tuple(FRAMES))
each_exact_table = looped("name", tuple(name for name in FRAMES if name != "round ends"))
"""Those of which the records alone are published as they are; round ends widen every interval."""
each_partition = looped("partition", tuple(PARTITIONS))


def release_of(table: kc.Table, groups: np.ndarray) -> kc.Release:
    """The release that this partition would give; no audit, so that any partition will do."""
    recipe = kc.Recipe(table.schema, ALGORITHMS[0](), 2, 0, table.data_digest, len(table))
    return kc.Release.of(table, kc.Partition(groups), recipe)


@functools.cache
def plain(name: str) -> kc.Table:
    """The table of that name, made once for all tests."""
    return table_of(name, N)


@functools.cache
def with_class(name: str) -> kc.Table:
    """The `classed` table of that name, made once for all tests."""
    return classed(plain(name))


@functools.cache
def released(name: str, partition: str, kind: Callable[[str], kc.Table]) -> kc.Release:
    """The release of a named table, `plain` or `with_class`, by a named partition; made once."""
    return release_of(kind(name), PARTITIONS[partition])


@functools.cache
def concealed(name: str) -> kc.Release:
    """A k-concealment of the named table."""
    return kc.anonymize(with_class(name), kc.Greedy(), 3)


@functools.cache
def suiting(cls: type[kc.Metric]) -> str:
    """The first named table that the metric accepts."""
    return next(
        name
        for name in ("mixed", "composite", "purchases", *FRAMES)
        if not cls().unsuitable(with_class(name))
    )


@each_metric
def test_it_says_what_it_is(cls):
    for text in (cls.title, cls.symbol, cls.sentence, cls.formula, cls.example):
        assert text.strip()
    assert cls.sentence.endswith(".") and any(sign.isdigit() for sign in cls.example)
    assert cls.direction in ("lower", "higher")
    assert cls.low < cls.high
    assert cls.parts[0] == "total" and set(cls.parts) <= {"total", "attribute", "record"}
    assert cls().text(math.nan) == "not defined"


def classed(table: kc.Table) -> kc.Table:
    """The same table; its first quasi-identifier of categories, if there is one beside others, becomes
    sensitive."""
    quasi = table.quasi
    labels = [column.attribute.name for column in quasi if isinstance(column, Categories)]
    if len(quasi) < 2 or not labels or any(a.role == "sensitive" for a in table.schema):
        return table
    return table.with_schema(table.schema.with_roles({labels[0]: "sensitive"}))


@pytest.mark.deep
@each_metric
@each_table
@each_partition
def test_numbers_are_in_range_and_parts_complete(cls, name, partition):
    table, release = with_class(name), released(name, partition, with_class)
    unsuitable = bool(cls().unsuitable(table))
    measured = cls().measure(table, release)
    if math.isnan(measured.total):
        assert unsuitable or release.suppressed.all()
        assert cls().text(measured.total) == "not defined"
        return
    assert math.isfinite(measured.total)
    assert cls.low - 1e-9 <= measured.total <= cls.high + 1e-9
    quasi = [a.name for a in table.schema.quasi_identifiers if not cls.kinds or a.kind in cls.kinds]
    assert sorted(measured.attributes) == (sorted(quasi) if "attribute" in cls.parts else [])
    assert all(math.isfinite(value) for value in measured.attributes.values())
    assert measured.error >= 0 and all(note.endswith(".") for note in measured.notes)
    if "record" in cls.parts:
        assert measured.records.shape == (N,) and measured.records.dtype == np.float64
        assert np.isfinite(measured.records[~release.suppressed]).all()
    else:
        assert measured.records is None


@each_metric
@each_table
def test_what_does_not_fit_is_said_in_sentences(cls, name):
    """Whatever the table: a number, or not a number and why; nothing raises."""
    table, release = plain(name), released(name, "threes", plain)
    reasons = cls().unsuitable(table)
    assert all(reason.endswith(".") and reason[0].isupper() for reason in reasons)
    found = cls().score(table, release)
    if reasons:
        assert math.isnan(found.total) and found.notes == tuple(reasons)
        assert not found.attributes and found.records is None
    else:
        assert found.total == pytest.approx(cls().measure(table, release).total, nan_ok=True)
        assert found.notes or not math.isnan(found.total)


@each_metric
@looped("name", ["mixed", "three numbers", "duplicates"])
def test_covers_that_overlap_are_measured_too(cls, name):
    """k-concealment: every record is published with a set of its own."""
    table, release = with_class(name), concealed(name)
    found = cls().score(table, release)
    if cls().unsuitable(table):
        assert found.notes
        return
    assert cls.low - 1e-9 <= found.total <= cls.high + 1e-9
    whole = cls().score(table, released(name, "one group", with_class))
    if cls.monotone and cls is not kc.MatchingCost:
        assert found.total <= whole.total + 1e-9
    if found.records is not None:
        assert found.records.shape == (N,)


@each_metric
def test_work_on_it_can_be_stopped(cls):
    name = suiting(cls)

    class Stop(Exception):
        pass

    def stop(fraction, note=""):
        raise Stop

    with pytest.raises(Stop):
        cls().score(with_class(name), released(name, "threes", with_class), stop)


@each_metric
def test_some_table_suits_it(cls):
    assert any(not cls().unsuitable(with_class(name)) for name in FRAMES)


@each_metric
@each_table
def test_what_does_not_suit_is_said(cls, name):
    table = with_class(name)
    reasons = cls().unsuitable(table)
    assert all(reason[0].isupper() and reason.endswith(".") for reason in reasons)
    measured = cls().measure(table, released(name, "threes", with_class))
    assert reasons or math.isfinite(measured.total)


@functools.cache
def numbered(name: str) -> kc.Table:
    """The `classed` table of that name with a column of record numbers."""
    frame = plain(name).frame.assign(number=np.arange(N))
    schema = kc.Schema((*with_class(name).schema.attributes, kc.Attribute("number", kind="numeric")))
    return kc.Table.from_frame(frame, schema)


@each_metric
@each_exact_table
def test_the_untouched_table_loses_nothing(cls, name):
    """Every record is unlike all others, because the table has a column of record numbers."""
    table = numbered(name)
    if math.isnan(cls.untouched) or cls().unsuitable(table):
        return
    measured = cls().measure(table, released(name, "alone", numbered))
    assert measured.total == pytest.approx(cls.untouched, abs=1e-12)
    assert list(measured.attributes.values()) == pytest.approx([0] * len(measured.attributes), abs=1e-12)


ORDER = np.random.default_rng(5).permutation(N)


@functools.cache
def reordered(name: str, partition: str) -> tuple[kc.Table, kc.Release]:
    """The named table in another order, its categories renamed (in the same order: ties go to the first), and
    its release by the partition, the groups numbered otherwise."""
    table, groups = with_class(name), PARTITIONS[partition]
    frame = table.frame.iloc[ORDER].copy()
    for attribute in table.schema:
        if attribute.kind in ("categorical", "text") and attribute.hierarchy is None:
            texts = frame[attribute.name].astype(object)
            frame[attribute.name] = texts.map(lambda cell: f"value {cell}", na_action="ignore")
    other = kc.Table.from_frame(frame, table.schema)
    return other, release_of(other, np.where(groups < 0, -1, 9 - groups)[ORDER])


@pytest.mark.parametrize(
    "cls", [cls for cls in (*METRICS, *UTILITIES) if cls is not kc.ModelLoss], ids=lambda cls: cls.__name__
)
@each_table
@looped("partition", ["threes", "some suppressed"])
def test_neither_order_nor_names_count(cls, name, partition):
    """`ModelLoss` is left out: its seed draws the records that teach, so another order is another draw."""
    before = cls().measure(with_class(name), released(name, partition, with_class))
    after = cls().measure(*reordered(name, partition))
    assert after.total == pytest.approx(before.total, nan_ok=True)
    assert after.attributes == pytest.approx(before.attributes)
    if before.records is not None:
        assert after.records == pytest.approx(before.records[ORDER], nan_ok=True)


@functools.cache
def nested(name: str, seed: int) -> tuple[kc.Release, kc.Release]:
    """Releases of the named table by drawn groups, and by groups that join some of them."""
    rng = np.random.default_rng(seed)
    fine = rng.integers(-1, 8, N)
    coarse = np.append(rng.integers(0, 4, 8), -1)[fine]
    return release_of(with_class(name), fine), release_of(with_class(name), coarse)


@pytest.mark.parametrize(
    "cls", [cls for cls in (*METRICS, *UTILITIES) if cls.monotone], ids=lambda cls: cls.__name__
)
@each_table
def test_joining_groups_never_makes_it_better(cls, name):
    table = with_class(name)
    if cls().unsuitable(table):
        return
    for seed in range(8):
        fine, coarse = (cls().measure(table, release) for release in nested(name, seed))
        worse = (coarse.total - fine.total) * (1 if cls.direction == "lower" else -1)
        assert worse >= -1e-9 * max(1, abs(fine.total)), seed


def test_what_claims_to_be_monotone():
    assert {cls.__name__ for cls in (*METRICS, *UTILITIES) if cls.monotone} == {
        "ILSSDM",
        "NCP",
        "EntropyLoss",
        "MatchingCost",
        "SuppressedItems",
    }


@each_metric
def test_score_delivers_the_same_numbers(cls):
    name = suiting(cls)
    table, release = with_class(name), released(name, "some suppressed", with_class)
    measured, scores = cls().measure(table, release), kc.score(table, release, [cls()])
    assert list(scores.columns) == ["metric", "part", "name", "value", "error", "note"]
    (total,) = scores[scores["part"] == "total"].itertuples()
    assert (total.error, total.note) == (measured.error, " ".join(measured.notes))
    assert set(scores["part"]) == set(cls.parts) and set(scores["metric"]) == {cls.__name__}
    assert scores.loc[scores["part"] == "total", "value"].tolist() == [measured.total]
    if measured.records is not None:
        records = scores[scores["part"] == "record"]
        assert records["name"].tolist() == [str(i + 1) for i in range(N)]
        assert np.array_equal(records["value"], measured.records, equal_nan=True)


@each_metric
def test_illegal_options_are_refused(cls):
    for option in options_of(cls):
        for value in option.kind.illegal():
            with pytest.raises(kc.OptionError, match=option.label):
                cls(**{option.name: value})


@pytest.mark.parametrize("worse", [cls for cls in METRICS if cls.__name__ in ("ILSSDM", "NCP")])
@each_exact_table
def test_losses_run_from_nothing_to_everything(worse, name):
    table = plain(name)
    varies = [column for column in table.quasi if len(pd.unique(table.frame[column.attribute.name])) > 1]
    assert worse().measure(table, released(name, "alone", plain)).total == pytest.approx(0, abs=1e-12)
    # An empty item set has no item to lose.
    there = [1.0 if worse is kc.ILSSDM else _everything(column) for column in table.quasi]
    assert worse().measure(table, released(name, "one group", plain)).total == pytest.approx(
        np.mean(there) if varies else 0
    )


def _everything(column: kc.table.columns.columns.Column) -> float:
    """NCP of all in one group: 1, but for empty item sets, levels that nobody has and the widest gap of a
    circle."""
    if isinstance(column, Items):
        return float((column.sizes > 0).mean())
    if column.attribute.kind == "ordinal" and not column.has_missing:
        return float(np.ptp(column.values) / (len(column.levels) - 1))
    if column.attribute.kind == "cyclic" and not column.has_missing:
        places, period = np.unique(column.values), column.circle.period
        return float(1 - np.diff([*places, places[0] + period]).max() / period)
    return 1.0


@each_table
@each_partition
def test_ilssdm_is_the_sum_of_squares_in_one_hot_coordinates(name, partition):
    table, release = plain(name), released(name, partition, plain)
    points = points_of(table)
    parts, owners = [*points.numeric.T], list(points.numeric_of)
    for codes, owner, weight in zip(points.codes.T, points.codes_of, points.weights, strict=True):
        for code in np.unique(codes):
            parts.append(np.sqrt(weight / 2) * (codes == code))
            owners.append(owner)
    for column in table.quasi:
        if isinstance(column, Items):
            has = np.zeros((N, len(column.labels)))
            has[np.repeat(np.arange(N), column.sizes), column.items] = 1
            scale = np.sqrt((N - 1) / ((has - has.mean(axis=0)) ** 2).sum())
            parts += list(scale * has.T)
            owners += [column.attribute.name] * len(column.labels)
    space = np.array(parts).T
    centers = np.tile(space.mean(axis=0), (N, 1))
    for group in range(len(release.cover.sizes)):
        members = release.cover.members(group)
        centers[members] = space[members].mean(axis=0)
    lost, all_of_it = (space - centers) ** 2, (space - space.mean(axis=0)) ** 2
    measured = kc.ILSSDM().measure(table, release)
    sst = all_of_it.sum()
    assert measured.total == pytest.approx(lost.sum() / sst if sst > 1e-12 else 0)
    if sst > 1e-12:
        assert measured.records == pytest.approx(lost.sum(axis=1) / sst)
        assert measured.records.sum() == pytest.approx(measured.total)
    for owner, share in measured.attributes.items():
        own = [i for i, name in enumerate(owners) if name == owner]
        total = all_of_it[:, own].sum()
        assert share == pytest.approx(lost[:, own].sum() / total if total > 1e-12 else 0)


@each_table
@each_partition
def test_ncp_parts_average_to_the_total(name, partition):
    table, groups = plain(name), PARTITIONS[partition]
    names = [attribute.name for attribute in table.schema.quasi_identifiers]
    weights = {column: 1.0 + i for i, column in enumerate(names)}
    table = table.with_schema(table.schema.with_weights(weights))
    measured = kc.NCP(constant=True).measure(table, release_of(table, groups))
    assert measured.records.mean() == pytest.approx(measured.total)
    weighted = sum(weights[column] * share for column, share in measured.attributes.items())
    assert weighted / sum(weights.values()) == pytest.approx(measured.total)
    assert measured.records.min() >= 0 and measured.records.max() <= 1 + 1e-12
    assert (measured.records[groups < 0] == 1).all()


def test_risks_and_sizes_agree_with_counting():
    table, groups = plain("three numbers"), PARTITIONS["some suppressed"]
    release = released("three numbers", "some suppressed", plain)
    sizes = np.bincount(groups[groups >= 0])
    totals = {cls.__name__: cls().measure(table, release).total for cls in METRICS}
    expected = {
        "Discernibility": (sizes**2).sum() + N * (groups < 0).sum(),
        "AverageClassSize": sizes.mean(),
        "AchievedK": sizes.min(),
        "WorstRisk": 1 / sizes.min(),
        "AverageRisk": len(sizes) / sizes.sum(),
        "SuppressedRecords": (groups < 0).mean(),
    }
    assert {name: totals[name] for name in expected} == pytest.approx(expected)

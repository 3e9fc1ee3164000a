"""Maskings: hand-worked values, what each keeps, and a contract over all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.options import from_json, options_of, to_json
from kanon_core.findings import MaskedValues
from kanon_core.masking import MASKINGS, Masking
from kanon_core.masking.noise import CLIPPED
from kanon_core.release.altered import FEW, altered
from tests.contracts.test_tuples import cites, subclasses
from tests.helpers import looped, table_of

each = looped("cls", MASKINGS)


def numbers(*values, name: str = "x") -> kc.Table:
    return table_of(**{name: list(values)})


def mixed(n: int = 120) -> kc.Table:
    """Numbers, fractions, dates and categories, each with missing values."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": pd.array(rng.integers(0, 100, n), "Int64"),
            "pay": rng.gamma(2, 100, n),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), "D"),
            "town": rng.choice(["Ueda", "Ina", "Suwa", "Iida"], n),
            "ill": rng.choice(["flu", "gout"], n),
        }
    )
    for place, name in enumerate(("age", "pay", "day", "town")):
        frame.loc[place::17, name] = None
    kinds = {"age": "numeric", "pay": "numeric", "day": "datetime", "town": "categorical"}
    return kc.Table.from_frame(
        frame,
        kc.Schema.infer(frame)
        .with_kinds(kinds)
        .with_roles({"ill": "sensitive"} | dict.fromkeys(kinds, "quasi_identifier")),
    )


def behind(release: kc.Release, name: str = "x") -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest number that the cell of each record stands for."""
    cells, cell = release[name].cells.underlying.as_intervals(), release[name].cell
    return cells.low[cell], cells.high[cell]


def shown(table: kc.Table, masking: Masking, name: str = "x", seed: int = 1) -> list:
    return kc.mask(table, masking, seed).to_frame()[name].tolist()


def test_top_and_bottom_coding_by_hand():
    table = numbers(*range(1, 11))
    assert shown(table, kc.TopBottomCoding(share=20)) == [2, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert shown(table, kc.TopBottomCoding(share=20, ends="top")) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 9]
    assert shown(table, kc.TopBottomCoding(share=20, ends="bottom")) == [2, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    release = kc.mask(table, kc.TopBottomCoding(share=20), 1)
    low, high = behind(release)
    assert (low[[0, 9]].tolist(), high[[0, 9]].tolist()) == ([1, 9], [2, 10])
    # I(A) = 2 · 10² · 8.25 = 1,650, I(Â) = 2 · 10 · 66.5 = 1,330; two cells of width 1 at each end of 9.
    loss = kc.ILD(weights="schema").measure(table, release)
    assert loss.total == pytest.approx((1_650 - 1_330) / 1_650)
    assert kc.NCP().measure(table, release).total == pytest.approx(4 / 9 / 10)


def test_coding_that_leaves_nothing_between():
    table = numbers(-3, 0, 0, 0, 5)
    release = kc.mask(table, kc.TopBottomCoding(share=50), 1)
    assert release.to_frame()["x"].tolist() == [0] * 5 and release.class_sizes.tolist() == [5]
    assert [set(ends) for ends in behind(release)] == [{-3}, {5}]
    (found,) = kc.attack(table, release, [kc.ConsistentLinkage()])
    assert found.expected == pytest.approx(1 / 5)


def test_rounding_by_hand():
    assert shown(numbers(34, 35, 44, -5, -6), kc.Rounding(base=10)) == [30, 40, 40, 0, -10]
    assert shown(numbers(0, 13, 20), kc.Rounding()) == [
        0,
        14,
        20,
    ]  # a twentieth of 20 is 1, which changes none
    assert shown(numbers(0, 13, 20), kc.Rounding(base=5)) == [0, 15, 20]
    assert shown(numbers(0, 13, 90), kc.Rounding()) == [0, 15, 90]  # of 90 4.5, so 5
    days = numbers(*pd.to_datetime(["1970-01-01", "1970-01-06", "1970-01-09"]))
    assert shown(days, kc.Rounding(base=5)) == ["1970-01-01", "1970-01-06", "1970-01-11"]
    release = kc.mask(numbers(34, 35, 44, 60), kc.Rounding(base=10), 1)
    assert [ends[1] for ends in behind(release)] == [35, 45]
    assert release.classes.tolist() == [0, 1, 1, 2]


def around() -> kc.Table:
    """Return a table of columns that go round or have an order: hours over midnight, islands around 180°,
    directions, weekdays, times of day, sizes."""
    rng = np.random.default_rng(0)
    values = {
        "hour": [22.0, 23.0, 0.0, 1.0, 23.5, 0.5],
        "size": ["low", "medium", "high"],
        "weekday": ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
        "longitude": [179.9, -179.9, 179.5, -179.0],
        "direction": [350, 10, 5, 355],
        "time": ["23:50", "00:10", "23:30", "00:40"],
    }
    frame = pd.DataFrame({name: rng.choice(several, 60) for name, several in values.items()})
    kinds = dict.fromkeys(values, "cyclic") | {"size": "ordinal", "longitude": "longitude"}
    schema = kc.Schema.infer(frame).with_kinds(kinds).with_orders({"size": ("low", "medium", "high")})
    return kc.Table.from_frame(frame, schema.with_roles(dict.fromkeys(values, "quasi_identifier")))


@each
def test_what_goes_round_goes_round_and_what_has_an_order_stays_in_it(cls):
    table = around()
    own = cls(share=40) if cls is kc.TopBottomCoding else cls()
    for masking in (own, kc.Noise(share=1_000), kc.Noise(form="uniform"), kc.Rounding(base=7)):
        release = kc.mask(table, masking, 3)
        kept, frame = np.flatnonzero(~release.suppressed), release.to_frame()
        for column in table.quasi:
            assert release[column.attribute.name].true_of(column, kept).all()
        assert set(frame["size"]) <= {"low", "medium", "high", "*"}
        assert set(frame["weekday"]) <= {*table.frame["weekday"], "*"}
        shown = frame.iloc[kept]
        assert (shown["hour"].astype(float) % 24 == shown["hour"].astype(float)).all()
        assert (shown["longitude"].astype(float).abs() <= 180).all()
        assert shown["time"].str.fullmatch(r"([01]\d|2[0-3]):[0-5]\d").all()


def test_hours_are_rounded_as_they_are_written():
    hours = kc.Table.from_frame(pd.DataFrame({"hour": [22, 23, 0, 1, 6]}))
    table = hours.with_schema(hours.schema.with_kinds({"hour": "cyclic"}))
    assert shown(table, kc.Rounding(base=10), "hour") == [20, 20, 0, 0, 10]
    assert shown(table, kc.Rounding(base=5), "hour") == [20, 0, 0, 0, 5]


def test_noise_is_no_loss_to_ild_and_stays_where_it_is_said_to():
    table = numbers(*np.random.default_rng(2).normal(50, 10, 4_000))
    values = table["x"].values
    for form in ("normal", "uniform"):
        release = kc.mask(table, kc.Noise(share=50, form=form, below="kept"), 3)
        moved = np.array(release.to_frame()["x"]) - values
        deviation = values.std(ddof=1)
        assert abs(moved.mean()) < 4 * deviation / 2 / np.sqrt(4_000)
        assert moved.std() == pytest.approx(deviation / 2, rel=0.04)
        assert kc.ILD().measure(table, release).total == pytest.approx(-0.25, abs=0.03)
        low, high = behind(release)
        reach = np.sqrt(3) * deviation / 2
        assert np.isinf(low).all() if form == "normal" else np.abs(moved).max() <= reach
        assert form == "normal" or (high - low).max() == pytest.approx(2 * reach)
    assert all(float(value).is_integer() for value in shown(numbers(1, 2, 3, 50), kc.Noise()))


def test_swapping_keeps_every_column_and_moves_no_value_far():
    table = mixed()
    release = kc.mask(table, kc.Swapping(range=10), 4)
    frame, own = release.to_frame(), table.frame
    assert sorted(frame["town"]) == sorted(own["town"].fillna("(missing)"))
    values, moved = table["age"].values, release["age"].cells.numbers()[release["age"].cell]
    assert np.array_equal(np.isnan(values), np.isnan(moved))
    present = ~np.isnan(values)
    assert np.array_equal(np.sort(values[present]), np.sort(moved[present]))
    ranked, reach = np.sort(values[present]), int(0.1 * present.sum())
    low = np.searchsorted(ranked, values[present], "left") - reach
    high = np.searchsorted(ranked, values[present], "right") - 1 + reach
    assert (ranked[np.maximum(low, 0)] <= moved[present]).all()
    assert (moved[present] <= ranked[np.minimum(high, len(ranked) - 1)]).all()
    assert (values[present] != moved[present]).mean() > 0.5
    loss = kc.ILD().measure(table, release)
    assert loss.total == pytest.approx(0, abs=1e-12)
    assert all(one == pytest.approx(0, abs=1e-12) for one in loss.attributes.values())


def test_swapping_goes_so_far_that_values_move():
    """One rank, or none, moves nothing: what is asked for is doubled, and said."""
    few = numbers(5, 3, 9, 1)
    moved = shown(few, kc.Swapping(range=1))
    assert sorted(moved) == [1, 3, 5, 9] and moved != [5, 3, 9, 1]
    for n in (2, 5, 20, 39):
        table = numbers(*range(n))
        for masking in (kc.Swapping(), kc.Swapping(range=1)):
            release = kc.mask(table, masking, 1)
            column = release["x"]
            assert altered(table["x"], column).mean() > FEW / 100
            assert column.true_of(table["x"], np.arange(n)).all()
            ((name, reach),) = release.report.items()
            assert (
                name == f"largest change of rank in “x” (requested: {int(masking.range / 100 * n)})"
                and 2 <= reach <= n
            )
    enough = kc.mask(numbers(*range(200)), kc.Swapping(), 1)
    assert not enough.report and not kc.judge(enough.table, enough, [MaskedValues()])


TABLES = {
    "one": [7],
    "the same": [4] * 9,
    "two": [0, 1],
    "yes and no": [0, 1] * 40,
    "one of many": [0] * 199 + [1],
    "one to five": [1, 2, 3, 4, 5] * 8,
    "whole": list(range(20)),
    "halves": [i / 2 for i in range(39)],
    "days": list(pd.Timestamp("2020-01-01") + pd.to_timedelta(range(25), "D")),
}
LITTLE = {"Swapping": 1, "Noise": 0.1, "TopBottomCoding": 0.1, "Sampling": 100, "Rounding": 1}
"""The one option of each masking, so that it does next to nothing."""


@pytest.mark.deep
@each
def test_a_masking_changes_values_or_refuses_or_says_which_it_leaves(cls):
    option = next(one.name for one in options_of(cls))
    for values in TABLES.values():
        table = numbers(*values)
        for masking in (cls(), cls(**{option: LITTLE[cls.__name__]})):
            try:
                release = kc.mask(table, masking, 3)
            except UnsuitableError as error:
                assert "changes no value" in str(error)
                (found,) = kc.judge(table, kc.anonymize(table, masking, 1, 3), [MaskedValues()])
                assert found.severity == "stops" and found.sentence == str(error)
                continue
            if release.suppressed.any() or table["x"].distinct < 2:
                continue
            changed, said = altered(table["x"], release["x"]), kc.judge(table, release, [MaskedValues()])
            told = {finding.severity for finding in said if finding.columns == ("x",)}
            assert changed.any()
            assert ("decide" in told) == (changed.mean() < FEW / 100)
            assert (release.to_frame()["x"].astype(str) != table.frame["x"].astype(str)).any()


def test_columns_that_a_masking_leaves_as_they_are_are_named_with_numbers():
    frame = pd.DataFrame({"age": range(100), "sex": [0, 1] * 50, "town": list("ab") * 50, "same": 1})
    table = kc.Table.from_frame(frame)
    table = table.with_schema(table.schema.with_quasi(frame.columns))

    def said(masking: Masking) -> dict[tuple[str, str], str]:
        release = kc.mask(table, masking, 1)
        return {(f.severity, *f.columns): f.sentence for f in kc.judge(table, release, [MaskedValues()])}

    found = said(kc.TopBottomCoding(share=2, ends="top"))
    assert set(found) == {("decide", "age"), ("stops", "sex"), ("decide", "town")}
    assert found["decide", "age"].startswith(
        "Top and bottom coding changes 1 of 100 published values of “age” (1 %); the others are the original"
    )
    assert "changes 0 of 100 published values of “sex”" in found["stops", "sex"]
    assert "“town” is a quasi-identifier and is published unchanged" in found["decide", "town"]
    rounded = {("stops", "sex"), ("decide", "town"), ("know", "age")}  # 99 is 100
    assert set(said(kc.Rounding())) == rounded
    assert said(kc.Swapping(range=50)) == {} == said(kc.Sampling(share=50))
    assert not kc.judge(table, kc.anonymize(table, kc.MDAV(), 2, 1), [MaskedValues()])


def test_noise_makes_no_impossible_values_and_says_what_lies_beyond_the_data():
    table = numbers(*[0, 1, 2, 30, 60] * 20, name="age")
    release = kc.mask(table, kc.Noise(share=100), 1)
    ages = release.to_frame()["age"]
    assert ages.min() == 0 and ages.max() > 60
    assert 0 < release.report[CLIPPED] <= (ages == 0).sum()
    (finding,) = kc.judge(table, release, [MaskedValues()])
    assert finding.severity == "know" and finding.count == (ages > 60).sum()
    assert f"publishes {finding.count} of 100 values of “age” outside the range" in finding.sentence
    assert release["age"].true_of(table["age"], np.arange(100)).all()
    kept = kc.mask(table, kc.Noise(share=100, below="kept"), 1)
    assert kept.to_frame()["age"].min() < 0 and CLIPPED not in kept.report
    below = kc.mask(numbers(*[-1, 1, 2, 30, 60] * 20), kc.Noise(share=100), 1)
    assert below.to_frame()["x"].min() < -1 and CLIPPED not in below.report
    poles = pd.DataFrame({"latitude": [88.0, 89.0, -89.0, 12.0] * 20})
    north = kc.Table.from_frame(poles)
    north = north.with_schema(north.schema.with_kinds({"latitude": "latitude"}).with_quasi(["latitude"]))
    for masking in (kc.Noise(), kc.Rounding(base=50)):
        release = kc.mask(north, masking, 1)
        assert np.abs(release.to_frame()["latitude"]).max() == 90
        assert release["latitude"].true_of(north["latitude"], np.arange(80)).all()


def test_sampling_publishes_some_records_as_they_are():
    table = mixed()
    release = kc.mask(table, kc.Sampling(share=25), 2)
    kept = ~release.suppressed
    assert kept.sum() == 30 and len(release.publish()) == 30
    column = release["age"]
    own = np.array([str(value) for value in table.frame["age"][kept].fillna(-1)])
    told = np.array(column.texts(table["age"], np.flatnonzero(kept)))
    assert np.array_equal(np.where(told == "(missing)", "-1", told), own)
    assert kc.mask(numbers(1, 2), kc.Sampling(share=0.1), 1).suppressed.sum() == 1


def test_every_masking_is_in_its_tuple():
    import kanon_core.masking

    assert subclasses(Masking, kanon_core.masking) == set(MASKINGS)
    assert not set(MASKINGS) & set(kc.ALGORITHMS)


@each
def test_it_says_what_it_is(cls):
    assert cls.title and cls.summary.endswith(".") and cites(cls.__doc__)
    assert all(option.kind.help and option.kind.illegal() for option in options_of(cls))
    assert from_json(to_json(cls())) == cls()


@each
def test_a_masking_is_a_release_like_others_and_promises_nothing(cls):
    table = mixed()
    before = table.frame.copy()
    release = kc.mask(table, cls(), 7)
    assert kc.repeat(table, kc.Recipe.from_json(release.recipe.to_json())).publish().equals(release.publish())
    assert cls.randomized == (not kc.mask(table, cls(), 8).to_frame().equals(release.to_frame()))
    assert [verdict.holds for verdict in release.verdicts] == [True, True, True]
    assert release.verdicts[0].sentence.startswith("No anonymity set is guaranteed: ")
    assert release.guarantee.k == release.recipe.k == 1 and "k = 1" in repr(release)
    kept = np.flatnonzero(~release.suppressed)
    for column in table.quasi:
        assert release[column.attribute.name].true_of(column, kept).all()
    pd.testing.assert_frame_equal(table.frame, before)


@each
def test_it_is_measured_attacked_and_judged_like_others(cls):
    table = mixed()
    release = kc.mask(table, cls(), 7)
    scores = kc.score(table, release).query("part == 'total'").set_index("metric")
    assert np.isfinite(scores.loc[["ILD", "NCP", "EntropyLoss", "Discernibility"], "value"]).all()
    assert scores.loc[["ILSSDM", "MatchingCost"], "value"].isna().all()
    assert "makes no groups" in scores.loc["ILSSDM", "note"]
    found = kc.attack(
        table, release, [kc.NearestLinkage(), kc.ConsistentLinkage(), kc.Rerun(), kc.Linkability()]
    )
    assert len(found) == 4 and all(0 <= one.expected <= 1 for one in found)
    judged = {finding.name: finding for finding in kc.judge(table, release)}
    assert "has found the row of one person" in judged["sensitive values"].sentence
    assert "No anonymity set is guaranteed" in judged["identity"].sentence
    assert "guarantees a k" in judged["identity"].action


def test_microaggregation_holds_off_whom_maskings_do_not():
    table = mixed()
    grouped = kc.anonymize(table, kc.Mondrian(), 5, 1)
    (closed,) = kc.attack(table, grouped, [kc.NearestLinkage()])
    assert closed.expected <= 1 / 5
    for cls in MASKINGS:
        (open_one,) = kc.attack(table, kc.mask(table, cls(), 1), [kc.NearestLinkage()])
        assert open_one.expected > 1 / 5


def test_every_mistake_gets_a_sentence():
    with pytest.raises(OptionError, match=r"Rounding\(base=10\)"):
        kc.mask(numbers(1, 2), kc.MDAV())
    with pytest.raises(UnsuitableError, match="k must be 1"):
        kc.anonymize(numbers(1, 2, 3), kc.Rounding(), 2)
    words = kc.Table.from_frame(pd.DataFrame({"town": list("abcd")}))
    with pytest.raises(UnsuitableError, match="changes only numbers and dates"):
        kc.mask(words, kc.Noise())
    assert len(kc.mask(words, kc.Swapping(), 1)) == 4
    ordered = words.with_schema(words.schema.with_kinds({"town": "ordinal"}))
    with pytest.raises(UnsuitableError, match="changes only numbers and dates"):
        kc.mask(ordered, kc.Rounding())
    assert set(kc.mask(ordered, kc.Noise(share=200), 1).to_frame()["town"]) <= set("abcd")
    with pytest.raises(OptionError, match="at least 2"):
        kc.anonymize(numbers(1, 2, 3), kc.MDAV(), 1)


def test_one_value_alone_is_left_as_it_is():
    for cls in (kc.TopBottomCoding, kc.Rounding, kc.Noise, kc.Swapping):
        assert [float(value) for value in shown(numbers(4, 4, 4), cls())] == [4, 4, 4]

"""Round ends: intervals widened outwards, by hand and whatever the numbers are."""

from __future__ import annotations

from decimal import Decimal
from math import asin, cos, radians, sin

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.covers.cells import Intervals
from kanon_core.covers.cover import Partition
from kanon_core.covers.recoding import recode
from kanon_core.covers.rounding.widening import with_round_ends
from kanon_core.findings import ExactEnds
from kanon_core.table.domain import Domain
from tests.helpers import looped


def column_of(values, step: str, kind: str = "numeric"):
    """The column of these values, a quasi-identifier whose ends are rounded to this step."""
    schema = kc.Schema((kc.Attribute("x", kind=kind, round_to=step),))
    return kc.Table.from_frame(pd.DataFrame({"x": values}), schema)["x"]


def texts(values, step: str, groups=None, kind: str = "numeric") -> list[str]:
    """Return the published text of each group; all records are one group unless ``groups`` is given."""
    column = column_of(values, step, kind)
    cover = Partition(np.array([0] * len(values) if groups is None else groups))
    return recode(column, cover).cells.texts(column, np.arange(len(cover.sizes)))


@looped(
    "values, step, expected",
    [
        ([21, 38], "10", "[20, 40]"),
        ([20, 40], "10", "[20, 40]"),  # round already
        ([23, 23], "10", "[20, 30]"),  # one value is widened too
        ([20, 20], "10", "[20, 30]"),  # and a round one as well
        ([0, 0], "10", "[0, 10]"),
        ([-3, 4], "10", "[-10, 10]"),
        ([-10, -10], "10", "[-10, 0]"),
        ([-21, -11], "10", "[-30, -10]"),
        ([0.3, 0.31], "0.1", "[0.3, 0.4]"),  # 3 · 0.1 is 0.30000000000000004 in floating point
        ([0.61, 0.68], "0.1", "[0.6, 0.7]"),
        ([1.005, 1.1], "0.01", "[1, 1.1]"),
        ([7, 8], "2.5", "[5, 10]"),
        ([7, 8], "2.50", "[5, 10]"),
        ([7, 8], "1e2", "[0, 100]"),
        ([1.5e-120, 1.6e-120], "1e-121", "[1.5e-120, 1.6e-120]"),
        ([123456789.5, 987654321.5], "1000000", "[123000000, 988000000]"),
        ([1.23e100, 1.27e100], "1e99", "[1.2e+100, 1.3e+100]"),
    ],
)
def test_numbers_by_hand(values, step, expected):
    assert texts(values, step) == [expected]


@looped(
    "values, step, expected",
    [
        (["2019-12-31", "2020-01-02"], "month", "[2019-12-01, 2020-02-01]"),
        (["2019-12-31", "2020-01-02"], "year", "[2019-01-01, 2021-01-01]"),
        (["2019-12-31", "2020-01-01"], "year", "[2019-01-01, 2020-01-01]"),  # the first of a year is round
        (["2020-02-29", "2020-02-29"], "month", "[2020-02-01, 2020-03-01]"),
        (["2020-02-28", "2020-02-29"], "day", "[2020-02-28, 2020-02-29]"),  # days are not told to hide
        (["2020-02-29", "2020-02-29"], "day", "[2020-02-29, 2020-03-01]"),
        (["2019-02-28", "2019-02-28"], "day", "[2019-02-28, 2019-03-01]"),
        (["1969-12-31", "1970-01-01"], "month", "[1969-12-01, 1970-01-01]"),
        (["1900-02-28", "1900-02-28"], "day", "[1900-02-28, 1900-03-01]"),  # no leap year
        (["1600-02-29", "1600-02-29"], "year", "[1600-01-01, 1601-01-01]"),
        (["2020-01-01", "2020-01-01"], "year", "[2020-01-01, 2021-01-01]"),
        (["1969-12-31 23:59:59.5", "1970-01-01 00:00:00.5"], "day", "[1969-12-31, 1970-01-02]"),
        (["2021-12-31 08:30:00", "2021-12-31 09:00:00"], "day", "[2021-12-31, 2022-01-01]"),
    ],
)
def test_dates_by_hand(values, step, expected):
    (text,) = texts(values, step, kind="datetime")
    assert text.replace(" 00:00:00", "").replace(".000000", "") == expected


@looped(
    "values, step, kind, expected",
    [
        ([35.6812, 35.6895], "500 m", "latitude", "[35.68, 35.69]"),  # 500 m are at most 0.005°
        ([139.7671, 139.7671], "500m", "longitude", "[139.765, 139.77]"),
        ([35.6812, 35.6895], "0.1", "latitude", "[35.6, 35.7]"),
        ([89.99, 90], "0.5", "latitude", "[89.5, 90]"),
        ([90, 90], "10", "latitude", "[80, 90]"),  # there is nothing beyond
        ([-90, -90], "10", "latitude", "[-90, -80]"),
        ([89, 89], "7", "latitude", "[84, 90]"),
        ([-89, -89], "7", "latitude", "[-90, -84]"),
        ([180, 180], "50", "longitude", "[150, 180]"),
        ([50, 50], "100", "latitude", "[0, 90]"),
    ],
)
def test_places_by_hand(values, step, kind, expected):
    assert texts(values, step, kind=kind) == [expected]


def test_a_grid_in_meters_says_how_many_degrees_it_is():
    column = column_of([35.0, 35.5], "500 m", "latitude")
    assert recode(column, Partition(np.zeros(2, int))).cells.step == "0.005° (556 m)"
    column = column_of([135.0, 135.5], "2000 m", "longitude")
    step = recode(column, Partition(np.zeros(2, int))).cells.step
    assert step == "0.02° (2,224 m at the equator, fewer elsewhere)"


@looped(
    "latitude, parallel, meters",
    [([59.1, -3.0], 60, 500), ([-59.91, 3.0], 60, 500), ([60.0, 0.0], 60, 2_000), ([0.2, 0.0], 1, 500)],
)
def test_meters_east_are_kept_at_every_place_of_the_table(latitude, parallel, meters):
    """By the haversine formula, between neighboring points of the grid at each latitude."""
    frame = pd.DataFrame({"latitude": latitude, "longitude": [10.712, 10.713]})
    table = kc.Table.from_frame(frame)
    table = table.with_schema(table.schema.with_round_ends({"longitude": f"{meters} m"}))
    cells = recode(table["longitude"], Partition(np.zeros(2, int))).cells
    assert cells.step.endswith(f"m at latitude {parallel}°, more toward the equator)")
    step = float(cells.step.split("°")[0])
    wide = [6_371_008.8 * 2 * asin(cos(radians(north)) * sin(radians(step) / 2)) for north in latitude]
    assert min(wide) >= meters, "every interval is at least so wide on the ground"
    finer = {1: 0.5, 2: 0.5, 5: 0.4}[int(f"{step:e}"[0])] * step
    assert 6_371_008.8 * radians(finer) * cos(radians(parallel)) < meters, "and no round step less would do"
    said = float(cells.step.split("(")[1].split(" m")[0].replace(",", ""))
    assert said == pytest.approx(6_371_008.8 * radians(step) * cos(radians(parallel)), abs=0.6)


def test_at_a_pole_all_longitudes_are_near():
    frame = pd.DataFrame({"latitude": [90.0, 80.0], "longitude": [10.0, 12.0]})
    table = kc.Table.from_frame(frame)
    table = table.with_schema(table.schema.with_round_ends({"longitude": "500 m"}))
    cells = recode(table["longitude"], Partition(np.zeros(2, int))).cells
    assert cells.texts(table["longitude"], np.zeros(1, int)) == ["[0, 180]"]


def test_a_part_of_a_table_has_the_steps_of_the_whole():
    frame = pd.DataFrame({"latitude": [59.5, 3.0, 4.0], "longitude": [10.0, 12.0, 13.0]})
    whole = kc.Table.from_frame(frame)
    domain = Domain.of(whole.columns)
    part = kc.Table.from_frame(frame[1:], whole.schema, domain=domain)
    assert part["longitude"].parallel == whole["longitude"].parallel == 60
    assert kc.Table.from_frame(frame[1:], whole.schema)["longitude"].parallel == 4


def test_missing_values_stay_as_they_are():
    assert texts([np.nan, np.nan, 7, np.nan, 7], "5", [0, 0, 1, 1, 2]) == [
        "(missing)",
        "[5, 10] or (missing)",
        "[5, 10]",
    ]


numbers = st.floats(-1e9, 1e9) | st.integers(-200, 200).map(float) | st.sampled_from([0.1, 0.2, 0.3, 1e-7])
steps = st.sampled_from(["0.001", "0.1", "0.25", "0.3", "1", "2.5", "7", "10", "1000000", "3e8"])


@pytest.mark.deep
@given(
    st.lists(numbers, min_size=1, max_size=12), st.lists(st.integers(0, 3), min_size=12, max_size=12), steps
)
@settings(deadline=None)
def test_intervals_contain_their_members_and_end_at_multiples(values, groups, step):
    cover = Partition(np.unique(groups[: len(values)], return_inverse=True)[1])
    column = column_of(values, step)
    plain, cells = recode(column_of(values, ""), cover).cells, recode(column, cover).cells
    own = column.values
    assert ((cells.low[cover.groups] <= own) & (own <= cells.high[cover.groups])).all()
    assert (
        (cells.low <= plain.low).all() and (plain.high <= cells.high).all() and (cells.low < cells.high).all()
    )
    for end in np.concatenate([cells.low, cells.high]).tolist():
        count = round(Decimal(end) / Decimal(step))
        assert float(count * Decimal(step)) == end  # the number nearest to an exact multiple
    size = float(step)
    widths = np.maximum(plain.high - plain.low, 0)
    assert (cells.high - cells.low <= (widths + 2 * size) * (1 + 1e-9)).all()
    again = with_round_ends(cells, column)
    np.testing.assert_array_equal([again.low, again.high], [cells.low, cells.high])


seconds = st.integers(-(10**11), 10**11).map(float) | st.integers(-(10**8), 10**8).map(lambda x: x + 0.25)


@pytest.mark.deep
@given(st.lists(seconds, min_size=1, max_size=8), st.sampled_from(["day", "month", "year"]))
@settings(deadline=None)
def test_dates_end_at_starts_of_days_months_and_years(values, step):
    dates = np.array([round(value * 1e6) for value in values], "datetime64[us]")
    column, cover = column_of(dates, step, "datetime"), Partition(np.zeros(len(dates), int))
    cells = recode(column, cover).cells
    assert cells.low[0] <= column.values.min() and column.values.max() <= cells.high[0]
    low, high = (np.datetime64(int(end[0]), "s") for end in (cells.low, cells.high))
    unit = {"day": "D", "month": "M", "year": "Y"}[step]
    assert low == dates.min().astype(f"datetime64[{unit}]")
    assert high == high.astype(f"datetime64[{unit}]") and high > low
    assert (high - np.timedelta64(1, "s")).astype(f"datetime64[{unit}]") <= dates.max()
    again = with_round_ends(cells, column)
    assert (again.low[0], again.high[0]) == (cells.low[0], cells.high[0])


@pytest.mark.deep
@given(st.lists(numbers, min_size=2, max_size=30), st.integers(2, 4))
@settings(deadline=None)
def test_automatic_steps_are_1_2_or_5_and_widen_every_cell(values, k):
    column = column_of(values, "auto")
    cover = Partition(np.minimum(np.argsort(np.argsort(values)) // k, len(values) // k - 1).clip(0))
    cells = recode(column, cover).cells
    assert cells.contain(column, np.arange(len(values)), cover.groups).all()
    low, high = column.range
    if not cells.step:  # a quarter of the range holds hardly two differences
        assert low == high or 5 * np.diff(np.unique(column.values)).max() > (high - low) / 10
        return
    assert (cells.low < cells.high).all() and float(cells.step) <= (high - low) / 4
    assert str(Decimal(cells.step).normalize().as_tuple().digits) in ("(1,)", "(2,)", "(5,)")


@looped(
    "values, groups, step",
    [
        ([0, 40, 100, 140], [0, 0, 1, 1], ""),  # values are 40 apart, a quarter of the range is 35
        ([0, 1], [0, 0], ""),
        ([0, 1] * 5, [0] * 5 + [1] * 5, ""),
        ([1, 2, 3, 4, 5], [0, 0, 1, 1, 1], ""),
        (list(range(1, 11)), [i // 2 for i in range(10)], "2"),  # five is more than a quarter of 9
        (list(range(100)), [i // 50 for i in range(100)], "10"),  # a quarter of 49 is 12.25
        (list(range(100)), [i // 5 for i in range(100)], "5"),  # at least five whole numbers
        ([7.0] * 4, [0, 0, 1, 1], ""),  # one value stays as it is
        ([0.5] * 4, [0, 0, 1, 1], ""),
        ([0] * 4, [0, 0, 1, 1], ""),
        ([3, 3, 4, 4, 6, 6], [0, 0, 1, 1, 2, 2], ""),
        ([3, 3, 4, 4, 6, 6, 90, 91], [0, 0, 1, 1, 2, 2, 3, 4], "10"),  # no width: 5 · 2 and up
    ],
)
def test_automatic_steps_by_hand(values, groups, step):
    cells = recode(column_of(values, "auto"), Partition(np.array(groups))).cells
    assert cells.step == step


@looped(
    "days, step",
    [(0, ""), (20, ""), (100, ""), (150, "month"), (2000, "year")],
)
def test_automatic_steps_of_dates(days, step):
    dates = np.datetime64("2020-01-05") + np.array([0, days]).astype("timedelta64[D]")
    column = column_of(dates.astype("datetime64[s]"), "auto", "datetime")
    assert recode(column, Partition(np.zeros(2, int))).cells.step == step


def test_points_in_time_may_be_rounded_to_days():
    dates = np.array(["2020-01-05T10:00:00", "2020-01-09T11:00:00"], "datetime64[s]")
    column = column_of(dates, "auto", "datetime")
    assert recode(column, Partition(np.zeros(2, int))).cells.step == "day"


def test_a_step_too_small_for_the_numbers_is_refused():
    table = kc.Table.from_frame(
        pd.DataFrame({"x": [1e20, 2e20, 3e20]}), kc.Schema((kc.Attribute("x", kind="numeric", round_to="1"),))
    )
    with pytest.raises(kc.SchemaError, match=r"“x” has numbers that are too large .* multiples of 1; choose"):
        kc.anonymize(table, kc.Sorting(), k=3)


def test_without_a_step_nothing_changes():
    column, cover = column_of([1.0, 2.0], ""), Partition(np.zeros(2, int))
    cells = recode(column, cover).cells
    assert isinstance(cells, Intervals) and cells.step == "" and cells.texts(column, [0]) == ["[1, 2]"]


def test_few_values_stay_as_they_are_and_no_step_is_recommended_for_them():
    frame = pd.DataFrame({"sex": [0, 1] * 20, "grade": [1, 2, 3, 4, 5] * 8, "age": range(20, 60)})
    table = kc.Table.from_frame(frame)
    table = table.with_schema(table.schema.with_quasi(frame.columns))
    exact = kc.anonymize(table, kc.Mondrian(), 3, seed=1)
    (finding,) = kc.judge(table, exact, [ExactEnds()])
    assert set(finding.columns) >= {"age"} and finding.remedy.columns == ("age",)
    rounded = table.with_schema(table.schema.with_round_ends(dict.fromkeys(frame.columns, "auto")))
    release = kc.anonymize(rounded, kc.Mondrian(), 3, seed=1)
    assert {name: release[name].cells.step for name in frame} == {"sex": "", "grade": "", "age": "5"}
    ends = {end for cell in release.to_frame()["grade"] for end in str(cell).strip("[]").split(", ")}
    assert ends <= set("12345")
    sex, _, age = kc.round_ends(release)
    assert sex.sentence.startswith("Round ends of “sex”: none. Every step would widen rounded")
    assert sex.before == sex.after and "step 5" in age.sentence

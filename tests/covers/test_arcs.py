"""Values that go round, published the short way: hours around midnight, islands around 180°."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.charts.maps.boxes import placed
from kanon_core.covers.cells import Arcs, Intervals
from kanon_core.distances.values.geo import rectangle_area_km2
from kanon_core.guarantees.truth import Truth
from kanon_core.report import release_bytes
from tests.helpers import release_of
from tests.oracles import circles


def hours(values: list[float], **about: object) -> kc.Table:
    attribute = kc.Attribute("hour", **{"kind": "cyclic", "period": 24.0, **about})  # type: ignore[arg-type]
    return kc.Table.from_frame(pd.DataFrame({"hour": values}), kc.Schema((attribute,)))


NIGHT = [22.0, 23, 0, 2, 1, 23]


def test_hours_around_midnight():
    table = hours(NIGHT)
    release = release_of(table, [0, 0, 0, 0, 1, 1])
    assert release.to_frame()["hour"].tolist() == ["[22, 2]"] * 4 + ["[23, 1]"] * 2
    assert kc.NCP().measure(table, release).total == pytest.approx((4 * 4 + 2 * 2) / 24 / 6)
    assert release.consistency().rows.tolist() == [4, 6, 6, 4, 6, 6]


@pytest.mark.parametrize(
    "recoding, shown", [("mean", [23.75, 0.0]), ("median", [23.5, 0.0]), ("mode", [22, 23])]
)
def test_aggregates_lie_on_the_arc(recoding, shown):
    """22, 23, 0 (24) and 2 (26) have the mean 23.75, 23 and 1 the mean 0, never noon. Of equally frequent
    values the mode is the first on the arc."""
    table = hours(NIGHT, recoding=recoding)
    release = release_of(table, [0, 0, 0, 0, 1, 1])
    assert release.to_frame()["hour"].tolist() == [shown[0]] * 4 + [shown[1]] * 2
    assert Truth().check(table, release).holds
    assert release.consistency().rows.tolist() == [4, 6, 6, 4, 6, 6]


def test_a_full_clock_has_arcs_over_the_cut():
    """All 24 hours: no gap is wider than another, so the circle is cut at 0 and [23, 0] goes over it."""
    table = hours([float(hour) for hour in range(24)])
    groups = [(hour + 1) % 24 // 2 for hour in range(24)]
    release = release_of(table, groups)
    assert table["hour"].circle.cut == 0 and release.to_frame()["hour"].tolist()[23] == "[23, 0]"
    assert kc.NCP().measure(table, release).total == pytest.approx(1 / 24)
    assert release.consistency().rows.tolist() == [2] * 24
    back = kc.read_release(release_bytes(release, "csv"), table)
    assert back.notes == () and back.consistency().rows.tolist() == [2] * 24


def test_cells_over_the_cut_list_their_values_once():
    """The cell [18, 6] holds 18, 0 and 6 of the hours 0, 6, 12 and 18, for both rows that publish it, and
    [23.5, 23] holds all of them; [23, 5] holds none of 6, 9, 15 and 21."""
    column = hours([0.0, 6, 12, 18])["hour"]
    ends = np.array([[18, 6], [18, 6], [12, 0], [23, 1], [23.5, 23]], float).T
    cells = Arcs(*ends, np.zeros(5, bool), column.circle)
    ranges = cells.ranges(column, np.arange(5))
    held = [
        ranges.members[at : at + size].tolist() for at, size in zip(ranges.first, ranges.size, strict=True)
    ]
    assert held == [[0, 1, 3], [0, 1, 3], [0, 2, 3], [0], [0, 1, 2, 3]] and len(ranges.members) == 11
    nowhere = Arcs(
        np.array([23.0]), np.array([5.0]), np.zeros(1, bool), hours([6.0, 9, 15, 21])["hour"].circle
    )
    none = nowhere.ranges(hours([6.0, 9, 15, 21])["hour"], np.arange(1))
    assert none.high[0] < none.low[0] and len(none.members) == 0


def test_mdav_and_concealment_see_the_short_way():
    table = hours([23.5, 0.5, 11.5, 12.5])
    for algorithm in (kc.MDAV(), kc.VMDAV(), kc.Pairing()):
        release = kc.anonymize(table, algorithm, k=2, seed=1)
        assert release.to_frame()["hour"].tolist() == ["[23.5, 0.5]"] * 2 + ["[11.5, 12.5]"] * 2


def test_times_of_day_weekdays_and_directions_are_written_as_they_are_read():
    frame = pd.DataFrame(
        {
            "at": ["23:50", "0:10", "12:00", "12:30"],
            "day": ["Sun", "Mon", "Wed", "Thu"],
            "wind": [350.0, 10, 90, 100],
            "month": [12, 1, 6, 7],
        }
    )
    table = kc.Table.from_frame(frame, kc.Schema(tuple(kc.Attribute(n, kind="cyclic") for n in frame)))
    release = release_of(table, [0, 0, 1, 1])
    assert release.to_frame().iloc[::2].to_numpy().tolist() == [
        ["[23:50, 00:10]", "[Sun, Mon]", "[350, 10]", "[12, 1]"],
        ["[12:00, 12:30]", "[Wed, Thu]", "[90, 100]", "[6, 7]"],
    ]
    for format in ("csv", "xlsx", "parquet"):
        back = kc.read_release(release_bytes(release, format), table)
        assert back.notes == () and back.consistency().rows.tolist() == [2] * 4


ISLANDS = pd.DataFrame({"lat": [-17.0, -17.0, -18.0, -18.0], "lon": [179.9, -179.9, 178.0, -178.0]})


def test_islands_around_180_degrees():
    """179.9° and −179.9° at 17° south are 21 km apart, not 38,000; their rectangle is 0.2° wide."""
    table = kc.Table.from_frame(ISLANDS)
    release = release_of(table, [0, 0, 1, 1])
    assert release.to_frame()["lon"].tolist() == ["[179.9, -179.9]"] * 2 + ["[178, -178]"] * 2
    assert kc.NCP().measure(table, release).attributes["lon"] == pytest.approx((0.2 + 4) / 2 / 4)
    wide = release_of(kc.Table.from_frame(ISLANDS.assign(lat=[-17.0, -18.0, -17.0, -18.0])), [0, 0, 1, 1])
    area = kc.MapArea().measure(wide.table, wide).records
    assert area == pytest.approx(rectangle_area_km2(-18, 0, -17, np.array([0.2, 0.2, 4, 4])))
    back = kc.read_release(release_bytes(release, "csv"), table)
    assert back.notes == () and back.consistency().rows.tolist() == [2] * 4


def test_the_map_shows_islands_beside_each_other():
    """Rectangles over 180° end beyond it."""
    rectangles, own = placed(release_of(kc.Table.from_frame(ISLANDS), [0, 0, 1, 1]), "lat", "lon")
    assert rectangles.west[own].tolist() == [179.9, 179.9, 178, 178]
    assert rectangles.east[own] == pytest.approx([180.1, 180.1, 182, 182])


def test_a_mean_of_islands_is_among_them():
    table = kc.Table.from_frame(ISLANDS)
    table = table.with_schema(table.schema.with_recodings({"lon": "mean"}))
    assert release_of(table, [0, 0, 1, 1]).to_frame()["lon"].tolist() == [-180.0] * 4


def test_round_ends_go_on_over_180_degrees():
    table = kc.Table.from_frame(ISLANDS)
    table = table.with_schema(table.schema.with_round_ends({"lon": "5"}))
    release = release_of(table, [0, 0, 1, 1])
    assert release.to_frame()["lon"].tolist() == ["[175, -175]"] * 4
    assert release.consistency().rows.tolist() == [2] * 4  # by their latitudes


def test_a_table_on_one_side_stays_on_its_line():
    table = kc.Table.from_frame(pd.DataFrame({"lat": [1.0, 2.0], "lon": [-179.0, -100.0]}))
    assert table["lon"].values.tolist() == [-179.0, -100.0]
    assert isinstance(release_of(table, [0, 0])["lon"].cells, Intervals)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.tuples(st.integers(0, 47), st.integers(0, 2)), min_size=1, max_size=9),
    st.sampled_from([24.0, 24.5]),
)
def test_arcs_are_the_shortest_and_hold_what_they_say(rows, period):
    values, groups = [half / 2 for half, _ in rows], np.array([group for _, group in rows])
    table = hours(values, period=period)
    release = release_of(table, np.unique(groups, return_inverse=True)[1])
    published, column = release["hour"], table["hour"]
    line = published.cells.as_intervals()
    width = (line.high - line.low)[published.cell]
    for record, group in enumerate(groups):
        members = [v for v, other in zip(values, groups, strict=True) if other == group]
        assert width[record] == pytest.approx(circles.arcs(members, period)[0][0])
    every = np.arange(len(values))
    pairs = np.repeat(every, len(values)), np.tile(published.cell, len(values))
    held = published.cells.contain(column, *pairs).reshape(len(values), -1)
    low = column.circle.written(line.low[published.cell])
    for record, value in enumerate(values):
        inside = [(value - start) % period <= wide + 1e-9 for start, wide in zip(low, width, strict=True)]
        assert held[record].tolist() == inside
    assert release.consistency().rows.tolist() == held.sum(axis=1).tolist()


def test_the_whole_globe_is_written_from_one_end_to_the_other_and_read_back():
    """Cut at −60°, a step of 500 degrees takes each group once round: “-60” would be true of one record."""
    frame = pd.DataFrame({"lon": [-175.0, -60.0, 0.0, 20.0, 120.0, 175.0, 178.0, -178.0]})
    attribute = kc.Attribute("lon", kind="longitude", round_to="500")
    table = kc.Table.from_frame(frame, kc.Schema((attribute,)))
    assert table["lon"].circle.cut == -60.0
    release = release_of(table, [0, 0, 0, 0, 1, 1, 1, 1])
    assert set(release.to_frame()["lon"]) == {"[-180, 180]"}
    back = kc.read_release(release_bytes(release, "csv"), table)
    assert back.notes == () and back.consistency().rows.tolist() == [8] * 8


def test_a_whole_circle_that_is_not_cut_elsewhere_is_read_as_a_whole():
    frame = pd.DataFrame({"hour": [float(hour) for hour in range(24)]})
    table = kc.Table.from_frame(frame, kc.Schema((kc.Attribute("hour", kind="cyclic", period=24.0),)))
    back = kc.read_release(b"hour\n" + b'"[0, 24]"\n' * 24, table)
    assert back.consistency().rows.tolist() == [24] * 24

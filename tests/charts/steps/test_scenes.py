"""Pictures of steps: every record is there, names are escaped, what the step looks at stands where it is."""

import re

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import OptionError
from kanon_core.charts.steps.online import OnLine, Run
from kanon_core.charts.steps.onplane import Mark, OnPlane

BAD = '<script>"x"</script>'


def table_of(**columns) -> kc.Table:
    frame = pd.DataFrame(columns)
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(list(frame.columns)))


LINE = table_of(x=[0.0, 0, 50, 100, 100, 100])
GROUPS = np.array([0, 0, -1, 1, 1, 1])


def test_a_line_shows_every_record_every_group_and_every_mark():
    scene = OnLine(
        LINE,
        "x",
        GROUPS,
        marks=[Mark(BAD, np.array([2]))],
        means=[Mark("mean of these", np.array([0, 2]))],
        boundary=(1, 2),
        runs=[Run(BAD, np.array([2, 3]), True), Run("another", np.array([3, 4, 5]), False)],
    )
    drawn = scene.drawn("light", BAD)
    assert drawn.count("<circle") == 6 + 2  # the records, and a ring with its sign in the legend
    assert "<script" not in drawn and "mean of these" in drawn and "another" in drawn
    assert re.findall(r"<text[^>]*>(1|2)</text>", drawn) == ["1", "2"]
    assert drawn.count("stroke-dasharray") == 1
    without = OnLine(LINE, "x", np.full(6, -1)).drawn("dark", "nothing")
    assert without.count("<circle") == 6 and "<path" not in without


def test_equal_numbers_stand_on_one_another():
    circles = re.findall(
        r'<circle cx="([\d.]+)%" cy="([\d.]+)%"', OnLine(LINE, "x", GROUPS).drawn("light", "")
    )
    assert len(set(circles)) == 6 and len({x for x, _ in circles}) == 3


def test_dates_and_constants_are_drawn():
    for table in (
        table_of(day=pd.to_datetime(["2020-01-01", "2020-02-01", "2020-01-15"])),
        table_of(x=[7, 7, 7]),
    ):
        name = table.quasi[0].attribute.name
        drawn = OnLine(table, name, np.zeros(3, np.int64)).drawn("light", "three")
        assert drawn.count("<circle") == 3 and "nan" not in drawn.lower()


def test_a_cut_stays_within_the_records_it_is_about():
    """Of the records at x 0 and 1 the line at 0.5 goes from y 0 to 1, not up to 9, and the others are"
    " faint."""
    table = table_of(x=[0, 1, 0, 9], y=[0, 0, 1, 9])
    focus = np.array([0, 1, 2])
    drawn = OnPlane(table, np.array([0, 1, 0, 2]), split=("x", 0.5), focus=focus).drawn("light", "a cut")
    line = re.search(
        r'<line x1="([\d.]+)%" x2="([\d.]+)%" y1="([\d.]+)%" y2="([\d.]+)%"[^>]*dasharray', drawn
    )
    x1, x2, low, high = map(float, line.groups())
    assert x1 == x2 and 80 < low <= 100 and 80 < high <= 100 and low != high
    assert drawn.count("rgba(") > OnPlane(table, np.array([0, 1, 0, 2])).drawn("light", "").count("rgba(")


def test_themes_are_light_and_dark():
    for scene in (OnLine(LINE, "x", GROUPS), OnPlane(LINE, GROUPS)):
        with pytest.raises(OptionError):
            scene.drawn("blue", "")

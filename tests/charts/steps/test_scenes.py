"""Pictures of steps: what they show and strike out, names that do not overlap, escaping, both themes."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import OptionError
from kanon_core.charts.steps.bipartite import LOST, NEW, OFFERED, Bipartite, Edges
from kanon_core.charts.steps.online import OnLine, Run
from kanon_core.charts.steps.onplane import Mark, OnPlane, Tour
from kanon_core.charts.steps.tables import OPEN, OUT, HistoryTable, ItemTable, Kept, Person
from tests.charts.concealed import EVIL, four, mixed, numbers, shifted
from tests.charts.itemtables import item_table

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
    """The line at x 0.5 cuts the records at x 0 and 1: it goes from y 0 to 1, not up to 9, and the other
    records are faint."""
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


def graph(table: kc.Table, marked: list[int], k: int = 2) -> Bipartite:
    n = len(table)
    there = np.arange(n)
    edges = [
        Edges("one <b>", np.column_stack([there, there[::-1]]), NEW),
        Edges("two", np.column_stack([there, there]), LOST),
        Edges("", np.column_stack([there, np.roll(there, 1)]), OFFERED, True),
    ]
    return Bipartite(table, there, there, shifted(n, k), edges, np.array(marked, np.int64))


def test_four_people_stand_with_their_values_and_rows_with_what_they_publish():
    drawn = graph(four(), [0]).drawn("light", "x")
    assert all(f">{name}<" in drawn for name in ("1: 10, F", "2: 20, M", "3: 40, M", "4: 50, F"))
    # With the edges of a shift by one, row 1 is true of records 1 and 4, row 2 of records 2 and 1.
    assert ">1: [10, 50], F<" in drawn and ">2: [10, 20], {F, M}<" in drawn
    assert "one &lt;b&gt;" in drawn and drawn.count("<circle") == 4


def test_of_many_records_those_marked_are_named_where_there_is_room():
    table = numbers(x=np.arange(100.0), y=np.arange(100.0) % 3)
    one = re.findall(r"<text[^>]*>(\d+)</text>", graph(table, [6, 41]).drawn("dark", "x"))
    assert sorted(one) == ["42", "7"]
    named = re.findall(
        r'<text[^>]*y="([\d.]+)%"[^>]*>\d+</text>', graph(table, list(range(100))).drawn("dark", "x")
    )
    heights = sorted(map(float, named))
    assert 10 < len(heights) < 30 and min(np.diff(heights)) >= 100 * 15 / 350 - 0.1


def test_similar_records_stand_side_by_side():
    rng = np.random.default_rng(0)
    heights = graph(numbers(x=rng.permutation(60).astype(float)), []).heights
    order = np.argsort(heights)
    x = numbers(x=np.random.default_rng(0).permutation(60).astype(float)).frame["x"].to_numpy()[order]
    assert (np.abs(np.diff(x)) == 1).all()


def test_a_tour_shows_edges_in_use_apart():
    table, way = four(), np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
    drawn = Tour(table, np.arange(4), way, np.array([True, False, False, False])).drawn("light", "x")
    assert "edges in use" in drawn and "stroke-dasharray" in drawn
    assert "edges in use" not in Tour(table, np.arange(4), way, np.zeros(4, bool)).drawn("light", "x")
    assert sorted(re.findall(r"<text[^>]*>([1-4])</text>", drawn))[:1] == ["1"]


def test_items_left_out_are_struck_out_and_groups_of_others_are_one_row():
    small = item_table([["a", "b"], ["a"], ["c"]], age=[1, 2, 3])
    drawn = ItemTable(small, np.arange(3), np.array([0, 0, -1])).drawn("light", "x")
    rows = [re.sub("<[^>]+>", " ", row).split() for row in re.split("<tr[^>]*>", drawn)[2:]]
    assert rows == [
        ["1", "a", "b", "1", "[1,", "2]"],
        ["2", "a", "2", "[1,", "2]"],
        ["3", "c", "3"],
    ]
    assert re.findall(r"<s[^>]*>(.)</s>", drawn) == ["b", "c", "3"]
    many = item_table([["a", "b"] if i % 2 else ["a"] for i in range(60)])
    groups = np.arange(60) % 2
    rows = ItemTable(many, np.arange(60), groups, (1,)).drawn("dark", "x").split("<tr")[2:]
    assert len(rows) == 31 and "30 records" in rows[-1] and "{a}" in rows[-1]


def test_histories_mark_what_is_paired_and_strike_out_what_is_not():
    table = HistoryTable([Person(f"<i>{EVIL}", [Kept(7, 2, True), Kept(8, OPEN), Kept(9, OUT)])])
    drawn = table.drawn("light", EVIL)
    assert "outline" in drawn and re.findall(r"<s[^>]*>(\d)</s>", drawn) == ["9"]
    assert "<i>" not in drawn and "<img" not in drawn
    wide = HistoryTable([Person("person 1", [Kept(i, OPEN) for i in range(75)])]).drawn("dark", "x")
    assert ">+15<" in wide


def test_every_scene_escapes_and_refuses_another_theme():
    table = mixed(6, 1)
    frame = table.frame.assign(city=[EVIL] * 3 + ["B"] * 3)
    table = kc.Table.from_frame(frame, table.schema)
    links = np.column_stack([np.arange(6), np.roll(np.arange(6), -1)])
    scenes = [
        graph(table, [0]),
        Tour(table, np.arange(6), links, np.zeros(6, bool)),
        ItemTable(table, np.arange(6), np.array([0, 0, 0, 1, 1, 1]), (1,)),
        HistoryTable([]),
    ]
    for scene in scenes:
        for theme in ("light", "dark"):
            drawn = scene.drawn(theme, f'"{EVIL}')
            assert drawn.startswith("<div") and "<img" not in drawn
        with pytest.raises(OptionError):
            scene.drawn("pink", "x")

"""Pictures of a table without places: what each column lost, groups that figures count alike, before and
after of many columns."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import charts, components, control, opened, words

EIGHT = [f"column {i}" for i in range(1, 9)]


def session_of(n: int = 60, columns: tuple[str, ...] = ("age", "city"), k: int = 3) -> Session:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: rng.integers(0, 9 + 11 * (i % 2), n) for i, name in enumerate(columns)})
    schema = kc.Schema.infer(frame).with_quasi(columns).with_kinds(dict.fromkeys(columns, "numeric"))
    table = kc.Table.from_frame(frame, schema)
    return Session(table, "people", "upload:1", Setting(kc.MDAV(), k))


def picture(test) -> str:
    """The drawing under the pictures' menu on Tune."""
    sent = [json.loads(one.json) for one in components(test) if one.component_name.endswith("drawing")]
    return next(one["drawing"] for one in sent if one.get("grows"))


def test_the_first_picture_of_a_table_without_places_is_what_each_column_lost():
    session = session_of()
    test = opened("tune", session)
    (menu,) = (group for group in test.button_group if group.key == "picture")
    assert menu.value == "columns" and menu.options[:2] == ["Columns", "Clusters"]
    lost = session.measured(session.setting, session.shown[1], kc.NCP).attributes
    worst = max(lost, key=lost.__getitem__)
    assert f"Certainty penalty is largest in “{worst}” ({100 * lost[worst]:.2f} %)" in words(test)
    assert f"<b>{worst}</b> loses most" in words(test)  # the sentence below, by the same measure
    drawn = picture(test)
    assert all(f"{100 * share:.2f} %" in drawn for share in lost.values())


def test_a_table_with_places_begins_with_the_map():
    test = opened("tune", Session(kc.read_table("sample:people-100"), "", "", Setting(kc.MDAV(), 5)))
    (menu,) = (group for group in test.button_group if group.key == "picture")
    assert menu.value == "map" and "Columns" in menu.options


def test_all_parts_of_tune_and_clusters_count_the_same_groups():
    """Groups that publish equal cells are one: here some do, as columns have few values."""
    session = session_of(400, k=2)
    test = opened("tune", session, picture="clusters")
    release = session.shown[1]
    groups = len(release.hiding_sizes)
    assert groups < len(release.cover.sizes)
    assert f'<span class="value">{groups:,}</span>' in words(test)
    assert f"400 records in {groups} groups of " in words(test)
    clusters = opened("clusters", session)
    assert f"400 records in {groups} groups of " in charts(clusters)[0]
    assert f"Group (1 to {groups:,})" in control(clusters.number_input, "group number").label


def test_a_group_is_found_by_a_record():
    session = session_of()
    test = opened("clusters", session)
    control(test.number_input, "record of the group").set_value(17).run()
    release = session.shown[1]
    assert session.group == release.classes[16] and not test.exception
    assert control(test.number_input, "group number").value == session.group + 1
    assert control(test.number_input, "record of the group").value == 17
    rows = re.findall(r'data-record="(\d+)"', words(test))
    assert rows == [str(row + 1) for row in np.flatnonzero(release.classes == release.classes[16])]
    control(test.number_input, "group number").set_value((session.group + 1) % 5 + 1).run()
    first = int(np.flatnonzero(release.classes == session.group)[0])
    assert control(test.number_input, "record of the group").value == first + 1


def test_clusters_show_what_each_column_lost():
    session = session_of(columns=("<b>age", "height"))
    test = opened("clusters", session)
    assert "Loss by column" in words(test) and "0 % = exact values." in words(test)
    lost = session.measured(session.setting, session.shown[1], kc.NCP).attributes
    sent = [json.loads(one.json) for one in components(test) if one.component_name.endswith("drawing")]
    (bars,) = (one["drawing"] for one in sent if "&lt;b&gt;age" in one["drawing"])
    assert all(f"{100 * share:.2f} %" in bars for share in lost.values())


def test_what_is_published_stands_below_what_was_in_every_one_of_eight_columns():
    session = session_of(columns=tuple(EIGHT))
    said = words(opened("tune", session))
    table = said.split('<div class="beforeafter pairs"')[1].split("</table>")[0]
    assert re.findall(r'scope="col" title="(column \d)"', table) == EIGHT
    row = table.split("<tr>")[2]
    release, frame = session.shown[1], session.table.frame
    for name in EIGHT:
        was, now = str(frame[name].iloc[0]), release.texts(np.array([0]))[name][0]
        mark = "" if was == now else " changed"
        assert f'<span class="was">{was}</span><span class="now{mark}">{now}</span>' in row

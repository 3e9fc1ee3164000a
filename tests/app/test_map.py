"""The Map page without a browser: what it sends when k moves."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.charts.maps.boxes import drawing_order, placed
from kanon_core.charts.maps.own import OwnLayer
from pages.shell.memory import MOST_OWN_LAYERS, Memory
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.mapview import map_file
from tests.app.screens import components, opened, words

LINE = b'{"type": "LineString", "coordinates": [[139.0, 35.0], [139.1, 35.1]]}'


def session_of(n: int = 60, k: int = 4) -> Session:
    rng = np.random.default_rng(4)
    places = {"latitude": rng.normal(35, 0.1, n), "longitude": rng.normal(139, 0.1, n)}
    table = kc.Table.from_frame(pd.DataFrame(places))
    return Session(table, "places", "upload:1", Setting(kc.Sorting(), k))


def sent(test) -> dict[str, str]:
    """The data of the page's components, by the names of their parts."""
    return {one.component_name.split(".")[-1]: one.json for one in components(test)}


def test_a_move_of_the_slider_changes_the_layer_alone():
    session = session_of()
    test = opened("map", session)
    before = sent(test)
    session.ask(k=8)
    after = sent(test.run())
    assert set(before) == {"map", "map-layer"} and before["map"] == after["map"]
    assert [json.loads(one["map-layer"])["layer"]["count"] for one in (before, after)] == [15, 7]
    session.undo()
    assert sent(test.run()) == before


@pytest.mark.deep
def test_the_tile_on_tune_is_the_same_map():
    session = session_of()
    page, tile = (sent(opened(name, session)) for name in ("map", "tune"))
    of = [json.loads(one["map-layer"])["layer"] for one in (page, tile)]
    assert of[0] == of[1]
    scripts = [json.loads(one["map"])["parts"]["js"] for one in (page, tile)]
    assert set(scripts[1]) < set(scripts[0])


def test_nothing_that_is_sent_has_the_seed():
    session = session_of()
    session.ask_seed(271_828_182_845)
    told = "".join(sent(opened("map", session)).values())
    assert len(told) > 1_000 and "271828182845" not in told


def test_a_table_without_places_says_what_to_do_and_offers_a_sample():
    table = kc.Table.from_frame(pd.DataFrame({"latitude": [35.0, 36, 37, 38], "age": [1, 2, 3, 4]}))
    test = opened("map", Session(table, "ages", "upload:1", Setting(kc.Sorting(), 2)))
    assert not test.exception and "of kind longitude" in test.info[0].value
    test.button(key="load people").click().run()
    assert not test.exception and {"map", "map-layer"} == set(sent(test))


def test_a_clicked_rectangle_lists_its_records_before_and_after():
    session = session_of()
    test = opened("map", session)
    assert "Click a rectangle to list its records" in words(test)
    key = f"picked rectangle {session.table.digest} {session.setting.key}"
    test = opened("map", session, **{key: 3})
    release = session.kept(session.setting)
    boxes, own = placed(release, "latitude", "longitude")
    rows = np.flatnonzero(own == drawing_order(boxes)[3])
    listed = words(test).split("Records of the chosen rectangle")[1]
    assert f"Records published with it: {len(rows)}" in listed
    assert all(f'<th scope="row">{row + 1}</th>' in listed or f">{row + 1}<" in listed for row in rows)


def test_the_saved_map_has_no_original_record():
    session = session_of()
    opened("map", session)
    page = map_file(session, session.kept(session.setting), "area").decode()
    assert "L.kanonRectangles(" in page and "L.kanonRecords" not in page


def test_a_layer_of_ones_own_stays_with_the_session_on_all_pages():
    session = session_of()
    session.own_layer = OwnLayer.read(LINE, "mine.geojson")
    for page in ("map", "tune"):
        assert "[139.1, 35.1]" in json.loads(sent(opened(page, session))["map"])["parts"]["script"]
    assert "mine.geojson, features: 1" in words(opened("map", session))


def test_of_pages_that_are_gone_few_own_layers_are_kept():
    memory = Memory(lambda tab: False)
    sessions = [session_of() for _ in range(MOST_OWN_LAYERS + 2)]
    for number, session in enumerate(sessions):
        session.own_layer = OwnLayer.read(LINE, "mine")
        memory.keep(f"browser {number}", f"tab {number}", session)
    memory.tidy()
    assert [one.own_layer is not None for one in sessions] == [False] * 2 + [True] * MOST_OWN_LAYERS


def test_a_layer_of_elsewhere_is_told():
    session = session_of()
    session.own_layer = OwnLayer.read(LINE, "mine")
    assert not opened("map", session).warning
    session.own_layer = OwnLayer.read(LINE.replace(b"35", b"5"), "mine")
    (told,) = opened("map", session).warning
    assert "does not overlap the places" in told.value

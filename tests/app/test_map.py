"""The Map page without a browser: what it sends when k moves."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.charts.maps.backgrounds.reading import read_background
from kanon_core.charts.maps.backgrounds.tiles import Tiles
from pages.state.memory import MOST_BACKGROUNDS, Memory
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import components, opened
from tests.charts.tilefiles import around, mbtiles, picture


def session_of(n: int = 60, k: int = 4) -> Session:
    rng = np.random.default_rng(4)
    places = {"latitude": rng.normal(35, 0.1, n), "longitude": rng.normal(139, 0.1, n)}
    table = kc.Table.from_frame(pd.DataFrame(places))
    return Session(table, "places", "upload:1", Setting(kc.Sorting(), k))


def sent(test) -> dict[str, str]:
    """The data of the page's components, by the names of their parts."""
    found = components(test)
    return {one.component_name.split(".")[-1]: one.json for one in found}


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


def test_the_map_stays_where_it_is_when_only_its_look_changes():
    test = opened("map", session_of())
    first = json.loads(sent(test)["map"])
    test.toggle(key="tiles").set_value(True).run()
    second = json.loads(sent(test)["map"])
    assert first["table"] == second["table"] and first["id"] != second["id"]
    assert first["look"]["online"] is None and "openstreetmap.org" in second["look"]["online"]["address"]


def with_tiles() -> tuple[Session, Tiles]:
    content = mbtiles(around(35.0, 139.0, range(6, 9)), {"attribution": "© Me"})
    session, mine = session_of(), read_background(content)
    session.background, session.background_name = mine, "mine.mbtiles"
    return session, mine


def test_tiles_are_sent_when_they_are_asked_for_and_no_others():
    session, mine = with_tiles()
    test = opened("map", session)
    tiles = [json.loads(one.json) for one in components(test)][-1]
    assert tiles["of"] == mine.digest and tiles["found"] == {}
    base = json.loads(sent(test)["map"])
    assert base["look"]["tiles"]["credit"] == "© Me" and base["look"]["names"] is None
    assert "found" not in base["look"]["tiles"]
    asked = {"wanted": ["6/0/0", "7/113/50", "<img>"]}
    test = opened("map", session, **{f"map-tiles-{mine.digest}": asked})
    tiles = [json.loads(one.json) for one in components(test)][-1]
    assert tiles["found"] == mine.given(asked["wanted"]) and len(tiles["found"]) == 2
    assert tiles["found"]["7/113/50"]


def test_a_background_stays_with_the_session_on_all_pages():
    session, _ = with_tiles()
    drawn = json.loads(components(opened("tune", session))[0].json)
    assert drawn["credits"].endswith("© Me") and drawn["ground"].startswith("data:image/jpeg")
    compared = components(opened("map", session, map_view="compare"))[0]
    panels = json.loads(compared.json)
    assert panels["words"]["credits"].endswith("© Me") and panels["ground"].startswith("data:image/jpeg")


def test_of_pages_that_are_gone_few_backgrounds_are_kept():
    memory = Memory(lambda tab: False)
    sessions = [with_tiles()[0] for _ in range(MOST_BACKGROUNDS + 2)]
    for number, session in enumerate(sessions):
        memory.keep(f"browser {number}", f"tab {number}", session)
    memory.tidy()
    assert [one.background is not None for one in sessions] == [False] * 2 + [True] * MOST_BACKGROUNDS


def test_a_background_of_elsewhere_is_told():
    session, _ = with_tiles()
    assert not opened("map", session).warning
    session.background = read_background(mbtiles({(0, 0, 0): picture()}, {"bounds": "0,0,9,9"}))
    (told,) = opened("map", session).warning
    assert "other parts of the earth" in told.value
    line = b'{"type": "LineString", "coordinates": [[139.0, 35.0], [139.1, 35.1]]}'
    session.background = read_background(line)
    assert not opened("map", session).warning

"""Methods side by side on the map, and the picked record of Clusters, without a browser."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.papers.concealment_maps import figures
from pages.map.compare import first_compared
from pages.map.times import FEW_SECONDS, about, guessed
from pages.state.comparisons import methods
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import components, opened, words


def session_of(algorithm: kc.Algorithm, n: int = 40, k: int = 4, **columns) -> Session:
    rng = np.random.default_rng(4)
    places = {"latitude": rng.normal(35, 0.1, n), "longitude": rng.normal(139, 0.1, n), **columns}
    return Session(kc.Table.from_frame(pd.DataFrame(places)), "places", "upload:1", Setting(algorithm, k))


def drawn(test) -> list[dict]:
    """The rectangles of each map, in their order."""
    sent = (json.loads(one.json) for one in components(test) if one.component_name.endswith("map-layer"))
    return [one["layer"] for one in sent]


def test_the_current_method_stands_beside_the_optimum():
    session = session_of(kc.MDAV())
    test = opened("map", session, map_view="compare")
    assert not test.exception
    assert len(session.releases) == 2
    assert "has the smallest mean area" in words(test)
    assert test.multiselect[0].value == ["Optimal concealment"]
    first, second = drawn(test)
    assert first["legend"] == second["legend"] and first["count"] == 10 and second["count"] == 40


def test_another_k_stands_beside_this_one():
    session = session_of(kc.MDAV(), k=2)
    test = opened("map", session, map_view="compare")
    test.multiselect[0].set_value([]).run()
    test.number_input(key="beside k").set_value(20).run()
    assert [one["k"] for one in drawn(test)] == [2, 20]
    assert "MDAV, k = 20 has" in words(test)


def test_the_figures_of_the_paper_are_one_click():
    session = session_of(kc.MDAV())
    test = opened("map", session, map_view="compare")
    test.button(key="paper-figures").click().run()
    assert not test.exception
    maps = drawn(test)
    assert len(maps) == 7 and not maps[0]["count"] and all(one["count"] for one in maps[1:])
    assert {one["k"] for one in maps} == {2} and "Original records: 100" in words(test)
    for page in list(figures(seed=session.setting.seed).values())[1:]:
        title, cost = page.get_root().title.split(", k = 2: ")
        assert title in words(test) and f"{cost} · mean area" in words(test)


def test_methods_that_do_not_suit_are_not_offered_and_others_can_be_added():
    session = session_of(kc.OptimalConcealment())
    test = opened("map", session, map_view="compare")
    assert "MIL" not in " ".join(test.multiselect[0].options)
    test.multiselect[0].set_value(["MDAV"]).run()
    assert "Optimal concealment has the smallest mean area" in words(test) and "; MDAV has " in words(test)


def test_a_large_table_is_first_compared_with_what_takes_seconds():
    session = session_of(kc.MDAV(), n=30_000)
    offered = methods(session)
    names = first_compared(session, offered)
    assert names == ["Mondrian"]
    assert all(guessed(offered[name], 30_000) <= FEW_SECONDS for name in names)
    assert "Optimal concealment" in offered and guessed(kc.OptimalConcealment(), 30_000) > 10
    session.keep(Setting(kc.Pairing(), 4), kc.anonymize(session_of(kc.MDAV()).table, kc.Pairing(), 4))
    assert first_compared(session, offered) == ["Pairing"]


def test_slow_methods_are_offered_with_the_time_they_take():
    session = session_of(kc.MDAV(), n=2_000)
    session.setting = Setting(kc.Mondrian(), 4)
    test = opened("map", session, map_view="compare")
    (lottery,) = (option for option in test.multiselect[0].options if option.startswith("Lottery"))
    assert lottery == f"Lottery · {about(guessed(kc.Lottery(), 2_000))}"
    assert "MDAV" in test.multiselect[0].options


def test_stopped_methods_wait_until_they_are_asked_for():
    session = session_of(kc.MDAV())
    test = opened("map", session, map_view="compare", **{"comparison-stopped": session.setting.key})
    assert len(session.releases) == 1
    assert "1 of 2 methods are not computed" in words(test)
    test.button(key="comparison/rest").click().run()
    assert len(session.releases) == 2 and "not computed" not in words(test)


def test_a_method_that_cannot_be_computed_says_why_and_the_others_stay(monkeypatch):
    def fails(self, table, k, run):
        raise kc.UnsuitableError("No pairs today.")

    monkeypatch.setattr(kc.Pairing, "cover", fails)
    session = session_of(kc.MDAV(), k=3)
    test = opened("map", session, map_view="compare")
    test.multiselect[0].set_value(["Optimal concealment", "Pairing"]).run()
    assert "has the smallest mean area" in words(test) and not test.warning
    assert "No pairs today." in words(test) and len(drawn(test)) == 2
    session.ask(algorithm=kc.Pairing(exact=True))
    assert "Exact pairing needs" in test.run().warning[0].value and not test.exception


def test_a_record_is_picked_by_its_number_and_keeps_picked_when_k_moves():
    session = session_of(kc.OptimalConcealment())
    test = opened("clusters", session)
    assert "1, published" in words(test)
    test.number_input(key="record number").set_value(7).run()
    assert "7, published" in words(test)
    assert "The published row of record 7 covers 4 records" in words(test)
    session.ask(k=5)
    test.run()
    assert "The published row of record 7 covers 5 records" in words(test)


def test_cells_of_the_picked_record_are_text():
    evil = ["<img src=x onerror=alert(1)>", "**b**"] * 20
    session = session_of(kc.OptimalConcealment(), city=evil)
    test = opened("clusters", session)
    assert not test.exception
    assert "<img" not in words(test)
    assert "&lt;img" in words(test)

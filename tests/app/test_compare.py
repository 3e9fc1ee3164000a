"""Methods side by side on the map, and the picked record of Clusters, without a browser."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd

import kanon_core as kc
from pages.state.session import Session, Setting
from tests.app.screens import opened, words


def session_of(algorithm: kc.Algorithm, n: int = 40, k: int = 4, **columns) -> Session:
    rng = np.random.default_rng(4)
    places = {"latitude": rng.normal(35, 0.1, n), "longitude": rng.normal(139, 0.1, n), **columns}
    return Session(kc.Table.from_frame(pd.DataFrame(places)), "places", "upload:1", Setting(algorithm, k))


def test_the_current_method_stands_beside_the_optimum_and_pairing():
    session = session_of(kc.MDAV())
    test = opened("map", session, map_view="compare")
    assert not test.exception
    assert len(session.releases) == 3
    assert "has the smallest mean area" in words(test)
    assert test.multiselect[0].value == ["Optimal concealment", "Pairing"]


def test_methods_that_do_not_suit_are_not_offered_and_others_can_be_added():
    session = session_of(kc.OptimalConcealment())
    test = opened("map", session, map_view="compare")
    assert "MIL" not in " ".join(test.multiselect[0].options)
    test.multiselect[0].set_value(["MDAV"]).run()
    assert "Optimal concealment has the smallest mean area" in words(test) and "; MDAV has " in words(test)


def test_a_method_that_cannot_be_computed_says_why_and_the_others_stay(monkeypatch):
    def fails(self, table, k, run):
        raise kc.UnsuitableError("No pairs today.")

    monkeypatch.setattr(kc.Pairing, "cover", fails)
    session = session_of(kc.MDAV(), k=3)
    test = opened("map", session, map_view="compare")
    assert "has the smallest mean area" in words(test) and not test.warning
    drawn = json.loads(test.get("bidi_component")[0].proto.json)["panels"]
    assert [panel["title"] for panel in drawn] == ["MDAV", "Optimal concealment", "Pairing"]
    assert [panel.get("problem") for panel in drawn] == [None, None, "No pairs today."]
    assert drawn[0]["source"] and drawn[1]["source"] and "source" not in drawn[2]
    session.ask(algorithm=kc.Pairing(exact=True))
    assert "exact pairing forms pairs" in test.run().warning[0].value and not test.exception


def test_a_record_is_picked_by_its_number_and_keeps_picked_when_k_moves():
    session = session_of(kc.OptimalConcealment())
    test = opened("clusters", session)
    assert "1, published" in words(test)
    test.number_input(key="record number").set_value(7).run()
    assert "7, published" in words(test)
    assert "The published row of record 7 stands for 4 records" in words(test)
    session.ask(k=5)
    test.run()
    assert "The published row of record 7 stands for 5 records" in words(test)


def test_cells_of_the_picked_record_are_text():
    evil = ["<img src=x onerror=alert(1)>", "**b**"] * 20
    session = session_of(kc.OptimalConcealment(), city=evil)
    test = opened("clusters", session)
    assert not test.exception
    assert "<img" not in words(test)
    assert "&lt;img" in words(test)

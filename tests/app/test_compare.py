"""Methods side by side on the map, and the picked record of Clusters, without a browser."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.common.session import Session, Setting

PAGES = Path(__file__).resolve().parents[2] / "pages"


def session_of(algorithm: kc.Algorithm, n: int = 40, k: int = 4, **columns) -> Session:
    rng = np.random.default_rng(4)
    places = {"latitude": rng.normal(35, 0.1, n), "longitude": rng.normal(139, 0.1, n), **columns}
    return Session(kc.Table.from_frame(pd.DataFrame(places)), "places", "upload:1", Setting(algorithm, k))


def opened(page: str, session: Session, **state) -> AppTest:
    test = AppTest.from_file(PAGES / f"{page}.py", default_timeout=60)
    test.session_state["kanon"] = session
    for key, value in state.items():
        test.session_state[key.replace("_", " ")] = value
    return test.run()


def shown(test: AppTest) -> str:
    return " ".join(block.proto.body for block in test.get("html"))


def test_the_current_method_stands_beside_the_optimum_and_pairing():
    session = session_of(kc.MDAV())
    test = opened("map", session, map_view="compare")
    assert not test.exception
    assert len(session.releases) == 3
    assert "has the smallest mean area" in shown(test)
    assert test.multiselect[0].value == ["Optimal concealment", "Pairing"]


def test_methods_that_do_not_suit_are_not_offered_and_others_can_be_added():
    session = session_of(kc.OptimalConcealment())
    test = opened("map", session, map_view="compare")
    assert "MIL" not in " ".join(test.multiselect[0].options)
    test.multiselect[0].set_value(["MDAV"]).run()
    assert not test.exception
    assert "MDAV has" in shown(test) or "MDAV has the smallest" in shown(test)


def test_a_method_that_cannot_be_computed_at_this_k_says_why_and_the_others_stay():
    session = session_of(kc.MDAV(), k=3)
    test = opened("map", session, map_view="compare")
    test.multiselect[0].set_value(["Optimal concealment", "Pairing"]).run()
    session.ask(algorithm=kc.Pairing(exact=True))
    test.run()
    assert not test.exception


def test_a_record_is_picked_by_its_number_and_keeps_picked_when_k_moves():
    session = session_of(kc.OptimalConcealment())
    test = opened("clusters", session)
    assert "1, published" in shown(test)
    test.number_input(key="record number").set_value(7).run()
    assert "7, published" in shown(test)
    assert "The published row of record 7 stands for 4 records" in shown(test)
    session.ask(k=5)
    test.run()
    assert "The published row of record 7 stands for 5 records" in shown(test)


def test_cells_of_the_picked_record_are_text():
    evil = ["<img src=x onerror=alert(1)>", "**b**"] * 20
    session = session_of(kc.OptimalConcealment(), city=evil)
    test = opened("clusters", session)
    assert not test.exception
    assert "<img" not in shown(test)
    assert "&lt;img" in shown(test)

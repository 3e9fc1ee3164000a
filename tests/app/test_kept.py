"""Choices on a page, which stay while another page or view is open."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.papers import concealment as tables
from pages.shell.menu import parts_of
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import choose, control

ROOT = Path(__file__).resolve().parents[2]


def app(session: Session) -> AppTest:
    """The whole app, as somebody moves through it."""
    test = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    test.session_state["kanon"] = session
    return test.run()


def to(test: AppTest, place: str) -> AppTest:
    """Another page, or a view of it; run twice, for controls are others in the first run after a switch."""
    page, view = parts_of(place)
    choose(test, page, view)
    test.switch_page(str(ROOT / "pages" / page / "page.py")).run()
    test.run()
    assert not test.exception
    return test


def people(algorithm: kc.Algorithm | None = None, n: int = 30) -> Session:
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"x": rng.normal(size=n), "y": rng.normal(size=n), "z": rng.normal(size=n)})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(list(frame)))
    return Session(table, "people", "upload:1", Setting(algorithm or kc.MDAV(), 3))


def test_what_is_compared_on_trade_off_stays_while_explore_is_open():
    test = to(app(people()), "curves")
    control(test.button_group, "compared").set_value(["MDAV"]).run()
    test.selectbox(key="add algorithm").set_value("Sorting").run()
    test.slider(key="k range").set_value((4, 9))
    test.selectbox(key="up").set_value("NCP").run()
    test.number_input(key="least k").set_value(7).run()
    to(to(test, "tune"), "curves")
    assert control(test.button_group, "compared").value == ["MDAV", "Sorting"]
    assert test.slider(key="k range").value == (4, 9) and test.number_input(key="least k").value == 7
    assert test.selectbox(key="up").value == "NCP"


def test_a_choice_that_nobody_made_follows_what_is_suitable():
    test = to(app(people()), "curves")
    assert test.selectbox(key="up").value == "ILSSDM"
    test.session_state["algorithms"] = True
    to(test, "tune")
    test.button(key="algorithm.Greedy").click().run()
    assert to(test, "curves").selectbox(key="up").value == "MatchingCost"


def test_the_open_view_stays_and_what_was_chosen_in_another():
    test = app(people())
    test.session_state["view curves"] = "records"
    to(test, "curves/records")
    test.selectbox(key="measure of records").set_value("NCP").run()
    to(to(test, "tune"), "curves/records")
    assert test.selectbox(key="measure of records").value == "NCP"
    test.session_state["view curves"] = "columns"
    assert "measure of records" not in [menu.key for menu in test.run().selectbox]
    test.session_state["view curves"] = "records"
    assert test.run().selectbox(key="measure of records").value == "NCP"


def test_a_control_that_two_pages_have_shows_the_same_on_both():
    test = to(app(people()), "tune")
    test.segmented_control(key="rows shown").set_value("worst").run()
    session = test.session_state["kanon"]
    session.load(kc.read_table("sample:nine"), "nine", "sample:nine")
    session.ask(algorithm=kc.TopDown(), k=2)
    test.session_state["sets view"] = "Before and after"
    choose(test, "clusters", "sets")
    test.switch_page(str(ROOT / "pages" / "clusters" / "page.py")).run()
    assert test.segmented_control(key="rows shown").value == "worst"


def test_rows_made_again_are_not_thrown_away_by_a_look_at_another_page():
    test = app(people(kc.Greedy()))
    test.session_state["learn-view"] = "papers"
    test = to(test, "learn")
    test.number_input(key="made again samples").set_value(2).run()
    progress = test.session_state[tables.MADE.name]
    to(to(test, "tune"), "learn")
    assert test.number_input(key="made again samples").value == 2
    assert test.session_state[tables.MADE.name] is progress


def test_axes_are_those_of_clusters_and_concealment_alike():
    session = people()
    test = to(app(session), "clusters")
    key = f"Across {session.table.digest}"
    test.selectbox(key=key).set_value("x")
    test.selectbox(key=f"Up {session.table.digest}").set_value("z").run()
    session.ask(algorithm=kc.Greedy())
    test.session_state["concealment view"] = "Cycles"
    assert to(test, "clusters/matchings").selectbox(key=key).value == "x"


def test_what_a_smaller_table_cannot_have_gives_way():
    session = people(n=60)
    test = to(app(session), "curves")
    test.slider(key="k range").set_value((20, 40)).run()
    session.load(people(n=12).table, "few", "upload:2")
    to(to(test, "tune"), "curves")
    assert test.slider(key="k range").value == (12, 12)

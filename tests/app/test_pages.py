"""Pages without a browser: settings, options and tables that leave something missing."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.guarantees.base import asked_with
from pages.shell.menu import parts_of
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import PLACES, choose, control

SHOWING = (
    *("tune", "clusters", "map", "clusters/matchings", "clusters/sets"),
    *("curves", "curves/scorecard", "release"),
)
PAGES = Path(__file__).resolve().parents[2] / "pages"


def session_of(algorithm: kc.Algorithm, k: int = 3, n: int = 40, **roles: str) -> Session:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"age": rng.integers(18, 90, n), "weight": rng.normal(70, 9, n), "city": rng.choice(list("ABC"), n)}
    )
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier") | roles)
    table = kc.Table.from_frame(frame, schema)
    return Session(table, "people", "upload:1", Setting(algorithm, k))


def opened(place: str, session: Session, **state: object) -> AppTest:
    test = fresh(place)
    test.session_state["kanon"] = session
    for key, value in state.items():
        test.session_state[key] = value
    return test.run()


def fresh(place: str) -> AppTest:
    page, view = parts_of(place)
    test = AppTest.from_file(PAGES / page / "page.py", default_timeout=30)
    choose(test, page, view)
    return test


def status(test: AppTest) -> str:
    assert not test.exception
    return next(block.proto.body for block in test.get("html") if "statusbar" in block.proto.body)


def test_undo_takes_an_option_and_its_control_back():
    test = opened("tune", session_of(kc.VMDAV()), options=True)
    test.slider(key="option VMDAV gamma").set_value(0.7).run()
    assert "gamma 0.7" in status(test)
    test.button(key="undo").click().run()
    assert "gamma" not in status(test)
    assert control(test.slider, "option VMDAV gamma").value == 0.2
    assert test.button(key="undo").disabled


def test_undo_takes_the_seed_back():
    test = opened("tune", session_of(kc.Refine(seconds=0.0, steps=1)), options=True)
    assert "<b>seed</b> secret" in status(test)
    test.number_input(key="seed").set_value(7).run()
    assert "<b>seed</b> 7" in status(test)
    test.button(key="undo").click().run()
    assert "<b>seed</b> secret" in status(test)
    assert control(test.number_input, "seed").value is None


def test_the_options_of_a_start_can_be_changed():
    test = opened("tune", session_of(kc.Refine(start=kc.VMDAV(), seconds=0.0, steps=1)), options=True)
    test.slider(key="option VMDAV start gamma").set_value(1.0).run()
    session = test.session_state["kanon"]
    assert session.setting.algorithm == kc.Refine(start=kc.VMDAV(gamma=1.0), seconds=0.0, steps=1)
    test.selectbox(key="option Refine start").set_value("Sorting").run()
    assert session.setting.algorithm.start == kc.Sorting()
    test.button(key="undo").click().run()
    test.button(key="undo").click().run()
    assert not test.exception
    assert session.setting.algorithm.start == kc.VMDAV()


def test_a_column_that_lost_its_role_is_named_and_the_setting_stays():
    session = session_of(kc.Sorting(by=("age", "city")))
    session.change_schema(session.table.schema.with_roles({"age": "other"}))
    test = opened("tune", session, options=True)
    assert not test.exception
    assert "cannot be sorted by column “age”" in test.warning[0].value
    assert session.setting.algorithm == kc.Sorting(by=("age", "city"))
    chosen = test.multiselect(key="option Sorting by")
    assert chosen.value == ["age", "city"]
    chosen.unselect("age").run()
    assert "3 achieved" in status(test)
    assert session.setting.algorithm == kc.Sorting(by=("city",))


@pytest.mark.parametrize("page", SHOWING)
def test_without_a_quasi_identifier_every_page_says_what_to_do(page):
    test = opened(page, session_of(kc.MDAV(), age="other", weight="other", city="sensitive"))
    assert "not computed yet" in status(test)
    assert "No column is a quasi-identifier" in test.info[0].value
    assert len(test.get("page_link")) == 1


@pytest.mark.parametrize("page", [place for place in PLACES if place not in ("check", "learn")])
def test_a_session_without_an_upload_opens_with_a_sample(page):
    test = fresh(page).run()
    assert "100 records" in status(test)


@pytest.mark.parametrize("page", ["tune", "clusters", "curves/scorecard", "release"])
def test_k_beyond_the_table_is_told_and_stays_the_setting(page):
    test = opened(page, session_of(kc.MDAV(), k=41))
    assert "41" in status(test)
    assert "not computed yet" in status(test)
    assert "only 40 records, fewer than k" in test.warning[0].value.replace("\\", "")


def test_the_map_offers_a_sample_where_a_table_has_no_place():
    session = session_of(kc.MDAV())
    test = opened("map", session)
    assert "This table has no place" in test.info[0].value
    test.button(key="load people").click().run()
    assert session.source == "sample:people-5000" and not test.info
    assert "3 requested, 3 achieved" in status(test)


@pytest.mark.parametrize("page", ["clusters", "tune", "curves/scorecard", "release"])
def test_a_table_of_one_column_has_every_page(page):
    test = opened(page, session_of(kc.MDAV(), weight="other", city="sensitive"))
    assert "3 achieved" in status(test)
    if page in ("tune", "release"):
        assert any("Published unchanged: “weight”" in block.proto.body for block in test.get("html"))


def test_a_point_of_a_time_budget_opens_with_the_loss_it_was_drawn_with(aside):
    session = session_of(kc.Refine(seconds=0.02))
    test = opened("curves", session)
    test.button_group(key="compared").set_value(["Refine (seconds 0.02)"]).run()
    test.slider(key="k range").set_value((2, 3)).run()
    aside.work()
    test.run()
    assert not test.exception
    points = {point.k: point for point in session.points.values()}
    assert set(points) == {2, 3}
    test.session_state["least k"] = 3
    test.run()
    test.button(key="open from").click().run()
    release = kc.anonymize(session.table, session.setting.algorithm, session.setting.k)
    assert session.measured(session.setting, release, kc.ILSSDM).total == points[3].scores["ILSSDM"]


@pytest.mark.parametrize("page", SHOWING)
def test_pages_show_a_release_whose_sets_overlap(page):
    rng = np.random.default_rng(4)
    places = pd.DataFrame({"latitude": rng.normal(35, 0.1, 30), "longitude": rng.normal(139, 0.1, 30)})
    session = Session(kc.Table.from_frame(places), "places", "upload:1", Setting(kc.OptimalConcealment(), 4))
    test = opened(page, session)
    if page in ("clusters/sets", "curves"):  # which compute nothing of such a table unasked
        assert "not computed yet" in status(test)
    else:
        assert "4 requested, 4 achieved" in status(test)
        assert ("one for each record" in status(test)) == (page != "tune")
    shown = " ".join(block.proto.body for block in test.get("html"))
    assert ('<p class="sentence">The anonymity set of every record has' in shown) == (page == "tune")
    assert ("One record and its anonymity set" in shown) == (page == "clusters")
    assert "have no place" not in shown


def test_a_screen_says_which_guarantee_holds_and_nothing_more():
    session = session_of(kc.MDAV())
    explore, export = opened("tune", session), opened("release", session)
    holds = "k-anonymity with k = 3 holds for the quasi-identifiers: Every published record shares"
    seat = " ".join(block.proto.body for block in explore.get("html"))
    assert "<b>✓ k-anonymity with k = 3</b>" in seat and " holds: Every published record shares" in seat
    assert holds in " ".join(block.proto.body for block in export.get("html"))
    for test in (explore, export):
        assert ("<b>holds</b> k-anonymity with k = 3</span>" in status(test)) == (test is export)
        assert "passed" not in " ".join(str(box.label) for box in test.expander) + status(test)


@pytest.mark.parametrize("page", ["data", "check"])
def test_an_uploader_says_where_the_file_is_kept(page):
    test = opened(page, session_of(kc.MDAV()))
    told = [uploader.help.replace("\\", "") for uploader in test.get("file_uploader")]
    where = "The computer that runs Kanon keeps the file in memory. The upload writes nothing to the disk"
    assert told and all(where in text for text in told)
    assert not any("memory only" in text or "never written" in text for text in told)


def test_every_guarantee_can_be_asked_of_what_is_on_screen():
    session = session_of(kc.MDAV(), city="sensitive")
    test = AppTest.from_file(PAGES / "tune" / "page.py", default_timeout=60)
    test.session_state["kanon"] = session
    test.session_state["other guarantees"] = True
    test.run()
    fitting = [cls for cls in kc.GUARANTEES if not asked_with(cls).unsuitable(session.table)]
    assert {kc.AlphaKAnonymity, kc.BetaLikeness, kc.RecursiveDiversity} <= set(fitting)
    for cls in fitting:
        menu = next(one for one in test.selectbox if one.label == "Guarantee")
        menu.set_value(cls.__name__).run()
        assert f"The attacker {cls.attacker}." in shown(test)
    next(one for one in test.selectbox if one.label == "Guarantee").set_value("BetaLikeness").run()
    next(one for one in test.number_input if one.label == "beta").set_value(50.0).run()
    assert "requested 50" in shown(test)


def shown(test: AppTest) -> str:
    assert not test.exception
    return unescape(" ".join(block.proto.body for block in test.get("html")))

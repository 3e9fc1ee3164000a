"""Pins and the desk without a browser: pin from every page, at most four, kept by table, compared side by
side."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.runs.sweeps import sweep_point
from pages.curves import pinned as pages_pinned
from pages.shell.frame import PAGES
from pages.state import jobs
from pages.state.pins import letter_of, pin, pinned, pinned_elsewhere, unpin
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import PLACES, charts, components, opened, words
from tests.charts.concealed import EVIL
from tests.charts.itemtables import ODD

PAGES_WITH_PIN = (
    *("tune", "release", "data", "clusters", "curves", "curves/compare", "curves/scorecard", "risk"),
    *("risk/person", "clusters/matchings"),
)


def people(n: int = 40, name: str = "city") -> kc.Table:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "who": [f"secret person {i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "weight": rng.normal(70, 9, n).round(1),
            name: rng.choice(list("ABC"), n),
            "illness": rng.choice(["secret flu", "secret cold"], n),
        }
    )
    roles = {"who": "identifier", "illness": "sensitive"}
    return kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_quasi(["age", "weight", name]).with_roles(roles)
    )


def session_of(table: kc.Table | None = None, algorithm: kc.Algorithm | None = None, k: int = 3) -> Session:
    return Session(table or people(), "people", "upload:1", Setting(algorithm or kc.MDAV(), k))


def desk(session: Session, *settings: Setting) -> AppTest:
    """The desk with these settings pinned, everything computed."""
    for setting in settings:
        assert pin(session, setting)
    return opened("curves/compare", session)


def told(test: AppTest) -> str:
    return unescape(re.sub("<[^>]+>", " ", words(test)))


def sent(test: AppTest) -> str:
    return " ".join(str(one) for one in components(test))


def fill(session: Session, *settings: Setting) -> None:
    for one in settings:
        metrics = [cls() for cls in session.metrics]
        point = sweep_point(session.table, one.algorithm, one.k, metrics, one.seed)
        session.points[session.table.digest, one.key] = point


def test_pins_get_the_first_free_letter_and_belong_to_a_table():
    session = session_of()
    settings = [Setting(kc.MDAV(), k) for k in range(2, 7)]
    assert [pin(session, one) for one in settings] == [True] * 4 + [False]
    assert pin(session, settings[0]) and list(pinned(session)) == list("ABCD")
    unpin(session, "B")
    assert letter_of(session, settings[1]) == "" and pin(session, settings[4])
    assert letter_of(session, settings[4]) == "B" and letter_of(session, settings[2]) == "C"
    before = session.table.schema
    session.change_schema(before.with_roles({"age": "other"}))
    assert not pinned(session) and pinned_elsewhere(session) == 4
    session.change_schema(before)
    assert list(pinned(session)) == list("ABCD") and not pinned_elsewhere(session)


@pytest.mark.parametrize("page", PAGES_WITH_PIN)
def test_the_setting_is_pinned_on_every_page_and_unpinned_again(page):
    assert page in PLACES or page in PAGES
    session = session_of()
    test = opened(page, session)
    test.button(key="pin").click().run()
    assert not test.exception and pinned(session) == {"A": session.setting}
    assert test.button(key="pin").label == "Unpin A"
    test.button(key="pin").click().run()
    assert not pinned(session)


def test_the_fifth_is_refused_with_the_reason():
    session = session_of()
    for k in (2, 4, 5, 6):
        pin(session, Setting(kc.MDAV(), k))
    test = opened("tune", session)
    assert "4 settings are pinned, which is the most." not in told(test)
    test.button(key="pin").click().run()
    assert "4 settings are pinned, which is the most. Unpin one to pin this setting." in told(test)
    assert len(pinned(session)) == 4 and not letter_of(session, session.setting)
    assert "4 settings are pinned" not in told(test.run())


def test_a_k_that_was_typed_is_the_one_that_is_pinned():
    session = session_of()
    test = opened("tune", session)
    test.slider(key="k").set_value(7)  # and a click that comes with it
    test.button(key="pin").click().run()
    assert pinned(session) == {"A": Setting(kc.MDAV(), 7)}


def test_an_empty_desk_says_how_to_pin_and_what_is_pinned_elsewhere():
    session = session_of()
    test = desk(session)
    assert "No setting of this table is pinned" in test.info[0].value.replace("\\", "")
    assert "other tables" not in told(test)
    session.pins["another table"] = {"A": Setting(kc.MDAV(), 2), "B": Setting(kc.MDAV(), 3)}
    assert "2 pinned settings belong to other tables." in told(test.run())


def test_pins_are_computed_and_compared(aside):
    session = session_of()
    one, other = Setting(kc.MDAV(), 3), Setting(kc.Mondrian(), 8)
    test = desk(session, one, other)
    said = told(test)
    assert "MDAV, k = 3" in said and "Mondrian, k = 8" in said and "Not computed yet" not in said
    for setting in (one, other):
        release = session.kept(setting)
        assert kc.NCP().text(kc.NCP().measure(session.table, release).total) in said
    assert "B alone is best by" in said and "A alone is best by" in said
    pictures = sent(test)
    for column in ("age", "weight", "city"):
        assert f">{column}</div>" in pictures
    assert "Original" in pictures and "changed by" in pictures and "moved" in pictures
    assert words(test).count('class="best"') >= 2
    everything = words(test) + pictures + " ".join(charts(test))
    assert not re.search("secret (flu|cold|person)", everything)
    assert aside.todo  # the map goes on filling


def test_the_map_shows_what_the_curves_computed_and_marks_the_pins(aside):
    session = session_of()
    settings = [Setting(algorithm, k) for k in (2, 3, 5) for algorithm in (kc.MDAV(), kc.Mondrian())]
    fill(session, *settings)
    test = desk(session, settings[2], settings[3])
    assert "of 6 finished settings" in told(test)
    notes = [note["text"] for note in json.loads(charts(test)[0])["layout"]["annotations"]]
    assert notes[1:] == ["<b>A</b>", "<b>B</b>"]
    test.selectbox(key="risk across").set_value("k").run()
    assert "of 6 finished settings" in told(test)
    aside.work()
    assert "of 6 finished settings" not in told(test.run())


def test_use_and_unpin():
    session = session_of()
    test = desk(session, Setting(kc.MDAV(), 3), Setting(kc.Mondrian(), 8))
    assert test.button(key="use A").disabled
    test.button(key="use B").click().run()
    assert session.setting == Setting(kc.Mondrian(), 8) and test.button(key="use B").disabled
    test.button(key="unpin A").click().run()
    assert list(pinned(session)) == ["B"] and "MDAV, k = 3" not in told(test)


def test_a_setting_without_release_says_why_and_the_others_are_shown():
    session = session_of()
    test = desk(session, Setting(kc.MDAV(), 41), Setting(kc.MDAV(), 3))
    said = told(test)
    assert "only 40 records, fewer than k" in said and "Not computed yet" not in said
    assert kc.NCP().text(kc.NCP().measure(session.table, session.kept(Setting(kc.MDAV(), 3))).total) in said


def test_two_seeds_of_one_algorithm_are_two_pins():
    session = session_of()
    test = desk(session, Setting(kc.Lottery(draws=3), 3, 1), Setting(kc.Lottery(draws=3), 3, 2))
    assert "k = 3, seed 1" in told(test) and "k = 3, seed 2" in told(test)


def test_stop_leaves_a_button_that_goes_on(monkeypatch):
    session, computing = session_of(), pages_pinned.release_or_reason

    def stopped(session, setting, stop, key, lead):
        stop()
        jobs.rerun_here()

    monkeypatch.setattr(pages_pinned, "release_or_reason", stopped)
    test = desk(session, Setting(kc.MDAV(), 3))
    assert "Not computed yet" in told(test)
    monkeypatch.setattr(pages_pinned, "release_or_reason", computing)
    test.button(key="compute pin A").click().run()
    assert "Not computed yet" not in told(test) and "compute pin A" not in {b.key for b in test.button}


ODD_SESSIONS = {
    "numbers": lambda: session_of(
        kc.Table.from_frame(pd.DataFrame({"x": np.arange(30.0), "y": np.arange(30.0) ** 2}))
    ),
    "one column": lambda: session_of(kc.Table.from_frame(pd.DataFrame({"x": [1.0, 1, 2, 2, 3, 9]})), k=2),
    "constant": lambda: session_of(
        kc.Table.from_frame(pd.DataFrame({"x": [1.0] * 6, "y": [2, 2, 2, 1, 1, 1]})), k=2
    ),
    "items": lambda: session_of(ODD["beside others"], kc.TopDown(), 2),
    "overlapping": lambda: session_of(people(), kc.OptimalConcealment()),
    "suppressed": lambda: session_of(ODD["beside others"], kc.TopDown(max_suppressed=0.5), 3),
    "places": lambda: session_of(kc.read_table("sample:people-100"), kc.MDAV(), 4),
    "markup": lambda: session_of(people(name=EVIL)),
}


@pytest.mark.parametrize("odd", ODD_SESSIONS)
def test_the_desk_of_odd_tables(odd):
    session = ODD_SESSIONS[odd]()
    test = desk(session, session.setting, Setting(session.setting.algorithm, session.setting.k + 1))
    assert not test.exception and "Columns before and after" in told(test)
    maps = [one for one in components(test) if one.component_name.endswith("map-layer")]
    assert len(maps) == (2 if odd == "places" else 0)
    assert "<img" not in words(test) + sent(test)


def test_summaries_stay_when_releases_of_a_large_table_go(monkeypatch):
    session = session_of()
    settings = [Setting(kc.MDAV(), k) for k in (3, 4, 5)]
    monkeypatch.setattr("pages.state.cache_eviction.KEPT_BYTES", 0)
    test = desk(session, *settings)
    said = told(test)
    assert "This release of a large table is not in memory any more" in said
    assert "Not computed yet" not in said and said.count("Achieved k") >= 3

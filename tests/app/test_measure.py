"""The Measure page without a browser: every view of odd tables, A or B, uses on demand, the risk–utility map,
distances on Data."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.base.words import number_text
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.runs.sweeps import sweep_point
from pages.curves import usage
from pages.curves.versus import _swap
from pages.state import jobs
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets import measures
from tests.app import screens
from tests.app.screens import control
from tests.charts.concealed import EVIL, four
from tests.charts.itemtables import ODD

VIEWS = ("scorecard", "columns", "records", "utility", "compare", "risk")


def people(n: int = 40, name: str = "city") -> kc.Table:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "who": [f"secret person {i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "weight": rng.normal(70, 9, n),
            name: rng.choice(list("ABC"), n),
            "illness": rng.choice(["secret flu", "secret cold"], n),
        }
    )
    roles = {"who": "identifier", "illness": "sensitive"}
    return kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_quasi(["age", "weight", name]).with_roles(roles)
    )


def session_of(table: kc.Table, algorithm: kc.Algorithm | None = None, k: int = 3) -> Session:
    return Session(table, "people", "upload:1", Setting(algorithm or kc.MDAV(), k))


def opened(session: Session, view: str = "scorecard") -> AppTest:
    return screens.opened(f"curves/{view}", session)


def told(test: AppTest) -> str:
    assert not test.exception
    return unescape(" ".join(re.sub("<[^>]+>", " ", block.proto.body) for block in test.get("html")))


def charts(test: AppTest) -> list[dict]:
    assert not test.exception
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]


def test_the_scorecard_has_every_measure_that_fits_and_says_why_others_do_not():
    session = session_of(people())
    test = opened(session)
    said = told(test)
    for cls in METRICS:
        reasons = cls().unsuitable(session.table)
        assert cls.title in said
        assert (cls.sentence in said) == (not reasons)
        assert all(reason in said for reason in reasons)
    release = kc.anonymize(session.table, kc.MDAV(), 3)
    assert kc.NCP().text(kc.NCP().measure(session.table, release).total) in said
    test.slider(key="k").set_value(8).run()
    assert "points" in told(test)  # what changed since k = 3


def test_a_measure_is_explained_with_formula_and_example():
    test = opened(session_of(people()))
    assert not test.get("latex") and kc.ILD.example not in told(test)
    test.session_state["how computed"] = True
    test.run()
    test.selectbox(key="measure explained").set_value("ILD").run()
    assert kc.ILD.example in told(test) and "may be negative" in told(test)
    assert any(kc.ILD.formula in block.value for block in test.latex)


ODD_SESSIONS = {
    "numbers": lambda: session_of(
        kc.Table.from_frame(pd.DataFrame({"x": np.arange(30.0), "y": np.arange(30.0) ** 2}))
    ),
    "four": lambda: session_of(four(), k=2),
    "constant": lambda: session_of(
        kc.Table.from_frame(pd.DataFrame({"x": [1.0] * 6, "y": [2, 2, 2, 1, 1, 1]})), k=2
    ),
    "items": lambda: session_of(ODD["beside others"], kc.TopDown(), 2),
    "overlapping": lambda: session_of(people(), kc.OptimalConcealment()),
    "suppressed": lambda: session_of(ODD["beside others"], kc.TopDown(max_suppressed=0.5), 3),
}


@pytest.mark.deep
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("odd", ODD_SESSIONS)
def test_every_view_of_odd_tables(odd, view):
    test = opened(ODD_SESSIONS[odd](), view)
    assert not test.exception and len(told(test)) > 300


def test_nothing_is_shown_of_identifiers_and_sensitive_values():
    for view in VIEWS:
        test = opened(session_of(people()), view)
        assert "secret" not in told(test) + json.dumps(charts(test))


@pytest.mark.parametrize("view", VIEWS[:4])
def test_names_of_columns_are_no_markup(view):
    session = session_of(people(name=EVIL))
    test = opened(session, view)
    if view == "utility":
        test.button(key="compute uses").click().run()
    assert not test.exception
    bodies = " ".join(block.proto.body for block in test.get("html"))
    data = [chart["data"] for chart in charts(test)]
    assert "<img" not in bodies + json.dumps(data)


def test_the_heat_map_has_a_row_for_each_column():
    test = opened(session_of(people()), "columns")
    trace, _ = charts(test)[0]["data"]
    assert sorted(charts(test)[0]["layout"]["yaxis"]["ticktext"]) == ["age", "city", "weight"]
    assert len(trace["text"]) == 3
    assert "loses most by" in told(test)


def test_the_worst_hit_records_are_those_of_the_measure():
    session = session_of(people())
    test = opened(session, "records")
    test.selectbox(key="measure of records").set_value("NCP").run()
    release = kc.anonymize(session.table, kc.MDAV(), 3)
    worst = int(np.argmax(kc.NCP().measure(session.table, release).records))
    rows = re.findall(r'<tr><th scope="row">(\d+)</th>', " ".join(b.proto.body for b in test.get("html")))
    assert int(rows[0]) == worst + 1 and len(rows) == 20
    assert "Certainty penalty of a record" in told(test)


def test_a_or_b_pins_compares_swaps_and_forgets():
    session = session_of(people())
    test = opened(session, "compare")
    assert "Pin the current setting as A" in told(test) and not charts(test)
    test.button(key="pin").click().run()
    assert "A and B are the same setting" in told(test)
    test.slider(key="k").set_value(8).run()
    said = told(test)
    assert "B is better by Achieved k" in said and "A is better by Loss" in said
    assert "MDAV, k = 3" in said and "MDAV, k = 8" in said and len(charts(test)) == 1
    test.button(key="swap").click().run()
    assert (session.setting.k, session.pinned.k) == (3, 8)
    test.button(key="undo").click().run()
    assert session.setting.k == 8
    test.button(key="unpin").click().run()
    assert session.pinned is None and not charts(test)
    session.pinned = Setting(kc.MDAV(), 3)
    session.change_schema(session.table.schema.with_roles({"age": "other"}))
    assert session.pinned is None


def test_a_forgotten_or_impossible_release_of_a():
    session = session_of(people())
    session.pinned = Setting(kc.VMDAV(), 4)
    test = opened(session, "compare")
    assert len(charts(test)) == 1 and session.kept(session.pinned) is not None
    session.pinned = Setting(kc.MDAV(), 41)
    test = opened(session, "compare")
    assert "only 40 records, fewer than k" in test.warning[0].value.replace("\\", "") and not charts(test)
    session.pinned = None
    _swap(session)
    assert session.setting.k == 3


def test_uses_are_computed_when_asked_for_and_join_the_other_views():
    session = session_of(people())
    test = opened(session, "utility")
    assert "Change of means" not in told(test)
    test.button(key="compute MeanChange").click().run()
    assert kc.metrics.MeanChange.sentence in told(test)
    assert kc.metrics.QueryError.sentence not in told(test)
    test.button(key="compute uses").click().run()
    said = told(test)
    for metric in usage.usages(session):
        assert metric.sentence in said
    assert "trained on the originals" in said and not [b for b in test.button if b.key == "compute uses"]
    assert "Area on the map" in said  # and why not
    test.session_state["view curves"] = "columns"
    assert "Means" in charts(test.run())[0]["layout"]["xaxis"]["ticktext"]
    test.session_state["view curves"] = "utility"
    test.slider(key="k").set_value(5).run()
    assert [b for b in test.button if b.key == "compute uses"]  # another setting, other numbers
    test.slider(key="k").set_value(6)  # and a click that comes with it
    test.button(key="compute uses").click().run()
    assert session.setting.k == 6 and all(metric.sentence in told(test) for metric in usage.usages(session))


def test_the_column_to_predict_can_be_chosen():
    table = people()
    session = session_of(table.with_schema(table.schema.with_roles({"weight": "other"})))
    test = opened(session, "utility")
    assert test.selectbox(key="column to predict").options == ["illness", "weight"]
    test.button(key="compute ModelLoss").click().run()
    first = session.known(session.setting, kc.metrics.ModelLoss(target="illness"))
    assert (
        first is not None
        and f"trained on the originals {number_text(first.details['trained on the originals'])}" in told(test)
    )
    test.selectbox(key="column to predict").set_value("weight").run()
    second = session.known(session.setting, kc.metrics.ModelLoss(target="weight"))
    assert second is not None and second != first
    assert f"trained on the originals {number_text(second.details['trained on the originals'])}" in told(test)


def test_a_column_to_predict_that_became_a_quasi_identifier_gives_way():
    table = people()
    roles = {"weight": "other", "city": "other"}
    session = session_of(table.with_schema(table.schema.with_roles(roles)))
    test = opened(session, "utility")
    test.selectbox(key="column to predict").set_value("weight").run()
    session.change_schema(session.table.schema.with_roles({"weight": "quasi_identifier"}))
    shown = control(test.run().selectbox, "column to predict").value
    test.button(key="compute ModelLoss").click().run()
    assert session.known(session.setting, kc.metrics.ModelLoss(target=shown)) is not None
    assert "Not for this table: Loss of a trained model" not in told(test)


def test_a_stopped_use_leaves_what_was_finished(monkeypatch):
    def fails(self, table, release, tick=None):
        raise kc.KanonError("No model can be trained here.")

    monkeypatch.setattr(kc.metrics.ModelLoss, "evaluate", fails)
    session = session_of(people())
    test = opened(session, "utility")
    test.button(key="compute uses").click().run()
    assert "No model can be trained here" in test.warning[0].value
    assert kc.metrics.QueryError.sentence in told(test)
    assert [b for b in test.button if b.key == "compute uses"]


def test_several_slow_measures_in_a_row_have_a_stop_button_each(monkeypatch):
    monkeypatch.setattr(jobs, "_QUIET_SECONDS", -1.0)  # everything is slow
    monkeypatch.setattr(jobs, "_BETWEEN_DRAWINGS", -1.0)
    session = session_of(people())
    test = opened(session, "utility")
    test.button(key="compute uses").click().run()
    assert all(metric.sentence in told(test) for metric in usage.usages(session))


def test_the_map_shows_the_points_of_the_trade_off():
    session = session_of(people())
    test = opened(session, "risk")
    assert "Risk and loss of all settings" in told(test) and not charts(test)
    for k in (2, 3, 5):
        for algorithm in (kc.MDAV(), kc.Mondrian()):
            setting = Setting(algorithm, k)
            session.points[session.table.digest, setting.key] = sweep_point(
                session.table, algorithm, k, [m() for m in session.metrics]
            )
    test = opened(session, "risk")
    assert [trace["name"] for trace in charts(test)[0]["data"] if trace.get("showlegend", True)][1:] == [
        "MDAV",
        "Mondrian",
    ]
    assert "of 6 finished settings" in told(test)
    test.selectbox(key="risk across").set_value("k").run()
    assert "of 6 finished settings" in told(test)


def test_data_shows_how_far_apart_records_are():
    test = screens.opened("data", session_of(people()))
    before = len(charts(test))
    test.session_state["spread of records"] = True
    test.run()
    assert len(charts(test)) == before + 1
    assert "The median distance between two records is" in told(test) and "drawn at random" not in told(test)


def test_menus_and_cards_say_which_measures_do_not_fit():
    test = opened(session_of(people()), "curves")
    reason = kc.metrics.SuppressedItems().unsuitable(people())[0]
    assert reason in told(test)
    assert "Suppressed items" not in test.selectbox(key="up").options


def test_every_measure_of_use_is_offered_or_barred():
    session = session_of(people())
    shown = {type(m) for m in usage.usages(session)}
    assert shown == {cls for cls in UTILITIES if not cls().unsuitable(session.table)}


def test_large_changes_and_found_values_have_no_exponent():
    """46,300 and not 4.63e+04; ℓ = 2 and not 2.00."""
    assert ">+46,300<" in measures._change(kc.MatchingCost(), 46_400.2, 100)
    assert ">-0.25<" in measures._change(kc.MatchingCost(), 1, 1.25)
    verdict = kc.KAnonymity(32_561).verdict(True, 32_561, 32_561, "")
    assert kc.KAnonymity(32_561).wanted == kc.KAnonymity(32_561).reached(verdict) == "k = 32,561"

"""Measures explained one by one on the Measure page, and their options."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.base.options import options_of
from kanon_core.metrics import METRICS, UTILITIES
from pages.state.session import Session
from tests.app.test_measure import charts, opened, people, session_of, told


def explaining(session: Session, name: str) -> AppTest:
    test = opened(session)
    test.session_state["how computed"] = True
    test.run()
    return test.selectbox(key="measure explained").set_value(name).run()


def test_the_options_of_a_measure_hold_on_every_page():
    table = people()
    session = session_of(table.with_schema(table.schema.with_weights({"age": 9.0})))
    test = explaining(session, "ILD")
    test.selectbox(key="measure option ILD weights").set_value("schema").run()
    release = session.kept(session.setting)
    expected = kc.ILD("schema").measure(session.table, release).total
    assert expected != kc.ILD().measure(session.table, release).total
    assert "Information loss by distance (weights schema)" in told(test)
    assert kc.ILD().text(expected) in told(test)
    assert session.totals(session.setting, release)["ILD"] == expected
    test.selectbox(key="measure option ILD p").set_value(float("inf")).run()
    assert session.way(kc.ILD) == kc.ILD("schema", p=float("inf")) and not test.exception
    test = explaining(session, "ILD")  # the control shows what was chosen
    assert test.selectbox(key="measure option ILD weights").value == "schema"
    session.load(people(20), "others", "upload:2")
    assert session.way(kc.ILD) == kc.ILD()


@pytest.mark.deep
@pytest.mark.parametrize("metric", [*METRICS, *UTILITIES], ids=lambda metric: metric.__name__)
def test_every_measure_is_explained_with_a_control_for_each_option(metric):
    test = explaining(session_of(people()), metric.__name__)
    assert metric.example in told(test)
    keys = [control.key for control in (*test.selectbox, *test.number_input, *test.slider, *test.toggle)]
    assert [f"measure option {metric.__name__} {option.name}" in keys for option in options_of(metric)].count(
        False
    ) == 0


def test_the_column_of_class_labels_can_be_chosen():
    table = people()
    session = session_of(table.with_schema(table.schema.with_roles({"illness": "other"})))
    test = explaining(session, "Classification")
    assert session.unfit(kc.metrics.Classification)
    chosen = test.selectbox(key="measure option Classification target")
    assert chosen.options == ["the first sensitive column", "illness"]
    chosen.set_value("illness").run()
    assert "Classification metric (target illness)" in told(test)
    assert not session.unfit(kc.metrics.Classification)


def test_records_follow_the_options_of_their_measure():
    table = people()
    session = session_of(table.with_schema(table.schema.with_roles({"weight": "other"})))
    session.ways["Classification"] = kc.metrics.Classification("illness")
    test = opened(session, "records")
    test.selectbox(key="measure of records").set_value("Classification").run()
    first = charts(test)[0]["data"][1]["y"]
    session.ways["Classification"] = kc.metrics.Classification("weight")
    test.run()
    second = charts(test)[0]["data"][1]["y"]
    assert first != second  # nearly everybody's weight is unlike the others'

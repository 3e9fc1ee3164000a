"""The Concealment page without a browser: every state and view, odd tables, text from data."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.clusters.matchings import optimum
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app import screens
from tests.app.screens import charts, control, words

VIEWS = ("Possible matches", "Cycles", "Distances", "All records")
EVIL = "<img src=x onerror=alert(1)> ![x](http://a.b)"


def session_of(frame: dict, algorithm: kc.Algorithm | None = None, k: int = 3, **roles: str) -> Session:
    data = pd.DataFrame(frame)
    schema = kc.Schema.infer(data).with_roles(dict.fromkeys(frame, "quasi_identifier") | roles)
    table = kc.Table.from_frame(data, schema)
    return Session(table, "people", "upload:1", Setting(algorithm or kc.OptimalConcealment(), k))


def people(n: int) -> dict:
    rng = np.random.default_rng(5)
    return {
        "age": rng.integers(18, 90, n),
        "weight": rng.normal(70, 9, n).round(1),
        "city": rng.choice(list("ABC"), n),
    }


def opened(session: Session, view: str = VIEWS[0]) -> AppTest:
    return screens.opened("clusters/matchings", session, concealment_view=view)


@pytest.mark.parametrize("algorithm", [kc.MDAV(), kc.Pairing(), kc.Mondrian()], ids=lambda a: a.title)
def test_closed_groups_are_explained_and_a_button_leads_to_overlapping_sets(algorithm):
    test = opened(session_of(people(40), algorithm))
    assert f"{algorithm.title} forms groups" in words(test)
    assert not charts(test)
    test.button(key="open sets").click().run()
    assert test.session_state["kanon"].setting == Setting(kc.OptimalConcealment(), 3)
    assert "optimal" in words(test)
    assert len(charts(test)) == 1


def test_the_way_there_keeps_the_distance():
    test = opened(session_of(people(10), kc.Pairing(distance="plain")))
    test.button(key="open sets").click().run()
    assert test.session_state["kanon"].setting.algorithm == kc.OptimalConcealment(distance="plain")


def test_k_beyond_the_table_is_told():
    test = opened(session_of(people(8), k=9))
    assert "only 8 records, fewer than k" in test.warning[0].value.replace("\\", "")
    assert "not computed yet" in words(test)


def test_without_a_quasi_identifier_it_says_what_to_do():
    test = opened(session_of(people(8), age="other", weight="other", city="sensitive"))
    assert "No column is a quasi-identifier" in test.info[0].value


ODD = {
    "k is n": (people(4), 4),
    "two records": (people(2), 2),
    "missing values": (
        {"age": [1.0, None, 3.0, None, 5.0, 6.0], "city": ["A", None, "B", "A", None, "C"]},
        3,
    ),
    "nothing but missing values": ({"age": [1.0, 2.0, 3.0], "gap": [np.nan] * 3}, 2),
    "identical records": ({"age": [7] * 6, "city": ["A"] * 6}, 3),
    "one column": ({"age": [5, 1, 4, 2, 3]}, 2),
    "one category": ({"city": ["A", "B", "A", "C", "B"]}, 2),
    "dates": (
        {"day": pd.to_datetime(["2024-01-01", "2024-02-01", "2025-01-01", None]), "age": [1, 2, 3, 4]},
        2,
    ),
    "many records": (people(120), 5),
}


@pytest.mark.deep
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("odd", ODD)
def test_every_view_of_odd_tables(odd, view):
    frame, k = ODD[odd]
    test = opened(session_of(frame, k=k), view)
    assert f"{k} requested" in words(test)
    assert len(charts(test)) == {"Distances": 2, "All records": 0}.get(view, 1)
    test.number_input(key="record to follow").set_value(2).run()
    assert "Record 2 could be any of these" in words(test)


@pytest.mark.parametrize("view", VIEWS)
def test_text_from_data_is_text_and_identifiers_are_not_shown(view):
    frame = {
        "who": [f"secret {i}" for i in range(6)],
        EVIL: [EVIL, "b", EVIL, "<b>c</b>", "b", "d"],
        "age": range(6),
    }
    test = opened(session_of(frame, who="identifier"), view)
    sent = words(test) + " ".join(charts(test))
    assert "secret" not in sent
    assert "<img" not in sent
    assert "<b>c" not in sent
    assert not any("![x]" in block.value for block in test.markdown)


def test_few_records_start_with_all_and_one_can_be_followed_and_let_go():
    test = opened(session_of(people(12), k=2))
    assert "By design, each record could be any of" in words(test)
    assert test.number_input(key="record to follow").value is None
    test.number_input(key="record to follow").set_value(4).run()
    assert "Record 4 could be any of these <b>2 rows</b>: 4 and" in words(test)
    test.number_input(key="any k").set_value(3).run()
    assert "Record 4 could be any of these <b>3 rows</b>: 4, " in words(test)
    test.number_input(key="record to follow").set_value(None).run()
    assert "By design, each record could be any of" in words(test)


def test_many_records_start_with_the_first_and_the_table_turns_to_the_followed_one():
    test = opened(session_of(people(120)), "All records")
    assert "Record 1 could be any of these" in words(test)
    assert "Records 1 to 20 of 120" in words(test)
    test.number_input(key="record to follow").set_value(45).run()
    assert "Records 41 to 60 of 120" in words(test)
    page = next(field for field in test.number_input if field.label.startswith("Page"))
    page.set_value(6).run()
    assert "Records 101 to 120 of 120" in words(test)


def test_the_table_says_who_could_be_whom():
    session = session_of({"age": [10, 20, 40, 50], "sex": list("FMMF")}, k=2)
    body = words(opened(session, "All records"))
    assert '>1</button></th><td title="1 and 4">1, 4</td><td title="1 and 4">1, 4</td>' in body
    assert '<td class="after" title="[10, 50]">[10, 50]</td><td title="F">F</td>' in body


def test_a_heuristic_is_shown_against_the_certified_optimum():
    session = session_of(people(60), kc.Tours(heuristic="identity"))
    body = words(opened(session))
    best = kc.anonymize(session.table, kc.OptimalConcealment(), k=3).report["cost"]
    assert f"{best:.2f}" in body
    assert "above the optimum" in body
    assert "Dead ends" in body


def test_a_least_cost_that_rounding_leaves_open_is_not_called_certified():
    """Two records far away hide behind one another; against their other distances the whole cost is
    nothing."""
    session = session_of(
        {"x": [*np.random.default_rng(1).random(40), 1e15, 1e15 + 1.0]}, kc.OptimalConcealment("plain"), 2
    )
    release = kc.anonymize(session.table, session.setting.algorithm, 2)
    cost, bound = release.report["cost"], release.report["dual bound"]
    assert bound < cost * (1 - 1e-9)
    body = words(opened(session))
    assert "Lower bound" in body and "above the bound" in body
    assert "Certified optimum" not in body and "optimal" not in body


def test_the_status_bar_says_for_whom_the_risk_of_overlapping_sets_is():
    assert "worst risk if the attacker does not run the program</b> 33.3 %" in words(
        opened(session_of(people(20)))
    )
    assert "worst risk</b> 33.3 %" in words(opened(session_of(people(21), kc.Pairing())))


def test_the_optimum_of_many_records_waits_for_the_button(monkeypatch):
    monkeypatch.setattr(optimum, "AT_ONCE", 50)
    test = opened(session_of(people(60), kc.Greedy()))
    assert "not computed" in words(test)
    test.button(key="certify").click().run()
    assert "above the optimum" in words(test)
    test.run()
    assert "above the optimum" in words(test)
    assert not [button for button in test.button if button.key == "certify"]
    test.number_input(key="any k").set_value(4).run()
    assert "not computed" in words(test)


def test_the_matchings_drawn_stay_chosen_when_k_changes():
    test = opened(session_of(people(20), k=5), "Cycles")
    test.multiselect(key="matchings from 1").set_value([2, 4]).run()
    test.number_input(key="any k").set_value(3).run()
    assert control(test.multiselect, "matchings from 1").value == [2]
    assert "matching 3" in charts(test)[0]
    test.number_input(key="any k").set_value(6).run()
    assert control(test.multiselect, "matchings from 1").value == [2, 4]


def test_only_the_open_view_is_drawn():
    test = opened(session_of(people(20)))
    assert len(charts(test)) == 1
    keys = {key[2] for key in test.session_state["kanon"].pictures}
    assert keys == {"reading", "graph"}


def test_a_table_no_method_conceals_is_told_why():
    frame = {"age": [1, 2, 3, 4, 5, 6], "basket": ["a b", "a", "b c", "a c", "c", "b"]}
    session = session_of(frame, kc.TopDown(), k=2)
    session.change_schema(session.table.schema.with_kinds({"basket": "items"}))
    test = opened(session)
    assert "Not for this table: Column “basket” holds item sets" in words(test)
    assert not [button for button in test.button if button.key == "open sets"]

"""The Histories page without a browser: every state and view, odd tables, batches that are stopped and go
on."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.table.people import persons_of
from pages.clusters.people import balance as historybalance
from pages.state import jobs
from pages.state.comparisons import HISTORY_VARIANTS
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app import screens
from tests.app.screens import charts, words
from tests.charts.purchasetables import odd, purchases

VIEWS = ("People", "One person", "Products", "Balance", "Ours and the paper's", "Attack")


def session_of(table: kc.Table, k: int = 3, algorithm: kc.Algorithm | None = None) -> Session:
    return Session(table, "purchases", "upload:1", Setting(algorithm or kc.PurchaseHistories(), k))


def opened(session: Session, view: str = VIEWS[0]) -> AppTest:
    return screens.opened("clusters/people", session, histories_view=view)


def test_a_table_without_people_says_where_to_choose_them():
    table = kc.Table.from_frame(pd.DataFrame({"age": [20, 21, 40, 41], "sex": list("fmfm")}))
    test = opened(session_of(table, 2, kc.MDAV()))
    assert "This table has no column that names the person" in words(test)
    assert len(test.get("page_link")) == 1 and not charts(test)
    test.button(key="load purchases").click().run()
    session = test.session_state["kanon"]
    assert session.setting.algorithm == kc.PurchaseHistories() and len(persons_of(session.table)) == 1_000
    assert "1,000 people" in words(test) and len(charts(test)) == 1


def test_an_algorithm_for_records_leads_to_one_for_people():
    frame = purchases().frame.drop_duplicates("customer")
    table = kc.Table.from_frame(frame, purchases().schema)
    test = opened(session_of(table, 30, kc.Sorting()))
    assert "Sorting protects records, not people" in words(test)
    test.button(key="open histories").click().run()
    assert test.session_state["kanon"].setting == Setting(kc.PurchaseHistories(), 20)
    assert len(charts(test)) == 1


def test_a_table_of_people_takes_the_algorithm_for_people():
    session = session_of(kc.Table.from_frame(pd.DataFrame({"age": [1, 2, 3]})), 50, kc.MDAV())
    session.load(purchases(), "purchases", "upload:2")
    assert session.setting == Setting(kc.PurchaseHistories(), 20)
    session.change_schema(session.table.schema.with_roles({"customer": "identifier"}))
    assert session.setting.guarantee.unit == "records" and not session.setting.algorithm.unsuitable(
        session.table, 20
    )
    session.change_schema(session.table.schema.with_roles({"customer": "person"}))
    assert session.setting == Setting(kc.PurchaseHistories(), 20)


def test_people_are_drawn_and_one_is_told():
    test = opened(session_of(purchases()))
    text = words(test)
    assert "18 people in 6 groups of 3" in text and "Chosen: <b>Person 1 has " in text
    assert "5 people" not in text and "at least <b>3 people</b>" in text
    test.slider(key="k").set_value(5).run()
    assert "20 people in 4 groups of 5" in words(test)


def test_of_many_people_a_part_is_shown():
    test = opened(session_of(purchases(100, 2, 5)))
    whole = charts(test)[0]
    test.segmented_control(key="people shown").set_value("near").run()
    assert charts(test)[0] != whole and '"range":[60.5,0.5]' in charts(test)[0].replace(" ", "")


def test_a_person_is_chosen_by_number():
    session = session_of(purchases())
    test = opened(session, "One person")
    first = words(test)
    assert "Before: <b>customer c0" in first and "<th>Before" not in first
    test.number_input(key="person number").set_value(3).run()
    assert "Person 3 has " in words(test)
    release = session.kept(session.setting)
    names = {str(name) for name in release.pseudonyms if name}
    after = words(test).split("under the pseudonym ")[1][:9]
    assert after in names
    test.number_input(key="person number").set_value(20).run()
    assert "all of them are suppressed." in words(test) and "There are no such records." in words(test)
    test.segmented_control(key="records shown").set_value("left out").run()
    assert "Before: <b>customer c0" in words(test)


def test_the_published_half_has_no_name():
    session = session_of(purchases())
    text = words(opened(session, "One person"))
    table = text.split('<div class="beforeafter pairs"')[1]
    persons = persons_of(session.table)
    assert not any(name in table for name in session.table.frame[persons.column])


def test_of_several_pseudonyms_one_is_looked_at():
    frame = purchases(12, 3).frame
    many = frame.loc[
        frame.index.repeat([24 if name in ("c000", "c001") else 1 for name in frame["customer"]])
    ]
    table = kc.Table.from_frame(many.reset_index(drop=True), purchases().schema)
    session = session_of(table, 2, kc.PurchaseHistories("similar"))
    test = opened(session, "One person")
    chosen = [box for box in test.selectbox if box.label == "Pseudonym"]
    assert "pseudonyms that nothing links" in words(test) and len(chosen[0].options) > 1
    first = words(test)
    chosen[0].set_value(chosen[0].options[1]).run()
    assert words(test) != first


@pytest.mark.deep
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", odd())
def test_every_view_of_odd_tables(name, view):
    test = opened(session_of(odd()[name], 2), view)
    text = words(test)
    assert "2 people requested" in text and "<img" not in text
    assert not any("<img" in spec.split('"meta"')[0] for spec in charts(test))


def test_the_balance_is_computed_point_by_point(monkeypatch):
    monkeypatch.setattr(jobs, "_SLICE_SECONDS", 60)
    session = session_of(purchases())
    test = opened(session, "Balance")
    assert "Balance of utility and safety" in words(test) and not charts(test)
    test.button(key="start balance").click().run()
    text = words(test)
    assert "The paper's method: the best k is " in text.replace("&#x27;", "'") and len(charts(test)) == 1
    assert {point.k for point in session.balances.values()} == set(range(2, 21))
    best = min(session.balances.values(), key=lambda p: p.scores["PurchaseUtility"] + p.scores["WorstRisk"])
    assert f"the best k is {best.k}." in text
    test.slider(key="weight of safety").set_value(0.0).run()
    least = min(session.balances.values(), key=lambda p: p.scores["PurchaseUtility"])
    assert f"the best k is {least.k}." in words(test)


def test_a_stopped_balance_goes_on_where_it_was(monkeypatch):
    session = session_of(purchases())
    test = opened(session, "Balance")
    made = []

    def one(table, algorithm, k, metrics, seed, tick):
        made.append(k)
        if len(made) == 4:
            raise kc.UnsuitableError("Not now.")
        return kept(table, algorithm, k, metrics, seed, tick)

    kept = historybalance.sweep_point
    monkeypatch.setattr(jobs, "_SLICE_SECONDS", 60)
    monkeypatch.setattr(historybalance, "sweep_point", one)
    test.button(key="start balance").click().run()
    assert len(session.balances) == 3 and "Not now" in test.warning[0].value and len(charts(test)) == 1
    test.button(key="start balance").click().run()
    assert len(session.balances) == 19 and not test.warning


def test_several_methods_share_a_chart(monkeypatch):
    monkeypatch.setattr(jobs, "_SLICE_SECONDS", 60)
    session = session_of(purchases(), 3, kc.PurchaseHistories(remainder="spread"))
    test = opened(session, "Balance")
    offered = test.multiselect[0].options
    assert len(offered) == 5 and offered[-1].startswith("now: Purchase histories (remainder spread")
    test.multiselect[0].set_value([offered[0], offered[1]]).run()
    test.button(key="start balance").click().run()
    assert len(
        session.balances
    ) == 38 and "Ours: similar people, long histories continue: the best k is " in words(test)
    test.multiselect[0].set_value([]).run()
    assert "Choose at least one method." in words(test)


@pytest.mark.parametrize("name", HISTORY_VARIANTS)
def test_ours_stands_beside_the_paper_s(name):
    session = session_of(purchases())
    test = opened(session, "Ours and the paper's")
    test.segmented_control(key="our variant").set_value(name).run()
    ours = kc.anonymize(session.table, HISTORY_VARIANTS[name], 3)
    paper = kc.anonymize(session.table, kc.PurchaseHistories(), 3)
    text = words(test)
    assert (
        f'<td class="number">{paper.suppressed.sum():,}</td><td class="number">{ours.suppressed.sum():,}</td>'
        in text
    )
    utility = kc.PurchaseUtility().measure(session.table, ours).total
    assert f"{utility:.4f}" in text
    test.button(key="use ours").click().run()
    assert test.session_state["kanon"].setting.algorithm == HISTORY_VARIANTS[name]
    assert not [button for button in test.button if button.key == "use ours"]


def test_attacks_by_k(monkeypatch):
    monkeypatch.setattr(jobs, "_SLICE_SECONDS", 60)
    session = session_of(purchases(), 7)
    test = opened(session, "Attack")
    assert "Re-identification by k" in words(test)
    test.button(key="start attack").click().run()
    text = words(test)
    found = {key[1]: one for key, one in session.attacks.items()}
    assert len(found) == 10 and len(charts(test)) == 1
    mine = found[session.setting.key]
    assert f"{mine.identified:,} of {mine.tried:,} histories (" in text
    assert "contest&#x27;s limit" in text or "contest's limit" in text
    assert (
        text.count("not shown unsafe</td>") + text.count("✗ unsafe</td>") + text.count("too few</td>") == 20
    )
    test.selectbox(key="attack").set_value("UniqueRows").run()
    assert "Re-identification by k" in words(test)

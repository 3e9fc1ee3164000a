"""Tables that say whose a record is: every page protects people and says so."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.papers.contest import contest_bytes
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app import screens
from tests.app.screens import words
from tests.charts.purchasetables import odd, purchases


def session_of(table: kc.Table, k: int = 3, algorithm: kc.Algorithm | None = None) -> Session:
    return Session(table, "purchases", "upload:1", Setting(algorithm or kc.PurchaseHistories(), k))


def opened(session: Session, page: str) -> AppTest:
    return screens.opened(page, session)


def status(test: AppTest) -> str:
    return next(block.proto.body for block in test.get("html") if "statusbar" in block.proto.body)


@pytest.mark.parametrize(
    "page", ["data", "tune", "clusters", "curves", "release", "map", "clusters/sets", "clusters/matchings"]
)
def test_every_page_says_that_people_are_protected(page):
    session = session_of(purchases())
    session.keep(session.setting, kc.anonymize(session.table, kc.PurchaseHistories(), 3))
    test = opened(session, page)
    assert not test.exception
    bar = status(test)
    assert "records of 20 people" in bar and "<b>protects</b> people" in bar
    assert "3 people requested, 3 achieved" in bar and ("6 of 3 people" in bar) == (page != "tune")


def test_of_records_nothing_is_said_of_people():
    table = kc.Table.from_frame(pd.DataFrame({"age": [20, 21, 40, 41, 60, 61], "sex": list("fmfmfm")}))
    test = opened(session_of(table, 2, kc.MDAV()), "tune")
    assert "<b>protects</b> records" in status(test) and "people" not in status(test)
    assert not [
        option
        for option in kc.ALGORITHMS
        if option.family == "histories" and not option().unsuitable(table, 2)
    ]
    assert kc.PurchaseUtility not in session_of(table).metrics


def test_explore_counts_people():
    test = opened(session_of(purchases()), "tune")
    text = words(test)
    assert "people with equal published histories" in text and " suppressed" in text
    assert "Groups of people" in text and "Purchase utility" not in text
    test.slider(key="k").set_value(4).run()
    assert "4 people requested, 4 achieved" in status(test) and "6 → 5 groups of people" in words(test)
    assert "at least k people" in test.slider(key="k").label and test.slider(key="k").max == 20


def test_clusters_show_groups_of_people_and_of_records():
    text = words(opened(session_of(purchases()), "clusters"))
    assert "6 groups of exactly 3 people each" in text
    assert "This group has 3 records that are published alike, one of each of 3 people." in text
    assert "Their published quasi-identifiers do not tell them apart" not in text


def test_k_beyond_the_people_is_told():
    test = opened(session_of(purchases(), 21), "tune")
    assert "only 20 people, fewer than k" in test.warning[0].value.replace("\\", "")


def test_the_person_is_chosen_on_the_data_page():
    table = purchases()
    plain = table.with_schema(table.schema.with_roles({"customer": "identifier"}))
    test = opened(session_of(plain, 3, kc.MDAV()), "data")
    chosen = next(box for box in test.selectbox if box.label == "Which column names the person?")
    assert chosen.value is None and "The column customer names" not in words(test)
    chosen.set_value("customer").run()
    session = test.session_state["kanon"]
    assert session.table.schema["customer"].role == "person"
    assert "The column customer names <b>20 people</b>" in words(test)
    assert "With Purchase histories, k counts people" in words(test)
    next(box for box in test.selectbox if box.label == "Which column names the person?").set_value(
        "goods"
    ).run()
    roles = {a.name: a.role for a in test.session_state["kanon"].table.schema}
    assert roles["customer"] == "identifier" and roles["goods"] == "person"


@pytest.mark.deep
@pytest.mark.parametrize("name", odd())
@pytest.mark.parametrize("page", ["data", "tune", "clusters", "release"])
def test_odd_tables(page, name):
    test = opened(session_of(odd()[name], 2), page)
    assert "<img" not in words(test) and "records of" in status(test)


def test_the_contest_s_notation_is_a_format_of_histories():
    session = session_of(purchases())
    test = opened(session, "release")
    assert "PWSCUP" in test.segmented_control(key="format").options
    test.segmented_control(key="format").set_value("pwscup").run()
    assert not test.exception and "[" in test.code[0].value and "c0" not in test.code[0].value
    assert "The first 12 of " in words(test)
    release = session.kept(session.setting)
    assert test.code[0].value.splitlines()[0] == contest_bytes(release).decode().splitlines()[0]


def test_what_the_notation_cannot_write_is_told():
    session = session_of(odd()["missing cells"], 2)
    test = opened(session, "release")
    test.segmented_control(key="format").set_value("pwscup").run()
    assert "missing values" in test.warning[0].value and "Choose another format" in test.warning[0].value


def test_a_file_in_the_notation_is_read_back():
    session = session_of(purchases())
    test = opened(session, "release")
    release = session.kept(session.setting)

    def uploaded(name: str, content: bytes) -> None:
        box = next(box for box in test.get("file_uploader") if box.label.startswith("File with histories"))
        box.upload(name, content, "text/csv").run()

    uploaded("T-k3.pwscup", contest_bytes(release))
    assert "This file equals the current release" in words(test) and "Pseudonyms: <b>18</b>." in words(test)
    uploaded("from a spreadsheet.csv", b"\xef\xbb\xbf" + contest_bytes(release).replace(b"\n", b"\r\n"))
    assert "This file equals the current release" in words(test)
    utility = kc.PurchaseUtility().measure(session.table, release).total
    uploaded("A.csv", contest_bytes(release, whole=True))
    assert f"<b>{utility:.4f}</b>" in words(test) and "This file equals the current release" in words(test)
    other = kc.anonymize(session.table, kc.PurchaseHistories(), 5)
    uploaded("B.csv", contest_bytes(other))
    assert "This file differs from the current release" in words(test)
    uploaded("C.csv", b"1,2,3\n")
    assert "Line 1 has 3 fields" in test.error[0].value.replace("\\", "")


def test_returns_and_rows_of_nobody_are_left_out_by_choice():
    rows = ["InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country"]
    rows += [
        f"53{i},8512{i},MUG {i},{i + 1},2010-12-0{i + 1} 08:26:00,2.55,1785{i % 3},France" for i in range(6)
    ]
    rows += [
        "C539,85123,MUG 3,-1,2010-12-01 09:41:00,2.55,17850,France",
        "540,85124,MUG 4,2,2010-12-01 11:52:00,1.0,,France",
    ]
    plain = kc.Table.from_frame(pd.DataFrame({"age": [1, 2, 3]}))
    test = opened(session_of(plain, 2, kc.MDAV()), "data")

    def uploaded(name: str, content: str) -> None:
        next(box for box in test.get("file_uploader") if box.label == "Your file").upload(
            name, content.encode(), "text/csv"
        ).run()

    uploaded("retail.csv", "\n".join(rows) + "\n")
    assert "8 records of 3 people" in status(test) and "1 record names nobody" in words(test)
    test.multiselect(key="leave out").set_value(["returns", "nobody"]).run()
    assert "6 records of 3 people" in status(test) and not test.error
    uploaded("people.csv", "age,sex\n1,f\n2,m\n3,f\n4,m\n")
    assert "4 records" in status(test) and not test.error and not test.exception


def test_a_column_that_names_nobody_is_shown_as_such():
    table = kc.read_table(b"who,age\n,3\n,4\n,5\n")
    table = table.with_schema(table.schema.with_roles({"who": "person", "age": "quasi_identifier"}))
    said = words(opened(session_of(table), "data"))
    assert "names <b>0 people</b>" in said and "3 records name nobody and will be left out" in said


def test_the_menu_of_algorithms_opens_where_one_person_alone_has_records():
    table = kc.read_table(b"who,age\na,3\na,4\na,5\n")
    table = table.with_schema(table.schema.with_roles({"who": "person", "age": "quasi_identifier"}))
    session = session_of(table, 2)
    test = screens.opened("tune", session, algorithms=True)
    assert session.largest_k == 1
    assert not test.exception and [one for one in test.button if (one.key or "").startswith("algorithm.")]

"""The controls of item sets on Data: how they are split, and files with one row for each item."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.table.columns.columns import Items
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app import screens

PAGES = Path(__file__).resolve().parents[2] / "pages"


def _page():
    from pages.data.values import delimiter_controls
    from pages.state.session import current

    delimiter_controls(current())


def opened(cells, name: str = "tags") -> AppTest:
    frame = pd.DataFrame({name: cells, "x": range(len(cells))})
    schema = kc.Schema((kc.Attribute(name, kind="items"), kc.Attribute("x", kind="numeric")))
    session = Session(kc.Table.from_frame(frame, schema), "table", "upload:1", Setting(kc.TopDown(), 2))
    test = AppTest.from_function(_page, default_timeout=30)
    test.session_state["kanon"] = session
    return test.run()


def column(test: AppTest, name: str = "tags"):
    assert not test.exception
    return test.session_state["kanon"].table[name]


def notes(test: AppTest) -> str:
    return " ".join(block.proto.body for block in test.get("html"))


def test_what_was_found_is_shown_and_can_be_changed():
    test = opened(["a|b;c", "c;a|b", "c"])
    menu = test.selectbox(key="delimiter tags")
    assert menu.value == "" and "as found: semicolon  ;" in menu.options
    assert "2 different items, 1.7 per record" in notes(test) and "{a|b, c}" in notes(test)
    menu.set_value("|").run()
    assert column(test).labels == ("a", "b", "b;c", "c", "c;a")
    assert test.selectbox(key="delimiter tags").value == "|"
    test.selectbox(key="delimiter tags").set_value("").run()
    assert column(test).delimiter == ";" and column(test).attribute.delimiter == ""


def test_a_text_of_ones_own():
    test = opened(["a::b", "b"])
    test.selectbox(key="delimiter tags").set_value("other text").run()
    assert test.text_input(key="delimiter tags text").value == "||"
    test.text_input(key="delimiter tags text").set_value("::").run()
    assert column(test).labels == ("a", "b")
    assert test.selectbox(key="delimiter tags").value == "other text"


def test_a_text_that_is_refused_changes_nothing():
    test = opened(["a::b", "b"])
    test.selectbox(key="delimiter tags").set_value("other text").run()
    test.text_input(key="delimiter tags text").set_value("=").run()
    assert column(test).attribute.delimiter == "||"
    assert test.session_state["schema problem"].endswith("Nothing was changed.")


def test_a_name_that_looks_like_markdown_stays_text():
    test = opened(["a;b", None], name="![x](http://a.b)")
    assert "records without items: 1." in notes(test)
    assert not test.exception


def test_nothing_where_there_is_no_item_set():
    test = opened(["a;b", "c"])
    session = test.session_state["kanon"]
    session.change_schema(session.table.schema.with_kinds({"tags": "categorical"}))
    test.run()
    assert not test.selectbox and not test.exception


@pytest.mark.deep
@pytest.mark.parametrize("page", ["tune", "clusters", "release"])
def test_pages_show_a_table_of_item_sets(page):
    test = opened(["a;b", "b", "a;b", "b;c"] * 5)
    again = AppTest.from_file(PAGES / page / "page.py", default_timeout=60)
    again.session_state["kanon"] = test.session_state["kanon"]
    again.run()
    assert not again.exception
    if page == "release":
        assert set(again.dataframe[0].value["tags"]) == {"{a, b}", "{b}"}
    else:
        assert "{a, b}" in " ".join(block.proto.body for block in again.get("html"))


def test_a_file_with_one_row_for_each_item_is_read_by_the_records_it_names():
    rows = "order,age,product\n1,30,tea\n1,30,milk\n2,41,tea\n3,52,beer\n3,52,tea\n3,52,tea\n"
    plain = kc.Table.from_frame(pd.DataFrame({"age": [1, 2, 3]}))
    session = Session(plain, "people", "upload:1", Setting(kc.MDAV(), 2))
    test = screens.opened("data", session)
    box = next(box for box in test.get("file_uploader") if box.label == "Your file")
    box.upload("orders.csv", rows.encode(), "text/csv").run()
    assert len(session.table) == 6
    test.text_input(key="long record").set_value("order").run()
    assert len(session.table) == 6, "one of the two names says nothing yet"
    test.text_input(key="long item").set_value("product").run()
    assert not test.exception and not test.error and len(session.table) == 3
    column = session.table["product"]
    assert isinstance(column, Items) and column.labels == ("beer", "milk", "tea")
    assert column.sizes.tolist() == [2, 1, 2]
    test.text_input(key="long item").set_value("nothing").run()
    assert test.error and "nothing" in test.error[0].value and len(session.table) == 3

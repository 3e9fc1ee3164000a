"""The Data page's hierarchies: read, made, drawn, edited, refused, taken away."""

from __future__ import annotations

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting

TOWNS = b"Paris;France;Europe;*\nLyon;France;Europe;*\nRome;Italy;Europe;*\nLima;Peru;*\n"
FRAME = pd.DataFrame(
    {"town": ["Paris", "Lyon", "Rome", "Lima"] * 3, "floor": [str(i) for i in range(12)], "x": range(12)}
)


def _page():
    from pages.data.hierarchies import chooser
    from pages.state.session import current

    chooser(current())


def opened(column: str = "town", frame: pd.DataFrame = FRAME, **kinds: str) -> tuple[AppTest, Session]:
    kinds = {"town": "categorical", "floor": "text", "x": "numeric"} | kinds
    schema = kc.Schema(tuple(kc.Attribute(name, kind=kinds[name]) for name in frame))
    session = Session(kc.Table.from_frame(frame, schema), "towns", "upload:1", Setting(kc.TopDown(), 2))
    test = AppTest.from_function(_page, default_timeout=30)
    test.session_state["kanon"] = session
    test.session_state["hierarchy column"] = column
    return test.run(), session


def tree_of(session: Session, name: str = "town") -> kc.Hierarchy | None:
    return session.table.schema[name].hierarchy


def warnings(test: AppTest) -> str:
    assert not test.exception
    return " ".join(block.value.replace("\\", "") for block in test.warning)


def upload(test: AppTest, data: bytes, name: str = "town") -> AppTest:
    return test.file_uploader(key=f"hierarchy file {name}").set_value(("tree.csv", data, "text/csv")).run()


def test_a_file_is_read_shown_and_taken_away():
    test, session = opened()
    upload(test, TOWNS)
    assert warnings(test) == "" and tree_of(session) == kc.read_hierarchy(TOWNS)
    assert "4 values in 4 groups on 2 levels" in " ".join(block.proto.body for block in test.get("html"))
    assert len(test.get("plotly_chart")) == 1
    assert kc.anonymize(session.table, kc.TopDown(), 2).recipe.schema["town"].hierarchy is not None
    test.button(key="hierarchy remove").click().run()
    assert tree_of(session) is None and test.file_uploader(key="hierarchy file town")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"Paris;France;*\nParis;Italy;*\n", "“Paris” twice"),
        (b"only one column\n", "The file is not a hierarchy"),
        (b"Paris;*\nLyon;Paris;*\nRome;*\nLima;*\n", "has groups with the names of values: “Paris”"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_and_nothing_is_lost(data, said):
    test, session = opened()
    before = session.table
    upload(test, data)
    assert said in warnings(test) and "Nothing was changed." in warnings(test)
    assert session.table is before
    assert "hierarchy complete" not in [button.key for button in test.button]
    upload(test, TOWNS)
    assert warnings(test) == "" and tree_of(session) is not None


def test_values_that_a_file_misses_can_be_put_at_the_top():
    test, session = opened()
    upload(test, b"Paris;France;*\nLyon;France;*\nRome;Italy;*\n")
    assert "lacks values: “Lima”" in warnings(test) and tree_of(session) is None
    test.button(key="hierarchy complete").click().run()
    assert warnings(test) == "" and tree_of(session).above["Lima"] == "*"


def test_intervals_are_made_where_all_values_are_numbers():
    test, session = opened("floor")
    test.text_input(key="hierarchy widths").set_value("5, 12").run()
    test.button(key="hierarchy intervals").click().run()
    assert "each a multiple" in warnings(test) and tree_of(session, "floor") is None
    test.text_input(key="hierarchy widths").set_value("5; ten").run()
    test.button(key="hierarchy intervals").click().run()
    assert "must be numbers" in warnings(test)
    test.text_input(key="hierarchy widths").set_value("5, 10").run()
    test.button(key="hierarchy intervals").click().run()
    assert warnings(test) == "" and tree_of(session, "floor").above["7"] == "[5, 10)"
    towns, _ = opened("town")
    assert "hierarchy widths" not in [field.key for field in towns.text_input]


def test_one_is_drawn_value_by_value():
    test, session = opened()
    test.button(key="hierarchy draw").click().run()
    assert set(tree_of(session).below) == {"*"}
    test.multiselect(key="hierarchy chosen town").set_value(["Paris", "Lyon"]).run()
    test.text_input(key="hierarchy group").set_value("Rome").run()
    test.button(key="hierarchy gather").click().run()
    assert "“Rome” is a value" in warnings(test)
    assert test.multiselect(key="hierarchy chosen town").value == ["Paris", "Lyon"], "the choice stays"
    test.text_input(key="hierarchy group").set_value("France").run()
    test.button(key="hierarchy gather").click().run()
    assert warnings(test) == "" and tree_of(session).below["France"] == ("Lyon", "Paris")
    assert test.multiselect(key="hierarchy chosen town").value == []


def test_rows_are_edited_and_a_bad_edit_stays_on_screen(monkeypatch):
    """The replaced grid hands in what was typed as the real grid does: on every run until its key changes."""
    typed: dict[tuple[int, str], str] = {}
    keys: list[str] = []

    def grid(frame, key, **_):
        if keys and key != keys[-1]:
            typed.clear()
        keys.append(key)
        edited = frame.copy()
        for (row, name), text in typed.items():
            edited.loc[row, name] = text
        return edited

    test, session = opened()
    upload(test, TOWNS)
    monkeypatch.setattr(st, "data_editor", grid)
    test.run()
    row = tree_of(session).nodes.index("Paris") - 1
    typed[row, "name"] = "Parigi"
    test.run()
    assert "“Paris” is a value of the column and cannot be renamed" in warnings(test)
    assert typed and "Parigi" not in tree_of(session).number
    typed[row, "name"] = "Paris"
    test.run()
    assert warnings(test) == ""
    typed[row, "group above"] = "Capitals"
    typed[tree_of(session).nodes.index("Europe") - 1, "name"] = "EU"
    test.run()
    assert warnings(test) == "" and not typed
    assert tree_of(session).above["Paris"] == "Capitals" and tree_of(session).above["France"] == "EU"


BASKETS = pd.DataFrame({"basket": ["beer;milk", "wine", "beer;bread", ""] * 3, "x": range(12)})
GOODS = b"beer;alcohol;drinks;*\nwine;alcohol;drinks;*\nmilk;drinks;*\nbread;food;*\n"


def test_items_of_sets_get_groups_as_values_do():
    test, session = opened("basket", BASKETS, basket="items")
    assert test.selectbox(key="hierarchy column").options == ["basket"]
    upload(test, GOODS, "basket")
    assert warnings(test) == "" and tree_of(session, "basket").above["wine"] == "alcohol"
    assert "4 values in 3 groups on 2 levels" in " ".join(block.proto.body for block in test.get("html"))
    test.button(key="hierarchy remove").click().run()
    upload(test, b"beer;drinks;*\nwine;drinks;*\n", "basket")
    assert "lacks values: “bread” and 1 more" in warnings(test) and tree_of(session, "basket") is None
    test.button(key="hierarchy complete").click().run()
    assert tree_of(session, "basket").above["milk"] == "*"
    test.multiselect(key="hierarchy chosen basket").set_value(["milk", "bread"]).run()
    test.text_input(key="hierarchy group").set_value("food").run()
    test.button(key="hierarchy gather").click().run()
    assert warnings(test) == "" and tree_of(session, "basket").below["food"] == ("bread", "milk")
    session.change_schema(session.table.schema.with_delimiters({"basket": ";"}))
    assert tree_of(session, "basket") is not None


def test_a_sample_has_groups_to_try():
    table = kc.read_table("sample:receipts-10000")
    session = Session(table, "receipts", "sample:receipts-10000", Setting(kc.TopDown(), 10))
    test = AppTest.from_function(_page, default_timeout=30)
    test.session_state["kanon"], test.session_state["hierarchy column"] = session, "diseases"
    test.run().button(key="hierarchy ready").click().run()
    assert warnings(test) == "" and tree_of(session, "diseases").above["knee"] == "bones and joints"
    other = Session(table, "receipts", "upload:1", Setting(kc.TopDown(), 10))
    test = AppTest.from_function(_page, default_timeout=30)
    test.session_state["kanon"], test.session_state["hierarchy column"] = other, "diseases"
    assert "hierarchy ready" not in [button.key for button in test.run().button]


def test_only_categorical_and_text_quasi_identifiers_are_offered():
    test, _ = opened()
    assert test.selectbox(key="hierarchy column").options == ["town", "floor"]
    frame = pd.DataFrame({"x": [1, 2, 3]})
    test, _ = opened("x", frame)
    assert not test.exception and not test.selectbox


def test_labels_are_never_markdown():
    names = ["**bold**", "<script>", "[a](http://b.c)", "plain"]
    test, session = opened("town", FRAME.assign(town=names * 3))
    upload(test, b"x;y;*\n")
    assert "\\*\\*bold\\*\\*" in test.warning[0].value
    test.button(key="hierarchy draw").click().run()
    assert not test.exception and set(tree_of(session).values) == set(names)

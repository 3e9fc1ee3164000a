"""Product categories on the Data page: from a file, proposed, edited, undone; and their curves on the
Histories page."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.charts.table.valuebars import category_figure, category_sentence
from kanon_core.table.hierarchy.category_map import CategoryMap
from pages.data.categories import moved
from pages.state import jobs
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app import screens
from tests.app.screens import words
from tests.charts.purchasetables import EVIL, purchases

MAP = CategoryMap(tuple((f"g{i}", "even" if i % 2 == 0 else "odd") for i in range(28)))


def described() -> kc.Table:
    """Purchases whose products have descriptions of two kinds."""
    frame = purchases().frame
    words = ["blue ceramic mug", "paper lantern light"]
    frame = frame.assign(text=[words[int(item[1:]) % 2] + f" {item}" for item in frame["goods"]])
    schema = (
        kc.Schema.infer(frame)
        .with_roles(dict.fromkeys(frame, "other"))
        .with_kinds({"customer": "categorical", "text": "text"})
    )
    roles = {a.name: a.role for a in purchases().schema}
    return kc.Table.from_frame(frame, schema.with_kinds({"goods": "categorical"}).with_roles(roles))


def opened(table: kc.Table, page: str = "data", **state: object) -> AppTest:
    session = Session(table, "purchases", "upload:1", Setting(kc.PurchaseHistories(), 3))
    return screens.opened(page, session, **state)


def categories(test: AppTest) -> CategoryMap | None:
    return test.session_state["kanon"].table.schema["goods"].categories


def uploaded(test: AppTest, content: bytes) -> None:
    box = next(box for box in test.get("file_uploader") if box.label == "File with categories")
    box.upload("map.csv", content, "text/csv").run()


def test_items_of_sets_get_categories_from_a_file():
    frame = pd.DataFrame({"basket": ["g0;g1", "g1;g2", "g28", "g28;g0", "", "g1"]})
    schema = kc.Schema.infer(frame).with_kinds({"basket": "items"}).with_roles({"basket": "quasi_identifier"})
    test = opened(kc.Table.from_frame(frame, schema))
    assert "Categories for item sets are read from a file" in words(test)
    uploaded(test, MAP.to_csv().encode())
    assert test.session_state["kanon"].table["basket"].labels == ("even", "odd", "unknown")
    text = words(test)
    assert "Categories: <b>2</b>. Products without a category become “unknown”: <b>1</b>" in text
    assert "(occurrences: <b>2</b>)" in text
    test.button(key="categories undo").click().run()
    assert test.session_state["kanon"].table["basket"].labels == ("g0", "g1", "g2", "g28")


def test_a_file_gives_categories_and_undo_takes_them_back():
    test = opened(purchases())
    uploaded(test, MAP.to_csv().encode())
    assert categories(test) == MAP
    products = purchases().frame["goods"]
    text = words(test)
    assert f"Products: <b>{products.nunique()}</b>. Categories: <b>2</b>. Products without a category" in text
    assert f"(records: <b>{int(products.isin(['g28', 'g29']).sum())}</b>)" in text
    assert "28 products in 2 categories; the largest, “even”, has 14 (50 %)." in text
    test.button(key="categories undo").click().run()
    assert categories(test) is None and not test.exception
    assert not _has(test, "categories undo")


def _has(test: AppTest, key: str) -> bool:
    return any(button.key == key for button in test.button)


def test_a_file_with_a_product_twice_is_refused_in_words():
    test = opened(purchases())
    uploaded(test, b"g1;a\ng1;b\n")
    assert categories(test) is None
    assert "more than once" in test.warning[0].value and "Nothing was changed" in test.warning[0].value


def test_categories_are_proposed_from_descriptions():
    test = opened(described())
    test.number_input(key="categories at most").set_value(2)  # sent by the click that leaves the field
    test.button(key="categories propose").click().run()
    found = categories(test)
    assert found is not None and len(found.sizes) == 2
    assert len({found.of[f"g{i}"] for i in (0, 2, 4)}) == 1 and found.of["g0"] != found.of["g1"]


def test_descriptions_stay_beside_the_products():
    test = opened(described())
    test.button(key="categories propose").click().run()
    for _ in range(2):
        rows = next(frame.value for frame in test.run().dataframe if "product" in frame.value)
        texts = rows.set_index("product")["description"]
        assert texts["g0"].startswith("blue ceramic mug") and texts["g1"].startswith("paper lantern")


def test_without_descriptions_nothing_is_proposed():
    test = opened(purchases())
    assert "this table has no column with texts" in words(test) and not _has(test, "categories propose")


def test_a_category_is_renamed_and_two_are_joined():
    table = purchases()
    test = opened(table.with_schema(table.schema.with_categories({"goods": MAP})))
    test.selectbox(key="category to rename").set_value("odd").run()
    test.text_input(key="category name").set_value("even").run()
    test.button(key="category rename").click().run()
    assert categories(test).sizes == {"even": 28}
    test.button(key="categories undo").click().run()
    assert categories(test) == MAP
    test.button(key="categories remove").click().run()
    assert categories(test) is None
    test.button(key="categories undo").click().run()
    assert categories(test) == MAP


def test_a_category_gets_the_name_that_was_typed_last():
    """The click on the button sends it, which was drawn for the name before."""
    table = purchases()
    test = opened(table.with_schema(table.schema.with_categories({"goods": MAP})))
    test.selectbox(key="category to rename").set_value("odd").run()
    test.text_input(key="category name").set_value("even").run()
    test.text_input(key="category name").set_value("uneven")
    test.button(key="category rename").click().run()
    assert set(categories(test).sizes) == {"even", "uneven"}
    test.text_input(key="category name").set_value(" ")
    test.button(key="category rename").click().run()
    assert set(categories(test).sizes) == {"even", "uneven"}


def test_an_undo_that_is_refused_is_told_and_stays_possible():
    test = opened(purchases())
    uploaded(test, MAP.to_csv().encode())
    session = test.session_state["kanon"]
    parents = (("even", "number"), ("odd", "number"), ("unknown", "number"))
    tree = kc.Hierarchy((*parents, ("number", "*")))
    session.change_schema(session.table.schema.with_hierarchies({"goods": tree}))
    test.run().button(key="categories undo").click().run()
    assert not test.exception and categories(test) == MAP
    assert "Nothing was changed" in test.warning[0].value
    session.change_schema(session.table.schema.with_hierarchies({"goods": None}))
    test.run().button(key="categories undo").click().run()
    assert categories(test) is None and not test.warning


def test_edited_cells_become_the_map():
    shown = pd.DataFrame({"product": ["g1", "g2"], "category": ["odd", "even"]})
    assert moved(MAP, shown, shown.copy()) is None
    edited = shown.assign(category=["new", None])
    found = moved(MAP, shown, edited)
    assert found.of["g1"] == "new" and found.of["g2"] == "even" and found.of["g3"] == "odd"


def test_products_are_searched_and_text_from_data_stays_text():
    table = purchases()
    evil = MAP.with_products(["g1"], EVIL)
    test = opened(table.with_schema(table.schema.with_categories({"goods": evil})))
    assert "<img" not in words(test)
    test.text_input(key="categories search").set_value("g2").run()
    products = next(frame.value["product"] for frame in test.dataframe if "product" in frame.value)
    assert not test.exception and sorted(products) == sorted(["g2", *(f"g{i}" for i in range(20, 28))])


def test_the_chart_has_a_bar_for_each_category():
    figure = category_figure(MAP.renamed("odd", "<b>odd</b>").sizes)
    assert list(figure.data[0].x) == [14, 14] and "&lt;b&gt;odd&lt;/b&gt;" in figure.layout.yaxis.ticktext
    assert category_sentence({}) == "There are no categories."
    assert category_sentence({"a": 1}) == "1 product in 1 category; the largest, “a”, has 1 (100 %)."


@pytest.mark.parametrize("view", ["Products", "Balance"])
def test_histories_show_them(monkeypatch, view):
    monkeypatch.setattr(jobs, "_SLICE_SECONDS", 60)
    table = purchases()
    with_map = table.with_schema(table.schema.with_categories({"goods": MAP}))
    test = opened(with_map, "clusters/people", histories_view=view)
    if view == "Products":
        assert "3 values of “goods”" in words(test)
        test.segmented_control(key="counted").set_value("products").run()
        assert "28 products in 2 categories" in words(test)
        return
    assert len(test.multiselect[0].value) == 2
    test.button(key="start balance").click().run()
    points = test.session_state["kanon"].balances
    for k in range(2, 21):
        plain, mapped = (
            points[(of.digest, Setting(kc.PurchaseHistories(), k).key)] for of in (table, with_map)
        )
        assert mapped.scores["PurchaseUtility"] <= plain.scores["PurchaseUtility"]
    assert "with categories loses " in words(test)

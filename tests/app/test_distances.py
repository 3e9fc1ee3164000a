"""The Data page's distances: what may be chosen, what is typed in, what is shown of it."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import control

DATA = Path(__file__).resolve().parents[2] / "pages" / "data" / "page.py"
FRAME = pd.DataFrame(
    {
        "name": [f"secret {i}" for i in range(8)],
        "town": ["Nara", "Osaka", "Tokyo", "Osaka"] * 2,
        "age": [20, 31, 42, 50, 61, 70, 81, 90],
        "lat": [35.0, 35.1, 35.2, 35.3, 35.4, 35.5, 35.6, 35.7],
        "lon": [139.0] * 8,
    }
)
KINDS = {"name": "text", "town": "categorical", "age": "numeric", "lat": "latitude", "lon": "longitude"}


def opened(column: str, frame: pd.DataFrame = FRAME, **roles: str) -> tuple[AppTest, Session]:
    wanted = dict.fromkeys(frame, "quasi_identifier") | {"name": "identifier"} | roles
    schema = kc.Schema(tuple(kc.Attribute(name, wanted[name], KINDS[name]) for name in frame))
    session = Session(kc.Table.from_frame(frame, schema), "people", "upload:1", Setting(kc.MDAV(), 2))
    test = AppTest.from_file(DATA, default_timeout=30)
    test.session_state["kanon"] = session
    test.session_state["distance column"] = column
    return test.run(), session


def words(test: AppTest) -> str:
    assert not test.exception
    return " ".join(block.proto.body for block in test.get("html")) + " ".join(
        block.value.replace("\\", "") for block in (*test.info, *test.warning)
    )


def pairs(test: AppTest) -> list[str]:
    """The lines of nearest and farthest values, without markup."""
    lines = [
        re.sub("<[^>]+>", "", block.proto.body) for block in test.get("html") if "<b>" in block.proto.body
    ]
    return [text for text in lines if " – " in text]


def test_a_distance_is_chosen_and_its_pairs_are_shown():
    test, session = opened("town")
    menu = test.selectbox(key="distance town")
    assert menu.value == "Discrete"
    assert set(menu.options) == {
        "Discrete",
        "Tree",
        "Graph",
        "Given matrix",
        "Hamming",
        "Levenshtein",
        "Normalized Levenshtein",
        "Damerau–Levenshtein",
    }
    menu.set_value("Levenshtein").run()
    assert session.table.schema["town"].distance == kc.Levenshtein()
    assert pairs(test)[0] == "3 letters – Nara and Osaka"
    assert pairs(test)[3].startswith("5 letters – ") and len(pairs(test)) == 6
    test.selectbox(key="distance town").set_value("Discrete").run()
    assert session.table.schema["town"].distance is None
    assert not test.exception


def test_options_belong_to_the_distance():
    test, session = opened("age")
    test.selectbox(key="distance age Absolute scale").set_value("none").run()
    assert session.table.schema["age"].distance == kc.Absolute("none")
    assert pairs(test)[3] == "70 – 20 and 90"
    assert "The largest possible distance is 70." in words(test)


def test_a_tree_is_typed_in_and_waits_until_it_has_every_value():
    test, session = opened("town")
    test.selectbox(key="distance town").set_value("Tree").run()
    assert session.table.schema["town"].distance is None
    assert "lacks 3 of its values (“Nara”, “Osaka”, “Tokyo”)" in words(test)
    lines = "Nara,Kansai\nOsaka,Kansai\nTokyo,Kanto\nKansai,Japan\n"
    test.text_area(key="distance town Tree parents").set_value(lines).run()
    assert "2 roots, “Japan”, “Kanto”" in words(test)
    assert test.text_area(key="distance town Tree parents").value == lines
    assert session.table.schema["town"].distance is None
    test.text_area(key="distance town Tree parents").set_value(lines + "Kanto,Japan\n").run()
    distance = session.table.schema["town"].distance
    assert isinstance(distance, kc.Tree) and len(distance.parents) == 5
    assert "roots" not in words(test)
    assert pairs(test)[0] == "2 – Nara and Osaka"
    test.text_area(key="distance town Tree lengths").set_value("3,far").run()
    assert "must be numbers above 0" in words(test)
    assert session.table.schema["town"].distance == distance


def test_what_was_wrong_is_forgotten_with_the_text_that_was():
    test, _ = opened("town")
    test.selectbox(key="distance town").set_value("Tree").run()
    test.text_area(key="distance town Tree lengths").set_value("3,far").run()
    assert "must be numbers above 0" in test.warning[0].value
    test.selectbox(key="distance town").set_value("Discrete").run()
    test.selectbox(key="distance town").set_value("Tree").run()
    assert test.text_area(key="distance town Tree lengths").value == "" and not test.warning


def test_a_place_is_measured_by_its_two_columns():
    test, session = opened("lat")
    test.selectbox(key="distance lat").set_value("GreatCircle").run()
    assert session.table.schema["lat"].distance == kc.GreatCircle()
    assert "lon" not in test.selectbox(key="distance column").options
    shown = next(block.value for block in test.dataframe if "role" in block.value.columns)
    assert shown["distance"].tolist() == [
        "",
        "Discrete",
        "Absolute difference",
        "Great circle",
        "measured with the latitude",
    ]
    assert pairs(test)[3] == "77.84 km – 35.0, 139.0 and 35.7, 139.0"


def test_why_a_distance_is_not_offered_is_said():
    test, _ = opened("lat", lon="other")
    assert "Great circle" not in test.selectbox(key="distance lat").options
    assert (
        "Not for this column: Great circle. “Great circle” needs a quasi-identifier of kind longitude"
        in words(test)
    )


def test_names_are_neither_offered_nor_quoted():
    test, _ = opened("name")
    assert "name" not in test.selectbox(key="distance column").options
    assert "secret" not in words(test)


def test_another_kind_brings_the_default_back():
    test, session = opened("town")
    test.selectbox(key="distance town").set_value("Tree").run()
    session.change_schema(session.table.schema.with_kinds({"town": "numeric"}))
    test.run()
    assert control(test.selectbox, "distance town").value == "Absolute"
    assert not test.exception


def test_without_a_quasi_identifier_there_is_nothing_to_measure():
    test, _ = opened("town", **dict.fromkeys(FRAME, "other"))
    assert not test.exception
    assert any("role quasi-identifier first" in block.proto.body for block in test.get("html"))

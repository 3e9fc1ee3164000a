"""The Risk page: attackers in words first, thresholds, the population, how many hide among fewer than x."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import components, opened, words


def people(n: int = 40, gaps: bool = False, **roles: str) -> kc.Table:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n).astype(float),
            "city": rng.choice(list("ABC"), n),
            "weight": rng.integers(1, 50, n),
        }
    )
    if gaps:
        frame.loc[:4, "age"] = np.nan
    schema = kc.Schema.infer(frame).with_quasi(["age", "city"]).with_roles(roles)
    return kc.Table.from_frame(frame, schema)


def page(table: kc.Table | None = None, k: int = 5, algorithm: kc.Algorithm | None = None) -> AppTest:
    table = table or people()
    return opened("risk", Session(table, "people", "upload:1", Setting(algorithm or kc.MDAV(), k, 9)))


def said(test: AppTest) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", words(test))).split())


def chosen(test: AppTest, key: str, value: object) -> AppTest:
    test = test.selectbox(key=key).set_value(value).run()
    assert not test.exception
    return test


def rows(test: AppTest) -> dict[str, list[str]]:
    """By attacker, the figures."""
    (table,) = re.findall('<div class="beforeafter attackers".*?</table>', words(test))
    found = {}
    for row in re.findall("<tr>(.*?)</tr>", table)[1:]:
        (title,) = re.findall("<i>(.*?)</i>", row)
        cells = re.findall("<td[^>]*>(.*?)</td>", row)
        found[unescape(title)] = [re.sub("<[^>]+>", "", cell) for cell in cells]
    return found


def test_each_attacker_is_a_row_in_words_first_with_what_was_before():
    test = page()
    shown = rows(test)
    assert list(shown) == ["Prosecutor", "Journalist", "Marketer", "Everybody’s quasi-identifiers"]
    table, setting = test.session_state["kanon"].table, test.session_state["kanon"].setting
    found = kc.risks(table, kc.anonymize(table, setting.algorithm, 5, 9)).found[0]
    assert shown["Prosecutor"][1] == "100 % → 20 %" and shown["Prosecutor"][2].endswith("→ 0 %")
    assert shown["Prosecutor"][0] == f"{100 * found.before.average:.1f} % → {100 * found.after.average:.0f} %"
    text = said(test)
    assert text.index("Knows all quasi-identifiers of one person") < text.index("Prosecutor")
    assert "No records have a risk above 20 % for any of these attackers." in text
    assert "A few known items: No quasi-identifier holds item sets" in text
    assert "the table counts as the whole population" in text and "What does “Prosecutor” mean?" in words_of(
        test
    )


def words_of(test: AppTest) -> str:
    return " ".join(block.proto.body for block in test.get("html"))


def test_the_threshold_is_chosen_or_ones_own():
    test = chosen(page(), "risk-threshold", 0.09)
    assert rows(test)["Prosecutor"][2] == "100 % → 100 %"
    assert "40 of 40 records have a risk above 9 % for the attacker “Prosecutor”." in said(test)
    test = chosen(test, "risk-threshold", 0.0)
    test = test.number_input(key="risk-threshold-own").set_value(0.25).run()
    assert "risk above 25 %" in said(test) and rows(test)["Prosecutor"][2].endswith("→ 0 %")


@pytest.mark.deep
@pytest.mark.parametrize("model", ["pitman", "zayatz", "fraction"])
def test_the_size_of_the_population_lowers_the_journalists_risk_alone(model):
    before = rows(page())
    test = chosen(page(), "risk-population", "size")
    assert test.number_input(key="risk-size").value == 400
    test = chosen(test, "risk-model", model)
    shown = rows(test)
    assert shown["Prosecutor"] == before["Prosecutor"] and shown["Journalist"] != before["Journalist"]
    test = test.number_input(key="risk-size").set_value(39).run()
    assert "has 39 people, but the table has 40" in test.error[0].value
    assert rows(test)["Journalist"] == before["Journalist"]


def test_a_table_of_the_population_is_read_and_counted():
    table = people()
    test = chosen(page(table), "risk-population", "table")
    test = given(test, pd.concat([table.frame] * 3).to_csv(index=False).encode())
    assert rows(test)["Journalist"][1].startswith("33.3 % → ")
    assert rows(test)["Prosecutor"][1] == "100 % → 20 %"
    test = given(test, b"town\nA\nB\n")
    assert "The population table has no column “age”" in said(test) and "Journalist" not in rows(test)
    test = given(test, b"")
    assert test.error and not test.exception


def given(test: AppTest, content: bytes) -> AppTest:
    return test.file_uploader(key="risk-register-file").set_value(("r.csv", content, "text/csv")).run()


def test_sampling_weights_are_taken_when_nothing_else_is_given():
    test = page(people(weight="sampling_weight"))
    assert "The sampling weights in column “weight” give" in said(test)
    assert rows(test)["Journalist"] != rows(test)["Prosecutor"]


@pytest.mark.deep
def test_what_missing_cells_change_is_asked_and_said():
    assert not [box for box in page().selectbox if box.key == "risk-missing"]
    test = page(people(gaps=True))
    assert "If missing cells count as a value of their own, the prosecutor's risk is" in said(test)
    own = rows(test)["Prosecutor"][0]
    assert rows(chosen(test, "risk-missing", "any"))["Prosecutor"][0] != own


def test_how_many_hide_among_fewer_is_drawn_with_its_sentence():
    test = page()
    text = "records have an anonymity set smaller than 5 in the original, and 0 of 40 in the release."
    assert text in said(test) and drawing(test).count("<path") == 4  # two lines, each with its key
    test = test.number_input(key="risk-fewer-x").set_value(6).run()
    assert "smaller than 6 in the original, and 40 of 40 in the release." in said(test)


def drawing(test: AppTest) -> str:
    (shown,) = components(test)
    return json.loads(shown.json)["drawing"]


@pytest.mark.deep
def test_people_and_overlapping_sets_are_measured_too():
    table = kc.read_table("sample:purchases-80000").some(np.arange(400))
    roles = {"person": "person"}
    assert "person" in {a.role for a in table.schema} or roles
    test = page(table, 2, kc.PurchaseHistories())
    assert "people" in said(test) and "Prosecutor" in rows(test)
    test = page(people(), 3, kc.Tours())
    assert rows(test)["Everybody’s quasi-identifiers"][1].startswith("100 % → ")


@pytest.mark.deep
def test_a_table_without_quasi_identifiers_says_so():
    table = people()
    nothing = table.with_schema(table.schema.with_quasi([]))
    test = page(nothing)
    assert "No column is a quasi-identifier" in test.info[0].value.replace("\\", "")

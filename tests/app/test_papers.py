"""The papers on the Learn page: each is offered, and its tables and figures are made beside the printed
numbers."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.papers import REPRODUCTIONS
from pages.learn.papers import PAPERS
from pages.papers import itemsets as setfigures
from pages.papers import purchases as histories
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import charts, words
from tests.charts.itemtables import paper as figure_6
from tests.charts.purchasetables import purchases


def script() -> None:
    """A page with nothing but the papers."""
    from pages.learn.papers import papers_view
    from pages.state.session import current

    papers_view(current())


def opened(table: kc.Table, chosen: str) -> AppTest:
    test = AppTest.from_function(script, default_timeout=180)
    test.session_state["kanon"] = Session(table, "table.csv", "upload:1", Setting(kc.MDAV(), 2))
    test.session_state["paper"] = chosen
    return test.run()


def people(n: int = 30) -> kc.Table:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "weight": rng.normal(70, 10, n).round(1),
            "city": rng.choice(["Rome", "Bern", "Oslo"], n),
        }
    )
    return kc.Table.from_frame(frame)


def test_every_reproduction_is_offered_under_its_word():
    assert list(PAPERS) == [known.name for known in REPRODUCTIONS]


@pytest.mark.deep
@pytest.mark.parametrize("name", PAPERS)
def test_each_begins_with_what_the_paper_is_about_and_one_button(name):
    test = opened(people(), name)
    shown = words(test)
    assert test.selectbox(key="paper").value == name
    assert PAPERS[name].about.split(":")[0][:40] in shown.replace("&#x27;", "'")
    assert test.button(key="make again").label.startswith("Compute the")


@pytest.mark.deep
def test_figures_of_item_sets(monkeypatch):
    def small(**options):
        return figures(**options, records=40, large=60, baskets=30)

    figures = setfigures.SetFigures
    monkeypatch.setattr(setfigures, "SetFigures", small)
    test = opened(figure_6(), "sets")
    test.button(key="make again").click().run()
    text = words(test)
    assert "Figure 8: suppressed items by the number of quasi-identifiers" in text
    assert "Statements of the paper" in text and "(paper: 50.7 % and 13.3 %)" in text
    progress = test.session_state["figures made again"]
    assert progress.complete and not progress.running and not progress.problem
    drawn = [spec for spec in charts(test) if "number of quasi-identifiers" in spec]
    assert len(charts(test)) == 9 and len(drawn) == 1 and "printed in the paper" in drawn[0]


def test_figures_4_1_to_4_6_are_made_of_the_chosen_columns():
    table = people()
    test = opened(table, "loss")
    assert test.selectbox(key=f"number of losses {table.digest}").options == ["age", "weight"]
    assert test.selectbox(key=f"category of losses {table.digest}").options == ["city"]
    test.number_input(key="losses made again k").set_value(5).run()
    test.button(key="make again").click().run()
    figures = [json.loads(spec) for spec in charts(test)]
    assert len(figures) == 6 and all(len(figure["data"]) == 3 for figure in figures)
    spans = {tuple(figure["layout"]["yaxis"]["range"]) for figure in figures}
    assert len(spans) == 1  # to be compared
    assert "Figure 4.6: ILD of D_C" in words(test) and "Loss at k = 5: " in words(test)
    assert "number “age”, category “city”" in words(test)


def test_a_table_without_a_number_has_the_figures_of_our_sample():
    test = opened(kc.Table.from_frame(pd.DataFrame({"a": list("xxyy"), "b": list("uvuv")})), "loss")
    assert test.selectbox(key="losses made again from").options == ["sample of synthetic households"]


def test_tables_of_purchase_histories_are_made_of_the_loaded_table():
    test = opened(purchases(), "purchases")
    assert next(box for box in test.selectbox if box.label == "Data").value is True
    test.number_input(key="purchases made again k").set_value(5).run()
    test.button(key="make again").click().run()
    text = words(test)
    assert "Table 9: utility by k" in text and "Statements of the paper" in text
    progress = test.session_state[histories.MADE.name]
    assert progress.complete and not progress.running and not progress.problem
    assert sum("printed in the paper" in spec for spec in charts(test)) == 1
    assert "Marketing by k and product" in text
    assert any("recency" in spec and "monetary" in spec for spec in charts(test))


@pytest.mark.deep
def test_tables_of_mil_stand_beside_the_printed_numbers():
    test = opened(people(), "mil")
    test.number_input(key="mil made again k").set_value(3)
    test.number_input(key="mil made again samples").set_value(1)  # sent by the click that leaves the field
    test.button(key="make again").click().run()
    text = words(test)
    assert "Table 2 (figures 1 and 2): loss of DS0 by k" in text
    assert "MIL never raises the loss. 12 of 12 runs agree." in text
    assert test.dataframe[0].value["paper"].tolist()[:2] == ["0.003446", "0.003446"]


@pytest.mark.deep
def test_figures_of_appendices_are_drawn_over_their_numbers():
    for name, first, drawn in [
        ("matchings", "3 of 4 printed counts agree; the other is a misprint", 2),
        ("mil-figures", "MIL never raises the loss. 1,782 of 1,782 runs agree.", 10),
    ]:
        test = opened(people(), name)
        test.button(key="make again").click().run()
        assert first in words(test) and len(charts(test)) == drawn
        assert "At most: 100 " not in words(test), "one line alone is not named by its number of records"


@pytest.mark.deep
def test_tables_of_appendices_stand_beside_the_printed_numbers():
    for name, first in [
        ("thesis", "18 of 18 numbers agree."),
        ("maskings", "with MDAV at most 1 in k, in 6 of 6 releases"),
    ]:
        test = opened(people(), name)
        test.button(key="make again").click().run()
        assert first in words(test) and test.dataframe and not charts(test)

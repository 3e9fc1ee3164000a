"""The panel that makes tables 8 and 9 again, without a browser: rows, statements, the file, stop and go
on."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.papers import Row, frame_of
from kanon_core.table.writers import write_frame
from pages.papers import concealment as tables
from pages.papers import panel
from pages.state.session import Session
from pages.state.setting import Setting


def script() -> None:
    """A page with nothing but the panel."""
    from pages.papers.concealment import TABLES
    from pages.papers.panel import reproduce_panel
    from pages.state.session import current

    reproduce_panel(current(), TABLES)


def opened(frame: pd.DataFrame | None = None) -> AppTest:
    rng = np.random.default_rng(4)
    if frame is None:
        frame = pd.DataFrame({"age": rng.integers(18, 90, 24), "job": rng.choice(list("ABC"), 24)})
    table = kc.Table.from_frame(frame)
    test = AppTest.from_function(script, default_timeout=120)
    test.session_state["kanon"] = Session(table, "people & co.csv", "upload:1", Setting(kc.MDAV(), 3))
    return test.run()


@pytest.fixture
def quick(monkeypatch):
    """Few draws, k up to 3, small samples."""

    def small(seeds: int, records: int, visits: int):
        return made_again(seeds=seeds, records=min(24, records), visits=min(8, visits), draws=20, largest_k=3)

    made_again = tables.ConcealmentTables
    monkeypatch.setattr(tables, "ConcealmentTables", small)


def says(test: AppTest) -> str:
    assert not test.exception
    return " ".join(block.proto.body for block in test.get("html"))


def test_it_begins_with_one_button_and_computes_nothing():
    test = opened()
    assert test.button(key="make again").label == "Compute the tables"
    assert not test.dataframe and "Statements of the paper" not in says(test)


def test_tables_statements_and_file_of_the_loaded_table(quick):
    test = opened()
    test.selectbox(key="made again from").set_value(True).run()
    test.number_input(key="made again samples").set_value(2).run()
    test.button(key="make again").click().run()
    text = says(test)
    assert "Table 9: cost by k and method" in text and "Statements of the paper" in text
    assert "from 24 records of “people &amp; co.csv”, 1 numeric and 1 other attributes" in text
    assert "<b>holds</b> · Table 9: no method costs less than the optimum" in text
    table = test.dataframe[2].value
    assert list(table.columns) == ["k", "method", "mean", "paper", "ratio", "range", "above optimum"]
    assert table["method"].tolist()[:3] == ["optimum", "lottery", "lottery + clusters"]
    assert table["paper"].tolist()[:2] == ["", "5,535.23*"] and table["above optimum"][0] == "proven"
    assert "paper" not in test.dataframe[1].value
    assert not [button for button in test.button if button.key == "make again"]
    progress = test.session_state[tables.MADE.name]
    assert len(progress.rows) == len(progress.tasks) == 26 and not progress.running
    assert write_frame(frame_of(progress.rows)).startswith(b"table,unit,k,method,samples,records,mean,")


def test_one_sample_has_no_range(quick):
    test = opened()
    test.number_input(key="made again samples").set_value(1).run()
    test.button(key="make again").click().run()
    assert not test.exception and "range" not in test.dataframe[0].value


def test_other_data_begin_anew(quick):
    test = opened()
    test.button(key="make again").click().run()
    assert len(test.dataframe) == 3
    test.selectbox(key="made again from").set_value(True).run()
    assert not test.dataframe and test.button(key="make again").label == "Compute the tables"


def test_places_of_the_loaded_table_are_for_table_8(quick):
    rng = np.random.default_rng(4)
    test = opened(pd.DataFrame({"lat": rng.normal(35, 0.1, 9), "lon": rng.normal(139, 0.1, 9)}))
    test.selectbox(key="made again from").set_value(True).run()
    test.button(key="make again").click().run()
    assert "1 random sample of 8 from 9 records of “people &amp; co.csv”" in says(test)


def test_what_does_not_suit_is_said(quick):
    test = opened(pd.DataFrame({"age": [1, 2, 3]}))
    test.selectbox(key="made again from").set_value(True).run()
    test.button(key="make again").click().run()
    assert not test.exception and "has 3 records, too few for samples" in test.warning[0].value
    assert not test.dataframe
    assert test.button(key="make again").label == "Compute the tables"


def test_rows_made_before_a_stop_stay_and_the_rest_follows(quick, monkeypatch):
    whole, made = opened(), panel.made
    whole.button(key="make again").click().run()

    def interrupted(tasks, tick):
        for number, row in enumerate(made(tasks, tick)):
            if number == 10:
                return
            yield row

    monkeypatch.setattr(panel, "made", interrupted)
    test = opened()
    test.button(key="make again").click().run()
    assert test.button(key="make again").label == "Continue"
    assert "Stopped after 10 of 26 rows." in says(test)
    first = list[Row](test.session_state[tables.MADE.name].rows)
    monkeypatch.setattr(panel, "made", made)
    test.button(key="make again").click().run()
    rows = test.session_state[tables.MADE.name].rows
    assert rows[:10] == first and rows == whole.session_state[tables.MADE.name].rows

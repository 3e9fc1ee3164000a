"""Round ends on the screens: chosen in the table of columns, priced where a release is there."""

from __future__ import annotations

import pandas as pd
import pytest
import streamlit as st

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words
from tests.contracts.tables import table_of

AGES = pd.DataFrame({"age": range(20, 60), "city": list("abcd") * 10})
HERE = Setting(kc.MDAV(), 4)


def session_of() -> Session:
    table = kc.Table.from_frame(AGES)
    return Session(table.with_schema(table.schema.with_quasi(["age", "city"])), "ages", "upload:1", HERE)


def edited_with(monkeypatch, **cells: object) -> None:
    """The table of columns comes back from the screen with these cells of its first row."""
    typed = dict(cells)

    def grid(frame, key, **_):
        edited = frame.copy()
        while typed:
            name, value = typed.popitem()
            edited.loc[0, name.replace("_", " ")] = value
        return edited

    monkeypatch.setattr(st, "data_editor", grid)


def test_a_step_is_chosen_and_its_price_said(monkeypatch):
    session = session_of()
    edited_with(monkeypatch, round_ends="10")
    opened("data", session)
    assert session.table.schema["age"].round_to == "10"
    session.keep(HERE, kc.anonymize(session.table, HERE.algorithm, HERE.k, HERE.seed))
    assert "Round ends of “age”: step 10. The certainty penalty (0 % = exact values) is" in words(
        opened("data", session)
    )


def test_a_step_that_is_none_is_refused_and_nothing_changes(monkeypatch):
    session = session_of()
    edited_with(monkeypatch, round_ends="month")
    told = " ".join(box.value for box in opened("data", session).error)
    assert "the round ends of column “age” must be a text" in told
    assert "Nothing was changed" in told
    assert session.table.schema["age"].round_to == ""


def test_another_recoding_takes_the_step_away_and_an_emptied_cell_too(monkeypatch):
    for cells in ({"recoding": "mean"}, {"round_ends": None}):
        session = session_of()
        session.change_schema(session.table.schema.with_round_ends({"age": "10"}))
        edited_with(monkeypatch, **cells)
        assert not opened("data", session).error
        assert session.table.schema["age"].round_to == ""
        assert session.table.schema["age"].recoding == cells.get("recoding", "generalize")


@pytest.mark.deep
@pytest.mark.parametrize(
    "page", ["clusters", "clusters/matchings", "tune", "release", "map", "curves/scorecard"]
)
def test_pages_show_releases_with_round_ends(page):
    table = table_of("round ends")
    algorithm = kc.Greedy() if page == "clusters/matchings" else kc.MDAV()
    session = Session(table, "places", "upload:1", Setting(algorithm, 3))
    test = opened(page, session)
    assert not test.exception and not test.error
    assert words(test)


def test_losses_by_column_say_what_round_ends_cost():
    session = Session(table_of("round ends"), "places", "upload:1", HERE)
    shown = words(opened("tune", session, Loss_by_column=True))
    assert "Round ends of “born”: step month" in shown and "Round ends of “lat”: step 0.005° (556 m)" in shown

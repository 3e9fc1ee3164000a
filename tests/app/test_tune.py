"""Tune without a browser: what is drawn again every second, and what is not."""

from __future__ import annotations

from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

import kanon_core as kc
from pages.tune import curve
from tests.app.screens import opened
from tests.app.test_pages import session_of


def test_the_choices_of_the_curve_stand_outside_of_what_is_drawn_every_second(monkeypatch, aside):
    """A look at what has come draws the chart, and leaves the menu that somebody has just opened alone."""
    drawn = {}

    def spied(name):
        usual = getattr(curve, name)

        def draw(*args, **how):
            drawn[name] = ThreadState.get().fragment_id
            return usual(*args, **how)

        monkeypatch.setattr(curve, name, draw)

    for name in ("menu", "_beside", "drawn", "progress"):
        spied(name)
    test = opened("tune", session_of(kc.MDAV()))
    assert not test.exception and aside.todo
    assert drawn["drawn"] == drawn["progress"] != drawn["menu"] == drawn["_beside"]
    test.selectbox(key="tile measure").set_value("NCP").run()
    assert test.selectbox(key="tile measure").value == "NCP" and not test.exception
    aside.work(4)
    test.run()
    assert test.selectbox(key="tile measure").value == "NCP"


def test_another_curve_fills_though_the_first_is_complete(aside):
    test = opened("tune", session_of(kc.MDAV(), n=12))
    aside.work()
    test.run()
    assert not aside.todo and not test.get("progress")
    (beside,) = (group for group in test.button_group if group.key.startswith("pills"))
    beside.set_value([beside.options[0].removeprefix("+ ")]).run()
    assert aside.todo and test.get("progress")

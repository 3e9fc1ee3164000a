"""Algorithms compared: what is compared first, how curves fill, gaps to the optimum, theorem 2.1, seeds."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets import curves
from tests.app.screens import control

PAGE = Path(__file__).resolve().parents[2] / "pages" / "curves" / "page.py"


def opened(
    algorithm: kc.Algorithm, n: int = 24, k: int = 3, columns: tuple[str, ...] = ("x", "city")
) -> AppTest:
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"x": rng.normal(size=n).round(2), "city": rng.choice(list("ABC"), n)})[
        list(columns)
    ]
    table = kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_roles(dict.fromkeys(frame, "quasi_identifier"))
    )
    test = AppTest.from_file(PAGE, default_timeout=60)
    test.session_state["kanon"] = Session(table, "people", "upload:1", Setting(algorithm, k, seed=7))
    return test.run()


def computed(test: AppTest, aside, low: int = 2, high: int = 3) -> AppTest:
    """All points of these k have come, and the page was looked at again."""
    test.session_state["finished points"] = True
    test.slider(key="k range").set_value((low, high)).run()
    aside.work()
    test.run()
    assert not test.exception and not aside.todo and "curve-stop" not in {b.key for b in test.button}
    return test


def compare(test: AppTest, *names: str) -> AppTest:
    """Take all out but these, and add what is missing of them."""
    chips = control(test.button_group, "compared")
    chips.set_value([name for name in chips.value if name in names]).run()
    for name in names:
        if name not in control(test.button_group, "compared").value:
            test.selectbox(key="add algorithm").set_value(name).run()
    assert not test.exception and control(test.button_group, "compared").value == list(names)
    return test


def bars(test: AppTest) -> list[str]:
    return [bar.proto.text for bar in test.get("progress")]


def told(test: AppTest) -> str:
    return " ".join(re.sub("<[^>]+>", "", block.proto.body) for block in test.get("html"))


def figure(test: AppTest) -> dict:
    return json.loads(test.get("plotly_chart")[0].proto.spec)


def names(test: AppTest) -> list[str]:
    """The curves in the legend."""
    shown = [trace["name"] for trace in figure(test)["data"] if trace.get("name") and trace["showlegend"]]
    return [name for name in shown if name != "lower bound for any grouping"]


def test_concealment_is_compared_with_its_optimum_and_theorem_2_1_is_shown(aside):
    test = computed(opened(kc.Lottery(draws=5)), aside)
    assert test.selectbox(key="up").value == "MatchingCost"
    assert names(test)[:2] == ["Lottery (draws 5)", "Optimal concealment (floor)"]
    assert {"Clustered (inner Tours)", "Tours", "Pairing (exact no)", "Pairing (exact yes)"} <= set(
        names(test)
    )
    said = told(test)
    assert "At k = 3, the lowest possible matching cost is" in said and "above it" in said
    certified = re.search(
        r"both optima are certified. Concealment costs ([\d.]+); groups of exactly two records cost ([\d.]+)",
        said,
    )
    assert certified and float(certified[1]) <= float(certified[2])
    assert "the best k-anonymous release found (Pairing (exact no))" in said and "NP-hard" in said
    costs = {
        (type(p.algorithm), p.k): p.scores["MatchingCost"]
        for p in test.session_state["kanon"].points.values()
    }
    assert all(cost >= costs[kc.OptimalConcealment, k] - 1e-9 for (_, k), cost in costs.items())


def test_gaps_can_be_shown_instead_of_values(aside):
    test = computed(opened(kc.Greedy()), aside)
    assert figure(test)["layout"]["yaxis"]["title"]["text"].startswith("Matching cost (")
    test.radio(key="shown as").set_value("above the optimum (%)").run()
    assert figure(test)["layout"]["yaxis"]["title"]["text"].startswith("Matching cost above the optimum")
    rows = test.dataframe[0].value
    gaps = rows.set_index(["algorithm", "k"])["Matching cost above the optimum (%)"]
    assert (gaps["Optimal concealment"] == 0).all() and (gaps >= 0).all()
    # A metric without a floor has no gaps to show.
    test.selectbox(key="up").set_value("NCP").run()
    assert not test.exception and not test.radio
    assert figure(test)["layout"]["yaxis"]["title"]["text"].startswith("Certainty penalty")


def test_an_odd_number_of_records_has_no_certified_pairs(aside):
    test = computed(opened(kc.OptimalConcealment(), n=23, k=2), aside)
    assert "Pairing (exact yes)" not in names(test)
    assert "certified. " not in told(test) and "At k = 2, the best k-anonymous release found" in told(test)


def test_several_seeds_make_bands_and_open_with_their_seed(aside):
    test = opened(kc.Lottery(draws=3))
    compare(test, "Lottery (draws 3)", "Optimal concealment")
    test.selectbox(key="up").set_value("NCP").run()
    test.toggle(key="several seeds").set_value(True)
    test = computed(test, aside)
    points = list(test.session_state["kanon"].points.values())
    seeds = {
        cls: {p.seed for p in points if type(p.algorithm) is cls}
        for cls in (kc.Lottery, kc.OptimalConcealment)
    }
    assert seeds == {kc.Lottery: {7, 8, 9, 10, 11}, kc.OptimalConcealment: {7}}
    assert [trace.get("fill") for trace in figure(test)["data"]] == ["toself", None, None, None]
    assert "Lines are medians of 5 seeds" in told(test)
    compare(test, "Lottery (draws 3)")
    test.session_state["least k"] = 3
    test.run()
    test.button(key="open from").click().run()
    session = test.session_state["kanon"]
    middle = sorted(
        (p.scores["NCP"], p.seed) for p in points if type(p.algorithm) is kc.Lottery and p.k == 3
    )[2]
    assert (session.setting.k, session.setting.seed) == (3, middle[1])


def test_time_can_be_chosen_and_closed_groups_keep_their_floor(aside):
    test = computed(opened(kc.MDAV(), columns=("x",)), aside)
    assert test.selectbox(key="up").value == "ILSSDM"
    assert names(test)[-1].endswith("(floor)") and "the lowest possible information loss is" in told(test)
    assert "theorem" not in told(test)
    test.selectbox(key="up").set_value("seconds").run()
    assert not test.exception
    assert "time on this machine" in told(test) and "compiled code" in told(test)
    assert figure(test)["layout"]["yaxis"]["title"]["text"].startswith("Time on this machine")


@pytest.mark.deep
def test_curves_fill_coarse_to_fine_and_what_is_there_is_drawn(aside):
    """The present k is 3."""
    test = compare(opened(kc.MDAV()), "MDAV", "Sorting")
    test.slider(key="k range").set_value((2, 10)).run()
    assert [(type(a), k) for a, k, _ in aside.todo[:4]] == [
        (cls, k) for k in (3, 2) for cls in (kc.MDAV, kc.Sorting)
    ]
    assert [k for _, k, _ in aside.todo[4:8]] == [10, 10, 6, 6]
    assert bars(test) == ["0 of 18 points"] and not names(test)
    assert figure(test)["layout"]["xaxis"]["range"] == [1.4, 10.6]
    aside.work(5)
    test.run()
    assert bars(test)[0].startswith("5 of 18 points") and len(bars(test)) == 1
    assert [b.label for b in test.button if b.label in ("Stop", "Continue")] == ["Stop"]
    first, second = figure(test)["data"][:2]
    assert (first["name"], second["name"]) == ("MDAV", "Sorting")
    assert len(json.dumps(first["x"])) > len(json.dumps(second["x"]))
    assert len(aside.todo) == 13
    aside.work()
    test.run()
    assert not bars(test) and not aside.todo and "so far" not in told(test)


def test_one_button_stops_and_goes_on(aside):
    test = opened(kc.MDAV())
    aside.work(3)
    test.run()
    test.button(key="curve-stop").click().run()
    assert not test.exception and not aside.todo and "stopped" in bars(test)[0]
    test.run()
    assert not aside.todo
    assert test.button(key="curve-stop").label == "Continue"
    test.button(key="curve-stop").click().run()
    assert aside.todo and bars(test)[0].startswith("3 of ")


def test_answers_are_so_far_while_points_are_to_come(aside):
    test = compare(opened(kc.MDAV()), "MDAV")
    test.number_input(key="limit ILSSDM").set_value(100.0).run()
    aside.work(3)
    test.run()
    assert "The largest k with information loss of at most 100.00 % so far is k = " in told(test)
    assert "at k ≥ 5 so far" in told(test)
    aside.work()
    test.run()
    assert "of at most 100.00 % is k = " in told(test) and "so far" not in told(test)


def test_the_release_on_screen_is_a_point(aside):
    """k = 11 is none of the points that come first, nor in the range."""
    test = compare(opened(kc.MDAV(), k=11), "MDAV", "Sorting")
    test.slider(key="k range").set_value((2, 5)).run()
    session = test.session_state["kanon"]
    assert "k = 11 is not on these curves, which go from 2 to 5." in told(test)
    release = kc.anonymize(session.table, session.setting.algorithm, 11, session.setting.seed)
    session.keep(session.setting, release)
    test.run()
    loss = kc.ILSSDM().text(kc.ILSSDM().measure(session.table, release).total)
    assert f"At k = 11, MDAV has information loss {loss}." in told(test)
    assert names(test) == ["MDAV"]
    test.number_input(key="least k").set_value(11).run()
    assert f"at k ≥ 11 so far is {loss}, by MDAV at k = 11." in told(test)
    compare(test, "Sorting")
    assert not names(test)


def test_the_menu_adds_one_algorithm_and_a_button_takes_it_out(aside):
    test = opened(kc.MDAV(), n=60)
    before = control(test.button_group, "compared").value
    menu = test.selectbox(key="add algorithm")
    several = [name for name in menu.options if name.startswith("Refine")]
    assert len(several) > 1 and not test.multiselect
    menu.set_value(several[0])
    sent = test._tree.get_widget_states()
    test.run()
    assert control(test.button_group, "compared").value == [*before, several[0]]
    assert test.selectbox(key="add algorithm").value is None
    test._run(sent)  # the browser may send its choice again before it hears of the answer
    assert control(test.button_group, "compared").value == [*before, several[0]]
    assert several[0] not in test.selectbox(key="add algorithm").options
    control(test.button_group, "compared").set_value(before).run()
    assert several[0] in test.selectbox(key="add algorithm").options


@pytest.mark.deep
def test_no_more_curves_than_can_be_told_apart(aside):
    test = opened(kc.MDAV(), n=60)
    while not test.selectbox(key="add algorithm").disabled:
        box = test.selectbox(key="add algorithm")
        box.set_value(box.options[0]).run()
    assert len(control(test.button_group, "compared").value) == 8
    assert "The chart shows at most 8 curves." in told(test)
    aside.work(8)
    test.run()
    lines = [trace for trace in figure(test)["data"] if trace.get("name") in names(test)]
    assert len({trace["line"]["color"] for trace in lines}) == len(lines) == 8
    control(test.button_group, "compared").set_value(control(test.button_group, "compared").value[1:]).run()
    assert not test.selectbox(key="add algorithm").disabled


def test_nothing_compared_is_said(aside):
    test = opened(kc.MDAV())
    control(test.button_group, "compared").set_value([]).run()
    assert not test.exception and not test.get("plotly_chart")
    assert [box.value for box in test.info] == ["Choose at least one algorithm\\."]


def test_of_a_measure_of_which_more_is_better_no_bound_is_asked(aside):
    test = computed(opened(kc.MDAV()), aside)
    test.selectbox(key="up").set_value("AchievedK").run()
    assert not test.exception and "Largest k" not in " ".join(box.label for box in test.number_input)
    assert "higher is better" in figure(test)["layout"]["yaxis"]["title"]["text"]


def test_why_a_point_is_missing_is_said(aside):
    test = compare(opened(kc.MDAV()), "MDAV")
    test.slider(key="k range").set_value((2, 4)).run()
    aside.take(aside.todo[0], "This computer may lack memory.")
    del aside.todo[0]
    aside.work()
    test.run()
    assert "MDAV has no result at k = 3: This computer may lack memory." in told(test)
    assert not aside.todo and not bars(test)


def test_curves_of_a_large_table_fill_only_when_asked(monkeypatch, aside):
    """The other process needs a copy of the table."""
    monkeypatch.setattr(curves, "UNASKED_RECORDS", 10)
    test = opened(kc.MDAV())
    assert not aside.todo and test.button(key="curve-stop").label == "Continue"
    test.button(key="curve-stop").click().run()
    assert aside.todo and test.button(key="curve-stop").label == "Stop"

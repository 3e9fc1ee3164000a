"""The trade-off page: what is compared first, gaps to the optimum, theorem 2.1, seeds, time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session, Setting

PAGE = Path(__file__).resolve().parents[2] / "pages" / "tradeoff" / "page.py"


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


def computed(test: AppTest, low: int = 2, high: int = 3) -> AppTest:
    test.slider(key="k range").set_value((low, high)).run()
    test.button(key="start sweep").click().run()
    assert not test.exception and not [b for b in test.button if b.key == "stop sweep"]
    return test


def told(test: AppTest) -> str:
    return " ".join(re.sub("<[^>]+>", "", block.proto.body) for block in test.get("html"))


def figure(test: AppTest) -> dict:
    return json.loads(test.get("plotly_chart")[0].proto.spec)


def names(test: AppTest) -> list[str]:
    return [trace["name"] for trace in figure(test)["data"] if trace.get("name")]


def test_concealment_is_compared_with_its_optimum_and_theorem_2_1_is_shown():
    test = computed(opened(kc.Lottery(draws=5)))
    assert test.selectbox(key="up").value == "MatchingCost"
    assert names(test)[:2] == ["Lottery (draws 5)", "Optimal concealment (floor)"]
    assert {"Clustered (inner Tours)", "Tours", "Pairing (exact no)", "Pairing (exact yes)"} <= set(
        names(test)
    )
    said = told(test)
    assert "At k = 3 the least possible matching cost is" in said and "above it" in said
    certified = re.search(
        r"both optima are certified: concealment costs ([\d.]+), groups of exactly two ([\d.]+)", said
    )
    assert certified and float(certified[1]) <= float(certified[2])
    assert "the best k-anonymous release found, by Pairing (exact no)" in said and "NP-hard" in said
    costs = {
        (type(p.algorithm), p.k): p.scores["MatchingCost"]
        for p in test.session_state["kanon"].points.values()
    }
    assert all(cost >= costs[kc.OptimalConcealment, k] - 1e-9 for (_, k), cost in costs.items())


def test_gaps_can_be_shown_instead_of_values():
    test = computed(opened(kc.Greedy()))
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


def test_an_odd_number_of_records_has_no_certified_pairs():
    test = computed(opened(kc.OptimalConcealment(), n=23, k=2))
    assert "Pairing (exact yes)" not in names(test)
    assert "certified: " not in told(test) and "At k = 2 the best k-anonymous release found" in told(test)


def test_several_seeds_make_bands_and_open_with_their_seed():
    test = opened(kc.Lottery(draws=3))
    test.multiselect[0].set_value(["Lottery (draws 3)", "Optimal concealment"])
    test.selectbox(key="up").set_value("NCP").run()
    test.toggle(key="several seeds").set_value(True)
    test = computed(test)
    points = list(test.session_state["kanon"].points.values())
    seeds = {
        cls: {p.seed for p in points if type(p.algorithm) is cls}
        for cls in (kc.Lottery, kc.OptimalConcealment)
    }
    assert seeds == {kc.Lottery: {7, 8, 9, 10, 11}, kc.OptimalConcealment: {7}}
    assert [trace.get("fill") for trace in figure(test)["data"]] == ["toself", None, None, None]
    assert "Lines are medians of 5 seeds" in told(test)
    test.multiselect[0].set_value(["Lottery (draws 3)"]).run()
    test.session_state["least k"] = 3
    test.run()
    test.button(key="open from").click().run()
    session = test.session_state["kanon"]
    middle = sorted(
        (p.scores["NCP"], p.seed) for p in points if type(p.algorithm) is kc.Lottery and p.k == 3
    )[2]
    assert (session.setting.k, session.setting.seed) == (3, middle[1])


def test_time_can_be_chosen_and_closed_groups_keep_their_floor():
    test = computed(opened(kc.MDAV(), columns=("x",)))
    assert test.selectbox(key="up").value == "ILSSDM"
    assert names(test)[-1].endswith("(floor)") and "the least possible information loss is" in told(test)
    assert "theorem" not in told(test)
    test.selectbox(key="up").set_value("seconds").run()
    assert not test.exception
    assert "time on this machine" in told(test) and "compiled code" in told(test)
    assert figure(test)["layout"]["yaxis"]["title"]["text"].startswith("Time on this machine")


def test_a_point_that_cannot_be_made_stops_the_batch_with_its_reason(monkeypatch):
    def broken(*_):
        raise kc.BrokenPromise("3 records hide among too few.")

    monkeypatch.setattr("kanon_core.sweeps.sweep_point", broken)
    test = opened(kc.MDAV())
    test.button(key="start sweep").click().run()
    assert not test.exception
    assert [warning.value for warning in test.warning] == ["3 records hide among too few\\."]
    assert [b.key for b in test.button if b.key.endswith(" sweep")] == ["start sweep"]

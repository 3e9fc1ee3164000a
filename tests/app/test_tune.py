"""Tune without a browser: what is drawn again every second, and what is not."""

from __future__ import annotations

import pytest
from streamlit.runtime.scriptrunner_utils.script_run_context import ThreadState

import kanon_core as kc
from kanon_core.findings.attributes import SensitiveValues
from kanon_core.runs.sweeps import SweepPoint
from pages.tune import answer, curve
from pages.widgets import sentences
from pages.widgets.curves import along, missing_points
from tests.app.screens import opened, words
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


def points_of(loss: dict[int, float], metric: str = "ILSSDM") -> list[SweepPoint]:
    return [SweepPoint(kc.Sorting(), k, {metric: value}, 0.0) for k, value in loss.items()]


@pytest.mark.parametrize(
    ("most", "says"),
    [
        (3.0, "k = 3 is the largest k with a loss of at most 3 % (2.00 %). k = 4 has 5.00 %."),
        (50.0, "k = 5, the largest k of the slider, has a loss of at most 50 % (6.00 %)."),
        (0.5, "No k of the slider has a loss of at most 0.5 %: k = 2 has the least, 1.00 %."),
    ],
)
def test_the_largest_k_within_a_loss_is_named_with_the_next_one(most, says):
    points = points_of({2: 0.01, 3: 0.02, 4: 0.05, 5: 0.06})
    found = answer.within(points, "ILSSDM", most / 100, answer.LOSS)
    assert "".join(answer.said(points, "ILSSDM", most, found, (answer.LOSS, 5))) == says


@pytest.mark.parametrize(
    ("most", "says"),
    [
        (25.0, "k = 4 is the smallest k with a worst risk of at most 25 % (25.00 %). k = 3 has 33.33 %."),
        (60.0, "k = 2 is the smallest k with a worst risk of at most 60 % (50.00 %)."),
        (1.0, "No k of the slider keeps the worst risk at or below 1 %: k = 5 has 20.00 %."),
    ],
)
def test_the_smallest_k_within_a_risk_is_named_with_the_one_before(most, says):
    points = points_of({k: 1 / k for k in (2, 3, 4, 5)}, "WorstRisk")
    found = answer.within(points, "WorstRisk", most / 100, answer.RISK)
    assert "".join(answer.said(points, "WorstRisk", most, found, (answer.RISK, 5))) == says


def test_the_answer_comes_with_the_points_and_its_limit_is_that_of_other_pages(aside):
    own = session_of(kc.MDAV(), n=40)
    test = opened("tune", own)
    assert "appears with the first points" in words(test)
    aside.work(3)
    test.run()
    assert "So far: 3 of" in words(test)
    aside.work()
    test.run()
    test.number_input(key="limit ILSSDM").set_value(60.0).run()
    assert " is the largest k with a loss of at most 60 % (" in words(test) and "So far" not in words(test)
    test.button(key="take-answer").click().run()
    assert f"MDAV: <b>k = {own.setting.k}</b> is the largest" in words(test)
    test.selectbox(key="limited").set_value("risk").run()
    assert " is the smallest k with a worst risk of at most 5 %" in words(test)
    assert own.bounds == {"ILSSDM": 60.0}


def test_points_of_a_file_whose_values_were_not_counted_are_computed_again(aside):
    own = session_of(kc.MDAV(), n=40, city="sensitive")
    settings = along(own, own.setting.algorithm)
    for one in settings:
        own.points[own.table.digest, one.key] = SweepPoint(kc.MDAV(), one.k, {"ILSSDM": 0.1}, 0.0)
    assert not missing_points(own, settings)
    own.limit_by(answer.FINDING)
    assert missing_points(own, settings) == settings
    own.disclosed[own.table.digest, settings[0].key] = 0.0
    assert len(missing_points(own, settings)) == len(settings) - 1


KEEPS = (
    "is the smallest k at which an attacker who knows all quasi-identifiers of one person learns no"
    " sensitive value with certainty."
)
AGAIN = "k = 2 gives away 5. k = 4, though larger, gives away 2."
NONE = "Every k of the slider gives sensitive values away: k = 3 gives away the fewest, 4."


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ({2: 9, 3: 1, 4: 0, 5: 0}, f"k = 4 {KEEPS} k = 3 gives away 1."),
        ({2: 0, 3: 0}, f"k = 2 {KEEPS}"),
        ({2: 5, 3: 0, 4: 2}, f"k = 3 {KEEPS} {AGAIN}"),
        ({2: 5, 3: 4}, NONE),
    ],
)
def test_the_smallest_k_that_gives_no_sensitive_value_away_is_named(counts, says):
    points = points_of(counts, "DisclosedValues")
    found = answer.within(points, "DisclosedValues", 0, answer.FINDING)
    assert "".join(answer.said_of_values(points, "DisclosedValues", found)) == says


def test_points_count_the_values_of_the_finding_where_a_column_is_sensitive(aside):
    own = session_of(kc.MDAV(), n=40, city="sensitive")
    test = opened("tune", own)
    test.selectbox(key="limited").set_value("finding").run()
    assert not [one for one in test.number_input if (one.key or "").startswith("limit ")]
    aside.work()
    test.run()
    assert "DisclosedValues" not in next(iter(own.points.values())).scores
    for (_, key), count in own.disclosed.items():
        point = own.points[own.table.digest, key]
        release = kc.anonymize(own.table, point.algorithm, point.k, point.seed)
        found = kc.judge(own.table, release, [SensitiveValues()])
        assert count == sum(one.count for one in found if one.severity == "decide")
    smallest = min(own.points[key].k for key, count in own.disclosed.items() if not count)
    assert f"<b>k = {smallest}</b> is the smallest k at which" in words(test)
    own.change_schema(own.table.schema.with_roles({"city": "quasi_identifier"}))
    test.run()
    assert test.selectbox(key="limited 1").options == ["Limit of the loss (%)", "Limit of the worst risk (%)"]
    assert own.limited == "finding"


@pytest.mark.parametrize(("taken", "shown"), [(3, 9), (4, 3)])
def test_a_k_under_the_thumb_is_shown_only_where_no_other_was_chosen_meanwhile(taken, shown, aside):
    """A message that lets the thumb go may bring along the k that it passed before."""
    own = session_of(kc.MDAV(), k=3, n=40)
    test = opened("tune", own, **{"k under the thumb": (9, taken)})
    assert f"{shown} requested, {shown} achieved" in words(test) and own.setting.k == 3
    test.run()
    assert "3 requested, 3 achieved" in words(test)


def test_a_curve_without_this_measure_has_no_answer(aside):
    own = session_of(kc.MDAV(), n=12)
    none = SweepPoint(kc.MDAV(), 2, {"ILSSDM": float("nan")}, 0.0)
    own.points = {(own.table.digest, setting.key): none for setting in along(own, kc.MDAV())}
    assert "The curve has no point for this limit." in words(opened("tune", own))


@pytest.mark.parametrize("algorithm", [kc.MDAV(), kc.OptimalConcealment()])
def test_the_figures_of_the_sentence_are_bold(algorithm):
    session = session_of(algorithm)
    parts = sentences.sentence(session, kc.anonymize(session.table, algorithm, session.setting.k, 0))
    *figures, column = parts[1::2]
    assert all(set(one) <= set("0123456789. %") for one in figures) and column in session.table.frame

"""The Measure page without a browser: every view of odd tables, uses that fill in by themselves, distances
on Data."""

from __future__ import annotations

import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.metrics.base import compared, undefined
from pages.curves import usage
from pages.state import jobs
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets import measures
from tests.app import screens
from tests.app.screens import control
from tests.charts.concealed import EVIL, four
from tests.charts.itemtables import ODD

VIEWS = ("scorecard", "columns", "records", "utility")


def people(n: int = 40, name: str = "city") -> kc.Table:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "who": [f"secret person {i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "weight": rng.normal(70, 9, n),
            name: rng.choice(list("ABC"), n),
            "illness": rng.choice(["secret flu", "secret cold"], n),
        }
    )
    roles = {"who": "identifier", "illness": "sensitive"}
    return kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_quasi(["age", "weight", name]).with_roles(roles)
    )


def session_of(table: kc.Table, algorithm: kc.Algorithm | None = None, k: int = 3) -> Session:
    return Session(table, "people", "upload:1", Setting(algorithm or kc.MDAV(), k))


def opened(session: Session, view: str = "scorecard") -> AppTest:
    return screens.opened(f"curves/{view}", session)


def told(test: AppTest) -> str:
    assert not test.exception
    return unescape(" ".join(re.sub("<[^>]+>", " ", block.proto.body) for block in test.get("html")))


def charts(test: AppTest) -> list[dict]:
    assert not test.exception
    return [json.loads(chart.proto.spec) for chart in test.get("plotly_chart")]


def test_the_scorecard_has_every_measure_that_fits_and_says_why_others_do_not():
    session = session_of(people())
    test = opened(session)
    said = told(test)
    for cls in METRICS:
        reasons = cls().unsuitable(session.table)
        assert cls.title in said
        assert (cls.sentence in said) == (not reasons)
        assert all(reason in said for reason in reasons)
    release = kc.anonymize(session.table, kc.MDAV(), 3)
    assert kc.NCP().text(kc.NCP().measure(session.table, release).total) in said
    test.slider(key="k").set_value(8).run()
    assert "points" in told(test)  # what changed since k = 3


def test_a_measure_is_explained_with_formula_and_example():
    test = opened(session_of(people()))
    assert not test.get("latex") and kc.ILD.example not in told(test)
    test.session_state["how computed"] = True
    test.run()
    test.selectbox(key="measure explained").set_value("ILD").run()
    assert kc.ILD.example in told(test) and "may be negative" in told(test)
    assert any(kc.ILD.formula in block.value for block in test.latex)


ODD_SESSIONS = {
    "numbers": lambda: session_of(
        kc.Table.from_frame(pd.DataFrame({"x": np.arange(30.0), "y": np.arange(30.0) ** 2}))
    ),
    "four": lambda: session_of(four(), k=2),
    "constant": lambda: session_of(
        kc.Table.from_frame(pd.DataFrame({"x": [1.0] * 6, "y": [2, 2, 2, 1, 1, 1]})), k=2
    ),
    "items": lambda: session_of(ODD["beside others"], kc.TopDown(), 2),
    "overlapping": lambda: session_of(people(), kc.OptimalConcealment()),
    "suppressed": lambda: session_of(ODD["beside others"], kc.TopDown(max_suppressed=0.5), 3),
}


@pytest.mark.deep
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("odd", ODD_SESSIONS)
def test_every_view_of_odd_tables(odd, view):
    test = opened(ODD_SESSIONS[odd](), view)
    assert not test.exception and len(told(test)) > 300


def test_nothing_is_shown_of_identifiers_and_sensitive_values():
    for view in VIEWS:
        test = opened(session_of(people()), view)
        assert "secret" not in told(test) + json.dumps(charts(test))


@pytest.mark.parametrize("view", VIEWS[:4])
def test_names_of_columns_are_no_markup(view):
    session = session_of(people(name=EVIL))
    test = opened(session, view)
    assert not test.exception
    bodies = " ".join(block.proto.body for block in test.get("html"))
    data = [chart["data"] for chart in charts(test)]
    assert "<img" not in bodies + json.dumps(data)


def test_the_heat_map_has_a_row_for_each_column():
    test = opened(session_of(people()), "columns")
    trace, _ = charts(test)[0]["data"]
    assert sorted(charts(test)[0]["layout"]["yaxis"]["ticktext"]) == ["age", "city", "weight"]
    assert len(trace["text"]) == 3
    assert "loses most by" in told(test)


def test_the_worst_hit_records_are_those_of_the_measure():
    session = session_of(people())
    test = opened(session, "records")
    test.selectbox(key="measure of records").set_value("NCP").run()
    release = kc.anonymize(session.table, kc.MDAV(), 3)
    worst = int(np.argmax(kc.NCP().measure(session.table, release).records))
    rows = re.findall(r'data-record="(\d+)"', " ".join(b.proto.body for b in test.get("html")))
    assert int(rows[0]) == worst + 1 and len(rows) == 20
    assert "Certainty penalty of a record" in told(test)


def cards(test: AppTest) -> list[str]:
    """The cards of the uses, from the first to the last."""
    assert not test.exception
    bodies = [block.proto.body for block in test.get("html")]
    return [unescape(re.sub("<[^>]+>", " ", body)) for body in bodies if 'class="use"' in body]


def order(test: AppTest, session: Session) -> tuple[str, ...]:
    """The measures in the order of their changes."""
    return test.session_state[usage._ORDER.of(session.table.digest).name]


def sizes(test: AppTest, session: Session) -> list[float]:
    """The size of each change, in the order of the cards."""
    table, release = session.table, session.kept(session.setting)
    found = {type(metric).__name__: metric for metric in usage.usages(session)}
    metrics = [found[name] for name in order(test, session)]
    return [compared(m, table, release, session.known(session.setting, m)).size for m in metrics]


def test_uses_fill_in_without_a_click_the_largest_change_first():
    session = session_of(people())
    test = opened(session, "utility")
    assert not [b for b in test.button if str(b.key).startswith("compute")]
    shown, metrics = cards(test), usage.usages(session)
    assert len(shown) == len(metrics) == 8
    for metric in metrics:
        (card,) = (card for card in shown if metric.title in card)
        measured = session.known(session.setting, metric)
        release = session.kept(session.setting)
        comparison = compared(metric, session.table, release, measured)
        assert metric.text(measured.total, measured.error) in card and comparison.sentence in card
        assert all(pair.was in card and pair.now in card for pair in comparison.pairs)
    titles = {type(metric).__name__: metric.title for metric in metrics}
    ordered = [titles[name] for name in order(test, session)]
    assert all(title in card for title, card in zip(ordered, shown, strict=True))
    assert (
        sizes(test, session) == sorted(sizes(test, session), reverse=True)
        and len(set(sizes(test, session))) > 4
    )
    assert "The largest change comes first" in told(test) and "Area on the map" in told(test)  # why not


def test_uses_follow_k_and_join_the_other_views():
    session = session_of(people())
    test = opened(session, "utility")
    before = session.known(session.setting, kc.MeanChange())
    test.slider(key="k").set_value(8).run()
    after = session.known(session.setting, kc.MeanChange())
    assert session.setting.k == 8 and after != before
    (card,) = (card for card in cards(test) if kc.MeanChange.title in card)
    assert kc.MeanChange().text(after.total) in card and len(cards(test)) == 8
    assert sizes(test, session) == sorted(sizes(test, session), reverse=True)
    test.session_state["view curves"] = "columns"
    assert "Means" in charts(test.run())[0]["layout"]["xaxis"]["ticktext"]


def test_cards_keep_their_places_until_all_are_known(monkeypatch):
    """A setting that is new is drawn in the order of the one before, and only then in its own."""
    session = session_of(people())
    test = opened(session, "utility")
    before, drawn, real = order(test, session)[::-1], [], usage._cards
    monkeypatch.setattr(usage, "_cards", lambda *given: drawn.append(tuple(c := real(*given))) or c)
    test.session_state[usage._ORDER.of(session.table.digest).name] = before
    test.slider(key="k").set_value(8).run()
    assert len(cards(test)) == 8
    assert drawn == [before, order(test, session)] and drawn[0] != drawn[1]


def test_the_column_to_predict_can_be_chosen():
    table = people()
    session = session_of(table.with_schema(table.schema.with_roles({"weight": "other"})))
    test = opened(session, "utility")
    assert test.selectbox(key="column to predict").options == ["illness", "weight"]
    first = session.known(session.setting, kc.metrics.ModelLoss(target="illness"))
    assert first is not None and "predicts “illness” correctly for" in told(test)
    test.selectbox(key="column to predict").set_value("weight").run()
    second = session.known(session.setting, kc.metrics.ModelLoss(target="weight"))
    assert second is not None and second != first
    assert "of the variance of “weight”" in told(test) and "illness” correctly" not in told(test)


def test_a_column_to_predict_that_became_a_quasi_identifier_gives_way():
    table = people()
    roles = {"weight": "other", "city": "other"}
    session = session_of(table.with_schema(table.schema.with_roles(roles)))
    test = opened(session, "utility")
    test.selectbox(key="column to predict").set_value("weight").run()
    session.change_schema(session.table.schema.with_roles({"weight": "quasi_identifier"}))
    shown = control(test.run().selectbox, "column to predict").value
    assert session.known(session.setting, kc.metrics.ModelLoss(target=shown)) is not None
    assert "Not for this table: Loss of a trained model" not in told(test)


def test_a_use_that_fails_says_why_and_is_computed_again_on_request(monkeypatch):
    calls = []

    def fails(self, table, release, tick=None):
        calls.append(self)
        if len(calls) == 1:
            raise kc.KanonError("No model can be trained here.")
        raise MemoryError

    monkeypatch.setattr(kc.metrics.ModelLoss, "evaluate", fails)
    session = session_of(people())
    test = opened(session, "utility")
    assert "No model can be trained here" in cards(test)[-1] and len(cards(test)) == 8
    test.run()
    assert len(calls) == 1  # it is not tried again with every click
    test.button(key="compute ModelLoss").click().run()
    assert len(calls) == 2 and "does not have enough free memory" in cards(test)[-1]
    monkeypatch.undo()
    test.button(key="compute ModelLoss").click().run()
    assert session.known(session.setting, usage.usages(session)[-1]) is not None


def test_a_stopped_use_waits_for_a_click_at_every_k(monkeypatch):
    session = session_of(people())
    test = opened(session, "scorecard")
    (model,) = (metric for metric in usage.usages(session) if isinstance(metric, kc.ModelLoss))
    test.session_state[f"uses stopped {session.table.digest}"] = frozenset({"ModelLoss"})
    test.session_state["view curves"] = "utility"
    test.run()
    assert session.known(session.setting, model) is None and "stopped" in cards(test)[-1]
    test.slider(key="k").set_value(8).run()
    assert session.known(session.setting, model) is None and model.title in cards(test)[-1]
    test.button(key="compute ModelLoss").click().run()
    assert session.known(session.setting, model) is not None
    assert not [b for b in test.button if str(b.key).startswith("compute")]


def test_nothing_published_is_a_reason_and_no_number():
    session = session_of(ODD["beside others"], kc.TopDown(max_suppressed=0.5), 3)
    for metric in usage.usages(session_of(people())):
        session.scores[session.table.digest, session.setting.key, expression(metric)] = undefined(["Why."])
    test = opened(session, "utility")
    for metric in usage.usages(session):
        measured = session.known(session.setting, metric)
        (card,) = (card for card in cards(test) if metric.title in card)
        assert (
            "not defined" in card if measured.total != measured.total else metric.text(measured.total) in card
        )


def test_several_slow_measures_in_a_row_have_a_stop_button_each(monkeypatch):
    monkeypatch.setattr(jobs, "_QUIET_SECONDS", -1.0)  # everything is slow
    monkeypatch.setattr(jobs, "_BETWEEN_DRAWINGS", -1.0)
    session = session_of(people())
    test = opened(session, "utility")
    assert len(cards(test)) == 8 and "waiting" not in " ".join(cards(test))


def test_data_shows_how_far_apart_records_are():
    test = screens.opened("data", session_of(people()))
    before = len(charts(test))
    test.session_state["spread of records"] = True
    test.run()
    assert len(charts(test)) == before + 1
    assert "The median distance between two records is" in told(test) and "drawn at random" not in told(test)


def test_menus_and_cards_say_which_measures_do_not_fit():
    test = opened(session_of(people()), "curves")
    reason = kc.metrics.SuppressedItems().unsuitable(people())[0]
    assert reason in told(test)
    assert "Suppressed items" not in test.selectbox(key="up").options


def test_every_measure_of_use_is_offered_or_barred():
    session = session_of(people())
    shown = {type(m) for m in usage.usages(session)}
    assert shown == {cls for cls in UTILITIES if not cls().unsuitable(session.table)}


def test_large_changes_and_found_values_have_no_exponent():
    """46,300 and not 4.63e+04; ℓ = 2 and not 2.00."""
    assert ">+46,300<" in measures._change(kc.MatchingCost(), 46_400.2, 100)
    assert ">-0.25<" in measures._change(kc.MatchingCost(), 1, 1.25)
    verdict = kc.KAnonymity(32_561).verdict(True, 32_561, 32_561, "")
    assert kc.KAnonymity(32_561).wanted == kc.KAnonymity(32_561).reached(verdict) == "k = 32,561"

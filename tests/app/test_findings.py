"""Findings on the screens: the worst in the status bar, all in a fold, and what stops a release on Export."""

from __future__ import annotations

import json

import pytest

import kanon_core as kc
from kanon_core.findings import FINDINGS
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets import findings
from tests.app.screens import opened, words
from tests.app.test_people import status


def session_of(name: str) -> Session:
    table = kc.read_table(f"sample:{name}")
    return Session(table, name, f"sample:{name}", Setting(kc.MDAV(), 5, 2**127))


def download(test):
    return next(button for button in test.get("download_button") if button.proto.label == "Download csv")


@pytest.mark.deep
def test_the_worst_finding_stands_beside_the_guarantee():
    session = session_of("people-100")
    test = opened("tune", session, findings=True)
    said = words(test)
    assert "<b>! needs a decision: sensitive values.</b>" in said
    export = opened("release", session)
    assert "<b>worst finding</b> ! needs a decision: sensitive values and " in status(export)
    assert any(fold.label.startswith("Needs a decision – sensitive values") for fold in export.expander)
    assert "learns “condition” with certainty for" in said and "→ Require ℓ-diversity" in said


@pytest.mark.deep
def test_what_is_found_is_what_judge_finds():
    session = session_of("households-5000")
    opened("tune", session)
    release = session.shown[1]
    assert findings.known_findings(session, release) == kc.judge(session.table, release)
    assert not findings.missing_searches(session)


def test_what_the_changes_cost_is_computed_when_asked_for():
    session = session_of("people-100")
    test = opened("tune", session, findings=True)
    assert "this column has a certainty penalty" not in words(test)
    next(one for one in test.button if one.label.startswith("Compute the cost")).click().run()
    assert not any(one.label.startswith("Compute the cost") for one in test.button)
    release = session.shown[1]
    for one in kc.priced(session.table, release, findings.known_findings(session, release)):
        assert one.price in words(test) and ("certainty penalty" in one.price) == (one.remedy is not None)


def test_where_no_change_has_a_cost_a_sentence_says_so(monkeypatch):
    found = (kc.Finding("identity", "know", "A.", "B."),)
    monkeypatch.setattr("pages.tune.figures.known_findings", lambda session, release: found)
    test = opened("tune", session_of("people-100"), findings=True)
    assert not any(one.label.startswith("Compute the cost") for one in test.button)
    assert "None of these findings does." in words(test)


def test_a_click_that_leaves_the_field_of_k_prices_the_new_setting():
    test = opened("tune", session_of("people-100"), findings=True)
    test.number_input(key="any k").set_value(6)
    next(one for one in test.button if one.label.startswith("Compute the cost")).click().run()
    assert "this column has a certainty penalty" in words(test) and test.session_state["kanon"].setting.k == 6


def test_slow_searches_follow_when_all_is_drawn(monkeypatch):
    """Until then the page says that they are being looked for."""
    monkeypatch.setattr(findings, "_AT_ONCE", 0)
    monkeypatch.setattr(findings, "_CHEAP_AT_ONCE", 0)
    session = session_of("people-100")
    release = kc.anonymize(session.table, kc.MDAV(), 5, 2**127)
    session.keep(session.setting, release)
    assert findings.known_findings(session, release) == ()
    assert len(findings.missing_searches(session)) == len(FINDINGS)
    test = opened("tune", session)
    assert not findings.missing_searches(session) and "so far" not in status(test)
    assert "Searches still running" not in words(test)


def test_a_finding_that_stops_the_release_asks_for_a_reason():
    session = session_of("households-5000")
    test = opened("release", session)
    assert "weight" in words(test) and any("is published unchanged" in one.value for one in test.error)
    assert download(test).proto.disabled
    said = [words(test), *(one.value for one in test.error), *(fold.label for fold in test.expander)]
    found = {one.sentence: one.severity for one in findings.known_findings(session, session.shown[1])}
    assert "stops" in found.values()
    once = " ".join(said).replace("\\", "").replace("\u2060", "")  # without the signs that hide Markdown
    assert all(once.count(what[:60]) == 1 for what, weight in found.items() if weight == "stops")
    asked = [one for one in test.text_input if one.label.startswith("Reason for releasing it")]
    boxes = [block.type for block in test.main if block.type in ("error", "expander")]
    assert boxes.index("error") < boxes.index("expander")  # the most severe findings come first
    for number in range(len(asked)):
        assert download(test).proto.disabled
        test.text_input(key=f"reason.{number}").set_value(
            "  The weights are a survey's, and rounded.  "
        ).run()
    assert not test.exception and not download(test).proto.disabled
    (hidden,) = [block.value for block in test.code if block.value.startswith("{")]
    assert json.loads(hidden)["seed"] == "hidden" and str(session.setting.seed) not in hidden
    test.toggle(key="seed shown").set_value(True).run()
    (text,) = [block.value for block in test.code if block.value.startswith("{")]
    stopping = [one for one in findings.known_findings(session, session.shown[1]) if one.severity == "stops"]
    wanted = {one.sentence: "The weights are a survey's, and rounded." for one in stopping}
    assert len(asked) == len(stopping) == len(wanted) and json.loads(text)["reasons"] == wanted
    assert kc.Recipe.from_json(text).reasons == wanted


def test_reasons_come_back_with_the_session_and_stay_with_their_setting():
    """A reload begins another tab; what the server remembers of the browser is the session."""
    session = session_of("households-5000")
    before = opened("release", session)
    asked = [one.key for one in before.text_input if one.label.startswith("Reason for releasing it")]
    for key in asked:
        before.text_input(key=key).set_value("Rounded.").run()
    after = opened("release", session)
    assert asked and [after.text_input(key=key).value for key in asked] == ["Rounded."] * len(asked)
    assert not download(after).proto.disabled
    session.ask(k=session.setting.k + 1)
    assert not session.reasons
    session.undo()
    assert set(session.reasons.values()) == {"Rounded."}


def test_where_nothing_stops_the_release_no_reason_is_asked_for():
    test = opened("release", session_of("people-100"))
    assert not download(test).proto.disabled
    assert not any(one.label.startswith("Reason for releasing it") for one in test.text_input)
    assert "reasons" not in next(block.value for block in test.code if block.value.startswith("{"))


@pytest.mark.parametrize("reasons", [[1], "x", {"a": {"b": 1}}])
def test_a_recipe_with_odd_reasons_is_refused_or_read_as_text(reasons):
    recipe = session_of("four")
    text = json.loads(kc.anonymize(recipe.table, kc.MDAV(), 2).recipe.to_json()) | {"reasons": reasons}
    try:
        assert all(isinstance(why, str) for why in kc.Recipe.from_json(json.dumps(text)).reasons.values())
    except kc.KanonError as reason:
        assert "not a recipe" in str(reason)

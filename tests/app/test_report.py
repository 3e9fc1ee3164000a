"""The section “Report” of the Release page."""

from __future__ import annotations

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words

SECRET = 2**100 + 12_345_678_901


def session() -> Session:
    table = kc.read_table("sample:people-100")
    return Session(table, "people", "sample:people-100", Setting(kc.MDAV(), 5, SECRET), SECRET)


def press(test, key: str):
    return test.button(key=key).click().run()


def files(test) -> list[str]:
    """The labels of what can be downloaded."""
    return [one.proto.label for one in test.get("download_button")]


def reports(test) -> list[tuple[str, str]]:
    """Return the reports that were made, each as HTML and Markdown."""
    kept = test.session_state["kanon"].pictures
    found = [made for (_, _, look, *_), made in kept.items() if look == "report"]
    return [(html.decode(), markdown.decode()) for html, markdown in found]


def with_reasons(test):
    """The page when every finding that stops the sample's release has its reason."""
    for one in test.text_input:
        if one.key and one.key.startswith("reason."):
            one.set_value("a test")
    return test.run()


def test_a_report_is_made_on_demand_and_again_when_something_changed():
    test = with_reasons(opened("release", session()))
    words(test)
    assert not [label for label in files(test) if "report" in label]
    press(test, "make-report")
    assert [label for label in files(test) if "report" in label] == [
        "Download the report \\(HTML\\)",
        "Download the report \\(Markdown\\)",
    ]
    ((html, markdown),) = reports(test)
    assert str(SECRET) not in html + markdown and f"{SECRET:x}" not in html + markdown
    press(test, "candidate.add")
    assert "The settings have changed since" in words(test)
    test.text_input(key="candidate.0").set_value("the one we take")  # sent by the click that leaves the field
    press(test, "make-report")
    assert "the one we take" in reports(test)[-1][0] and "The settings have changed since" not in words(test)
    assert test.button(key="candidate.add").disabled and "This setting is in the report" in words(test)
    press(test, "candidate.gone.0")
    assert not test.session_state["kanon"].signing.noted


def test_the_fields_stay_and_stand_in_the_report():
    test = opened("release", session(), **{"report-fields": True})
    test.text_input(key="report.by").set_value("the privacy <officer>").run()
    test.text_area(key="report.why").set_value("k = 5 as agreed").run()
    assert test.session_state["kanon"].signing.said == {
        "by": "the privacy <officer>",
        "why": "k = 5 as agreed",
    }
    press(test, "make-report")
    ((html, _),) = reports(test)
    assert "the privacy &lt;officer&gt;" in html and "k = 5 as agreed" in html
    again = opened("release", test.session_state["kanon"], **{"report-fields": True})
    assert again.text_input(key="report.by").value == "the privacy <officer>"


def test_candidates_belong_to_their_table():
    own = session()
    test = opened("release", own)
    press(test, "candidate.add")
    assert len(own.signing.noted) == 1 and own.signing.noted[0][0].k == 5
    own.signing.said["by"] = "Anna"
    own.change_schema(own.table.schema.with_weights({"age": 2}))
    assert not own.signing.noted and own.signing.said == {"by": "Anna"}
    own.open_sample("people-100")
    assert not own.signing.said


def test_attacks_are_tried_unless_somebody_turns_them_off():
    test = with_reasons(opened("release", session()))
    press(test, "make-report")
    test.toggle(key="report attacks").set_value(False).run()
    assert "The settings have changed since" in words(test)
    press(test, "make-report")
    tried, bare = (html for html, _ in reports(test))
    assert "Linkage, consistent: picks" in tried and "No attack was tried." in bare


def test_risks_are_those_of_the_population_of_the_risk_page():
    own = session()
    test = opened("risk", own)
    test.selectbox(key="risk-population").set_value("size").run()
    test.number_input(key="risk-size").set_value(40_000).run()
    kept = {name: test.session_state[name] for name in test.session_state if "assumed" in name}
    assert len(kept) == 1
    test = with_reasons(opened("release", own, **kept))
    assert "the population set on the Risk page" in words(test)
    press(test, "make-report")
    ((html, _),) = reports(test)
    assert "the population has 40,000 people" in html

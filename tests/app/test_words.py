"""Explanations without a browser: all words behind one button, and a "?" beside those that are shown."""

from __future__ import annotations

import re
from html import unescape

import pytest

import kanon_core as kc
from kanon_core.findings import FINDINGS
from kanon_core.teaching.glossary import entries
from tests.app.screens import PLACES, opened
from tests.app.test_pages import session_of

MARK = re.compile(
    r'<button type="button" class="word" popovertarget="([^"]+)" aria-label="What does “([^”]+)” mean\?">'
    r'<i>\?</i></button><span popover id="([^"]+)" class="entry"><b>(.*?)</b><span>(.*?)</span>'
)


def shown(test) -> str:
    assert not test.exception
    return " ".join(block.proto.body for block in test.get("html"))


def marks(test) -> dict[str, str]:
    """Return the text behind each "?" of a page, by the word explained; each "?" opens its own entry."""
    found = MARK.findall(shown(test))
    assert len(found) == shown(test).count('class="word"')
    assert [one[0] for one in found] == [one[2] for one in found]
    assert len({one[0] for one in found}) == len(found)
    return {unescape(name): unescape(says) for _, name, _, _, says in found}


@pytest.mark.deep
@pytest.mark.parametrize("page", PLACES)
def test_all_words_are_behind_a_button_of_every_page_and_are_read_only_when_it_is_open(page):
    test = opened(page, session_of(kc.MDAV()))
    assert 'class="words"' not in shown(test)
    assert next(box.proto.popover.label for box in test.get("popover")) == "Glossary"


def test_a_word_is_found_explained_and_leads_to_others():
    test = opened("clusters", session_of(kc.MDAV()))
    test.session_state["words-open"] = True
    test.run()
    said = unescape(shown(test))
    assert all(one.says in said and one.example in said for one in entries())
    assert len(re.findall("<details><summary>", said)) == len(entries())
    box = test.selectbox(key="word")
    assert [option.rsplit(" – ", 1)[0] for option in box.options] == [one.title for one in entries()]
    box.set_value(next(option for option in box.options if "NCP)" in option)).run()
    assert '<div class="entry" role="status"><b>Certainty penalty (NCP)</b>' in shown(test)
    box.set_value(next(option for option in box.options if option.startswith("attacker"))).run()
    test.button(key="see-guarantee").click().run()
    assert '<div class="entry" role="status"><b>guarantee (verdict, audit)</b>' in shown(test)


def test_each_figure_guarantee_finding_and_curve_of_tune_opens_its_entry():
    session = session_of(kc.MDAV(), city="sensitive")
    test = opened("tune", session, audit=True, findings=True)
    found = marks(test)
    for cls in (kc.ILSSDM, kc.NCP, kc.WorstRisk):
        assert found[cls.title].startswith(cls.sentence)
    assert found["Groups"] == "Sets of records with equal published quasi-identifiers."
    assert found["k-anonymity"].startswith(kc.KAnonymity.meaning)
    assert found["truthful cells"] and found["columns as agreed"]
    told = [one.name for some in session.findings.values() for each in some.values() for one in each]
    asks = {cls.name: cls.asks for cls in FINDINGS}
    assert told and all(found[name].startswith(asks[name]) for name in told)
    test.selectbox(key="tile measure").set_value("seconds").run()
    assert "Time on this machine" in marks(test)


def test_cards_say_how_to_read_their_number_where_everybody_sees_it():
    """Not behind a pointer that rests on them."""
    test = opened("tune", session_of(kc.MDAV()))
    cards = next(block.proto.body for block in test.get("html") if 'class="cards"' in block.proto.body)
    assert "title=" not in cards and '<span class="name">Certainty penalty<' in cards
    assert re.findall('<span class="about">(.*?)</span>', cards) == [
        "0 % = nothing lost",
        "identity only",
        "0 % = exact values",
    ]


def test_the_measure_of_the_algorithms_page_opens_its_entry(aside):
    test = opened("curves", session_of(kc.MDAV()))
    assert set(marks(test)) == {"Information loss"}
    test.selectbox(key="up").set_value("NCP").run()
    assert set(marks(test)) == {"Certainty penalty"}

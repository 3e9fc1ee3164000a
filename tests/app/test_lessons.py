"""Every lesson is walked from its first screen to its end, with wrong answers, right ones, and none."""

from __future__ import annotations

import html
import re

import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.teaching.lessons import LESSONS, Amount, Choice, Lesson
from pages.learn.lessons import follow
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import PAGES, address, words

NEXT, BACK = "present-next", "present-back"


def session() -> Session:
    table = kc.read_table("sample:people-100")
    return Session(table, "people", "sample:people-100", Setting(kc.Mondrian(), 4, 9), 9)


def opened(one: Session, **asked: str) -> AppTest:
    test = AppTest.from_file(PAGES / "learn" / "page.py", default_timeout=60)
    test.session_state["kanon"] = one
    for name, value in {"view": "lessons", **asked}.items():
        test.query_params[name] = value
    return test.run()


def said(test: AppTest) -> str:
    return html.unescape(re.sub("<[^>]+>", "", words(test)))


def answer(test: AppTest, place: str, value: float) -> None:
    """Give this answer, the number of a choice or a number, and send it."""
    asked = [*test.radio, *test.number_input]
    control = next(one for one in asked if one.key == f"answer-to-{place}")
    control.set_value(int(value) if control in [*test.radio] else float(value))
    check(test)


def check(test: AppTest) -> None:
    """Press the button that checks the answer."""
    test.button(key=next(b.key for b in test.button if b.label == "Check my answer")).click().run()
    assert not test.exception


def right_and_wrong(one: Lesson, number: int) -> tuple[float, float]:
    question, seen = one.screens[number].question, one.screens[number].result()
    if isinstance(question, Choice):
        right = question.right(seen.facts)
        return right, (right + 1) % len(question.choices)
    value = seen.facts[question.fact] * (100 if question.percent else 1)
    return round(value) if question.is_right(seen.facts, round(value)) else value, value + 5


@pytest.mark.deep
@pytest.mark.parametrize("one", LESSONS, ids=[one.name for one in LESSONS])
def test_a_lesson_is_walked_to_its_end(one: Lesson):
    mine = session()
    before = (mine.table.digest, mine.setting)
    test = opened(mine)
    test.button(key=f"take-{one.name}").click().run()
    for number, screen in enumerate(one.screens):
        seen = screen.result()
        text = said(test)
        assert seen.says(screen.heading) in text and f"{number + 1} of {len(one.screens)}" in text
        assert seen.says(screen.idea) in text
        assert test.button(key=BACK).disabled == (number == 0)
        if screen.question is not None:
            assert test.button(key=NEXT).disabled and "Answer the question" in test.button(key=NEXT).help
            assert seen.says(screen.question.why) not in text
            right, wrong = right_and_wrong(one, number)
            answer(test, f"{one.name} {number}", wrong)
            assert "Not correct yet" in said(test) and test.button(key=NEXT).disabled
            answer(test, f"{one.name} {number}", right)
            assert "✓ Correct" in said(test) and seen.says(screen.question.why) in said(test)
        test.button(key=NEXT).click().run()
    assert one.tries.text in said(test)
    assert (mine.table.digest, mine.setting) == before
    test.button(key="lessons").click().run()
    assert f"{one.heading} – done" in test.button(key=f"take-{one.name}").label


def test_a_check_without_an_answer_says_what_is_missing():
    asked = [(one, i, screen.question) for one in LESSONS for i, screen in enumerate(one.screens)]
    for kind, says in ((Choice, "Choose an answer first."), (Amount, "Enter a number first.")):
        one, number = next((one, i) for one, i, question in asked if isinstance(question, kind))
        test = opened(session(), lesson=one.name, screen=str(number + 1))
        check(test)
        assert says in said(test) and "Not correct yet" not in said(test)
        answer(test, f"{one.name} {number}", right_and_wrong(one, number)[1])
        assert says not in said(test) and "Not correct yet" in said(test)


def test_an_answer_can_be_shown_instead():
    test = opened(session(), lesson="names", screen="2")
    test.button(key="show-answer").click().run()
    assert "The answer: 1" in said(test) and "✓" not in said(test) and not test.button(key=NEXT).disabled
    test.button(key=BACK).click().run()
    test.button(key=NEXT).click().run()
    assert "The answer: 1" in said(test)  # it stays answered


def test_sliders_change_the_numbers_of_their_screen():
    test = opened(session(), lesson="k-anonymity", screen="4")
    screen = next(one for one in LESSONS if one.name == "k-anonymity").screens[3]
    for k in (2, 6):
        test.slider[0].set_value(k).run()
        assert screen.result(k).says(screen.idea) in said(test)
        assert screen.result().says(screen.question.asks) in said(test)  # the question stays what it was


def test_addresses_name_lesson_and_screen():
    test = opened(session(), lesson="sets", screen="3")
    assert address(test) == {"view": "lessons", "lesson": "sets", "screen": "3"}
    assert "Cut the groups again" in said(test)
    test.button(key=BACK).click().run()
    assert address(test)["screen"] == "2"


@pytest.mark.parametrize(
    ("asked", "warns"),
    [
        ({"lesson": "nothing"}, "There is no lesson"),
        ({"lesson": "sets", "screen": "99"}, "no screen with the number"),
        ({"lesson": "sets", "screen": "-1"}, "no screen with the number"),
        ({"lesson": "<img src=x>", "screen": "x"}, "There is no lesson"),
        ({"lesson": "sets", "screen": "¹"}, "no screen with the number"),
    ],
)
def test_odd_addresses_are_said_and_left(asked, warns):
    test = opened(session(), **asked)
    assert not test.exception and warns in " ".join(one.value for one in test.warning)


def test_an_address_without_a_lesson_is_the_list():
    assert follow({}) == []
    test = opened(session())
    labels = [one.label for one in test.button]
    assert all(f"{i}. {one.heading}" in labels for i, one in enumerate(LESSONS, 1))


def test_the_end_offers_the_algorithm_only_where_it_suits():
    test = opened(session(), lesson="mil", screen="7")  # MIL wants one number, and this table has more
    assert test.button(key="lesson-set").disabled and test.button(key="lesson-set").help
    mine = session()
    test = opened(mine, lesson="nine-points", screen="8")
    assert mine.setting.algorithm == kc.Mondrian()
    test.button(key="lesson-set").click().run()
    assert mine.setting.algorithm == kc.VMDAV() and mine.setting.k == 4

"""Rules for every lesson: no number is written, all screens draw, every question has one answer."""

from __future__ import annotations

import re
import string
from html.parser import HTMLParser

import pytest

from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.errors import OptionError
from kanon_core.report.handouts import handout
from kanon_core.teaching.glossary import entry
from kanon_core.teaching.lessons import LESSONS, Amount, Choice, Lesson, Screen, lesson
from kanon_core.teaching.lessons.lesson import Fact, filled
from kanon_core.teaching.lessons.rows import Rows
from pages.shell.menu import PAGES, parts_of

NAMES = re.compile(r"k-anonymity|WP 216")
"""The names that may contain a digit."""
SCREENS = [(one, number) for one in LESSONS for number in range(len(one.screens))]
IDS = [f"{one.name}-{number + 1}" for one, number in SCREENS]


def ks(screen: Screen) -> list[int]:
    return list(range(screen.slider.first, screen.slider.last + 1)) if screen.slider else [screen.start]


def templates(screen: Screen) -> list[str]:
    found = [screen.heading, screen.idea, screen.picture]
    if screen.question is not None:
        found += [screen.question.asks, screen.question.why]
    return found + (list(screen.question.choices) if isinstance(screen.question, Choice) else [])


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_eleven_lessons_of_five_to_ten_minutes():
    assert len(LESSONS) == 11 and len({one.name for one in LESSONS}) == 11
    assert all(5 <= one.minutes <= 10 and 5 <= len(one.screens) <= 8 for one in LESSONS)
    assert lesson("sets").name == "sets"
    with pytest.raises(OptionError, match="choose from names"):
        lesson("nothing")


@pytest.mark.parametrize("one", LESSONS, ids=[one.name for one in LESSONS])
def test_no_number_is_written_and_every_one_is_found(one: Lesson):
    for text in (one.title, one.learns, one.tries.says):
        assert not re.search(r"\d", NAMES.sub("", text)) and not fields(text)
    for screen in one.screens:
        for template in templates(screen):
            words = "".join(text for text, *_ in string.Formatter().parse(template))
            assert not re.search(r"\d", NAMES.sub("", words)), template
            for k in ks(screen):
                seen = screen.result(k)
                assert fields(template) <= {*seen.facts, *seen.names}, template
                assert "{" not in seen.says(template) and "nan" not in seen.says(template).split()
                assert not fields(template) & set(seen.facts) & set(seen.names)


@pytest.mark.parametrize("one", LESSONS, ids=[one.name for one in LESSONS])
def test_ideas_are_short_and_their_words_are_in_the_glossary(one: Lesson):
    for screen in one.screens:
        sentences = re.findall(r"[.?!](?: |$)", screen.result().says(screen.idea))
        assert 1 <= len(sentences) <= 4 and len(screen.result().says(screen.heading)) <= 60
        for word in screen.words:
            assert entry(word)
    page, view = parts_of(one.tries.place)
    assert page in PAGES and (not view or view in PAGES[page].views)
    assert not one.tries.algorithm or one.tries.algorithm in {cls.__name__ for cls in ALGORITHMS}


class Balanced(HTMLParser):
    """Every element that begins ends."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.labels: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.labels += [value for name, value in attrs if name == "aria-label"]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize(("one", "number"), SCREENS, ids=IDS)
def test_every_screen_draws_light_and_dark_at_every_k(one: Lesson, number: int):
    screen = one.screens[number]
    for k in ks(screen):
        seen = screen.result(k)
        for theme in ("light", "dark"):
            read = Balanced()
            read.feed(screen.drawn(seen, theme, 380))
            assert not read.open and read.labels
            assert all(seen.says(screen.picture).split(".")[0][:30] in label for label in read.labels)
    with pytest.raises(OptionError):
        screen.drawn(screen.result(), "green", 380)


@pytest.mark.parametrize(("one", "number"), SCREENS, ids=IDS)
def test_questions_have_one_right_answer(one: Lesson, number: int):
    question, seen = one.screens[number].question, one.screens[number].result()
    if isinstance(question, Choice):
        offered = question.offered(seen.facts, seen.names)
        right = [i for i in range(len(offered)) if question.is_right(seen.facts, i)]
        assert len(set(offered)) == len(offered) >= 2 and len(right) == 1
        assert question.answer(seen.facts, seen.names) == offered[right[0]]
    elif isinstance(question, Amount):
        value = seen.facts[question.fact] * (100 if question.percent else 1)
        assert question.is_right(seen.facts, round(value)) or question.is_right(seen.facts, value)
        assert not question.is_right(seen.facts, value + 2) and not question.is_right(seen.facts, value - 2)


def test_numbers_read_as_people_write_them():
    assert f"{Fact(1234)}, {Fact(0.5)}, {Fact(1 / 3):%}" == "1,234, 0.5, 33 %"
    with pytest.raises(KeyError):
        filled("{nothing}", {})


def test_cells_of_a_table_are_escaped():
    drawn = Rows(["<b>"], [["<script>"]], [0], "<i>").drawn("light", "a <table>")
    assert "<script>" not in drawn and "<b>" not in drawn and "<i>" not in drawn


@pytest.mark.parametrize("one", LESSONS, ids=[one.name for one in LESSONS])
def test_handouts_hold_every_screen_and_every_answer(one: Lesson):
    text = handout(one)
    assert text.count("<article>") == len(one.screens) and "<script" not in text
    assert "http" not in re.sub(r'xmlns="[^"]*"|http-equiv', "", text)
    questions = sum(screen.question is not None for screen in one.screens)
    assert (
        text.count('class="asks"') == questions
        and text.split('class="answers"')[1].count("<p><b>") == questions
    )


@pytest.mark.parametrize(("one", "number"), SCREENS, ids=IDS)
def test_rows_that_a_sentence_names_have_their_number_in_the_table(one: Lesson, number: int):
    seen = one.screens[number].result()
    for template in templates(one.screens[number]):
        for said in re.findall(r"\bRows \{\w+\} and \{\w+\}|\brow \{\w+\}", template):
            drawn = one.screens[number].drawn(seen, "light", 380)
            assert ">row</th>" in drawn
            for name in fields(said):
                assert re.search(rf"<tr><td[^>]*>{Fact(seen.facts[name])}</td>", drawn), said

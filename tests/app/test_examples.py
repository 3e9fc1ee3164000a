"""Examples: a card sets table, algorithm, k and page, and its question stands above the result until it is
dismissed."""

from __future__ import annotations

import re
from html import unescape

import pytest

import kanon_core as kc
from assets.make_examples import PICTURES
from kanon_core.base.assets import ASSETS
from kanon_core.base.classroom import Classroom
from kanon_core.table.samples import sample
from pages.shell import examples
from pages.shell.menu import PAGES, parts_of
from tests.app.screens import opened, words
from tests.app.test_classroom import session_of


def cards(test) -> list[str]:
    return [one.label for one in test.button if (one.key or "").startswith("example-")]


def test_every_example_has_a_sample_an_algorithm_that_suits_it_and_a_page():
    assert len(examples.EXAMPLES) == 6
    for one in examples.EXAMPLES:
        page, view = parts_of(one.place)
        assert view in (PAGES[page].views or ("",))
        assert one.asks.endswith("?") and one.picture.endswith(".")
        if one.sample:
            table = kc.read_table(f"sample:{sample(one.sample).name}")
            assert not examples.algorithm_of(one).unsuitable(table, one.k), one.name


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_drawn_from_the_samples(name):
    assert (ASSETS / "examples" / f"{name}.svg").read_text("utf-8") == PICTURES[name]()
    assert name in {one.name for one in examples.EXAMPLES}


def test_the_cards_have_pictures_with_texts_and_are_gone_beside_a_table_of_ones_own():
    own = session_of()
    test = opened("data", own)
    assert cards(test) == [one.title for one in examples.EXAMPLES]
    said = words(test)
    for one in examples.EXAMPLES:
        assert f'alt="{one.picture}"' in said and one.asks in unescape(said)
    assert said.count("data:image/svg+xml") == len(examples.EXAMPLES)
    own.source = "upload:1"
    assert not cards(opened("data", own))


def test_a_server_without_files_has_no_card_for_one(monkeypatch):
    monkeypatch.setenv(*next(iter(Classroom("http://192.0.2.7:8501").environment().items())))
    assert cards(opened("data", session_of())) == [one.title for one in examples.EXAMPLES if one.sample]


def test_a_card_sets_table_setting_and_limit_and_asks_its_question_until_it_is_dismissed():
    own = session_of()
    own.source = "upload:1"
    one = next(each for each in examples.EXAMPLES if each.name == "patients")
    test = opened("tune", own)
    assert "question-dismiss" not in [button.key for button in test.button]

    def asked(test) -> bool:
        return one.asks in unescape(words(test))

    test.session_state["question asked"] = one.name
    assert not asked(test.run())  # the table is another one
    own.open_sample(one.sample)
    own.ask(algorithm=examples.algorithm_of(one), k=one.k)
    assert asked(test.run())
    elsewhere = opened("data", own, question_asked=one.name)
    assert not [button for button in elsewhere.button if button.key == "question-dismiss"]
    test.button(key="question-dismiss").click().run()
    assert not asked(test) and not asked(test.run())


@pytest.mark.parametrize("one", examples.EXAMPLES, ids=lambda one: one.name)
def test_opening_an_example_leaves_nothing_of_the_setting_before(one, monkeypatch):
    monkeypatch.setattr(examples, "_ASKED", asked := Recorded())
    own, went = session_of(), []
    own.source = "upload:1"
    before = own.table
    examples.open_example(own, one, went.append)
    assert asked.value == one.name
    if not one.sample:
        assert own.table is before and not went
        return
    assert (own.source, own.setting.k, went) == (f"sample:{one.sample}", one.k, [one.place])
    assert type(own.setting.algorithm).__name__ == one.algorithm
    assert own.limited == (one.limited or "loss")


class Recorded:
    """A place outside of a browser session."""

    value = ""

    def set(self, value: str) -> None:
        self.value = value


def test_the_tour_is_offered_where_its_steps_have_their_places():
    css = (ASSETS / "style.css").read_text("utf-8")
    for page, some in (("tune", True), ("data", False)):
        test = opened(page, session_of())
        (data,) = (
            one.proto for one in test.get("bidi_component") if one.proto.component_name == "kanon.tour"
        )
        assert ('"at"' in str(data)) == some or ("st-key-held" in str(data)) == some
    assert re.search(r"st-key-curve-tile", css)

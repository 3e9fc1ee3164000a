"""The Learn page without a browser: every algorithm that is told, every view, odd addresses, odd tables."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.teaching.explain import NARRATIONS, RECORDS_AT_MOST, Story, make_story
from pages.learn.stories import packed
from pages.learn.study import drawn_from
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import PAGES, address, components, words
from tests.contracts.tables import k_of, settings_of, suitable

EVIL = '<img src=x onerror="alert(1)">'
MDAV = kc.MDAV()


def table_of(count: int) -> kc.Table:
    rng = np.random.default_rng(4)
    names = [f"ZQX{i}" for i in range(count)]
    frame = pd.DataFrame(
        {"name": names, "age": rng.integers(18, 90, count), EVIL: rng.integers(0, 50, count)}
    )
    schema = kc.Schema.infer(frame).with_roles(
        {"name": "identifier", "age": "quasi_identifier", EVIL: "quasi_identifier"}
    )
    return kc.Table.from_frame(frame, schema)


def session_of(table: kc.Table, algorithm: kc.Algorithm = MDAV, k: int = 3) -> Session:
    return Session(table, "things", "upload:1", Setting(algorithm, k, 5), 5)


def opened(session: Session, **asked: str) -> AppTest:
    test = AppTest.from_file(PAGES / "learn" / "page.py", default_timeout=60)
    test.session_state["kanon"] = session
    for name, value in {"view": "steps", **asked}.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception
    return test


def sent(test: AppTest, part: str) -> dict:
    """Return the data that the player ("sides") or the exercise ("question") was given."""
    assert not test.exception
    given = [json.loads(one.json) for one in components(test)]
    return next(one for one in given if part in one)


def said(test: AppTest) -> str:
    return " ".join(one.value.replace("\\", "").replace("\u2060", "") for one in test.warning)


def story_of(test: AppTest) -> Story:
    """Return the story that the page told: a search with a time limit may end elsewhere when run again."""
    _, study = test.session_state["study"]
    return next(one for one in study.pictures.values() if isinstance(one, Story))


def pictures(side: dict) -> list[str]:
    return [
        "".join(block["pieces"][piece] for piece in picture)
        for _, block in sorted(side["blocks"].items(), key=lambda one: int(one[0]))
        for picture in block["pictures"]
        if picture is not None
    ]


@pytest.mark.deep
@pytest.mark.parametrize("narration", NARRATIONS, ids=lambda one: one.algorithm.__name__)
def test_every_algorithm_that_is_told_is_played(narration):
    for algorithm in settings_of(narration.algorithm):
        table = suitable(algorithm)[0]
        test = opened(session_of(table, algorithm, k_of(algorithm)))
        (side,) = sent(test, "sides")["sides"]
        story = story_of(test)
        assert story.release.recipe.seed == 5 and story.run.k == k_of(algorithm)
        assert side["sentences"] == [step.sentence for step in story.steps]
        for (some, line), step in zip(side["at"], story.steps, strict=True):
            assert tuple(side["lines"][some]) == step.lines and line == step.line
        assert pictures(side) == [story.steps[0].scene.drawn("light", story.steps[0].sentence)]
        test.session_state["learn more"] = 1
        (side,) = sent(test.run(), "sides")["sides"]
        steps = story.steps[:8]
        assert pictures(side) == [step.scene.drawn("light", step.sentence) for step in steps]


def test_pictures_of_a_long_run_travel_around_the_step_alone():
    test = opened(session_of(table_of(RECORDS_AT_MOST)), step="60")
    given = sent(test, "sides")
    (side,) = given["sides"]
    assert given["step"] == 59 and list(side["blocks"]) == ["7"]
    assert len(pictures(side)) == 1 and not side["blocks"]["7"]["whole"]
    test.session_state["learn more"] = 2
    (side,) = sent(test.run(), "sides")["sides"]
    assert sorted(map(int, side["blocks"])) == [6, 7, 8]
    assert len(components(test)[-1].json) < 400_000


def test_what_is_packed_comes_out_whole():
    story = make_story(kc.read_table("sample:people-100"), MDAV, 5, seed=1)
    shown = [step.scene.drawn("light", "says") for step in story.steps[:8]]
    given = packed(shown)
    assert ["".join(given["pieces"][piece] for piece in one) for one in given["pictures"]] == shown
    assert len(json.dumps(given)) < 0.5 * len(json.dumps(shown))


def test_names_and_cells_of_the_table_are_never_markup():
    test = opened(session_of(table_of(20)))
    given = components(test)[-1].json
    assert "<img" not in given and "ZQX" not in given and "<img" not in words(test)


def test_of_a_large_table_a_sample_is_shown_which_is_always_the_same():
    session = session_of(table_of(500))
    test = opened(session)
    assert "These are 200 of the 500 records, a random sample" in words(test)
    assert test.selectbox(key="learn-table").options[0] == "things (200 of 500)"
    again = opened(session_of(table_of(500)))
    first, second = (sent(one, "sides")["sides"][0]["sentences"] for one in (test, again))
    assert first == second and len(session.table) == 500
    some = drawn_from(session.table, 200)
    assert len(some) == 200 and some.frame["name"].is_unique


def test_of_people_with_many_records_all_of_some_are_shown():
    table = kc.read_table("sample:purchases-80000")
    some = drawn_from(table, 200)
    counts, whole = (one.frame["customer"].value_counts() for one in (some, table))
    assert 100 < len(some) <= 200 and len(counts) >= 10
    assert (counts == whole[counts.index]).all() and counts.max() <= 20
    test = opened(session_of(table_of(20)), table="purchases-80000")
    assert "all records of a random sample of people with at most 20 records" in words(test)


def test_an_algorithm_that_the_table_does_not_suit_is_shown_on_one_that_it_suits():
    test = opened(session_of(table_of(20)), table="nine", algorithm="MDAV")
    assert said(test) and not [one for one in components(test) if "sides" in one.json]
    test.button(key="learn-elsewhere").click().run()
    assert sent(test, "sides") and address(test)["table"] == "own"


def test_without_a_quasi_identifier_samples_are_shown_and_it_is_said_why():
    table = table_of(20)
    test = opened(session_of(table.with_schema(table.schema.with_quasi([]))))
    assert "No column of your table is a quasi-identifier, so samples are shown." in words(test)
    assert test.selectbox(key="learn-table").value == "people-100" and sent(test, "sides")


def test_as_long_as_it_is_not_said_whose_the_records_are_samples_are_shown():
    table = table_of(20)
    test = opened(session_of(table.with_schema(table.schema.with_roles({"age": "undecided"}))))
    assert "You have not yet decided whose records your table contains" in words(test)


def test_more_k_than_records_is_told_in_a_sentence():
    session = session_of(table_of(20))
    test = opened(session, k="21", algorithm="MDAV", table="own")
    assert "20" in said(test) and not [one for one in components(test) if "sides" in one.json]
    test.number_input(key="learn-k").set_value(4).run()
    assert sent(test, "sides")["sides"][0]["count"] > 1 and address(test)["k"] == "4"
    assert session.setting.k == 3, "the setting of the other pages stays"


def test_the_address_leads_to_the_same_step():
    test = opened(session_of(table_of(20)), table="people-100", algorithm="MDAV", k="7", step="4")
    assert not test.warning
    assert address(test) == {
        "view": "steps",
        "table": "people-100",
        "algorithm": "MDAV",
        "k": "7",
        "step": "4",
    }
    assert sent(test, "sides")["step"] == 3
    own = opened(session_of(table_of(20)), table="own", step="2")
    assert address(own)["table"] == "own" and sent(own, "sides")["step"] == 1
    assert not re.search(r"seed|age|ZQX", json.dumps(address(own)))


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"view": "cinema"}, "Learn has no view with the name in the address. The first view is shown."),
        ({"table": "nobody"}, "No sample has the name in the address. The current table stays."),
        ({"algorithm": "Magic"}, "The address names no valid algorithm or k"),
        ({"algorithm": "{"}, "The address names no valid algorithm or k"),
        ({"k": "many"}, "The address names no valid algorithm or k"),
        ({"k": "1"}, "The address names no valid algorithm or k"),
        ({"step": "last"}, "This run has the steps 1 to "),
        ({"step": "0"}, "This run has the steps 1 to "),
        ({"step": "99999999999999999999"}, "This run has the steps 1 to "),
        ({"beside": "Magic@3"}, "The address names no valid second algorithm"),
        ({"beside": "MDAV"}, "The address names no valid second algorithm"),
        ({"view": "exercises", "exercise": "poem-1"}, "The exercise in the address does not exist"),
        ({"view": "exercises", "exercise": "loss-0"}, "The exercise in the address does not exist"),
    ],
)
def test_what_an_address_asks_wrongly_is_told_and_something_is_shown(asked, says):
    test = opened(session_of(table_of(20)), **asked)
    assert says in said(test)
    if "view" not in asked:  # another view than the first
        assert sent(test, "question" if "exercise" in asked else "sides")
    assert test.run().warning == [] and not test.exception, "once"


def test_two_runs_stand_side_by_side_on_the_same_points():
    test = opened(session_of(table_of(20)), beside="MDAV@5")
    left, right = sent(test, "sides")["sides"]
    assert left["title"] == "MDAV, k = 3" and right["title"] == "MDAV, k = 5"
    assert left["count"] > right["count"]
    test.number_input(key="learn-its-k").set_value(4).run()
    assert address(test)["beside"] == "MDAV@4"
    test.selectbox(key="learn-beside").set_value("").run()
    assert len(sent(test, "sides")["sides"]) == 1 and "beside" not in address(test)
    test.selectbox(key="learn-beside").set_value("MDAV").run()
    assert address(test)["beside"] == "MDAV@3"


def test_a_run_that_was_stopped_is_not_begun_again_until_it_is_asked_for():
    session = session_of(table_of(20))
    test = opened(session)
    test.session_state["story stopped"] = session.setting.key
    test.run()
    assert "Stopped." in test.info[0].value.replace("\\", "") and not components(test)
    test.button(key="again-story-0").click().run()
    assert sent(test, "sides")["sides"]


def test_another_k_begins_with_the_first_step():
    test = opened(session_of(table_of(20)), step="3")
    first = sent(test, "sides")
    test.number_input(key="learn-k").set_value(4).run()
    assert sent(test, "sides")["step"] == 0 and sent(test, "sides")["key"] != first["key"]


def test_the_table_menu_opens_samples_and_leaves_the_session_alone():
    session = session_of(table_of(20))
    test = opened(session)
    test.selectbox(key="learn-table").set_value("people-100").run()
    assert address(test)["table"] == "people-100" and "100 records" in words(test)
    assert session.source == "upload:1" and len(session.table) == 20


@pytest.mark.parametrize("kind", ["group", "loss", "k"])
def test_every_kind_of_exercise_goes_on_and_back(kind):
    test = opened(session_of(table_of(40)), view="exercises", exercise=f"{kind}-1")
    first = sent(test, "question")
    assert first["answer"] and first["why"] and bool(first["picture"]) == (kind == "group")
    assert test.button(key="present-back").disabled
    test.button(key="present-next").click().run()
    assert address(test)["exercise"] == f"{kind}-2" and sent(test, "question") != first
    test.button(key="present-back").click().run()
    assert sent(test, "question") == first


def test_another_kind_of_exercise_is_chosen():
    test = opened(session_of(table_of(40)), view="exercises")
    test.segmented_control(key="learn-question").set_value("k").run()
    assert address(test)["exercise"] == "k-1" and "largest k" in sent(test, "question")["question"]


def test_the_room_sees_one_message():
    test = opened(session_of(table_of(20)), present="1")
    assert 'class="presenting"' in words(test) and sent(test, "sides")["presenting"]
    test.button(key="present").click().run()
    assert 'class="presenting"' not in words(test) and "present" not in address(test)

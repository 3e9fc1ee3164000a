"""The person lens without a browser: pages that listen, kinds of records, steps, and what stays secret."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import KnownPopulation, Setting, known_population
from tests.app.screens import control, opened, words
from tests.app.test_histories import session_of
from tests.charts.purchasetables import purchases
from tests.findings.test_exposure import drawn_again, people

CLICKED, LARGE = "record clicked", '<div class="lens-large">'


def session(algorithm: kc.Algorithm | None = None, k: int = 3, seed: int = 1) -> Session:
    return Session(people(), "t", "upload:1", Setting(algorithm or kc.MDAV(), k, seed))


def looked(page: str, held: Session, record: int, **state: object) -> AppTest:
    return opened(page, held, **{CLICKED: record}, **state)


def again(act) -> AppTest:
    """Do this in the lens. Tests without a browser draw the whole page anew, which closes the lens: it is
    opened on the record that it had come to."""
    test = act.run()
    digest = test.session_state["kanon"].table.digest
    test.session_state[CLICKED] = test.session_state[f"record under the lens {digest}"]
    return test.run()


def lensed(test: AppTest) -> str:
    """Return the text of the lens, which stands after that of the page."""
    said = words(test)
    return said[said.index('class="crowd"') :] if 'class="crowd"' in said else said


def listeners(test: AppTest) -> int:
    assert not test.exception
    return sum(one.proto.component_name.endswith("kanon.lens") for one in test.get("bidi_component"))


@pytest.mark.parametrize("page", ["clusters", "risk/person", "curves/records", "tune"])
def test_pages_with_records_listen_for_clicks_on_their_rows(page):
    test = opened(page, session())
    assert listeners(test) == 1 and 'class="who" data-record=' in words(test)
    assert not test.get("dialog") and "What each attacker learns" not in words(test)


def test_a_clicked_record_is_shown_with_its_class_and_each_attacker():
    held = session()
    test = looked("clusters", held, 4)
    said = words(test)
    release = held.kept(held.setting)
    members = release.cover.members(int(release.groups[4]))
    assert f"Record <b>5</b> hides among <b>{len(members)} records with equal published" in said
    assert all(f'data-record="{one + 1}"' in lensed(test) for one in members.tolist())
    assert "33.3 %" in said and "Prosecutor" in said and "Everybody’s quasi-identifiers" in said
    assert "ill: " in said and "Not covered:" in said and "ZQX" not in said
    assert listeners(test) == 2


def test_next_and_previous_step_through_all_records_and_begin_again():
    test = looked("clusters", session(), 29)
    assert "Record <b>1</b> hides" in words(again(test.button(key="present-next").click()))
    assert "Record <b>30</b> hides" in words(again(test.button(key="present-back").click()))
    number = control(test.number_input, "record of the lens").set_value(12)
    assert "Record <b>12</b> hides" in words(again(number))


def test_larger_makes_the_type_large_also_of_the_next_record():
    assert LARGE not in words(looked("clusters", session(), 0))
    test = looked("clusters", session(), 0, **{"lens-larger": True})
    assert LARGE in words(test) and LARGE in words(again(test.button(key="present-next").click()))


def test_where_sets_overlap_the_lens_shows_rows_but_not_the_draw():
    said, held = [], session(kc.OptimalConcealment())
    held.change_schema(held.table.schema.with_roles({"ill": "other"}))
    first = kc.anonymize(held.table, held.setting.algorithm, 3, 1)
    for release in (first, drawn_again(first)):
        held.keep(held.setting, release)
        said.append(lensed(looked("clusters/matchings", held, 2)))
    assert said[0] == said[1] and "made for record" in said[0] and "was drawn with the seed" in said[0]


def test_people_step_from_person_to_person():
    held = session_of(purchases(people=8, seed=1, most=3))
    test = looked("clusters/people", held, 0)
    assert "people with equal published histories" in words(test)
    numbers = held.table.frame["customer"].to_numpy()
    seen = {numbers[0]}
    for _ in range(7):
        test = again(test.button(key="present-next").click())
        assert "Before and after" in words(test)
        seen.add(numbers[control(test.number_input, "record of the lens").value - 1])
    assert len(seen) == 8


def test_a_suppressed_record_says_so_and_has_no_picture():
    held = session(kc.FullDomain(max_suppressed=0.5), 4)
    release = kc.anonymize(held.table, held.setting.algorithm, 4, 1)
    test = looked("clusters", held, int(np.flatnonzero(release.suppressed)[0]))
    assert "is suppressed: it has no row" in words(test) and not test.get("download_button")


def test_the_figures_are_those_of_the_population_that_was_chosen():
    held = session()
    test = opened("clusters", held)
    key = known_population(held.table)
    test.session_state[key.name] = KnownPopulation(kc.Population(3_000), "3000")
    test.session_state[CLICKED] = 4
    said = words(test.run())
    chance = kc.risks(held.table, held.kept(held.setting), None, kc.Population(3_000)).found[1]
    assert f"{100 * chance.after.records[4]:.1f}".removesuffix(".0") in said


def test_a_record_that_there_is_not_opens_nothing():
    assert "What each attacker learns" not in words(looked("clusters", session(), 3_000))

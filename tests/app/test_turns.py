"""Fair turns of long work."""

from __future__ import annotations

import pytest

from pages.state import turns
from pages.state.turns import GONE, TURN, Turns


@pytest.fixture
def now(monkeypatch):
    """The clock, to be set."""
    clock = [0.0]
    monkeypatch.setattr(turns.time, "monotonic", lambda: clock[0])
    return clock


def run(fair: Turns, now: list[float], people: str, seconds: float, every: float = 0.1) -> dict[str, float]:
    """For how long each of these people's work went on when all ask at once, again and again."""
    went = dict.fromkeys(people, 0.0)
    for _ in range(round(seconds / every)):
        for one in people:
            went[one] += every * fair.may(one)
        now[0] += every
    return went


def test_alone_nobody_waits(now):
    assert run(Turns(1), now, "a", 20) == {"a": pytest.approx(20)}


@pytest.mark.parametrize("places", [1, 3])
def test_all_have_the_same_share_and_no_more_go_on_than_there_are_places(now, places):
    fair = Turns(places)
    went = run(fair, now, "abcde", 100)
    # A place that is given up is empty until somebody asks again.
    assert sum(went.values()) == pytest.approx(100 * places, rel=0.04)
    assert max(went.values()) - min(went.values()) <= TURN * 1.1 + 0.1
    assert fair.running == places and fair.waiting == 5 - places


def test_who_comes_late_waits_one_turn_of_each_before_it(now):
    fair = Turns(1)
    run(fair, now, "ab", 10)
    begun = now[0]
    while not fair.may("c"):
        run(fair, now, "ab", 0.1)
    assert now[0] - begun <= 2 * TURN + 0.5


def test_work_that_ended_without_a_word_keeps_no_place(now):
    fair = Turns(1)
    assert fair.may("gone") and not fair.may("next")
    now[0] += GONE
    assert fair.may("next") and fair.running == 1


def test_work_that_ended_gives_its_place_at_once(now):
    fair = Turns(1)
    assert fair.may("a") and not fair.may("b")
    fair.leave("a")
    assert fair.may("b")
    fair.leave("never was there")


def test_who_waits_and_goes_away_is_not_waited_for(now):
    fair = Turns(1)
    assert fair.may("a") and not fair.may("goes") and not fair.may("b")
    fair.leave("goes")
    fair.leave("a")
    assert fair.may("b")

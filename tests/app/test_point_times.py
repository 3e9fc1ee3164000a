"""The time that curves still take, learned from the points that came."""

from __future__ import annotations

import pytest

import kanon_core as kc
from kanon_core.runs.sweeps import SweepPoint
from pages.state import point_times


@pytest.fixture
def now(monkeypatch):
    """The clock, to be set."""
    clock = [0.0]
    monkeypatch.setattr(point_times.time, "monotonic", lambda: clock[0])
    return clock


def point(k: int, seconds: float, algorithm: kc.Algorithm | None = None) -> SweepPoint:
    return SweepPoint(algorithm or kc.MDAV(), k, {}, seconds)


def came(run: point_times.PointTimes, now: list[float], times: list[float], seconds: float = 1.0) -> None:
    run.start()
    for time in times:
        now[0] = time
        run.start()
        run.arrived(point(2, seconds))


def test_the_time_of_a_point_is_its_own_and_what_comes_on_top(now):
    """Three seconds from one to the next, of which one was its own."""
    run = point_times.PointTimes()
    came(run, now, [3.0, 6.0, 9.0])
    assert run.seconds_left([(kc.MDAV(), 6)], [point(2, 1.0), point(10, 5.0)]) == pytest.approx(3.0 + 2.0)
    assert run.seconds_left([(kc.MDAV(), 20)] * 2, [point(2, 1.0), point(10, 5.0)]) == pytest.approx(2 * 7.0)


def test_of_an_algorithm_without_a_point_nothing_is_said(now):
    run = point_times.PointTimes()
    assert run.seconds_left([(kc.MDAV(), 3)], [point(2, 1.0)]) is None
    came(run, now, [1.0])
    assert run.seconds_left([(kc.Sorting(), 3)], [point(2, 1.0)]) is None


def test_a_rest_is_no_time_of_a_point(now):
    run = point_times.PointTimes()
    came(run, now, [2.0])
    run.pause()
    now[0] = 100.0
    run.start()
    now[0] = 102.0
    run.arrived(point(3, 1.0))
    assert run.seconds_left([(kc.MDAV(), 2)], [point(2, 1.0)]) == pytest.approx(1.0 + 1.0)

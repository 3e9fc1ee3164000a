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
    run, done = point_times.PointTimes(), [point(50, 8.0), point(2, 1.0), point(10, 5.0)]
    came(run, now, [3.0, 6.0, 9.0])
    assert run.seconds_left([(kc.MDAV(), 6)], done) == pytest.approx(3.0 + 2.0)
    assert run.seconds_left([(kc.MDAV(), 20)] * 2, done) == pytest.approx(2 * 7.0)


def test_what_is_slow_only_at_the_start_does_not_count(now):
    """The process starts and loads its code for twenty seconds; then each point takes a tenth."""
    run, done = point_times.PointTimes(), [point(2, 9.0)]
    came(run, now, [20.0], 9.0)
    for number in range(1, 5):
        todo = [(kc.MDAV(), k) for k in range(20, 40)]
        left = run.seconds_left(todo, done)
        assert left is None if len(done) < 3 else left == pytest.approx(20 * 0.1, rel=0.01)
        done.append(point(2 + number, 0.08))
        came(run, now, [20.0 + 0.1 * number], 0.08)


def test_of_an_algorithm_with_too_few_points_nothing_is_said(now):
    run, done = point_times.PointTimes(), [point(k, 1.0) for k in (2, 3, 4)]
    assert run.seconds_left([(kc.MDAV(), 3)], done) is None
    came(run, now, [1.0, 2.0])
    assert run.seconds_left([(kc.MDAV(), 5)], done) == pytest.approx(1.0)
    assert run.seconds_left([(kc.MDAV(), 5)], done[:2]) is None
    assert run.seconds_left([(kc.MDAV(), 5), (kc.Sorting(), 3)], done) is None


def test_a_rest_is_no_time_of_a_point(now):
    run, done = point_times.PointTimes(), [point(k, 1.0) for k in (2, 3, 4)]
    came(run, now, [2.0, 4.0])
    run.pause()
    run.arrived(point(3, 1.0))
    now[0] = 100.0
    run.start()
    now[0] = 103.0
    run.arrived(point(3, 1.0))
    run.start()
    now[0] = 105.0
    run.arrived(point(3, 1.0))
    assert run.seconds_left([(kc.MDAV(), 2)], done) == pytest.approx(1.0 + 1.0)

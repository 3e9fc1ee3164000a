"""The driver of searches that have seconds: when it stops, what it says, and that loading takes no time."""

from __future__ import annotations

import itertools
from unittest.mock import patch

import pytest

import kanon_core as kc
from kanon_core.base import anytime
from kanon_core.base.anytime import TOO_SHORT, Limits, drive
from tests.helpers import table_of


class Clock:
    """Stands still but for the seconds that steps say they take."""

    def __init__(self) -> None:
        self.now = 0.0

    def steps(self, *seconds: float):
        for step in seconds:
            self.now += step
            yield f"{step} s"


def driven(limits: Limits, *work: float, load: float = 0.0, prepare: tuple[float, ...] = ()) -> int:
    clock = Clock()
    with patch.object(anytime.time, "perf_counter", lambda: clock.now):
        return drive(clock.steps(*work), limits, lambda: list(clock.steps(load)), clock.steps(*prepare))


def test_a_search_ends_by_the_clock_by_its_steps_or_by_itself():
    for limits, taken in ((Limits(1.0), 4), (Limits(steps=7), 7), (Limits(1.0, 2), 2), (Limits(0.0), 1)):
        assert driven(limits, *[0.25] * 20) == taken
        assert limits.report["steps"] == limits.settled["steps"] == taken
    nothing = Limits(1.0)
    assert driven(nothing) == nothing.report["steps"] == 0
    assert nothing.settled["steps"] == 1  # 0 would mean: by time
    assert driven(Limits(), *[0.25] * 20) == 20


def test_loading_takes_no_time_and_preparing_does():
    assert driven(Limits(1.0), *[0.25] * 20, load=60.0) == 4
    assert driven(Limits(1.0), *[0.25] * 20, prepare=(0.5, 0.25)) == 3
    assert driven(Limits(steps=3), *[0.25] * 20, load=60.0, prepare=(9.0, 9.0)) == 3


def test_the_report_says_when_the_time_was_too_short_for_one_improving_step():
    for limits, prepare, short in (
        (Limits(1.0), (), False),
        (Limits(0.2), (), True),
        (Limits(1.0), (0.5, 0.6), True),
        (Limits(1.0), (0.9,), True),
        (Limits(1.0), (0.6,), False),
        (Limits(steps=1), (0.5,), False),
    ):
        driven(limits, *[0.25] * 20, prepare=prepare)
        assert (TOO_SHORT in limits.report) is short


def test_it_ticks_between_long_steps_not_short_ones_and_what_the_tick_raises_passes():
    seen: list[float | None] = []
    driven(Limits(1.0, tick=lambda fraction, note: seen.append(fraction)), *[0.01] * 1000)
    assert 10 < len(seen) < 30
    assert seen == sorted(seen)
    assert (seen[0], seen[-1]) == (0.0, 1.0)
    seen.clear()
    driven(Limits(tick=lambda fraction, note: seen.append(fraction)), 0.25, 0.25)
    assert seen == [None, None]

    def stop(fraction, note):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        driven(Limits(steps=9, tick=stop), *itertools.repeat(0.1, 9))


def test_every_search_tells_when_its_time_was_too_short_and_its_recipe_repeats_it():
    table = table_of(x=[*range(40)], c=["a", "b"] * 20)
    sets = table_of(s=["a;b", "a", "b;c", "c"] * 10)
    sets = kc.Table.from_frame(sets.frame, sets.schema.with_kinds({"s": "items"}).with_quasi(["s"]))
    for data, algorithm in (
        (table, kc.Refine(seconds=0)),
        (table, kc.Refine(seconds=0, loss="ncp")),
        (sets, kc.RefineSets(seconds=0)),
    ):
        release = kc.anonymize(data, algorithm, 3, seed=1)
        assert release.report[TOO_SHORT] == 1
        assert release.recipe.algorithm.steps == release.report["steps"] == 1
        again = kc.repeat(data, release.recipe)
        assert again.cover == release.cover
        assert TOO_SHORT not in again.report


def test_a_search_on_uncompiled_loops_says_so(monkeypatch):
    import sys

    state = sys.modules["kanon_core.base.compiled.uncompiled"]
    for elsewhere, small, said in ((True, True, True), (True, False, False), (False, True, False)):
        monkeypatch.setattr(state, "_elsewhere", elsewhere)
        limits = anytime.Limits(seconds=1.0)
        with state.uncompiled(small):
            anytime.drive(iter(["step"]), limits, load=lambda: None)
        assert (anytime.UNCOMPILED in limits.report) is said

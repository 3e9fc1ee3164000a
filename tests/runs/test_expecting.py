"""Expected success of attacks on releases made anew: it depends on table, algorithm and k alone."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.runs.expecting import GUESSES, MOST_DRAWS, Expected, expected
from tests.helpers import looped, release_of, table_of


def table(n: int = 60) -> kc.Table:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "age": rng.choice(np.arange(18, 90), n),
            "height": rng.choice(np.arange(140, 210), n),
            "ill": rng.choice(list("abc"), n),
        }
    )
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"ill": "sensitive"}))


def by_title(found: Expected) -> dict[str, kc.Attacked]:
    return {one.title: one for one in found.found}


@pytest.mark.deep
@looped("algorithm", [kc.MDAV(), kc.Greedy()])
def test_nothing_depends_on_the_seed_of_the_release(algorithm):
    people = table()
    one, other = (kc.anonymize(people, algorithm, 4, seed) for seed in (7, 2**100))
    assert expected(one) == expected(other) != Expected()


def test_where_sets_overlap_every_release_is_drawn_anew():
    """An attacker who picks among the rows that fit a person picks that person's row at most once in k."""
    found = expected(kc.anonymize(table(), kc.Greedy(), 4, seed=1), draws=20)
    linkage = by_title(found)["Linkage, consistent"]
    assert (found.draws, linkage.tried, found.targets) == (20, 20 * 60, GUESSES // 20)
    assert linkage.expected <= 1 / 4 and linkage.interval[0] <= 1 / 4
    assert by_title(found)["Run again"].interval[0] <= 1 / 4
    assert linkage.baseline == 1 / 60


def test_groups_are_made_once_more_for_there_is_nothing_to_draw():
    """Sixty different heights in sorted groups of 3: nothing fits but the own row's class."""
    release = kc.anonymize(table_of(height=np.arange(60)), kc.Sorting(), 3, seed=1)
    found = expected(release)
    assert found.draws == 1
    linkage = by_title(found)["Linkage, consistent"]
    assert (linkage.tried, linkage.succeeded, linkage.expected) == (60, 20, pytest.approx(1 / 3))
    assert "Attribute inference: ill" not in by_title(found)


def test_control_groups_are_added_over_all_draws():
    found = by_title(expected(kc.anonymize(table(), kc.Greedy(), 4, seed=1), draws=5))
    inference, alone = found["Attribute inference: ill"], found["Singling out"]
    assert (inference.tried, inference.control_tried) == (5 * 48, 5 * 12)
    assert 0 < alone.tried <= 5 * 30 and inference.control_rate is not None


def test_too_few_records_for_a_control_group_is_said():
    few = table(9)
    found = expected(kc.anonymize(few, kc.MDAV(), 8, seed=1))
    assert "Linkage, consistent" in by_title(found) and "Membership" not in by_title(found)
    assert len(found.notes) == 1 and "k = 8" in found.notes[0]


def test_without_draws_or_rows_nothing_is_tried():
    people = table(12)
    assert expected(kc.anonymize(people, kc.MDAV(), 3, seed=1), draws=0) == Expected()
    assert expected(release_of(people, [-1] * 12)) == Expected()
    assert MOST_DRAWS <= GUESSES


def test_whatever_the_tick_raises_stops_it():
    class Stopped(Exception):
        pass

    def stop(fraction: float | None, note: str = "") -> None:
        if fraction and fraction > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        expected(kc.anonymize(table(), kc.Greedy(), 4, seed=1), progress=stop)

"""Points that another process computes: the same as here, in turn for several owners, stopped at once."""

from __future__ import annotations

import pickle
import threading
import time
from dataclasses import replace
from itertools import pairwise

import pytest

import kanon_core as kc
from kanon_core.background.curves import Sweeper, worker
from kanon_core.background.curves import sweeper as sweeping
from kanon_core.background.curves.worker import Task, Worker
from kanon_core.runs.sweeps import sweep_point
from tests.helpers import table_of

METRICS = (kc.ILSSDM(), kc.NCP())
WAIT = 60


@pytest.fixture
def sweeper():
    made = Sweeper(patience=2 * WAIT)  # nobody renews the wishes of these tests
    yield made
    made.end()


def begun(sweeper: Sweeper, owner: str) -> None:
    """Wait until a point of this owner is being computed."""
    until = time.monotonic() + WAIT
    while not sweeper.running(owner):
        assert time.monotonic() < until
        time.sleep(0.01)


class Found:
    """The points that were taken, and a way to wait until there are a given number of them."""

    def __init__(self) -> None:
        self.points: list = []
        self.changed = threading.Condition()

    def take(self, setting, point) -> None:
        with self.changed:
            self.points.append((setting, point))
            self.changed.notify_all()

    def wait(self, count: int) -> list:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.points) >= count, WAIT)
        return self.points


@pytest.mark.deep
def test_points_are_those_computed_here_and_come_in_the_order_wished_for(sweeper):
    table, found = kc.read_table("sample:people-100"), Found()
    todo = [(kc.MDAV(), k, 5) for k in (7, 3, 4)]
    sweeper.wish("one", table, todo, METRICS, found.take)
    points = found.wait(3)
    assert [setting for setting, _ in points] == todo
    for (algorithm, k, seed), point in points:
        assert point.scores == sweep_point(table, algorithm, k, METRICS, seed).scores


@pytest.mark.deep
def test_owners_are_served_in_turn(sweeper):
    table, found = kc.read_table("sample:people-100"), Found()
    for owner, algorithm in (("one", kc.MDAV()), ("two", kc.Mondrian())):
        sweeper.wish(owner, table, [(algorithm, k, 0) for k in range(2, 12)], METRICS, found.take)
    order = [type(setting[0]).__name__ for setting, _ in found.wait(20)]
    assert "Mondrian" in order[:3] and sum(a != b for a, b in pairwise(order)) >= 17


@pytest.mark.deep
def test_a_running_point_that_is_not_wanted_any_more_is_stopped_and_the_next_begins(sweeper):
    table, found = kc.read_table("sample:people-5000"), Found()
    sweeper.wish("one", table, [(kc.Sorting(), 2, 0)], METRICS, found.take)
    found.wait(1)
    sweeper.wish("one", table, [(kc.Refine(seconds=600), 3, 0)], METRICS, found.take)
    begun(sweeper, "one")
    sweeper.wish("one", table, [(kc.Sorting(), 3, 0)], METRICS, found.take)
    assert found.wait(2)[1][0] == (kc.Sorting(), 3, 0)
    assert not sweeper.running("one")


@pytest.mark.deep
def test_what_is_dropped_is_not_given_back(sweeper):
    table, found = kc.read_table("sample:people-5000"), Found()
    sweeper.wish("one", table, [(kc.Refine(seconds=600), 3, 0)], METRICS, found.take)
    sweeper.drop("one")
    sweeper.wish("two", table, [(kc.Sorting(), 2, 0)], METRICS, found.take)
    assert [setting[0] for setting, _ in found.wait(1)] == [kc.Sorting()]


@pytest.mark.deep
def test_what_cannot_be_computed_has_its_reason(sweeper):
    found = Found()
    sweeper.wish("one", table_of(age=[1, 2, 3, 4]), [(kc.MDAV(), 9, 0)], METRICS, found.take)
    assert "9" in found.wait(1)[0][1].problem


def ended(sweeper: Sweeper, owner: str) -> None:
    """End the process while it computes a point of this owner, and wait until that is seen."""
    until = time.monotonic() + WAIT
    while not sweeper.running(owner) or sweeper._process is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    process = sweeper._process
    process.kill()
    while sweeper._process is process:
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.deep
def test_what_a_process_was_at_when_it_ended_is_computed_again(sweeper):
    table, found = kc.read_table("sample:people-5000"), Found()
    sweeper.wish("one", table, [(kc.Refine(seconds=1), 3, 0), (kc.Sorting(), 2, 0)], METRICS, found.take)
    ended(sweeper, "one")
    points = found.wait(2)
    assert [point.k for _, point in points] == [3, 2] and not any(point.problem for _, point in points)


@pytest.mark.deep
def test_a_process_that_ends_twice_at_the_same_is_told_and_another_is_started(sweeper):
    table, found = kc.read_table("sample:people-5000"), Found()
    sweeper.wish("one", table, [(kc.Refine(seconds=600), 3, 0)], METRICS, found.take)
    ended(sweeper, "one")
    ended(sweeper, "one")
    assert "stopped unexpectedly" in found.wait(1)[0][1]
    sweeper.wish("one", table, [(kc.Sorting(), 4, 0)], METRICS, found.take)
    assert found.wait(2)[1][1].k == 4


def test_what_nobody_asks_for_again_is_given_up():
    table = table_of(age=[1, 2, 3, 4])
    one = Worker()
    one.tables[table.digest] = table
    assert one.point(Task(1, table.digest, kc.Sorting(), 2, 0, METRICS, patience=-1.0)) is None


def test_few_tables_are_kept():
    one = Worker()
    tables = [table_of(age=[1, 2, 3, n]) for n in range(5)]
    for table in tables:
        one.inbox.put((table.digest, table))
    one.inbox.put(None)
    one.work(lambda number, found: None)
    assert list(one.tables) == [table.digest for table in tables[-worker.TABLES :]]


@pytest.mark.deep
def test_a_point_that_was_ended_from_here_has_no_problem_told(sweeper):
    """Somebody had all forgotten; the curves of others are computed again when they look."""
    table, found = kc.read_table("sample:people-5000"), Found()
    sweeper.wish("one", table, [(kc.Refine(seconds=600), 3, 0)], METRICS, found.take)
    begun(sweeper, "one")
    sweeper.end()
    sweeper.wish("two", table, [(kc.Sorting(), 2, 0)], METRICS, found.take)
    assert [setting[0] for setting, _ in found.wait(1)] == [kc.Sorting()]


def test_what_pages_find_out_while_a_table_is_sent_does_not_spoil_it():
    table = table_of(age=[20, 30, 40, 50])

    class Growing:
        def __reduce__(self) -> tuple[type, tuple[()]]:
            column.__dict__["found meanwhile"] = True
            return object, ()

    column = replace(table.columns[0], attribute=Growing())
    column.__dict__["found before"] = True
    sent = pickle.dumps(sweeping._bare(replace(table, columns=(column, *table.columns[1:]))))
    assert "found meanwhile" in column.__dict__
    assert not {"found before", "found meanwhile"} & vars(pickle.loads(sent).columns[0]).keys()

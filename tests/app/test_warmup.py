"""The wait for a compiler: who waits, what is offered meanwhile, and that a click ends the wait."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner_utils.exceptions import RerunException
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

import kanon_core as kc
from kanon_core.base.classroom import VARIABLE, Classroom
from pages.shell import private
from pages.state import jobs, warmup


@pytest.fixture
def work(monkeypatch):
    """Something that compiles, of which nothing is ready yet."""
    asked: set[str] = set()
    made = SimpleNamespace(running=True, ready=set(), ask=asked.add, asked=asked, says="1 of 2 loops")
    monkeypatch.setattr(warmup, "start", lambda: made)
    monkeypatch.setattr(warmup, "_POLL_SECONDS", 0)
    return made


@pytest.fixture(scope="module")
def large():
    return kc.read_table("sample:people-5000")


def test_only_large_tables_wait_and_only_until_what_they_need_is_there(work, large):
    small = kc.read_table("sample:people-100")
    assert not warmup.waits(small, kc.Refine()) and warmup.waits(large, kc.Refine())
    work.ready |= {"Refine"}
    assert warmup.waits(large, kc.Refine())  # it starts from MDAV
    work.ready |= {"MDAV"}
    assert not warmup.waits(large, kc.Refine())
    work.ready.clear()
    work.running = False
    assert not warmup.waits(large, kc.Refine())


def test_an_algorithm_and_those_inside_it_come_next_and_progress_is_said(work, large):
    notes: list[str] = []

    def tick(share, note=""):
        notes.append(note)
        work.ready.add("Refine" if len(notes) < 3 else "VMDAV")

    warmup.prepare(large, kc.Refine(start=kc.VMDAV()), tick)
    assert work.asked == {"Refine", "VMDAV"} and len(notes) == 3
    assert set(notes) == {"preparing Refine on this computer, the first time only; 1 of 2 loops"}


def test_a_click_ends_the_wait(work, large):
    class Clicked(BaseException):
        pass

    def click(share, note=""):
        raise Clicked

    with pytest.raises(Clicked):
        warmup.prepare(large, kc.Mondrian(), click)
    work.running = False
    warmup.prepare(large, kc.Mondrian(), click)


@pytest.mark.parametrize(("fragments", "scope"), [(["a"], "fragment"), (None, "app")])
def test_a_tick_gives_way_to_a_click_inside_a_fragment(monkeypatch, fragments, scope):
    requests = ScriptRequests()
    scopes: list[str] = []

    def rerun(scope="app"):
        if scope == "fragment" and fragments is None:
            raise StreamlitAPIException("only in a fragment")
        scopes.append(scope)
        raise RerunException(RerunData())

    monkeypatch.setattr(private, "_context", lambda: SimpleNamespace(script_requests=requests))
    monkeypatch.setattr(jobs.st, "rerun", rerun)
    jobs._yield_to_click()
    requests.request_rerun(RerunData(fragment_id="b", is_auto_rerun=True))
    jobs._yield_to_click()
    assert not scopes  # nobody clicked: a part of the page looks again from time to time
    requests.request_rerun(RerunData(fragment_id="a"))
    with pytest.raises(RerunException):
        jobs._yield_to_click()
    assert scopes == [scope]


def test_two_parts_of_the_page_that_look_again_at_once_are_no_click(monkeypatch):
    """While a curve grows, the answer and the curve are both drawn again each second: a computation that they
    interrupted would never end."""
    requests, storage = ScriptRequests(), MemoryFragmentStorage()
    for part in ("a", "b", "c"):
        storage.register(part, len, target_key=None if part == "a" else part)
    context = SimpleNamespace(script_requests=requests, fragment_storage=storage)
    monkeypatch.setattr(private, "_context", lambda: context)
    monkeypatch.setattr(private, "_REGULAR", {"b", "c", "of another page"})
    for part in ("b", "c"):
        requests.request_rerun(RerunData(fragment_id=part, is_auto_rerun=True))
        assert not private.clicked()
    requests.request_rerun(RerunData(fragment_id="a"))
    requests.request_rerun(RerunData(fragment_id="b", is_auto_rerun=True))
    assert private.clicked()


def test_one_process_compiles_for_a_demo_whose_host_is_small(monkeypatch):
    asked = {}
    for demo in (True, False):
        monkeypatch.setenv(VARIABLE, Classroom("http://192.0.2.7:8501", demo=demo).environment()[VARIABLE])
        asked[demo] = warmup._workers()
    monkeypatch.delenv(VARIABLE)
    assert asked == {True: 1, False: None} and warmup._workers() is None

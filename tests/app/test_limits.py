"""A limit on the memory of all: beyond it the server takes no files."""

from __future__ import annotations

from collections import OrderedDict
from types import SimpleNamespace

import pytest
from streamlit.errors import FragmentHandledException

import kanon_core as kc
from kanon_core.base.assets import APP
from kanon_core.base.headroom import MEMORY, SHARE, held
from kanon_core.base.memory import bytes_of
from kanon_core.cli import main
from kanon_core.release.release import size_of
from pages.data.source import _load
from pages.shell.access import UPLOADS
from pages.shell.memory import Memory
from pages.shell.server import short_of_memory
from pages.state import limits
from pages.state.cache_eviction import FEWEST_RELEASES, KEPT_BYTES, evicted
from pages.state.jobs import SHORT
from pages.state.limits import (
    READING_TIMES,
    SPARE_BYTES,
    above_free_memory,
    above_tab_limit,
    memory_full,
    tab_limit,
)
from pages.widgets import text
from pages.widgets.files import FULL, _read
from tests.app.screens import opened, words
from tests.app.test_classroom import Server, fields, session_of
from tests.helpers import looped


@pytest.fixture
def little(monkeypatch):
    monkeypatch.setenv(MEMORY, "1")


def test_without_a_limit_there_is_room(monkeypatch):
    monkeypatch.delenv(MEMORY, raising=False)
    assert not memory_full() and held() > 10_000_000
    monkeypatch.setenv(MEMORY, "1000000")
    assert not memory_full()


def test_a_full_server_refuses_files_and_nothing_else(little):
    server = Server()
    status, says = server.asked(f"{UPLOADS}/session/file", method="PUT", accept="*/*")
    assert memory_full() and status == 503 and "is full" in says and not server.passed
    assert server.asked("/data") is None
    assert server.asked(f"{UPLOADS}/session/file", method="DELETE") is None


def test_the_field_for_files_is_locked_and_says_why(little):
    test = opened("data", session_of())
    assert FULL in words(test) and all(one.proto.disabled for one in fields(test))


def test_a_table_that_was_brought_before_stays(little):
    session = session_of()
    session.load(kc.read_table("sample:nine"), "mine.csv", "upload:1")
    assert opened("data", session).session_state["kanon"].name == "mine.csv"


@looped("said", ["--memory 0", "--memory much", "--share 0.5", "--name a/b", "--listen http://here"])
def test_what_cannot_be_is_told_before_anything_is_served(said, capsys):
    assert main(["app", *said.split()]) == 2
    assert said.split()[0] in capsys.readouterr().err


CSV = b"age,sex,ward\n" + b"".join(b"%d,%s,%s\n" % (i % 90, b"MF"[i % 2 :][:1], b"a") for i in range(200_000))


def test_a_tab_may_hold_what_it_is_given(monkeypatch):
    monkeypatch.delenv(SHARE, raising=False)
    assert tab_limit() is None and above_tab_limit(CSV) == ""
    monkeypatch.setenv(SHARE, "1000")
    assert tab_limit() == 1_000_000_000 and above_tab_limit(CSV, kc.read_table("sample:nine")) == ""


def test_a_file_that_is_larger_than_a_share_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setenv(SHARE, "1")
    before = session_of()
    monkeypatch.setattr(kc, "read_table", lambda *given, **how: pytest.fail("it was read"))
    said = _load(before, "mine.csv", "upload:1", CSV, {})
    assert said == (
        "The file needs 2 MB of memory, but this server allows 1 MB for each tab."
        " Use fewer records or columns."
    )
    assert before.source == "sample:people-100"


def test_a_table_that_is_larger_than_a_share_leaves_the_one_before(monkeypatch):
    monkeypatch.setenv(SHARE, "2")
    before, small = session_of(), CSV[: len(CSV) // 2]
    assert not above_tab_limit(small)
    assert "The file and its table need" in _load(before, "mine.csv", "upload:1", small, {})
    assert before.source == "sample:people-100"


def test_a_file_is_not_read_where_the_system_would_end_the_server(monkeypatch):
    needed = READING_TIMES * len(CSV) + SPARE_BYTES
    monkeypatch.setattr(limits.headroom, "left", lambda: needed)
    assert above_free_memory(CSV) == ""
    monkeypatch.setattr(limits.headroom, "left", lambda: None)
    assert above_free_memory(CSV) == ""
    monkeypatch.setattr(limits.headroom, "left", lambda: needed - 1)
    before = session_of()
    monkeypatch.setattr(kc, "read_table", lambda *given, **how: pytest.fail("it was read"))
    said = _load(before, "mine.csv", "upload:1", CSV, {})
    assert said.startswith("Reading the file needs about") and before.source == "sample:people-100"
    given = SimpleNamespace(getvalue=lambda: CSV)
    assert _read(given, kc.read_table, lambda: None, "released") == (None, said)


def test_of_results_the_oldest_go_where_a_tab_may_have_less(monkeypatch):
    table = kc.read_table("sample:people-5000")
    made = OrderedDict((k, kc.anonymize(table, kc.Sorting(), k, 1)) for k in range(2, 40))
    monkeypatch.delenv(SHARE, raising=False)
    assert sum(map(size_of, made.values())) < KEPT_BYTES and not list(evicted(made, table))
    megabytes = -(-bytes_of(table) // 1_000_000) + 1
    monkeypatch.setenv(SHARE, str(megabytes))
    gone = list(evicted(made, table))
    assert gone == list(made)[: len(gone)] and 0 < len(gone) < len(made) - FEWEST_RELEASES
    rest = sum(size_of(one) for k, one in made.items() if k not in gone)
    assert rest + bytes_of(table) <= 1_000_000 * megabytes < rest + bytes_of(table) + 1_000_000
    monkeypatch.setattr("kanon_core.base.memory.bytes_of", lambda one: 10**9)  # a table that takes all of it
    assert len(list(evicted(made, table))) == len(made) - FEWEST_RELEASES


def test_what_was_left_goes_first_where_the_server_is_full(monkeypatch):
    there = {"open", "tab 1", "tab 2"}
    held = Memory(there.__contains__)
    for tab in ("open", "tab 1", "tab 2"):
        held.keep(tab, tab, session_of())
    there.intersection_update({"open"})
    held.tidy()
    assert len(held._held) == 3
    monkeypatch.setenv(MEMORY, "1")
    for left in (["open", "tab 2"], ["open"], ["open"]):
        held.tidy()
        assert [one.tab for one in held._held] == left


def beyond_all(*given, **how):
    raise MemoryError("an array of 7 GB for Ann")


def test_work_that_needs_more_than_there_is_is_a_sentence(monkeypatch):
    monkeypatch.setattr(kc, "anonymize", beyond_all)
    test = opened("tune", session_of())
    said = " ".join(one.value for one in test.warning)
    assert "does not have enough free memory" in said.replace("\\", "") and "Ann" not in said
    monkeypatch.undo()
    assert "5 requested, 5 achieved" in words(test.run())


def test_a_page_in_which_memory_ends_says_so_and_other_defects_are_told_as_ever(monkeypatch):
    said = list[str]()
    monkeypatch.setattr(text, "error", said.append)
    assert short_of_memory(MemoryError("Ann")) and said == [SHORT]
    assert not short_of_memory(ValueError("Ann")) and len(said) == 1
    for problem, told in ((MemoryError("Ann"), 2), (ValueError("Ann"), 2)):
        for _ in range(3):  # a fragment in a fragment in a fragment
            short_of_memory(problem)
            try:
                try:
                    raise problem
                except Exception as inner:
                    raise FragmentHandledException(inner)  # noqa: B904 - as Streamlit does
            except FragmentHandledException as outer:
                problem = outer
            assert short_of_memory(problem) and len(said) == told
    assert "on_script_error=server.short_of_memory" in (APP / "app.py").read_text("utf-8")

"""A limit on the memory of all: beyond it the server takes no files."""

from __future__ import annotations

import pytest

import kanon_core as kc
from kanon_core.base.resident import MEMORY, held
from kanon_core.cli import main
from pages.shell.doors import UPLOADS
from pages.state.room import full
from pages.widgets.files import FULL
from tests.app.screens import opened, words
from tests.app.test_classroom import Server, fields, session_of
from tests.helpers import looped


@pytest.fixture
def little(monkeypatch):
    monkeypatch.setenv(MEMORY, "1")


def test_without_a_limit_there_is_room(monkeypatch):
    monkeypatch.delenv(MEMORY, raising=False)
    assert not full() and held() > 10_000_000
    monkeypatch.setenv(MEMORY, "1000000")
    assert not full()


def test_a_full_server_refuses_files_and_nothing_else(little):
    server = Server()
    status, says = server.asked(f"{UPLOADS}/session/file", method="PUT", accept="*/*")
    assert full() and status == 503 and "is full" in says and not server.passed
    assert server.asked("/data") is None
    assert server.asked(f"{UPLOADS}/session/file", method="DELETE") is None


def test_the_field_for_files_is_locked_and_says_why(little):
    test = opened("data", session_of())
    assert FULL in words(test) and all(one.proto.disabled for one in fields(test))


def test_a_table_that_was_brought_before_stays(little):
    session = session_of()
    session.load(kc.read_table("sample:nine"), "mine.csv", "upload:1")
    assert opened("data", session).session_state["kanon"].name == "mine.csv"


@looped("said", ["--memory 0", "--memory much", "--name a/b", "--listen http://here"])
def test_what_cannot_be_is_told_before_anything_is_served(said, capsys):
    assert main(["app", *said.split()]) == 2
    assert said.split()[0] in capsys.readouterr().err

"""A short part of the fuzzed sessions and tables, and that what is wrong would be found."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.shell import page_address
from tests.fuzz import settings
from tests.fuzz.alone import alone
from tests.fuzz.sessions import session
from tests.fuzz.walk import Walk, private_marks, wrong

SEED = 18


@pytest.mark.deep
def test_made_up_sessions_hold():
    for number in range(4):
        done, found = session(SEED, number, 15)
        assert not found and len(done) == 15, (number, done, found)


@pytest.mark.deep
def test_tables_with_settings_are_released_or_refused():
    came = Counter[str]()
    for number in range(3):
        these, found = settings.one_round(SEED, number)
        assert not found, found
        came.update(these)
    assert came["released"] and came["refused"] and set(came) == {"released", "refused"}


def test_a_release_that_fails_its_audit_is_found(monkeypatch):
    table = kc.read_table("sample:people-100")
    assert settings.tried(table, kc.Sorting(), 5, 1) == "released"
    monkeypatch.setattr(kc, "audit", lambda *_: [SimpleNamespace(holds=False)])
    with pytest.raises(AssertionError, match="audit"):
        settings.tried(table, kc.Sorting(), 5, 1)


@pytest.fixture
def walk():
    with alone() as stopper:
        yield Walk(random.Random(0), stopper)


def test_a_status_bar_that_is_behind_is_found(walk):
    assert not wrong(walk, set()) and walk.session is not None
    walk.session.setting = replace(walk.session.setting, k=9)
    assert "the status bar says k 5" in wrong(walk, set())


def test_an_address_that_is_behind_is_found(walk, monkeypatch):
    monkeypatch.setattr(page_address, "address_of", lambda session: {"k": "9"})
    assert "the address says" in wrong(walk, set())


def test_a_private_cell_in_an_error_and_an_exception_are_found(walk):
    shown = "import streamlit as st; st.error('“zq7n” is no number')"
    walk.test = AppTest.from_string(shown, default_timeout=60).run()
    assert "private cells" in wrong(walk, {"zq7n"}) and not wrong(walk, {"zq8n"})
    walk.test = AppTest.from_string("1 / 0", default_timeout=60).run()
    assert "ZeroDivisionError" in wrong(walk, set()) or "division by zero" in wrong(walk, set())


def test_marked_cells_are_private_by_their_role(walk):
    walk.session.load(kc.read_table(b"name,age,diagnosis\nzq1n,3,zq1d\nzq2n,4,zq2d\n"), "x", "upload:1")
    schema = walk.session.table.schema.with_roles({"name": "identifier", "diagnosis": "quasi_identifier"})
    walk.session.change_schema(schema)
    assert private_marks(walk.session) == {"zq1n", "zq2n"}

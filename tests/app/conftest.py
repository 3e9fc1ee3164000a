"""Pages under test compile what they use in their own process, as nothing is prepared for them, and nothing
is computed aside."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kanon_core.runs.sweeps import sweep_point
from pages.state import warmup
from pages.widgets import curves


@pytest.fixture(autouse=True)
def _nothing_is_prepared(monkeypatch):
    idle = SimpleNamespace(running=False, ready=set(), says="", ask=lambda name: None)
    monkeypatch.setattr(warmup, "start", lambda: idle)


@pytest.fixture(autouse=True)
def aside(monkeypatch):
    """The points that are requested from the process that computes aside. No such process runs here: ``work``
    computes all points, or the first ``most`` of them."""

    def wish(owner, table, todo, metrics, take, compiling):
        wished.todo, wished.take = list(todo), take
        wished.make = lambda setting: sweep_point(table, *setting[:2], metrics, setting[2])

    def work(most=None):
        for setting in wished.todo[:most]:
            wished.take(setting, wished.make(setting))
        del wished.todo[:most]

    wished = SimpleNamespace(todo=[], work=work)
    sweeper = SimpleNamespace(
        owners=1, wish=wish, drop=lambda owner: wished.todo.clear(), end=lambda: wished.todo.clear()
    )
    monkeypatch.setattr(curves, "sweeper", lambda: sweeper)
    return wished

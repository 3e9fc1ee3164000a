"""Pages under test compile what they use in their own process, as nothing is prepared for them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pages.shell import warmup


@pytest.fixture(autouse=True)
def _nothing_is_prepared(monkeypatch):
    idle = SimpleNamespace(running=False, ready=set(), says="", ask=lambda name: None)
    monkeypatch.setattr(warmup, "start", lambda: idle)

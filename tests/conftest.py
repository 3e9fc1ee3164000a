"""Shared by all tests: real data from a folder outside the project, when there is one, and how examples are
drawn."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import settings

from kanon_core.base import randomness
from tests.needs import needs, not_tested

# The same examples on every run and machine, and no verdict by the clock.
settings.register_profile("kanon", derandomize=True, deadline=None)
settings.load_profile("kanon")


# A seed that a test does not name is 0.
_system, randomness._system = randomness._system, SimpleNamespace(getrandbits=lambda bits: 0)


@pytest.fixture
def secrets(monkeypatch) -> None:
    """Seeds that are not named are drawn in secret, as outside the tests."""
    monkeypatch.setattr(randomness, "_system", _system)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was skipped and how to bring it."""
    skipped = terminalreporter.stats.get("skipped", [])
    if told := not_tested(report.longrepr[2] for report in skipped):
        terminalreporter.write_line(told)


@pytest.fixture(scope="session")
def kanon_data() -> Path:
    """The folder of real data named by KANON_DATA; tests that need it are skipped, saying so, when it is not
    set."""
    folder = os.environ.get("KANON_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip(needs("real data"))
    return Path(folder)

"""Shared by all tests: real data from a folder outside the project, when there is one, and how examples are
drawn."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# The same examples on every run and machine, and no verdict by the clock.
settings.register_profile("kanon", derandomize=True, deadline=None)
settings.load_profile("kanon")


@pytest.fixture(scope="session")
def kanon_data() -> Path:
    """The folder of real data named by KANON_DATA; tests that need it are skipped, saying so, when it is not
    set."""
    folder = os.environ.get("KANON_DATA", "")
    if not folder or not Path(folder).is_dir():
        pytest.skip("needs real data: set KANON_DATA to the folder that holds adult/, casc/, …")
    return Path(folder)

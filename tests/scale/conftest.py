"""The fixture that several tests of many files share."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc


@pytest.fixture
def without_the_youngest(monkeypatch: pytest.MonkeyPatch) -> None:
    """MDAV leaves out the group of the youngest of each fragment."""
    whole = kc.MDAV.cover

    def some(self, part, k, run):
        groups = whole(self, part, k, run).groups
        gone = groups[np.argmin(part["age"].values)]
        return kc.Partition(np.where(groups == gone, -1, groups - (groups > gone)))

    monkeypatch.setattr(kc.MDAV, "cover", some)

"""The time that long work still takes, estimated from its ticks."""

from __future__ import annotations

import pytest

from kanon_core.base import progress


@pytest.fixture
def said(monkeypatch):
    """A function that returns the text after each tick; each tick comes at a second of its own."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])

    def told(*ticks: tuple[float, float | None]) -> list[str]:
        now[0] = 0.0
        remaining, found = progress.Remaining(), []
        for at, share in ticks:
            now[0] = at
            found.append(remaining.after(share))
        return found

    return told


def test_ticks_without_a_share_in_the_middle_change_nothing(said):
    assert said((10, 0.1), (19, None), (20, 0.2)) == ["about 2 min left", "", "about 80 s left"]


def test_what_comes_before_the_work_does_not_count(said):
    """A compiler is waited for 50 s; then half of the work takes 4 s."""
    assert said((0, None), (50, None), (54, 0.5)) == ["", "", "about 4 s left"]
    assert said((0, 0.0), (50, 0.0), (54, 0.5)) == ["", "", "about 4 s left"]


def test_the_next_work_counts_from_its_beginning(said):
    assert said((60, 1.0), (61, 0.0), (63, 0.25)) == ["about 0 s left", "", "about 6 s left"]

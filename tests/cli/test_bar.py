"""The bar on stderr: what is done, and how long it still takes."""

from __future__ import annotations

import sys

from kanon_core.base import progress
from kanon_core.cli import output


def test_the_time_left_is_that_of_the_work_that_is_done_now(capsys, monkeypatch):
    """Grouping takes 60 s; the audit after it begins at 0 again, and after 1 s half of it is done."""
    now = [0.0]
    monkeypatch.setattr(progress.time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with output.Bar() as bar:
        for at, share, note in [
            (30.0, 0.5, "grouping"),
            (30.5, None, "grouping"),
            (59.0, 0.49, "grouping"),
            (60.0, 0.0, "audit"),
            (61.0, 0.5, "audit"),
        ]:
            now[0] = at
            bar.tick(share, note)
    drawn = [line.strip() for line in capsys.readouterr().err.split("\r\x1b[K")]
    assert drawn[1] == "50 % grouping · about 30 s left"
    assert drawn[3].startswith("49 % grouping · about 61 s left")  # a step back is no new work
    assert drawn[4:6] == ["0 % audit", "50 % audit · about 1 s left"]

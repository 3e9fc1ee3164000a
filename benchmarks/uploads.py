"""Uploads in a row in a real browser: how many of them the page does not show.

``python -m benchmarks uploads``; ``KANON_UPLOADS`` says how many, 200 when left out. Every file has a name of
its own; it is there once the status bar names it. After ten of them the page is loaded anew, so that uploads
meet pages that have only just appeared. An upload that is not shown is never sent again: it counts as lost.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.screens import opened

UPLOADS = int(os.environ.get("KANON_UPLOADS", "200"))
ON_A_PAGE = 10
PATIENCE = 20.0
"""Seconds after which an upload is lost."""


@dataclass
class _Found:
    seconds: list[float] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    """The answers of the server, one to each file that it was sent."""


def rows() -> Iterator[dict[str, Any]]:
    """Uploads, those that were lost, and the time until the page names the table."""
    found = _Found()
    with opened() as (page, _):
        page.on("response", lambda answer: _note(answer, found))
        for number in range(UPLOADS):
            if number % ON_A_PAGE == 0:
                page.reload()
                page.locator(".statusbar").wait_for()
            _upload(page, number, found)
    assert set(found.answers) <= {204}, found.answers
    median, high, most = map(float, np.percentile(found.seconds, [50, 95, 100]))
    note = f"{len(found.answers)} answered with 204, {len(found.lost)} lost"
    yield {"work": f"{UPLOADS} uploads in a row: median until it is shown", "ours_s": median, "note": note}
    yield {"work": "95th percentile", "ours_s": high, "note": f"most {most:.2f} s"}


def _note(answer: Any, found: _Found) -> None:
    if "/_stcore/upload_file/" in answer.url and answer.request.method == "PUT":
        found.answers.append(answer.status)


def _upload(page: Any, number: int, found: _Found) -> None:
    """Give a file to the page and wait until the page names it."""
    from playwright.sync_api import TimeoutError as Late

    name = f"table-{number}.csv"
    file = {"name": name, "mimeType": "text/csv", "buffer": _table(number)}
    begun = time.perf_counter()
    page.locator(".st-key-upload input").set_input_files(file)
    try:
        page.locator(".statusbar", has_text=name).wait_for(timeout=1000 * PATIENCE)
        found.seconds.append(time.perf_counter() - begun)
    except Late:
        found.lost.append(number)


def _table(number: int) -> bytes:
    lines = (f"{20 + (i * 7 + number) % 60},{'MF'[i % 2]},{'abcd'[(i + number) % 4]}\n" for i in range(60))
    return ("age,sex,ward\n" + "".join(lines)).encode()

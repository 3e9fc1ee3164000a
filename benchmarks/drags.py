"""A thousand random drags of the k slider on Tune, on three tables: how long until every part of the screen
is of the k under the thumb, and of the k at which it was let go; how many answers came late. An answer that
never comes, or is of another k, ends the benchmark.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.screens import census, opened, visit
from tests.browser.hand import SHOWN, UNCOVERED, Slider

DRAGS = int(os.environ.get("KANON_DRAGS", "1000"))
"""The number of drags on all three tables together."""
LATE = 5_000
"""Milliseconds after which an answer counts as late."""
FOLLOWED = 8
"""Every so many drags, the thumb rests twice while it is held, and it is timed how the screen follows."""


def rows() -> Iterator[dict[str, Any]]:
    """Two samples, and a table of 30,000 people."""
    with opened() as (page, _):
        page.wait_for_timeout(20_000)  # the warm-up ends
        for name in ("people-100", "people-5000", "30,000 people"):
            load(page, name)
            yield from dragged(page, name, DRAGS // 3)


def load(page: Any, name: str) -> None:
    """Open Tune with this table, and wait for the first result."""
    if name.startswith("people-"):
        address = page.url.split("/", 3)
        page.goto(f"{address[0]}//{address[2]}/?table={name}")
    else:
        visit(page, "Data")
        page.locator(".st-key-upload input").set_input_files(
            {"name": "people.csv", "mimeType": "text/csv", "buffer": census(30_000)}
        )
        page.get_by_text("people.csv, 30,000 records").wait_for()
        visit(page, "Tune")
    page.locator(".statusbar", has_text="achieved").wait_for()
    page.wait_for_timeout(3_000)


def dragged(page: Any, name: str, drags: int) -> Iterator[dict[str, Any]]:
    """The rows of one table."""
    slider, drawn = Slider(page), random.Random(35)
    times: dict[str, list[float]] = {
        "let go": [],
        "held at another k": [],
        "held, back at a k of this drag": [],
    }
    late: dict[str, int] = dict.fromkeys(times, 0)

    def answered(what: str, k: int, begun: float) -> None:
        try:
            page.wait_for_function(SHOWN, arg=k, timeout=LATE)
        except Exception:  # of Playwright's own kind; the row says how often
            late[what] += 1
            page.wait_for_function(SHOWN, arg=k)
        times[what].append(1000 * (time.perf_counter() - begun))

    for number in range(drags):
        before, target = slider.k, drawn.random()
        k = slider.hold((drawn.uniform(0.1, 0.9), drawn.uniform(0.1, 0.9)), target)
        if number % FOLLOWED == 0 and k != before:
            page.wait_for_function(SHOWN, arg=k)
            for to in (drawn.random(), target):
                begun = time.perf_counter()
                k = moved(page, slider, to)
                answered("held at another k" if to != target else "held, back at a k of this drag", k, begun)
        else:
            for _ in range(drawn.randrange(4)):
                k = moved(page, slider, drawn.random())
                page.wait_for_timeout(drawn.choice([0, 30, 200]))
        begun = time.perf_counter()
        page.mouse.up()
        answered("let go", k, begun)
        page.wait_for_function(UNCOVERED)
    for what, found in times.items():
        yield measured(f"{name}: {what}", found, late[what])


def moved(page: Any, slider: Slider, to: float) -> int:
    """Move the held thumb to this share of the track; returns the k there."""
    track, thumb = slider.track.bounding_box(), slider.thumb.bounding_box()
    at = track["x"] + to * track["width"], thumb["y"] + thumb["height"] / 2
    return slider.move([at], to)


def measured(work: str, times: list[float], late: int) -> dict[str, Any]:
    """One row: the median and the 95th percentile of milliseconds, and how many answers came late."""
    median, high = np.percentile(times, [50, 95])
    load = os.getloadavg()[0]
    note = (
        f"95th percentile {high:.0f} ms; {late} of {len(times)} later than {LATE / 1000:g} s; load {load:.1f}"
    )
    return {"work": work, "ours_s": median / 1000, "target_s": 0.25, "note": note}

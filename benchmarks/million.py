"""Tune with a million records of 8 columns: each move of the slider, and what the server holds.

    python -m benchmarks million          reads /proc, so only Linux can run it; takes some minutes

A csv is uploaded in a real browser, and k goes from 5 to 11 under Mondrian, a step at a time: all releases
are new. A move ends when figures, picture and cheap findings of the new k are on screen. Its processor
seconds are those of the server; of these the algorithm's own are measured before, in a process of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.cold import memory, processor_seconds
from benchmarks.screens import ROOT, census, choose, opened, visit

RECORDS, FIRST, MOVES = 1_000_000, 5, 6
BESIDE, MEGABYTES = 0.5, 1000
"""Targets: seconds of a move besides the algorithm, and what the server holds after the moves."""
_ALGORITHM = """
import sys, time
import kanon_core as kc
from kanon_core.algorithms.base import Run
from kanon_core.base.progress import silent
table = kc.read_table(sys.argv[1])
seen, took = table.ordered(1)[0], []
for k in map(int, sys.argv[2:]):
    begun = time.process_time()
    kc.Mondrian().cover(seen, k, Run(0, silent, None))
    took.append(time.process_time() - begun)
print(sorted(took)[len(took) // 2])
"""
_SHOWN = """([k, before]) => {
  const text = (where) => [...document.querySelectorAll(where)].map((one) => one.innerText).join();
  const bar = text('.statusbar'), cards = text('.st-key-results .cards');
  const pale = document.querySelector('.st-key-seat [data-stale=true]');
  if (pale || !bar.includes(`${k} requested`) || !cards || cards === before) return false;
  return performance.timeOrigin + performance.now();
}"""
_ALL = """() => {
  const running = document.querySelector('[data-testid=stApp][data-test-script-state=running]');
  const left = document.querySelector('[class*="st-key-working"]');
  const found = document.querySelector('.st-key-behind')?.innerText || 'so far';
  if (running || left || found.includes('so far')) return false;
  return performance.timeOrigin + performance.now();
}"""


def rows() -> Iterator[dict[str, Any]]:
    """The algorithm alone, the first release, each further one, and memory."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "census.csv"
        file.write_bytes(census(RECORDS))
        alone = algorithm_seconds(file)
        yield {"work": f"Mondrian alone, {RECORDS:,} × 8, k = {FIRST} and more", "ours_s": alone}
        with opened() as (page, pid):
            visit(page, "Tune")
            page.locator(".statusbar", has_text="achieved").wait_for()
            choose(page, "Mondrian")
            page.wait_for_timeout(20_000)  # the warm-up ends
            visit(page, "Data")
            yield held(pid, "before the upload")
            page.locator('input[type="file"]').first.set_input_files(str(file))
            page.locator(".statusbar", has_text=f"{RECORDS:,} records").wait_for()
            page.wait_for_timeout(3000)
            yield held(pid, "after the upload")
            visit(page, "Tune")
            moved(page, FIRST)
            page.wait_for_function(_ALL)
            yield held(pid, "after the first release")
            for k in range(FIRST + 1, FIRST + MOVES + 1):
                yield move(page, pid, k, alone)
            yield {**held(pid, f"after {MOVES} moves"), "target_mb": MEGABYTES}


def algorithm_seconds(file: Path) -> float:
    """Processor seconds of the algorithm: the median over all k."""
    ks = map(str, range(FIRST, FIRST + MOVES + 1))
    command = [sys.executable, "-c", _ALGORITHM, str(file), *ks]
    return float(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)


def moved(page: Any, k: int, before: str = "") -> float:
    """Return the time, in seconds since 1970, at which figures, picture and cheap findings of this k stood on
    screen."""
    return float(page.wait_for_function(_SHOWN, arg=[k, before], polling=20).json_value()) / 1000


def move(page: Any, pid: int, k: int, alone: float) -> dict[str, Any]:
    """One step of the slider to the right."""
    before = page.locator(".st-key-results .cards").inner_text()
    thumb, used = page.get_by_role("slider").first, processor_seconds(pid)
    thumb.focus()
    begun = page.evaluate("() => performance.timeOrigin + performance.now()") / 1000
    thumb.press("ArrowRight")
    settled = moved(page, k, before) - begun
    spent = processor_seconds(pid) - used
    everything = page.wait_for_function(_ALL, polling=50).json_value() / 1000 - begun
    rest = processor_seconds(pid) - used - spent
    return {
        "work": f"a move to k = {k}, {RECORDS:,} × 8: processor seconds",
        "ours_s": spent,
        "target_s": alone + BESIDE,
        "note": f"on screen after {settled:.1f} s; slow findings after {everything:.1f} s, {rest:.1f} of a"
        f" processor; load {os.getloadavg()[0]:.1f}",
    }


def held(pid: int, when: str) -> dict[str, Any]:
    """Return the memory that the server holds, and the most that it held."""
    lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    most = next(1024 * int(line.split()[1]) / 1e6 for line in lines if line.startswith("VmHWM"))
    return {
        "work": f"memory of the server {when}",
        "ours_mb": memory(pid)[0],
        "note": f"resident; at most {most:.0f} so far",
    }

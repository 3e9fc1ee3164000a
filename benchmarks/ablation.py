"""Gain of each part of `Refine`, `RefineSets` and `TopDown`: the loss without it less the loss with all.

    python -m benchmarks ablation          needs KANON_DATA; takes about half an hour

Every run has a process of its own with an empty cache of compiled code, in which the part is switched off
before anything is compiled. ``earns`` is in percentage points of the loss: suppressed items of BMS-WebView-2
(5 s), 100 · SSE / SST of Tarragona and Census (1 s), NCP of the complete rows of Adult with 8
quasi-identifiers. The searches' clock is processor time. ``first s`` are the processor seconds of a first
call, most of it compiling. A part that earns less than 0.3 points at every k is removed, unless it saves time
or a promised figure depends on it, such as 10 % fewer suppressed items at k = 50. `TopDown` gives the same
groups without its parts: ``ours_s`` tells.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

from benchmarks._ablation import PARTS, RUNS


def rows() -> Iterator[dict[str, Any]]:
    """One row for each part; the first of each search is of the whole."""
    if not os.environ.get("KANON_DATA"):
        return
    for search in RUNS:
        whole = measured(search, "")
        yield {"work": f"{search}, all parts", **shown(whole)}
        for part in PARTS[search]:
            without = measured(search, part)
            earned = {key: round(without["loss"][key] - loss, 2) for key, loss in whole["loss"].items()}
            note = ", ".join(f"{key}: {gain:+.2f}" for key, gain in earned.items())
            yield {"work": f"{search} without {part}", **shown(without), "earns": note}


def shown(found: dict[str, Any]) -> dict[str, Any]:
    """The columns of a row."""
    loss = ", ".join(f"{key}: {value:.2f}" for key, value in found["loss"].items())
    return {"ours_s": found["seconds"], "first s": round(found["first"], 1), "note": loss}


def measured(search: str, part: str) -> dict[str, Any]:
    """Losses and seconds of one process; whatever it says goes to stderr."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks._ablation", search, part],
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
            stdout=subprocess.PIPE,
            check=True,
        )
    found: dict[str, Any] = json.loads(done.stdout)
    return found

"""One numeric attribute: the optimum from unsorted values to labels, and MIL's judgements.

    python -m benchmarks.univariate            prints the rows; --quick leaves out 10⁷ values

Each optimum runs in a fresh process, warm, least of several runs; peak_mb is how far the process grew beyond
its input. The peer is microagg1d's exact variant (method "staggered", stable sums), if installed; elsewhere
the plain twin of the tests.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._timing import least
from kanon_core.algorithms.clustering.mil import mil
from kanon_core.algorithms.clustering.univariate import optimal_groups
from kanon_core.table.distributions import distribution
from tests.oracles.univariate import mdav_sizes, plain_optimal_sizes, vmdav_sizes

ROOT = Path(__file__).resolve().parents[1]
TARGETS = {1_000_000: 0.1, 10_000_000: 1.2}
KS = (3, 10, 50)
PAPER = {  # the ILD paper table A.7, DS0, three seeds
    "MDAV": {100: "8.61–10.10", 1000: "26.8–29.5", 10_000: "25.8–33.8", 100_000: "35.5–44.9"},
    "V-MDAV": {100: "15.9–19.4", 1000: "257–277", 10_000: "3,316–3,463", 100_000: "40,274–43,017"},
}


def rows(sizes: tuple[int, ...] = tuple(TARGETS)) -> Iterator[dict[str, Any]]:
    """The rows as they finish."""
    yield _row("optimal univariate, 20,000 values, k = 3", **_against_the_twin(20_000, 3))
    peer = "microagg1d" if importlib.util.find_spec("microagg1d") else ""
    for size in sizes:
        for k in KS:
            ours = in_a_process("optimum", size, k)
            theirs = in_a_process("microagg1d", size, k) if peer and k == KS[0] else {}
            yield _row(
                f"optimal univariate, {size:,} values, k = {k}",
                ours_s=ours["wall"],
                target_s=TARGETS.get(size),
                peak_mb=ours["peak_mb"],
                peer=peer if theirs else "",
                peer_s=theirs.get("wall"),
                note=f"CPU {ours['cpu']:.3f} s" + (f"; peer {theirs['peak_mb']:.0f} MB" if theirs else ""),
            )
    for start, sizes_of in (("MDAV", mdav_sizes), ("V-MDAV", vmdav_sizes)):
        for size in (100, 1000, 10_000, 100_000):
            yield _judgements(start, sizes_of, size)


def _row(work: str, **what: Any) -> dict[str, Any]:
    empty = {"ours_s": None, "peer": "", "peer_s": None, "target_s": None, "peak_mb": None, "note": ""}
    return {"work": work, **empty, **what}


def _against_the_twin(size: int, k: int) -> dict[str, Any]:
    values = np.random.default_rng(0).standard_normal(size)
    optimal_groups(values, k)
    ours, *_ = least(lambda: optimal_groups(values, k), 5)
    twin, *_ = least(lambda: plain_optimal_sizes(np.sort(values), k), 1)
    return {"ours_s": ours, "peer": "plain numpy", "peer_s": twin}


def _judgements(start: str, sizes_of: Callable[[np.ndarray, int], np.ndarray], size: int) -> dict[str, Any]:
    """MIL on DS0 for k = 2 … 50: seconds of one run on average, and how many judgements it took."""
    seconds, counts = 0.0, []
    for seed in range(3):
        ascending = np.sort(distribution("DS0", seed, size).x.to_numpy())
        mil(ascending, np.array([size]), 2)
        for k in range(2, 51):
            sizes = sizes_of(ascending, k)
            began = time.perf_counter()
            counts.append(mil(ascending, sizes, k)[1])
            seconds += time.perf_counter() - began
    note = (
        f"judgements: mean {np.mean(counts):,.1f}, most {max(counts):,}; paper's means {PAPER[start][size]}"
    )
    return _row(f"MIL from {start}, DS0, N = {size:,}", ours_s=seconds / len(counts), note=note)


def in_a_process(what: str, size: int, k: int) -> dict[str, float]:
    """`measure` in a fresh process."""
    code = f"import json, benchmarks.univariate as b; print(json.dumps(b.measure({what!r}, {size}, {k})))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def measure(what: str, size: int, k: int) -> dict[str, float]:
    """Least wall and CPU seconds of the work on normal values, and the growth of the process's peak in MB."""
    work: Callable[[np.ndarray], object] = lambda values: optimal_groups(values, k)  # noqa: E731
    if what == "microagg1d":
        from microagg1d import univariate_microaggregation

        work = lambda values: univariate_microaggregation(values, k, method="staggered")  # noqa: E731
    rng = np.random.default_rng(0)
    work(rng.standard_normal(20 * k))
    values = rng.standard_normal(size)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, cpu, _ = least(lambda: work(values), 5 if size < 5_000_000 else 3)
    unit = 1 if sys.platform == "darwin" else 1024
    growth = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {"wall": wall, "cpu": cpu, "peak_mb": growth * unit / 1e6}


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--quick", action="store_true", help="leave out ten million values")
    quick = parser.parse_args().quick
    for row in rows(tuple(TARGETS)[: 1 if quick else None]):
        print(json.dumps(row, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()

"""The process that computes points in the background: ``python -m kanon_core.background.curves``.

It reads pickled messages and writes pickled points, each with the number of its task; it ends with its input.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading

from kanon_core.background.curves.worker import Worker
from kanon_core.runs.sweeps import SweepPoint

NICENESS = 15
"""The niceness of this process, above that of processes that compile, as missing code is needed first."""


def main() -> None:
    """Answer over standard output, which nothing else may write to."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    worker = Worker()
    threading.Thread(target=worker.receive, args=(sys.stdin.buffer,), daemon=True).start()

    def answer(number: int, point: SweepPoint | str | None) -> None:
        pickle.dump((number, point), out)
        out.flush()

    worker.work(answer)


if __name__ == "__main__":
    main()

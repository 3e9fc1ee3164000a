"""``python -m tests.fuzz``: files of every kind, one after the other, until the time is over."""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.fuzz.case import Case, outcome
from tests.fuzz.hostile import hostile_case
from tests.fuzz.mutations import damaged_case
from tests.fuzz.said import said_case
from tests.fuzz.tables import true_case

MAKERS = (true_case, damaged_case, said_case, true_case, damaged_case, said_case, damaged_case, hostile_case)


def case(seed: int, number: int) -> Case:
    """The file with this number, the same at every time."""
    return MAKERS[number % len(MAKERS)](random.Random(f"{seed} {number}"))


def findings(seed: int, numbers: Iterator[int], seconds: float) -> Iterator[tuple[int, str, str, str]]:
    """Number, name, what came of it and what was said, of each file until the time is over."""
    until = time.monotonic() + seconds
    for number in numbers:
        if time.monotonic() > until:
            return
        made = case(seed, number)
        yield number, made.name, *outcome(made)


def main(words: Sequence[str] | None = None) -> int:
    """Prints each finding and how many files were read; 1 when there was a finding."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, help="make and read the file with this number alone")
    given = parser.parse_args(words)
    start = 0 if given.only is None else given.only
    numbers = iter(range(start, sys.maxsize if given.only is None else start + 1))
    counted: Counter[str] = Counter()
    for number, name, what, said in findings(given.seed, numbers, given.seconds):
        counted[f"{name.split()[0]} {what}"] += 1
        if what == "FOUND" or given.only is not None:
            print(f"--seed {given.seed} --only {number} ({name}): {what}\n{said}", flush=True)
    print(f"{sum(counted.values()):,} files: {dict(sorted(counted.items()))}")
    return int(any(name.endswith("FOUND") for name in counted))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        traceback.print_exc(limit=0)

"""``python -m tests.fuzz``: files, tables with settings, and sessions, until the time is over."""

from __future__ import annotations

import argparse
import itertools
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
from tests.fuzz.spellings import spelled_case
from tests.fuzz.tables import true_case

Found = tuple[int, str, str, str]

MAKERS = (true_case, damaged_case, said_case, spelled_case)
MAKERS += (true_case, damaged_case, said_case, spelled_case, damaged_case, hostile_case)


def case(seed: int, number: int) -> Case:
    """The file with this number, the same at every time."""
    return MAKERS[number % len(MAKERS)](random.Random(f"{seed} {number}"))


def findings(seed: int, numbers: Iterator[int], seconds: float) -> Iterator[Found]:
    """Number, name, what came of it and what was said, of each file until the time is over."""
    for number in _timed(numbers, seconds):
        made = case(seed, number)
        yield number, made.name, *outcome(made)


def tables(seed: int, numbers: Iterator[int], seconds: float) -> Iterator[Found]:
    """The same of tables with settings; a number is that of a round of them."""
    from tests.fuzz.settings import one_round

    for number in _timed(numbers, seconds):
        came, found = one_round(seed, number)
        yield from ((number, "table", what, "") for what in came if what != "FOUND")
        if found:
            yield number, "table", "FOUND", found


def sessions(seed: int, numbers: Iterator[int], seconds: float) -> Iterator[Found]:
    """The same of sessions, and of their steps."""
    from tests.fuzz.sessions import session

    for number in _timed(numbers, seconds):
        done, found = session(seed, number)
        yield from ((number, "step", "done", "") for _ in done)
        yield number, "session", "FOUND" if found else "held", "\n".join((" → ".join(done), found))


def _timed(numbers: Iterator[int], seconds: float) -> Iterator[int]:
    until = time.monotonic() + seconds
    return itertools.takewhile(lambda _: time.monotonic() <= until, numbers)


KINDS = {"files": findings, "tables": tables, "sessions": sessions}


def main(words: Sequence[str] | None = None) -> int:
    """Prints each finding and how much was made; 1 when there was a finding."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=5.0, help="for all kinds together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--of", choices=KINDS, help="make things of this kind alone")
    parser.add_argument("--only", type=int, help="make the one with this number alone; needs --of")
    given = parser.parse_args(words)
    if given.only is not None and given.of is None:
        parser.error("--only is the number of one kind; add --of")
    kinds = [given.of] if given.of else list(KINDS)
    found = [_run(kind, given, 60 * given.minutes / len(kinds)) for kind in kinds]
    return int(any(found))


def _run(kind: str, given: argparse.Namespace, seconds: float) -> bool:
    """Run the tests of one kind, print their counts, and return whether there was a finding."""
    numbers = itertools.count() if given.only is None else iter([given.only])
    counted: Counter[str] = Counter()
    for number, name, what, said in KINDS[kind](given.seed, numbers, seconds):
        counted[f"{name.split()[0]} {what}"] += 1
        if what == "FOUND" or (given.only is not None and said):
            print(f"--seed {given.seed} --of {kind} --only {number} ({name}): {what}\n{said}", flush=True)
    print(f"{kind}, seed {given.seed}, {seconds:.0f} s: {dict(sorted(counted.items()))}", flush=True)
    return any(name.endswith("FOUND") for name in counted)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        traceback.print_exc(limit=0)

"""Finished points of curves as JSON."""

from __future__ import annotations

from typing import Any

from kanon_core.base import options
from kanon_core.release.recipe import check_seed
from kanon_core.session import checks
from kanon_core.sweeps import QUANTITIES, SweepPoint

_FIELDS = frozenset(
    (
        "algorithm",
        "k",
        "seed",
        "scores",
        "seconds",
        "problem",
        "settled",
        "certified",
        "errors",
        "notes",
    )
)
_LONGEST, _MOST_NOTES = 4_000, 50


def point_json(point: SweepPoint) -> dict[str, Any]:
    """A point as plain JSON, its seed in the clear."""
    return {
        "algorithm": options.to_json(point.algorithm),
        "k": point.k,
        "seed": str(point.seed),
        "scores": {name: float(score) for name, score in point.scores.items()},
        "seconds": point.seconds,
        "problem": point.problem,
        "settled": None if point.settled is None else options.to_json(point.settled),
        "certified": point.certified,
        "errors": {name: float(error) for name, error in point.errors.items()},
        "notes": {name: list(said) for name, said in point.notes.items()},
    }


def point_of(data: Any, most_k: int) -> SweepPoint:
    """The point that `point_json` wrote; raises SessionError or OptionError for anything else."""
    found = checks.typed(data, dict)
    if set(found) != _FIELDS:
        checks.refuse()
    settled = found["settled"]
    return SweepPoint(
        checks.algorithm(found["algorithm"]),
        checks.whole(found["k"], 2, most_k),
        _numbers(found["scores"]),
        checks.number(found["seconds"]),
        checks.text(found["problem"], _LONGEST),
        None if settled is None else checks.algorithm(settled),
        seed_of(found["seed"]),
        checks.typed(found["certified"], bool),
        _numbers(found["errors"]),
        {
            _metric(name): tuple(checks.text(one, _LONGEST) for one in checks.listed(said, _MOST_NOTES))
            for name, said in checks.typed(found["notes"], dict).items()
        },
    )


def seed_of(data: Any) -> int:
    """A seed, written as the text of its digits."""
    written = checks.text(data, 40)
    if not (written.isascii() and written.isdecimal()):
        checks.refuse()
    return check_seed(int(written))


def _numbers(data: Any) -> dict[str, float]:
    return {_metric(name): checks.number(value) for name, value in checks.typed(data, dict).items()}


def _metric(name: str) -> str:
    if name not in QUANTITIES:
        checks.refuse()
    return name

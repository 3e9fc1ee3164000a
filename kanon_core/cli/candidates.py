"""Settings that were compared before the decision, as `report --candidate` takes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kanon_core.algorithms import ALGORITHMS, Algorithm
from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.lists import split_list
from kanon_core.base.options import Nested, options_of
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import tr
from kanon_core.cli import flags
from kanon_core.release.recipe import check_k
from kanon_core.report.signing import Candidate
from kanon_core.sweeps import SweepPoint

FORM = (
    "a setting that was compared, and what speaks for or against it, such as mdav:10:too coarse or"
    " vmdav,gamma=0.5:5; once for each, computed with the recipe's seed"
)
_PARTS = re.compile(r"(?P<algorithm>.*?):(?P<k>\d+)(?::(?P<comment>.*))?", re.DOTALL)
Points = Callable[[Sequence[Algorithm], Sequence[int], Tick], Sequence[SweepPoint]]


class Wish(NamedTuple):
    """A setting to compute, and what is said of it."""

    algorithm: Algorithm
    k: int
    comment: str


def wish(text: str) -> Wish:
    """What ALGORITHM:K:COMMENT says, where options follow the algorithm's name as in a csv line; the comment
    may be left out. Raises OptionError for anything else.

    >>> wish("vmdav,gamma=0.5:5:fewer groups")
    Wish(algorithm=VMDAV(gamma=0.5), k=5, comment='fewer groups')
    """
    found = _PARTS.fullmatch(text)
    if found is None:
        raise OptionError(
            tr(
                "--candidate must be ALGORITHM:K or ALGORITHM:K:COMMENT, such as mdav:10:too coarse, or with"
                " options vmdav,gamma=0.5:5."
            )
        )
    name, *words = split_list(found["algorithm"]) or [""]
    cls = flags.one_of(name, ALGORITHMS, tr("algorithm"))
    options = dict(word.partition("=")[::2] for word in words)
    known = set(_flags(cls, options))
    if unknown := [word for word in options if word not in known]:
        says = tr("--candidate: {title} has no option “{name}”; it has: {known}.")
        names = ", ".join(sorted(known)) or tr("none")
        raise OptionError(says.format(title=cls.__name__, name=unknown[0], known=names))
    return Wish(
        flags.made(cls(), flags.said(options)), check_k(int(found["k"])), (found["comment"] or "").strip()
    )


def _flags(cls: type, options: dict[str, str], prefix: str = "") -> list[str]:
    """The flags of an algorithm, and those of the one that it starts from."""
    found = []
    for option in options_of(cls):
        flag = prefix + option.name.replace("_", "-")
        found.append(flag)
        if isinstance(option.kind, Nested):
            found += _flags(flags.inner(option, options.get(flag)), options, f"{flag}-")
    return found


def candidates(wishes: Sequence[Wish], points: Points, tick: Tick) -> tuple[Candidate, ...]:
    """What is measured of each. Raises UnsuitableError with the reason for a setting that cannot be made."""
    found = []
    for number, one in enumerate(wishes):
        part = stage(tick, number / len(wishes), (number + 1) / len(wishes))
        (point,) = points([one.algorithm], [one.k], part)
        if point.problem:
            says = tr("The candidate {title} with k = {k} cannot be made: {problem}")
            raise UnsuitableError(says.format(title=one.algorithm.title, k=one.k, problem=point.problem))
        found.append(Candidate(point, one.comment))
    return tuple(found)

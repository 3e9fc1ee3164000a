"""How the cells of a file count when rows are compared: missing and suppressed ones, and those written
differently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from kanon_core.base.kinds import Choice, Flag
from kanon_core.base.options import Declared

OWN, ANY, OUT = "own", "any", "out"
WRITTEN, MEANT = "written", "meant"


@dataclass(frozen=True)
class Counting(Declared):
    """What a verdict on a file takes for equal.

    ``missing``: missing and suppressed cells of quasi-identifiers are values of their own, as most programs
    count; or they fit every value, so that a row looks like all that it could be equal to, as sdcMicro
    counts; or their rows are not judged at all. ``equal``: cells must be written equally, or mean the same,
    such as "10-20" and "[10, 20]". ``stars``: rows whose quasi-identifiers are nothing but stars are judged
    like any others; else they are left out, since nothing is published of them there.
    """

    missing: Annotated[
        str,
        Choice(
            {OWN: "a value of their own", ANY: "they fit every value", OUT: "their rows are not judged"},
            help="how missing and suppressed cells of quasi-identifiers count",
        ),
    ] = OWN
    equal: Annotated[
        str,
        Choice(
            {WRITTEN: "those written equally", MEANT: "those that mean the same"},
            help="which cells of quasi-identifiers are equal",
        ),
    ] = WRITTEN
    stars: Annotated[bool, Flag(help="rows of nothing but stars are judged too")] = False

"""The methods that can be compared on a table."""

from __future__ import annotations

from collections.abc import Iterator

import kanon_core as kc
from kanon_core.base.options import Nested, declared, options_of
from pages.state.session import Session, describe

OURS = {
    "similar": kc.PurchaseHistories("similar", "assignment"),
    "whole": kc.PurchaseHistories("whole", "assignment"),
    "fewest": kc.PurchaseHistories("fewest"),
}
"""Our variants of the paper's method for purchase histories, by their grouping; the first loses least."""


def methods(session: Session, mine: kc.Algorithm | None = None) -> dict[str, kc.Algorithm]:
    """By name: the current algorithm with its options (or ``mine``) first, then every other one that suits
    the table, with its defaults."""
    mine = mine or session.setting.algorithm
    found = {describe(mine): mine}
    for algorithm in (algorithm for cls in kc.ALGORITHMS for algorithm in variants(cls)):
        if not algorithm.unsuitable(session.table, 2):
            found.setdefault(describe(algorithm), algorithm)
    return found


def variants(cls: type[kc.Algorithm]) -> Iterator[kc.Algorithm]:
    """An algorithm with its defaults, then started from each algorithm it can start from; of histories our
    own variants too."""
    yield cls()
    if cls is kc.PurchaseHistories:
        yield from OURS.values()
    for option in options_of(cls):
        if isinstance(option.kind, Nested):
            for name in option.kind.among:
                yield cls(**{option.name: declared(name)()})

"""On every kind of release: an attacker who links by quasi-identifiers is right at most as often as the
guarantee allows its own attacker."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.covers.matching.fitting import fits
from kanon_core.risk.tables.release_view import ReleaseView
from tests.contracts.tables import SETTINGS, releases, suitable


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)
def test_linkage_is_right_at_most_once_in_k(algorithm):
    """A single guess of consistent linkage is right with a chance of at most 1/k. The share of right guesses,
    of nearest-row linkage too, is at most 1/k within its interval."""
    for table, release in zip(suitable(algorithm), releases(algorithm), strict=True):
        if release.suppressed.all():
            continue
        consistent = kc.ConsistentLinkage(items=release.guarantee.known_items)
        people = release.pseudonymous
        targets = np.arange(int(release.bearers.owner.max()) + 1 if people else len(table))
        (answer,) = consistent.answers(ReleaseView.of(release), targets, np.random.default_rng(1), _silent)
        assert answer.chances.max() <= 1 / release.recipe.k + 1e-12
        assert people or (answer.chances > 0).sum() == (~release.suppressed).sum()
        linked = (
            [consistent] if people or release.guarantee.known_items else [consistent, kc.NearestLinkage()]
        )
        for found in kc.attack(table, release, linked):
            assert found.interval[0] <= found.allowed == 1 / release.recipe.k


def _silent(fraction: float | None, note: str = "") -> None:
    """No progress is shown."""


@pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)
def test_who_fits_which_row_is_what_the_cells_say(algorithm):
    """Counted record by record and row by row, column by column."""
    for table, release in zip(suitable(algorithm), releases(algorithm), strict=True):
        shown = np.flatnonzero(~release.suppressed)[:7]
        if len(shown) == 0 or not release.published:
            continue
        records = np.arange(len(table))[::3]
        found = fits(table, release.published, shown, records).toarray()
        for i, record in enumerate(records):
            for j, row in enumerate(shown):
                each = [
                    bool(
                        c.cells.underlying.contain(
                            table[c.attribute.name], np.array([record]), c.cell[[row]]
                        )[0]
                    )
                    for c in release.published
                ]
                assert found[i, j] == all(each)

"""On every kind of release: cells of a row, in any columns, are true of at least k records."""

from __future__ import annotations

import numpy as np
import pytest

from kanon_core.base.options import expression
from kanon_core.risk.tables.predicates import at_random, counts, of_rows, read
from kanon_core.risk.tables.release_view import ReleaseView
from tests.contracts.tables import SETTINGS, releases, suitable


@pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)
def test_cells_of_rows_single_nobody_out(algorithm):
    """Also what is drawn at random is counted as the cells say, record by record."""
    for table, release in zip(suitable(algorithm), releases(algorithm), strict=True):
        if release.suppressed.all() or not release.published or release.pseudonymous:
            continue
        rng, records = np.random.default_rng(1), np.arange(len(table))
        shown = read(ReleaseView.of(release), unchanged=False)
        for size in (1, 2):
            predicates = of_rows(shown, size, 30, rng)
            found = counts(shown, predicates, records, _silent)
            few = release.guarantee.known_items  # whole sets may say more than the attacker knows
            if not few and not any(one.cells.aggregated for one in release.published):
                assert found.min(initial=len(table)) >= release.recipe.k
            drawn = at_random(shown, predicates, rng)
            found = counts(shown, drawn, records, _silent)
            for columns, codes, count in zip(*drawn, found, strict=True):
                true = np.ones(len(table), bool)
                for i, code in zip(columns, codes, strict=True):
                    if shown[i].cells.aggregated:
                        true &= shown[i].true_of(records, np.array([code]))[:, 0]
                    else:
                        cell = np.full(len(table), shown[i].which[code])
                        true &= shown[i].cells.contain(shown[i].column, records, cell)
                assert count == true.sum()


def _silent(fraction: float | None, note: str = "") -> None:
    """No progress is shown."""

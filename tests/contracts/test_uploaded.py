"""Every release, written to a file and read back beside its original, hides its records as the release itself
does."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.report import release_bytes
from kanon_core.report.released_file import ENDINGS
from tests.contracts.tables import SETTINGS, releases, suitable


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)
def test_a_file_read_back_has_the_release_s_counts(algorithm):
    for i, (table, release) in enumerate(zip(suitable(algorithm), releases(algorithm), strict=True)):
        if table.schema.of_role("person"):
            continue
        if release.suppressed.all():
            continue
        format = sorted(set(ENDINGS.values()))[i % len(set(ENDINGS.values()))]
        back = kc.read_release(release_bytes(release, format), table)
        expected, found = release.consistency(), back.consistency()
        assert back.notes == ()
        assert found.perfect and back.rows == int((~release.suppressed).sum())
        np.testing.assert_array_equal(found.rows, expected.rows)
        np.testing.assert_array_equal(found.matches, expected.matches)
        np.testing.assert_array_equal(np.sort(found.originals), np.sort(expected.originals))
        verdicts = {verdict.guarantee: verdict for verdict in kc.audit_uploaded(back, release.recipe.k)}
        assert verdicts["agreement with the original"].holds
        if isinstance(algorithm.guarantees(2)[0], kc.KAnonymity):
            assert verdicts["k-anonymity"].holds
            assert verdicts["k-anonymity"].found == release.class_sizes.min()
        if isinstance(
            algorithm.guarantees(2)[0], kc.KKMAnonymity
        ):  # which says nothing on whoever knows everything
            assert verdicts["k-anonymity"].holds == (release.class_sizes.min() >= release.recipe.k)
            continue
        assert verdicts["k-concealment"].holds

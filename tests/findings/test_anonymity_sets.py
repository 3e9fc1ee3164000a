"""Anonymity sets: how many rows could be a record's, counted record by record."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.findings.anonymity_sets import anonymity_sets
from tests.findings.cases import customers
from tests.helpers import release_of, table_of
from tests.oracles.findings import candidates

RNG = np.random.default_rng(8)
LABELS = RNG.integers(0, 9, 60)


def release(kind: str) -> kc.Release:
    """60 records, some of them in equal classes by chance; suppressed, or in sets that overlap."""
    x = RNG.integers(0, 4, 60)
    table = table_of(x=x, y=RNG.choice(list("ab"), 60))
    table = table.with_schema(table.schema.with_quasi(["x", "y"]))
    if kind == "overlapping":
        return kc.anonymize(table, kc.Greedy(), 4, seed=3)
    return release_of(table, np.where(LABELS == 0, -1, LABELS) if kind == "suppressed" else LABELS)


@pytest.mark.parametrize("kind", ["all", "suppressed", "overlapping"])
def test_rows_that_could_be_a_records_one_by_one(kind):
    found = release(kind)
    sets, others = anonymity_sets(found), candidates(found)
    for codes in (RNG.integers(0, 3, 60), np.arange(60), np.zeros(60, np.int64)):
        alike, different = sets.alike(codes), np.append(sets.different(codes), 0)[sets.set_of]
        assert len(alike) == 60
        for record in range(60):
            own = others.get(record, [])
            assert alike[record] == sum(codes[other] == codes[record] for other in own)
            assert different[record] == len({int(codes[other]) for other in own})
            assert np.append(sets.sizes, 0)[sets.set_of][record] == len(own)


def test_histories_hide_among_equal_ones():
    found = customers()
    assert anonymity_sets(found).disjoint
    sets = anonymity_sets(found)
    members = np.arange(len(found))[sets.member]
    assert [int((sets.set_of[members] == one).sum()) for one in range(len(sets.sizes))] == sets.sizes.tolist()

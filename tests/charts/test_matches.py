"""Records and rows that may match, against all permutations of few records and all cycles of more."""

from __future__ import annotations

import itertools

import numpy as np

from kanon_core.charts.concealment.matches import (
    behind_sentence,
    components,
    everybody_sentence,
    fitting,
    listed,
    record_matches,
)
from tests.charts.concealed import concealed, four, mixed, numbers, shifted


def test_matches_are_what_some_permutation_of_all_records_uses():
    for seed in range(8):
        n = 6
        table = mixed(n, seed)
        release = concealed(table, shifted(n, 2 + seed % 2))
        fits = fitting(release, np.arange(n), np.arange(n))
        used = np.zeros((n, n), bool)
        for order in itertools.permutations(range(n)):
            if fits[np.arange(n), order].all():
                used[np.arange(n), order] = True
        for record in range(n):
            found = record_matches(release, record)
            assert set(found.rows) == set(release.cover.matchings[:, record])
            assert set(found.originals) == set(release.cover.members(record))
            assert set(found.rows) | set(found.further) == set(np.flatnonzero(used[record]))
            assert set(found.fitting) == set(np.flatnonzero(fits[record] & ~used[record]))


def test_in_larger_tables_matches_are_the_edges_on_cycles_and_both_kinds_occur():
    # Pairs that exchange places: one around all, one within another, two that cross; ten times side by side.
    around, once = np.array([-1e6, 1e6]), np.array([0.0, 10, 4, 5, 100, 103, 101, 104])
    values = np.concatenate([around, *(once + 1_000 * number for number in range(10))])
    n = len(values)
    release = concealed(numbers(a=values), [np.arange(n), np.arange(n) ^ 1])
    fits = fitting(release, np.arange(n), np.arange(n))
    loops = components(*np.nonzero(fits), n, "strong")
    further = other = both = 0
    for record in range(n):
        found = record_matches(release, record)
        inside = np.flatnonzero(fits[record] & (loops == loops[record]))
        assert set(found.rows) | set(found.further) == set(inside)
        assert set(found.fitting) == set(np.flatnonzero(fits[record])) - set(inside)
        further, other = further + len(found.further), other + len(found.fitting)
        both += bool(len(found.further) and len(found.fitting))
    assert further
    assert other
    assert both


def test_the_sentence_names_rows_originals_and_both_counts():
    release = concealed(four(), [[0, 1, 2, 3], [1, 2, 3, 0]])
    told = "".join(behind_sentence(release, 3))
    assert told.startswith(
        "Record 4 could be any of these 2 rows: 4 and 1. The row made for it covers records 4 and 3."
    )
    assert told.endswith("No other published row fits the record.")
    best = concealed(four(), [[0, 1, 2, 3], [3, 2, 1, 0], [2, 3, 0, 1]])
    told = "".join(behind_sentence(best, 1))
    counts = best.consistency()
    assert f"{counts.rows[1]} rows fit the record" in told
    assert "3 to 4 matches" in "".join(everybody_sentence(best))


def test_a_long_list_says_how_many_more():
    assert listed(np.arange(3)) == "1, 2 and 3"
    assert listed(np.arange(3), last=", ") == "1, 2, 3"
    assert listed(np.array([1_233])) == "1234"  # a name, not an amount
    assert listed(np.arange(20)) == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 8 more"

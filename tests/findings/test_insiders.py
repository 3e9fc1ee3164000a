"""The gain of an attacker who also knows the values in some people's rows."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.findings import Insiders
from kanon_core.findings.anonymity_sets import anonymity_sets
from kanon_core.findings.insiders import _rows_left
from tests.helpers import release_of, table_of
from tests.oracles.findings import candidates


def silent(share, note=""):
    return None


def sensitive(table: kc.Table) -> kc.Table:
    return table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "what": "sensitive"}))


def test_in_a_class_others_hide_among_those_who_are_not_known():
    table = sensitive(table_of(age=[1, 1, 1, 2, 2, 2], what=list("abcabc")))
    release = release_of(table, [0, 0, 0, 1, 1, 1], k=3)
    known = np.array([True, True, False, False, True, False])
    left = _rows_left(anonymity_sets(release), known, np.arange(6))
    assert left[[2, 3, 5]].tolist() == [1, 2, 2]


@pytest.mark.parametrize("k", [2, 3])
def test_where_sets_overlap_all_ways_to_give_everybody_a_row_are_counted(k):
    rng = np.random.default_rng(k)
    for _ in range(5):
        table = sensitive(table_of(age=rng.permutation(7), what=rng.choice(list("abc"), 7).tolist()))
        release = kc.anonymize(table, kc.OptimalConcealment(), k, seed=int(rng.integers(99)))
        what, known = table["what"].codes, rng.random(7) < 0.4
        could = [
            [row for row in rows if not known[person] or what[row] == what[person]]
            for person, rows in sorted(candidates(release).items())
        ]
        ways = [way for way in itertools.product(*could) if len(set(way)) == 7]
        expected = [len({way[person] for way in ways}) for person in range(7)]
        assert _rows_left(anonymity_sets(release), known, what.astype(np.int64)).tolist() == expected


def test_the_figures_are_those_of_the_draws():
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.OptimalConcealment(), 3, seed=2**127)
    (few,) = Insiders().find(table, release, silent)
    (many,) = Insiders(share=60.0).find(table, release, silent)
    assert few == next(iter(Insiders().find(table, release, silent))) and few.severity == "know"
    assert "knows the unchanged columns of 10 people (10 %)" in few.sentence
    assert "of the 90 others" in few.sentence and "of the 40 others" in many.sentence
    least, most = (float(f.sentence.split("the rows of ")[1].split(" of")[0]) for f in (few, many))
    assert 0 <= least / 90 < most / 40 <= 1


def test_where_nothing_is_published_unchanged_nothing_can_be_known():
    table = table_of(age=[1, 1, 2, 2])
    assert not list(Insiders().find(table, release_of(table, [0, 0, 1, 1]), silent))

"""Sensitive values: by hand, and the distances against their definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.findings import SensitiveValues
from kanon_core.guarantees.attributes.counts import Values, counted
from kanon_core.guarantees.attributes.tcloseness import equal_distance, ordered_distance
from tests.findings.cases import ages
from tests.helpers import release_of, table_of
from tests.oracles.findings import candidates, distance_from


def found(table: kc.Table, release: kc.Release, **thresholds) -> kc.Finding:
    (finding,) = SensitiveValues(**thresholds).find(table, release, lambda share, note: None)
    return finding


def test_the_issues_ages_are_a_decision():
    release = ages()
    finding = found(release.table, release)
    assert (finding.severity, finding.count, finding.witnesses) == ("decide", 6, (1, 2, 3, 4, 5, 6))
    assert "all values are equal in 2 of 2 classes" in finding.sentence
    assert "distinct ℓ = 1, entropy ℓ = 1;" in finding.sentence and "t = 0.5. " in finding.sentence
    assert finding.price == "Suppressing them costs 6 of 6 records."


def test_the_column_that_gives_most_away_comes_first():
    """In both classes all incomes are equal; the diseases are in one of them."""
    table = table_of(age=[1] * 3 + [2] * 3, disease=list("aaabcd"), income=list("hhhlll"))
    roles = {"age": "quasi_identifier", "disease": "sensitive", "income": "sensitive"}
    table = table.with_schema(table.schema.with_roles(roles))
    release = release_of(table, [0] * 3 + [1] * 3)
    named = [(one.columns, one.count) for one in kc.judge(table, release, [SensitiveValues()])]
    assert named == [(("income",), 6), (("disease",), 3)]


def wards(diseases, kinds=None) -> kc.Table:
    table = table_of(age=[1] * 5 + [2] * 5, disease=diseases)
    roles = {"age": "quasi_identifier", "disease": "sensitive"}
    return table.with_schema(table.schema.with_roles(roles).with_kinds(kinds or {}))


def test_figures_by_hand():
    """Counts 4, 1 and 2, 2, 1: ℓ = 2; by entropy exp(−.8 ln .8 − .2 ln .2) = 1.649, rounded down; r₁ / rest =
    4 and 2/3; of shares .6, .2, .1, .1 in the table both classes are .3 away."""
    table = wards(["a", "a", "a", "a", "b", "a", "a", "c", "c", "d"])
    release = release_of(table, [0] * 5 + [1] * 5)
    finding = found(table, release)
    assert (finding.severity, finding.count, finding.witnesses) == ("know", 5, (1, 2, 3, 4, 5))
    assert "distinct ℓ = 2, entropy ℓ = 1.64;" in finding.sentence
    assert "for every c above 4;" in finding.sentence and "t = 0.3. " in finding.sentence
    assert found(table, release, certainty=81).count == 0


def test_a_missing_value_is_none_that_is_read_with_certainty():
    table = wards([None] * 5 + ["a", "a", "a", "a", "b"])
    finding = found(table, release_of(table, [0] * 5 + [1] * 5))
    assert (finding.severity, finding.witnesses) == ("know", (6, 7, 8, 9, 10))
    assert "A missing value does not count as disclosed" in finding.sentence
    mixed = wards([None, None, None, None, "a", "b", "b", "b", "b", "b"])
    assert found(mixed, release_of(mixed, [0] * 5 + [1] * 5)).witnesses == (6, 7, 8, 9, 10)


def test_missing_is_a_value_of_its_own_where_that_is_asked_for_and_said_so():
    table = wards([None] * 5 + ["a", "a", "b", "b", "b"])
    finding = found(table, release_of(table, [0] * 5 + [1] * 5), missing=True)
    assert (finding.severity, finding.witnesses) == ("decide", (1, 2, 3, 4, 5))
    assert "A missing value counts as a value of its own." in finding.sentence


def test_numbers_have_an_ordered_distance_as_well():
    table = wards([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], {"disease": "numeric"})
    assert "by the order of values" in found(table, release_of(table, [0] * 5 + [1] * 5)).sentence


def test_near_numbers_are_known_nearly():
    """The range is 1,000, and 1 % of it is 10: 500 … 510 are near, 0 … 11 are not, and a missing value is
    near to nothing."""
    values = [500.0, 505.0, 510.0, 0.0, 5.0, 11.0, 1000.0, 1000.0, None]
    table = table_of(age=[1] * 3 + [2] * 3 + [3] * 3, pay=values)
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "pay": "sensitive"}))
    release = release_of(table, [0] * 3 + [1] * 3 + [2] * 3)
    assert "For 3 records, it is known to within 1 % of the column’s range." in found(table, release).sentence
    assert "For 6 records, it is known to within 1.1 % of" in found(table, release, near=1.1).sentence


@pytest.mark.filterwarnings("error")
def test_numbers_whose_range_is_beyond_the_largest_are_near_or_not():
    values = [-1.7e308, 1.7e308, -1.7e308, 1.7e308, 1.70e308, 1.69e308]
    table = table_of(age=[1, 1, 2, 2, 3, 3], pay=values)
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "pay": "sensitive"}))
    release = release_of(table, [0, 0, 1, 1, 2, 2])
    assert "For 2 records, it is known to within 1 % of the column’s range." in found(table, release).sentence


def test_a_set_of_items_is_one_value():
    table = table_of(age=[1, 1, 2, 2], bought=["a;b", "a;b", "a;b", "a;c"])
    roles = {"age": "quasi_identifier", "bought": "sensitive"}
    table = table.with_schema(table.schema.with_roles(roles).with_kinds({"bought": "items"}))
    finding = found(table, release_of(table, [0, 0, 1, 1]))
    assert (finding.severity, finding.witnesses) == ("decide", (1, 2))


def test_suppressed_records_are_not_read_but_count_in_the_table():
    table = wards(["a", "a", "a", "a", "a", "b", "b", "b", "b", "b"])
    finding = found(table, release_of(table, [0] * 5 + [-1] * 5))
    assert finding.witnesses == (1, 2, 3, 4, 5) and "of 5 records" in finding.sentence
    assert "t = 0.5. " in finding.sentence
    assert not list(SensitiveValues().find(table, release_of(table, [-1] * 10), lambda share, note: None))


@pytest.mark.parametrize("algorithm", [kc.Greedy(), kc.Clustered()])
def test_in_concealment_the_rows_that_could_be_ones_own_count(algorithm):
    rng = np.random.default_rng(0)
    table = table_of(age=rng.integers(0, 50, 40), disease=rng.choice(["a", "a", "b"], 40).tolist())
    roles = {"age": "quasi_identifier", "disease": "sensitive"}
    table = table.with_schema(table.schema.with_roles(roles))
    release = kc.anonymize(table, algorithm, 3)
    values = table.frame["disease"].tolist()
    certain = [
        record + 1
        for record, others in candidates(release).items()
        if len({values[other] for other in others}) == 1
    ]
    finding = found(table, release)
    assert certain and (finding.severity, list(finding.witnesses)) == ("decide", certain)
    assert "everybody’s quasi-identifiers and the program" in finding.sentence


@given(
    st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 5)), min_size=1, max_size=20).filter(
        lambda pairs: any(group >= 0 for group, _ in pairs)
    )
)
def test_distances_are_those_of_the_definition(pairs):
    groups = np.array([group for group, _ in pairs])
    classes = np.full(len(groups), -1)
    classes[groups >= 0] = np.unique(groups[groups >= 0], return_inverse=True)[1]
    codes = np.array([code for _, code in pairs])
    counts = counted(classes, Values("x", codes, 6, True))
    for ordered, measure in ((True, ordered_distance), (False, equal_distance)):
        wanted = [
            distance_from(codes.tolist(), codes[classes == one].tolist(), 6, ordered)
            for one in range(classes.max() + 1)
        ]
        assert measure(counts) == pytest.approx(wanted, abs=1e-12)

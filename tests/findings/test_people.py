"""Columns that look like whose record it is."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.findings import People
from tests.findings.cases import CUSTOMERS, customers
from tests.helpers import looped, release_of, table_of
from tests.oracles.findings import candidates


def found(release: kc.Release) -> list[kc.Finding]:
    return list(People().find(release.table, release, lambda share, note: None))


def test_customer_7_is_not_three_people():
    """k-anonymity holds, by the three rows of one person."""
    release = customers()
    assert all(verdict.holds for verdict in kc.audit(release.table, release))
    (finding,) = found(release)
    assert (finding.severity, finding.columns, finding.witnesses) == ("decide", ("customer_id",), (1, 2, 3))
    assert "4 values in 6 published records" in finding.sentence
    assert "3 of them hide among fewer than 3 different values of it, down to 1" in finding.sentence


def test_a_repeating_customer_is_no_number_like_others():
    table = kc.read_table(CUSTOMERS.replace(b"customer_id", b"customer"))
    table = table.with_schema(table.schema.with_roles({"customer": "quasi_identifier"}))
    release = kc.anonymize(table, kc.MDAV(), k=3)
    (finding,) = found(release)
    assert (finding.severity, finding.witnesses) == ("decide", (1, 2, 3))


def test_who_hides_among_k_people_everywhere_leaves_a_decision():
    table = table_of(customer=[1, 2, 3, 1, 2, 3], age=[1] * 6)
    table = table.with_schema(table.schema.with_roles({"customer": "identifier", "age": "quasi_identifier"}))
    (finding,) = found(release_of(table, [0, 0, 0, 1, 1, 1], k=3))
    assert (finding.severity, finding.count) == ("decide", 0)


@looped(
    "name, repeats, severity",
    [
        ("customer_id", True, "decide"),
        ("patientId", True, "decide"),
        ("user", True, "decide"),
        ("household", True, "decide"),
        ("name", True, "decide"),
        ("favorite color", True, "decide"),
        ("customer_id", False, None),
    ],
)
def test_names_of_identifiers(name, repeats, severity):
    whose = [1, 1, 2, 2, 3, 3] if repeats else list(range(6))
    table = table_of(**{name: whose, "age": [1, 1, 1, 1, 2, 2]})
    table = table.with_schema(table.schema.with_roles({name: "identifier", "age": "quasi_identifier"}))
    assert [finding.severity for finding in found(release_of(table, [0, 0, 0, 0, 1, 1], k=2))] == (
        [] if severity is None else [severity]
    )


@looped(
    "name, values", [("household size", [1, 2, 3] * 20), ("member", [0, 1] * 30), ("city", list("abc") * 20)]
)
def test_columns_that_are_not_whose_record_it_is(name, values):
    table = table_of(**{name: values, "age": [1] * 60})
    table = table.with_schema(table.schema.with_quasi([name, "age"]))
    assert not found(release_of(table, np.zeros(60, int)))


def test_a_column_that_is_only_left_out_is_nobodys_name():
    """The role identifier is also how one leaves a column out."""
    table = table_of(color=list("rgb") * 20, age=[1] * 60)
    table = table.with_schema(table.schema.with_roles({"color": "identifier", "age": "quasi_identifier"}))
    assert not found(release_of(table, np.zeros(60, int)))


def test_a_role_person_answers_the_question():
    table = kc.read_table(CUSTOMERS)
    table = table.with_schema(table.schema.with_roles({"customer_id": "person"}))
    assert not found(kc.anonymize(table, kc.PurchaseHistories(), 2))


@pytest.mark.parametrize("k", [2, 3])
def test_in_concealment_people_among_the_rows_that_could_be_ones_own(k):
    table = table_of(user=np.arange(24) // 2, age=np.arange(24) // 2)
    table = table.with_schema(table.schema.with_roles({"user": "identifier", "age": "quasi_identifier"}))
    release = kc.anonymize(table, kc.OptimalConcealment(), k)
    (finding,) = found(release)
    few = [
        record + 1
        for record, others in candidates(release).items()
        if len({other // 2 for other in others}) < k
    ]
    assert few and (finding.severity, list(finding.witnesses)) == ("decide", few)

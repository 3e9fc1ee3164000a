"""Identifiers that may say whose a record is."""

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


def test_the_holder_of_a_badge_is_not_three_people():
    """k-anonymity holds, by the three rows of one person."""
    release = customers()
    assert all(verdict.holds for verdict in kc.audit(release.table, release))
    (finding,) = found(release)
    assert (finding.severity, finding.columns, finding.witnesses) == ("know", ("badge_id",), (1, 2, 3))
    assert "4 values in 6 records" in finding.sentence
    assert (
        "For 3 records, the anonymity set has fewer than 3 different values of it, down to 1"
        in finding.sentence
    )


@looped("role", ["identifier", "quasi_identifier", "other", "sensitive"])
@looped("name", ["customer_id", "patientId", "user", "household", "name", "hhid", "case_no"])
def test_a_role_is_the_answer_and_is_not_asked_again(name, role):
    table = table_of(**{name: [1, 1, 2, 2, 3, 3], "age": [1, 1, 1, 1, 2, 2]})
    assert table.schema[name].role == "undecided"
    table = table.with_schema(table.schema.with_roles({name: role, "age": "quasi_identifier"}))
    assert not found(release_of(table, [0, 0, 0, 0, 1, 1], k=2))


def test_a_column_that_somebody_leaves_out_is_nobodys_name():
    """The role identifier is also how one leaves a column out."""
    for name, values in (("color", list("rgb") * 20), ("favorite color", [*"rgb" * 10, *range(30)])):
        table = table_of(**{name: [str(value) for value in values], "age": [1] * 60})
        table = table.with_schema(table.schema.with_roles({name: "identifier", "age": "quasi_identifier"}))
        assert not found(release_of(table, np.zeros(60, int)))


@looped("nothing", [None, 0])
@looped("name", ["fnlwgt", "survey_weight"])
def test_a_survey_weight_that_is_left_out_is_no_person(name, nothing):
    """A weight with missing cells or zeros cannot be used as one, so it is left out; a badge with the same
    cells is asked about."""
    weights = [77516 + number // 2 for number in range(39)] + [nothing]

    def said(called: str) -> list[kc.Finding]:
        table = table_of(**{called: weights, "age": np.arange(40) % 4})
        assert table.schema[called].role == "identifier"
        return found(release_of(table, np.arange(40) % 4, k=5))

    assert not said(name) and said("badge_id")


def test_cells_that_say_nothing_are_no_person():
    """24 answers in 600 rows name 24 records, and nobody of the others."""
    for nothing in ("Unknown", None, "n/a"):
        badges = [f"B{number // 2}" if number < 24 else nothing for number in range(600)]
        table = table_of(badge_id=badges, age=np.arange(600) % 4)
        schema = table.schema.with_roles({"badge_id": "identifier"})
        assert table.schema["badge_id"].role == "identifier"
        (finding,) = found(release_of(table.with_schema(schema), np.arange(600) % 4, k=5))
        assert "(12 values in 24 records)" in finding.sentence and finding.count == 0
        apart = [f"C{number}" if number < 24 else nothing for number in range(600)]
        assert table_of(customer_id=apart).schema["customer_id"].role == "identifier"


def test_a_role_person_answers_the_question():
    table = kc.read_table(CUSTOMERS)
    table = table.with_schema(table.schema.with_roles({"customer_id": "person"}))
    assert not found(kc.anonymize(table, kc.PurchaseHistories(), 2))


@pytest.mark.parametrize("k", [2, 3])
def test_in_concealment_people_among_the_rows_that_could_be_ones_own(k):
    table = table_of(badge_id=np.arange(24) // 2, age=np.arange(24) // 2)
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier"}))
    release = kc.anonymize(table, kc.OptimalConcealment(), k)
    (finding,) = found(release)
    few = [
        record + 1
        for record, others in candidates(release).items()
        if len({other // 2 for other in others}) < k
    ]
    assert few and (finding.severity, list(finding.witnesses)) == ("know", few)

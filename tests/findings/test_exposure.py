"""Exposure of one record: the same figures as those of the whole table, and values counted by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.findings.exposure import exposure
from kanon_core.guarantees import Hiding
from tests.charts.purchasetables import purchases
from tests.helpers import looped

ILL = ["flu", "flu", "gout", None, "ok"] * 6


def people(n: int = 30, **more: object) -> kc.Table:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "name": [f"ZQX{i}" for i in range(n)],
            "age": rng.integers(20, 60, n),
            "weight": rng.normal(70, 9, n).round(1),
            "ill": ILL[:n],
            **more,
        }
    )
    known = dict.fromkeys(("age", "weight", *more), "quasi_identifier")
    return kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_roles({"name": "identifier", "ill": "sensitive"} | known)
    )


def drawn_again(release: kc.Release) -> kc.Release:
    """The release of the same sets, with another draw of who has which row."""
    recipe = replace(release.recipe, seed=release.recipe.seed + 1)
    made = kc.Release.of(release.table, release.cover, recipe)
    return replace(made, report=release.report)


def shares(values: list) -> dict[str, float]:
    counts = Counter("" if pd.isna(value) else value for value in values)
    return {value: count / len(values) for value, count in counts.items()}


def told(learned) -> dict[str, float]:
    (one,) = learned.values
    return dict(one.shares)


@looped("algorithm", [kc.MDAV(), kc.Mondrian(), kc.FullDomain(), kc.Sorting()])
def test_a_record_hides_among_its_class_and_its_attackers_read_it(algorithm):
    table = people()
    release = kc.anonymize(table, algorithm, 4, seed=1)
    risks = kc.risks(table, release)
    texts = [tuple(row) for row in zip(*release.texts(np.arange(30)).values(), strict=True)]
    for record in np.flatnonzero(~release.suppressed).tolist():
        found = exposure(table, release, record, risks)
        alike = [i for i in range(30) if texts[i] == texts[record] and not release.suppressed[i]]
        assert found.among[0] == record and sorted(found.among.tolist()) == alike
        assert found.published and found.disjoint and (found.size, found.unit) == (len(alike), "records")
        entries = [one for one in risks.found if not one.problem]
        assert [one.title for one in found.learned] == [one.attacker.title for one in entries]
        for one, risk in zip(found.learned, entries, strict=True):
            assert one.chance == risk.after.records[record] == pytest.approx(1 / len(alike))
            assert one.before == risk.before.records[record]
            assert told(one) == pytest.approx(shares([ILL[i] for i in alike]))


def test_where_sets_overlap_each_attacker_has_rows_of_its_own():
    table = people()
    release = kc.anonymize(table, kc.Tours(), 3, seed=1)
    risks, matchings = kc.risks(table, release), release.cover.matchings
    bearer = np.argsort(release.set_of)
    for record in range(30):
        found = exposure(table, release, record, risks)
        assert sorted(found.among.tolist()) == sorted(matchings[:, record].tolist()) and not found.disjoint
        fit, program = found.learned[0], found.learned[-1]
        assert found.learned[-2].chance == 1 / found.size == 1 / release.consistency().matches[record]
        assert fit.chance == pytest.approx(1 / release.consistency().rows[record])
        assert told(fit) == pytest.approx(
            shares([ILL[i] for i in kc.candidates(table, release, record).after])
        )
        assert program.chance == pytest.approx(1 / 3) and program.before is None
        assert told(program) == pytest.approx(shares([ILL[bearer[row]] for row in matchings[:, record]]))


def test_rows_that_the_program_made_do_not_tell_what_was_drawn():
    table = people()
    first = kc.anonymize(table, kc.OptimalConcealment(), 3, seed=1)
    other = drawn_again(first)
    assert (first.set_of != other.set_of).any()
    for record in range(30):
        found = [exposure(table, one, record, kc.risks(table, one)).among for one in (first, other)]
        assert found[0].tolist() == found[1].tolist()


def test_a_suppressed_record_has_no_row_and_no_attacker():
    table = people()
    release = kc.anonymize(table, kc.FullDomain(max_suppressed=0.5), 4, seed=1)
    assert release.suppressed.any()
    record = int(np.flatnonzero(release.suppressed)[0])
    found = exposure(table, release, record, kc.risks(table, release))
    assert not found.published and not found.learned and not len(found.among)


def test_people_are_counted_as_people():
    table = purchases(people=12, seed=1, most=3)
    release = kc.anonymize(table, kc.PurchaseHistories(), 3, seed=1)
    risks = kc.risks(table, release)
    for record in np.flatnonzero(~release.suppressed)[:20].tolist():
        found = exposure(table, release, record, risks)
        assert found.unit == "people" and found.size == release.hidden_among[record] >= 3
        assert found.learned[0].chance == pytest.approx(1 / found.size)
        texts = release.texts(found.among)
        assert all(len(set(cells)) == 1 for cells in texts.values())


def test_an_attacker_who_knows_items_counts_rows_but_sees_no_values():
    drugs = ["a b", "a b c", "a", "b c", "a c", "a b"] * 5
    table = people(items=drugs).with_schema(people(items=drugs).schema.with_kinds({"items": "items"}))
    release = kc.anonymize(table, kc.TopDown(), 3, seed=1)
    found = exposure(table, release, 0, kc.risks(table, release))
    few = next(one for one in found.learned if one.title == "A few known items")
    assert few.values is None and 0 < few.chance <= 1 / 3


def test_rows_of_other_classes_that_fit_are_told():
    frame = pd.DataFrame({"a": [1, 5, 2, 6, 3, 4], "b": [1, 5, 6, 2, 3, 4]})
    table = kc.Table.from_frame(frame)
    release = kc.anonymize(table, kc.MDAV(), 2, seed=1)
    fitting = [len(kc.candidates(table, release, i).after) - 2 for i in range(6)]
    notes = [" ".join(exposure(table, release, i, kc.risks(table, release)).notes) for i in range(6)]
    assert any(fitting) and [("fits the record, too" in n or "fit the record, too" in n) for n in notes] == [
        more > 0 for more in fitting
    ]
    assert isinstance(release.guarantee, Hiding)

"""Every release, written to a file and checked, alone and beside its original, gets the verdicts that the
release itself gets: for every algorithm, guarantee and kind of cell."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.checks.checking import MODELS
from kanon_core.report import release_bytes
from kanon_core.report.released_file import ENDINGS
from tests.contracts.tables import SETTINGS, releases, suitable

FORMATS = sorted(set(ENDINGS.values()))


def opened(release: kc.Release, format: str) -> kc.OpenedFile:
    how = {} if format == "parquet" else {"header": True}
    return kc.open_file(release_bytes(release, format), format=format, **how)


@pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)
def test_a_file_gets_the_verdicts_of_its_release(algorithm):
    for i, (table, release) in enumerate(zip(suitable(algorithm), releases(algorithm), strict=True)):
        if release.suppressed.all():
            continue
        file, persons = opened(release, FORMATS[i % len(FORMATS)]), table.schema.of_role("person")
        found = kc.check(file, algorithm.guarantees(release.recipe.k)[:1], original=table)
        assert found.truth is not None and (persons or found.truth.holds)
        for model in found.models:
            guarantee, told = model.guarantee, model.verdict
            if told is None or guarantee.unsuitable(table):
                continue
            if persons and not isinstance(guarantee, kc.PersonKAnonymity):
                continue
            expected = guarantee.check(table, release)
            assert (told.holds, told.found) == pytest.approx((expected.holds, expected.found)), guarantee


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)
def test_a_file_alone_keeps_the_guarantee_of_its_algorithm(algorithm):
    for i, (table, release) in enumerate(zip(suitable(algorithm), releases(algorithm), strict=True)):
        first, *_ = algorithm.guarantees(release.recipe.k)
        if release.suppressed.all() or first.needs_original:
            continue
        roles = {name: table.schema[name].role for name in release.columns}
        sets = {name: "items" for name in release.columns if table.schema[name].kind == "items"}
        file = opened(release, FORMATS[i % len(FORMATS)])
        names = dict(zip(file.schema.names, release.columns, strict=True))
        file = file.with_schema(
            file.schema.with_kinds({name: sets[own] for name, own in names.items() if own in sets})
        )
        found = kc.check(file.with_roles({name: roles[own] for name, own in names.items()}), [first])
        assert found.holds, (first, found.asked[0].verdict)
        alike = found.asked[0].verdict.found
        if type(first) is kc.KAnonymity:
            assert alike == release.class_sizes.min()


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("recoding", ["mean", "median", "mode"])
def test_aggregates_are_classes_as_they_are_written(recoding, format):
    """Two classes may publish the same mean, and are one then."""
    table = kc.read_table("sample:people-100")
    schema = table.schema.with_quasi(["age", "sex"]).with_roles({"condition": "sensitive"})
    table = table.with_schema(schema.with_recodings({"age": recoding, "sex": "mode"}))
    for algorithm in (kc.MDAV(), kc.Mondrian()):
        release = kc.anonymize(table, algorithm, 4, seed=2)
        asked = [kc.KAnonymity(4), kc.LDiversity(l=2), kc.AlphaKAnonymity(alpha=0.9, k=4)]
        file = opened(release, format).with_roles({n: table.schema[n].role for n in release.columns})
        for model in kc.check(file, asked).asked:
            expected = model.guarantee.check(table, release)
            assert (model.verdict.holds, model.verdict.found) == (expected.holds, expected.found)


def test_every_model_is_compared_somewhere():
    """k-anonymity of people and sets of items need tables of their own; by a hierarchy nothing is sensitive
    here."""
    compared = set()
    for algorithm in SETTINGS:
        for table in suitable(algorithm):
            compared |= {type(model) for model in MODELS if not model.unsuitable(table)}
    assert compared == set(kc.GUARANTEES)


@pytest.mark.deep
def test_a_repaired_file_keeps_what_was_asked_for():
    """Every release is checked at a greater k, at which something fails; the repaired file reaches it, and
    the repair's report is true of the file."""
    seen = {"suppress": 0, "merge": 0}
    for algorithm in (kc.MDAV(), kc.Mondrian(), kc.TopDown(), kc.Sorting()):
        for table, release in zip(suitable(algorithm), releases(algorithm), strict=True):
            if table.schema.of_role("person") or any(a.kind == "items" for a in table.schema):
                continue
            k = int(release.class_sizes.min()) + 1
            if k > len(table) // 2:
                continue
            keep = [kc.AlphaKAnonymity(alpha=0.7, k=4)] if table.schema.of_role("sensitive") else []
            file = opened(release, "parquet").beside(table)
            checked = kc.check(file, [kc.KAnonymity(k), *keep])
            for way in seen:
                made = kc.repaired(checked, way, seed=1)
                if made.release is None:
                    assert "No row would be left" in made.reason
                    continue
                seen[way] += 1
                again = kc.open_file(release_bytes(made.release, "parquet"), format="parquet").beside(table)
                assert kc.check(again, [model.guarantee for model in checked.asked]).holds
                assert made.left_out == int(made.release.suppressed.sum())
                assert (
                    kc.repeat(made.release.table, made.release.recipe)
                    .publish()
                    .equals(made.release.publish())
                )
                assert np.isfinite([made.before, made.after]).all()
    assert min(seen.values()) > 20

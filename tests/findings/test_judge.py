"""Judging a whole release: what holds of every finding, on releases of every algorithm and of our samples."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.options import expression, from_json, options_of, to_json
from kanon_core.findings import FINDINGS, SEVERITIES
from kanon_core.findings.base import SummedSearch
from kanon_core.release.recipe import RecipeError
from tests.contracts.tables import SETTINGS, releases
from tests.findings.cases import cases
from tests.helpers import looped, release_of, table_of

each_setting = pytest.mark.parametrize("algorithm", SETTINGS, ids=expression)


def check(release: kc.Release, findings: tuple[kc.Finding, ...]) -> None:
    """Check the properties that every list of findings keeps."""
    weights, menu = list(SEVERITIES), [cls.name for cls in FINDINGS]
    order = [(weights.index(finding.severity), menu.index(finding.name)) for finding in findings]
    assert order == sorted(order)
    for finding in findings:
        assert finding.sentence.endswith(".") and finding.action.endswith(".")
        assert "{" not in finding.sentence and "nan" not in finding.sentence and "inf" not in finding.sentence
        assert set(finding.columns) <= set(release.table.schema.names)
        assert len(finding.witnesses) == min(finding.count, 1000) <= len(release)
        assert list(finding.witnesses) == sorted(set(finding.witnesses))
        assert all(type(number) is int and 1 <= number <= len(release) for number in finding.witnesses)


@each_setting
def test_every_release_is_judged(algorithm):
    for release in releases(algorithm):
        findings = kc.judge(release.table, release)
        check(release, findings)
        assert not [
            finding for finding in findings if finding.name == "identity" and finding.severity != "know"
        ]
        said = " ".join(f"{f.sentence} {f.action} {f.price}" for f in findings)
        assert "person 1" not in said and "flu" not in said and "=cold" not in said


@looped("cls", ALGORITHMS)
def test_no_private_cell_is_quoted(cls):
    """Names, diagnoses and customers are made so that they can be told in any text."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "customer_id": [f"ZQX{i // 2}" for i in range(24)],
            "age": rng.integers(20, 60, 24),
            "city": rng.choice(["Oslo", "Quito"], 24),
            "diagnosis": [f"QJV{i % 5}" for i in range(24)],
            "amount": rng.integers(7_770_000, 7_779_999, 24),
        }
    )
    roles = {"customer_id": "identifier", "diagnosis": "sensitive", "amount": "sensitive"}
    for quasi in (["age", "city"], ["age"]):
        schema = kc.Schema.infer(frame).with_quasi(quasi).with_roles(roles)
        for person in ("identifier", "person"):
            table = kc.Table.from_frame(frame, schema.with_roles({"customer_id": person}))
            if not cls().unsuitable(table, 3):
                findings = kc.judge(table, kc.anonymize(table, cls(), 3))
                said = repr([dataclasses.replace(finding, witnesses=()) for finding in findings])
                assert findings and "ZQX" not in said and "QJV" not in said and "777" not in said


@looped("name", ["people-100", "people-5000", "households-5000", "receipts-10000", "four", "nine", "DS2"])
def test_our_samples_are_judged(name):
    table = kc.read_table(f"sample:{name}")
    algorithm = (
        kc.TopDown() if any(a.kind == "items" for a in table.schema.quasi_identifiers) else kc.Mondrian()
    )
    release = kc.anonymize(table, algorithm, 2 if len(table) < 10 else 5)
    findings = kc.judge(table, release)
    check(release, findings)
    assert findings[-1].severity == "know" and not [
        f for f in findings if f.name == "people with several records"
    ]


def test_the_cases_have_their_findings_first():
    """Each case is about its worst finding, and every guarantee holds of it."""
    worst = []
    for case in cases():
        table = case.release.table
        assert all(verdict.holds for verdict in kc.audit(table, case.release))
        findings = kc.judge(table, case.release)
        check(case.release, findings)
        worst.append({(finding.name, finding.severity) for finding in findings})
    wanted = [
        ("known seed", "decide"),
        ("people with several records", "know"),
        ("sensitive values", "decide"),
        ("cuts not made", "decide"),
        ("unchanged columns", "stops"),
        ("means, medians and modes", "decide"),
        ("exact ends", "know"),
    ]
    assert all(one in found for one, found in zip(wanted, worst, strict=True))


def test_a_broken_guarantee_stops_the_release():
    table = table_of(age=[1, 2, 3, 3])
    release = release_of(table, [0, 1, 2, 2], k=2)
    worst, *_ = kc.judge(table, release)
    assert (worst.name, worst.severity, worst.witnesses) == ("identity", "stops", (1, 2))
    assert worst.sentence.startswith("k-anonymity does not hold. 2 records")


def test_how_many_hide_among_exactly_k():
    table = table_of(age=[1, 1, 2, 2, 2])
    (finding,) = kc.judge(table, release_of(table, [0, 0, 1, 1, 1]), [FINDINGS[0]()])
    assert finding.witnesses == (1, 2) and "This smallest size applies to 2 of 5" in finding.sentence


def test_nothing_published_leaves_nothing_but_who_is_missing():
    table = table_of(age=[1, 2, 3], customer_id=[1, 1, 2])
    table = table.with_schema(table.schema.with_quasi(["age"]).with_roles({"customer_id": "identifier"}))
    release = release_of(table, [-1, -1, -1])
    assert {finding.name for finding in kc.judge(table, release)} == {"known seed", "suppressed records"}


def test_another_table_is_refused():
    table = table_of(age=[1, 1, 2, 2])
    with pytest.raises(RecipeError, match="other data"):
        kc.judge(table_of(age=[1, 1, 2, 3]), release_of(table, [0, 0, 1, 1]))
    with pytest.raises(RecipeError, match="other roles"):
        kc.judge(table.with_schema(table.schema.with_weights({"age": 2})), release_of(table, [0, 0, 1, 1]))


class Stopped(BaseException):
    """The exception that a page raises to stop the work."""


def test_progress_rises_to_one_and_what_it_raises_passes():
    release = cases()[3].release
    shares: list[float] = []
    kc.judge(
        release.table,
        release,
        progress=lambda share, note="": shares.append(share) if share is not None else None,
    )
    assert shares == sorted(shares) and shares[0] == 0 and shares[-1] == 1

    def tick(share, note=""):
        if share is not None and share > 0.5:
            raise Stopped

    with pytest.raises(Stopped):
        kc.judge(release.table, release, progress=tick)


@looped("cls", FINDINGS)
def test_a_search_says_what_it_is(cls):
    assert cls.name and cls.asks.endswith("?") and cls.attacker and cls().conditions()
    assert from_json(to_json(cls())) == cls()
    assert all("{" not in text for text in cls().conditions().values())
    for option in options_of(cls):
        assert option.help and all(
            option.name in str(refused(cls, option.name, bad)) for bad in option.kind.illegal()
        )


def refused(cls: type[kc.Search], name: str, value: object) -> str:
    with pytest.raises(kc.OptionError) as caught:
        cls(**{name: value})
    return str(caught.value).replace(" ", "_")


def test_every_search_is_in_its_tuple():
    bases = (kc.Search, SummedSearch)
    all_ = {cls for base in bases for cls in base.__subclasses__()} - {SummedSearch}
    own = {cls for cls in all_ if cls.__module__.startswith("kanon_core.")}
    assert own == set(FINDINGS) and len(set(FINDINGS)) == len(FINDINGS)
    assert len({cls.name for cls in FINDINGS}) == len(FINDINGS)

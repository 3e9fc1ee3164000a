"""Risks beside anonymeter, an outside implementation (Giomi et al. 2023), on the same files.

It is installed without the versions that it pins: ``pip install --no-deps anonymeter polars``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.progress import silent
from kanon_core.risk.criterion import interval
from kanon_core.risk.tables import ReleaseView
from kanon_core.runs.attacking import beside_control
from tests.helpers import release_of
from tests.needs import needs

pytestmark = pytest.mark.deep


def agree(ours: kc.Attacked, theirs: list) -> None:
    """Rates lie within the intervals of both, and so does the risk that is made of them. The other attacker
    takes the first of equally near rows, so the file is given in several orders."""
    for name, found, tried in (
        ("attack_rate", ours.succeeded, ours.tried),
        ("control_rate", ours.control_succeeded, ours.control_tried),
    ):
        rates = [getattr(one.results(), name) for one in theirs]
        value, error = np.mean([[rate.value, rate.error] for rate in rates], axis=0)
        low, high = interval(found, tried)
        assert low <= value + error and value - error <= high
    value, low, high = np.mean([[risk.value, *risk.ci] for risk in (one.risk() for one in theirs)], axis=0)
    assert low <= ours.risk[0] <= high and ours.risk[1] <= value <= ours.risk[2]


def halves(table: kc.Table, seen: ReleaseView) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The records that the release was made of, and the control group."""
    outside = np.setdiff1d(np.arange(len(table)), seen.records)
    one, other = (table.frame.iloc[rows].reset_index(drop=True) for rows in (seen.records, outside))
    return one, other


def evaluated(
    name: str, file: pd.DataFrame, orders: int, run: Mapping = MappingProxyType({"n_jobs": 1}), **how: object
) -> list:
    """anonymeter's evaluator on a file, in several orders of its rows."""
    evaluators = pytest.importorskip("anonymeter.evaluators", reason=needs("anonymeter"))
    np.random.seed(1)  # noqa: NPY002 - its draws are those of pandas, which take numpy's global state
    files = [file.sample(frac=1, random_state=seed).reset_index(drop=True) for seed in range(orders)]
    return [getattr(evaluators, name)(syn=one, **how).evaluate(**run) for one in files]


def adult(folder: Path, count: int, **columns: int) -> pd.DataFrame:
    """Its first records, of some columns by their places."""
    path = folder / "adult" / "adult.data"
    frame = pd.read_csv(path, header=None, skipinitialspace=True, nrows=count)
    return frame[list(columns.values())].set_axis(list(columns), axis=1)


def test_the_risk_of_inference_agrees_within_the_intervals(kanon_data):
    """Ages, years and hours as medians of groups of 5: both take the value of a row that is nearest."""
    quasi = ["age", "years", "hours"]
    frame = adult(kanon_data, 6_000, age=0, years=4, hours=12, income=14)
    schema = kc.Schema.infer(frame).with_quasi(quasi).with_roles({"income": "sensitive"})
    table = kc.Table.from_frame(frame, schema.with_recodings(dict.fromkeys(quasi, "median")))
    release = kc.anonymize(table, kc.MDAV(), 5, seed=1)
    (ours,) = kc.attack(table, release, [kc.AttributeInference(rule="nearest")], 1_200)
    seen = beside_control(table, release)
    inside, outside = halves(table, seen)
    how = {"ori": inside, "control": outside, "aux_cols": quasi, "secret": "income", "n_attacks": 1_200}
    agree(ours, evaluated("InferenceEvaluator", seen.release.publish(), 5, **how))


def test_the_risk_of_linkability_agrees_within_the_intervals(kanon_data):
    """The records are attacked as they are: among the equal rows of a group, the other attacker takes the
    same row for both halves."""
    names = ["age", "weight", "years", "hours"]
    frame = adult(kanon_data, 1_500, age=0, weight=2, years=4, hours=12)
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_quasi(names))
    seen = beside_control(table, kc.anonymize(table, kc.Sorting(), 2, seed=1))
    bare = replace(seen, release=release_of(seen.release.table, np.arange(len(seen.records))))
    inside, outside = halves(table, seen)
    found, rng = [], np.random.default_rng(1)
    for records in (seen.records, np.setdiff1d(np.arange(len(table)), seen.records)):
        (answer,) = kc.Linkability().answers(bare, records, rng, silent)
        found += [len(records), int((rng.random(len(records)) < answer.chances).sum())]
    ours = kc.Attacked(kc.Linkability(), found[0], found[1], 1_200, 0.0, 0.0, found[2], found[3])
    how = {"ori": inside, "control": outside, "aux_cols": (names[::2], names[1::2]), "n_attacks": 300}
    agree(ours, evaluated("LinkabilityEvaluator", inside, 3, **how))


def test_the_risk_of_singling_out_agrees_within_the_intervals(kanon_data):
    """Categories as modes of groups of 2. The other attacker counts equal records once, so all differ here;
    its control group is as large, so that nothing is fitted."""
    frame = adult(kanon_data, 6_000, work=1, degree=3, marital=5, job=6, family=7, race=8, country=13)
    frame = frame.drop_duplicates().reset_index(drop=True)
    frame = frame.iloc[: len(frame) // 2 * 2]
    schema = kc.Schema.infer(frame).with_quasi(list(frame)).with_recodings(dict.fromkeys(frame, "mode"))
    table = kc.Table.from_frame(frame, schema)
    release, made = kc.anonymize(table, kc.MDAV(), 2, seed=1), kc.SinglingOut(predicates="rows")
    (ours,) = kc.attack(table, release, [made], 1_000)
    seen = beside_control(table, release, apart=made.apart)
    inside, outside = halves(table, seen)
    assert len(inside) == len(outside)
    how = {"ori": inside, "control": outside, "n_cols": made.columns, "n_attacks": 1_000, "seed": 1}
    agree(ours, evaluated("SinglingOutEvaluator", seen.release.publish(), 3, {"mode": "multivariate"}, **how))


def test_singling_out_by_one_number_is_the_same(kanon_data):
    """Ages, weights, years and hours as medians of groups of 3: both say “at most the least”, “at least the
    greatest”, and a value that one row alone has, so that all guesses are the same, and as many are right.
    In several columns the other attacker says “at least” or “at most” of every number, and ours what stands
    there: such guesses are not compared."""
    names = ["age", "weight", "years", "hours"]
    frame = adult(kanon_data, 3_000, age=0, weight=2, years=4, hours=12).drop_duplicates()
    frame = frame.iloc[: len(frame) // 2 * 2].reset_index(drop=True)
    schema = kc.Schema.infer(frame).with_quasi(names).with_recodings(dict.fromkeys(names, "median"))
    table = kc.Table.from_frame(frame, schema)
    release, made = kc.anonymize(table, kc.MDAV(), 3, seed=1), kc.SinglingOut(predicates="extremes")
    (ours,) = kc.attack(table, release, [made])
    seen = beside_control(table, release, apart=made.apart)
    inside, outside = halves(table, seen)
    how = {"ori": inside, "control": outside, "n_attacks": ours.tried, "seed": 1}
    (theirs,) = evaluated("SinglingOutEvaluator", seen.release.publish(), 1, {"mode": "univariate"}, **how)
    counts = theirs._n_attacks, theirs._n_success, theirs._n_control
    assert counts == (ours.tried, ours.succeeded, ours.control_succeeded)
    assert ours.tried > 300 and 0 < ours.succeeded < ours.tried
    agree(ours, [theirs])

"""The same release measured by pycanon 1.3, an outside implementation. It has no NCP, ILSSDM or ILD.

Its numpy and pandas are pinned to older versions than ours: ``pip install --no-deps pycanon`` beside requirements-dev.txt.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from tests.helpers import release_of

theirs = pytest.importorskip("pycanon.metrics", reason="needs: pip install --no-deps pycanon")


def people(n: int = 200) -> kc.Table:
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(
        {"age": rng.integers(18, 40, n), "sex": rng.choice(["f", "m"], n), "ill": rng.choice(list("aab"), n)}
    )
    roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "ill": "sensitive"}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles).with_kinds({"age": "numeric"}))


def total(metric: kc.Metric, release: kc.Release) -> float:
    return metric.measure(release.table, release).total


@pytest.mark.parametrize("k", [2, 3, 5, 20])
@pytest.mark.parametrize("algorithm", [kc.Mondrian(), kc.MDAV()], ids=["Mondrian", "MDAV"])
@pytest.mark.parametrize("suppressed", [False, True])
def test_discernibility_class_size_and_risks_agree(algorithm, k, suppressed):
    table = people()
    release = kc.anonymize(table, algorithm, k)
    if suppressed:
        release = release_of(table, np.where(release.cover.groups == 0, -1, release.cover.groups), k)
    originals, shown, quasi = table.frame, release.publish(), ["age", "sex"]
    assert total(kc.Discernibility(), release) == theirs.discernability_metric(originals, shown, quasi)
    # LeFevre's C_avg divides by the k that was asked for, pycanon by the k that was achieved, we by nothing.
    achieved = total(kc.AchievedK(), release)
    assert total(kc.AverageClassSize(), release) == pytest.approx(
        achieved * theirs.average_ecsize(originals, shown, quasi)
    )
    assert total(kc.WorstRisk(), release) == pytest.approx(theirs.max_rir(shown, quasi))
    # pycanon averages over the classes, we over the records that are in them.
    assert theirs.average_rir(shown, quasi) == pytest.approx(np.mean(1 / release.class_sizes))


def test_classification_agrees_but_for_ties():
    """In a group of a, a, b, b the metric charges two records; pycanon, which skips every class of the largest size, none."""
    table = people()
    release = kc.anonymize(table, kc.Mondrian(), 5)
    shown, tied = release.publish(), 0
    for _, labels in shown.groupby(["age", "sex"])["ill"]:
        counts = labels.value_counts()
        tied += counts.max() * ((counts == counts.max()).sum() - 1)
    found = theirs.classification_metric(table.frame, shown, ["age", "sex"], ["ill"])
    assert tied > 0
    assert total(kc.Classification("ill"), release) == pytest.approx(found + tied / len(table))

"""The same releases measured by pycanon, an outside implementation: by the numbers that its version 1.3.6
found, and by itself where it is installed.

It has no NCP, ILSSDM or ILD. It pins numpy and pandas to versions older than ours, so that it must be
installed without its dependencies: ``pip install --no-deps "pycanon>=1.3,<2"``. Without it the live half is
skipped, and says so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

import kanon_core as kc
from tests.helpers import release_of
from tests.needs import needs

QUASI = ["age", "sex"]
ALGORITHMS = {"Mondrian": kc.Mondrian(), "MDAV": kc.MDAV()}


class Found(NamedTuple):
    """discernability_metric, average_ecsize, max_rir, average_rir, classification_metric of the condition."""

    discernibility: float
    class_size: float
    worst_risk: float
    average_risk: float
    misclassified: float


FOUND: dict[tuple[str, int, bool], Found] = {
    ("Mondrian", 2, False): Found(276.0, 1.3157894736842106, 0.5, 0.3991228070175438, 0.12),
    ("Mondrian", 2, True): Found(567.0, 1.3108108108108107, 0.5, 0.4009009009009009, 0.14),
    ("Mondrian", 3, False): Found(400.0, 1.2345679012345678, 0.3333333333333333, 0.2867724867724868, 0.18),
    ("Mondrian", 3, True): Found(691.0, 1.2435897435897436, 0.3333333333333333, 0.28498168498168497, 0.2),
    ("Mondrian", 5, False): Found(634.0, 1.25, 0.2, 0.16249999999999998, 0.26),
    ("Mondrian", 5, True): Found(1285.0, 1.24, 0.2, 0.1638095238095238, 0.32),
    ("Mondrian", 20, False): Found(
        2510.0, 1.0869565217391304, 0.043478260869565216, 0.04016087575870184, 0.29
    ),
    ("Mondrian", 20, True): Found(
        4481.0, 1.0579710144927537, 0.043478260869565216, 0.04120215533259011, 0.49
    ),
    ("MDAV", 2, False): Found(200.0, 1.0, 0.5, 0.5, 0.0),
    ("MDAV", 2, True): Found(396.0, 1.0, 0.5, 0.5, 0.02),
    ("MDAV", 3, False): Found(304.0, 1.0101010101010102, 0.3333333333333333, 0.3308080808080808, 0.17),
    ("MDAV", 3, True): Found(595.0, 1.0104166666666667, 0.3333333333333333, 0.33072916666666663, 0.2),
    ("MDAV", 5, False): Found(500.0, 1.0, 0.2, 0.20000000000000004, 0.27),
    ("MDAV", 5, True): Found(975.0, 1.0, 0.2, 0.20000000000000004, 0.31),
    ("MDAV", 20, False): Found(2000.0, 1.0, 0.05, 0.05, 0.29),
    ("MDAV", 20, True): Found(3600.0, 1.0, 0.05, 0.05, 0.46),
}
"""By algorithm, k, and whether the first group is suppressed: what pycanon 1.3.6 found on people-100 (numpy
2.4, pandas 3.1)."""

each_setting = pytest.mark.parametrize(("name", "k", "suppressed"), FOUND, ids=str)


def released(name: str, k: int, suppressed: bool) -> kc.Release:
    """people-100 with age and sex as quasi-identifiers; the condition is sensitive."""
    table = kc.read_table("sample:people-100")
    table = table.with_schema(table.schema.with_quasi(QUASI).with_roles({"condition": "sensitive"}))
    release = kc.anonymize(table.in_given_order(), ALGORITHMS[name], k)
    if not suppressed:
        return release
    groups = release.cover.groups
    return release_of(table, np.where(groups == groups[0], -1, groups), k)


def total(metric: kc.Metric, release: kc.Release) -> float:
    return metric.measure(release.table, release).total


def tied(release: kc.Release) -> int:
    """Records whose condition is as frequent in their class as the first of the most frequent, without being
    it."""
    found = 0
    for _, labels in release.publish().groupby(QUASI)["condition"]:
        counts = labels.value_counts()
        found += counts.max() * ((counts == counts.max()).sum() - 1)
    return found


def by_pycanon(theirs, release: kc.Release) -> Found:
    originals, shown = release.table.frame, release.publish()
    return Found(
        float(theirs.discernability_metric(originals, shown, QUASI)),
        float(theirs.average_ecsize(originals, shown, QUASI)),
        float(theirs.max_rir(shown, QUASI)),
        float(theirs.average_rir(shown, QUASI)),
        float(theirs.classification_metric(originals, shown, QUASI, ["condition"])),
    )


@each_setting
def test_ours_agree_wherever_both_are_defined(name, k, suppressed):
    release, theirs = released(name, k, suppressed), FOUND[name, k, suppressed]
    assert total(kc.Discernibility(), release) == theirs.discernibility
    # LeFevre's C_avg divides by the k that was asked for, pycanon by the k that was achieved, we by nothing.
    assert total(kc.AverageClassSize(), release) == pytest.approx(
        total(kc.AchievedK(), release) * theirs.class_size
    )
    assert total(kc.WorstRisk(), release) == pytest.approx(theirs.worst_risk)
    # pycanon averages over the classes, we over the records that are in them.
    assert theirs.average_risk == pytest.approx(np.mean(1 / release.class_sizes))
    # In a class of a, a, b, b the metric charges two records; pycanon, which skips every value of the largest
    # count, none.
    assert total(kc.Classification("condition"), release) == pytest.approx(
        theirs.misclassified + tied(release) / len(release)
    )


def test_ties_are_there_so_that_the_difference_is_seen():
    assert any(tied(released(*setting)) for setting in FOUND)


@each_setting
def test_pycanon_itself_still_finds_these_numbers(name, k, suppressed):
    theirs = pytest.importorskip("pycanon.metrics", reason=needs("pycanon"))
    assert by_pycanon(theirs, released(name, k, suppressed)) == pytest.approx(FOUND[name, k, suppressed])

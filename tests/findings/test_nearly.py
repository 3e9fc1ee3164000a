"""Words that are published nearly as they are, counted again by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.findings import NearlyOriginal


def release_of(cells: list[str | None], k: int = 3, kind: str = "categorical", **recoding: str) -> kc.Release:
    frame = pd.DataFrame({"born": pd.Series(cells, dtype="str")})
    schema = kc.Schema((kc.Attribute("born", "quasi_identifier", kind, **recoding),))
    return kc.anonymize(kc.Table.from_frame(frame, schema), kc.MDAV(), k, 1)


def found(release: kc.Release, **options: float) -> list[kc.Finding]:
    return kc.judge(release.table, release, [NearlyOriginal(**options)])


def days(count: int, each: int, form: str = "%d.%m.%Y") -> list[str]:
    days = pd.date_range("1950-01-01", periods=count, freq="11D").strftime(form)
    return np.random.default_rng(0).permutation(np.repeat(days, each)).tolist()


def test_dates_that_are_kept_as_words_are_found_and_as_dates_are_not():
    release = release_of(days(150, 2))
    (finding,) = found(release)
    sets = release.publish()["born"].astype("str").str.strip("{}").str.split(", ")
    near = int((sets.str.len() <= 3).sum())
    assert finding.severity == "decide" and finding.count == near and finding.columns == ("born",)
    assert f"for {near} of 300 records" in finding.sentence
    assert "they are published unchanged or in sets of at most 3" in finding.sentence
    assert (
        finding.sentence.startswith("Published values of “born” are nearly the originals: ") and near >= 150
    )
    assert not found(release_of(days(150, 2), kind="datetime"))


@pytest.mark.parametrize(
    ("cells", "k", "options"),
    [
        (days(19, 2), 2, {}),  # too few different values
        (days(60, 11), 3, {}),  # values of many
        (days(150, 2), 20, {}),  # sets of ten
        ([None] * 290 + days(10, 1), 3, {"values": 11}),  # missing is no value
    ],
)
def test_few_values_values_of_many_and_large_sets_are_not(cells, k, options):
    assert not found(release_of(cells, k), **options)


def test_a_most_frequent_value_is_another_matter():
    assert not found(release_of(days(150, 2), recoding="mode"))


def test_a_small_share_is_good_to_know():
    (finding,) = found(release_of(["x"] * 200 + days(20, 2), 2), values=10)
    assert finding.severity == "know"

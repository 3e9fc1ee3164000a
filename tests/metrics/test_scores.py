"""Scores as a frame: tidy, complete, and nothing of what a metric says is lost on the way."""

from __future__ import annotations

import math

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.metrics import METRICS
from kanon_core.metrics.loss import ild
from tests.helpers import release_of, table_of

COLUMNS = ["metric", "part", "name", "value", "error", "note"]


def words_table(n: int = 120) -> kc.Table:
    rng = np.random.default_rng(0)
    words = ["".join(rng.choice(list("abcdef"), rng.integers(2, 9))) for _ in range(n)]
    schema = kc.Schema(
        (kc.Attribute("w", kind="text", distance=kc.Levenshtein()), kc.Attribute("x", kind="numeric"))
    )
    return table_of(schema, w=words, x=rng.normal(size=n))


def test_scores_are_tidy():
    table = table_of(x=[1.0, 2.0, 3.0, 4.0], c=list("abab"))
    frame = kc.score(table, release_of(table, [0, 0, 1, 1]), [kc.NCP(), kc.AchievedK()])
    assert list(frame) == COLUMNS
    assert set(frame["part"]) == {"total", "attribute", "record"}
    assert frame.query("metric == 'NCP' and part == 'attribute'")["name"].tolist() == ["x", "c"]
    assert len(frame.query("metric == 'AchievedK' and part == 'record'")) == 4
    assert (frame["error"] == 0).all() and (frame["note"] == "").all()
    nothing = kc.score(table, release_of(table, [0] * 4), [])
    assert len(nothing) == 0 and list(nothing) == COLUMNS


def test_a_sample_is_told_with_its_error(monkeypatch):
    monkeypatch.setattr("kanon_core.distances.base.VALUES_AT_MOST", 10)
    monkeypatch.setattr(ild, "SAMPLE", 40)
    table = words_table()
    release = release_of(table, np.arange(120) // 4)
    measured = kc.ILD().measure(table, release)
    frame = kc.score(table, release, [kc.ILD()]).set_index(["part", "name"])
    assert frame.loc[("total", ""), "error"] == measured.error > 0
    assert "sample of 40 records" in frame.loc[("total", ""), "note"]
    assert frame.loc[("attribute", "w"), "error"] == pytest.approx(2 * measured.error)  # of two, alike
    assert frame.loc[("attribute", "x"), "error"] == 0
    (point,) = kc.sweep(table, [kc.Sorting()], [4], [kc.ILD(), kc.NCP()])
    assert list(point.errors) == ["ILD"] and point.errors["ILD"] > 0
    assert "sample of 40" in " ".join(point.notes["ILD"])
    assert "±" in kc.ILD().text(point.scores["ILD"], point.errors["ILD"])


def test_a_metric_that_does_not_fit_has_a_sentence_for_a_number():
    table = table_of(x=[1.0, 2.0, 3.0, 4.0])
    release = release_of(table, [0, 0, 1, 1])
    frame = kc.score(table, release)
    assert set(frame["metric"]) == {cls.__name__ for cls in METRICS}
    undefined = frame[frame["value"].isna() & (frame["part"] == "total")].set_index("metric")["note"]
    assert set(undefined.index) == {
        "Classification",
        "SuppressedItems",
        "PurchaseUtility",
        "PurchaseWidth",
        "PurchaseTotal",
    }
    assert undefined.str.endswith(".").all() and "class labels" in undefined["Classification"]
    (row,) = kc.score(table, release, [kc.ModelLoss("nobody")]).itertuples()
    assert math.isnan(row.value) and "There is no column “nobody”" in row.note


def test_the_same_metric_twice_is_named_with_its_options():
    table = table_of(x=[1.0, 2.0, 3.0, 4.0])
    frame = kc.score(table, release_of(table, [0, 0, 1, 1]), [kc.ILD(), kc.ILD("schema"), kc.NCP()])
    assert list(dict.fromkeys(frame["metric"])) == ["ILD()", "ILD(weights='schema')", "NCP"]


def test_progress_runs_from_metric_to_metric():
    table = table_of(x=np.arange(12.0), c=list("ab") * 6)
    seen: list[float] = []
    kc.score(
        table,
        release_of(table, np.arange(12) // 3),
        [kc.NCP(), kc.MeanChange(), kc.QueryError(50)],
        lambda fraction, note="": seen.append(fraction),
    )
    assert seen == sorted(seen) and seen[0] == 0 and 0.6 < seen[-1] <= 1


def test_a_sweep_measures_what_the_data_are_for():
    table = table_of(x=np.arange(30) ** 1.5, c=list("abc") * 10)
    (point,) = kc.sweep(table, [kc.MDAV()], [3], [kc.MeanChange(), kc.MapArea()])
    assert point.value("MeanChange") == point.scores["MeanChange"] >= 0
    assert math.isnan(point.value("MapArea")) and "latitude and longitude" in point.notes["MapArea"][0]
    assert kc.best_within([point], "MapArea", 9.0) is None

"""Whom unchanged columns single out: the same over parts as in one table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.scale.auditing import findings as singling

pytestmark = pytest.mark.deep


@pytest.fixture
def frame() -> pd.DataFrame:
    """A frame of 300 records. By itself the weight singles out 100 of them and the ward none; together with
    the age or with ``half``, the weight singles out all. The types of the sums differ from part to part."""
    n = 300
    place = np.arange(n)
    return pd.DataFrame(
        {
            "age": place % 60,
            "weight": np.where(place < 100, place, 100 + place % 50),
            "ward": np.array(["a", "b", "c", "d", "e"], object)[place % 5],
            "half": np.where(place == 150, np.nan, place // 3),
            "income": np.where(place == 7, 1, 0),
        }
    )


def released(
    frame: pd.DataFrame, tmp_path: Path, roles: dict[str, str], **options: object
) -> kc.FilesRelease:
    """The release of the frame in three parts."""
    (tmp_path / "parts").mkdir(exist_ok=True)
    for part in range(3):
        frame[part * 100 : part * 100 + 100].to_parquet(tmp_path / "parts" / f"{part}.parquet", index=False)
    schema = kc.Schema.infer(frame).with_quasi(["age"]).with_roles(roles)
    out, engine = str(tmp_path / "out"), kc.Local(1)
    return kc.anonymize_files(str(tmp_path / "parts"), schema, kc.Mondrian(), 3, out, engine, **options)


def found_of(release: kc.FilesRelease) -> list[kc.Finding]:
    return [one for one in release.findings if one.name == "unchanged columns"]


def test_counts_are_those_of_the_whole(frame, tmp_path, monkeypatch):
    roles = {"weight": "other", "ward": "other", "half": "sensitive", "income": "sensitive"}
    with pytest.raises(kc.StoppedError) as stopped:
        released(frame, tmp_path, roles)
    (weight,) = stopped.value.findings
    assert (weight.severity, weight.columns, weight.count) == ("stops", ("weight",), 100)
    assert "singles out 100 of 300 records (33.3 %) by it alone" in str(stopped.value)
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]
    release = released(frame, tmp_path, roles, despite="a test")
    (stopping,) = release.recipe.reasons
    assert stopping.startswith(
        "“weight” is published unchanged. An attacker who knows a person’s value singles out 100"
    )
    counts = {one.columns: (one.severity, one.count) for one in found_of(release)}
    found = {("weight",): "stops", ("half",): "know", ("income",): "know"}
    assert {columns: severity for columns, (severity, _) in counts.items()} == found
    assert [counts[name,][1] for name in ("weight", "half", "income")] == [300, 1, 1]


def test_together_columns_of_role_other_may_stop_what_none_stops_alone(frame, tmp_path):
    frame["weight"] = np.arange(300) // 2 % 100
    frame["ward"] = np.arange(300) // 100 * 2 + np.arange(300) % 2
    roles = {"weight": "other", "ward": "other", "half": "identifier", "income": "identifier"}
    with pytest.raises(kc.StoppedError) as stopped:
        released(frame, tmp_path, roles)
    (both,) = stopped.value.findings
    alone = frame.groupby(["weight", "ward"]).size().eq(1).sum()
    assert (both.columns, both.count) == (("weight", "ward"), int(alone)) and alone >= 60


def test_runs_of_hashes_add_up(frame, tmp_path, monkeypatch):
    monkeypatch.setattr(singling, "_VALUES_AT_ONCE", 7)
    release = released(frame, tmp_path, {"weight": "sensitive", "ward": "sensitive", "half": "sensitive"})
    counts = {one.columns: one.count for one in found_of(release)}
    assert counts == {("weight",): 100, ("half",): 1, ("income",): 1}

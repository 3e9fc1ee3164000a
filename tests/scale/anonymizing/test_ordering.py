"""The files of a release hold what their rows show, in the order of the rows: nothing of the originals'
order, nor of records that are left out, lies in them besides."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.scale.files import anonymize_files
from tests.scale.inside import Inside
from tests.scale.manytables import Many, bytes_in, over_files, published, small


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", [kc.Mondrian(), kc.Sorting()])
def test_the_bytes_are_the_same_however_many_rows_a_worker_holds(tmp_path, algorithm):
    many = Many.of(3, (0.2, 0.7), ["age", "city", "job", "illness", "truth"], 600)
    source = many.written(tmp_path / "source")
    for rows in (50, 200, 600):
        over_files(source, many, algorithm, 4, tmp_path / str(rows), rows)
    published(tmp_path / "600")
    assert bytes_in(tmp_path / "50") == bytes_in(tmp_path / "200") == bytes_in(tmp_path / "600")


def test_nothing_of_a_record_that_is_left_out_lies_in_the_files(tmp_path, monkeypatch):
    small(monkeypatch)
    rng = np.random.default_rng(1)
    who = np.repeat([f"p{i:03d}" for i in range(200)], 3)
    frame = pd.DataFrame({"who": who, "price": rng.integers(1, 99, 600), "note": rng.choice(["a", "b"], 600)})
    frame.loc[5, ["who", "note"]] = [None, "of nobody"]
    (tmp_path / "source").mkdir()
    frame.to_parquet(tmp_path / "source" / "all.parquet", index=False)
    roles = {"who": "person", "price": "quasi_identifier", "note": "sensitive"}
    schema = kc.Schema.infer(frame).with_roles(roles)
    algorithm = kc.Fragments(kc.PurchaseHistories(), 200)
    out = str(tmp_path / "out")
    anonymize_files(str(tmp_path / "source"), schema, algorithm, 3, out, Inside(), 1, despite="made up")
    assert len(published(tmp_path / "out")) < 600
    assert not any(b"of nobody" in content for content in bytes_in(tmp_path / "out").values())

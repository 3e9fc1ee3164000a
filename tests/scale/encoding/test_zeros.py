"""Minus zero is zero: over files and on one machine the same is published, counted and digested."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import kanon_core as kc
from tests.scale.manytables import Many, differences, over_files, published


@pytest.fixture
def signed() -> Many:
    """Numbers that are 0.0 and −0.0 by turns, in columns that are published unchanged and one that is not."""
    many = Many.of(4, (0.3, 0.6), ["age", "skewed", "grade", "income"], 120)
    zeros = np.where(np.arange(120) % 2, 0.0, -0.0)
    grade = np.where(np.arange(120) % 5, zeros, 1.5)
    skewed = np.where(np.arange(120) % 3, zeros, many.frame["skewed"])
    income = np.where(np.arange(120) == 7, 0.5, zeros[::-1])
    frame = many.frame.assign(grade=grade, income=income, skewed=skewed)
    return replace(many, frame=frame)


@pytest.mark.deep
def test_it_is_published_as_zero_in_the_same_order_and_digested_alike(signed, tmp_path):
    source = signed.written(tmp_path / "source")
    made = over_files(source, signed, kc.Mondrian(), 3, tmp_path / "out", 30)
    one = signed.release(kc.Mondrian(), 3).publish()
    many = published(tmp_path / "out")
    assert not differences(one, many)
    for name in ("grade", "income"):
        assert (one[name] == 0).sum() >= 90
        assert not np.signbit(one[name]).any() and not np.signbit(many[name]).any(), name
    assert not any(text.startswith("-0") or "[-0" in text or "-0]" in text for text in many["skewed"])
    plain = replace(
        signed, frame=signed.frame.assign(**{n: signed.frame[n] + 0.0 for n in ("grade", "income", "skewed")})
    )
    again = over_files(plain.written(tmp_path / "plain"), plain, kc.Mondrian(), 3, tmp_path / "again", 30)
    assert made.recipe.data_digest == again.recipe.data_digest
    assert not differences(one, published(tmp_path / "again"))
    assert not differences(one, plain.release(kc.Mondrian(), 3).publish())
    kc.repeat(kc.Table.from_frame(plain.frame, plain.schema), made.recipe)

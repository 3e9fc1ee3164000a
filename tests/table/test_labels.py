"""Columns with very many different texts: the same as with few, in less memory."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.table.columns.categories import Labels

TEXTS = ["b", "a", None, "é", "Z", "a", "😀", "", "ｚ", "10", "9", None, "b"]


def columns(monkeypatch, texts) -> tuple:
    """The column encoded with labels of Arrow's and with Python's."""
    frame = pd.DataFrame({"id": pd.Series(texts, dtype="str"), "x": range(len(texts))})
    schema = kc.Schema.infer(frame).with_roles({"id": "quasi_identifier"}).with_kinds({"id": "categorical"})
    usual = kc.Table.from_frame(frame, schema)["id"]
    monkeypatch.setattr("kanon_core.table.columns.categories.MANY", 1)
    many = kc.Table.from_frame(frame, schema)["id"]
    monkeypatch.undo()
    return many, usual


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[:2], [text for text in TEXTS if text is not None]], ids=len)
def test_codes_and_labels_are_those_of_few(monkeypatch, texts):
    many, usual = columns(monkeypatch, texts)
    assert isinstance(many.labels, Labels) and isinstance(usual.labels, tuple)
    assert many.codes.tolist() == usual.codes.tolist() and many.codes.dtype == usual.codes.dtype
    assert many.labels == usual.labels and usual.labels == many.labels
    assert [many.labels[i] for i in range(len(many.labels))] == list(usual.labels)
    assert many.labels[-1] == usual.labels[-1] and many.labels[1:] == usual.labels[1:]
    assert many.labels != usual.labels[:-1] and hash(many.labels) == hash(usual.labels)
    assert (many.distinct, many.has_missing) == (usual.distinct, usual.has_missing)
    assert many.domain() == usual.domain()
    assert many.taken(np.array([1, 0])).codes.tolist() == usual.taken(np.array([1, 0])).codes.tolist()
    assert pickle.loads(pickle.dumps(many)).labels == usual.labels
    with pytest.raises(IndexError):
        many.labels[len(usual.labels)]


def test_a_release_is_the_same(monkeypatch):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {"zip": pd.Series(rng.integers(0, 40, 200).astype(str), dtype="str"), "x": range(200)}
    )
    schema = kc.Schema.infer(frame).with_quasi(["zip", "x"]).with_kinds({"zip": "categorical"})
    made = []
    for many in (20_000, 5):
        monkeypatch.setattr("kanon_core.table.columns.categories.MANY", many)
        table = kc.Table.from_frame(frame, schema)
        release = kc.anonymize(table, kc.Mondrian(), 4, seed=1)
        findings = tuple(repr(finding) for finding in kc.judge(table, release))
        made.append((table.digest, release.publish().to_csv(), findings, repr(kc.score(table, release))))
    assert isinstance(table["zip"].labels, Labels) and made[0] == made[1]

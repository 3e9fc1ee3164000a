"""Loops give the same bytes compiled and as Python, overflowing integers included."""

from __future__ import annotations

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.background.compiling import tiny
from kanon_core.base.compiled import noticed


def tables():
    yield from tiny._tables()
    yield kc.read_table("sample:people-100")


UNCOMPILED = (kc.Sorting, kc.FullDomain, kc.LocalPartition, kc.Apriori, kc.RareItems)
"""Algorithms that have no compiled code."""


@pytest.mark.deep
@pytest.mark.parametrize("cls", kc.ALGORITHMS, ids=lambda cls: cls.__name__)
def test_every_setting_gives_the_same_bytes_uncompiled(cls):
    called = []
    for table in tables():
        settings = list(tiny._settings(cls))
        for algorithm in settings if len(table) <= tiny._LEAF else settings[:1]:
            if algorithm.unsuitable(table, 3):
                continue
            with noticed(lambda kernel, arguments: called.append(kernel)):
                slow = kc.anonymize(table, algorithm, 3, seed=2**100 + 7)
            fast = kc.anonymize(table, algorithm, 3, seed=2**100 + 7)
            assert slow.cover == fast.cover and slow.report == fast.report
            pd.testing.assert_frame_equal(slow.publish(), fast.publish())
    assert called or cls in UNCOMPILED

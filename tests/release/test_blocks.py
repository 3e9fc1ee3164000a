"""Long pieces of recoding and audit are done in blocks, with a tick between two of them, and find the
same."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import kanon_core as kc
from kanon_core.covers import recoding
from kanon_core.covers.cells import CommonItems, ValueSets, valuesets
from kanon_core.covers.recoding import common_items
from kanon_core.guarantees import Truth, truth
from tests.helpers import release_of
from tests.release.test_item_release import partitioned, table_of


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of two records."""
    monkeypatch.setattr(recoding, "_RECORDS_PER_TICK", 2)
    monkeypatch.setattr(truth, "_RECORDS_PER_TICK", 2)


@pytest.mark.deep
@settings(max_examples=100, deadline=None, derandomize=True)
@given(partitioned())
def test_common_items_in_blocks(case):
    sets, groups, _ = case
    table, cover = table_of([",".join(held) for held in sets]), kc.Partition(groups)
    whole = common_items(table["drugs"], cover)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recoding, "_RECORDS_PER_TICK", 2)
        ticks: list[None] = []
        blocks = common_items(table["drugs"], cover, lambda: ticks.append(None))
    assert np.array_equal(blocks.starts, whole.starts) and np.array_equal(blocks.items, whole.items)
    assert blocks.items.dtype == whole.items.dtype and blocks.starts.dtype == whole.starts.dtype
    assert len(ticks) >= (len(cover.order) + 1) // (2 + cover.sizes.max(initial=0))


def test_truth_is_checked_in_blocks(small_blocks):
    release = release_of(
        table_of(["a,b", "a", "b,c", "b", "c", "c"], age=[1, 2, 3, 4, 5, 6]), [0, 0, 1, 1, -1, -1]
    )
    shares: list[float] = []
    assert Truth().check(release.table, release, lambda share, note: shares.append(share)).holds
    assert shares == [0, 0.25, 0.5, 0.75]
    drugs = release.published[0]
    drugs.__dict__["cells"] = CommonItems(drugs.cells.starts, drugs.cells.items[::-1].copy())
    verdict = Truth().check(release.table, release)
    assert not verdict.holds and verdict.witnesses == (2, 3, 4)


def test_the_work_stops_where_a_tick_raises(small_blocks):
    table = table_of(["a,b", "a", "b,c", "b", "c", "c"])

    class Stopped(BaseException):
        pass

    def notes_until(last: str) -> list[str]:
        notes: list[str] = []

        def tick(share, note=""):
            notes.append(note)
            if notes.count(last) == 2:
                raise Stopped

        with pytest.raises(Stopped):
            kc.anonymize(table, kc.TopDown(), 2, progress=tick)
        return notes

    for last in ("recoding drugs", "audit: truthful cells, drugs"):
        assert notes_until(last)[-1] == last


def test_classes_are_found_once_with_a_tick_for_each_column():
    frame = pd.DataFrame(
        {"x": [1, 1, 2, 2, 1, 1], "y": list("aabbaa"), "z": [1.5, np.nan, 2, 2, 1.5, np.nan]}
    )
    release = release_of(kc.Table.from_frame(frame), [0, 0, 1, 1, 2, 2])
    notes: list[str] = []
    found = release.find_classes(lambda share, note: notes.append(note))
    assert notes == [f"comparing cells of {name}" for name in "xyz"]
    assert found.tolist() == [0, 0, 1, 1, 0, 0] and release.classes is found
    assert release.find_classes(lambda share, note: notes.append(note)) is found and len(notes) == 3


@pytest.mark.parametrize("flags", [0, 1000])
def test_values_are_looked_up_in_many_sets_as_in_few(flags, monkeypatch):
    monkeypatch.setattr(valuesets, "_FLAGS_AT_MOST", flags)
    column = kc.Table.from_frame(pd.DataFrame({"c": list("abcde")})).quasi[0]
    sets = ValueSets(np.array([0, 2, 3, 5]), np.array([0, 3, 1, 2, 4], np.int32))
    pairs = np.array([(cell, code) for cell in range(3) for code in range(5)])
    expected = [code in sets.codes[sets.starts[cell] : sets.starts[cell + 1]] for cell, code in pairs]
    assert sets.hold(column, *pairs.T).tolist() == expected

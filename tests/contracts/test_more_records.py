"""A tenth more records never lose the guarantee of a method for item sets, whatever the new records are."""

from __future__ import annotations

import functools
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.table.columns.columns import Items
from tests.contracts.known import as_published, rare
from tests.contracts.tables import SETTINGS, table_of
from tests.helpers import looped

K, RECORDS = 3, 40
ITEM_SETS = [
    setting
    for setting in SETTINGS
    if setting.takes_items and not setting.unsuitable(table_of("baskets", RECORDS), K)
]
ITEM_SETS += [kc.TopDown(max_suppressed=share) for share in (0.1, 1.0)]


def nothing(frame: pd.DataFrame) -> pd.DataFrame:
    """Nobody has an item."""
    return frame.assign(**{name: [[]] * len(frame) for name in ("basket", "tags") if name in frame})


def unseen(frame: pd.DataFrame) -> pd.DataFrame:
    """Everybody has items that nobody else has, and an age beyond all others."""
    own = {name: [[f"{name} {i}"] for i in range(len(frame))] for name in ("basket", "tags") if name in frame}
    return frame.assign(**own, **({"age": 200 + np.arange(len(frame))} if "age" in frame else {}))


def everything(frame: pd.DataFrame) -> pd.DataFrame:
    """One basket of 10,000 items, many times."""
    return frame.assign(basket=[[f"item {i}" for i in range(10_000)]] * len(frame))


MORE = {
    "copies": lambda frame: frame,
    "without items": nothing,
    "unseen": unseen,
    "10,000 items each": everything,
}


def lists(table: kc.Table) -> pd.DataFrame:
    """The table's frame with every set as a list of its items."""
    frame = table.frame.copy()
    for column in table.quasi:
        if isinstance(column, Items):
            ends = zip(column.starts[:-1], column.starts[1:], strict=True)
            sets = [[column.labels[item] for item in column.items[a:b]] for a, b in ends]
            frame[column.attribute.name] = pd.Series(sets, dtype=object)
    return frame


@functools.cache
def grown(name: str, more: str) -> kc.Table:
    """The named table, and a tenth more records."""
    before = table_of(name, RECORDS)
    frame = lists(before)
    if more != "none":
        frame = pd.concat([frame, MORE[more](frame.iloc[: RECORDS // 10])], ignore_index=True)
    schema = kc.Schema(tuple(kc.Attribute(a.name, a.role, a.kind) for a in before.schema))
    return kc.Table.from_frame(frame, schema)


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", ITEM_SETS, ids=expression)
@looped("name", ["baskets", "composite"])
def test_a_tenth_more_records_keep_the_guarantee(algorithm, name):
    for more in ("none", *MORE):
        table = grown(name, more)
        if algorithm.unsuitable(table, K):
            continue
        release = kc.anonymize(table, algorithm, K)
        assert all(
            verdict.holds
            for verdict in kc.audit(table, release, known_items=algorithm.guarantee(K).known_items or 3)
        ), more
        published = release.publish()
        if isinstance(algorithm.guarantees(2)[0], kc.KKMAnonymity):
            assert not rare(as_published(release), K, algorithm.guarantee(K).known_items), more
        else:
            rows = Counter(published.astype(str).itertuples(index=False, name=None))
            assert min(rows.values(), default=K) >= K, more
        assert len(table) - len(published) <= getattr(algorithm, "max_suppressed", 0) * len(table), more

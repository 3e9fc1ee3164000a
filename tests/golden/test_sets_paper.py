"""Paper 001's worked examples: figure 6 step by step, equation 5, and BMS-WebView-2."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms.partitioning.topdown.pivot_kernels import published
from kanon_core.table.columns.columns import Items
from tests.oracles.pivots import delta, pivot
from tests.table.test_items import DRUGS_IN_THE_END

FIGURE_6 = ["abd", "afg", "adfyz", "abfg", "bcf", "cex", "ex", "bc", "cex"]
"""The first column of figure 6. Figure 1 prints other sets for records 4 and 7."""


def drugs() -> kc.Table:
    frame = pd.DataFrame({"drugs": [";".join(record) for record in FIGURE_6]})
    return kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_kinds({"drugs": "items"}).with_roles({"drugs": "quasi_identifier"})
    )


def test_figure_6_ends_in_four_sets():
    release = kc.anonymize(drugs(), kc.TopDown(), k=2)
    assert release.to_frame()["drugs"].tolist() == DRUGS_IN_THE_END


def test_figure_6_step_by_step():
    """Round 1 cuts all records at a, round 2 the halves at d and e; the figure's further rounds disclose what
    all share.

    The part cut off is the smaller one: the records without e."""
    log = kc.Log()
    kc.anonymize(drugs().in_given_order(), kc.TopDown(), k=2, log=log)
    steps = [
        (what["round"], what["pivot"], what["has"], what["size"], what["part"].tolist())
        for event, what in log.events
        if event == "split"
    ]
    assert steps == [
        (1, "a", True, 9, [0, 1, 2, 3]),
        (2, "e", False, 5, [4, 7]),
        (2, "d", True, 4, [0, 2]),
    ]


def test_figure_6_needs_the_rule_on_ties():
    """Cut at the first of the tied items, b instead of d, only 18 of the 28 items survive."""
    shown = kc.anonymize(drugs(), kc.TopDown(ties="first"), k=2).to_frame()["drugs"]
    assert shown.str.count("[a-z]").sum() == 18


def test_figure_6_losses():
    table = drugs()
    release = kc.anonymize(table, kc.TopDown(), k=2)
    scores = kc.score(table, release, [kc.SuppressedItems(), kc.NCP()])
    totals = scores[scores["part"] == "total"].set_index("metric")["value"]
    assert totals["SuppressedItems"] == pytest.approx(8 / 28)
    assert 9 * totals["SuppressedItems"] == pytest.approx(2.571429, abs=1e-6)
    assert 9 * totals["NCP"] == pytest.approx(2.183333, abs=1e-6)


@pytest.mark.parametrize(("frequency", "gain"), [(8, 24), (7, 27), (6, 26), (5, 25)])
def test_equation_5(frequency, gain):
    """Ten records share {x, y}, k = 3: an item of 8 records leaves 2 to be suppressed and discloses less than
    one of 5."""
    assert published.function(10, 2, frequency, 3) == gain
    assert delta(frequency, 10, 2, 3) == gain


@pytest.mark.parametrize("common", [5, 6, 7])
def test_the_less_frequent_item_is_the_pivot(common):
    """As above, with suppression allowed: a in 8 records loses to b in 5 to 7, and is the pivot of an item in
    4."""
    records = [
        {"x", "y"} | ({"a"} if i < 8 else set()) | ({"b"} if i >= 10 - common else set()) for i in range(10)
    ]
    codes = [frozenset("xyab".index(item) for item in record) for record in records]
    assert pivot(range(10), codes, 3, spare=10) == 3
    frame = pd.DataFrame({"set": [";".join(sorted(record)) for record in records]})
    table = kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_kinds({"set": "items"}).with_quasi(["set"])
    )
    log = kc.Log()
    kc.anonymize(table, kc.TopDown(max_suppressed=1), k=3, log=log)
    assert log.events[1][1]["pivot"] == "b"


BMS = {2: (53.6, 15_058), 5: (62.6, 4_626), 10: (67.1, 2_224), 20: (71.5, 1_120), 50: (77.5, 433)}
"""Suppressed items in per cent and groups of a reference run without record suppression and without the rule
on ties."""


@pytest.fixture(scope="module")
def baskets(kanon_data) -> kc.Table:
    table = kc.read_table(kanon_data / "baskets" / "BMS-WebView-2.fimi.txt")
    name = next(column.attribute.name for column in table.columns if isinstance(column, Items))
    return table.with_schema(table.schema.with_quasi([name]))


@pytest.mark.parametrize("k", BMS)
def test_bms_web_view_2(baskets, k):
    share, groups = BMS[k]
    assert baskets.quasi[0].sizes.sum() == 358_278 and len(baskets.quasi[0].labels) == 3_340
    lost = {}
    for ties in ("first", "shared"):
        release = kc.anonymize(baskets, kc.TopDown(ties=ties), k)
        measured = kc.SuppressedItems().measure(baskets, release)
        lost[ties] = 100 * measured.total
        if ties == "first":
            assert len(release.cover.sizes) == groups
    assert lost["first"] == pytest.approx(share, abs=0.05)
    assert share - 0.4 < lost["shared"] <= lost["first"]
    assert np.all(release.cover.sizes >= k)

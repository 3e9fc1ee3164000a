"""The sorting partitions, on small tables by hand and on Adult by the worked losses."""

import numpy as np
import pandas as pd
import pytest

from kanon_core.algorithms.base import Log, Run
from kanon_core.algorithms.clustering.sorting import Sorting
from kanon_core.base.errors import OptionError
from kanon_core.table.schema import Schema
from kanon_core.table.table import Table


def table_of(frame: pd.DataFrame, quasi=None) -> Table:
    kinds = {name: "numeric" if frame[name].dtype.kind in "if" else "categorical" for name in frame}
    return Table.from_frame(frame, Schema.infer(frame).with_kinds(kinds).with_quasi(quasi or frame.columns))


SMALL = pd.DataFrame(
    {
        "age": [30.0, 20, 30, np.nan, 20, 40, 10],
        "city": ["b", "b", "a", "a", "B", None, "a"],
        "pay": [1.0, 9, 3, 4, 5, 6, 7],
    }
)


def groups(table, k, *by):
    cover = Sorting(by).cover(table, k, Run())
    return [cover.members(group).tolist() for group in range(len(cover.sizes))]


@pytest.mark.parametrize(
    ("by", "k", "expected"),
    [
        (("age",), 2, [[0, 4], [1, 6], [2, 3, 5]]),
        (("age",), 3, [[0, 2, 3, 5], [1, 4, 6]]),
        (("city",), 2, [[0, 1, 5], [2, 4], [3, 6]]),
        (("age", "pay"), 2, [[0, 1], [2, 3, 5], [4, 6]]),
        (("pay", "age"), 2, [[0, 2], [1, 5, 6], [3, 4]]),
        ((), 2, [[0, 1, 5], [2, 3], [4, 6]]),
        ((), 4, [[0, 1, 2, 3, 4, 5, 6]]),
        ((), 7, [[0, 1, 2, 3, 4, 5, 6]]),
    ],
)
def test_small_table_by_hand(by, k, expected):
    assert groups(table_of(SMALL), k, *by) == expected


@pytest.mark.parametrize(("n", "k"), [(5, 5), (9, 5), (10, 5), (14, 5), (3, 1)])
def test_the_last_group_takes_the_rest(n, k):
    values = np.arange(n, dtype=float)[::-1]
    cover = Sorting().cover(table_of(pd.DataFrame({"x": values})), k, Run())
    sizes = sorted(cover.sizes.tolist())
    assert sizes == [k] * (n // k - 1) + [k + n % k]
    assert cover.sizes[0] == sizes[-1], "the largest values, here the first records, are in the last group"


def test_the_log_replays_to_the_same_cover():
    run = Run(log=Log())
    cover = Sorting().cover(table_of(SMALL), 2, run)
    replayed = np.full(len(SMALL), -1)
    assert run.log.events[0][0] == "order"
    for number, (_, what) in enumerate(run.log.events[1:]):
        replayed[what["members"]] = number
    assert np.array_equal(replayed, cover.groups)


def test_says_what_does_not_suit():
    table = table_of(SMALL, ["age", "city"])
    assert Sorting(("city", "age")).unsuitable(table, 2) == []
    assert "“pay”" in Sorting(("pay",)).unsuitable(table, 2)[0]
    assert "“salary”" in Sorting(("salary",)).unsuitable(table, 2)[0]
    assert "k = 8" in Sorting().unsuitable(table, 8)[0]
    with pytest.raises(OptionError):
        Sorting("age")


@pytest.fixture(scope="module")
def adult(kanon_data) -> Table:
    columns = {10: "capital-gain", 5: "marital-status"}
    path = kanon_data / "adult" / "adult.data"
    frame = pd.read_csv(path, header=None, usecols=list(columns), skipinitialspace=True).rename(
        columns=columns
    )
    return table_of(frame.astype({"capital-gain": float})[list(columns.values())])


def losses(table: Table, groups: np.ndarray) -> tuple[float, float]:
    """ILD (ILD paper, §3.1) of the number replaced by means and the category by modes (ties: first by
    text)."""
    x, codes = table["capital-gain"].values, table["marital-status"].codes
    sizes = np.bincount(groups)
    means = np.bincount(groups, x) / sizes
    counts = np.zeros((len(sizes), codes.max() + 1), int)
    np.add.at(counts, (groups, codes), 1)
    before, after = np.bincount(codes), np.bincount(counts.argmax(axis=1), sizes)
    n = len(x)
    return 1 - means[groups].var() / x.var(), 1 - (n**2 - np.sum(after**2)) / (n**2 - np.sum(before**2))


@pytest.mark.parametrize(
    ("by", "k", "number", "category"),
    [
        (("capital-gain",), 10, 0.003223, 0.283207),
        (("capital-gain",), 100, 0.005205, 0.673523),
        (("marital-status",), 10, 0.895977, -0.000374),
        ((), 10, 0.053886, -0.000374),
        ((), 100, 0.305701, -0.004795),
        (("marital-status", "capital-gain"), 100, 0.305701, -0.004795),
    ],
)
def test_the_losses_on_adult(adult, by, k, number, category):
    """D_A, D_B and D_C of the ILD paper §4.1.2; they hold for stable sorts only."""
    assert len(adult) == 32_561
    assert losses(adult, Sorting(by).cover(adult, k, Run()).groups) == pytest.approx(
        (number, category), abs=5e-7
    )

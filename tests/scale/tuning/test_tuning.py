"""The curve of k from whole cells: the estimator, its draw, its refusals, and how often it holds."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from benchmarks import tuning as benchmark
from kanon_core.scale.passes.tree import Cut, Tree
from kanon_core.scale.tuning.tuning import cells_of, curve_of, tune_files
from kanon_core.table.wholecells import estimated, places_of
from tests.helpers import looped
from tests.scale.inside import Inside


@pytest.fixture
def folder(tmp_path):
    """2,400 records in three parquet files: two numbers and words, with missing cells."""
    rng = np.random.default_rng(3)
    n = 2_400
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 90, n),
            "income": np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(3, 1, n).round(1)),
            "city": rng.choice(["Oslo", "Lima", "Rome", "Bern"], n, p=[0.6, 0.2, 0.1, 0.1]),
            "illness": rng.choice(["flu", "cold"], n),
        }
    )
    for i in range(3):
        (tmp_path / "data").mkdir(exist_ok=True)
        frame[800 * i : 800 * (i + 1)].to_parquet(tmp_path / "data" / f"{i}.parquet")
    return tmp_path


def schema_of(folder) -> kc.Schema:
    return whole_table(folder).schema


def whole_table(folder) -> kc.Table:
    table = kc.Table.from_frame(pd.read_parquet(folder / "data"))
    schema = table.schema.with_quasi(["age", "income", "city"]).with_roles({"illness": "sensitive"})
    return table.with_schema(schema.with_weights({"age": 2}))


def tuned(folder, ks=(2, 3, 5), cells=10, rows=100, **more) -> kc.Tuned:
    source, work = str(folder / "data"), str(folder)
    schema, algorithm = schema_of(folder), more.pop("algorithm", kc.Mondrian())
    return tune_files(source, schema, algorithm, ks, Inside(), cells, rows, work=work, **more)


def losses(found: kc.Tuned) -> list[float]:
    return [point.scores["NCP"] for point in found.points]


def true_loss(folder, k: int, algorithm=None) -> float:
    table = whole_table(folder)
    return float(kc.NCP().measure(table, kc.anonymize(table, algorithm or kc.Mondrian(), k, seed=1)).total)


def test_all_cells_give_the_loss_of_the_whole_table(folder):
    """At the k of the cuts exactly, below it almost."""
    found = tuned(folder, cells=24)
    assert found.rows == found.records == 2_400 and found.cells >= 24
    assert losses(found)[-1] == pytest.approx(true_loss(folder, 5), rel=1e-12)
    assert losses(found) == pytest.approx([true_loss(folder, k) for k in (2, 3, 5)], rel=0.02)
    assert not any(point.errors for point in found.points)
    assert found.sentence == "Based on all 2,400 rows."


def test_rules_on_sensitive_values_are_kept_in_the_cells(folder):
    diverse = kc.Mondrian(diversity=2)
    found = tuned(folder, ks=[5], cells=24, algorithm=diverse)
    assert losses(found)[-1] == pytest.approx(true_loss(folder, 5, diverse), rel=1e-12)
    assert losses(found)[-1] > losses(tuned(folder, ks=[5], cells=24))[-1]


def test_a_draw_looks_at_whole_cells_and_says_how_many(folder):
    found = tuned(folder, seed=1)
    assert 1 <= found.cells <= 10 and found.rows < found.records
    assert [point.k for point in found.points] == [2, 3, 5]
    assert losses(found) == sorted(losses(found))
    for point in found.points:
        assert 0 < point.errors["NCP"] < 1
    assert f"{found.cells} whole cells with {found.rows:,} of 2,400 rows" in found.sentence
    assert [path.name for path in folder.iterdir()] == ["data"]


def test_cells_around_drawn_rows_are_those_of_the_whole_cut_to_cells(folder):
    frame = pd.read_parquet(folder / "data")[["age", "income", "city"]]
    made = benchmark.cut(frame, (2, 3, 5), rows=100)
    frame.to_parquet(folder / "table.parquet")
    table = kc.Table.from_frame(frame)
    source, schema = str(folder / "table.parquet"), table.schema.with_quasi(list(frame.columns))
    for seed in (1, 2):
        found = tune_files(source, schema, kc.Mondrian(), [2, 3, 5], Inside(), 10, 100, seed, str(folder))
        mean, error = made.drawn(seed, 10, 100)
        assert losses(found) == pytest.approx(mean.tolist(), rel=1e-12)
        assert [point.errors["NCP"] for point in found.points] == pytest.approx(error.tolist(), rel=1e-12)


@pytest.mark.deep
def test_the_seed_alone_decides_the_draw(folder):
    assert tuned(folder, seed=1) == tuned(folder, seed=1)
    assert losses(tuned(folder, seed=1)) != losses(tuned(folder, seed=2))


def test_each_drawn_row_is_met_with_the_same_probability():
    """One in each stretch; over all seeds every twentieth of the rows is met as often as any other."""
    found = np.stack([places_of(1_000, 10, 50, seed) for seed in range(2_000)])
    assert (found // 100 == np.arange(10)).all()
    share = np.histogram(found, bins=20, range=(0, 1_000))[0] / found.size
    assert share == pytest.approx(np.full(20, 0.05), abs=0.005)
    uneven = np.concatenate([places_of(1_003, 10, 50, seed) for seed in range(2_000)])
    assert uneven.min() >= 0 and uneven.max() < 1_003


def test_the_mean_and_its_error_by_hand():
    """Differences 0.1 and 0.3: V = (0.01 + 0.09) / 4² = 0.00625; f = 3 · 0.1² / 0.0082 − 2 = 1.66."""
    mean, error = estimated(np.array([[0.1, 0.5], [0.2, 0.5], [0.3, 0.5], [0.6, 0.5]]))
    assert mean == pytest.approx([0.3, 0.5])
    from scipy.stats import t

    assert error == pytest.approx([t.ppf(0.975, 3 * 0.01 / 0.0082 - 2) * 0.00625**0.5, 0])


def test_estimates_are_right_on_average_and_their_variance_is_never_too_small():
    """Cells of 10 to 90 rows; 4,000 draws in 16 stretches: the mean of the estimates is the mean over rows,
    the mean of the estimated variances what the docstring says."""
    rng = np.random.default_rng(5)
    sizes = rng.integers(10, 90, 40)
    sizes[-1] += -sizes.sum() % 16
    tree = Tree([int(sizes.sum())])
    for size in sizes[:-1].tolist():
        tree.cut(tree.leaves[-1], Cut(0, 0.0, (), size))
    cells = cells_of(tree, None)
    assert [tree.sizes[leaf] for leaf in cells] == sizes.tolist()
    loss = (np.linspace(0, 0.5, 40) + rng.random(40) / 5)[:, None]
    true, none = curve_of(tree, cells, loss, None)
    assert true == pytest.approx(np.average(loss[:, 0], weights=sizes)) and not none.any()
    draws = [places_of(tree.sizes[0], 16, 90, seed) for seed in range(4_000)]
    found = np.array([curve_of(tree, cells, loss, places)[0][0] for places in draws])
    assert found.mean() == pytest.approx(true[0], rel=0.005)
    rows = np.repeat(loss[:, 0], sizes)
    stretches = rows.reshape(16, -1)
    assert found.var() == pytest.approx(stretches.var(axis=1).sum() / 16**2, rel=0.1)
    drawn = rows[np.stack(draws)]
    variances = ((drawn[:, ::2] - drawn[:, 1::2]) ** 2).sum(axis=1) / 16**2
    apart = (np.diff(stretches.mean(axis=1))[::2] ** 2).sum() / 16**2
    assert variances.mean() == pytest.approx(found.var() + apart, rel=0.1)


REFUSED = {
    "k = 6 is too large for cells of 100 rows": {"ks": [2, 6]},
    "must be even and at least 10": {"cells": 11},
    "must be even and at least 10 ": {"cells": 8},
    "Name the values of k to try": {"ks": []},
    "does not run over many files": {"algorithm": kc.MDAV()},
    "does not run over many files. Choose": {"algorithm": kc.Mondrian(strict=False)},
    "cannot be tuned on a sample of cells": {"algorithm": kc.Fragments()},
    "run over many files. Choose Mondrian": {"algorithm": kc.TopDown()},
    "cannot be tuned on a sample of cells, because its groups in a cell depend": {"algorithm": kc.Sorting()},
    "k must be a whole number of at least 2": {"ks": [1, 5]},
}


@looped("said, asked", REFUSED.items())
def test_what_cannot_be_tuned_is_refused_in_a_sentence(said, asked, folder):
    with pytest.raises(kc.KanonError, match=said.strip()) as refusal:
        tuned(folder, **asked)
    assert str(refusal.value).endswith(".")
    assert [path.name for path in folder.iterdir()] == ["data"]


def test_nothing_is_left_of_a_table_that_does_not_suit(folder):
    schema = schema_of(folder).with_roles({"city": "person"})
    with pytest.raises(kc.UnsuitableError, match="“city”"):
        tune_files(str(folder / "data"), schema, kc.Mondrian(), [2], Inside(), work=str(folder))
    assert [path.name for path in folder.iterdir()] == ["data"]


def test_an_engine_elsewhere_needs_a_folder_that_all_see(folder):
    with pytest.raises(kc.OptionError, match="all workers have access"):
        tune_files(
            str(folder / "data"), None, kc.Mondrian(), [2], kc.scale.engines.Dask(address="tcp://there:8786")
        )


@pytest.mark.deep
@pytest.mark.parametrize("name", ["Adult", "places"])
def test_the_true_loss_lies_within_the_error_in_nine_of_ten_draws(name, kanon_data):
    """12 draws among all cells of at most 1,000 rows, 50 times, at k = 5, 10 and 50."""
    made = benchmark.cut(benchmark.tables(kanon_data)[name])
    assert (benchmark.covered(made) >= benchmark.HELD).all()

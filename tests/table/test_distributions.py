"""The thirteen distributions: sizes, shares, moments, bounds, reproducibility."""

import numpy as np
import pytest

from kanon_core.base.errors import InputError
from kanon_core.table.distributions import DISTRIBUTIONS, distribution

# the ILD paper table A.1: density and size.
TABLE_A1 = {
    "DS0": ("N(0, 1)", 100),
    "DS1": ("1/2 N(5, 1) + 1/2 N(10, 1)", 200),
    "DS2": ("1/2 N(5, 1) + 1/2 N(8, 1)", 200),
    "DS3": ("1/2 N(5, 1) + 1/2 N(10, 2)", 200),
    "DS4": ("1/2 N(10, 3) + 1/2 N(20, 2)", 200),
    "DS5": ("1/3 N(0, 1) + 1/3 N(5, 2) + 1/3 N(12, 3)", 300),
    "DS6": ("1/3 N(5, 1.5) + 1/3 N(10, 1) + 1/3 N(15, 1.5)", 300),
    "DS7": ("1/3 N(5, 3) + 1/3 N(15, 2) + 1/3 N(20, 1)", 300),
    "DS8": ("1/3 N(5, 3) + 1/3 N(12, 1.5) + 1/3 N(20, 2)", 300),
    "DS9": ("1/3 N(5, 2) + 1/3 N(10, 1.5) + 1/3 N(18, 3)", 300),
    "DS10": ("1/3 N(0, 1) + 1/3 N(5, 1) + 1/3 N(10, 1)", 300),
    "DS11": ("1/3 N(0, 1) + 1/3 N(3, 1) + 1/3 N(6, 1)", 300),
    "DS12": ("U(0, 1)", 100),
}


def test_the_table_of_the_paper():
    assert {name: (d.formula, d.size) for name, d in DISTRIBUTIONS.items()} == TABLE_A1
    assert all(len(distribution(name)) == size for name, (_, size) in TABLE_A1.items())


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_mean_spread_and_bounds(name):
    parts, n = DISTRIBUTIONS[name].parts, 300_000
    x = distribution(name, seed=1, size=n).x.to_numpy()
    if not parts:
        mean, variance, low, high = 0.5, 1 / 12, 0, 1
    else:
        mean = np.mean([m for m, _ in parts])
        variance = np.mean([s**2 + m**2 for m, s in parts]) - mean**2
        low, high = min(m - s * 18**0.5 for m, s in parts), max(m + s * 18**0.5 for m, s in parts)
    assert x.mean() == pytest.approx(mean, abs=5 * (variance / n) ** 0.5)
    assert x.var() == pytest.approx(variance, rel=0.02)
    assert low <= x.min() and x.max() <= high


def test_a_normal_value_is_the_mean_of_six_uniform_ones():
    """Its fourth standardized moment is 3 − 6 / (5 · 6) = 2.8, not the normal's 3 (standard error 0.005)."""
    x = distribution("DS0", size=1_000_000).x.to_numpy()
    assert np.mean((x - x.mean()) ** 4) / x.var() ** 2 == pytest.approx(2.8, abs=0.02)
    rng = np.random.Generator(np.random.PCG64([4, 0]))
    by_hand = [(sum(column) / 6 - 1 / 2) / (1 / (12 * 6)) ** 0.5 for column in rng.random((6, 10)).T.tolist()]
    assert distribution("DS0", seed=4, size=10).x.to_list() == pytest.approx(by_hand, rel=1e-12)


def test_parts_follow_one_another_in_equal_shares():
    x = distribution("DS10", size=302).x.to_numpy()
    assert [round(part.mean()) for part in (x[:101], x[101:202], x[202:])] == [0, 5, 10]


def test_same_seed_same_bytes():
    again, other = distribution("DS5", seed=7), distribution("DS5", seed=8)
    assert distribution("DS5", seed=7).equals(again) and not again.equals(other)
    assert list(again) == ["x"] and again.x.dtype == np.float64
    assert not np.array_equal(distribution("DS0").x, (distribution("DS12").x))


def test_bad_requests_are_refused_in_words():
    with pytest.raises(InputError, match="DS0, DS1"):
        distribution("DS13")
    with pytest.raises(InputError, match="at least 1"):
        distribution("DS0", size=0)

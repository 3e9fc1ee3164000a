"""The contest's criterion by its definition, for few and for many attempts."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from kanon_core.risk import contest_threshold


@pytest.mark.parametrize("chance", [Fraction(1, 3), Fraction(2, 5)])
def test_the_criterion_is_the_least_count_whose_bound_is_below_the_level(chance):
    for attempts in range(80):
        terms = [math.comb(attempts, i) * chance**i for i in range(attempts + 1)]
        fitting = [r for r in range(1, attempts + 1) if sum(terms[r:]) < Fraction(1, 2000)]
        assert contest_threshold(attempts, chance) == min(fitting, default=attempts + 1)


def test_many_attempts_take_no_binomial_coefficient_anew():
    """Each term from the one before: with a coefficient of its own for each, this takes most of a minute."""
    assert contest_threshold(20_000) == 12_184

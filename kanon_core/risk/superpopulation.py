"""Models of a population: estimates, from a sample, of the number of indistinguishable people in the
population.

The n people of the sample, in classes of indistinguishable people, and the size N of the population are
known. Each model gives the probability that a class of f people of the sample has F ≥ f people in the
population. From this follow the mean of 1 / F and the number of unique people in the population.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from kanon_core.risk.individual import inverse_mean

_LEAST_THETA, _MOST_THETA = 1e-6, 1e9
_MOST_ALPHA = 1 - 1e-9


class Model(Protocol):
    """A model of the population."""

    def risk(self, alike: np.ndarray) -> np.ndarray:
        """float64: the mean of 1 / F of people in classes of ``alike`` people of the sample, int64, 1 or
        more."""

    def uniques(self) -> float:
        """Return the estimated number of unique people in the population."""


@dataclass(frozen=True)
class Fraction:
    """Everybody of the population is in the sample with the same probability n / N, without prior knowledge
    of its classes, as in a survey whose weights are all N / n (`inverse_mean`)."""

    classes: np.ndarray
    people: int

    @property
    def share(self) -> float:
        """n / N."""
        return float(self.classes.sum()) / self.people

    def risk(self, alike: np.ndarray) -> np.ndarray:
        """Return the mean of 1 / F. O(different sizes)."""
        return inverse_mean(alike, self.share)

    def uniques(self) -> float:
        """Uniques of the sample · P(F = 1 | f = 1) · N / n, of which the last two are n / N and N / n."""
        return float(np.count_nonzero(self.classes == 1))


@dataclass(frozen=True)
class Zayatz:
    """A class of the population has each size as often as a class of the sample has. The people of the
    sample are drawn from it without replacement, so that f of F are drawn with the hypergeometric
    probability h(f; N, F, n), and

        P(F = j | f) = s_j h(f; N, j, n) / Σ_i s_i h(f; N, i, n)

    with s_j, the share of the sample's classes that have j people.

    Reference: L. Zayatz, Estimation of the number of unique population elements using a sample, Proceedings
    of the Survey Research Methods Section, American Statistical Association, 1991, who takes f = F = 1.
    """

    classes: np.ndarray
    people: int

    def risk(self, alike: np.ndarray) -> np.ndarray:
        """Σ P(F = j | f) / j. Cost O(different sizes²)."""
        sizes, which = np.unique(alike, return_inverse=True)
        held, chance = self._given(sizes)
        return np.asarray((chance / held).sum(axis=1)[which.reshape(-1)])

    def uniques(self) -> float:
        """Uniques of the sample · P(F = 1 | f = 1) · N / n."""
        alone = int(np.count_nonzero(self.classes == 1))
        if not alone:
            return 0.0
        held, chance = self._given(np.ones(1, np.int64))
        share = float(self.classes.sum()) / self.people
        return float(alone * chance[0, held == 1].sum() / share)

    def _given(self, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sizes j of classes, and P(F = j | f), float64 (sizes × j)."""
        held = np.union1d(self.classes, sizes)
        times = np.bincount(np.searchsorted(held, self.classes), minlength=len(held))
        people, sample = float(self.people), float(self.classes.sum())
        f, j = sizes[:, None].astype(np.float64), held[None, :].astype(np.float64)
        fits = (f <= j) & (sample - f <= people - j) & (times > 0)
        drawn = _choices(j, np.where(fits, f, 0.0)) + _choices(people - j, np.where(fits, sample - f, 0.0))
        drawn = np.where(fits, drawn + np.log(np.maximum(times, 1)), -np.inf)
        # No class has this size: assume that all people of such a class are in the sample.
        drawn = np.where(~fits.any(axis=1, keepdims=True) & (f == j), 0.0, drawn)
        weight = np.exp(drawn - drawn.max(axis=1, keepdims=True))
        return held, weight / weight.sum(axis=1, keepdims=True)


def _choices(of: np.ndarray, some: np.ndarray) -> np.ndarray:
    """Return the logarithms of binomial coefficients."""
    from scipy.special import gammaln

    return np.asarray(gammaln(of + 1) - gammaln(some + 1) - gammaln(of - some + 1))


@dataclass(frozen=True)
class Pitman:
    """Pitman's sampling formula with θ and α, 0 ≤ α < 1: the next person is like one of a class of f with
    probability (f − α) / (n + θ), and of a new kind with (θ + u α) / (n + θ), u classes being known.

    Then F − f is negative binomial, but for terms of order 1 / n, with f − α successes of probability
    p = (n + θ) / (N + θ), and the mean of 1 / F is that of `inverse_mean` with the discount α. ``theta`` and
    ``alpha`` are found by `pitman`.

    Reference: N. Hoshino, Applying Pitman's sampling formula to microdata disclosure risk assessment,
    Journal of Official Statistics 17(4), 2001.
    """

    theta: float
    alpha: float
    sample: int
    people: int

    def risk(self, alike: np.ndarray) -> np.ndarray:
        """Return the mean of 1 / F. O(different sizes)."""
        share = min(1.0, (self.sample + self.theta) / (self.people + self.theta))
        return inverse_mean(alike, share, self.alpha)

    def uniques(self) -> float:
        """N Γ(θ + 1) Γ(N + θ + α − 1) / (Γ(θ + α) Γ(N + θ)), about N^α Γ(θ + 1) / Γ(θ + α)."""
        from scipy.special import gammaln

        n, t, a = float(self.people), self.theta, self.alpha
        found = gammaln(t + 1) - gammaln(t + a) + gammaln(n + t + a - 1) - gammaln(n + t)
        return float(n * np.exp(found))


def pitman(classes: np.ndarray, people: int) -> Pitman:
    """Return the formula whose θ and α make these sizes of the sample's classes (int64, 1 or more) likeliest.

    The logarithm of the likelihood, up to a constant,

        Σ_{i=1..u−1} ln(θ + i α) − Σ_{i=1..n−1} ln(θ + i) + Σ_classes Σ_{i=1..f−1} ln(i − α),

    is greatest where a bounded quasi-Newton search ends that starts from α = (classes of one) / u. Cost
    O(iterations · (u + different sizes)).

    >>> found = pitman(np.array([1] * 40 + [2] * 15 + [3] * 5 + [8] * 2 + [19]), 10_000)
    >>> 0 < found.alpha < 1, 50 < found.uniques() < 10_000
    (True, True)
    """
    from scipy.optimize import minimize

    sizes, times = np.unique(classes, return_counts=True)
    u, n = int(times.sum()), int(classes.sum())
    steps = np.arange(1.0, u)

    def worse(at: np.ndarray) -> tuple[float, np.ndarray]:
        theta, alpha = float(np.exp(at[0])), float(at[1])
        value, slope = _likelihood(theta, alpha, steps, n, (sizes, times))
        return -value / n, -slope * np.array([theta, 1.0]) / n

    alone = float(times[sizes == 1].sum()) / u
    start = np.array([np.log(max(1.0, u / 10)), min(max(alone, 0.01), 0.99)])
    bounds = [(np.log(_LEAST_THETA), np.log(_MOST_THETA)), (0.0, _MOST_ALPHA)]
    best = minimize(worse, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"ftol": 1e-13}).x
    return Pitman(float(np.exp(best[0])), float(best[1]), n, people)


def _likelihood(
    theta: float, alpha: float, steps: np.ndarray, n: int, classes: tuple[np.ndarray, np.ndarray]
) -> tuple[float, np.ndarray]:
    """Return the logarithm of the likelihood, and its slope by θ and α; ``classes``: sizes, and how often
    each."""
    from scipy.special import gammaln, psi

    sizes, times = classes
    grown = theta + steps * alpha
    value = np.log(grown).sum() - (gammaln(theta + n) - gammaln(theta + 1))
    value += (times * (gammaln(sizes - alpha) - gammaln(1 - alpha))).sum()
    by_theta = (1 / grown).sum() - (psi(theta + n) - psi(theta + 1))
    by_alpha = (steps / grown).sum() - (times * (psi(sizes - alpha) - psi(1 - alpha))).sum()
    return float(value), np.array([by_theta, by_alpha])

"""Certified optimum of k-concealment: at once for few records, else on request."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

import kanon_core as kc
from kanon_core.algorithms.concealment.optimum.optimal import is_certified, optimal_matchings
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import later, number_text, tr
from kanon_core.charts.curves.optima import gap_text
from kanon_core.charts.table.distances import algorithms_points, measured_by
from pages.state.jobs import ticker
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.tables import Card

AT_ONCE = 1_000
"""The most records whose optimum is computed at once; for more, it is computed on request."""
_REACHED = later("optimal")


class Least(NamedTuple):
    """The cost of `kanon_core.OptimalConcealment` and its lower bound."""

    cost: float
    bound: float

    @classmethod
    def of(cls, release: kc.Release) -> Least:
        """Return what its run reports."""
        return cls(release.report["cost"], release.report["dual bound"])

    @property
    def certified(self) -> bool:
        """Return whether the bound proves that the cost is the least."""
        return is_certified(self.cost, self.bound)

    @property
    def value(self) -> float:
        """Return the number to compare with: the least cost where it is certified, else the bound."""
        return self.cost if self.certified else self.bound


_LEAST: Key[Least | None] = Key("certified optimum", None)


def optimum(session: Session, release: kc.Release) -> Least | None:
    """Return the least cost at this k with the algorithm's distance; None, after a button, while it is not
    known."""
    algorithm, recipe = release.recipe.algorithm, release.recipe
    if isinstance(algorithm, kc.OptimalConcealment):
        return Least.of(release)
    known = _LEAST.of(session.table.digest, measured_by(algorithm), recipe.k)
    if known.get() is None:
        best = kc.OptimalConcealment(distance=measured_by(algorithm))
        kept = session.kept(Setting(best, recipe.k, recipe.seed))
        if kept is not None:
            known.set(Least.of(kept))
        elif len(release) <= AT_ONCE:
            known.set(_least(release, silent))
        else:
            place = st.empty()
            if place.button(tr("Compute the certified optimum"), icon=":material/verified:", key="certify"):
                known.set(_least(release, ticker(place, lambda: None, key="stop optimum")))
                place.empty()
    return known.get()


def _least(release: kc.Release, tick: Tick) -> Least:
    points = algorithms_points(release.table, release.recipe.algorithm)
    return Least(*optimal_matchings(points, release.recipe.k, tick)[1:])


def cost_cards(release: kc.Release, least: Least | None) -> list[Card]:
    """Return cards with the cost, its gap to the certified optimum, and the optimum (or its lower bound)."""
    cost = release.report["cost"]
    above = "" if least is None else _above(cost, least)
    summed = tr("sum of the distances between each record and its matches")
    meaning = tr("a proven bound over all pairs: no k-concealment of these records costs less")
    title = tr("Certified optimum") if least is None or least.certified else tr("Lower bound")
    return [
        Card(tr("Cost"), number_text(cost), summed, above, True if above == tr(_REACHED) else None),
        Card(title, tr("not computed") if least is None else number_text(least.value), meaning),
    ]


def _above(cost: float, least: Least) -> str:
    if is_certified(cost, least.value):
        return tr(_REACHED)
    if least.value <= 0:
        return tr("above the optimum") if least.certified else tr("above the bound")
    says = tr("{gap} above the optimum") if least.certified else tr("{gap} above the bound")
    return says.format(gap=gap_text((cost - least.value) / least.value))

"""Narration of optimal concealment: candidate edges, an auction with prices, and the bound that proves its
result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from kanon_core.algorithms.concealment.optimum.optimal import OptimalConcealment, is_certified
from kanon_core.base.words import counted, later, number_text, tr
from kanon_core.charts.steps.bipartite import NEW, OFFERED, Bipartite, Edges
from kanon_core.teaching.explain.concealment.matchings import DRAW_LINE, Within, last_strong, true_one
from kanon_core.teaching.explain.narration import Logged, Narration, Step
from kanon_core.teaching.explain.wording import thinned


class OptimalConcealmentSteps(Narration):
    """A step for each offer of edges, each auction and each bound; then the certificate and the matchings."""

    algorithm: ClassVar[type[OptimalConcealment]] = OptimalConcealment
    events: ClassVar[frozenset[str]] = frozenset({"offer", "auction", "bound", "certificate", "matching"})
    said: ClassVar[tuple[str, ...]] = (
        later("Offer every record edges to near rows, the candidates."),
        later(
            "Auction: every record buys the k − 1 rows with the smallest distance + price; the prices of"
            " rows in demand rise."
        ),
        later(
            "Bound: at any prices, no solution costs less than the sum of the k − 1 smallest distances +"
            " prices of all records, minus k − 1 times the sum of the prices."
        ),
        later(
            "When the cost equals the bound, no solution is cheaper. Otherwise offer the edges that are"
            " cheap at these prices."
        ),
        later("Split the edges bought into k − 1 matchings, in addition to the identity."),
        DRAW_LINE,
    )

    def steps(self, run: Logged) -> Iterator[Step]:
        """Yield the steps of a run."""
        assert isinstance(run.algorithm, OptimalConcealment)
        within = Within.whole(run, run.algorithm.distance)
        yield from thinned(self._steps(within))
        yield from true_one(within, len(self.lines()) - 1)

    def _steps(self, within: Within) -> Iterator[Step]:
        offered, bought = np.zeros((0, 2), np.int64), np.zeros((0, 2), np.int64)
        found: list[np.ndarray] = []
        for event, what in within.run.events:
            if event == "matching":
                found.append(what["targets"])
                yield _matching(within, found)
                continue
            if event == "offer":
                before, offered = len(offered), what["edges"]
                if len(offered) == before:
                    continue
                sentence, line = _offer(within, before, what), 0 if not before else 3
            elif event == "auction":
                bought = what["edges"]
                sentence, line = _auction(within, what), 1
            elif event == "bound":
                sentence, line = _bound(within, what["prices"], what["bound"]), 2
            else:
                sentence, line = _certificate(within, what), 3
            scene = _scene(within, offered, bought)
            yield Step(sentence, line, within.cover(()), scene)


def _offer(within: Within, before: int, what: dict[str, Any]) -> str:
    n, count = len(within), len(what["edges"])
    if before:
        return tr(
            "At these prices {new} more edges are cheap enough to try: {count} candidates are now offered,"
            " and the auction continues."
        ).format(new=count - before, count=count)
    return tr(
        "{count} of the {all} edges between different records and rows, those to near rows, are offered."
        " Without prices, the {r} nearest rows of each record prove that no solution costs less than"
        " {bound}."
    ).format(all=n * (n - 1), count=count, r=within.run.k - 1, bound=number_text(what["bound"]))


def _auction(within: Within, what: dict[str, Any]) -> str:
    prices = what["prices"]
    dear = int(prices.argmax())
    sentence = tr("The auction ends: every record has bought {r}, with a total distance of {cost}.").format(
        r=counted(within.run.k - 1, "row"), cost=number_text(what["cost"])
    )
    if not prices[dear] > 0:
        return sentence + " " + tr("All prices are still 0.")
    price = number_text(float(prices[dear]))
    risen = tr("Row {row}, the most in demand, has reached the price {price}.")
    return f"{sentence} {risen.format(row=within.number(dear), price=price)}"


def _bound(within: Within, prices: np.ndarray, bound: float) -> str:
    r, least, paid = within.run.k - 1, _least(within, prices), float(prices.sum())
    return tr(
        "At these prices, the {r} cheapest rows of all records cost {least} in total, prices included;"
        " minus {r} × {paid} of prices, no solution costs less than {proven}. The best bound so far:"
        " {bound}."
    ).format(
        r=r,
        least=number_text(least),
        paid=number_text(paid),
        proven=number_text(least - r * paid),
        bound=number_text(bound),
    )


def _certificate(within: Within, what: dict[str, Any]) -> str:
    cost, bound, prices = what["cost"], what["bound"], what["prices"]
    r, least, paid = within.run.k - 1, _least(within, prices), float(prices.sum())
    about = {"cost": number_text(cost), "bound": number_text(bound), "r": r, "least": number_text(least)}
    if not is_certified(cost, bound):
        return tr(
            "The edges bought cost {cost}; the best bound is {bound}, so a cheaper solution is not ruled out."
        ).format(**about)
    if not paid:
        return tr(
            "Certificate: the edges bought cost {cost}, as much as the {r} nearest rows of all records in"
            " total. Nothing is cheaper."
        ).format(**about)
    return tr(
        "Certificate: the edges bought cost {cost}, and the bound is as high: {least} with prices, minus"
        " {r} × {paid} of prices, is {bound}. Nothing is cheaper."
    ).format(paid=number_text(paid), **about)


def _least(within: Within, prices: np.ndarray) -> float:
    """Return the sum over all records of the k − 1 smallest distances plus prices, without the record's own
    row."""
    paid = within.distances + prices
    np.fill_diagonal(paid, np.inf)
    return float(np.sort(paid, axis=1)[:, : within.run.k - 1].sum())


def _matching(within: Within, matchings: list[np.ndarray]) -> Step:
    number = len(matchings)
    if number == 1:
        sentence = tr("Matching 1 is the identity: every record leads to its own row, distance 0.")
        return Step(sentence, 4, within.cover(matchings), within.scene(matchings))
    sentence = tr(
        "Matching {number} takes one of the edges bought for every record and every row: it costs {cost}."
    )
    if within.run.k == len(within):
        sentence = tr(
            "k is the number of records, so every edge is needed: matching {number} leads each record to one"
            " more row, and costs {cost}."
        )
    sentence = sentence.format(number=number, cost=number_text(within.cost(matchings[-1])))
    return Step(sentence, 4, within.cover(matchings), last_strong(within, matchings))


def _scene(within: Within, offered: np.ndarray, bought: np.ndarray) -> Bipartite:
    edges = [
        Edges(tr("candidates"), offered, OFFERED, True),
        Edges(tr("bought"), bought, NEW),
    ]
    return within.scene((), edges)

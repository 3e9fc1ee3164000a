"""Tables 8 and 9 of the paper on complete k-concealment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms import Algorithm, Clustered, Greedy, Lottery, OptimalConcealment, Pairing, Tours
from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.kinds import Choice, Columns, Integer
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import later, tr
from kanon_core.papers.base import Check, Part, Reproduction, Row, Source, Task
from kanon_core.papers.data import Data, all_attributes, city, coordinates_of, households, places
from kanon_core.papers.points import Point, by_part, times_text, tried
from kanon_core.papers.printed import printed
from kanon_core.run import anonymize
from kanon_core.table.table import Table

ROUNDING = 1e-6
"""Share by which equal costs may differ: sums in another order, bounds of linear programs."""
NEAR = 0.1
"""Share by which a proportion may differ from the paper's on another sample of the same data."""
PAPERS_9 = ("lottery", "lottery + clusters", "tours", "tours + clusters")
"""The paper's methods in table 9."""
PAPERS = (*PAPERS_9, "greedy", "greedy 2-anonymity")
"""Those in table 8; whatever else there is, is ours."""

Costs = dict[tuple[int, str], np.ndarray]
"""By k and method: the cost of each sample."""
ADULT = (32_561, 6, 9)
"""Records, numeric and categorical attributes of the paper's data for table 9."""
PRINTED_AS = {"table 8": (4, 100), "table 9": (2, 1_000)}
"""The decimals of the paper's numbers, and the records of its sample."""
FIGURES: tuple[Algorithm, ...] = (
    Pairing(),
    Greedy(),
    Lottery(),
    Clustered(Lottery()),
    Tours(),
    Clustered(Tours()),
)
"""The methods of figures 5 to 10."""


def figure_title(algorithm: Algorithm) -> str:
    """Return the name of a method as the paper has it.

    >>> [figure_title(one) for one in FIGURES[2:4]]
    ['Lottery', 'Lottery with clusters']
    """
    if isinstance(algorithm, Clustered):
        return tr("{title} with clusters").format(title=algorithm.inner.title)
    return algorithm.title


SHARES = later("shares of the range")
DISTANCES = {"plain": later("degrees"), "range": SHARES}
_WORK = {"lottery": 1.0, "lottery + clusters": 1.0, "tours": 2.0}


@dataclass(frozen=True)
class ConcealmentTables(Reproduction):
    """The costs Σ d(j, P(j)) of the paper's methods beside those it prints, and the certified optimum.

    Table 8: 100 random visits, latitude and longitude, k = 2; in degrees, as the paper's numbers must be (see
    `kanon_core.distances.manhattan`), and divided by the range, as its definition 2.2 has it. Table 9: 1,000
    random records, all attributes, k = 2 … 7, definition 2.2. Both on one sample or several; sample s is
    drawn, and its algorithms run, with seed s.

    A source with latitude and longitude is for table 8, any other for table 9, unless the option says which;
    the table that the source is not for is made from our own samples, whose numbers can only be compared in
    order and proportion. Every cost is that of a release that has passed its audit.

    Departures from the paper: the optimum, and for table 8 the best pairs, are ours.

    Reference: k-concealment paper, §4, tables 8 and 9.
    """

    name: ClassVar[str] = "concealment"
    title: ClassVar[str] = "Tables 8 and 9: what complete k-concealment costs"
    summary: ClassVar[str] = (
        "Costs of the paper's methods and of the certified optimum, on visits and households."
    )
    seconds: ClassVar[float] = 40.0

    table: Annotated[
        str, Choice({"both": "both", "8": "visits, k = 2", "9": "households, k = 2 … 7"}, help="which table")
    ] = "both"
    records: Annotated[int, Integer(10, 5_000, help="records in a sample for table 9")] = 1_000
    visits: Annotated[int, Integer(4, 2_000, help="records in a sample for table 8")] = 100
    seeds: Annotated[int, Integer(1, 100, help="samples; of more than one, means and ranges are shown")] = 1
    largest_k: Annotated[int, Integer(2, 7, help="the largest k of table 9")] = 7
    draws: Annotated[
        int,
        Integer(
            0,
            10_000_000,
            help="draws of the lottery; 0: as in the paper, 100,000 (table 8) and 10,000 (table 9)",
        ),
    ] = 0
    coordinates: Annotated[
        tuple[str, ...], Columns(help="the columns of latitude and longitude; none: as found")
    ] = ()

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Table 8, then table 9, the optimum first for each k. Raises KanonError for an unsuitable source."""
        visits, records = self._data(source)
        tasks: list[Task] = []
        if visits:
            for distance in DISTANCES:
                tasks += self._table_8(visits, distance)
        if records:
            tasks += self._table_9(records)
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """The order and proportions that the paper reports, its theorem 2.1, and the bound."""
        found: list[Check] = []
        for part, mine in by_part(rows).items():
            costs = {(int(row.place["k"]), str(row.place["method"])): np.array(row.values) for row in mine}
            found += _table_8(costs, part) if part.table == "table 8" else _table_9(costs, part)
            found += _certified(mine)
        return found

    def _data(self, source: Source | None) -> tuple[Data | None, Data | None]:
        """The data of table 8 and of table 9; None for a table that is not wanted."""
        names = self._coordinates(source)
        if self.table == "8" and source and not names:
            raise InputError(
                tr(
                    "Table 8 needs places, and no columns of latitude and longitude were found; name them"
                    " with the option “coordinates”, or take table 9."
                )
            )
        visits = records = None
        if self.table != "9":
            visits = places(source, names) if source and names else places(city(), ("latitude", "longitude"))
        if self.table != "8":
            given = source if self.table == "9" or not names else None
            records = all_attributes(given or households(), ADULT)
        return visits, records

    def _coordinates(self, source: Source | None) -> Sequence[str]:
        """The source's columns of latitude and longitude, as said or as found; empty when there are none."""
        if self.coordinates and (source is None or len(self.coordinates) != 2):
            raise OptionError(
                tr(
                    "The option “coordinates” takes two columns of a given table, such as lat,lon: its"
                    " latitude and its longitude."
                )
            )
        return self.coordinates or (coordinates_of(source.table) if source else ())

    def _table_8(self, data: Data, distance: str) -> list[Task]:
        methods: dict[str, Algorithm] = {
            "greedy 2-anonymity": Pairing(distance=distance),
            "greedy": Greedy(distance=distance),
            **self._paths(100_000, distance),
        }
        if self.visits % 2 == 0:
            methods["best pairs"] = Pairing(exact=True, distance=distance)
        samples = data.samples(self.visits, self.seeds, "visits")
        unit = DISTANCES[distance]
        part = self._part(
            "table 8", tr("Table 8: cost in {unit}").format(unit=tr(unit)), unit, data, self.visits
        )
        papers = {m: printed("k-concealment", "table 8", m, "cost") for m in methods}
        if distance != "plain":
            part, papers = replace(part, papers_data=""), {}
        return block(part, samples, OptimalConcealment(distance=distance), methods, papers, 2)

    def _table_9(self, data: Data) -> list[Task]:
        methods = self._paths(10_000, "range")
        samples = data.samples(self.records, self.seeds, "records")
        part = self._part("table 9", tr("Table 9: cost by k and method"), SHARES, data, self.records)
        tasks: list[Task] = []
        for k in range(2, self.largest_k + 1):
            papers = {m: printed("k-concealment", "table 9", f"k = {k}", m) for m in methods}
            tasks += block(part, samples, OptimalConcealment(), methods, papers, k)
        return tasks

    def _paths(self, draws: int, distance: str) -> dict[str, Algorithm]:
        """The methods of both tables; ``draws`` of the lottery, unless the option says how many."""
        lottery, tours = Lottery(self.draws or draws, distance=distance), Tours(distance=distance)
        plain: dict[str, Algorithm] = {"lottery": lottery, "lottery + clusters": Clustered(lottery)}
        return plain | {"tours": tours, "tours + clusters": Clustered(tours)}

    def _part(self, table: str, title: str, unit: str, data: Data, size: int) -> Part:
        what = data.sampled(size, self.seeds)
        digits, theirs = PRINTED_AS[table]
        alike = data.same and size == theirs
        same = (
            tr("another sample of the same data")
            if alike
            else tr("samples of {theirs:,} of the same data").format(theirs=theirs)
        )
        return Part(table, title, unit, what, same if data.same else tr("other data"), alike, size, digits)


def block(
    part: Part,
    samples: Sequence[Table],
    optimum: Algorithm,
    methods: Mapping[str, Algorithm],
    papers: Mapping[str, float | None],
    k: int,
) -> list[Task]:
    """The optimum's row, whose floor is its dual bound; one per method, whose floor is the optimum."""
    bounds: dict[str, list[float]] = {}

    def costs(algorithm: Algorithm, tick: Tick) -> list[float]:
        reports = _reports(samples, algorithm, k, tick)
        found = [report["cost"] for report in reports]
        if algorithm is optimum:
            bounds.update(optimum=found, dual=[report["dual bound"] for report in reports])
        return found

    work = (k - 1) * len(samples) * len(samples[0]) / 1_000
    first = partial(costs, optimum)
    tasks = [Task(part, {"k": k, "method": "optimum"}, first, None, 0.1 * work, lambda: bounds["dual"], True)]
    for method, algorithm in methods.items():
        weight, make = _WORK.get(method, 0.1) * work, partial(costs, algorithm)
        place: dict[str, str | int] = {"k": k, "method": method}
        tasks.append(Task(part, place, make, papers.get(method), weight, lambda: bounds["optimum"]))
    return tasks


def _reports(samples: Sequence[Table], algorithm: Algorithm, k: int, tick: Tick) -> list[Mapping[str, float]]:
    """What the runs on all samples report; sample s with seed s."""
    share = 1 / len(samples)
    return [
        anonymize(
            table.in_given_order(), algorithm, k, seed, stage(tick, seed * share, (seed + 1) * share)
        ).report
        for seed, table in enumerate(samples)
    ]


def _certified(rows: Sequence[Row]) -> Iterator[Check]:
    """The optimum is at its bound, and nothing is below it, in every sample."""
    if len({row.is_floor for row in rows}) == 2:
        says = tr("{here}: no method costs less than the optimum, and its lower bound proves it.")
        if saved := _saved(rows):
            says = tr(
                "{here}: no method costs less than the optimum, and its lower bound proves it; the best of"
                " the paper's methods could save {saved}."
            )
        points = []
        for row in rows:
            shares = _shares(row) if row.is_floor else -_shares(row)
            points += _each(f"k = {row.place['k']}, {row.place['method']}", shares - ROUNDING)
        here = _here(rows[0].part)
        yield tried(says, points, times_text, tr("costs"), must=True, here=here, saved=saved)


def _each(where: str, misses: np.ndarray) -> list[Point]:
    """A point for each sample."""
    if len(misses) == 1:
        return [Point(where, float(misses[0]))]
    return [
        Point(tr("{where}, sample {number}").format(where=where, number=number), float(miss))
        for number, miss in enumerate(misses)
    ]


def _at(ks: Sequence[int], misses: Callable[[int], np.ndarray]) -> list[Point]:
    """A point for each k and sample."""
    return [point for k in ks for point in _each(f"k = {k}", misses(k))]


def _shares(row: Row) -> np.ndarray:
    """How far each sample is above its floor, as a share."""
    floor = np.array(row.floor)
    return np.asarray((np.array(row.values) - floor) / np.maximum(floor, np.finfo(float).tiny))


def _saved(rows: Sequence[Row]) -> str:
    """How far the optimum is below the best of the paper's methods, at the smallest and at the largest k."""
    below = {}
    count = len(PAPERS) if rows[0].part.table == "table 8" else len(PAPERS_9)
    for k in sorted({int(row.place["k"]) for row in rows}):
        papers = [row for row in rows if row.place["k"] == k and row.place["method"] in PAPERS]
        best = min(papers, key=lambda row: row.mean, default=None)
        if best is not None and best.above is not None and len(papers) == count:
            below[k] = 100 * best.above / (1 + best.above)
    ends = list(dict.fromkeys([*list(below)[:1], *list(below)[-1:]]))
    between = tr(" and ")
    return between.join(tr("{below:.1f} % at k = {k}").format(below=below[k], k=k) for k in ends)


def _here(part: Part) -> str:
    """The table, with its unit where it is made in several."""
    return tr("Table 8 in {unit}").format(unit=tr(part.unit)) if part.table == "table 8" else tr("Table 9")


def _table_8(costs: Costs, part: Part) -> Iterator[Check]:
    """Theorem 2.1 in every sample; the paper's findings, which are in degrees, in the mean of the samples."""
    here = _here(part)
    if {(2, "best pairs"), (2, "optimum")} <= set(costs):
        optimum, pairs = costs[2, "optimum"], costs[2, "best pairs"]
        says = tr(
            "{here}: the best concealment ({optimum:.4g}) costs no more than the best pairs ({pairs:.4g}), as"
            " theorem 2.1 says."
        ).format(here=here, optimum=optimum.mean(), pairs=pairs.mean())
        points = _each("k = 2", optimum - pairs * (1 + ROUNDING))
        yield tried(says, points, "{:.4g}".format, tr("samples"), must=True)
    c = {method: float(values.mean()) for (_, method), values in costs.items()}
    if part.unit == "degrees" and set(PAPERS) <= set(c) and min(c.values()) > 0:
        yield from _in_degrees(here, c)


def _in_degrees(here: str, c: dict[str, float]) -> Iterator[Check]:
    """The order of the six methods, and what clusters leave of two of them; ``c``: their mean costs."""
    best = "lottery + clusters"
    says = tr("{here}: of the paper's methods, lottery + clusters costs least.")
    points = [Point(method, c[best] / c[method] - 1) for method in PAPERS if method != best]
    yield tried(says, points, times_text, tr("comparisons"), here=here)
    papers = {m: printed("k-concealment", "table 8", m, "cost") or np.nan for m in PAPERS}
    ours, theirs = _after_clustering(c), _after_clustering(papers)
    says = tr(
        "{here}: clusters make both cheaper, the lottery to {lottery:.2f} of its cost and tours to"
        " {tours:.2f} (paper: {paper_lottery:.2f} and {paper_tours:.2f})."
    ).format(here=here, lottery=ours[0], tours=ours[1], paper_lottery=theirs[0], paper_tours=theirs[1])
    points = [Point(name, left - 1) for name, left in zip(("lottery", "tours"), ours, strict=True)]
    yield tried(says, points, times_text, tr("methods"))
    says = tr("{here}: without clusters every method costs more than greedy 2-anonymity, with clusters less.")
    points = [
        Point(m, (1 if "clusters" in m else -1) * (c[m] / c["greedy 2-anonymity"] - 1)) for m in PAPERS[:5]
    ]
    yield tried(says, points, times_text, tr("methods"), here=here)


def _after_clustering(cost: dict[str, float]) -> tuple[float, float]:
    """What clustering leaves of the cost of the lottery, and of tours."""
    return cost["lottery + clusters"] / cost["lottery"], cost["tours + clusters"] / cost["tours"]


def _table_9(costs: Costs, part: Part) -> Iterator[Check]:
    """Every sample must show what is said; on samples like the paper's a failure is a defect."""
    must = part.comparable
    ks = [k for k in range(2, 8) if all((k, method) in costs for method in PAPERS_9)]
    if ks and all((values > 0).all() for values in costs.values()):
        for statement in (_order, _lottery_and_tours, _clusters):
            yield statement(costs, ks, must)


def _order(costs: Costs, ks: Sequence[int], must: bool) -> Check:
    order = ("tours", "tours + clusters", "lottery + clusters", "lottery")
    at = (
        f"k = {ks[0]}"
        if len(ks) == 1
        else tr("every k from {first} to {last}").format(first=ks[0], last=ks[-1])
    )
    points = [
        point
        for k in ks
        for a, b in pairwise(order)
        for point in _each(f"k = {k}, {a} < {b}", costs[k, a] / costs[k, b] - 1)
    ]
    says = tr("Table 9: the order at {at} is {order}.")
    return tried(says, points, times_text, tr("comparisons"), must, at=at, order=" < ".join(order))


def _lottery_and_tours(costs: Costs, ks: Sequence[int], must: bool) -> Check:
    """The proportion of the two costs at every k, beside that of the paper's."""
    ratios = {k: costs[k, "lottery"] / costs[k, "tours"] for k in ks}
    papers = {k: _papers(k, "lottery") / _papers(k, "tours") for k in ks}
    says = tr(
        "Table 9: at k = {k} the lottery costs {times:.2f} times as much as tours (paper: {papers:.2f}), and"
        " so at every k, {near:.0f} % more or less."
    ).format(k=ks[0], times=ratios[ks[0]].mean(), papers=papers[ks[0]], near=100 * NEAR)
    points = [point for k in ks for point in _each(f"k = {k}", abs(ratios[k] / papers[k] - 1) - NEAR)]
    return tried(says, points, times_text, tr("proportions"), must)


def _clusters(costs: Costs, ks: Sequence[int], must: bool) -> Check:
    """Clustering lowers the cost of the lottery by a larger share than that of tours, at every k."""

    def left(k: int, method: str) -> np.ndarray:
        return costs[k, f"{method} + clusters"] / costs[k, method]

    each = tr("{share:.2f} of the cost of {method} (paper: {paper:.2f})")
    both = tr(" and ").join(
        each.format(
            share=left(ks[0], m).mean(),
            method=m,
            paper=_papers(ks[0], f"{m} + clusters") / _papers(ks[0], m),
        )
        for m in ("lottery", "tours")
    )
    says = tr("Table 9: clusters help the lottery most; at k = {k} they leave {says}.")
    says = says.format(k=ks[0], says=both)
    points = _at(ks, lambda k: left(k, "lottery") - np.minimum(left(k, "tours"), 1))
    return tried(says, points, times_text, tr("comparisons"), must)


def _papers(k: int, method: str) -> float:
    return printed("k-concealment", "table 9", f"k = {k}", method) or np.nan

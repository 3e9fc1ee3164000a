"""Tables 8 and 9 of the paper on complete k-concealment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, product
from typing import Annotated, Any, ClassVar

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
from kanon_core.runs.run import anonymize
from kanon_core.table.table import Table

ROUNDING = 1e-6
"""The share by which equal costs may differ, because of rounding."""
NEAR = 0.1
"""The share by which a proportion may differ from the paper's on another sample of the same data."""
PAPERS_9 = ("lottery", "lottery + clusters", "tours", "tours + clusters")
"""The paper's methods in table 9."""
PAPERS = (*PAPERS_9, "greedy", "greedy 2-anonymity")
"""The paper's methods in table 8; all other methods are ours."""

Costs = dict[str, np.ndarray]
"""The cost of each sample, by method."""
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
    the other table is made from our own samples, whose numbers can only be compared in order and proportion.
    Every cost is that of a release that has passed its audit.

    Departures from the paper: the optimum, and for table 8 the best pairs, are ours.

    Reference: k-concealment paper, §4, tables 8 and 9.
    """

    name: ClassVar[str] = "concealment"
    title: ClassVar[str] = "Tables 8 and 9: the cost of complete k-concealment"
    summary: ClassVar[str] = (
        "Costs of the paper's methods and of the certified optimum, on visits and households."
    )
    seconds: ClassVar[float] = 40.0

    table: Annotated[
        str,
        Choice(
            {"both": "both", "8": "visits, k = 2", "9": "households, k = 2 … 7"}, help="the table to compute"
        ),
    ] = "both"
    records: Annotated[int, Integer(10, 5_000, help="records in a sample for table 9")] = 1_000
    visits: Annotated[int, Integer(4, 2_000, help="records in a sample for table 8")] = 100
    seeds: Annotated[
        int, Integer(1, 100, help="number of samples; with more than one, means and ranges are shown")
    ] = 1
    largest_k: Annotated[int, Integer(2, 7, help="the largest k of table 9")] = 7
    draws: Annotated[
        int,
        Integer(
            0,
            10_000_000,
            help="draws of the lottery; 0 = as in the paper, 100,000 (table 8) and 10,000 (table 9)",
        ),
    ] = 0
    coordinates: Annotated[
        tuple[str, ...], Columns(help="the columns of latitude and longitude; none = as found")
    ] = ()

    def tasks(self, source: Source | None = None) -> list[Task]:
        """Return the rows of table 8, then of table 9, the optimum first for each k. Raises KanonError for an
        unsuitable source."""
        visits, records = self._data(source)
        tasks: list[Task] = []
        if visits:
            for distance in DISTANCES:
                tasks += self._table_8(visits, distance)
        if records:
            tasks += self._table_9(records)
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """Return the checks of the paper's order and proportions, of its theorem 2.1, and of the bound."""
        found: list[Check] = []
        for part, mine in by_part(rows).items():
            costs: dict[int, Costs] = {}
            for row in mine:
                costs.setdefault(int(row.place["k"]), {})[str(row.place["method"])] = np.array(row.values)
            found += _table_8(costs.get(2, {}), part) if part.table == "table 8" else _table_9(costs, part)
            found += _certified(mine)
        return found

    def _data(self, source: Source | None) -> tuple[Data | None, Data | None]:
        """Return the data of table 8 and of table 9; None for a table that is not wanted."""
        names = self._coordinates(source)
        if self.table == "8" and source and not names:
            raise InputError(
                tr(
                    "Table 8 needs places, but the table has no columns of latitude and longitude; name"
                    " them with the option “coordinates”, or choose table 9."
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
        """Return the source's columns of latitude and longitude, as given or as found; nothing when there are
        none."""
        if self.coordinates and (source is None or len(self.coordinates) != 2):
            raise OptionError(
                tr(
                    "The option “coordinates” takes two columns of a given table, its latitude and its"
                    " longitude, such as lat,lon."
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
        title = tr("Table 8: cost in {unit}").format(unit=tr(unit))
        part = self._part("table 8", title, unit, data, self.visits)
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
        """Return the methods of both tables; ``draws`` of the lottery, unless the option gives the number."""
        lottery, tours = Lottery(self.draws or draws, distance=distance), Tours(distance=distance)
        plain: dict[str, Algorithm] = {"lottery": lottery, "lottery + clusters": Clustered(lottery)}
        return plain | {"tours": tours, "tours + clusters": Clustered(tours)}

    def _part(self, table: str, title: str, unit: str, data: Data, size: int) -> Part:
        what = data.sampled(size, self.seeds)
        digits, theirs = PRINTED_AS[table]
        alike, papers = data.same and size == theirs, tr("other data")
        if data.same:
            papers = tr("samples of {theirs:,} of the same data").format(theirs=theirs)
        if alike:
            papers = tr("another sample of the same data")
        return Part(table, title, unit, what, papers, alike, size, digits)


def block(
    part: Part,
    samples: Sequence[Table],
    optimum: Algorithm,
    methods: Mapping[str, Algorithm],
    papers: Mapping[str, float | None],
    k: int,
) -> list[Task]:
    """Return the row of the optimum, whose floor is its dual bound, and one row for each method, whose floor
    is the optimum."""
    bounds: dict[str, list[float]] = {}

    def costs(algorithm: Algorithm, tick: Tick) -> list[float]:
        share, reports = 1 / len(samples), []
        for seed, table in enumerate(samples):
            mine = stage(tick, seed * share, (seed + 1) * share)
            reports.append(anonymize(table.in_given_order(), algorithm, k, seed, mine).report)
        found = [report["cost"] for report in reports]
        if algorithm is optimum:
            bounds.update(optimum=found, dual=[report["dual bound"] for report in reports])
        return found

    work = (k - 1) * len(samples) * len(samples[0]) / 1_000
    first = partial(costs, optimum)
    tasks = [Task(part, {"k": k, "method": "optimum"}, first, None, 0.1 * work, lambda: bounds["dual"], True)]
    for method, algorithm in methods.items():
        weight, make, paper = _WORK.get(method, 0.1) * work, partial(costs, algorithm), papers.get(method)
        tasks.append(Task(part, {"k": k, "method": method}, make, paper, weight, lambda: bounds["optimum"]))
    return tasks


def _certified(rows: Sequence[Row]) -> Iterator[Check]:
    """Yield the check that the optimum equals its bound and nothing is below it, in every sample."""
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
    """Return a point for each sample."""
    if len(misses) == 1:
        return [Point(where, float(misses[0]))]
    return [
        Point(tr("{where}, sample {number}").format(where=where, number=number), float(miss))
        for number, miss in enumerate(misses)
    ]


def _shares(row: Row) -> np.ndarray:
    """Return the distance of each sample above its floor, as a share."""
    floor = np.array(row.floor)
    return np.asarray((np.array(row.values) - floor) / np.maximum(floor, np.finfo(float).tiny))


def _saved(rows: Sequence[Row]) -> str:
    """Return the share by which the optimum is below the best of the paper's methods, at the smallest and the
    largest k."""
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
    """Return the name of the table, with its unit if there are several."""
    return tr("Table 8 in {unit}").format(unit=tr(part.unit)) if part.table == "table 8" else tr("Table 9")


def _table_8(costs: Costs, part: Part) -> Iterator[Check]:
    """Yield the checks of theorem 2.1 in every sample, and of the paper's findings, which are in degrees, in
    the mean of the samples."""
    here = _here(part)
    if {"best pairs", "optimum"} <= set(costs):
        optimum, pairs = costs["optimum"], costs["best pairs"]
        says = tr(
            "{here}: the best concealment ({optimum:.4g}) costs no more than the best pairs ({pairs:.4g}), as"
            " theorem 2.1 says."
        )
        facts = {"optimum": optimum.mean(), "pairs": pairs.mean()}
        points = _each("k = 2", optimum - pairs * (1 + ROUNDING))
        yield tried(says, points, "{:.4g}".format, tr("samples"), True, here=here, **facts)
    means = {method: float(values.mean()) for method, values in costs.items()}
    if part.unit == "degrees" and set(PAPERS) <= set(means) and min(means.values()) > 0:
        yield from _in_degrees(here, means)


def _in_degrees(here: str, c: dict[str, float]) -> Iterator[Check]:
    """Yield the checks of the order of the six methods, and of the effect of clusters on two of them; ``c``:
    their mean costs."""
    best, pairs = "lottery + clusters", "greedy 2-anonymity"
    says = tr("{here}: of the paper's methods, lottery + clusters costs least.")
    points = [Point(method, c[best] / c[method] - 1) for method in PAPERS if method != best]
    yield tried(says, points, times_text, tr("comparisons"), here=here)
    ours = {method: left(c, method) for method in ("lottery", "tours")}
    papers = {m: printed("k-concealment", "table 8", m, "cost") or np.nan for m in PAPERS}
    facts = {f"paper_{method}": left(papers, method) for method in ours}
    says = tr(
        "{here}: clusters lower the cost of the lottery to {lottery:.2f} and of tours to {tours:.2f} of its"
        " former value (paper: {paper_lottery:.2f} and {paper_tours:.2f})."
    ).format(here=here, **ours, **facts)
    yield tried(says, [Point(m, share - 1) for m, share in ours.items()], times_text, tr("methods"))
    says = tr(
        "{here}: every method costs more than greedy 2-anonymity without clusters, and less with clusters."
    )
    points = [Point(m, (1 if "clusters" in m else -1) * (c[m] / c[pairs] - 1)) for m in PAPERS[:5]]
    yield tried(says, points, times_text, tr("methods"), here=here)


def left(costs: Mapping[str, Any], method: str) -> Any:
    """Return the cost of a method with clusters as a share of its cost without.

    >>> left({"tours": 8.0, "tours + clusters": 6.0}, "tours")
    0.75
    """
    return costs[f"{method} + clusters"] / costs[method]


def _table_9(costs: Mapping[int, Costs], part: Part) -> Iterator[Check]:
    """Yield the checks of table 9 for every sample; on samples like the paper's a failure is a defect."""
    ours = {k: costs[k] for k in sorted(costs) if set(PAPERS_9) <= set(costs[k])}
    if ours and all((values > 0).all() for mine in costs.values() for values in mine.values()):
        papers = {
            k: {m: printed("k-concealment", "table 9", f"k = {k}", m) or np.nan for m in PAPERS_9}
            for k in ours
        }
        yield _order(ours, part.comparable)
        yield _lottery_and_tours(ours, papers, part.comparable)
        yield _clusters(ours, papers, part.comparable)


def _order(ours: Mapping[int, Costs], must: bool) -> Check:
    order, ks = ("tours", "tours + clusters", "lottery + clusters", "lottery"), list(ours)
    at = f"k = {ks[0]}"
    if len(ks) > 1:
        at = tr("every k from {first} to {last}").format(first=ks[0], last=ks[-1])
    points = [
        point
        for (k, c), (a, b) in product(ours.items(), pairwise(order))
        for point in _each(f"k = {k}, {a} < {b}", c[a] / c[b] - 1)
    ]
    says = tr("Table 9: the order at {at} is {order}.")
    return tried(says, points, times_text, tr("comparisons"), must, at=at, order=" < ".join(order))


def _lottery_and_tours(
    ours: Mapping[int, Costs], papers: Mapping[int, dict[str, float]], must: bool
) -> Check:
    """Return the check of the proportion of the two costs at every k."""
    ratios = {k: c["lottery"] / c["tours"] for k, c in ours.items()}
    theirs = {k: c["lottery"] / c["tours"] for k, c in papers.items()}
    first = min(ratios)
    says = tr(
        "Table 9: at k = {k} the lottery costs {times:.2f} times as much as tours (paper: {papers:.2f}); at"
        " every k the proportion is within {near:.0f} % of the paper's."
    ).format(k=first, times=ratios[first].mean(), papers=theirs[first], near=100 * NEAR)
    points = [point for k in ours for point in _each(f"k = {k}", abs(ratios[k] / theirs[k] - 1) - NEAR)]
    return tried(says, points, times_text, tr("proportions"), must)


def _clusters(ours: Mapping[int, Costs], papers: Mapping[int, dict[str, float]], must: bool) -> Check:
    """Return the check that clustering lowers the cost of the lottery by a larger share than that of tours,
    at every k."""
    each, first = tr("{share:.2f} of the cost of {method} (paper: {paper:.2f})"), min(ours)
    both = tr(" and ").join(
        each.format(share=left(ours[first], m).mean(), method=m, paper=left(papers[first], m))
        for m in ("lottery", "tours")
    )
    says = tr("Table 9: clusters help the lottery most; at k = {k} they leave {says}.")
    says = says.format(k=first, says=both)
    misses = {k: left(c, "lottery") - np.minimum(left(c, "tours"), 1) for k, c in ours.items()}
    points = [point for k, miss in misses.items() for point in _each(f"k = {k}", miss)]
    return tried(says, points, times_text, tr("comparisons"), must)

"""Tables 8 and 9 of the paper on complete k-concealment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, ClassVar

from kanon_core.algorithms import Algorithm, Clustered, Greedy, Lottery, OptimalConcealment, Pairing, Tours
from kanon_core.base.errors import InputError, OptionError
from kanon_core.base.kinds import Choice, Columns, Integer
from kanon_core.base.progress import Tick, stage
from kanon_core.base.words import later, tr
from kanon_core.papers.base import Check, Part, Reproduction, Row, Source, Task
from kanon_core.papers.concealment_checks import checks
from kanon_core.papers.data import Data, all_attributes, coordinates_of, our_own, places
from kanon_core.papers.printed import printed
from kanon_core.run import anonymize
from kanon_core.table.table import Table

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
        visits, households = self._data(source)
        tasks: list[Task] = []
        if visits:
            for distance in DISTANCES:
                tasks += self._table_8(visits, distance)
        if households:
            tasks += self._table_9(households)
        return tasks

    def checks(self, rows: Sequence[Row]) -> list[Check]:
        """The order and proportions that the paper reports, its theorem 2.1, and the bound."""
        return checks(rows)

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
        visits = households = None
        if self.table != "9":
            city = our_own("people-5000", tr("our sample of an invented city"))
            visits = places(source, names) if source and names else places(city, ("latitude", "longitude"))
        if self.table != "8":
            given = source if self.table == "9" or not names else None
            households = all_attributes(
                given or our_own("households-5000", tr("our sample of invented households")), ADULT
            )
        return visits, households

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
        what = tr("{count} random samples of {size:,} from {data}")
        if self.seeds == 1:
            what = tr("1 random sample of {size:,} from {data}")
        what = what.format(count=self.seeds, size=size, data=data.what)
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

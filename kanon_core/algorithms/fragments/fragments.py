"""Fragments: cut a large table, run another algorithm on each fragment, and combine covers, published columns
and reports; the same for the cells of a sample."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, ClassVar

import numpy as np

from kanon_core.algorithms.base import Algorithm, Log, Run
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.fragments.cutting import Cuts, cut_people, cut_table
from kanon_core.base.anytime import TOO_SHORT, UNCOMPILED
from kanon_core.base.errors import UnsuitableError
from kanon_core.base.kinds import Integer
from kanon_core.base.options import Nested
from kanon_core.base.progress import Tick, silent, stage
from kanon_core.base.randomness import seed_of
from kanon_core.base.words import counted, later, tr
from kanon_core.covers.cells import CommonItems, PublishedColumn
from kanon_core.covers.cover import Cover
from kanon_core.guarantees import Guarantees
from kanon_core.table.columns.columns import Numbers
from kanon_core.table.columns.set_arrays import chosen_sets, set_keys
from kanon_core.table.domain import NumberDomain
from kanon_core.table.table import Table

INNERS = (
    *("MDAV", "VMDAV", "Refine", "Sorting", "TopDown", "RefineSets"),
    *("OptimalConcealment", "Clustered", "PurchaseHistories"),
)
_CUTTING = 0.1
_AT_ONCE = 65_536
_FLAGS = frozenset({TOO_SHORT, UNCOMPILED})
_ADDED = frozenset(
    {
        *("steps", "rounds", "clusters", "cost", "dead ends", "items", "items shown"),
        *("people left out", "further pseudonyms", "records without a person"),
    }
)
"""Numbers of a run's report that can be summed. Mean losses cannot, nor can bounds: the sum of the fragments'
bounds is not a bound of the whole."""


@dataclass(frozen=True)
class Fragments(Algorithm):
    """Cut a large table in two, and its parts again, until none has more than ``rows`` records; then run
    another algorithm on each fragment.

    The cuts are the strict median cuts of `Mondrian`: the widest attribute that leaves k records on both
    sides is cut. A part that cannot be cut is a fragment, and ``inner`` runs on the whole of a table of at
    most ``rows`` records. Ranges, labels, means and deviations are those of the whole table in every
    fragment, from exact sums; a fragment's seed depends on the release's seed and the path of its cuts. So
    the cover of a fragment does not depend on the other fragments. Groups or matchings of all fragments are
    combined; the draw of the true matching is made separately in each fragment.

    When to use: on tables too large for ``inner``, in time or memory, and for k-concealment, whose methods
    compare all pairs of records. Records of different fragments never share a group, so choose the largest
    possible ``rows``. On 20,000 records of Adult with 8 attributes, k = 10, compared with the whole table:
    MDAV's SSDM is 5.7 % higher with 2 fragments and 10.4 % with 12, its NCP 3.6 and 3.9 %; Top-down's NCP is
    1.5 % higher with 2, and 5.3 % lower with 12 (``python -m benchmarks fragments``).

    A search with a time limit spends it on the largest fragment, then does at most as many steps on each
    other one; the recipe stores the steps. A given number of steps applies to every fragment. The share of
    records that may be suppressed applies to each fragment, and Top-down weighs item sets by the items per
    record of each fragment. Guarantees are those of ``inner``: each class lies within a fragment, or is a
    union of such classes. ℓ-diversity and t-closeness are refused, because the cuts ignore sensitive values.
    If ``inner`` is `PurchaseHistories`, people are cut instead of records: each person's first record, in
    keyed order, represents them, both sides keep k people, all records of a person stay together, and a
    fragment has at most as many people as have ``rows`` records on average
    (`kanon_core.algorithms.fragments.cutting`).

    Cost: O(n · attributes) for each level of cuts, then that of ``inner`` on each fragment.

    Reference: cuts: K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE
    2006. Running another algorithm on the parts is ours.
    """

    title: ClassVar[str] = "Fragments"
    family: ClassVar[str] = "fragments"
    summary: ClassVar[str] = (
        "Cuts a very large table into fragments and runs another algorithm on each, when the whole table"
        " would take too long."
    )
    takes_distances: ClassVar[bool] = True

    inner: Annotated[Algorithm, Nested(INNERS, help="the algorithm for each fragment")] = field(
        default_factory=MDAV
    )
    rows: Annotated[
        int,
        Integer(
            1, 1_000_000_000, help="parts with more records are cut in two where possible", unit="records"
        ),
    ] = 1_000_000

    def __post_init__(self) -> None:
        super().__post_init__()
        for tag in ("randomized", "takes_items"):
            object.__setattr__(self, tag, getattr(self.inner, tag))

    @property
    def by_distances(self) -> bool:
        """True if its inner algorithm uses distances."""
        return self.inner.by_distances

    @property
    def by_people(self) -> bool:
        """True if people, not records, are cut, because the inner algorithm protects people."""
        return self.inner.guarantee(2).pseudonyms

    @property
    def by_exact_cuts(self) -> bool:
        """Always True: groups, matchings and the draw of the true matching stay within fragments."""
        return True

    @property
    def fragment_rows(self) -> int:
        """Return the option ``rows``, which shapes the groups."""
        return self.rows

    def cover_of_fragment(self, part: Table, k: int, run: Run, path: str) -> Cover:
        """Return the cover by the inner algorithm, with the fragment's seed. Raises UnsuitableError, also if
        the inner algorithm has a time limit: other machines do another number of steps in that time."""
        if _by_the_clock(self.inner):
            raise UnsuitableError(
                tr(
                    "{title} has a time limit, in which each machine does a different number of steps; set a"
                    " number of steps instead."
                ).format(title=self.inner.title)
            )
        own = Run(seed_of(run.seed, path), run.tick, shown=run.shown)
        return cover_of_fragment(self.inner, part, k, own)

    def guarantees(self, k: int) -> Guarantees:
        """Return the guarantees of the inner algorithm."""
        return self.inner.guarantees(k)

    def unsuitable(self, table: Table, k: int) -> list[str]:
        """Return the reasons of the inner algorithm, for a part of ``rows`` records, and a reason if it has
        guarantees on sensitive values."""
        reasons = super().unsuitable(table, k)
        if self.guarantees(k)[1:]:  # guarantees besides the size of anonymity sets
            reasons.append(
                tr(
                    "Fragments cannot guarantee ℓ-diversity or t-closeness, because its cuts ignore sensitive"
                    " values; set both to 1, or use the inner algorithm alone."
                )
            )
        if reasons:
            return reasons
        some = len(table) if self.by_people else max(k, self.rows)
        return self.inner.unsuitable(table if len(table) <= some else table.part(np.arange(some)), k)

    def cover(self, table: Table, k: int, run: Run) -> Cover:
        """Return the combined covers of all fragments; report the number of fragments, and the sums of those
        reports of their runs that can be summed.

        Logs ``divide`` (path, column, left and right records) for each cut, ``fragment`` (path, members,
        events of the inner algorithm, whose record numbers are positions of the members) for each fragment,
        then each ``group`` or ``matching`` of the combined cover. Raises UnsuitableError if a part that
        cannot be cut is too large for the inner algorithm.
        """
        found, wholes = self._cut(table, k, stage(run.tick, 0, _CUTTING))
        inside = run.part(_CUTTING, 1)

        def part(members: np.ndarray) -> Table:
            return table if len(table) <= self.rows else table.part(members, wholes)

        parts = [(members, seed_of(run.seed, path)) for path, members in found.fragments]
        covers, runs = _covers(self.inner, parts, part, k, inside, _by_the_clock(self.inner))
        if inside.settled:
            run.settled["inner"] = dataclasses.replace(self.inner, **inside.settled)
        members = [fragment.members for fragment in found.fragments]
        run.shown.update(shown_together(members, [one.shown for one in runs]))
        alone = len(runs) == 1
        run.report[later("fragments")] = len(runs)
        run.report.update(runs[0].report if alone else added_up(one.report for one in runs))
        cover = covers[0].side_by_side(list(zip(members, covers, strict=True)))
        if not alone:
            cover = cover.in_fragments(found.fragment, tuple(fragment.path for fragment in found.fragments))
        _write(run, found, runs, cover)
        return cover

    def _cut(self, table: Table, k: int, tick: Tick) -> tuple[Cuts, dict[str, NumberDomain]]:
        """Return the fragments, and the domains of the whole table if it has more than ``rows`` records, even
        if it cannot be cut: as over many files, they come from exact sums."""
        if not self.by_people:
            found = cut_table(table, k, self.rows, tick)
            return found, wholes_of(table, stage(tick, 1, 1)) if len(table) > self.rows else {}
        wholes = wholes_of(table, stage(tick, 0, 0))
        found = cut_people(table, k, self.rows, wholes, tick)
        return found, wholes if len(table) > self.rows else {}


def cover_of_fragment(inner: Algorithm, part: Table, k: int, run: Run) -> Cover:
    """Return the cover of a fragment by the inner algorithm, its records numbered from 0.

    ``part``: the fragment's records in the keyed order of the whole, with the domains of the whole
    (`Table.part`, or `Table.from_frame` with a domain). ``run``: has the seed of the fragment (`seed_of`).
    Raises UnsuitableError, with the reasons, if the inner algorithm cannot process it.
    """
    if reasons := inner.unsuitable(part, k):
        said = tr("{title} cannot process a fragment of {records}. {reasons}")
        names = {"records": counted(len(part), "record"), "title": inner.title, "reasons": " ".join(reasons)}
        raise UnsuitableError(said.format(**names))
    return inner.cover(part, k, run)


def _covers(
    algorithm: Algorithm,
    parts: Sequence[tuple[np.ndarray, int]],
    part: Callable[[np.ndarray], Table],
    k: int,
    run: Run,
    settles: bool,
) -> tuple[list[Cover], list[Run]]:
    """Return the cover and the run of each of the ``parts``: records and seed; ``part`` makes its table. The
    largest runs first; if ``settles``, its run settles the options of the others (the steps of a search with
    a time limit), which are written into ``run.settled``."""
    total, done = sum(len(members) for members, _ in parts), 0
    covers, runs = dict[int, Cover](), dict[int, Run]()
    for i in sorted(range(len(parts)), key=lambda i: -len(parts[i][0])):
        members, seed = parts[i]
        tick = stage(run.tick, done / total, (done + len(members)) / total)
        runs[i] = Run(seed, tick, None if run.log is None else Log())
        covers[i] = cover_of_fragment(algorithm, part(members), k, runs[i])
        if settles and not done:
            run.settled.update(runs[i].settled)
            algorithm = dataclasses.replace(algorithm, **runs[i].settled)
        done += len(members)
    return [covers[i] for i in range(len(parts))], [runs[i] for i in range(len(parts))]


def wholes_of(table: Table, tick: Tick = silent) -> dict[str, NumberDomain]:
    """Return, by name, the exact domain of each numeric quasi-identifier, for `Table.part`; for circular
    values, that of the unrolled values. Cost O(n · columns), about 0.1 µs per value."""
    found = {}
    for column in table.quasi:
        if isinstance(column, Numbers):
            name = column.attribute.name
            note = tr("reading column {name}").format(name=name)
            found[name] = column.whole or _added(column.values, partial(tick, 0.0, note))
    return found


def _added(values: np.ndarray, tick: Callable[[], None]) -> NumberDomain:
    """Return the domain of many numbers, merged from blocks."""
    found = NumberDomain()
    for begin in range(0, len(values), _AT_ONCE):
        tick()
        found = found.merged(NumberDomain.of(values[begin : begin + _AT_ONCE]))
    return found


def _by_the_clock(inner: Algorithm) -> bool:
    """Return whether it is a search with a time limit instead of a number of steps."""
    return not getattr(inner, "steps", 1)


def _write(run: Run, cuts: Cuts, runs: Sequence[Run], cover: Cover) -> None:
    if run.log is None:
        return
    for path, column in cuts.cuts:
        sides = {"left": cuts.below(f"{path}L"), "right": cuts.below(f"{path}R")}
        run.log.write("divide", path=path, column=column, **sides)
    for (path, members), one in zip(cuts.fragments, runs, strict=True):
        run.log.write("fragment", path=path, members=members, events=one.log.events if one.log else [])
    for event, what in cover.events():
        run.log.write(event, **what)


def shown_together(
    members: Sequence[np.ndarray], shown: Sequence[Mapping[str, PublishedColumn]]
) -> dict[str, PublishedColumn]:
    """Return, by name, the columns whose cells the algorithm chose itself in every part: item sets, with one
    cell for equal sets."""
    n = sum(map(len, members))
    return {name: _joined(members, [one[name] for one in shown], n) for name in (shown[0] if shown else ())}


def _joined(members: Sequence[np.ndarray], parts: Sequence[PublishedColumn], n: int) -> PublishedColumn:
    cell, first = np.empty(n, np.int64), 0
    for some, part in zip(members, parts, strict=True):
        cell[some] = np.where(part.cell < 0, -1, part.cell + first)
        first += len(part.cells)
    cells = [part.cells.as_items() for part in parts]
    starts = np.concatenate([[0], np.cumsum(np.concatenate([one.sizes for one in cells]))]).astype(np.int64)
    items = np.concatenate([one.items for one in cells])
    keys = set_keys(starts, items)
    different = np.unique(keys, return_index=True)[1]
    joined = CommonItems(*chosen_sets(starts, items, different))
    return PublishedColumn(parts[0].attribute, joined, np.append(keys, -1)[cell])


def added_up(reports: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the combined report of all parts: sums of the numbers that can be summed, and whether any run
    had too little time.

    >>> added_up([{"steps": 3, "loss reached": 0.1}, {"steps": 4, "loss reached": 0.3}])
    {'steps': 7}
    """
    found: dict[str, float] = {}
    for report in reports:
        for name, value in report.items():
            if name in _ADDED:
                found[name] = found.get(name, 0) + value
            elif name in _FLAGS:
                found[name] = value
    return found


def cover_within(algorithm: Algorithm, table: Table, cell: np.ndarray, k: int, run: Run) -> Cover:
    """Return the combined covers of all cells; ``cell``: int64 (n), the cell of each record. The largest cell
    runs first: its run settles the steps of a search with a time limit. Raises UnsuitableError if the
    algorithm cannot process a cell."""
    order = np.argsort(cell, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(cell))[:-1])
    paths = [""] * len(members) if algorithm.by_exact_cuts else map(str, range(len(members)))
    parts = [(records, seed_of(run.seed, path)) for records, path in zip(members, paths, strict=True)]
    inside = Run(tick=run.tick, settled=run.settled)
    covers, runs = _covers(algorithm, parts, table.part, k, inside, True)
    run.shown.update(shown_together(members, [one.shown for one in runs]))
    run.report.update(added_up(one.report for one in runs))
    found = covers[0].side_by_side(list(zip(members, covers, strict=True)))
    if run.log is not None:
        for event, what in found.events():
            run.log.write(event, **what)
    return found

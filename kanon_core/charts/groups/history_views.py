"""Views of people with many records: their groups, and the published share of short and long histories."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kanon_core.base.errors import OptionError, UnsuitableError
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import (
    UNDIMMED,
    Settings,
    bars,
    clicks,
    end_notes,
    legend,
    margin,
    note,
    rows,
    scatter,
)
from kanon_core.charts.canvas.painting import evenly
from kanon_core.release.release import Release
from kanon_core.table.people import Persons, persons_of

_HEIGHT = 560
_LEAST_BAND = 4
_NAMED = 14
_PICKS = 600
_LOW = 0.7
"""The start of bars on the logarithmic axis, below 1, so that people with one record have a bar."""

ROWS_AT_MOST = 60
"""The most people that are drawn as rows."""
_FEW_OCTAVES = 6


@dataclass(frozen=True, eq=False)
class HistoryView:
    """The people of a release, by number (`kanon_core.table.people`).

    ``counts`` and ``kept``: how many records each has, and how many of these are published. ``block``: the
    group of people each is published with, counted from 0 in the order of `order`, −1 = nothing is published
    of them.
    """

    release: Release
    persons: Persons
    counts: np.ndarray
    kept: np.ndarray
    block: np.ndarray

    @classmethod
    def of(cls, release: Release) -> HistoryView:
        """The people of a release; raises UnsuitableError for one that does not protect people. Cost O(n log
        n).

        Groups are found from the cells: people whose first published groups of records are the same are in
        one group of people.
        """
        if not release.pseudonymous:
            raise UnsuitableError(
                tr("The release protects records, not people; choose an algorithm for purchase histories.")
            )
        persons = persons_of(release.table)
        owner, shown = persons.numbers, ~release.suppressed
        counts = persons.counts
        kept = np.bincount(owner[shown], minlength=len(persons))
        first = np.full(len(persons), np.iinfo(np.int64).max)
        np.minimum.at(first, owner[shown], release.row[shown])
        block = np.where(kept > 0, np.unique(first, return_inverse=True)[1], -1)
        most = np.zeros(int(block.max(initial=-1)) + 1, np.int64)
        np.maximum.at(most, block[block >= 0], counts[block >= 0])
        rank = np.empty(len(most), np.int64)
        rank[np.argsort(-most, kind="stable")] = np.arange(len(most))
        return cls(release, persons, counts, kept, np.append(rank, -1)[block])

    @cached_property
    def order(self) -> np.ndarray:
        """The people as drawn: by group, then by falling number of records; suppressed people last."""
        group = np.where(self.block < 0, len(self.counts), self.block)
        return np.lexsort((-self.counts, group))

    @cached_property
    def place(self) -> np.ndarray:
        """int64 (people): the place of each in `order`, from 0."""
        place = np.empty(len(self.order), np.int64)
        place[self.order] = np.arange(len(self.order))
        return place

    @property
    def several(self) -> bool:
        """Return whether a person has several pseudonyms, each in its own group; `block` is then the
        first's."""
        return self.release.bearers.several

    @property
    def groups(self) -> int:
        """Return how many different groups of people `block` names."""
        return int(self.block.max(initial=-1)) + 1

    def records(self, person: int) -> np.ndarray:
        """The record numbers of a person: published ones in the order of their groups, then the others."""
        rows = np.flatnonzero(self.persons.numbers == person)
        row = self.release.row[rows]
        return rows[np.argsort(np.where(row < 0, np.iinfo(np.int64).max, row), kind="stable")]


def people_figure(
    view: HistoryView, shown: tuple[int, int] | None = None, person: int | None = None, theme: str = "light"
) -> look.Figure:
    """People as rows: a bar for the published part of each history, followed by the suppressed part; groups
    as bands of two shades.

    ``shown``: the first and the last place of `HistoryView.order` that are drawn, the last excluded; None =
    all. ``person`` is marked. Each point's ``customdata`` begins with the person's number, counted from 1.
    Raises OptionError for places that there are not. Cost O(people).
    """
    first, last = shown or (0, len(view.order))
    if not 0 <= first < last <= len(view.order):
        raise OptionError(
            tr("The places shown must be between 0 and {most:,}, the first below the last.").format(
                most=len(view.order)
            )
        )
    people, places = view.order[first:last], np.arange(first + 1, last + 1)
    across = {"type": "log", "dtick": 1, "tickformat": ",d", "fixedrange": True}
    up = {"showgrid": False, "tickformat": ",d", "nticks": 8, "fixedrange": True}
    ends = [np.log10(_LOW), float(np.log10(view.counts[people].max() * 2.2))]
    return look.figure(
        [
            *_bar_traces(view, people, places, theme),
            _picks(view, people, places),
            _mark(view, person, (first, last), theme),
        ],
        theme,
        people_sentence(view),
        height=_HEIGHT,
        xaxis=look.axis(theme, tr("Records of a person (logarithmic)"), range=ends, **across),
        yaxis=look.axis(theme, tr("People, by group"), range=[last + 0.5, first + 0.5], **up),
        annotations=[] if view.several else _names(view.block[people], places, theme),
        showlegend=True,
        dragmode=False,
        uirevision="people",
        legend=legend(itemclick=False, itemdoubleclick=False),
    )


def _bar_traces(view: HistoryView, people: np.ndarray, places: np.ndarray, theme: str) -> list[Settings]:
    """Return the published parts, in two shades by group where there is room, and the suppressed parts."""
    kept, counts, block = view.kept[people], view.counts[people], view.block[people]
    striped = _HEIGHT / max(len(np.unique(block)), 1) >= _LEAST_BAND
    dark = (block % 2 == 0) if striped else np.ones(len(people), bool)
    colors, low = look.theme_of(theme), np.full(len(people), _LOW)
    blue, gray = colors.lines[0], look.faded(colors.muted, 0.35)
    return [
        _bars(places, (low, kept), dark & (kept > 0), tr("published"), blue),
        _bars(places, (low, kept), ~dark & (kept > 0), "", look.faded(blue, 0.62)),
        _bars(places, (np.maximum(kept, _LOW), counts), counts > kept, tr("suppressed"), gray),
    ]


def people_sentence(view: HistoryView) -> str:
    """Return sentences on the numbers of people and groups, and the suppressed records."""
    if not view.groups:
        return tr("No record is published. Suppressed: {people}.").format(
            people=counted(len(view.counts), "person")
        )
    sizes = view.release.hiding_sizes
    spread = look.range_text(f"{sizes.min():,}", f"{sizes.max():,}")
    lost = np.where(view.block >= 0, view.counts - view.kept, 0)
    out = view.block < 0
    text = tr("{people} in {groups} of {spread}.")
    if view.several:
        text = tr("{people} under {pseudonyms:,} pseudonyms in {groups} of {spread}.")
    text = text.format(
        people=counted(int((~out).sum()), "person"),
        pseudonyms=len(view.release.bearers),
        groups=counted(len(sizes), "group"),
        spread=spread,
    )
    text += f" {_lost(view, lost)}"
    if out.any():
        said = tr_n(
            "{people:,} person is suppressed entirely, with {records}",
            "{people:,} people are suppressed entirely, with {records}",
            int(out.sum()),
        )
        records = counted(int(view.counts[out].sum()), "record")
        text += ". " + said.format(people=int(out.sum()), records=records)
    nobody = int((view.persons.numbers < 0).sum())
    if nobody:
        records = counted(nobody, "record")
        text += ". " + tr("Also suppressed, because the person is missing: {records}").format(records=records)
    return text + "."


def _lost(view: HistoryView, lost: np.ndarray) -> str:
    """Return a sentence on the suppressed records of published histories; ``lost``: their number by
    person."""
    total = int(view.counts.sum())
    if not lost.any():
        return tr("All of their records are published")
    gone = int(lost.sum())
    facts = {"lost": gone, "total": counted(total, "record"), "percent": 100 * lost.sum() / total}
    if view.several:
        return tr_n(
            "{lost:,} of {total} ({percent:.1f} %) has no others to hide among and is suppressed",
            "{lost:,} of {total} ({percent:.1f} %) have no others to hide among and are suppressed",
            gone,
        ).format(**facts)
    inside = view.block >= 0
    by_group = np.bincount(view.block[inside], lost[inside], view.groups)
    worst = int(np.argmax(by_group))
    first = 1 + int(view.place[view.block == worst].min())
    return tr_n(
        "{lost:,} of {total} ({percent:.1f} %) is suppressed, because others in the group have fewer records;"
        " the group that begins with person {first} loses most: {worst:,}",
        "{lost:,} of {total} ({percent:.1f} %) are suppressed, because others in the group have fewer"
        " records; the group that begins with person {first} loses most: {worst:,}",
        gone,
    ).format(first=first, worst=int(by_group[worst]), **facts)


def person_sentence(view: HistoryView, person: int) -> str:
    """Return sentences on the published records of one person, without the name."""
    count, kept = int(view.counts[person]), int(view.kept[person])
    where = tr("Person {person} has {records}").format(
        person=int(view.place[person]) + 1, records=counted(count, "record")
    )
    if not kept:
        return tr("{where}; all of them are suppressed.").format(where=where)
    own = np.flatnonzero((view.persons.numbers == person) & ~view.release.suppressed)
    names = np.unique(view.release.pseudonyms[own])
    under = tr("{count} pseudonyms that nothing links").format(count=len(names))
    if len(names) == 1:
        under = tr("the pseudonym {name}").format(name=names[0])
    others = int(view.release.hidden_among[own].min()) - 1
    published = tr_n("{kept:,} is published under {under}", "{kept:,} are published under {under}", kept)
    if kept == count:
        published = tr("All are published under {under}")
    same = tr_n(
        "{others:,} other person has the same published history, row by row.",
        "{others:,} other people have the same published history, row by row.",
        others,
    )
    return f"{where}. {published.format(kept=kept, under=under)}; {same.format(others=others)}"


def _bars(
    places: np.ndarray, ends: tuple[np.ndarray, np.ndarray], chosen: np.ndarray, name: str, color: str
) -> Settings:
    """Bars of the chosen rows, rows without gaps between them, as one outline of many parts."""
    y, a, b = (array[chosen].astype(np.float64) for array in (places, *ends))
    gap = np.full(len(y), np.nan)
    x = np.column_stack([a, b, b, a, gap]).reshape(-1).astype(np.float32)
    height = np.column_stack([y - 0.5, y - 0.5, y + 0.5, y + 0.5, gap]).reshape(-1).astype(np.float32)
    filled: Settings = {"fill": "toself", "fillcolor": color, "line": {"width": 0, "simplify": False}}
    return scatter("lines", x, height, name=name, showlegend=bool(name), **filled)


def _picks(view: HistoryView, people: np.ndarray, places: np.ndarray) -> Settings:
    """Unseen points at the ends of the bars, to hover over and to click."""
    some = evenly(len(people), _PICKS)
    who = people[some]
    facts = np.column_stack([who + 1, places[some], view.counts[who], view.kept[who], view.block[who] + 1])
    told = (
        "person %{customdata[1]}, group %{customdata[4]}<br>%{customdata[3]:,} of %{customdata[2]:,}"
        " records are published"
    )
    ends = np.maximum(view.kept[who], 1)
    return clicks(ends, places[some], facts.astype(np.int32), told, showlegend=False)


def _mark(view: HistoryView, person: int | None, shown: tuple[int, int], theme: str) -> Settings:
    """A pointer at the end of the chosen person's bar; empty where there is none."""
    there = person is not None and shown[0] <= view.place[person] < shown[1]
    x, y = ([int(view.counts[person])], [int(view.place[person]) + 1]) if there else ([], [])
    marker = {"symbol": "triangle-left", "size": 11, "color": look.theme_of(theme).accent}
    return scatter("markers", x, y, showlegend=False, cliponaxis=False, marker=marker, **UNDIMMED)


def _names(block: np.ndarray, places: np.ndarray, theme: str) -> list[Settings]:
    """The numbers of the groups, where they are few enough to be read."""
    found, color = [group for group in np.unique(block).tolist() if group >= 0], look.theme_of(theme).muted
    middle = {group: float(places[block == group].mean()) for group in found if len(found) <= _NAMED}
    return [
        note(tr("group {number}").format(number=g + 1), 1, y, color, paper="x", anchor="right")
        for g, y in middle.items()
    ]


@dataclass(frozen=True, eq=False)
class Lengths:
    """People by how many records they have, the longest histories first: ``low`` and ``high``, the least and
    the most records of a bin; ``people``, ``counts``, ``kept``: how many people, records and published
    records it has; ``first``: the number of the person in it who loses most."""

    low: np.ndarray
    high: np.ndarray
    people: np.ndarray
    counts: np.ndarray
    kept: np.ndarray
    first: np.ndarray

    @classmethod
    def of(cls, view: HistoryView) -> Lengths:
        """Bins that end at powers of two, or where there are few also halfway between; empty ones are left
        out. Cost O(n log n)."""
        ends = _ends(int(view.counts.max()))
        bin_of = np.searchsorted(ends, view.counts)
        lost = view.counts - view.kept
        found = np.unique(bin_of)[::-1]
        members = [np.flatnonzero(bin_of == one) for one in found]
        return cls(
            np.append(0, ends)[found] + 1,
            ends[found],
            np.array([len(some) for some in members]),
            np.array([view.counts[some].sum() for some in members]),
            np.array([view.kept[some].sum() for some in members]),
            np.array([some[np.argmax(lost[some])] for some in members]),
        )

    @property
    def names(self) -> list[str]:
        """The numbers of records of each bin, as people read them."""
        ends = zip(self.low.tolist(), self.high.tolist(), strict=True)
        return [f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in ends]

    @property
    def lost(self) -> np.ndarray:
        """Return how many records of each bin are suppressed."""
        found: np.ndarray = self.counts - self.kept
        return found


def _ends(most: int) -> np.ndarray:
    """The most records of each bin: 1, 2, 4, 8 …, with 3, 6, 12 … between them while that are few."""
    powers = 2 ** np.arange(int(most - 1).bit_length() + 1)
    if len(powers) > _FEW_OCTAVES:
        return powers
    return np.unique(np.concatenate([powers, 3 * powers[:-1] // 2])) if len(powers) > 1 else powers


def lengths_figure(view: HistoryView, theme: str = "light") -> look.Figure:
    """A bar for each bin of `Lengths`: the published and the suppressed share of its records, and, at its
    end, how many people it has.

    Each point's ``customdata`` begins with the number, counted from 1, of the person in the bin who loses
    most. Cost O(people log people).
    """
    found = Lengths.of(view)
    ends = [counted(count, "person") for count in found.people.tolist()]
    across = {"range": [0, 1], "tickformat": ".0%", "fixedrange": True}
    return look.figure(
        _length_bars(found, theme),
        theme,
        lengths_sentence(view),
        height=26 * len(found.people) + 104,
        barmode="stack",
        annotations=end_notes(ends, theme),
        uirevision="lengths",
        dragmode=False,
        showlegend=True,
        xaxis=look.axis(theme, tr("Share of their records"), **across),
        yaxis=look.axis(theme, tr("Records of a person")) | rows(found.names, theme),
        margin=margin(8, 84, 34, 8),
        legend=legend(1, yref="paper", traceorder="normal", itemclick=False, itemdoubleclick=False),
    )


def _length_bars(lengths: Lengths, theme: str) -> list[Settings]:
    colors, share = look.theme_of(theme), lengths.kept / lengths.counts
    facts = np.column_stack([lengths.first + 1, lengths.people, lengths.counts, lengths.kept, lengths.lost])
    told = tr(
        "records each: %{hovertext}, people: %{customdata[1]:,}<br>published: %{customdata[3]:,} of their"
        " records, %{customdata[2]:,}; suppressed: %{customdata[4]:,}"
    )
    more = {
        "orientation": "h",
        "width": 0.72,
        "hovertext": lengths.names,
        "customdata": facts.astype(np.int64),
    }
    places = np.arange(len(share))
    return [
        bars(share, places, told, colors.lines[0], name=tr("published"), **more),
        bars(1 - share, places, told, look.faded(colors.muted, 0.35), name=tr("suppressed"), **more),
    ]


def lengths_sentence(view: HistoryView) -> str:
    """Return a sentence on the length of histories that lose most records, and the shares that they and the
    others lose."""
    found = Lengths.of(view)
    lost, total = found.lost, int(found.lost.sum())
    if not total:
        return tr("No record is suppressed.")
    worst = int(np.argmax(lost))
    rest, others = total - int(lost[worst]), int(found.counts.sum() - found.counts[worst])
    says = tr(
        "Histories of length {names} ({people}) lose {lost:,} of the {total} suppressed, {share} % of their"
        " own records"
    ).format(
        lost=int(lost[worst]),
        total=counted(total, "record"),
        people=counted(int(found.people[worst]), "person"),
        names=found.names[worst],
        share=look.percent_text(lost[worst] / found.counts[worst]),
    )
    if not others:
        return f"{says}."
    return f"{says}; " + tr("all other histories lose {share} %.").format(
        share=look.percent_text(rest / others)
    )


def many_people(view: HistoryView, theme: str = "light") -> tuple[look.Figure, str]:
    """All people with the sentence of the picture: as rows while they are few, else by the length of their
    histories."""
    if len(view.counts) <= ROWS_AT_MOST:
        return people_figure(view, theme=theme), people_sentence(view)
    return lengths_figure(view, theme), lengths_sentence(view)

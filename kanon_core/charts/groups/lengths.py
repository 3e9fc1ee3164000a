"""Many people at a glance: what is published of short and of long histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kanon_core.base.words import counted, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, bars, end_notes, legend, margin, rows
from kanon_core.charts.groups.people import HistoryView, people_figure, people_sentence

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROWS_AT_MOST = 60
"""So many people can be told apart as rows."""
_FEW_OCTAVES = 6


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
        """How many records of each bin are left out."""
        found: np.ndarray = self.counts - self.kept
        return found


def _ends(most: int) -> np.ndarray:
    """The most records of each bin: 1, 2, 4, 8 …, with 3, 6, 12 … between them while that are few."""
    powers = 2 ** np.arange(int(most - 1).bit_length() + 1)
    if len(powers) > _FEW_OCTAVES:
        return powers
    return np.unique(np.concatenate([powers, 3 * powers[:-1] // 2])) if len(powers) > 1 else powers


def lengths_figure(view: HistoryView, theme: str = "light") -> go.Figure:
    """A bar for each bin of `Lengths`: the share of its records that is published, and that which is left
    out; at its end, how many people it has.

    Each point's ``customdata`` begins with the number, counted from 1, of the person in the bin who loses
    most. Cost O(people log people).
    """
    found = Lengths.of(view)
    ends = [counted(count, "person") for count in found.people.tolist()]
    across = {"range": [0, 1], "tickformat": ".0%", "fixedrange": True}
    return look.figure(
        _bars(found, theme),
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


def _bars(found: Lengths, theme: str) -> list[Settings]:
    colors, share = look.theme_of(theme), found.kept / found.counts
    facts = np.column_stack([found.first + 1, found.people, found.counts, found.kept, found.lost])
    told = tr(
        "records each: %{hovertext}, people: %{customdata[1]:,}<br>published: %{customdata[3]:,} of their"
        " records, %{customdata[2]:,}; left out: %{customdata[4]:,}"
    )
    more = {"orientation": "h", "width": 0.72, "hovertext": found.names, "customdata": facts.astype(np.int64)}
    places = np.arange(len(share))
    return [
        bars(share, places, told, colors.lines[0], name=tr("published"), **more),
        bars(1 - share, places, told, look.faded(colors.muted, 0.35), name=tr("left out"), **more),
    ]


def lengths_sentence(view: HistoryView) -> str:
    """Histories of which length lose most records, what share of theirs that is, and what share the others
    lose."""
    found = Lengths.of(view)
    lost, total = found.lost, int(found.lost.sum())
    if not total:
        return tr("No record of any of the {people} is left out.").format(
            people=counted(len(view.counts), "person")
        )
    worst = int(np.argmax(lost))
    rest, others = total - int(lost[worst]), int(found.counts.sum() - found.counts[worst])
    says = tr(
        "Of {total} left out, histories of length {names} ({people}) lose {lost:,}, {share} % of what they"
        " have"
    ).format(
        lost=int(lost[worst]),
        total=counted(total, "record"),
        people=counted(int(found.people[worst]), "person"),
        names=found.names[worst],
        share=look.percent_text(lost[worst] / found.counts[worst]),
    )
    if not others:
        return f"{says}."
    return f"{says}; " + tr("of all others {share} % are left out.").format(
        share=look.percent_text(rest / others)
    )


def many_people(view: HistoryView, theme: str = "light") -> tuple[go.Figure, str]:
    """All people with the sentence of the picture: as rows while they are few, else by the length of their
    histories."""
    if len(view.counts) <= ROWS_AT_MOST:
        return people_figure(view, theme=theme), people_sentence(view)
    return lengths_figure(view, theme), lengths_sentence(view)

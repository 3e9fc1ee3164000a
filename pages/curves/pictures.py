"""Pictures of the desk: columns before and after, correlations, clusters and maps, on the same scales."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr, tr_n
from kanon_core.charts.canvas.theme import percent_text
from kanon_core.charts.concealment.overlapping import set_figure
from kanon_core.charts.curves.pins import PinLook
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.groups.clusters import cluster_figure
from kanon_core.charts.maps.boxes import places_of
from kanon_core.charts.maps.facts import Placed
from kanon_core.charts.table.columnbins import ColumnBins, bins_figure
from kanon_core.charts.table.correlations import (
    COLUMNS_AT_MOST,
    correlated,
    correlation_figure,
    correlations,
)
from pages.curves.pinned import Summary, bins_of, summary_of
from pages.shell.frame import theme
from pages.state.keys import kept
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.layout import drawn
from pages.widgets.mapview import POINTS_AT_MOST, MapPlacement, map_view
from pages.widgets.pickers import first_axes
from pages.widgets.text import heading, line, note

if TYPE_CHECKING:
    import plotly.graph_objects as go

_COLUMNS, _TICKS = 8, 4
_HEIGHT = 300
_GRID = "display:grid;gap:.4rem 1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,13rem),1fr))"
_NAME = "font-weight:600;margin:.5rem 0 .1rem;overflow-wrap:anywhere"
_SAID = "font-size:.84rem;opacity:.8"
Made = dict[str, Summary]
KeptPicture = Callable[[tuple[object, ...], Callable[[], str]], str]


def pictures(session: Session, pins: dict[str, Setting], looks: dict[str, PinLook]) -> None:
    """Show the pictures of the pins that are computed."""
    found = {letter: summary_of(session, one) for letter, one in pins.items()}
    made = {letter: one for letter, one in found.items() if isinstance(one, Summary) and letter in looks}
    if not made:
        return
    first, keys = next(iter(made)), tuple(pins[letter].key for letter in made)

    def kept_picture(look: tuple[object, ...], make: Callable[[], str]) -> str:
        """Return a picture of all pins, made once for them whatever the current setting is."""
        return session.picture((*look, *made, *keys, theme()), make, pins[first])

    histograms(session, made, looks, kept_picture)
    heat_maps(session, made, kept_picture)
    releases = {letter: session.kept(one) for letter, one in pins.items() if letter in made}
    clusters(session, pins, releases)
    maps(session, pins, releases)


def histograms(session: Session, made: Made, looks: dict[str, PinLook], kept_picture: KeptPicture) -> None:
    """Show each quasi-identifier before and after, the pins side by side; of many columns those that change
    most."""
    heading(tr("Columns before and after"))
    bins = bins_of(session.table)
    worst = sorted(bins, key=lambda one: -max(one.moved(found.after[one.name]) for found in made.values()))
    note(
        tr(
            "Wide gray bars count the original records, narrow bars the published ones: an interval counts as"
            " its middle, each value of a set counts alike. All settings share the bars and the scale of a"
            " column. “Moved” is the share of the published records that would have to change bars for the"
            " original shares."
        )
    )
    if len(worst) > _COLUMNS:
        says = tr("All columns ({count})").format(count=len(worst))
        every = st.toggle(says, key=kept("desk columns", False))
        worst = worst if every else worst[:_COLUMNS]
    names = tuple(one.name for one in worst)
    colors = tuple(looks[letter].color for letter in made)
    rows = kept_picture((*names, *colors), lambda: "".join(_column(one, made, looks) for one in worst))
    drawn(rows, "desk-columns")


def _column(bins: ColumnBins, made: Made, looks: dict[str, PinLook]) -> str:
    """Return the row of a column as HTML."""
    counts = {letter: found.after[bins.name] for letter, found in made.items()}
    most = max(float(one.max(initial=0)) for one in (bins.before, *counts.values()))
    parts = []
    for letter, after in counts.items():
        figure = bins_figure(bins, after, most, looks[letter].color, theme())
        says = tr("{letter}: moved {percent} %")
        said = says.format(letter=letter, percent=percent_text(bins.moved(after)))
        parts.append((said, drawing(figure)))
    return f'<div style="{_NAME}">{escape(bins.name)}</div>{_grid(parts)}'


def _grid(parts: list[tuple[str, str]]) -> str:
    """Return drawings side by side, each below its words; one below another where there is no room."""
    cells = (f'<div><div style="{_SAID}">{escape(said)}</div>{one}</div>' for said, one in parts)
    return f'<div style="{_GRID}">{"".join(cells)}</div>'


def heat_maps(session: Session, made: Made, kept_picture: KeptPicture) -> None:
    """Show the correlations of numbers and dates before and after."""
    if not correlated(session.table):
        return
    heading(tr("Correlations before and after"))
    drawn(kept_picture(("correlations",), lambda: _correlations(session.table, made)), "desk-correlations")
    says = tr("Pearson's r of each pair of numbers or dates: −1 is orange, 0 gray, 1 blue in every picture.")
    if sum(column.attribute.is_numeric for column in session.table.quasi) > COLUMNS_AT_MOST:
        says += " " + tr_n(
            "Only the first column is shown.", "Only the first {count} columns are shown.", COLUMNS_AT_MOST
        ).format(count=COLUMNS_AT_MOST)
    note(says)


def _correlations(table: kc.Table, made: Made) -> str:
    """Return the heat maps of the original and of each pin as HTML."""
    names, true = [one.attribute.name for one in correlated(table)], _true(table)
    parts = [(tr("Original"), drawing(correlation_figure(names, true, theme())))]
    for letter, found in made.items():
        apart = np.abs(found.correlations - true)[np.tril_indices(len(names), -1)]
        says = tr("{letter}: changed by {mean:.2f} on average, at most {most:.2f}")
        said = says.format(letter=letter, mean=apart.mean(), most=apart.max())
        parts.append((said, drawing(correlation_figure(names, found.correlations, theme()))))
    return _grid(parts)


def _true(table: kc.Table) -> np.ndarray:
    return table.once("desk correlations", lambda: correlations(table))


def clusters(session: Session, pins: dict[str, Setting], releases: dict[str, kc.Release | None]) -> None:
    """Show the groups of each pin on the same axes and with the same colors."""
    heading(tr("Clusters"))
    axes = first_axes(session)
    for place, letter in zip(st.columns(len(releases), gap="medium"), releases, strict=True):
        release, setting = releases[letter], pins[letter]

        def make(release: kc.Release | None = release) -> str | None:
            return None if release is None else drawing(_groups(session, release, axes), _HEIGHT)

        with place:
            line("", letter)
            picture = session.picture(("desk", *axes, theme(), release is None), make, setting)
            if picture is None:
                _gone(letter)
            else:
                drawn(picture, f"desk-clusters-{letter}")


def _groups(session: Session, release: kc.Release, axes: tuple[str | None, str | None]) -> go.Figure:
    if release.guarantee.disjoint:
        figure = cluster_figure(session.table, release, *axes, "rectangles", None, theme())
    else:
        figure = set_figure(session.table, release, 0, *axes, "rectangles", theme())
    if not figure.layout.xaxis.tickvals:
        figure.update_xaxes(nticks=_TICKS)
    return figure


def _gone(letter: str) -> None:
    says = tr(
        "This release of a large table is not in memory any more. Press “Use {letter}” to compute it again."
    )
    note(says.format(letter=letter))


def maps(session: Session, pins: dict[str, Setting], releases: dict[str, kc.Release | None]) -> None:
    """Show the rectangles of each pin on maps that move together and share their colors; nothing for a table
    without places."""
    named = places_of(session.table)
    there = {letter: release for letter, release in releases.items() if release is not None}
    if named is None or not there:
        return
    heading(tr("Maps"))
    placed = {letter: _placed(session, pins[letter], release, named) for letter, release in there.items()}
    look = {"controls": False, "points": len(session.table) <= POINTS_AT_MOST}
    for place, (letter, release) in zip(st.columns(len(there), gap="medium"), there.items(), strict=True):
        with place:
            line("", letter)
            where = MapPlacement(f"desk-{letter}", f"{_HEIGHT}px", "desk", look, pins[letter])
            map_view(session, release, placed[letter].boxes, where)
            note(" · ".join(f"{name} {text}" for name, text in placed[letter].facts()))


def _placed(session: Session, setting: Setting, release: kc.Release, named: tuple[str, str]) -> Placed:
    return session.picture(("placed",), lambda: Placed.of(setting.title, release, named), setting)

"""Reproduced rows as tables and as figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from kanon_core.base.words import later, number_text, tr
from kanon_core.charts.curves.papers import Line, lines_figure, reproduced_figure
from kanon_core.papers import Part, Row
from kanon_core.papers.frame import above_text, compared_text, papers_text
from pages.shell.frame import theme
from pages.widgets import text
from pages.widgets.layout import chart

_WIDTHS = {
    later("mean"): 88,
    later("range"): 185,
    later("paper"): 105,
    later("ratio"): 70,
    later("above optimum"): 125,
}
_PLACES = (later("method"), later("added"))


def draw_tables(rows: Sequence[Row]) -> None:
    """Draw one table for each part."""
    for part in dict.fromkeys(row.part for row in rows):
        text.heading(part.title)
        mine = [_texts(row) for row in rows if row.part == part]
        config = _columns(mine)
        st.dataframe(mine, "content", "content", hide_index=True, column_config=config, alt=part.title)
        text.note(f"{part.data}. {compared_text(part)}")


def _columns(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the width of each column: names are never cut, as they may differ only at their end."""
    count, words = st.column_config.NumberColumn, st.column_config.TextColumn
    places = {"k": count(width=40), "records": count(tr("records"), format="localized")}
    longest = {name: max(len(str(row.get(name, ""))) for row in rows) for name in _PLACES}
    named = {name: words(tr(name), width=max(155, 7 * longest[name] + 20)) for name in _PLACES}
    numbers = {name: words(tr(name), width=w, alignment="right") for name, w in _WIDTHS.items()}
    return {**places, **named, **numbers}


def _texts(row: Row) -> dict[str, Any]:
    def number(value: float) -> str:
        return f"{value:,.{row.part.digits}f}"

    spread = f"{number(min(row.values))} – {number(max(row.values))}"
    ratio = "" if row.ratio is None else number_text(float(f"{row.ratio:.3g}"))
    return {
        **row.place,
        "mean": number(row.mean),
        **({"paper": papers_text(row), "ratio": ratio} if row.part.papers_data else {}),
        **({"range": spread} if len(row.values) > 1 else {}),
        **({} if row.floor is None else {"above optimum": above_text(row)}),
    }


def beside(count: int, names: Iterable[Any]) -> Iterable[Any]:
    """Yield each name inside its place, ``count`` to a row."""
    for number, name in enumerate(names):
        if number % count == 0:
            sides = st.columns(count, gap="medium")
        with sides[number % count]:
            yield name


def draw_lines(lines: Mapping[Part, Mapping[str, Line]], axis: Callable[[Part], str]) -> None:
    """Draw one chart for each part, two in a row, with a line for each name."""
    for part in beside(2, lines):
        figure = lines_figure(lines[part], (axis(part), part.unit), theme())
        text.line("", part.title)
        text.note(chart(figure, f"lines of {part.called}"))


def draw_figures(rows: Sequence[Row], axis: Callable[[Part], str]) -> None:
    """Draw one chart for each part that is a figure, two in a row."""
    parts = (part for part in dict.fromkeys(row.part for row in rows) if axis(part))
    for part in beside(2, parts):
        mine = [row for row in rows if row.part == part]
        places = [int(next(iter(row.place.values()))) for row in mine]
        values, printed = [row.values for row in mine], [row.printed for row in mine]
        figure = reproduced_figure(places, values, printed, (axis(part), part.unit), theme())
        text.line("", part.title)
        text.note(chart(figure, f"again {part.table}"))

"""Reproduction of figures 7 to 11 of the paper on item sets."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_core.base.words import later, tr
from kanon_core.charts.sets.itemsets import item_columns
from kanon_core.papers import Part, Row
from kanon_core.papers.itemsets import SetFigures
from kanon_core.papers.itemsets_runs import BESIDE
from pages.papers.panel import Panel, Progress, Wanted, data_and_samples
from pages.papers.rows import draw_figures, draw_lines
from pages.state.keys import Key
from pages.state.session import Session

MADE: Key[Progress | None] = Key("figures made again", None)


def _wanted(session: Session) -> Wanted:
    """Return the chosen reproduction and its table."""
    columns = item_columns(session.table)
    source, seeds = data_and_samples(session, bool(columns), key="figures made again")
    if source is None:
        return SetFigures(seeds=seeds), None
    alone = len(columns) == len(session.table.quasi)
    return SetFigures(figures="baskets" if alone else "receipts", seeds=seeds), source


def _axis(part: Part) -> str:
    """Return the horizontal axis of a figure; "" for the sizes of tables 2 and 3, which are no figure."""
    if not part.table.startswith("figure"):
        return ""
    return tr("number of quasi-identifiers") if part.table == "figure 8" else "k"


def _draw(rows: Sequence[Row]) -> None:
    """Draw the paper's figures and the additional ones, with a line for each method."""
    draw_figures(rows, _axis)
    lines: dict[Part, dict[str, dict[float, float]]] = {}
    for row in rows:
        if row.part.table.startswith(BESIDE):
            mine = lines.setdefault(row.part, {})
            mine.setdefault(str(row.place["method"]), {})[float(row.place["k"])] = row.mean
    draw_lines(lines, lambda part: "k")


FIGURES = Panel(
    title=later("Reproduce figures 7 to 11 of the paper"),
    about=later(
        "Suppressed items and running time on this machine, by k, by number of quasi-identifiers and by size,"
        " compared with the few numbers that the paper prints. For baskets, other methods are included."
    ),
    start=later("Compute the figures"),
    file="figures-7-to-11.csv",
    state=MADE,
    wanted=_wanted,
    draw=_draw,
)

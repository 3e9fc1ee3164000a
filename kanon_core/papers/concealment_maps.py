"""Figures 4 to 10 of the k-concealment paper: 100 people as points, and at k = 2 by six methods."""

from __future__ import annotations

from html import escape

from branca.element import Element

from kanon_core.base.words import counted, tr
from kanon_core.charts.maps.offline import OfflineMap
from kanon_core.charts.maps.rectangle_map import place_columns, rectangle_map
from kanon_core.metrics import MatchingCost
from kanon_core.papers.concealment import FIGURES, figure_title
from kanon_core.runs.run import anonymize
from kanon_core.table.reading import read_table
from kanon_core.table.table import Table

SAMPLE, K = "sample:people-100", 2


def figures(table: Table | None = None, seed: int = 1) -> dict[str, OfflineMap]:
    """Return the maps by the names of their files, ``figure-4.html`` to ``figure-10.html``.

    ``table``: about 100 records with a latitude and a longitude, which alone are quasi-identifiers; None: our
    sample. Each map but the first shows the cost of its method, Σ d(j, P(j)).

    Reference: k-concealment paper, §4, figures 4 to 10.
    """
    table = read_table(SAMPLE) if table is None else table
    table = table.with_schema(table.schema.with_quasi(list(place_columns(table))))
    points = rectangle_map(table)
    found = {"figure-4.html": _titled(points, counted(len(table), "person"))}
    for number, algorithm in enumerate(FIGURES, start=5):
        release = anonymize(table, algorithm, K, seed)
        cost = MatchingCost().text(MatchingCost().evaluate(table, release).total)
        says = tr("{title}, k = {k}: cost {cost}").format(title=figure_title(algorithm), k=K, cost=cost)
        found[f"figure-{number}.html"] = _titled(rectangle_map(table, release, points=True), says)
    return found


def _titled(made: OfflineMap, says: str) -> OfflineMap:
    figure = made.get_root()
    figure.title = escape(says)
    figure.html.add_child(Element(f'<p class="kanon-title">{escape(says)}</p>'), name="title")
    return made

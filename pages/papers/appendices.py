"""Reproduction of the papers' one-line figures, appendices and listed methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kanon_core.base.words import later, tr
from kanon_core.papers import Reproduction, Row
from kanon_core.papers.maskings import MaskingTable
from kanon_core.papers.matchings import MatchingFigures
from kanon_core.papers.mil import MILFigures, ThesisTables
from pages.papers.panel import Panel, Progress
from pages.papers.rows import draw_lines
from pages.state.keys import Key


def _draw(rows: Sequence[Row]) -> None:
    """Draw every figure over a number, two in a row."""
    figures = [part for part in dict.fromkeys(row.part for row in rows) if part.table.startswith("figure")]
    drawn = {part: found for part in figures if (found := _lines([r for r in rows if r.part == part]))}
    axes = {row.part: next(iter(row.place)) for row in rows}
    draw_lines(drawn, lambda part: tr(axes[part]))


def _lines(rows: Sequence[Row]) -> dict[str, dict[float, float]]:
    """Return the lines of a figure by the place of their rows beside the number, each with the mean by that
    number. A single line needs no name. Return none without numbers or with few of them."""
    found: dict[str, dict[float, float]] = {}
    for row in rows:
        at, *rest = row.place.values()
        number = str(at).split(" ")[0]
        if not number.lstrip("-").replace(".", "", 1).isdigit():
            return {}
        found.setdefault(" ".join(map(str, rest)), {})[float(number)] = row.mean
    if max(map(len, found.values()), default=0) <= 10:
        return {}
    return found if len(found) > 1 else {"": next(iter(found.values()))}


def _fixed(
    chosen: Reproduction, title: str, about: str, start: str, draw: Callable[[Sequence[Row]], None] | None
) -> Panel:
    """Return the panel of a reproduction without controls."""
    state = Key[Progress | None](f"{chosen.name} made again", None)
    return Panel(title, about, start, f"{chosen.name}.csv", state, lambda _: (chosen, None), draw=draw)


MATCHINGS = _fixed(
    MatchingFigures(),
    later("Reproduce the counts of perfect matchings (proposition 2.1) and figures 3, 11 and 12"),
    later(
        "Number of symmetric and of cyclic perfect matchings of n people, and distances of all"
        " pairs of visits and of households."
    ),
    later("Compute the counts and figures"),
    _draw,
)
THESIS = _fixed(
    ThesisTables(seeds=6, largest=100),
    later("Reproduce tables 3.1, 3.2, A.2 to A.4 and A.9 of the ILD paper"),
    later(
        "ILD of eight prefectures with three distances, and the reduction of loss by MIL on"
        " samples of DS0, DS1 and DS9."
    ),
    later("Compute the tables"),
    None,
)
MASKINGS = _fixed(
    MaskingTable(records=300, seeds=2),
    later("Measure the methods listed in §2.2.1"),
    later(
        "Coding, rounding, noise, swapping and sampling guarantee no k. The table shows their loss by ILD and"
        " the number of records that are re-identified, compared with microaggregation."
    ),
    later("Compute the comparison"),
    None,
)
MIL_FIGURES = _fixed(
    MILFigures(seeds=3, largest=100),
    later("Reproduce figures 1 to 9 of the MIL paper, for every k"),
    later(
        "Loss of MDAV and V-MDAV before and after MIL for k = 2 … N / 2, the densities of DS1 and"
        " DS9, and the judgement count of MIL."
    ),
    later("Compute the figures"),
    _draw,
)

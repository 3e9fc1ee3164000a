"""The five papers behind Kanon: the subject of each, and its tables and figures, made again beside its own
numbers."""

from __future__ import annotations

from typing import NamedTuple

from kanon_core.base.words import later, tr
from pages.papers import appendices, concealment, itemsets, losses, mil, purchases
from pages.papers.panel import Panel, reproduce_panel
from pages.state.session import Session
from pages.widgets.pickers import menu
from pages.widgets.text import note


class Paper(NamedTuple):
    """A paper: its title, its content in a sentence, and the reproductions of it."""

    title: str
    about: str
    panel: Panel


PAPERS = {
    "concealment": Paper(
        later("k-concealment by matchings"),
        later(
            "Nobody has to be in a closed group to hide among k: the paper finds k matchings between records"
            " and published rows by lotteries and by tours."
        ),
        concealment.TABLES,
    ),
    "matchings": Paper(
        later("Kinds of perfect matchings"),
        later(
            "Of n! matchings few are symmetric, as in closed pairs, and few lead around in one circle, as"
            " tours do."
        ),
        appendices.MATCHINGS,
    ),
    "sets": Paper(
        later("Sets and single values, without a hierarchy"),
        later(
            "Receipts with ages and towns become k-anonymous by cutting groups from the top down and leaving"
            " out the items that too few share."
        ),
        itemsets.FIGURES,
    ),
    "purchases": Paper(
        later("Purchase histories"),
        later(
            "People with many records hide among k people with equally long histories; categories in place of"
            " products make it safer."
        ),
        purchases.TABLES,
    ),
    "loss": Paper(
        later("ILD, a measure of loss"),
        later(
            "How much is lost is measured by the distances between values, so that numbers and categories are"
            " counted alike."
        ),
        losses.FIGURES,
    ),
    "thesis": Paper(
        later("ILD: prefectures, and MIL on other samples"),
        later(
            "How much eight prefectures lose as four regions depends on what their distance is said to be."
        ),
        appendices.THESIS,
    ),
    "maskings": Paper(
        later("ILD of methods that promise no k"),
        later(
            "A measure that needs distances alone measures whatever is published: rounded, noisy, swapped or"
            " sampled values too."
        ),
        appendices.MASKINGS,
    ),
    "mil": Paper(
        later("MIL, which repairs groups of numbers"),
        later(
            "Records at the edge of a group of numbers move to the next one as long as that lowers the"
            " squared error and leaves k in every group."
        ),
        mil.TABLES,
    ),
    "mil-figures": Paper(
        later("MIL at every k"),
        later(
            "How much moving records between neighboring groups helps depends on what is left of N divided by"
            " k."
        ),
        appendices.MIL_FIGURES,
    ),
}
"""The papers, by the word of `kanon reproduce`."""


def papers_view(session: Session) -> None:
    """Choose a paper, and make its tables and figures again. Draw it last on its page, and in no fragment."""
    names = {name: tr(paper.title) for name, paper in PAPERS.items()}
    paper = PAPERS[menu(tr("Paper"), names, "paper")]
    note(tr(paper.about))
    reproduce_panel(session, paper.panel)

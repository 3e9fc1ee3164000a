"""Papers of Kanon: the subject of each, and its tables and figures reproduced beside its own numbers."""

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
            "k-concealment needs no disjoint groups. The paper finds k matchings between records"
            " and published rows, by lotteries and by tours."
        ),
        concealment.TABLES,
    ),
    "matchings": Paper(
        later("Kinds of perfect matchings"),
        later(
            "Few of the n! matchings are symmetric, such as disjoint pairs, and few form one"
            " cycle, such as tours."
        ),
        appendices.MATCHINGS,
    ),
    "sets": Paper(
        later("Sets and single values, without a hierarchy"),
        later(
            "The method makes receipts with ages and towns k-anonymous. It cuts groups from the"
            " top down and suppresses items that too few records share."
        ),
        itemsets.FIGURES,
    ),
    "purchases": Paper(
        later("Purchase histories"),
        later(
            "Each person with many records hides among k people with equally long histories."
            " Categories instead of products increase safety."
        ),
        purchases.TABLES,
    ),
    "loss": Paper(
        later("ILD, a measure of loss"),
        later(
            "ILD measures loss by the distances between values, so it treats numbers and categories alike."
        ),
        losses.FIGURES,
    ),
    "thesis": Paper(
        later("ILD: prefectures, and MIL on other samples"),
        later(
            "The loss from generalizing eight prefectures to four regions depends on the distance"
            " between prefectures."
        ),
        appendices.THESIS,
    ),
    "maskings": Paper(
        later("ILD of methods without a guaranteed k"),
        later(
            "ILD needs only distances. It can measure any published values, including rounded,"
            " noisy, swapped or sampled ones."
        ),
        appendices.MASKINGS,
    ),
    "mil": Paper(
        later("MIL: improving groups of numbers"),
        later(
            "Records at the edge of a group of numbers move to the next group while this lowers"
            " the squared error and leaves k records in every group."
        ),
        mil.TABLES,
    ),
    "mil-figures": Paper(
        later("MIL at every k"),
        later(
            "The gain from moving records between neighboring groups depends on the remainder of"
            " N divided by k."
        ),
        appendices.MIL_FIGURES,
    ),
}
"""The papers, by their name in `kanon reproduce`."""


def papers_view(session: Session) -> None:
    """Choose a paper, and make its tables and figures again. Draw it last on its page, and in no fragment."""
    names = {name: tr(paper.title) for name, paper in PAPERS.items()}
    paper = PAPERS[menu(tr("Paper"), names, "paper")]
    note(tr(paper.about))
    reproduce_panel(session, paper.panel)

"""Menu: all pages with their views, the order for each task, and pages that show nothing of a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from kanon_core.base.words import later
from pages.state.keys import Key
from pages.state.limits import files_refused

if TYPE_CHECKING:
    import kanon_core as kc


class View(NamedTuple):
    """One of the views of a page: its title, and its purpose."""

    title: str
    lead: str


class Screen(NamedTuple):
    """A page: its title, its icon, its purpose, and its views by name, the first of which opens first.
    ``studies``: it has its own tables, and its address does not name the loaded table."""

    title: str
    icon: str
    lead: str
    views: Mapping[str, View] = MappingProxyType({})
    studies: bool = False


_CLUSTERS = {
    "groups": View(
        later("Groups"),
        later("Indistinguishable records: each mark is a record, each outline a group of records."),
    ),
    "sets": View(
        later("Item sets"),
        later("Receipts, baskets and histories: the items that are published and those that are suppressed."),
    ),
    "people": View(
        later("People"),
        later(
            "Tables with many records per person: anonymity sets, suppressed data, and the k that best"
            " balances error and risk."
        ),
    ),
    "matchings": View(
        later("Matchings"),
        later(
            "k-concealment: the rows, at least k, that can belong to each record, and the information loss."
        ),
    ),
}
_CURVES = {
    "curves": View(
        later("Loss over k"), later("Information loss at each k for several algorithms, on your table.")
    ),
    "compare": View(
        later("Pinned settings"),
        later("Every finished setting by its risk and its loss, and up to four of them side by side."),
    ),
    "scorecard": View(
        later("Scorecard"),
        later("Information loss, risk and utility of this release by every measure that suits the table."),
    ),
    "columns": View(later("By column"), later("The loss of each column of this release.")),
    "records": View(later("By record"), later("The loss of each record of this release.")),
    "utility": View(later("Utility"), later("What the release is still good for.")),
}
_RISK = {
    "attackers": View(
        later("By attacker"),
        later("Re-identification risk by attacker, before and after anonymization."),
    ),
    "person": View(
        later("One person"), later("An attack on one person: the rows that fit what the attacker knows.")
    ),
    "table": View(later("The whole table"), later("Attacks on all records of this release.")),
    "releases": View(
        later("Several releases"), later("Attacks by somebody who holds several releases of one table.")
    ),
}
PAGES = {
    "data": Screen(
        later("Data"),
        ":material/table:",
        later(
            "Load a table and set the roles of its columns. The table is sent only to the"
            " computer that runs Kanon."
        ),
    ),
    "tune": Screen(later("Tune"), ":material/tune:", ""),
    "clusters": Screen(later("Clusters"), ":material/bubble_chart:", "", _CLUSTERS),
    "map": Screen(
        later("Map"),
        ":material/map:",
        later("The places of each group and the rectangle to which they are generalized."),
    ),
    "curves": Screen(later("Curves"), ":material/show_chart:", "", _CURVES),
    "risk": Screen(later("Risk"), ":material/person_search:", "", _RISK),
    "check": Screen(
        later("Check"),
        ":material/fact_check:",
        later(
            "Check any released file, made by Kanon or not: its guarantees, the rows that fail, and"
            " the smallest repair."
        ),
    ),
    "release": Screen(
        later("Release"),
        ":material/download:",
        later("Download the table to hand over, and the secret files that reproduce it."),
    ),
    "learn": Screen(
        later("Learn"),
        ":material/school:",
        later("Lessons, the steps of a real run, exercises, and results of the papers reproduced."),
        studies=True,
    ),
}
"""The pages by address, in the order of the menu."""
FIRST = "tune"
"""The page at the address of Kanon itself."""


@dataclass(frozen=True)
class Opening:
    """The menu for a task: ``who`` has it, title, sentence, and the addresses of the first pages, in order.
    All other pages follow in their usual order."""

    who: str
    title: str
    says: str
    order: tuple[str, ...]


OPENINGS: Mapping[str, Opening] = {
    "analyst": Opening(
        later("Analyst"),
        later("Tune k before I hand over data"),
        later("Your table first, then k: its cost and its protection."),
        ("data", "tune", "curves", "release", "check"),
    ),
    "officer": Opening(
        later("Privacy officer"),
        later("Sign a release"),
        later("First the check of a released file, then its re-identification risk."),
        ("check", "risk", "release", "data", "tune"),
    ),
    "teacher": Opening(
        later("Teacher"),
        later("Teach"),
        later("First the lessons, then groups of indistinguishable records."),
        ("learn", "clusters", "tune", "data"),
    ),
}
"""The openings, by their name in the address."""
_SMALLEST_K = 2
NEED_FILES = ("check",)
"""Pages that show nothing without a file."""
ROLE_PARAMETER = "for"
"""The address parameter of the opening, as in ``for=teacher``."""
_OPENING: Key[str] = Key("opening", "")


def chosen_opening() -> str:
    """Return the opening chosen in this tab, "" for none. A new tab follows its address; later the address
    follows the tab."""
    if not _OPENING.is_set:
        _OPENING.set(st.query_params.get(ROLE_PARAMETER, ""))
    return _OPENING.get()


def choose_opening(name: str) -> None:
    """Arrange the menu for a task; "": the default menu."""
    _OPENING.set(name)


def role_in_address() -> dict[str, str]:
    """Return the part of every page's address that names the chosen opening."""
    name = chosen_opening()
    return {ROLE_PARAMETER: name} if name else {}


def first_pages(pages: Collection[str]) -> tuple[str, ...]:
    """Return the pages that the chosen opening puts first, in order; none without an opening."""
    chosen = OPENINGS.get(chosen_opening())
    return tuple(name for name in chosen.order if name in pages) if chosen else ()


def page_to_begin(name: str, pages: Collection[str]) -> str:
    """Return the first page of an opening that is available and can show something."""
    without = NEED_FILES if files_refused() else ()
    return next(page for page in OPENINGS[name].order if page in pages and page not in without)


def unfit_pages(table: kc.Table) -> frozenset[str]:
    """Return the addresses of pages that show nothing of this table with any algorithm; each page says
    why."""
    from kanon_core.charts.maps.boxes import places_of

    return frozenset(() if places_of(table) is not None else ("map",))


def views_of(table: kc.Table) -> tuple[str, ...]:
    """Return the views of Clusters that this table can have with some algorithm."""
    import kanon_core as kc
    from kanon_core.charts.sets.itemsets import item_columns
    from kanon_core.table.people import no_persons

    concealing = (one for one in (cls() for cls in kc.ALGORITHMS) if not one.guarantee(_SMALLEST_K).disjoint)
    fits = {
        "groups": True,
        "sets": bool(item_columns(table)),
        "people": not no_persons(table),
        "matchings": any(not algorithm.unsuitable(table, _SMALLEST_K) for algorithm in concealing),
    }
    return tuple(name for name, fitting in fits.items() if fitting)


FORMER = {
    "explore": FIRST,
    "sets": "clusters/sets",
    "histories": "clusters/people",
    "people": "clusters/people",
    "concealment": "clusters/matchings",
    "matchings": "clusters/matchings",
    "attack": "risk/person",
    "tradeoff": "curves",
    "algorithms": "curves",
    "measure": "curves/scorecard",
    "measures": "curves/scorecard",
    "export": "release",
}
"""The former addresses of pages, with the place of each: a page, or a page and its view."""


def parts_of(place: str) -> tuple[str, str]:
    """Return the page and the view of a place.

    >>> parts_of("clusters/people"), parts_of("map")
    (('clusters', 'people'), ('map', ''))
    """
    page, _, view = place.partition("/")
    return page, view


def other_addresses() -> dict[str, str]:
    """Return the place by each other address: a former one, or that of the first page by its name.

    >>> leads = other_addresses()
    >>> leads["tune"], leads["export"], leads["people"]
    ('tune', 'release', 'clusters/people')
    """
    return {FIRST: FIRST} | FORMER

"""Menu: all pages with their groups, the order for each task, and pages that show nothing of a table."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from kanon_core.base.words import later
from pages.state.keys import Key
from pages.state.limits import files_refused

if TYPE_CHECKING:
    import kanon_core as kc


class Screen(NamedTuple):
    """A page: its title, its icon, its purpose, and its group in the menu. ``studies``: it has its own
    tables, and its address does not name the loaded table."""

    title: str
    icon: str
    lead: str
    group: str = ""
    studies: bool = False


LOOK, COMPARE = later("Inspect"), later("Compare")
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
    "export": Screen(
        later("Release"),
        ":material/download:",
        later("Download the table to hand over, and the secret files that reproduce it."),
    ),
    "check": Screen(
        later("Check"),
        ":material/fact_check:",
        later(
            "Check any released file, made by Kanon or not: its guarantees, the rows that fail, and"
            " the smallest repair."
        ),
    ),
    "learn": Screen(
        later("Learn"),
        ":material/school:",
        later("Lessons, the steps of a real run, exercises, and results of the papers reproduced."),
        studies=True,
    ),
    "risk": Screen(
        later("Risk"),
        ":material/person_search:",
        later("Re-identification risk by attacker, before and after anonymization."),
        LOOK,
    ),
    "clusters": Screen(
        later("Clusters"),
        ":material/bubble_chart:",
        later("Indistinguishable records: each mark is a record, each outline a group of records."),
        LOOK,
    ),
    "map": Screen(
        later("Map"),
        ":material/map:",
        later("The places of each group and the rectangle to which they are generalized."),
        LOOK,
    ),
    "sets": Screen(
        later("Sets"),
        ":material/shopping_basket:",
        later("Receipts, baskets and histories: the items that are published and those that are suppressed."),
        LOOK,
    ),
    "histories": Screen(
        later("People"),
        ":material/receipt_long:",
        later(
            "Tables with many records per person: anonymity sets, suppressed data, and the k that best"
            " balances error and risk."
        ),
        LOOK,
    ),
    "concealment": Screen(
        later("Matchings"),
        ":material/compare_arrows:",
        later(
            "k-concealment: the rows, at least k, that can belong to each record, and the information loss."
        ),
        LOOK,
    ),
    "attack": Screen(
        later("Attack"),
        ":material/radar:",
        later("Attacks on this release: on one person, on the whole table, and with several releases."),
        LOOK,
    ),
    "tradeoff": Screen(
        later("Algorithms"),
        ":material/show_chart:",
        later("Information loss at each k for several algorithms, on your table."),
        COMPARE,
    ),
    "measure": Screen(
        later("Measures"),
        ":material/straighten:",
        later("Information loss, risk and utility of this release."),
        COMPARE,
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
        ("data", "tune", "tradeoff", "measure", "export", "check"),
    ),
    "officer": Opening(
        later("Privacy officer"),
        later("Sign a release"),
        later("First the check of a released file, then its re-identification risk."),
        ("check", "risk", "attack", "export", "data", "tune"),
    ),
    "teacher": Opening(
        later("Teacher"),
        later("Teach"),
        later("First the lessons, then groups of indistinguishable records."),
        ("learn", "clusters", "tune", "concealment", "data"),
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
    import kanon_core as kc
    from kanon_core.charts.maps.boxes import places_of
    from kanon_core.charts.sets.itemsets import item_columns
    from kanon_core.table.people import no_persons

    concealing = (one for one in (cls() for cls in kc.ALGORITHMS) if not one.guarantee(_SMALLEST_K).disjoint)
    shows = {
        "map": places_of(table) is not None,
        "sets": bool(item_columns(table)),
        "histories": not no_persons(table),
        "concealment": any(not algorithm.unsuitable(table, _SMALLEST_K) for algorithm in concealing),
    }
    return frozenset(name for name, fits in shows.items() if not fits)


FORMER = {"explore": FIRST}
"""The former addresses of pages, with the page of each."""


def other_addresses() -> dict[str, str]:
    """Return the page by each of its other addresses: a former one, or its name in the menu.

    >>> leads = other_addresses()
    >>> leads["tune"], leads["release"], leads["people"]
    ('tune', 'export', 'histories')
    """
    names = {screen.title.lower(): name for name, screen in PAGES.items()}
    return {other: name for other, name in (names | FORMER).items() if other == FIRST or other not in PAGES}

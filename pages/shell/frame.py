"""The frame around every screen: pages in the order of the work, style, heading, warm-up.

The heading is drawn before anything slow is imported: this module imports at its top what the heading needs,
and the rest inside functions.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import streamlit as st

from kanon_core.base.assets import APP, ASSETS
from kanon_core.base.words import later, set_language_source, tr
from pages.shell import private
from pages.shell.bar import join, words
from pages.shell.leaving import hold
from pages.shell.openings import arranged, openings
from pages.shell.presence import watch
from pages.shell.threshold import stay_out, way_out
from pages.state.keys import Key, note_page

if TYPE_CHECKING:
    from pages.state.session import Session

NOTHING = later(
    "No column is a quasi-identifier: there is nothing to anonymize. Give at least one that role."
)
_FRAMED, _RUN_AGAIN = Key("framed", False), Key("run again", False)
_UNFIT: Key[frozenset[str]] = Key("not for this table", frozenset())
"""The pages whose entry in the menu says that they show nothing of the table."""


class Screen(NamedTuple):
    """A page: its word in the menu and heading, its icon there, what it is for, and the group of the menu.
    ``studies``: it looks at tables of its own, and its address does not say which table is open."""

    title: str
    icon: str
    lead: str
    group: str = ""
    studies: bool = False


LOOK, COMPARE = later("Look"), later("Compare")
PAGES = {
    "data": Screen(
        later("Data"),
        ":material/table:",
        later(
            "Load a table and say what its columns are. It goes to the computer that runs Kanon, and no"
            " further."
        ),
    ),
    "tune": Screen(later("Tune"), ":material/tune:", ""),
    "export": Screen(
        later("Release"),
        ":material/download:",
        later("The table to hand over, and everything needed to make it again."),
    ),
    "check": Screen(
        later("Check"),
        ":material/fact_check:",
        later("What any released file keeps, ours or not; which rows fail, and the smallest repair."),
    ),
    "learn": Screen(
        later("Learn"),
        ":material/school:",
        later("Lessons, every step of a real run, exercises, and the papers made again."),
        studies=True,
    ),
    "risk": Screen(
        later("Risk"),
        ":material/person_search:",
        later("Who could be found, by what an attacker knows, before and after."),
        LOOK,
    ),
    "clusters": Screen(
        later("Clusters"),
        ":material/bubble_chart:",
        later("Who hides behind whom: each mark is a record, each outline a group of records."),
        LOOK,
    ),
    "map": Screen(
        later("Map"),
        ":material/map:",
        later("How wide “anonymous” is: the rectangle that each group's places are generalized to."),
        LOOK,
    ),
    "sets": Screen(
        later("Sets"),
        ":material/shopping_basket:",
        later("Receipts, baskets, histories: which items stay visible, and which must go."),
        LOOK,
    ),
    "histories": Screen(
        later("People"),
        ":material/receipt_long:",
        later("Many records per person: who hides among whom, what is left out, and where k pays most."),
        LOOK,
    ),
    "concealment": Screen(
        later("Matchings"),
        ":material/compare_arrows:",
        later(
            "Every record hides behind k records, itself among them: who could be whom, and what it costs."
        ),
        LOOK,
    ),
    "attack": Screen(
        later("Attack"),
        ":material/radar:",
        later("Who could be found in this release: one person, the whole table, several releases together."),
        LOOK,
    ),
    "tradeoff": Screen(
        later("Algorithms"),
        ":material/show_chart:",
        later("What each k costs, by several algorithms, on your own table."),
        COMPARE,
    ),
    "measure": Screen(
        later("Measures"),
        ":material/straighten:",
        later("What this release loses, what risk it leaves, and what it is still good for."),
        COMPARE,
    ),
}
"""By address: the way through the work, then what is looked at and compared on it."""
FIRST = "tune"
"""Its address is that of Kanon itself."""


def _language() -> str:
    """That of the browser whose page is drawn: also where a part of the page is drawn again by itself."""
    return (st.context.locale if private.drawing() else None) or "en"


set_language_source(_language)


def page_file(name: str) -> Path:
    """The script of a page."""
    return APP / "pages" / name / "page.py"


def navigate() -> None:
    """Draw the menu and the heading, and run the chosen page."""
    stay_out()
    chosen = _menu()
    name = chosen.url_path or FIRST
    note_page(name)
    _head(PAGES.get(name, PAGES[FIRST]))
    _FRAMED.set(True)
    chosen.run()


def first_look() -> None:
    """Show what the files ``pages/_<name>.py`` do: name the pages, and run app.py.

    Until app.py has run once, a new server looks for a page that is asked for by its address among the files
    of this folder; without one it would say that there is no such page.
    """
    _menu()
    st.rerun()


def _menu() -> private.Page:
    st.set_page_config(page_title="Kanon", page_icon=str(ASSETS / "icon.png"), layout="wide")
    groups: dict[str, list[Any]] = {"": []}
    first = arranged(PAGES)
    for name in dict.fromkeys((*first, *PAGES)):
        group = "" if name in first else PAGES[name].group
        groups.setdefault(tr(group) if group else "", []).append(_page(name))
    return st.navigation(groups, position="top")


def _page(name: str) -> private.Page:
    screen = PAGES[name]
    says = tr("{title} – not for this table") if name in _UNFIT.get() else "{title}"
    title = says.format(title=tr(screen.title))
    return st.Page(page_file(name), title=title, icon=screen.icon, url_path=name, default=name == FIRST)


def _head(screen: Screen) -> None:
    st.html(ASSETS / "style.css")
    # Where all room is wanted, the menu alone shows which page it is.
    quiet = "" if screen.lead else " unseen"
    lead = escape(tr(screen.lead)) if screen.lead else ""
    st.html(f'<div class="head{quiet}"><h1>{escape(tr(screen.title))}</h1><p>{lead}</p></div>')
    with st.container(key="words", horizontal=True, gap="xsmall"):
        words()
        openings(PAGES, go_to)
        join()
        way_out()
    with st.container(key="connection"):  # also in presenter mode, which hides the words
        watch()
        hold()


def open_page(name: str) -> Session:
    """Called first by every page, whose address is its name; returns the session."""
    stay_out()
    note_page(name)
    # The first request to a new server may ask for a page by its address; Streamlit then runs the page
    # without app.py, and its controls are others than those of the next run: what was put into them would be
    # lost. So it is run once more at once.
    if not _FRAMED.pop():
        _menu()
        if not _RUN_AGAIN.get():
            _RUN_AGAIN.set(True)
            st.rerun()
        _head(PAGES[name])
    from pages.shell import warmup
    from pages.shell.fitting import unfit
    from pages.shell.returning import session_here

    session = session_here(PAGES[name].studies)
    if (found := unfit(session.table)) != _UNFIT.get():
        _UNFIT.set(found)
        private.drawn_for_all_pages(_menu)
    warmup.start()
    return session


def ready(session: Session) -> bool:
    """Return whether there is anything to anonymize, and it is said whose the records are; else what to
    do."""
    asked = session.table.schema.of_role("undecided")
    if asked or not session.table.quasi:
        from pages.shell.status import status_bar
        from pages.widgets.whose import question

        status_bar(session, None)
        if not question(session):
            st.info(tr(NOTHING), icon=":material/info:")
        data_link()
    return not asked and bool(session.table.quasi)


def data_link() -> None:
    """A link to where roles and kinds of columns are set."""
    st.page_link(page_file("data"), label=tr("Set the columns on the Data page"), icon=":material/table:")


def go_to(name: str) -> None:
    """Switch to another page."""
    st.switch_page(page_file(name))


def theme() -> str:
    """ "dark" or "light", as the browser shows the page."""
    return "dark" if st.context.theme.type == "dark" else "light"

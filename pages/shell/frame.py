"""Frame of every page: the menu, the heading with its buttons, and the connection watch.

The heading is drawn before slow imports: this module imports at its top only what the heading needs.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse

from kanon_core.base.assets import APP, ASSETS
from kanon_core.base.classroom import Classroom
from kanon_core.base.words import later, set_language_source, tr
from pages.shell import private
from pages.shell.menu import (
    FIRST,
    OPENINGS,
    PAGES,
    choose_opening,
    chosen_opening,
    first_pages,
    page_to_begin,
    parts_of,
    unfit_pages,
)
from pages.shell.server_address import below
from pages.shell.sign_in import Person, entrance, reader, require_admission, sign_out_button, visitor
from pages.shell.tour import link_button, tour
from pages.shell.views import PARAMETER, choose_view, chosen_view, follow_address
from pages.state.keys import Key, note_page

if TYPE_CHECKING:
    from pages.state.session import Session

SERVER_ROUTE = "/kanon/server"
"""The route of the server's name."""
SERVER = secrets.token_hex(8)
"""The random name of this server process."""
NOTHING = later(
    "No column is a quasi-identifier, so there is nothing to anonymize. Give at least one column this role."
)
_FRAMED, _RUN_AGAIN = Key("framed", False), Key("run again", False)
_UNFIT: Key[frozenset[str]] = Key("not for this table", frozenset())
"""The pages marked in the menu because they show nothing of the table."""
_OPEN, _CHOSEN = Key("opening-open", False), Key("opening chosen", False)
_presence_js, _presence_css = ((ASSETS / f"presence.{kind}").read_text("utf-8") for kind in ("js", "css"))
_presence = st.components.v2.component("kanon.presence", js=_presence_js, css=_presence_css)
_leaving = st.components.v2.component("kanon.leaving", js=(ASSETS / "leaving.js").read_text("utf-8"))
_scheme = st.components.v2.component("kanon.scheme", js=(ASSETS / "scheme.js").read_text("utf-8"))


def _language() -> str:
    """Return the language of the browser whose page is drawn, even where only a part of the page is drawn
    again."""
    return (st.context.locale if private.drawing() else None) or "en"


set_language_source(_language)


def page_file(name: str) -> Path:
    """Return the script of a page."""
    return APP / "pages" / name / "page.py"


def navigate() -> None:
    """Draw the menu and the heading, and run the chosen page."""
    require_admission()
    chosen = _menu()
    name = chosen.url_path or FIRST
    _enter(name)
    _head(name)
    _FRAMED.set(True)
    chosen.run()


def first_look() -> None:
    """Name the pages and run app.py, as the files ``pages/_<name>.py`` do.

    Until app.py has run once, a new server looks for the script of an address in this folder. Without one it
    would say that there is no such page.
    """
    _menu()
    st.rerun()


def _menu() -> private.Page:
    st.set_page_config(page_title="Kanon", page_icon=str(ASSETS / "icon.png"), layout="wide")
    names = dict.fromkeys((*first_pages(PAGES), *PAGES))
    shown: list[Any] = [_page(name) for name in names]
    return st.navigation(shown, position="top")


def _page(name: str) -> private.Page:
    screen = PAGES[name]
    says = tr("{title} – not for this table") if name in _UNFIT.get() else "{title}"
    title = says.format(title=tr(screen.title))
    return st.Page(page_file(name), title=title, icon=screen.icon, url_path=name, default=name == FIRST)


def _enter(name: str) -> None:
    if note_page(name):
        follow_address(name)


def _head(name: str) -> None:
    st.html(ASSETS / "style.css")
    screen, view = PAGES[name], chosen_view(name)
    says = screen.views[view].lead if view else screen.lead
    # A page that needs all the space has no visible heading; the menu shows its title.
    quiet = "" if says else " unseen"
    lead = escape(tr(says)) if says else ""
    st.html(f'<div class="head{quiet}"><h1>{escape(tr(screen.title))}</h1><p>{lead}</p></div>')
    with st.container(key="words", horizontal=True, gap="xsmall"):
        tour(name)
        _glossary_button()
        _openings_button(PAGES, go_to)
        link_button()
        _class_button()
        sign_out_button()
    with st.container(key="connection"):  # visible in presenter mode, unlike the buttons above
        _watch_server()
        _hold_clicks()
    _follow_scheme()


def open_page(name: str) -> Session:
    """Return the session; called first by every page, whose address is its name."""
    require_admission()
    _enter(name)
    # For the first request to a new server, Streamlit runs the page without app.py. The controls of this run
    # are not those of the next run, so input would be lost. Therefore the page runs again at once.
    if not _FRAMED.pop():
        _menu()
        if not _RUN_AGAIN.get():
            _RUN_AGAIN.set(True)
            st.rerun()
        _head(name)
    from pages.shell.examples import question
    from pages.shell.memory import session_here
    from pages.state import warmup

    session = session_here(PAGES[name].studies)
    if (unfit := unfit_pages(session.table)) != _UNFIT.get():
        _UNFIT.set(unfit)
        private.drawn_for_all_pages(_menu)
    warmup.start()
    question(session, name)
    return session


def ready(session: Session) -> bool:
    """Return whether the table is the case, there is anything to anonymize, and the owner of the records is
    decided; else show what to do."""
    if session.on_file:
        from pages.shell.cases import not_of_a_file

        not_of_a_file(session)
        return False
    undecided = session.table.schema.of_role("undecided")
    if undecided or not session.table.quasi:
        from pages.shell.status import status_bar
        from pages.widgets.owners import owner_question

        status_bar(session, None)
        if not owner_question(session):
            st.info(tr(NOTHING), icon=":material/info:")
        data_link()
    return not undecided and bool(session.table.quasi)


def data_link() -> None:
    """Show a link to the page that sets roles and kinds."""
    link_to("data", tr("Set the columns on the Data page"), ":material/table:")


def go_to(place: str) -> None:
    """Switch to another page, or to a view of it, as in "clusters/people"."""
    page, view = parts_of(place)
    if view:
        choose_view(page, view)
    st.switch_page(page_file(page))


def link_to(place: str, label: str, icon: str) -> None:
    """Show a link to another page, or to a view of it."""
    page, view = parts_of(place)
    st.page_link(page_file(page), label=label, icon=icon, query_params={PARAMETER: view} if view else None)


def theme() -> str:
    """Return "dark" or "light", as the browser shows the page."""
    return "dark" if st.context.theme.type == "dark" else "light"


@st.fragment
def _glossary_button() -> None:
    """Show the button of the glossary; its entries are drawn only while it is open, apart from the page."""
    box = st.popover(
        tr("Glossary"), icon=":material/menu_book:", key="words-open", on_change="rerun", type="tertiary"
    )
    if box.open:
        from pages.widgets.glossary import glossary

        with box:
            glossary()


@st.fragment
def _class_button() -> None:
    """Show a button with the address of a class server for learners; nothing on other servers."""
    classroom = Classroom.of()
    if classroom is None or classroom.demo:
        return
    box = st.popover(
        tr("Join"), icon=":material/qr_code_2:", key="join-open", on_change="rerun", type="tertiary"
    )
    if box.open:
        import segno

        from pages.widgets.text import plain

        picture = segno.make(classroom.address).svg_data_uri(scale=8, border=4, light="white")
        alt = tr("QR code of {address}").format(address=classroom.address)
        with box:
            st.html(f'<img class="qr" src="{escape(picture)}" alt="{escape(alt)}"/>')
            st.html(f'<p class="sentence"><b>{escape(classroom.address)}</b></p>')
            st.caption(plain(_allowed(classroom.uploads), 200))


def _allowed(uploads: bool) -> str:
    """Return a sentence on who can join and what they may open."""
    files = tr("Everybody on this network can join. Uploaded files are sent to the computer that runs Kanon.")
    none = tr("Everybody on this network can join. The server opens samples only and accepts no files.")
    return files if uploads else none


@st.fragment
def _openings_button(pages: Collection[str], go_to: Callable[[str], None]) -> None:
    """Show a button in the bar above the page with the task for which the menu is arranged, and the other
    tasks. ``pages`` are available, and ``go_to`` opens one."""
    if _CHOSEN.pop():
        _OPEN.set(False)
    now = chosen_opening()
    title = tr(OPENINGS[now].who) if now in OPENINGS else tr("Choose your task")
    box = st.popover(
        title, icon=":material/flag:", key=_OPEN.name, on_change="rerun", type="tertiary", width="content"
    )
    if not box.open:
        return
    with box:
        st.caption(tr("The menu then begins with the pages you need first. All pages stay in the menu."))
        for name, opening in OPENINGS.items():
            if _choice(tr(opening.title), tr(opening.says), f"opening-{name}", name == now):
                _choose(name)
                go_to(page_to_begin(name, pages))
        if now in OPENINGS and _choice(tr("Default menu"), "", "opening-none", False):
            _choose("")
            st.rerun()


def _choice(title: str, about: str, key: str, chosen: bool) -> bool:
    """Show a button with a sentence below it; return whether it was pressed now."""
    icon = ":material/check:" if chosen else None
    pressed = st.button(title, key=key, icon=icon, width="stretch")
    if about:
        from pages.widgets.text import plain

        st.caption(plain(about, 200))
    return pressed


def _choose(name: str) -> None:
    choose_opening(name)
    _CHOSEN.set(True)


async def server_name(request: Request) -> JSONResponse:
    """Return the name of this server to anybody who asks; the name tells nothing of what the server holds."""
    person = visitor(request.scope) if entrance() is not None else None
    return JSONResponse({"server": name_for(person)}, headers={"cache-control": "no-store"})


def name_for(person: Person | None) -> str:
    """Return the server's name for this person. It differs for each person who is signed in and does not
    reveal who that is.

    >>> ann, bob = Person("provider", "ann"), Person("provider", "bob")
    >>> name_for(ann) == name_for(ann), name_for(ann) == name_for(bob), name_for(None) == SERVER
    (True, False, True)
    """
    return SERVER if person is None else hashlib.sha256(f"{SERVER} {person.name}".encode()).hexdigest()[:16]


def _watch_server() -> None:
    """Show on the page when the connection is lost, since the page would keep its last result. When another
    server answers, the page is reloaded and says what is lost. It is also reloaded when its reader signs out
    or another person signs in."""
    lost = tr(
        "The connection to the server is lost. The page shows the last result and cannot be changed until the"
        " server answers. If the server was stopped, the table in its memory is lost."
    )
    data = {"server": name_for(reader()), "address": below(SERVER_ROUTE), "says": lost}
    _presence(key="presence", data=data, width="content")


def _hold_clicks() -> None:
    """Delay a click that opens another page or hands over a file until earlier input has reached the server,
    and keep a button in place until it is released."""
    _leaving(key="leaving", width="content")


def _follow_scheme() -> None:
    """Draw the page again when the browser changes between light and dark, as charts have fixed colors."""
    _scheme(key="scheme", data={"theme": theme()}, on_changed_change=lambda: None, width="content")

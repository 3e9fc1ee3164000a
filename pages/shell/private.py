"""Private names of Streamlit that Kanon uses, with the reason and the effect without them.

No other file uses one. A missing convenience is left out and logged once; if a protection is missing, the
server does not start. This file imports no other file of the screens, so that all may import it.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

import streamlit as st

from kanon_core.base.errors import KanonError
from kanon_core.base.words import later, tr

VERSIONS, TESTED = ">=1.67,<2", "1.67.0"
"""The allowed versions of Streamlit, and the one that is known to have all these names."""


class Name(NamedTuple):
    """A name that Streamlit does not document.

    ``of``: its module or object. ``why``: its use. ``without``: the effect if it is missing. ``protects``:
    nobody for a convenience; everybody; or only people who sign in, so that a server without sign-in does not
    need it.
    """

    of: str
    name: str
    why: str
    without: str
    protects: Literal["nobody", "everybody", "signed in"] = "nobody"


_WEBSOCKET = "streamlit.web.server.starlette.starlette_websocket"
_FILES = "streamlit.runtime.memory_media_file_storage"
_TAB = "streamlit.runtime.scriptrunner"
_REQUESTS = "get_script_run_ctx().script_requests"
_CLICK = later("a click in a part of a page waits until the running computation ends")
_OUTSIDE = later("the server would ask other machines for its own address")
NAMES = {
    name.name: name
    for name in (
        Name(
            _FILES,
            "_calculate_file_id",
            "Addresses of pictures and downloads are keyed digests of the whole file and of whose it is.",
            later("a person could guess the address of another person's download, or receive the wrong file"),
            "everybody",
        ),
        Name(
            "streamlit.net_util",
            "get_external_ip",
            "It is replaced: a connection from a foreign page makes Streamlit ask another host for it.",
            _OUTSIDE,
            "everybody",
        ),
        Name(
            "streamlit.net_util",
            "get_internal_ip",
            "It is replaced: Streamlit finds it by preparing to send to another host.",
            _OUTSIDE,
            "everybody",
        ),
        Name(
            _TAB,
            "get_script_run_ctx",
            "It tells which tab is drawn (`session_id`). Its `script_requests` know of clicks, its"
            " `fragment_storage` knows the names of parts of a page, and by its `run_with_active_hash` the"
            " menu is drawn again from within a page; these three may be missing.",
            later("the server could not distinguish tabs or the owners of uploads"),
            "everybody",
        ),
        Name(
            "streamlit.runtime",
            "get_instance",
            "It tells whether a tab is open (`is_active_session`), and closes those that were left"
            " (`close_session`).",
            later("tables would stay in memory after their pages were closed"),
            "everybody",
        ),
        Name(
            "streamlit.user_info",
            "generate_login_redirect_url",
            "The screen before the app leads where `st.login` does, which only a page can call.",
            later("nobody could sign in"),
            "signed in",
        ),
        Name(
            _WEBSOCKET,
            "_get_signed_cookie_with_chunks",
            "The cookie of whoever is signed in, verified: requests are judged before Streamlit sees them.",
            later("the server could not recognize who is signed in"),
            "signed in",
        ),
        Name(
            _REQUESTS,
            "_state",
            "Whether something was clicked while a page computes: clicks within a fragment do not interrupt.",
            _CLICK,
        ),
        Name(
            _REQUESTS,
            "_rerun_data",
            "Whether that was a click, or a part of the page that looks again from time to time.",
            _CLICK,
        ),
        Name(
            "streamlit",
            "static/index.html",
            "The policy for contents allows the scripts that stand in Streamlit's first page, by digest.",
            later("browsers refuse the inline scripts of the first page"),
        ),
    )
}
"""All private names of Streamlit that Kanon uses."""
USER_COOKIE = "_streamlit_user"
"""The name of the sign-in cookie. If Streamlit renames it, nobody is let in."""
_REGULAR = set[str]()
"""Our names of the parts of pages that are drawn again regularly."""


class Unprotected(KanonError):
    """A protection is missing in this version of Streamlit."""


def insist(signing_in: bool) -> None:
    """Raise Unprotected where a protection is missing. ``signing_in``: people have to sign in here."""
    for name in NAMES.values():
        needed = name.protects == "everybody" or (signing_in and name.protects == "signed in")
        if needed and _looked_up(name.name) is None:
            raise Unprotected(
                tr(
                    "Kanon cannot start: Streamlit {version} no longer has {name}, and without it"
                    " {lost}. Install Streamlit {versions}, such as {tested}."
                ).format(
                    version=st.__version__,
                    name=f"{name.of}.{name.name}",
                    lost=tr(name.without),
                    versions=VERSIONS,
                    tested=TESTED,
                )
            )


def _looked_up(name: str) -> Any:
    """Return the object of this name in a module; None where it is missing."""
    module = NAMES[name].of
    try:  # a new import would be slow: each sentence of a page needs a name
        return getattr(sys.modules.get(module) or import_module(module), name, None)
    except ImportError:
        return None


@cache
def _left_out(name: str) -> None:
    """Log once that a convenience is missing."""
    says = tr("Streamlit {version} no longer has {name}: {lost}.")
    missing = NAMES[name]
    sentence = says.format(version=st.__version__, name=f"{missing.of}.{name}", lost=tr(missing.without))
    logging.getLogger(__name__).warning(sentence)


def put_in_place(name: str, by: Callable[..., Any]) -> None:
    """Replace one of these functions of Streamlit, for as long as this process lasts."""
    setattr(import_module(NAMES[name].of), name, by)


def _context() -> Any:
    """Return Streamlit's context of the page that this thread draws; None where it draws none."""
    context_of = _looked_up("get_script_run_ctx")
    return context_of and context_of(suppress_warning=True)


def drawing() -> bool:
    """Return whether this thread draws a page."""
    return _context() is not None


def tab() -> str:
    """Return Streamlit's name of the tab whose page is drawn; "" where none is."""
    context = _context()
    return str(context.session_id) if context else ""


def drawn_for_all_pages(draw: Callable[[], object]) -> None:
    """Draw the menu again from within a page; if that is not possible, it waits for the next run of the
    page."""
    whole = getattr(_context(), "run_with_active_hash", None)
    if whole is not None:
        with whole(""):
            draw()


def regularly(draw: Callable[..., object], seconds: float | None) -> Callable[..., object]:
    """Return a part of the page that draws itself again every so many ``seconds``; None: only when clicked.
    These reruns wait for a running computation, as `clicked` tells them from clicks."""
    name = f"{draw.__module__}.{draw.__qualname__}"
    _REGULAR.add(name)
    return st.fragment(draw, run_every=seconds, key=name)


def clicked() -> bool:
    """Return whether a control inside a fragment was clicked since the page began to be drawn; regular reruns
    of fragments do not count."""
    requests = getattr(_context(), "script_requests", None)
    if requests is None:
        return False
    for name in ("_state", "_rerun_data"):
        if not hasattr(requests, name):
            _left_out(name)
            return False
    wanted = requests._rerun_data
    parts = set(getattr(wanted, "fragment_id_queue", ()))
    by_clock = getattr(wanted, "is_auto_rerun", False) and (len(parts) == 1 or parts <= _regular_parts())
    return getattr(requests._state, "name", "") == "RERUN" and not by_clock


def _regular_parts() -> set[str]:
    """Return Streamlit's names of the parts of this page that are drawn again regularly. Two of them that are
    due at once wait as one request."""
    ids_of: Any = getattr(getattr(_context(), "fragment_storage", None), "resolve_target", None)
    found = set[str]()
    for name in _REGULAR if ids_of is not None else ():
        with suppress(Exception):  # of Streamlit's own: no part of this name is drawn
            found.update(ids_of(name))
    return found


def is_open(name: str) -> bool:
    """Return whether a tab is connected; False where no server runs."""
    server = _server()
    return server is not None and bool(server.is_active_session(name))


def close(name: str) -> None:
    """Drop all that Streamlit holds of a tab; to be called in Streamlit's event loop."""
    server = _server()
    if server is not None:
        server.close_session(name)


def _server() -> Any:
    try:
        instance_of = _looked_up("get_instance")
        return instance_of and instance_of()
    except RuntimeError:  # no server runs, as in a test of one page
        return None


def sign_in_address() -> str:
    """Return where `st.login` leads: signing in at the provider, for two minutes."""
    return str(_looked_up("generate_login_redirect_url")("default"))


def signed_claims(cookies: Mapping[str, str]) -> bytes | None:
    """Return the claims in the cookie about the person who is signed in, as JSON; None where Streamlit did
    not sign it."""
    claims: bytes | None = _looked_up("_get_signed_cookie_with_chunks")(cookies, USER_COOKIE)
    return claims


def first_page() -> str:
    """Return the page that every address begins with, as HTML; "" where it is elsewhere."""
    name = "static/index.html"
    try:
        return (Path(st.__file__).parent / name).read_text("utf-8")
    except OSError:
        _left_out(name)
        return ""


class Place(Protocol):
    """A place on a page, as `st.container` and `st.empty` make. Streamlit documents its methods, but not its
    class."""

    def __enter__(self) -> Any:
        """Draw here what follows."""

    def __exit__(self, *problem: Any) -> Literal[False]:
        """Draw elsewhere again."""

    def container(self, *args: Any, **kwargs: Any) -> Any:
        """Make a place for several things here."""

    def empty(self, *args: Any, **kwargs: Any) -> Any:
        """Make a place for one thing here."""

    def expander(self, *args: Any, **kwargs: Any) -> Any:
        """Make a part here that folds."""

    def number_input(self, *args: Any, **kwargs: Any) -> Any:
        """Draw a field for a number here."""

    def progress(self, *args: Any, **kwargs: Any) -> Any:
        """Draw a bar here."""


class Fold(Place, Protocol):
    """A part of a page that folds, as `st.expander` makes."""

    @property
    def open(self) -> bool | None:
        """Return whether it is open; None where that is not followed."""


class Page(Protocol):
    """A page of the menu, as `st.Page` makes."""

    @property
    def url_path(self) -> str:
        """Return its address."""

    def run(self) -> None:
        """Draw it."""

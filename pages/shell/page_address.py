"""Setting in the address of the page, for sharing: never a cell, a column or a seed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

import streamlit as st

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.assets import ASSETS
from kanon_core.base.kinds import Columns
from kanon_core.base.options import Nested
from kanon_core.base.words import tr
from kanon_core.table.samples import SAMPLES
from pages.shell.menu import FIRST, role_in_address
from pages.shell.server_address import below
from pages.shell.views import view_in_address
from pages.state.keys import Key, drawn_page
from pages.state.session import Session
from pages.state.setting import Setting

OWN = "own"
"""The value for a table that is not a sample."""
SAMPLE = "sample:"
LEARN_PARAMETERS = (
    *("view", "lesson", "screen", "table", "algorithm", "k", "beside", "step", "exercise", "present"),
)
"""The parameters in the address of Learn, in their order."""
_address = st.components.v2.component("kanon.address", js=(ASSETS / "address.js").read_text("utf-8"))
_LEARN: Key[dict[str, str]] = Key("asked of learn", {})


def setting_in_address() -> dict[str, str]:
    """Return table, algorithm and k of the address. Use them only when a tab begins: later, the address that
    a browser sends with a click may be older than the setting."""
    return {name: st.query_params[name] for name in ("table", "algorithm", "k") if name in st.query_params}


def learn_in_address() -> dict[str, str]:
    """Return what the address asked of Learn when the page was first opened in this tab."""
    if not _LEARN.is_set:
        _LEARN.set({name: st.query_params[name] for name in LEARN_PARAMETERS if name in st.query_params})
    return _LEARN.get()


def write(session: Session) -> None:
    """Write into the address what is chosen; a k that is only tried is not."""
    with st.container(key="address-place"):  # always drawn, so that what follows keeps its place
        if session.settled:
            set_address(view_in_address() | address_of(session))


def set_address(now: dict[str, str]) -> None:
    """Make this the address, beside the part of the menu. Draw it once on a page.

    A script of the page replaces the address. Streamlit would add each to the history, and Back would lead
    through all settings.
    """
    page = drawn_page()
    path = below("" if page == FIRST else f"/{page}")
    query = urlencode(now | role_in_address(), quote_via=quote)
    _address(key="address", data={"path": path, "query": f"?{query}"}, width="content")


def address_of(session: Session) -> dict[str, str]:
    """Return table, algorithm and k. Options that name columns are left out for a table of one's own."""
    ours = session.source.startswith(SAMPLE)
    algorithm = session.setting.algorithm
    if not ours and any(_columns_in(algorithm)):
        algorithm = type(algorithm)()
    table = session.source.removeprefix(SAMPLE) if ours else OWN
    return {"table": table, "algorithm": algorithm_text(algorithm), "k": str(session.setting.k)}


def follow(session: Session, wanted: dict[str, str]) -> str:
    """Apply the address to the session; return a sentence on what was wrong with the address, "" for
    nothing."""
    problems = list[str]()
    table = wanted.get("table", OWN)
    if table != OWN and f"{SAMPLE}{table}" != session.source:
        if table in {sample.name for sample in SAMPLES}:
            session.open_sample(table)
        else:
            problems.append(tr("No sample has the name in the address. The current table stays."))
    try:
        changed = _setting(session, wanted)
    except (kc.KanonError, ValueError, TypeError, KeyError):
        problems.append(tr("The address names no valid algorithm or k. The current algorithm and k stay."))
    else:
        if changed != session.setting:
            session.ask(algorithm=changed.algorithm, k=changed.k)
    return " ".join(problems)


def names_own_table(wanted: dict[str, str]) -> bool:
    """Return whether the address names a table that only its owner can load."""
    return wanted.get("table") == OWN


def algorithm_text(algorithm: kc.Algorithm) -> str:
    """Return an algorithm as text for an address."""
    name = type(algorithm).__name__
    return name if algorithm == type(algorithm)() else json.dumps(options.to_json(algorithm))


def algorithm_of(text: str) -> kc.Algorithm:
    """Return the algorithm of an address text; raises KanonError, ValueError, TypeError or KeyError."""
    made = options.from_json(json.loads(text)) if text.startswith("{") else options.declared(text)()
    if not isinstance(made, kc.Algorithm):
        raise ValueError(text)
    return made


def _setting(session: Session, wanted: dict[str, str]) -> Setting:
    setting = session.setting
    if "algorithm" in wanted:
        setting = replace(setting, algorithm=algorithm_of(wanted["algorithm"]))
    if "k" in wanted:
        k = int(wanted["k"])
        if k < 2:
            raise ValueError(k)
        setting = replace(setting, k=k)
    return setting


def _columns_in(algorithm: kc.Algorithm) -> Iterator[Any]:
    """Return the values of all options that name columns."""
    for option in options.options_of(type(algorithm)):
        value = getattr(algorithm, option.name)
        if isinstance(option.kind, Columns):
            yield value
        elif isinstance(option.kind, Nested):
            yield from _columns_in(value)

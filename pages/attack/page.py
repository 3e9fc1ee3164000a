"""Attack: one person, the whole table, several releases."""

from __future__ import annotations

from functools import partial

import streamlit as st

from kanon_core.base.words import tr
from pages.attack.person import person_view
from pages.attack.previous import previous_view
from pages.attack.whole import whole_view
from pages.shell.frame import open_page, ready
from pages.state.session import current
from pages.widgets.controls import release_below
from pages.widgets.layout import views
from pages.widgets.lens import lens


@st.fragment
def attack() -> None:
    """Draw everything that moves with the slider; only the view that is looked at is drawn."""
    session = current()
    release = release_below(session)
    if release is None:
        return
    content = {
        tr("One person"): partial(person_view, session, release),
        tr("The whole table"): partial(whole_view, session, release),
        tr("Several releases"): partial(previous_view, session, release),
    }
    views("attack-view", content)
    lens(session)


if ready(open_page("attack")):
    attack()

"""Risk: what an attacker can learn, by attacker, of one person, of the whole table, and from several
releases."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pages.risk.attackers import risk
from pages.risk.person import person_view
from pages.risk.previous import previous_view
from pages.risk.released_file import file_risk
from pages.risk.whole import whole_view
from pages.shell.frame import open_page, ready
from pages.shell.views import show_view
from pages.widgets.controls import with_release

session = open_page("risk")
if session.on_file:
    file_risk(session)
elif ready(session):
    views: dict[str, Callable[[], None]] = {
        "attackers": risk,
        "person": partial(with_release, person_view),
        "table": partial(with_release, whole_view),
        "releases": partial(with_release, previous_view),
    }
    show_view("risk", views)

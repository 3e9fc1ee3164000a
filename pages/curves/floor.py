"""Search for a better lower bound of the loss at the current k, on request."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.metrics.bounds import tightened
from kanon_core.metrics.bounds.least import searched
from pages.state.comparisons import has_bounds, keep_bound
from pages.state.jobs import working
from pages.state.keys import Key
from pages.state.session import Session
from pages.widgets.pickers import button

SECONDS = 10.0
"""The most seconds of a search."""
PAIRS_AT_MOST = 3_000_000
"""The most pairs of neighbors, as more need more memory than a tab may have."""
_WANTED, _CLICKED = Key("floor wanted at k", 0), Key("floor clicked", False)
"""By table: the k of the search, and True after a click until the k is known."""


def floor(session: Session, metric: str) -> None:
    """Show a button that searches for a better bound; search, and keep the result."""
    table, k = session.table, session.setting.k
    if metric != "ILSSDM" or not 2 <= k <= len(table) or not has_bounds(table, metric):
        return
    wanted, clicked = _WANTED.of(table.digest), _CLICKED.of(table.digest)
    if clicked.pop():
        wanted.set(k)
    large = searched(table, k) > PAIRS_AT_MOST
    why = tr(
        "Searches at most {seconds:g} s for a better lower bound of the loss of all groupings. The dotted"
        " line may rise at this k and above, but never above the optimum. The algorithms do not change."
    ).format(seconds=SECONDS)
    if large:
        why = tr("This table has too many records for the search at k = {k}.").format(k=k)
    says = tr("Improve the lower bound at k = {k}").format(k=k)
    button(says, clicked.set, True, icon="vertical_align_top", key="raise-floor", disabled=large, help=why)
    if large or wanted.get() != k:
        return
    with working(wanted.pop, "stop-floor", tr("Lower bound")) as tick:
        bound = tightened(table, k, seconds=SECONDS, progress=tick)
    wanted.pop()
    keep_bound(table, bound)
    st.rerun()

"""The status bar: the same line on every page, saying what is on screen."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.metrics import ILSSDM
from kanon_core.table.people import persons_of
from pages.state.session import Session, has_people
from pages.widgets.words import guarantee_name, words_of


def status_bar(session: Session, release: kc.Release | None) -> None:
    """Table, algorithm, whom it protects, k chosen and achieved, smallest and largest group, loss, suppressed
    records, guarantee, seed."""
    setting, records = session.setting, f"{len(session.table):,}"
    of_people = f" of {len(persons_of(session.table)):,} people" if has_people(session.table) else ""
    chips = [
        ("table", f"{session.name.removesuffix(f' ({records})')}, {records} records{of_people}"),
        ("algorithm", setting.title),
        ("protects", setting.algorithm.unit),
    ]
    if release is None:
        people = " people" if setting.algorithm.unit == "people" else ""
        chips += [("k", f"{setting.k}{people}"), ("result", "not computed yet")]
    else:
        chips += _found(session, release)
    if setting.algorithm.randomized:
        chips.append(("seed", str(setting.seed)))
    cells = "".join(f"<span><b>{escape(name)}</b> {escape(text)}</span>" for name, text in chips)
    st.html(f'<div class="statusbar" role="status">{cells}</div>')


def _found(session: Session, release: kc.Release) -> Iterator[tuple[str, str]]:
    """What came out; with few items known, k and the risk are for an attacker who knows so few."""
    words, k, m = words_of(release), session.setting.k, release.known_items
    among = release.hidden_among[~release.suppressed]
    smallest = int(among.min()) if len(among) else 0
    risk = f"{100 / smallest:.1f} %" if smallest else "0 %"
    known = "1 known item" if m == 1 else f"{m} known items"
    yield "k", f"{k} for up to {known}" if m else f"{k}{words.many} asked, {smallest} achieved"
    yield words.groups, _groups(release)
    yield "loss", f"{100 * session.measured(session.setting, release, ILSSDM).total:.2f} %"
    yield words.risk, f"{100 / k:.1f} % for up to {known}, {risk} for all" if m else risk
    yield "suppressed", f"{int(release.suppressed.sum()):,}"
    yield "holds", guarantee_name(release)


def _groups(release: kc.Release) -> str:
    """How many groups, and their sizes; k-concealment has none."""
    if not isinstance(release.cover, kc.Partition):
        return "none: the sets overlap"
    sizes = release.hiding_sizes
    low, high = int(sizes.min(initial=len(release))), int(sizes.max(initial=0))
    span = f"{high:,}" if low >= high else f"{low:,}–{high:,}"
    return f"{len(sizes):,} of {span}{words_of(release).many}"

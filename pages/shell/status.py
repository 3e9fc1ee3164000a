"""The status bar: the same line on every page, saying what is on screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.metrics import ILSSDM
from kanon_core.table.people import persons_of
from pages.state import address
from pages.state.session import BACK, Session, has_people
from pages.widgets.findings import worst
from pages.widgets.reading import guarantee_name, items_text

BRIEF = ("table", "algorithm", "protects", "k", "result", "suppressed", "seed")


def status_bar(session: Session, release: kc.Release | None, brief: bool = False) -> None:
    """Table, algorithm, what k counts, k, groups, loss, suppressed records, guarantee, seed. ``brief``: where
    the figures stand beside it. The address of the page then leads to the same."""
    address.write(session)
    setting, records = session.setting, f"{len(session.table):,}"
    of_people = f" of {len(persons_of(session.table)):,} people" if has_people(session.table) else ""
    asked = session.table.schema.of_role("undecided")
    chips = [
        ("table", f"{session.name.removesuffix(f' ({records})')}, {records} records{of_people}"),
        ("algorithm", setting.title),
        ("protects", tr("nobody yet") if asked else setting.guarantee.unit),
    ]
    if release is None:
        chips += [("k", setting.guarantee.asked), ("result", "not computed yet")]
    else:
        chips += _found(session, release)
    if BACK.get():
        chips.append((tr("back again"), tr("table, setting and results")))
    if setting.algorithm.randomized:
        chips.append(("seed", session.seed_text(setting.seed)))
    bar([chip for chip in chips if not brief or chip[0] in (*BRIEF, tr("back again"))])


def bar(chips: Iterable[tuple[str, str]]) -> None:
    """One line of names and what they are."""
    cells = "".join(f"<span><b>{escape(name)}</b> {escape(text)}</span>" for name, text in chips)
    st.html(f'<div class="statusbar" role="status">{cells}</div>')


def _found(session: Session, release: kc.Release) -> Iterator[tuple[str, str]]:
    """What came out; with few items known, k and the risk are for an attacker who knows so few."""
    held = release.guarantee
    smallest, k = held.smallest(release), held.achieved(release)[1]
    risk = f"{100 / smallest:.1f} %" if smallest else "0 %"
    yield "k", held.asked if held.known_items else f"{held.asked} asked, {k} achieved"
    yield held.groups, _groups(release)
    yield "loss", f"{100 * session.measured(session.setting, release, ILSSDM).total:.2f} %"
    few = f"{100 / max(k, 1):.1f} % for up to {items_text(held.known_items)} known, {risk} for all"
    yield held.risk, few if held.known_items else risk
    yield "suppressed", f"{int(release.suppressed.sum()):,}"
    yield "holds", guarantee_name(release)
    yield tr("worst finding"), worst(session, release)


def _groups(release: kc.Release) -> str:
    """How many groups, and their sizes; k-concealment has none."""
    if not release.guarantee.disjoint:
        return "none: the sets overlap"
    sizes = release.hiding_sizes
    low, high = int(sizes.min(initial=len(release))), int(sizes.max(initial=0))
    span = f"{high:,}" if low >= high else f"{low:,}–{high:,}"
    return f"{len(sizes):,} of {span} {release.guarantee.unit}"

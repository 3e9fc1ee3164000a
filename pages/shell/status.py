"""The status bar: the same line on every page, saying what is on screen."""

from __future__ import annotations

from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.metrics import ILSSDM
from kanon_core.table.people import persons_of
from pages.state.session import Session, has_people


def status_bar(session: Session, release: kc.Release | None) -> None:
    """Table, algorithm, whom it protects, k chosen and achieved, smallest and largest group, loss, suppressed
    records, seed."""
    setting = session.setting
    people = " people" if setting.algorithm.unit == "people" else ""
    of_people = f" of {len(persons_of(session.table)):,} people" if has_people(session.table) else ""
    records = f"{len(session.table):,}"
    chips = [
        ("table", f"{session.name.removesuffix(f' ({records})')}, {records} records{of_people}"),
        ("algorithm", setting.title),
        ("protects", setting.algorithm.unit),
    ]
    if release is None:
        chips += [("k", f"{setting.k}{people}"), ("result", "not computed yet")]
    else:
        among = release.hidden_among[~release.suppressed]
        smallest = int(among.min()) if len(among) else 0
        loss = session.measured(setting, release, ILSSDM).total
        m = release.known_items
        risk = f"{100 / smallest:.1f} %" if smallest else "0 %"
        chips += [
            (
                "k",
                (
                    f"{setting.k} for up to {_items(m)}"
                    if m
                    else f"{setting.k}{people} asked, {smallest} achieved"
                ),
            ),
            ("different rows" if m else "groups", _groups(release)),
            ("loss", f"{100 * loss:.2f} %"),
            (_risk(release), f"{100 / setting.k:.1f} % for up to {_items(m)}, {risk} for all" if m else risk),
            ("suppressed", f"{int(release.suppressed.sum()):,}"),
            ("audit", "✓ passed"),
        ]
    if setting.algorithm.randomized:
        chips.append(("seed", session.seed_text(setting.seed)))
    cells = "".join(f"<span><b>{escape(name)}</b> {escape(text)}</span>" for name, text in chips)
    st.html(f'<div class="statusbar" role="status">{cells}</div>')


def _items(m: int) -> str:
    return "1 known item" if m == 1 else f"{m} known items"


def _risk(release: kc.Release) -> str:
    """What 1 / k is the risk of; where sets overlap, some of the rows that fit somebody may be likelier than
    others."""
    return "worst risk" if isinstance(release.cover, kc.Partition) else "risk of a random pick"


def _groups(release: kc.Release) -> str:
    """How many groups, and their sizes; k-concealment has none."""
    if not isinstance(release.cover, kc.Partition):
        return "none: the sets overlap"
    sizes = release.hiding_sizes
    low, high = int(sizes.min(initial=len(release))), int(sizes.max(initial=0))
    people = " people" if release.protects_people else ""
    return f"{len(sizes):,} of " + (f"{high:,}" if low >= high else f"{low:,}–{high:,}") + people

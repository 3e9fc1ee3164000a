"""Utility against safety on the Histories page: figure 2 of the paper, and what our variant gains over the
paper's method."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.charts.curves.balance import Balance, balance_figure, balance_sentences
from kanon_core.metrics import Metric, SuppressedRecords, WorstRisk
from kanon_core.sweeps import SweepPoint, refining, sweep_point
from pages.shell.frame import theme
from pages.state.batches import carried_on, started
from pages.state.jobs import computed, ticker
from pages.state.kept import kept
from pages.state.methods import OURS
from pages.state.session import Session, Setting, describe
from pages.widgets.cards import Card, cards
from pages.widgets.controls import ends
from pages.widgets.text import heading, line, note, warning
from pages.widgets.views import chart

LARGEST = 20
MEASURED: tuple[type[Metric], ...] = (kc.PurchaseUtility, WorstRisk, SuppressedRecords)
PAPER = kc.PurchaseHistories()
VARIANTS = {
    "similar": "similar people, long histories go on",
    "whole": "similar people, one pseudonym each",
    "fewest": "fewest records left out",
}
"""Our variants as people read them."""
_ABOUT = {
    "similar": (
        "Puts people together whose records are alike, chooses and matches their records so that the cells"
        " become narrowest, and lets a long history go on under another pseudonym, which nothing links to the"
        " first: whoever studies whole histories sees them in parts."
    ),
    "whole": (
        "Puts people together whose records are alike, and chooses and matches their records so that the"
        " cells become narrowest; everybody keeps one pseudonym, as in the paper."
    ),
    "fewest": (
        "Forms the groups, of k to 2k − 1 people, that leave out the fewest records; all else is as in the"
        " paper."
    ),
}


@dataclass(frozen=True)
class Method:
    """A curve: its name, the table (with categories, or as it is) and the algorithm."""

    name: str
    table: kc.Table
    algorithm: kc.Algorithm


def balance_view(session: Session) -> None:
    """Utility, safety and their weighted sum against k for some methods, computed point by point."""
    left, right = st.columns([3, 2], gap="large", vertical_alignment="bottom")
    offered = methods(session)
    with left:
        names = st.multiselect(
            "Methods", list(offered), key=kept(f"balanced {session.table.digest}", _first(offered), offered)
        )
    with right:
        weight = st.slider(
            "Weight of safety beside utility",
            0.0,
            5.0,
            step=0.1,
            key=kept("weight of safety", 1.0),
            help="the total is utility + weight × 1/k; the paper weighs both alike",
        )
        ends("◀ utility alone", "safety counts five times ▶")
    chosen = [offered[name] for name in names]
    ks = refining(range(2, max(2, min(LARGEST, session.largest_k)) + 1))
    tasks = [(method, Setting(method.algorithm, k, session.setting.seed)) for k in ks for method in chosen]
    todo = [task for task in tasks if point_of(session, *task) is None]
    if not tasks:
        note("Choose at least one method.")
        return
    running = started("balance", len(todo), len(tasks), "points")
    place = st.empty()
    curves = [
        Balance.of(m.name, [p for of, s in tasks if of is m and (p := point_of(session, m, s))])
        for m in chosen
    ]
    curves = [curve for curve in curves if len(curve.ks)]
    if curves:
        _chart(session, curves, weight)
    else:
        heading("Where is the best balance?")
        line(
            "Each k from 2 on is anonymized and measured: what the data lose, and the chance to tell whose a"
            " history is."
        )
    if running:
        carried_on("balance", todo, lambda task, tick: _made(session, *task, tick), place)


def _chart(session: Session, curves: list[Balance], weight: float) -> None:
    figure = balance_figure(curves, weight, session.setting.k, theme())
    chart(figure, "balance")
    for text in balance_sentences(curves, weight):
        line(text)
    note(
        "Utility is the mean error of somebody who draws a value from each published cell, in standard"
        " deviations, 1 for a record left out; safety is 1 over the fewest people who share a history. Both"
        " are costs: the star marks the least sum."
    )


def _first(offered: dict[str, Method]) -> list[str]:
    """The paper's method, with categories and without, where there are any."""
    return [name for name, method in offered.items() if method.algorithm == PAPER]


def methods(session: Session) -> dict[str, Method]:
    """The curves that can be drawn, by name: the paper's method, ours, and the current setting where it is
    another."""
    found: dict[str, kc.Algorithm] = {"The paper's method": PAPER}
    found |= {f"Ours: {VARIANTS[name]}": algorithm for name, algorithm in OURS.items()}
    if session.setting.algorithm not in found.values():
        found[f"now: {describe(session.setting.algorithm)}"] = session.setting.algorithm
    plain = _without_categories(session)
    if plain is None:
        return {name: Method(name, session.table, algorithm) for name, algorithm in found.items()}
    named = {"The paper's method, products as they are": Method("", plain, PAPER)}
    for name, algorithm in found.items():
        named[f"{name}, with categories"] = Method("", session.table, algorithm)
    return {name: replace(method, name=name) for name, method in named.items()}


def _without_categories(session: Session) -> kc.Table | None:
    """The table with its products in place of their categories; None where it has no categories."""
    schema = session.table.schema
    named = [attribute.name for attribute in schema if attribute.categories is not None]
    if not named:
        return None
    digest, plain = st.session_state.get("without categories", ("", None))
    if digest != session.table.digest:
        plain = session.table.with_schema(schema.with_categories(dict.fromkeys(named)))
        st.session_state["without categories"] = (session.table.digest, plain)
    return plain


def point_of(session: Session, method: Method, setting: Setting) -> SweepPoint | None:
    """The finished point, whether the trade-off has made it or this page."""
    key = (method.table.digest, setting.key)
    return session.balances.get(key) or session.points.get(key)


def _made(session: Session, method: Method, setting: Setting, tick: Tick) -> None:
    measured = [cls() for cls in MEASURED]
    session.balances[(method.table.digest, setting.key)] = sweep_point(
        method.table, setting.algorithm, setting.k, measured, setting.seed, tick
    )


def gain_view(session: Session, release: kc.Release) -> None:
    """One of our variants beside the paper's method at the current k: records left out, utility by column."""
    name = (
        st.segmented_control(
            "Our variant",
            list(VARIANTS),
            format_func=VARIANTS.__getitem__,
            required=True,
            key=kept("our variant", "similar"),
        )
        or "similar"
    )
    note(_ABOUT[name])
    place = st.empty()
    both = {}
    for algorithm, lead in ((PAPER, "the paper's method"), (OURS[name], "ours")):
        setting = Setting(algorithm, session.setting.k, session.setting.seed)
        found = release if setting == session.setting else _computed(session, setting, place, lead)
        if found is None:
            return
        both[setting] = found
    _gain(session, both)


def _computed(session: Session, setting: Setting, place: DeltaGenerator, lead: str) -> kc.Release | None:
    """The release of a setting, kept or made now; None, with the reason on screen, when there is none."""
    found = session.kept(setting)
    if found is not None:
        return found
    if session.stopped == setting.key:
        st.button("Go on", icon=":material/play_arrow:", on_click=session.resume, key="go on with ours")
        return None
    try:
        tick = ticker(place, partial(_leave, session, setting), "stop ours", lead)
        return computed(session, setting, place, tick)
    except kc.KanonError as reason:
        warning(reason)
        return None


def _leave(session: Session, setting: Setting) -> None:
    session.stopped = setting.key


def _gain(session: Session, both: dict[Setting, kc.Release]) -> None:
    paper, ours = both.values()
    was, now = (session.measured(s, r, kc.PurchaseUtility) for s, r in both.items())
    lost, less = (int(release.suppressed.sum()) for release in (paper, ours))
    before, after = (session.measured(s, r, kc.PurchaseTotal).total for s, r in both.items())
    cards(
        [
            Card("Records left out", f"{less:,}", "by our variant", _change(lost, less), less < lost),
            Card(
                "Utility",
                f"{now.total:.3f}",
                kc.PurchaseUtility.sentence,
                _change(was.total, now.total),
                now.total < was.total,
            ),
            Card("Utility + safety", f"{after:.3f}", "with weight 1", _change(before, after), after < before),
        ]
    )
    rows = [
        ("records left out", f"{lost:,}", f"{less:,}"),
        ("pseudonyms", f"{len(paper.bearers):,}", f"{len(ours.bearers):,}"),
        ("utility", f"{was.total:.4f}", f"{now.total:.4f}"),
    ]
    rows += [
        (f"utility, {name}", f"{old:.4f}", f"{now.attributes[name]:.4f}")
        for name, old in was.attributes.items()
    ]
    st.html("".join(_rows(rows)))
    note(
        f"At k = {session.setting.k}; changes are against the paper's method. Both keep the same promise and"
        " pass the same audit. Less is better, but for the pseudonyms, of which one each keeps histories"
        " whole."
    )
    algorithm = list(both)[1].algorithm
    if session.setting.algorithm != algorithm:
        st.button(
            "Use ours",
            icon=":material/auto_awesome:",
            on_click=session.ask,
            kwargs={"algorithm": algorithm},
            key="use ours",
        )


def _rows(rows: list[tuple[str, str, str]]) -> Iterator[str]:
    heads = "".join(f'<th scope="col" class="number">{name}</th>' for name in ("the paper's", "ours"))
    yield f'<div class="beforeafter" tabindex="0"><table><thead><tr><th></th>{heads}</tr></thead><tbody>'
    for name, old, new in rows:
        yield f'<tr><th>{escape(name)}</th><td class="number">{old}</td><td class="number">{new}</td></tr>'
    yield "</tbody></table></div>"


def _change(old: float, new: float) -> str:
    return f"{100 * (new / old - 1):+.1f} %" if old else ""

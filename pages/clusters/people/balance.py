"""Utility and safety over k (figure 2 of the paper), and the gain of our variants over the paper's method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.base.words import later, tr, tr_each
from kanon_core.charts.curves.histories import Balance, balance_figure, balance_sentences
from kanon_core.metrics import Metric, SuppressedRecords, WorstRisk
from kanon_core.runs.sweeps import SweepPoint, refining, sweep_point
from pages.shell.frame import theme
from pages.state.comparisons import HISTORY_VARIANTS, without_categories
from pages.state.jobs import batch_controls, release_or_reason, run_batch
from pages.state.keys import kept
from pages.state.session import Session
from pages.state.setting import Setting, describe
from pages.widgets.controls import ends
from pages.widgets.layout import chart
from pages.widgets.pickers import button, choice
from pages.widgets.tables import Card, cards, cell, html_table, number
from pages.widgets.text import heading, line, note, warning

LARGEST = 20
MEASURED: tuple[type[Metric], ...] = (kc.PurchaseUtility, WorstRisk, SuppressedRecords)
PAPER = kc.PurchaseHistories()
VARIANTS = {
    "similar": later("similar people, long histories continue"),
    "whole": later("similar people, one pseudonym each"),
    "fewest": later("fewest suppressed records"),
}
"""Our variants as people read them."""
_ABOUT = {
    "similar": later(
        "Groups people with similar records. Chooses and matches their records so that the"
        " published cells are narrow. A long history continues under another pseudonym that is"
        " not linked to the first, so a study of whole histories sees it in parts."
    ),
    "whole": later(
        "Groups people with similar records. Chooses and matches their records so that the"
        " published cells are narrow. Each person keeps one pseudonym, as in the paper."
    ),
    "fewest": later(
        "Forms the groups of k to 2k − 1 people that suppress the fewest records. The rest is as"
        " in the paper."
    ),
}


@dataclass(frozen=True)
class Method:
    """A method of the chart: its name, its table (with or without categories) and its algorithm."""

    name: str
    table: kc.Table
    algorithm: kc.Algorithm


def balance_view(session: Session) -> None:
    """Show utility, safety and their weighted sum over k for several methods, computed point by point."""
    left, right = st.columns([3, 2], gap="large", vertical_alignment="bottom")
    offered = methods(session)
    with left:
        paper = [name for name, method in offered.items() if method.algorithm == PAPER]
        key = kept(f"balanced {session.table.digest}", paper, offered)
        names = st.multiselect(tr("Methods"), list(offered), key=key)
    with right:
        about = tr("Total = utility + weight × 1/k. In the paper, the weight is 1.")
        key = kept("weight of safety", 1.0)
        weight = st.slider(
            tr("Weight of safety relative to utility"), 0.0, 5.0, step=0.1, key=key, help=about
        )
        ends(tr("◀ utility only"), tr("safety × 5 ▶"))
    chosen = [offered[name] for name in names]
    ks = refining(range(2, max(2, min(LARGEST, session.largest_k)) + 1))
    tasks = [(method, Setting(method.algorithm, k, session.setting.seed)) for k in ks for method in chosen]
    todo = [task for task in tasks if point_of(session, *task) is None]
    if not tasks:
        note(tr("Choose at least one method."))
        return
    running = batch_controls("balance", len(todo), len(tasks), tr("points"))
    place = st.empty()
    curves = [
        Balance.of(m.name, [p for of, s in tasks if of is m and (p := point_of(session, m, s))])
        for m in chosen
    ]
    curves = [curve for curve in curves if len(curve.ks)]
    if curves:
        _chart(session, curves, weight)
    else:
        heading(tr("Balance of utility and safety"))
        line(
            tr(
                "Kanon anonymizes the table at each k and measures the loss and the probability of"
                " finding the person of a history."
            )
        )
    if running:
        run_batch("balance", todo, lambda task, tick: _made(session, *task, tick), place)


def _chart(session: Session, curves: list[Balance], weight: float) -> None:
    figure = balance_figure(curves, weight, session.setting.k, theme())
    chart(figure, "balance")
    for text in balance_sentences(curves, weight):
        line(text)
    note(
        tr(
            "Utility is the mean error of a value drawn from each published cell, in standard deviations; it"
            " is 1 for a suppressed record. Safety is 1 divided by the smallest number of people who share a"
            " history. Both are costs: lower is better. The star marks the smallest sum."
        )
    )


def methods(session: Session) -> dict[str, Method]:
    """Return the curves by name: the paper's method, ours, and the current setting where it is another."""
    found: dict[str, kc.Algorithm] = {tr("The paper's method"): PAPER}
    found |= {
        tr("Ours: {variant}").format(variant=tr(VARIANTS[name])): algorithm
        for name, algorithm in HISTORY_VARIANTS.items()
    }
    if session.setting.algorithm not in found.values():
        now = tr("now: {algorithm}").format(algorithm=describe(session.setting.algorithm))
        found[now] = session.setting.algorithm
    plain = without_categories(session)
    if plain is None:
        return {name: Method(name, session.table, algorithm) for name, algorithm in found.items()}
    named = {tr("The paper's method, with products"): Method("", plain, PAPER)}
    for name, algorithm in found.items():
        named[tr("{method}, with categories").format(method=name)] = Method("", session.table, algorithm)
    return {name: replace(method, name=name) for name, method in named.items()}


def point_of(session: Session, method: Method, setting: Setting) -> SweepPoint | None:
    """Return the finished point, computed here or on another page."""
    key = (method.table.digest, setting.key)
    return session.balances.get(key) or session.points.get(key)


def _made(session: Session, method: Method, setting: Setting, tick: Tick) -> None:
    measured = [cls() for cls in MEASURED]
    session.balances[(method.table.digest, setting.key)] = sweep_point(
        method.table, setting.algorithm, setting.k, measured, setting.seed, tick
    )


def gain_view(session: Session, release: kc.Release) -> None:
    """Compare one of our variants with the paper's method at the current k."""
    name = choice(tr("Our variant"), tr_each(VARIANTS), "our variant")
    note(tr(_ABOUT[name]))
    both = {}
    for algorithm, lead in ((PAPER, tr("the paper's method")), (HISTORY_VARIANTS[name], tr("ours"))):
        setting = Setting(algorithm, session.setting.k, session.setting.seed)
        found = release if setting == session.setting else _computed(session, setting, lead)
        if found is None:
            return
        both[setting] = found
    _gain(session, both)


def _computed(session: Session, setting: Setting, lead: str) -> kc.Release | None:
    """Return the release of a setting, kept or computed now; None, with the reason on screen, if there is
    none."""
    if session.stopped == setting.key and session.kept(setting) is None:
        button(tr("Continue"), session.resume, icon="play_arrow", key="go on with ours")
        return None

    def leave() -> None:
        session.stopped = setting.key

    found = release_or_reason(session, setting, leave, key="stop ours", lead=lead)
    if isinstance(found, kc.Release):
        return found
    warning(found)
    return None


def _gain(session: Session, both: dict[Setting, kc.Release]) -> None:
    paper, ours = both.values()
    was, now = (session.measured(s, r, kc.PurchaseUtility) for s, r in both.items())
    lost, less = (int(release.suppressed.sum()) for release in (paper, ours))
    before, after = (session.measured(s, r, kc.PurchaseTotal).total for s, r in both.items())
    utility = kc.PurchaseUtility.sentence
    gains = (
        (tr("Suppressed records"), f"{less:,}", tr("with our variant"), lost, less),
        (tr("Utility"), f"{now.total:.3f}", utility, was.total, now.total),
        (tr("Utility + safety"), f"{after:.3f}", tr("with weight 1"), before, after),
    )
    cards(Card(name, value, about, _change(old, new), new < old) for name, value, about, old, new in gains)
    rows = [
        (tr("suppressed records"), f"{lost:,}", f"{less:,}"),
        (tr("pseudonyms"), f"{len(paper.bearers):,}", f"{len(ours.bearers):,}"),
        (tr("utility"), f"{was.total:.4f}", f"{now.total:.4f}"),
    ]
    rows += [
        (tr("utility, {column}").format(column=name), f"{old:.4f}", f"{now.attributes[name]:.4f}")
        for name, old in was.attributes.items()
    ]
    heads = [cell(""), number(tr("the paper's")), number(tr("ours"))]
    html_table(heads, ([cell(name), number(old), number(new)] for name, old, new in rows))
    note(
        tr(
            "At k = {k}. Changes are relative to the paper's method. The same guarantee was"
            " checked for both and holds. Lower is better, except for pseudonyms: one pseudonym"
            " per person keeps the histories whole."
        ).format(k=session.setting.k)
    )
    algorithm = list(both)[1].algorithm
    if session.setting.algorithm != algorithm:
        button(tr("Use ours"), partial(session.ask, algorithm=algorithm), icon="auto_awesome", key="use ours")


def _change(old: float, new: float) -> str:
    return f"{100 * (new / old - 1):+.1f} %" if old else ""

"""Trade-off: loss against k for several algorithms, points appearing as they finish."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.progress import Tick
from kanon_core.charts.curves import sentences
from kanon_core.charts.curves.optima import BEST_PAIRS, gap_sentence, theorem_sentence
from kanon_core.charts.curves.tradeoff import tradeoff_figure
from kanon_core.charts.sets.itemsets import item_columns
from kanon_core.sweeps import FLOORS, SweepPoint, floor_points, gap, quantity, sweep_point
from pages.papers.itemsets import FIGURES
from pages.papers.panel import reproduce_panel
from pages.shell.frame import go_to, open_page, ready, theme
from pages.shell.status import status_bar
from pages.state.batches import carried_on, started
from pages.state.keys import Key, kept
from pages.state.session import Session, Setting, current, describe
from pages.state.sweeping import TITLES, picked_point, take
from pages.tradeoff.choosing import ACROSS, SHOWN_AS, UP, VALUE, choose
from pages.widgets.controls import k_slider
from pages.widgets.pickers import button
from pages.widgets.text import info, line, note
from pages.widgets.views import chart, fold, panel

_OPENED = Key("opened", False)
BOUNDS = {"seconds": 1.0, "PurchaseUtility": 0.6, "PurchaseTotal": 0.8}


@st.fragment
def tradeoff() -> None:
    """Choices, the chart, its sentences, the questions, the points."""
    session = current()
    if _OPENED.pop():
        go_to("explore")
    bar = st.container()
    controls, results = st.columns([1, 2], gap="large")
    with controls:
        settings = choose(session)
        k_slider(session)
        questions = ask()
    found = {setting: session.points.get((session.table.digest, setting.key)) for setting in settings}
    todo = [setting for setting, point in found.items() if point is None]
    done = [point for point in found.values() if point is not None]
    with results:
        if not settings:
            info("Choose at least one algorithm.")
        left = _left(session, todo)
        running = bool(settings) and started("sweep", len(todo), len(settings), "points", left)
        place = st.empty()
        if done:
            curves(session, done, questions)
            answers(done, questions)
            table(done)
        else:
            invitation(session, settings)
    with bar:
        status_bar(session, session.kept(session.setting))
    if running:
        carried_on("sweep", todo, partial(compute, session), place)


def _left(session: Session, todo: list[Setting]) -> str:
    """The time the missing points may take, from the finished ones of the same algorithm."""
    known: dict[kc.Algorithm, list[float]] = {}
    for (digest, _), point in session.points.items():
        if digest == session.table.digest:
            known.setdefault(point.algorithm, []).append(point.seconds)
    if not todo or any(setting.algorithm not in known for setting in todo):
        return ""
    seconds = sum(sum(known[s.algorithm]) / len(known[s.algorithm]) for s in todo)
    return f" · about {seconds:.0f} s left" if seconds >= 1 else " · less than a second left"


def compute(session: Session, setting: Setting, tick: Tick) -> None:
    """One point. Seconds settle into steps inside the release; the point is filed under what was asked."""
    session.points[(session.table.digest, setting.key)] = sweep_point(
        session.table, setting.algorithm, setting.k, [m() for m in session.metrics], setting.seed, tick
    )


def curves(session: Session, done: list[SweepPoint], questions: Questions) -> None:
    """The curves, and what they say; a click on a point opens its setting in Explore."""
    across, up, setting = ACROSS.get(), UP.get(), session.setting
    drawn = sentences.curves(done)
    mine = next((curve for curve in drawn if _is_of(curve, setting)), None)
    here = (mine.label if mine else "", setting.k, setting.seed)
    above = bool(floor_points(done, up)) and SHOWN_AS.get() != VALUE
    figure = tradeoff_figure(done, across, up, above, here, questions.bound, theme())
    chart(figure, "curves", picked_point(drawn), partial(open_point, session))
    if drawn:
        best = gap_sentence(done, up, setting.k) or sentences.cheapest_sentence(done, up, setting.k)
        says = [best, sentences.knee_sentence(mine or drawn[0], up)]
        for told in (says, [sentences.seeds_sentence(done, up, setting.k)], sentences.warnings(done, up)):
            if any(told):
                note(" ".join(filter(None, told)))
        if any(point.guarantee.known_items for point in done):
            note(
                "Of an algorithm with known items, k holds only for an attacker who knows so few items of a"
                " person; its risks and achieved k are those for one who knows all."
            )
        if up == "seconds":
            note("The first run of an algorithm also loads its compiled code.")
        if up == "MatchingCost":
            theorem(session, done)


def theorem(session: Session, done: list[SweepPoint]) -> None:
    """Theorem 2.1 in the numbers at hand: certified at k = 2, and at the current k."""
    told = [theorem_sentence(done, k) for k in dict.fromkeys((2, session.setting.k))]
    if any(told):
        title = "The least cost of k-concealment is at most that of k-anonymity (theorem 2.1)"
        with panel("theorem", title, *filter(None, told)):
            pass


def _is_of(curve: sentences.Curve, setting: Setting) -> bool:
    """Whether the setting is on this curve, as it was asked for or as it was settled."""
    return setting.algorithm == curve.algorithm or any(
        point.k == setting.k and point.settled == setting.algorithm for point in curve.points
    )


def open_point(session: Session, point: SweepPoint) -> None:
    """Make a point the setting and go to Explore, which shows the same loss."""
    take(session, point)
    _OPENED.set(True)


@dataclass(frozen=True)
class Questions:
    """What is to be found: the largest k within a bound of a metric, the best metric from a k on."""

    metric: str
    bound: float
    least: int


def ask() -> Questions:
    """The two questions people come with: how private for this loss, how good for this k."""
    name = UP.get()
    what = quantity(name)
    title, unit = what.title.lower(), " (%)" if what.percent else " (s)" if name == "seconds" else ""
    with st.expander("Find a setting", icon=":material/search:", expanded=True):
        first = BOUNDS.get(name, 5.0 if what.percent else 1000.0)
        says = f"Largest k with {title} of at most{unit}"
        bound = st.number_input(says, 0.0, None, key=kept(f"bound {name}", first))
        least = st.number_input(f"Smallest {title} with k of at least", 2, None, key=kept("least k", 5))
    return Questions(name, bound / 100 if what.percent else bound, int(least))


def answers(done: list[SweepPoint], asked: Questions) -> None:
    """The answers, from the finished points (of several seeds the median), each with a button."""
    if quantity(asked.metric).direction != "lower":
        return
    points = sentences.medians(done, asked.metric)
    within = kc.best_within(points, asked.metric, asked.bound)
    _answer(sentences.within_sentence(done, asked.metric, asked.bound), within, "within")
    best = kc.best_from(points, asked.metric, asked.least)
    _answer(sentences.from_sentence(done, asked.metric, asked.least), best, "from")


def _answer(sentence: str, point: SweepPoint | None, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        line(sentence)
        if point:
            about = "open this setting in Explore"
            button("Open", open_point, current(), point, icon="tune", key=f"open {key}", help=about)


def invitation(session: Session, settings: list[Setting]) -> None:
    """Where the curves will stand: what they will show, and what it takes."""
    if not settings:
        return
    names = list(dict.fromkeys(describe(s.algorithm) for s in settings if s.algorithm != BEST_PAIRS))
    ks = [setting.k for setting in settings]
    says = (
        f"One curve for each of {', '.join(names)}, from k = {min(ks)} to {max(ks)}: what every step toward"
        f" more privacy costs on {session.name}. The ends and the middle come first, so the shape is seen"
        " within moments."
    )
    with panel("invitation", "Where does the next step of k stop paying?", says):
        note("You may stop at any time, and move on while points are missing: finished points are kept.")


def table(done: list[SweepPoint]) -> None:
    """All finished points as a table, to sort and to copy."""
    floors = {name: floor_points(done, name) for name in FLOORS}
    with fold(f"The {len(done)} finished points", "table_rows", "finished points"):
        rows = [
            {
                "algorithm": describe(p.algorithm),
                "k": p.k,
                "seed": current().seed_text(p.seed),
                **{TITLES[m]: v for m, v in p.scores.items()},
                **{
                    f"{TITLES[m]} above the optimum (%)": _percent(gap(p, found.get(p.k), m))
                    for m, found in floors.items()
                    if found
                },
                "seconds": round(p.seconds, 3),
                "problem": p.problem,
            }
            for p in sorted(done, key=lambda p: (describe(p.algorithm), p.k, p.seed))
        ]
        st.dataframe(rows, hide_index=True, alt="Scores of all finished points")


def _percent(share: float) -> float | None:
    return round(100 * share, 2) if share >= 0 else None


if ready(open_page("tradeoff")):
    tradeoff()
    if item_columns(current().table):
        reproduce_panel(current(), FIGURES)

"""Choices of the comparison: algorithms, k, seeds and axes."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import kanon_core as kc
from kanon_core.base.randomness import SEED_BITS
from kanon_core.base.words import later, tr
from kanon_core.charts.curves.optima import BEST_PAIRS
from kanon_core.charts.curves.tradeoff import MOST_CURVES
from kanon_core.metrics import METRICS
from kanon_core.runs.sweeps import FLOORS, refining
from kanon_core.teaching.glossary import of_quantity
from pages.state.comparisons import methods, quantities
from pages.state.keys import Key, kept, linked
from pages.state.session import Session
from pages.state.setting import Setting, describe
from pages.widgets.controls import slider_top
from pages.widgets.curves import as_asked
from pages.widgets.glossary import meaning
from pages.widgets.measures import barred
from pages.widgets.pickers import menu
from pages.widgets.text import note, plain

_UP = {"concealment": "MatchingCost", "histories": "PurchaseUtility"}
"""By family: the first measure, if it is not the information loss."""
SEEDS = 5
VALUE, ABOVE = later("value"), later("above the optimum (%)")
ACROSS, UP = Key("across", "k"), Key("up", "ILSSDM")
SHOWN_AS, _SEEDS = Key("shown as", VALUE), Key("several seeds", False)
CONCEALING = (kc.OptimalConcealment(), kc.Clustered(inner=kc.Tours()), kc.Greedy(), kc.Pairing())
"""The algorithms first compared with one of k-concealment; also `Tours`, where it takes only seconds."""
TOURS_AT_MOST = 1_000


def choose(session: Session) -> list[Setting]:
    """Draw the choices of algorithms, measure and k; return the settings in the order in which they are
    computed."""
    candidates = _candidates(session)
    algorithms = [candidates[name] for name in _compared(session, candidates)]
    _measures(session)
    top = slider_top(session)
    seeds = _SEEDS.get() and any(algorithm.randomized for algorithm in algorithms)
    low, high = _ends(top)
    says = tr("k from {low} to {high}, {seeds} seeds") if seeds else tr("k from {low} to {high}")
    with st.popover(
        plain(says.format(low=low, high=high, seeds=SEEDS)), width="stretch", key="what is drawn"
    ):
        _further(session, algorithms, top)
    return _settings(session, algorithms, range(low, high + 1))


def _compared(session: Session, candidates: dict[str, kc.Algorithm]) -> list[str]:
    """Return the names of the compared algorithms, after a button that removes each and a menu that adds
    one."""
    family = type(session.setting.algorithm).family
    known: Key[list[str] | None] = Key(f"compared {family} {session.table.digest}", None)
    mine = known.get()
    chosen = _first(session, candidates) if mine is None else [name for name in mine if name in candidates]
    adding = Key[str | None]("add algorithm", None)

    def keep(left: list[str]) -> None:
        known.set([name for name in chosen if name in left])

    def add() -> None:
        have, name = known.get() or chosen, adding.get()
        # A rerun may send the same choice twice.
        if name is not None and name not in have and name not in chosen:
            known.set([*have, name])
        adding.set(None)

    st.pills(
        tr("Compared algorithms (click one to remove it)"),
        chosen,
        selection_mode="multi",
        format_func=lambda name: f"{plain(name)} ✕",
        **linked("compared", chosen, keep),
    )
    full = len(chosen) >= MOST_CURVES
    st.selectbox(
        tr("Add an algorithm"),
        [name for name in candidates if name not in chosen],
        index=None,
        placeholder=tr("Remove one to add another") if full else tr("Add an algorithm"),
        key=adding.name,
        on_change=add,
        disabled=full,
        label_visibility="collapsed",
    )
    if full:
        note(tr("The chart shows at most {most} curves.").format(most=MOST_CURVES))
    return chosen


def _measures(session: Session) -> None:
    """Draw the menus of the two measures, upward and across."""
    family, names = type(session.setting.algorithm).family, quantities(session)
    upward, first = {name: title for name, title in names.items() if name != "k"}, _UP.get(family, UP.default)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        start = first if first in names else UP.default
        up = menu(tr("Vertical axis"), upward, UP.name, start, width=144)
        meaning(of_quantity(up), "up")
        menu(tr("Horizontal axis"), names, ACROSS.name, ACROSS.default, width=100)


def _ends(top: int) -> tuple[int, int]:
    """Return the least and the greatest k, within the number of records."""
    ends = Key(kept("k range", (2, min(20, top))), (2, top))
    low, high = (min(end, top) for end in ends.get())
    ends.set((low, high))
    return low, high


def _further(session: Session, algorithms: Sequence[kc.Algorithm], top: int) -> None:
    """Show the range of k, seeds, the scale above the optimum, and the measures that do not apply."""
    st.slider(tr("Range of k"), 2, top, key="k range")
    if any(algorithm.randomized for algorithm in algorithms):
        says = tr("{seeds} seeds for randomized algorithms").format(seeds=SEEDS)
        about = tr("Shows a band from the smallest to the largest value.")
        st.toggle(says, key=kept(_SEEDS.name, False), help=about)
    if (up := UP.get()) in FLOORS and FLOORS[up].algorithm in algorithms:
        key = kept(SHOWN_AS.name, VALUE)
        st.radio(tr("Show as"), [VALUE, ABOVE], format_func=tr, horizontal=True, key=key)
    if any(session.unfit(cls) for cls in METRICS):
        title = tr("Measures not available for this table")
        st.caption(f"**{plain(title)}**")
        barred(session, METRICS)


def _first(session: Session, candidates: dict[str, kc.Algorithm]) -> list[str]:
    """Return the current algorithm and a few others, with the optimum, if any."""
    if type(session.setting.algorithm).family == "concealment":
        tours = (kc.Tours(),) if len(session.table) <= TOURS_AT_MOST else ()
        names = [*list(candidates)[:1], *map(describe, (*CONCEALING, *tours))]
    else:
        names = [*list(candidates)[:3], describe(FLOORS["ILSSDM"].algorithm)]
    return [name for name in dict.fromkeys(names) if name in candidates]


def _settings(session: Session, algorithms: Sequence[kc.Algorithm], ks: range) -> list[Setting]:
    """Return every algorithm at every k, the current k first and further seeds last. Theorem 2.1 also needs
    the best pairs."""
    seed, now = session.setting.seed, session.setting.k
    order = sorted(refining(ks), key=lambda k: k != now)
    found = [Setting(algorithm, k, seed) for k in order for algorithm in algorithms]
    if 2 in ks and _proves(session, algorithms):
        found.insert(len(algorithms), Setting(BEST_PAIRS, 2, seed))
    if _SEEDS.get():
        again = [algorithm for algorithm in algorithms if algorithm.randomized]
        found += [
            Setting(a, k, (seed + i) % 2**SEED_BITS) for i in range(1, SEEDS) for k in order for a in again
        ]
    return found


def _proves(session: Session, algorithms: Sequence[kc.Algorithm]) -> bool:
    """Return whether theorem 2.1 is to be shown and the best pairs, which it takes, can be computed here."""
    if (
        len(algorithms) >= MOST_CURVES
        or UP.get() != "MatchingCost"
        or FLOORS["MatchingCost"].algorithm not in algorithms
    ):
        return False
    return BEST_PAIRS not in algorithms and not BEST_PAIRS.unsuitable(session.table, 2)


def _candidates(session: Session) -> dict[str, kc.Algorithm]:
    """Return the current algorithm, as requested before its search settled, and the others."""
    mine = as_asked(session, session.setting.algorithm)
    found = methods(session, mine)
    return found if not mine.unsuitable(session.table, 2) else dict(list(found.items())[1:])

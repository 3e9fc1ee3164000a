"""What the trade-off computes: algorithms, k, seeds, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import kanon_core as kc
from kanon_core.base.randomness import SEED_BITS
from kanon_core.charts.curves.optima import BEST_PAIRS
from kanon_core.metrics import METRICS
from kanon_core.sweeps import FLOORS, refining
from pages.state.keys import Key, kept
from pages.state.session import Session, Setting, describe
from pages.state.sweeping import methods, quantities
from pages.widgets.controls import SLIDER_TOP
from pages.widgets.measures import barred
from pages.widgets.pickers import menu

_UP = {"concealment": "MatchingCost", "histories": "PurchaseUtility"}
"""By family: what is drawn first, where it is not the information loss."""
SEEDS = 5
VALUE = "value"
ACROSS, UP = Key("across", "k"), Key("up", "ILSSDM")
SHOWN_AS, _SEEDS = Key("shown as", VALUE), Key("several seeds", False)
CONCEALING = (kc.OptimalConcealment(), kc.Clustered(inner=kc.Tours()), kc.Greedy(), kc.Pairing())
"""What an algorithm of k-concealment is first compared with; `Tours` too, where it takes seconds only."""
TOURS_AT_MOST = 1_000


def choose(session: Session) -> list[Setting]:
    """Which algorithms and which k; the settings in the order in which they are computed."""
    candidates = _candidates(session)
    family = type(session.setting.algorithm).family
    key = kept(f"compared {family} {session.table.digest}", _first(session, candidates), candidates)
    algorithms = [candidates[name] for name in st.multiselect("Algorithms", list(candidates), key=key)]
    low, high = _range(max(3, min(SLIDER_TOP, session.largest_k)))
    names = quantities(session)
    menu("Across", names, ACROSS.name, ACROSS.default)
    upward, first = {name: title for name, title in names.items() if name != "k"}, _UP.get(family, UP.default)
    up = menu("Up", upward, UP.name, first if first in names else UP.default)
    _left_out(session)
    if up in FLOORS and FLOORS[up].algorithm in algorithms:
        st.radio("Show as", [VALUE, "above the optimum (%)"], horizontal=True, key=kept(SHOWN_AS.name, VALUE))
    if any(algorithm.randomized for algorithm in algorithms):
        says, about = f"{SEEDS} seeds for randomized algorithms", "a band from the least to the most"
        st.toggle(says, key=kept(_SEEDS.name, False), help=about)
    return _settings(session, algorithms, range(low, high + 1))


def _range(top: int) -> tuple[int, int]:
    """The least and the greatest k; a table that has fewer takes part of what was chosen for another."""
    ends = Key(kept("k range", (2, min(20, top))), (2, top))
    low, high = (min(end, top) for end in ends.get())
    ends.set((low, high))
    st.slider("k from … to …", 2, top, key=ends.name)
    return low, high


def _left_out(session: Session) -> None:
    """Which measures cannot be drawn of this table and why, behind a small button."""
    if any(session.unfit(cls) for cls in METRICS):
        with st.popover("Measures not for this table", icon=":material/block:", type="tertiary"):
            barred(session, METRICS)


def _first(session: Session, candidates: dict[str, kc.Algorithm]) -> list[str]:
    """The current algorithm and a few beside it, with the optimum, if any, as the floor under every curve."""
    if type(session.setting.algorithm).family == "concealment":
        tours = (kc.Tours(),) if len(session.table) <= TOURS_AT_MOST else ()
        names = [*list(candidates)[:1], *map(describe, (*CONCEALING, *tours))]
    else:
        names = [*list(candidates)[:3], describe(FLOORS["ILSSDM"].algorithm)]
    return [name for name in dict.fromkeys(names) if name in candidates]


def _settings(session: Session, algorithms: Sequence[kc.Algorithm], ks: range) -> list[Setting]:
    """Every algorithm at every k; further seeds come last. Theorem 2.1 also takes the best pairs."""
    seed, order = session.setting.seed, refining(ks)
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
    """Whether theorem 2.1 is to be shown and the best pairs, which it takes, can be computed here."""
    if UP.get() != "MatchingCost" or FLOORS["MatchingCost"].algorithm not in algorithms:
        return False
    return BEST_PAIRS not in algorithms and not BEST_PAIRS.unsuitable(session.table, 2)


def _candidates(session: Session) -> dict[str, kc.Algorithm]:
    """The current algorithm, as it was asked for where its seconds settled into steps, and the others."""
    mine = session.setting.algorithm
    mine = next((point.algorithm for point in session.points.values() if point.settled == mine), mine)
    found = methods(session, mine)
    return found if not mine.unsuitable(session.table, 2) else dict(list(found.items())[1:])

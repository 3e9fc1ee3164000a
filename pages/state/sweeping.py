"""What the trade-off computes: algorithms, k, seeds, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

import kanon_core as kc
from kanon_core.base.randomness import SEED_BITS, folded
from kanon_core.charts.curves.optima import BEST_PAIRS
from kanon_core.charts.curves.quantities import picked_setting
from kanon_core.charts.curves.sentences import Curve
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.sweeps import FLOORS, QUANTITIES, SweepPoint, refining
from pages.state.kept import kept
from pages.state.methods import methods
from pages.state.session import Session, Setting, describe
from pages.widgets.controls import SLIDER_TOP
from pages.widgets.measures import barred

TITLES = {name: found.title for name, found in QUANTITIES.items()}
_METRICS = {cls.__name__ for cls in (*METRICS, *UTILITIES)}
_UP = {"concealment": "MatchingCost", "histories": "PurchaseUtility"}
"""By family: what is drawn first, where it is not the information loss."""
SEEDS = 5
VALUE = "value"
CONCEALING = (kc.OptimalConcealment(), kc.Clustered(inner=kc.Tours()), kc.Greedy(), kc.Pairing())
"""What an algorithm of k-concealment is first compared with; `Tours` too, where it takes seconds only."""
TOURS_AT_MOST = 1_000


def choose(session: Session) -> list[Setting]:
    """Which algorithms and which k; the settings in the order in which they are computed."""
    candidates = _candidates(session)
    family = type(session.setting.algorithm).family
    key = kept(f"compared {family} {session.table.digest}", _first(session, candidates), candidates)
    chosen = st.multiselect("Algorithms", list(candidates), key=key)
    algorithms = [candidates[name] for name in chosen]
    top = max(3, min(SLIDER_TOP, session.largest_k))
    low, high = _range(top)
    names = quantities(session)
    st.selectbox("Across", names, format_func=TITLES.__getitem__, key=kept("across", "k", names))
    upward, first = [name for name in names if name != "k"], _UP.get(family, "ILSSDM")
    key = kept("up", first if first in names else "ILSSDM", upward)
    st.selectbox("Up", upward, format_func=TITLES.__getitem__, key=key)
    _left_out(session)
    if any(FLOORS[name].algorithm in algorithms for name in FLOORS if name == st.session_state["up"]):
        st.radio("Show as", [VALUE, "above the optimum (%)"], horizontal=True, key=kept("shown as", VALUE))
    if any(algorithm.randomized for algorithm in algorithms):
        st.toggle(
            f"{SEEDS} seeds for randomized algorithms",
            key=kept("several seeds", False),
            help="a band from the least to the most",
        )
    return _settings(session, algorithms, range(low, high + 1))


def _range(top: int) -> tuple[int, int]:
    """The least and the greatest k; a table that has fewer takes part of what was chosen for another."""
    key = kept("k range", (2, min(20, top)))
    low, high = st.session_state[key] = tuple(min(end, top) for end in st.session_state[key])
    st.slider("k from … to …", 2, top, key=key)
    return low, high


def _left_out(session: Session) -> None:
    """Which measures cannot be drawn of this table and why, behind a small button."""
    if any(session.unfit(cls) for cls in METRICS):
        with st.popover("Measures not for this table", icon=":material/block:", type="tertiary"):
            barred(session, METRICS)


def quantities(session: Session) -> list[str]:
    """What can be drawn of this table."""
    offered = {cls.__name__ for cls in session.metrics}
    return [name for name in TITLES if name in offered or name not in _METRICS]


def picked_point(key: str, curves: Sequence[Curve]) -> SweepPoint | None:
    """The point of these curves that somebody clicked in the chart ``key``."""
    picked = picked_setting(st.session_state[key])
    if picked is None:
        return None
    number, *which = picked
    return next(
        (point for point in curves[number].points if [point.k, folded(point.seed, 53)] == which), None
    )


def take(session: Session, point: SweepPoint) -> None:
    """Make a point the setting, with the steps that its time was worth."""
    session.ask(algorithm=point.settled or point.algorithm, k=point.k, seed=point.seed)


def _first(session: Session, candidates: dict[str, kc.Algorithm]) -> list[str]:
    """The current algorithm and a few beside it, with the optimum, where there is one, as the floor under
    every curve."""
    if type(session.setting.algorithm).family == "concealment":
        tours = (kc.Tours(),) if len(session.table) <= TOURS_AT_MOST else ()
        names = [*list(candidates)[:1], *map(describe, (*CONCEALING, *tours))]
    else:
        names = [*list(candidates)[:3], describe(FLOORS["ILSSDM"].algorithm)]
    return [name for name in dict.fromkeys(names) if name in candidates]


def _settings(session: Session, algorithms: Sequence[kc.Algorithm], ks: range) -> list[Setting]:
    """Every algorithm at every k; further seeds come last. With the optimum of concealment comes that of
    2-anonymity."""
    seed, order = session.setting.seed, refining(ks)
    found = [Setting(algorithm, k, seed) for k in order for algorithm in algorithms]
    if 2 in ks and _proves(session, algorithms):
        found.insert(len(algorithms), Setting(BEST_PAIRS, 2, seed))
    if st.session_state.get("several seeds"):
        again = [algorithm for algorithm in algorithms if algorithm.randomized]
        found += [
            Setting(a, k, (seed + i) % 2**SEED_BITS) for i in range(1, SEEDS) for k in order for a in again
        ]
    return found


def _proves(session: Session, algorithms: Sequence[kc.Algorithm]) -> bool:
    """Whether theorem 2.1 is to be shown and the best pairs, which it takes, can be computed here."""
    if st.session_state["up"] != "MatchingCost" or FLOORS["MatchingCost"].algorithm not in algorithms:
        return False
    return BEST_PAIRS not in algorithms and not BEST_PAIRS.unsuitable(session.table, 2)


def _candidates(session: Session) -> dict[str, kc.Algorithm]:
    """What may be compared: the current algorithm, as it was asked for where its time settled into steps, and
    the others."""
    mine = session.setting.algorithm
    mine = next((point.algorithm for point in session.points.values() if point.settled == mine), mine)
    found = methods(session, mine)
    return found if not mine.unsuitable(session.table, 2) else dict(list(found.items())[1:])

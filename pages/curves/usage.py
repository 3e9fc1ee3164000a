"""Uses of a release: a card for each measure of utility, which fills in by itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

import kanon_core as kc
from kanon_core.base.options import expression
from kanon_core.base.words import spoken, tr
from kanon_core.metrics import UTILITIES, Measured, Metric, ModelLoss, QueryError
from kanon_core.metrics.base import compared
from kanon_core.metrics.comparisons import Comparison
from kanon_core.table.columns.columns import Items
from pages.curves.usecards import legend, reason_card, result_card, waiting_card
from pages.shell.private import Place
from pages.state.jobs import SHORT, rerun_here, working
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.measures import barred, explained
from pages.widgets.pickers import button

_SLOW = (QueryError, ModelLoss)
"""The measures that take longest."""
_STOPPED: Key[frozenset[str]] = Key("uses stopped", frozenset())
"""By table: the measures that were stopped; they wait for a click at every setting."""
_FAILED: Key[tuple[str, str]] = Key("use failed", ("", ""))
"""By table and measure: the setting for which it failed, and the reason."""
_ORDER: Key[tuple[str, ...]] = Key("order of uses", ())
"""By table: the measures as they stood when all were known, the largest change first."""


def usages(session: Session) -> tuple[Metric, ...]:
    """Return the utility measures that apply to this table, with the column to predict."""
    return tuple(metric for metric in _all(session) if not session.unfit(metric))


def _all(session: Session) -> tuple[Metric, ...]:
    """Return the utility measures with their options, those that take longest last; the model predicts the
    first possible column by default."""
    quick_first = sorted(UTILITIES, key=lambda cls: cls in _SLOW)
    return tuple(_model(session) if cls is ModelLoss else session.way(cls) for cls in quick_first)


def _model(session: Session) -> Metric:
    model = session.way(ModelLoss)
    assert isinstance(model, ModelLoss)
    names = targets(session)
    return model if model.target in names or not names else dataclasses.replace(model, target=names[0])


def targets(session: Session) -> list[str]:
    """Return the columns that a model can predict: sensitive ones first, then others."""
    columns = [c.attribute for c in session.table.columns if not isinstance(c, Items)]
    names = [a.name for role in ("sensitive", "other") for a in columns if a.role == role]
    return [name for name in names if not session.unfit(ModelLoss(target=name))]


def usage_view(session: Session, release: kc.Release) -> None:
    """Show a card for each measure at once, and compute those that are missing, the quick ones first. Cards
    keep their places until all are known; then the largest change comes first."""
    metrics = usages(session)
    said = st.empty()
    cards = _cards(session, release, metrics)
    _target(session)
    explained(session, metrics)
    barred(session, _all(session))
    todo = [metric for metric in metrics if _pending(session, metric)]
    for done, metric in enumerate(todo, len(metrics) - len(todo)):
        with said:
            legend(tr("Computed: {done} of {count}.").format(done=done, count=len(metrics)))
        _compute(session, metric, cards[type(metric).__name__])
        _fill(session, release, metric, cards[type(metric).__name__])
    with said:
        legend(
            tr(
                "A measure of 0 means no change; lower is better. The largest change comes first, in standard"
                " deviations (σ) or as a share of what can be lost."
            )
        )
    _sort(session, release, metrics, list(cards))


class _Card(NamedTuple):
    """The frame of a card, and the place of its contents within it."""

    frame: Place
    contents: Place


def _target(session: Session) -> None:
    names, model = targets(session), _model(session)
    if len(names) < 2:
        return
    assert isinstance(model, ModelLoss)

    def take(target: str) -> None:
        session.ways[ModelLoss.__name__] = dataclasses.replace(model, target=target)

    st.selectbox(tr("Column to predict"), names, width=420, **linked("column to predict", model.target, take))


def _cards(session: Session, release: kc.Release, metrics: Sequence[Metric]) -> dict[str, _Card]:
    """Show the cards as they are now, in the order in which they were last seen complete."""
    seen, cards = _ORDER.of(session.table.digest).get(), {}
    names = [type(metric).__name__ for metric in metrics]
    ordered = sorted(metrics, key=lambda m: (*seen, *names).index(type(m).__name__))
    with st.container(key="uses"):
        for place, metric in enumerate(ordered):
            frame = st.container(key=f"use-{place}", border=True)
            with frame:
                cards[type(metric).__name__] = _Card(frame, st.empty())
            _fill(session, release, metric, cards[type(metric).__name__])
    return cards


def _fill(session: Session, release: kc.Release, metric: Metric, card: _Card) -> None:
    """Show what is known of a measure in its card, and a button if it waits for one."""
    name, measured, reason = type(metric).__name__, _known(session, metric), _reason(session, metric)
    with card.contents:
        if measured is not None and measured.total == measured.total:
            result_card(metric, measured, _comparison(session, release, metric, measured))
        elif measured is not None:
            reason_card(metric, " ".join(measured.notes))
        elif reason:
            reason_card(metric, reason)
        else:
            waiting_card(metric, tr("stopped") if _stopped(session, metric) else tr("waiting"))
    if measured is None and not _pending(session, metric):
        with card.frame:
            again = tr("Compute again") if reason else tr("Compute")
            button(again, partial(_resume, session, metric), icon="play_arrow", key=f"compute {name}")


def _known(session: Session, metric: Metric) -> Measured | None:
    return session.known(session.setting, metric)


def _comparison(session: Session, release: kc.Release, metric: Metric, measured: Measured) -> Comparison:
    def make() -> Comparison:
        return compared(metric, session.table, release, measured)

    return session.picture(("use", expression(metric), spoken()), make)


def _pending(session: Session, metric: Metric) -> bool:
    """Return whether a measure is to be computed now."""
    return not (_known(session, metric) or _reason(session, metric) or _stopped(session, metric))


def _stopped(session: Session, metric: Metric) -> bool:
    return type(metric).__name__ in _STOPPED.of(session.table.digest).get()


def _failed(session: Session, metric: Metric) -> Key[tuple[str, str]]:
    return _FAILED.of(session.table.digest, type(metric).__name__)


def _reason(session: Session, metric: Metric) -> str:
    """Return why a measure failed for this setting; "" where it did not."""
    of, reason = _failed(session, metric).get()
    return reason if of == _task(session, metric) else ""


def _task(session: Session, metric: Metric) -> str:
    return f"{session.setting.key} {expression(metric)}"


def _stop(session: Session, metric: Metric) -> None:
    stopped = _STOPPED.of(session.table.digest)
    stopped.set(stopped.get() | {type(metric).__name__})


def _resume(session: Session, metric: Metric) -> None:
    stopped = _STOPPED.of(session.table.digest)
    stopped.set(stopped.get() - {type(metric).__name__})
    _failed(session, metric).pop()


def _compute(session: Session, metric: Metric, card: _Card) -> None:
    """Compute one measure, with its progress in its card; a click anywhere interrupts it."""
    with card.contents:
        waiting_card(metric, tr("computing"))
    with card.frame, working(partial(_stop, session, metric), f"stop {type(metric).__name__}") as tick:
        try:
            session.by_record(metric, tick)
        except (kc.KanonError, MemoryError) as problem:
            reason = tr(SHORT) if isinstance(problem, MemoryError) else str(problem)
            _failed(session, metric).set((_task(session, metric), reason))


def _sort(session: Session, release: kc.Release, metrics: Sequence[Metric], shown: list[str]) -> None:
    """Draw again where the cards are not in the order of their changes; those without a number come last."""
    sizes = {}
    for metric in metrics:
        measured = _known(session, metric)
        if measured is not None and measured.total == measured.total:
            sizes[type(metric).__name__] = _comparison(session, release, metric, measured).size
    names = [type(metric).__name__ for metric in metrics]
    ordered = sorted(names, key=lambda name: (name not in sizes, -sizes.get(name, 0.0)))
    _ORDER.of(session.table.digest).set(tuple(ordered))
    if ordered != shown:
        rerun_here()

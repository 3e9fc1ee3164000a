"""Uses of a release: measures that take a while, computed when asked for."""

from __future__ import annotations

import dataclasses

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.metrics import UTILITIES, Metric, ModelLoss
from kanon_core.table.columns.columns import Items
from pages.shell.private import Place
from pages.state.jobs import ticker
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.measures import barred, score_cards
from pages.widgets.pickers import button
from pages.widgets.text import note, plain, warning

_ASKED: Key[frozenset[str]] = Key("uses asked for", frozenset())
"""By table and setting: the class names of the requested measures."""
_CLICKED: Key[frozenset[str]] = Key("uses clicked", frozenset())
"""By table: the measures just clicked, until the setting is known."""


def usages(session: Session) -> tuple[Metric, ...]:
    """Return the utility measures that apply to this table, with the column to predict."""
    return tuple(metric for metric in _all(session) if not session.unfit(metric))


def _all(session: Session) -> tuple[Metric, ...]:
    """Return the utility measures with their options; the model predicts the first possible column by
    default."""
    return tuple(_model(session) if cls is ModelLoss else session.way(cls) for cls in UTILITIES)


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
    """Show the measures as cards, and a button for those not computed yet."""
    note(
        tr(
            "These measures show how well results from the release agree with results from the original"
            " table. They may take seconds, so they are computed on request and again for every setting."
        )
    )
    _target(session)
    if clicked := _CLICKED.of(session.table.digest).pop():
        _wanted_key(session).set(clicked)
    metrics = usages(session)
    buttons, place, shown = st.empty(), st.empty(), st.empty()
    _cards(session, metrics, shown)
    for metric in metrics:
        if (
            type(metric).__name__ in _wanted_key(session).get()
            and session.known(session.setting, metric) is None
        ):
            _compute(session, metric, place)
            _cards(session, metrics, shown)
    missing = [metric for metric in metrics if session.known(session.setting, metric) is None]
    if missing:
        with buttons.container():
            _buttons(session, missing)
    barred(session, _all(session))


def _cards(session: Session, metrics: tuple[Metric, ...], shown: Place) -> None:
    known = [(metric, session.known(session.setting, metric)) for metric in metrics]
    if any(found for _, found in known):
        with shown.container():
            score_cards((metric, found, None) for metric, found in known if found)


def _target(session: Session) -> None:
    names, model = targets(session), _model(session)
    if len(names) < 2:
        return
    assert isinstance(model, ModelLoss)

    def take(target: str) -> None:
        session.ways[ModelLoss.__name__] = dataclasses.replace(model, target=target)

    st.selectbox(tr("Column to predict"), names, width=420, **linked("column to predict", model.target, take))


def _wanted_key(session: Session) -> Key[frozenset[str]]:
    """Return the measures that were asked for, for this setting."""
    return _ASKED.of(session.table.digest, session.setting.key)


def _buttons(session: Session, missing: list[Metric]) -> None:
    names = frozenset(type(metric).__name__ for metric in missing)
    ask, says = _CLICKED.of(session.table.digest).set, tr("Compute all")
    if len(missing) == 1:
        says = tr("Compute {title}").format(title=missing[0].title)
    with st.container(horizontal=True):
        button(says, ask, names, icon="play_arrow", primary=True, key="compute uses")
        for metric in missing if len(missing) > 1 else ():
            name = type(metric).__name__
            button(metric.title, ask, frozenset({name}), key=f"compute {name}", help=metric.sentence)


def _compute(session: Session, metric: Metric, place: Place) -> None:
    """Compute one measure with its progress; a click anywhere stops it."""
    asked, name = _wanted_key(session), type(metric).__name__
    tick = ticker(place, lambda: asked.set(frozenset()), key=f"stop {name}", lead=metric.title)
    place.progress(0, text=plain(metric.title))
    try:
        session.by_record(metric, tick)
    except kc.KanonError as reason:
        asked.set(asked.get() - {name})
        warning(reason)
    place.empty()

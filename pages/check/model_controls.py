"""Controls of the guarantees to check and of the treatment of cells, made from the declarations."""

from __future__ import annotations

from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base.kinds import Columns, Kind
from kanon_core.base.options import options_of
from kanon_core.base.words import tr
from kanon_core.checks.checking import MODELS
from pages.state.keys import Key, Lasting, kept, linked
from pages.state.session import Session
from pages.widgets.controls import draw
from pages.widgets.layout import lazy_popover

_CHANGED: Key[dict[str, Any]] = Lasting("check-parameters", {})
_COUNTED: Key[dict[str, Any]] = Lasting("check-counting", {})


def chosen_models(session: Session, beside: bool) -> list[kc.Guarantee]:
    """Return the chosen models after a control for each of their parameters."""
    offered = {m.called: m for m in MODELS if beside or not m.needs_original}
    first = next(iter(offered))
    key = kept("check-models", [first], offered)
    names = st.multiselect(
        tr("Guarantees to check"),
        list(offered),
        key=key,
        placeholder=tr("none: show only the levels reached"),
    )
    return [_with_parameters(session, offered[name], name) for name in names]


def _with_parameters(session: Session, model: kc.Guarantee, name: str) -> kc.Guarantee:
    """Return the model with what was changed; numbers are in sight, the other parameters are behind a
    button."""
    changed = _CHANGED.of(name)
    guarantee: kc.Guarantee = _changed(model, changed.get())
    # The roles of the columns replace this option.
    options = [one for one in options_of(type(model)) if not isinstance(one.kind, Columns)]
    numbers = [one for one in options if isinstance(getattr(model, one.name), int | float)]
    numbers = [one for one in numbers if not isinstance(getattr(model, one.name), bool)]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        for option in numbers:
            label = f"{name}: {option.name}"
            _control(session, option.kind, option.name, label, guarantee, changed, option.help)
    more = [one for one in options if one not in numbers]
    if more:
        with lazy_popover(tr("Options of {name}").format(name=name), f"check-more-{name}", "tune") as open:
            for option in more if open else ():
                _control(session, option.kind, option.name, option.label, guarantee, changed, option.help)
    return guarantee


def _changed(thing: Any, changes: dict[str, Any]) -> Any:
    values = {option.name: getattr(thing, option.name) for option in options_of(type(thing))}
    return type(thing)(**{**values, **changes})


def counting(session: Session) -> kc.Counting:
    """Draw the controls for how cells count; return the choice."""
    counted: kc.Counting = _changed(kc.Counting(), _COUNTED.get())
    with lazy_popover(
        tr("Treatment of missing and suppressed cells"), "check-counting-options", "rule"
    ) as open:
        for option in options_of(kc.Counting) if open else ():
            label = option.help[:1].upper() + option.help[1:]
            _control(session, option.kind, option.name, label, counted, _COUNTED, "")
    return counted


def _control(
    session: Session, kind: Kind, name: str, label: str, owner: Any, changed: Key[dict[str, Any]], help: str
) -> None:
    """Draw the control of one option; its value is taken before the page is drawn again."""
    value = getattr(owner, name)

    def take(chosen: Any) -> None:
        changed.set({**changed.get(), name: chosen})

    tied = linked(f"{changed.name} {name}", value, take)
    draw(session, kind, label, value, {**tied, "help": help or None})

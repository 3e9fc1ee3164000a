"""Distance of two values of a column: the choice, its options, and their effect."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.words import number_text, tr
from kanon_core.charts.canvas.theme import listed
from kanon_core.distances import AXIOMS, default, distance_of
from kanon_core.distances.chosen import names_of
from kanon_core.distances.extremes import Extremes, extremes, source_of
from kanon_core.distances.mixed import coordinates_of
from kanon_core.distances.values.data_options import Listed
from pages.data.column_changes import one_column
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.controls import draw
from pages.widgets.text import bold, info, line, note, warning

_DRAFT: Key[kc.Distance | None] = Key("distance draft", None)
_PROBLEM = Key("distance problem", "")
_MOST = 60


def chooser(session: Session) -> None:
    """Show the distance of one column, its options, and its nearest and farthest values."""
    names = _measured(session.table)
    with st.expander(tr("Distances between values"), icon=":material/straighten:"):
        left, right = st.columns([2, 3], gap="large")
        with left:
            name = one_column(
                tr("Column"),
                "distance column",
                names,
                tr("Give a column the role quasi-identifier first."),
                tr(
                    "Distances are used by {always}, by {asked} with the option “distance: chosen”, and by"
                    " losses that measure distances. The weights are in the table above."
                ).format(**_users()),
            )
            if name is None:
                return
            distance = _choice(session, name)
        with right:
            _about(session, name, distance)


def _users() -> dict[str, str]:
    """Return the algorithms that use the distances chosen for columns: always, or with an option."""
    takes = [cls for cls in kc.ALGORITHMS if cls.takes_distances]
    always, asked = ([cls.title for cls in takes if cls().by_distances is by] for by in (True, False))
    return {"always": listed(always), "asked": listed(asked)}


def _measured(table: kc.Table) -> list[str]:
    """Return the quasi-identifiers, a longitude only where it is not part of a place."""
    found = [c.attribute for c in table.quasi]
    place = any(isinstance(distance_of(a), kc.GreatCircle) for a in found)
    return [a.name for a in found if not (place and a.kind == "longitude")]


def words(table: kc.Table) -> dict[str, str]:
    """Return the title of the distance of each column, for the table of columns."""
    measured = _measured(table)
    of_place = {
        a.name: tr("measured with the latitude")
        for a in table.schema.quasi_identifiers
        if a.name not in measured
    }
    return {name: distance_of(table.schema[name]).title for name in measured} | of_place


def _current(session: Session, name: str) -> kc.Distance:
    """Return the distance on screen: an incomplete one, or the column's own."""
    draft = _DRAFT.of(session.table.data_digest, name).get()
    if draft is not None and session.table.schema[name].kind in draft.kinds:
        return draft
    return distance_of(session.table.schema[name])


def _take(session: Session, name: str, distance: kc.Distance) -> None:
    """Give the column this distance; an incomplete one stays a draft."""
    draft = _DRAFT.of(session.table.data_digest, name)
    draft.pop()
    if distance.unsuitable(source_of(session.table, name, distance)):
        draft.set(distance)
        return
    schema = session.table.schema
    own = None if distance == default(schema[name].kind) else distance
    if own != schema[name].distance:
        session.change_schema(schema.with_distances({name: own}))


def _choice(session: Session, name: str) -> kc.Distance:
    """Show the menu of distances for this kind of column and the options of the chosen one; return it."""
    kind, current = session.table.schema[name].kind, _current(session, name)
    usable, reasons = _usable(session, name, kind)
    titles = {cls.__name__: cls.title for cls in usable}
    chosen = type(current).__name__
    tied = linked(f"distance {name}", chosen, lambda cls: _take(session, name, options.declared(cls)()))
    st.selectbox(tr("Distance"), list(titles), format_func=titles.__getitem__, **tied)
    for reason in reasons:
        note(tr("Not for this column: {reason}").format(reason=reason))
    for option in options.options_of(type(current)):
        _option(session, name, current, option)
    return current


def _usable(session: Session, name: str, kind: str) -> tuple[list[type[kc.Distance]], list[str]]:
    """Return the distances for this kind, and the reasons why others of this kind cannot be used for this
    column."""
    usable, reasons = [], []
    for cls in kc.DISTANCES:
        if kind not in cls.kinds:
            continue
        needs_data = any(isinstance(option.kind, Listed) for option in options.options_of(cls))
        why = [] if needs_data else cls().unsuitable(source_of(session.table, name, cls()))
        if why and cls is not type(_current(session, name)):
            reasons.append(f"{cls.title}. {why[0]}")
        else:
            usable.append(cls)
    return usable, reasons


def _option(session: Session, name: str, owner: kc.Distance, option: options.Option) -> None:
    """Show the control of one option; data are typed in, one entry a line."""
    key = f"distance {name} {type(owner).__name__} {option.name}"
    value = getattr(owner, option.name)

    def take(chosen: Any) -> None:
        _take(session, name, dataclasses.replace(owner, **{option.name: chosen}))

    if isinstance(option.kind, Listed):
        _lines(option.label.capitalize(), option.kind, Key(key, option.kind.text(value)), take)
    else:
        draw(session, option.kind, option.label.capitalize(), value, {**linked(key, value, take)})
    if option.help:
        note(f"{option.help[:1].upper()}{option.help[1:]}.")


def _lines(label: str, kind: Listed, typed: Key[str], take: Callable[[Any], None]) -> None:
    """Show a text field with one entry a line; a problem is shown below while the text is on screen."""
    problem = _PROBLEM.of(typed.name)
    if not typed.is_set:
        typed.set(typed.default)
        problem.pop()

    def changed() -> None:
        problem.pop()
        try:
            take(kind.parse(typed.get()))
        except kc.KanonError as reason:
            problem.set(str(reason))
        except ValueError as allowed:
            problem.set(tr("The lines must be {allowed}.").format(allowed=allowed))

    height = 30 + 36 * len(kind.example.splitlines())
    st.text_area(label, height=height, placeholder=kind.example, key=typed.name, on_change=changed)
    if problem.get():
        warning(tr("{problem} Nothing was changed.").format(problem=problem.get()))


def _about(session: Session, name: str, distance: kc.Distance) -> None:
    """Show the meaning of the distance and its nearest and farthest pairs, or what it still needs."""
    line("", distance.title, f". {distance.sentence}")
    st.latex(type(distance).formula)
    source = source_of(session.table, name, distance)
    reasons = distance.unsuitable(source)
    if reasons:
        says = tr("{reasons} The column keeps its previous distance until then.")
        info(says.format(reasons=" ".join(reasons)))
        return
    unit = f" {distance.unit}" if distance.unit else ""
    says = tr("The largest possible distance is {bound}{unit}. {kind}: {meaning}.")
    kind, meaning = tr(distance.axioms).capitalize(), tr(AXIOMS[distance.axioms])
    note(says.format(bound=number_text(distance.bound(source)), unit=unit, kind=kind, meaning=meaning))
    _points(session.table, name, distance)
    if session.table.schema[name].is_private:
        return
    found = session.picture(
        ("distances", name, options.expression(distance)), lambda: extremes(session.table, name, distance)
    )
    _pairs(session.table, names_of(source), found, distance.unit)


def _points(table: kc.Table, name: str, distance: kc.Distance) -> None:
    """Show how exactly algorithms that compute with centroids represent the distance."""
    if distance != distance_of(table.schema[name]):
        return
    own = coordinates_of(table).get(name)
    if own is None or not own.off:
        return
    says = tr(
        "Algorithms that use means represent the values as points in {axes} dimensions. The squared distances"
        " between these points differ from the chosen distances by {percent} % on average."
    )
    note(says.format(axes=own.numeric.shape[1], percent=max(1, round(100 * own.off))))


def _pairs(table: kc.Table, names: tuple[str, ...], ends: Extremes, unit: str) -> None:
    if not ends.nearest:
        st.caption(tr("The column has fewer than two different values, so there is no pair to show."))
        return
    titles = tr("Nearest different values"), tr("Farthest different values")
    for title, pairs in zip(titles, (ends.nearest, ends.farthest), strict=True):
        note(title)
        for a, b, apart in pairs:
            amount = f"{number_text(apart)} {unit}".strip()
            first, second = _text(table, names, a), _text(table, names, b)
            line(*bold(tr("*{amount}* – {one} and {other}"), amount=amount, one=first, other=second))
    if ends.compared < ends.distinct:
        note(
            tr("Compared: {compared:,} of the {distinct:,} different values.").format(
                compared=ends.compared, distinct=ends.distinct
            )
        )


def _text(table: kc.Table, names: tuple[str, ...], row: int) -> str:
    text = ", ".join(str(table.frame[name].iloc[row]) for name in names)
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"

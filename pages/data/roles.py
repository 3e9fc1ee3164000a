"""Table of columns: editable name, role, kind, weight and recoding, for one column or several, with
explanations."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr, tr_each
from kanon_core.table.changes import spoken
from kanon_core.table.columns.columns import Categories, Column, Items
from kanon_core.table.guesses import role_reasons
from kanon_core.table.readers.notes import given_names
from kanon_core.table.schema import KINDS, RECODINGS, ROLES
from kanon_core.teaching.glossary import entry
from pages.data import distances
from pages.data.column_changes import SCHEMA_PROBLEM, changed
from pages.data.history import SchemaHistory, known_roles, undo_button
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.text import error, heading, line, note

_NAME, _ROUND = later("column"), later("round ends")
_EDITED = (later("role"), later("kind"), later("weight"), later("recoding"), _ROUND)
_FOUND = (later("distance"), later("values"), later("missing"), later("does not fit"))
_UNNAMED = re.compile(r"column_\d+")
_KEEP = later("no change")
_SEVERAL: Key[list[str]] = Key("several", [])
_CHOSEN = {"role": ROLES, "kind": KINDS, "recoding": RECODINGS}
_GIVEN = {name: Key(f"several {name}", _KEEP) for name in _CHOSEN}
_INLINE = 30
_REASONS_SHOWN = 60
_EXPLAINED = ("weight", "round ends")
"""The columns whose explanation comes from the glossary."""
_VERSION = Key("columns version", 0)
_SHOWN: Key[kc.Schema | None] = Key("columns shown", None)
"""The schema that the table of columns shows, with the cells typed into it."""


def editor(session: Session, seen: SchemaHistory) -> None:
    """Show the guessed roles and kinds for editing; an invalid change is refused with its reason."""
    left, right = st.columns([5, 2], gap="large")
    with left:
        heading(tr("Columns"))
        st.caption(
            tr(
                "Kanon guesses the roles from names and values; check them. Quasi-identifiers are anonymized,"
                " identifiers are never published, and sensitive and other columns are published unchanged."
                " To edit a column with a pencil in its heading, double-click a cell, or press Enter there."
            )
        )
        with st.container(horizontal=True, key="columns-tools"):
            _meanings_button()
            _reasons_button(session.table)
            known_roles(session, seen)
    with right:
        _person(session)
    with st.container():  # always drawn, so that the elements below keep their state
        if problem := SCHEMA_PROBLEM.pop():
            error(problem)
        undo_button(session, seen)
    _table(session)
    _several(session)
    _unchanged_note(session)
    _round_note(session)


def _table(session: Session) -> None:
    """Show the table itself. It keeps its state and focus while only cells typed there change the columns.
    After any other change it starts again, since typed cells would cover the new values."""
    if _SHOWN.get() != session.table.schema:
        _start_anew(session)
    shown = _as_frame(session.table)
    edited = st.data_editor(
        shown,
        key=f"columns {_VERSION.get()}",
        hide_index=True,
        disabled=list(_FOUND),
        column_config=_config(),
        alt=tr("Columns of the table with name, role, kind, weight and recoding"),
        height=min(38 + 35 * len(shown), 600),
    )
    unnamed = sum(map(bool, map(_UNNAMED.fullmatch, session.table.schema.names)))
    if unnamed:
        note(tr("Names such as column_1 are placeholders. Replace them with the real column names."))
    _apply(session, shown, edited)


def _person(session: Session) -> None:
    """Show the choice of the column that names the person; with it, people are protected instead of
    records."""
    schema = session.table.schema
    named = schema.of_role("person")

    def take(chosen: str | None) -> None:
        roles = {attribute.name: "identifier" for attribute in named} | ({chosen: "person"} if chosen else {})
        changed(session, SCHEMA_PROBLEM, lambda: schema.with_roles(roles))

    tied = linked(f"whose record {session.table.digest}", named[0].name if named else None, take)
    columns = [attribute.name for attribute in schema if attribute.kind != "items"]
    st.selectbox(
        tr("Which column names the person?"),
        columns,
        None,
        placeholder=(
            tr("not set yet")
            if schema.of_role("undecided")
            else tr("none: each record is a different person")
        ),
        **tied,
    )
    if len(named) > 1:
        note(
            tr(
                "More than one column has the role person. Choose the column that names the"
                " person of each record."
            )
        )
    elif named:
        note(
            tr(
                "With Purchase histories, k counts people: at least k people share the published"
                " quasi-identifiers of each person, and pseudonyms replace this column. Sensitive"
                " and other columns are published unchanged."
            )
        )
    else:
        note(tr("Choose a column if a person may have several records, such as purchases."))


def _as_frame(table: kc.Table) -> pd.DataFrame:
    rows, measured = [], distances.words(table)
    for column in table.columns:
        a, misfits = column.attribute, column.misfits
        examples = "" if misfits is None else ", ".join(misfits.examples) or tr("not shown")
        wrong = "" if misfits is None else f"{misfits.count:,}: {examples}"
        row = (a.name, a.role, a.kind, a.weight, a.recoding, a.round_to, measured.get(a.name, ""))
        rows.append((*row, _distinct(column), int(column.missing.sum()), wrong))
    names = [_NAME, *_EDITED, *_FOUND]
    return pd.DataFrame(rows, columns=names)


def _distinct(column: Column) -> int:
    if isinstance(column, Categories):
        return len(column.labels) - column.has_missing
    return len(column.labels) if isinstance(column, Items) else int(pd.Series(column.values).nunique())


def _config() -> dict[str, Any]:
    about, says = further_columns(), {name: tr(name) for name in (_NAME, *_EDITED, *_FOUND)}
    count, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        _NAME: text(says[_NAME], pinned=True, width="medium"),
        **{name: _choice(says[name], offered) for name, offered in _CHOSEN.items()},
        "weight": count(says["weight"], min_value=0.0, max_value=1000.0, help=about["weight"]),
        _ROUND: text(says[_ROUND], help=about[_ROUND]),
        "distance": text(says["distance"], width=150, help=about["distance"]),
        "values": count(says["values"], format="localized", help=about["values"]),
        "missing": count(says["missing"], format="localized"),
        "does not fit": text(says["does not fit"], help=about["does not fit"]),
    }


def _choice(title: str, offered: dict[str, str]) -> Any:
    about = _explained(tr_each(offered))
    return st.column_config.SelectboxColumn(
        title, options=list(offered), format_func=_said, required=True, help=about
    )


def _said(word: object) -> str:
    return tr(spoken(word))


def _apply(session: Session, shown: pd.DataFrame, edited: pd.DataFrame) -> None:
    """Apply what was typed into the table of columns, if anything was."""
    rows = zip(shown[_NAME], _rows(shown), _rows(edited), strict=True)
    wanted = {name: _new(old, new) for name, old, new in rows if old != new}
    names = edited[_NAME].fillna("").tolist()
    if wanted or names != shown[_NAME].tolist():
        taken = _change(session, wanted, names)
        now = _as_frame(session.table)
        if taken and now[_NAME].tolist() == names and _rows(now) == _rows(edited):
            _SHOWN.set(session.table.schema)
        else:
            _start_anew(session)
        st.rerun()


def _start_anew(session: Session) -> None:
    _VERSION.set(_VERSION.get() + 1)
    _SHOWN.set(session.table.schema)


def _rows(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    filled = frame[list(_EDITED)].fillna({_ROUND: ""})  # an emptied cell
    return list(filled.itertuples(index=False, name=None))


def _new(old: tuple[object, ...], new: tuple[object, ...]) -> dict[str, object]:
    return {field: b for field, a, b in zip(_EDITED, old, new, strict=True) if a != b}


def _several(session: Session) -> None:
    """Show the same change for several columns; the choices are cleared after it."""

    def apply() -> None:
        chosen = {what: key.get() for what, key in _GIVEN.items() if key.get() != _KEEP}
        _change(session, dict.fromkeys(_SEVERAL.get(), chosen), list(session.table.schema.names))
        _SEVERAL.set([])  # set the value, do not remove it: a browser keeps showing the old one
        for key in _GIVEN.values():
            key.set(_KEEP)

    with st.expander(tr("Change several columns at once"), icon=":material/checklist:"):
        names = st.multiselect(
            tr("Columns"),
            session.table.schema.names,
            key=_SEVERAL.name,
            placeholder=tr("choose columns"),
            select_all=False,
        )
        with st.container(horizontal=True, vertical_alignment="bottom"):
            for what, offered in _CHOSEN.items():
                choices = (_KEEP, *offered)
                st.selectbox(tr(what).capitalize(), choices, format_func=_said, key=_GIVEN[what].name)
            asked = [what for what, key in _GIVEN.items() if key.get() != _KEEP]
            button(tr("Apply"), apply, icon="check", key="several apply", disabled=not (names and asked))
        if not (names and asked):
            note(tr("Choose columns and at least one change."))


def _change(session: Session, changes: dict[str, dict[str, Any]], names: list[str]) -> bool:
    """Change the columns under their present names, then the names; return whether this was possible."""

    def of(field: str) -> dict[str, Any]:
        return {name: values[field] for name, values in changes.items() if field in values}

    def make() -> kc.Schema:
        schema = session.table.schema.with_kinds(of("kind")).with_roles(of("role")).with_weights(of("weight"))
        schema = schema.with_recodings(of("recoding")).with_round_ends(of(_ROUND))
        new = given_names(names, schema.names)
        renamed = (dataclasses.replace(a, name=name) for a, name in zip(schema, new, strict=True))
        return kc.Schema(tuple(renamed))

    return changed(session, SCHEMA_PROBLEM, make)


def _unchanged_note(session: Session) -> None:
    """Show the columns that are published unchanged; many of them are folded behind their count."""
    kept = [f"{a.name} ({_said(a.role)})" for a in session.table.schema.of_role("sensitive", "other")]
    if not kept:
        return
    all_of_them, whole = ", ".join(kept), sum(map(len, kept)) + 1_000
    ask = tr("These values are not protected. Make sure that nobody can be recognized by them.")
    if len(kept) <= _INLINE:
        note(tr("Published unchanged: {columns}. {ask}").format(columns=all_of_them, ask=ask), whole)
        return
    note(tr("Columns published unchanged: {count:,}. {ask}").format(count=len(kept), ask=ask))
    with st.expander(tr("Columns published unchanged"), icon=":material/list:"):
        note(f"{all_of_them}.", whole)


def _round_note(session: Session) -> None:
    release = session.kept(session.setting)
    if release is not None:
        for rounded in kc.round_ends(release):
            note(rounded.sentence)


def _meanings_button() -> None:
    """Show a button that explains roles, kinds and the other columns of the table."""
    with st.popover(tr("Meaning of roles and kinds"), icon=":material/help:", width="content"):
        _part(tr("Role: who may know the column, and how it is published"), tr_each(ROLES))
        _part(tr("Kind: type of the values"), tr_each(KINDS))
        _part(tr("Recoding: how a quasi-identifier is published for a group of records"), tr_each(RECODINGS))
        _part(tr("Other columns of the table"), further_columns())


def _reasons_button(table: kc.Table) -> None:
    """Show a button with the reason for the role of each column."""
    with st.popover(tr("Reasons for the roles"), icon=":material/psychology_alt:", width="content"):
        why = role_reasons(table)
        for attribute in table.schema.attributes[:_REASONS_SHOWN]:
            line("", attribute.name, f" ({tr(spoken(attribute.role))}): {why[attribute.name]}.")
        if len(why) > _REASONS_SHOWN:
            note(tr("The first {shown} of {all:,} are shown.").format(shown=_REASONS_SHOWN, all=len(why)))


def further_columns() -> dict[str, str]:
    """Return the other columns of the table of columns and their meaning."""
    return {
        **{word: _fragment(word) for word in _EXPLAINED},
        later("distance"): tr("distance between two values, chosen below under “Distances between values”"),
        later("values"): tr("number of different values or items"),
        later("missing"): tr("number of cells that are empty or count as missing"),
        later("does not fit"): tr(
            "cells that do not fit the kind of the column; they count as missing; with examples"
        ),
    }


def _fragment(word: str) -> str:
    """Return the explanation of a term, to continue a line."""
    says = entry(word).says.removesuffix(".")
    return says[0].lower() + says[1:]


def _explained(meant: Mapping[str, str]) -> str:
    """Return all meanings in one text, for the tooltip of a heading."""
    return "; ".join(f"{tr(spoken(name))}: {meaning}" for name, meaning in meant.items())


def _part(title: str, meant: Mapping[str, str]) -> None:
    line("", title)
    with st.container(gap="xxsmall"):
        for name, meaning in meant.items():
            line("", tr(spoken(name)), f": {meaning}.")

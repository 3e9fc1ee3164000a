"""The table of columns: role, kind, weight and recoding of each, editable, several at once."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.table.columns.columns import Categories, Column, Items
from kanon_core.table.schema import KINDS, RECODINGS, ROLES
from pages.data import distances
from pages.data.columns import SCHEMA_PROBLEM, changed
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.text import error, note

_VERSION = Key("editor version", 0)
_ROUND = "round ends"
_EDITED = ("role", "kind", "weight", "recoding", _ROUND)


def editor(session: Session) -> None:
    """Guessed roles and kinds, to be checked; a change that does not fit is refused with its reason."""
    st.markdown("#### What the columns are")
    st.caption(
        "Guessed from names and values; please check. Quasi-identifiers are anonymized, identifiers never"
        " published, sensitive and other columns published unchanged."
    )
    _person(session)
    shown = _as_frame(session.table)
    edited = st.data_editor(
        shown,
        key=f"columns {_VERSION.get()}",
        hide_index=True,
        disabled=["column", "distance", "values", "missing", "does not fit"],
        column_config=_config(),
        alt="Columns of the table with role, kind, weight and recoding",
        height=min(38 + 35 * len(shown), 600),
    )
    _apply(session, shown, edited)
    _several(session)
    if problem := SCHEMA_PROBLEM.pop():
        error(problem)
    _unchanged_note(session)
    _round_note(session)


def _person(session: Session) -> None:
    """Which column says whose a record is: with one, people are protected, and not single records."""
    schema = session.table.schema
    named = schema.of_role("person")

    def take(chosen: str | None) -> None:
        roles = {attribute.name: "identifier" for attribute in named} | ({chosen: "person"} if chosen else {})
        _VERSION.set(_VERSION.get() + 1)
        changed(session, SCHEMA_PROBLEM, lambda: schema.with_roles(roles))

    tied = linked(f"whose record {session.table.digest}", named[0].name if named else None, take)
    columns = [attribute.name for attribute in schema if attribute.kind != "items"]
    st.selectbox(
        "Whose record is it?",
        columns,
        None,
        width=420,
        placeholder=tr("not said yet") if schema.of_role("undecided") else "each record is of another person",
        help="the column that names the person, when a person may have many records, such as purchases",
        **tied,
    )
    if len(named) > 1:
        note("More than one column has the role person; choose the one that says whose the record is.")
    elif named:
        note(
            "People are protected: k counts people, and everything published of a person is shared by at"
            " least k of them, under pseudonyms in place of this column."
        )


def _as_frame(table: kc.Table) -> pd.DataFrame:
    rows, measured = [], distances.words(table)
    for column in table.columns:
        a, misfits = column.attribute, column.misfits
        examples = "" if misfits is None else ", ".join(misfits.examples) or "not shown"
        wrong = "" if misfits is None else f"{misfits.count:,}: {examples}"
        row = (a.name, a.role, a.kind, a.weight, a.recoding, a.round_to, measured.get(a.name, ""))
        rows.append((*row, _distinct(column), int(column.missing.sum()), wrong))
    names = ["column", *_EDITED, "distance", "values", "missing", "does not fit"]
    return pd.DataFrame(rows, columns=names)


def _distinct(column: Column) -> int:
    if isinstance(column, Categories):
        return len(column.labels) - column.has_missing
    return len(column.labels) if isinstance(column, Items) else int(pd.Series(column.values).nunique())


def _config() -> dict[str, Any]:
    kinds = st.column_config
    choose, count, text = kinds.SelectboxColumn, kinds.NumberColumn, kinds.TextColumn
    misfits = "cells that are not of the column's kind and count as missing, with examples"
    return {
        "role": choose(options=list(ROLES), format_func=_spoken, required=True, help=_words(ROLES)),
        "kind": choose(options=list(KINDS), required=True, help=_words(KINDS)),
        "weight": count(min_value=0.0, max_value=1000.0, help="counts this much in distances"),
        "recoding": choose(options=list(RECODINGS), required=True, help=_words(RECODINGS)),
        _ROUND: text(
            help=tr(
                "the step to which intervals are widened, so that no end need be anybody's value: auto or a"
                " number; of dates day, month or year; of latitude and longitude also meters, 500 m"
            )
        ),
        "distance": text(width=150, help="chosen below, under “How far apart two values are”"),
        "values": count(format="localized", help="number of different values, or items"),
        "missing": count(format="localized"),
        "does not fit": text(help=misfits),
    }


def _words(words: dict[str, str]) -> str:
    return "; ".join(f"{_spoken(name)}: {meaning}" for name, meaning in words.items())


def _spoken(word: object) -> str:
    return str(word).replace("quasi_", "quasi-").replace("_", " ")


def _apply(session: Session, shown: pd.DataFrame, edited: pd.DataFrame) -> None:
    rows = zip(edited["column"], _rows(shown), _rows(edited), strict=True)
    wanted = {name: _new(old, new) for name, old, new in rows if old != new}
    if wanted:
        _change(session, wanted)


def _rows(frame: pd.DataFrame) -> list[tuple[object, ...]]:
    filled = frame[list(_EDITED)].fillna({_ROUND: ""})  # an emptied cell
    return list(filled.itertuples(index=False, name=None))


def _new(old: tuple[object, ...], new: tuple[object, ...]) -> dict[str, object]:
    return {field: b for field, a, b in zip(_EDITED, old, new, strict=True) if a != b}


def _several(session: Session) -> None:
    with st.expander("Change several columns at once", icon=":material/checklist:"):
        about = "choose the columns to change"
        names = st.multiselect("Columns", session.table.schema.names, key="several", placeholder=about)
        keep = "leave as it is"
        with st.container(horizontal=True, vertical_alignment="bottom"):
            role = st.selectbox("Role", (keep, *ROLES), format_func=_spoken, key="several role")
            kind = st.selectbox("Kind", (keep, *KINDS), key="several kind")
            recoding = st.selectbox("Recoding", (keep, *RECODINGS), key="several recoding")
            asked = {"role": role, "kind": kind, "recoding": recoding}
            values = {what: value for what, value in asked.items() if value != keep}
            ready = bool(names and values)
            if st.button(
                "Apply",
                disabled=not ready,
                icon=":material/check:",
                help=None if ready else "choose columns, and what to change of them",
            ):
                _change(session, dict.fromkeys(names, values))


def _change(session: Session, changes: dict[str, dict[str, Any]]) -> None:
    def of(field: str) -> dict[str, Any]:
        return {name: values[field] for name, values in changes.items() if field in values}

    def make() -> kc.Schema:
        schema = session.table.schema.with_kinds(of("kind")).with_roles(of("role")).with_weights(of("weight"))
        return schema.with_recodings(of("recoding")).with_round_ends(of(_ROUND))

    changed(session, SCHEMA_PROBLEM, make)
    _VERSION.set(_VERSION.get() + 1)
    st.rerun()


def _unchanged_note(session: Session) -> None:
    kept = [a.name for a in session.table.schema.of_role("other")]
    if kept:
        note(
            f"{len(kept)} column{'s' if len(kept) > 1 else ''} with the role other will be published"
            f" unchanged; make sure that nobody can be recognized by {'them' if len(kept) > 1 else 'it'}."
        )


def _round_note(session: Session) -> None:
    """What round ends cost in the release of the chosen setting, where it is there."""
    release = session.kept(session.setting)
    if release is not None:
        for rounded in kc.round_ends(release):
            note(rounded.sentence)

"""The table of columns: role, kind, weight and recoding of each, editable, several at once."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.table.columns.columns import Categories, Column, Items
from kanon_core.table.schema import KINDS, RECODINGS, ROLES
from pages.data import distances
from pages.state.session import Session
from pages.widgets.text import error, note

_EDITED = ("role", "kind", "weight", "recoding")


def editor(session: Session) -> None:
    """Guessed roles and kinds, to be checked and changed; a change that does not fit is refused with its
    reason."""
    st.markdown("#### What the columns are")
    st.caption(
        "Guessed from names and values; please check. Quasi-identifiers are anonymized, identifiers never"
        " published, sensitive and other columns published unchanged."
    )
    _person(session)
    version = st.session_state.setdefault("editor version", 0)
    shown = _as_frame(session.table)
    edited = st.data_editor(
        shown,
        key=f"columns {version}",
        hide_index=True,
        disabled=["column", "distance", "values", "missing", "does not fit"],
        column_config=_config(),
        alt="Columns of the table with role, kind, weight and recoding",
        height=min(38 + 35 * len(shown), 600),
    )
    _apply(session, shown, edited)
    _several(session)
    if "schema problem" in st.session_state:
        error(st.session_state.pop("schema problem"))
    _unchanged_note(session)


def _person(session: Session) -> None:
    """Which column says whose a record is: with one, people are protected, and not single records."""
    schema, key = session.table.schema, f"whose record {session.table.digest}"
    named = schema.of_role("person")
    st.session_state[key] = named[0].name if named else None

    def changed() -> None:
        chosen = st.session_state[key]
        roles = {attribute.name: "identifier" for attribute in named}
        if chosen is not None:
            roles[chosen] = "person"
        st.session_state["editor version"] += 1
        try:
            session.change_schema(schema.with_roles(roles))
        except kc.KanonError as reason:
            st.session_state["schema problem"] = f"{reason} Nothing was changed."

    columns = [attribute.name for attribute in schema if attribute.kind != "items"]
    st.selectbox(
        "Whose record is it?",
        columns,
        None,
        key=key,
        on_change=changed,
        width=420,
        placeholder="each record is of another person",
        help="the column that names the person, when somebody may have many records, such as purchases",
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
        wrong = (
            "" if misfits is None else f"{misfits.count:,}: " + (", ".join(misfits.examples) or "not shown")
        )
        rows.append(
            (
                a.name,
                a.role,
                a.kind,
                a.weight,
                a.recoding,
                measured.get(a.name, ""),
                _distinct(column),
                int(column.missing.sum()),
                wrong,
            )
        )
    names = ["column", "role", "kind", "weight", "recoding", "distance", "values", "missing", "does not fit"]
    return pd.DataFrame(rows, columns=names)


def _distinct(column: Column) -> int:
    if isinstance(column, Categories):
        return len(column.labels) - column.has_missing
    return len(column.labels) if isinstance(column, Items) else int(pd.Series(column.values).nunique())


def _config() -> dict[str, Any]:
    choose = st.column_config.SelectboxColumn
    return {
        "role": choose(options=list(ROLES), format_func=_spoken, required=True, help=_words(ROLES)),
        "kind": choose(options=list(KINDS), required=True, help=_words(KINDS)),
        "weight": st.column_config.NumberColumn(
            min_value=0.0, max_value=1000.0, help="counts this much in distances"
        ),
        "recoding": choose(options=list(RECODINGS), required=True, help=_words(RECODINGS)),
        "distance": st.column_config.TextColumn(
            width=150, help="chosen below, under “How far apart two values are”"
        ),
        "values": st.column_config.NumberColumn(
            format="localized", help="number of different values, or items"
        ),
        "missing": st.column_config.NumberColumn(format="localized"),
        "does not fit": st.column_config.TextColumn(
            help="cells that are not of the column's kind and count as missing, with examples"
        ),
    }


def _words(words: dict[str, str]) -> str:
    return "; ".join(f"{_spoken(name)}: {meaning}" for name, meaning in words.items())


def _spoken(word: object) -> str:
    return str(word).replace("quasi_", "quasi-").replace("_", " ")


def _apply(session: Session, shown: pd.DataFrame, edited: pd.DataFrame) -> None:
    changed = [
        a for a, old, new in zip(session.table.schema, _rows(shown), _rows(edited), strict=True) if old != new
    ]
    if changed:
        wanted = dict(zip(edited["column"], _rows(edited), strict=True))
        _change(session, {a.name: dict(zip(_EDITED, wanted[a.name], strict=True)) for a in changed})


def _rows(frame: pd.DataFrame) -> list[tuple]:
    return list(frame[list(_EDITED)].itertuples(index=False, name=None))


def _several(session: Session) -> None:
    with st.expander("Change several columns at once", icon=":material/checklist:"):
        names = st.multiselect(
            "Columns", session.table.schema.names, key="several", placeholder="choose the columns to change"
        )
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

    try:
        schema = session.table.schema.with_kinds(of("kind")).with_roles(of("role")).with_weights(of("weight"))
        session.change_schema(schema.with_recodings(of("recoding")))
    except kc.KanonError as reason:
        st.session_state["schema problem"] = f"{reason} Nothing was changed."
    st.session_state["editor version"] += 1
    st.rerun()


def _unchanged_note(session: Session) -> None:
    kept = [a.name for a in session.table.schema.of_role("other")]
    if kept:
        note(
            f"{len(kept)} column{'s' if len(kept) > 1 else ''} with the role other will be published"
            f" unchanged; make sure that nobody can be recognized by {'them' if len(kept) > 1 else 'it'}."
        )

"""A released file, whoever made it, judged beside the table that is open."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.charts.groups.sizes import match_figure, match_sentence
from kanon_core.release.release import known_items
from kanon_core.table.columns.texts import original_texts
from pages.shell.frame import theme
from pages.state.jobs import ticker
from pages.state.session import Session, has_people
from pages.widgets.text import error, info, line, note
from pages.widgets.views import chart

ROWS = 200
_KEPT = "checked release"
_STOPPED = "check stopped"


def check_file(session: Session) -> None:
    """The uploader, the verdicts, and the records that are easiest to tell."""
    st.markdown("#### Check a released file")
    st.caption(
        "A release of the table that is open, made here or by any other tool: who may be behind which row,"
        " and who has fewer than k rows that could be theirs. Columns are found by name, rows may be in any"
        " order. The file is kept in memory only."
    )
    uploaded = st.file_uploader(
        "Released file", type=["csv", "tsv", "txt", "xlsx", "parquet"], key="released file"
    )
    if uploaded is None:
        return
    try:
        release = _read(session, uploaded.file_id, uploaded.getvalue)
    except kc.KanonError as reason:
        error(reason)
        return
    if release is None:
        st.button(
            "Count again", icon=":material/play_arrow:", on_click=lambda: st.session_state.pop(_STOPPED, None)
        )
        return
    if has_people(session.table):
        note(
            "Records are judged here, each for itself, and not the histories of people: files of histories"
            " are read above."
        )
    for text in release.notes:
        info(text)
    verdicts = kc.audit_uploaded(release, session.setting.k)
    for verdict in verdicts:
        line("\u2713 " if verdict.holds else "\u2717 ", verdict.guarantee, f": {verdict.sentence}")
    note(
        f"Judged at k = {session.setting.k}, as in the status bar. Rows are numbered as in the file, records"
        " as in the table."
    )
    if known_items(session.setting.algorithm, session.table):
        note(
            "Judged is what somebody finds who knows every item of a person. The current setting protects"
            " only from those who know few, so that its own release may fail here."
        )
    _counts(session, release)


def _read(session: Session, file: str, content: object) -> kc.UploadedRelease | None:
    """The release with its matches counted, read once for each file and table; None when the count was
    stopped."""
    key = (session.table.digest, file)
    kept = st.session_state.get(_KEPT)
    if kept is not None and kept[0] == key:
        return kept[1]
    if st.session_state.get(_STOPPED) == key:
        return None
    place = st.empty()
    assert callable(content)
    release = kc.read_release(content(), session.table)
    release.consistency(ticker(place, lambda: st.session_state.update({_STOPPED: key}), "stop check"))
    place.empty()
    st.session_state[_KEPT] = (key, release)
    return release


def _counts(session: Session, release: kc.UploadedRelease) -> None:
    """How many matches records have, and those with the fewest."""
    found = release.consistency()
    here = np.flatnonzero(found.matches > 0)
    if not len(here):
        return
    k, look = session.setting.k, theme()
    left, right = st.columns(2, gap="large")
    with left:
        chart(match_figure(found.matches[here], k, look), "match figure")
        note(match_sentence(found.matches[here], k))
    with right:
        lowest = here[np.argsort(found.matches[here], kind="stable")][:ROWS]
        st.dataframe(
            _lowest(session.table, found.matches, lowest),
            height=300,
            hide_index=True,
            alt="The records with the fewest matches",
        )
        note(
            f"The {len(lowest):,} records with the fewest rows that could be theirs; identifiers are not"
            " shown."
        )


def _lowest(table: kc.Table, matches: np.ndarray, records: np.ndarray) -> pd.DataFrame:
    shown: dict[str, object] = {"record": records + 1, "matches": matches[records]}
    for column in table.quasi:
        name = column.attribute.name
        while name in shown:
            name += "\u2060"  # a column of the table may be called so too; the character has no shape
        shown[name] = original_texts(column, records)
    return pd.DataFrame(shown)

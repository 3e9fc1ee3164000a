"""A released file, made here or elsewhere, judged beside the table that is open."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.groups.sizes import match_figure, match_sentence
from kanon_core.table.columns.texts import original_texts
from pages.shell.frame import theme
from pages.state.jobs import working
from pages.state.keys import Key, linked
from pages.state.session import Session, has_people
from pages.widgets.files import download, upload
from pages.widgets.pickers import button
from pages.widgets.text import error, heading, info, line, note
from pages.widgets.views import chart

ROWS = 200
WITNESSES = 20
_KEPT: Key[tuple[tuple[str, str], kc.UploadedRelease] | None] = Key("checked release", None)
_K: Key[int | None] = Key("k of a checked file", None)
_STOPPED: Key[tuple[str, str] | None] = Key("check stopped", None)


def check_file(session: Session) -> None:
    """The uploader, the verdicts, and the records that are easiest to tell."""
    heading(tr("Check a released file"))
    st.caption(
        "A release of the table that is open, made here or by any other tool: who may be behind which row,"
        " and who has fewer than k rows that could be theirs. Columns are found by name, rows may be in any"
        " order."
    )
    types = ("csv", "tsv", "txt", "xlsx", "parquet")
    uploaded = upload("Released file", types, "released file", "The file is compared, not loaded.")
    if uploaded is None:
        return
    try:
        release = _read(session, uploaded.file_id, uploaded.getvalue)
    except kc.KanonError as reason:
        error(reason)
        return
    if release is None:
        button("Count again", _STOPPED.pop, icon="play_arrow")
        return
    if has_people(session.table):
        note("Records are judged here, each for itself; files of histories are read above.")
    for text in release.notes:
        info(text)
    k = _asked(session)
    verdicts = kc.audit_uploaded(release, k)
    _failing([verdict for verdict in verdicts if not verdict.holds])
    for verdict in verdicts:
        if verdict.holds:
            line("\u2713 ", verdict.guarantee, f": {verdict.sentence}")
    note(f"Judged at k = {k}; rows are numbered as in the file, records as in the table.")
    if session.setting.guarantee.known_items:
        note(
            "Judged for an attacker who knows every item of a person. The guarantee of the current setting is"
            " about one who knows few, so that its own release may fail here."
        )
    _counts(session, release, k)


def _asked(session: Session) -> int:
    """The k to judge at: that of the setting until another is given."""
    chosen = _K.of(session.table.data_digest, session.setting.key)
    tied = linked("judged.k", chosen.get() or session.setting.k, chosen.set)
    most = max(len(session.table), session.setting.k)
    return int(st.number_input(tr("k to judge at"), 2, most, width=160, **tied))


def _failing(verdicts: list[kc.Verdict]) -> None:
    """What does not hold, first and in red, with the numbers of rows and records that cause it."""
    for verdict in verdicts:
        error(f"\u2717 {verdict.guarantee}: {verdict.sentence}", icon=":material/gpp_bad:")
        if verdict.witnesses:
            numbers = ", ".join(map(str, verdict.witnesses[:WITNESSES]))
            more = len(verdict.witnesses) - WITNESSES
            note(f"{verdict.named}: {numbers}" + (" …" if more > 0 else ""))
    told = [(one.guarantee, one.named, number) for one in verdicts for number in one.witnesses]
    if told:
        rows = pd.DataFrame(told, columns=["guarantee", "of", "number"]).to_csv(index=False).encode()
        download(tr("Download what fails"), rows, "failing.csv", key="failing")


def _read(session: Session, file: str, content: Callable[[], bytes]) -> kc.UploadedRelease | None:
    """The release with its matches counted, once for each file and table; None when that was stopped."""
    key = (session.table.digest, file)
    kept = _KEPT.get()
    if kept is not None and kept[0] == key:
        return kept[1]
    if _STOPPED.get() == key:
        return None
    with working(lambda: _STOPPED.set(key), "stop check") as tick:
        release = kc.read_release(content(), session.table)
        kc.audit_uploaded(release, session.setting.k, tick)  # which keeps what it counts
    _KEPT.set((key, release))
    return release


def _counts(session: Session, release: kc.UploadedRelease, k: int) -> None:
    """How many matches records have, and those with the fewest."""
    found = release.consistency()
    here = np.flatnonzero(found.matches > 0)
    if not len(here):
        return
    look = theme()
    left, right = st.columns(2, gap="large")
    with left:
        chart(match_figure(found.matches[here], k, look), "match figure")
        note(match_sentence(found.matches[here], k))
    with right:
        lowest = here[np.argsort(found.matches[here], kind="stable")][:ROWS]
        rows, alt = _lowest(session.table, found.matches, lowest), "The records with the fewest matches"
        st.dataframe(rows, height=300, hide_index=True, alt=alt)
        note(f"The {len(lowest):,} records with the fewest matches; identifiers are not shown.")


def _lowest(table: kc.Table, matches: np.ndarray, records: np.ndarray) -> pd.DataFrame:
    shown: dict[str, object] = {"record": records + 1, "matches": matches[records]}
    for column in table.quasi:
        name = column.attribute.name
        while name in shown:
            name += "\u2060"  # a column of the table may be called so too; the character has no shape
        shown[name] = original_texts(column, records)
    return pd.DataFrame(shown)

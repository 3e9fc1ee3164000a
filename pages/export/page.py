"""Export: the released table, its recipe, and a script and a command that make the same bytes."""

from __future__ import annotations

import streamlit as st

import kanon_core as kc
from kanon_core.report import CONTEST, command_line, release_bytes, released_name, script
from pages.export import contest
from pages.export.checking import check_file
from pages.shell.frame import open_page, ready
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.kept import kept
from pages.state.session import Session
from pages.widgets import reading
from pages.widgets.text import note, warning

ROWS = 60
FORMATS = {"csv": "csv (text)", "xlsx": "xlsx (spreadsheet)", "parquet": "parquet"}
HISTORIES = {"csv": "csv", "xlsx": "xlsx", "parquet": "parquet", CONTEST: "PWSCUP"}
"""Of histories one more; short names, so that all fit a phone."""
MIME = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "parquet": "application/vnd.apache.parquet",
    CONTEST: "text/csv",
}


def main(session: Session) -> None:
    """What is handed over, and what stays in the house."""
    release = release_of(session)
    status_bar(session, release)
    if release is not None:
        left, right = st.columns(2, gap="large")
        with left:
            released_table(session, release)
        with right:
            own_records(session, release)
        if release.protects_people:
            contest.read_back(session, release)
    check_file(session)


def released_table(session: Session, release: kc.Release) -> None:
    """The file to hand over."""
    st.markdown("#### The released table")
    formats = FORMATS | (HISTORIES if release.protects_people else {})
    key = kept("format", "csv", formats)
    form = st.segmented_control(
        "Format", list(formats), format_func=formats.__getitem__, required=True, key=key
    )
    if form == CONTEST:
        contest.released(session, release, released_name(release, _file_name(session), CONTEST))
        note(reading.columns_as_agreed(session, release))
        return
    shuffle = st.toggle(
        "Shuffle the records", key=kept("shuffle", True), help="the original order can tell who is who"
    )
    if not shuffle:
        st.warning(
            "Records keep the order of the input: whoever knows that order knows who is who.",
            icon=":material/warning:",
        )
    if release.known_items:
        items = "1 item" if release.known_items == 1 else f"{release.known_items} items"
        warning(
            f"It is assumed that nobody knows more than {items} of a person."
            f" {release.guarantee.caveats(release)[0]}"
        )
    name = released_name(release, _file_name(session), form or "csv")
    st.download_button(
        f"Download {form}",
        lambda: release_bytes(release, form or "csv", shuffle),
        name,
        MIME[form or "csv"],
        type="primary",
        icon=":material/download:",
        on_click="ignore",
        key="download",
    )
    note(reading.columns_as_agreed(session, release))
    st.caption("Texts that a spreadsheet would run as a formula get an apostrophe in front (csv and xlsx).")
    st.dataframe(
        session.picture(("first rows", shuffle), lambda: release.publish(shuffle, first=ROWS)),
        height=360,
        hide_index=True,
        alt="The first rows of the released table",
    )
    note(
        f"The first {min(ROWS, len(release))} of {int((~release.suppressed).sum()):,} rows as they will be"
        " written."
    )


def own_records(session: Session, release: kc.Release) -> None:
    """Recipe, script and command: for whoever keeps the data, not to be handed over with them."""
    st.markdown("#### How it was made")
    st.caption(
        "For whoever keeps the original data. All three hold names of columns, and values of the input where"
        " a hierarchy, a distance or a map of categories names them; script and command make the same bytes"
        " from the same file. The recipe has a digest of the input too: with a small table it lets somebody"
        " confirm a guess about its cells. Keep them with the data, do not hand them over."
    )
    file, form = _file_name(session), st.session_state.get("format") or "csv"
    shuffle = st.session_state.get("shuffle", True)
    recipe, python, shell = st.tabs(["Recipe (JSON)", "Python script", "Command line"])
    with recipe:
        text = release.recipe.to_json()
        st.download_button("Download the recipe", text, "recipe.json", "application/json", on_click="ignore")
        st.code(text, language="json", height=420)
    with python:
        text = script(release, file, form, shuffle)
        st.download_button("Download the script", text, "anonymize.py", "text/x-python", on_click="ignore")
        st.code(text, language="python", height=420)
    with shell:
        st.code(command_line(release, file, form, shuffle), language="bash", wrap_lines=True)


def _file_name(session: Session) -> str:
    return session.source if session.source.startswith("sample:") else session.name


session = open_page("Export", "The table to hand over, and everything needed to make it again.")
if ready(session):
    main(session)

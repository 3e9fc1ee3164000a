"""Export: the released table, its recipe, and a script and a command that make the same bytes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import counted, later, tr, tr_each
from kanon_core.report import CONTEST, command_line, release_bytes, released_name, script
from pages.export import contest, report, saving
from pages.export.apostrophes import PLAIN, apostrophes
from pages.export.stopped import despite, recipe_of
from pages.shell.frame import open_page, page_file, ready
from pages.shell.status import status_bar
from pages.state.jobs import release_of
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.widgets import sentences
from pages.widgets.files import download
from pages.widgets.findings import findings
from pages.widgets.layout import boxed
from pages.widgets.pickers import choice
from pages.widgets.text import heading, line, note, warning
from pages.widgets.wholecells import not_released

ROWS = 60
FORMATS = {"csv": later("csv (text)"), "xlsx": later("xlsx (spreadsheet)"), "parquet": later("parquet")}
HISTORIES = {name: name for name in FORMATS} | {CONTEST: "PWSCUP"}
"""The further format for histories; short names, so that all fit a phone."""
_FORMAT, _SHUFFLE = Key("format", "csv"), Key("shuffle", True)


def main(session: Session) -> None:
    """Show the released files and the files that stay with the owner of the data."""
    if session.table.whole_cells is not None:
        status_bar(session, session.kept(session.setting))
        not_released(session)
        return
    release = release_of(session)
    status_bar(session, release)
    if release is not None:
        findings(session, release, left_out="stops")
        left, right = st.columns(2, gap="large")
        with left:
            released_table(session, release)
        with right:
            own_records(session, release)
            report.report(session, release, _handed(session, release), _SHUFFLE.get())
            saving.save(session, release)
        if release.guarantee.pseudonyms:
            contest.read_back(session, release)
    st.page_link(page_file("check"), label=tr("Check a released file"), icon=":material/fact_check:")


def released_table(session: Session, release: kc.Release) -> None:
    """Show the released file."""
    heading(tr("Released table"))
    line(sentences.guarantee(session, release))
    allowed = despite(session, release) is not None
    formats = HISTORIES if release.guarantee.pseudonyms else tr_each(FORMATS)
    form = choice(tr("Format"), formats, _FORMAT.name)
    if form == CONTEST:
        if allowed:
            contest.released(session, release, released_name(release, _file_name(session), CONTEST))
        note(sentences.columns_as_agreed(session, release))
        return
    about = tr("The original order can identify records.")
    shuffle = st.toggle(tr("Shuffle the records"), key=kept(_SHUFFLE.name, True), help=about)
    if not shuffle:
        warning(
            tr(
                "The records keep the order of the input. An attacker who knows this order can identify"
                " every record."
            )
        )
    if release.guarantee.known_items:
        items = sentences.items_text(release.guarantee.known_items)
        assumed = tr("The guarantee assumes that no attacker knows more than {items} of a person.").format(
            items=items
        )
        warning(" ".join([assumed, *release.guarantee.caveats(release)]))
    name = released_name(release, _file_name(session), form)
    plain = apostrophes(session, release, form)
    content = partial(release_bytes, release, form, shuffle, plain)
    says = tr("Download {form}").format(form=form)
    download(says, content, name, type="primary", key="download", disabled=not allowed)
    note(sentences.columns_as_agreed(session, release))
    rows = session.picture(("first rows", shuffle), lambda: release.publish(shuffle, first=ROWS))
    st.dataframe(rows, height=360, hide_index=True, alt=tr("The first rows of the released table"))
    note(
        tr("The first {count} of {rows} as written to the file.").format(
            count=min(ROWS, len(release)), rows=counted(int((~release.suppressed).sum()), "row")
        )
    )


def own_records(session: Session, release: kc.Release) -> None:
    """Show recipe, script and command, which the owner of the data keeps."""
    heading(tr("Reproduction files"))
    st.caption(
        tr(
            "Keep these files with the original data and do not hand them over. All three contain the seed,"
            " the column names, and the input values in a hierarchy, a distance or a category map. An"
            " attacker who knows the seed and the data can reproduce the release. The script and the command"
            " produce the same bytes from the same file. The recipe also contains a digest of the input rows."
            " The command kanon run uses the digest to check that the rows are the same, whether they come"
            " in one file or in several."
            " For a small table, an attacker can use the digest to confirm a guess about its cells."
        )
    )
    file, form, shuffle = _file_name(session), _FORMAT.get() or "csv", _SHUFFLE.get()
    plain = form == "csv" and PLAIN.get()
    release = replace(release, recipe=recipe_of(session, release))
    recipe, python, shell = st.tabs([tr("Recipe (JSON)"), tr("Python script"), tr("Command line")])
    with recipe:
        text = release.recipe.to_json()
        download(tr("Download the recipe"), text, "recipe.json")
        boxed(text, "json")
    with python:
        text = script(release, file, form, shuffle, plain)
        download(tr("Download the script"), text, "anonymize.py")
        boxed(text, "python")
    with shell:
        text = command_line(release, file, form, shuffle, plain)
        st.code(text, language="bash", wrap_lines=True)


def _handed(session: Session, release: kc.Release) -> str:
    return released_name(release, _file_name(session), _FORMAT.get() or "csv")


def _file_name(session: Session) -> str:
    return session.source if session.source.startswith("sample:") else session.name


session = open_page("export")
if ready(session):
    main(session)

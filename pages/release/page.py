"""Export: the released table, its recipe, and a script and a command that make the same bytes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

import kanon_core as kc
from kanon_core.base.randomness import SEED_BITS
from kanon_core.base.words import counted, later, tr, tr_each
from kanon_core.report import CONTEST, command_line, release_bytes, released_name, script
from pages.release import contest, report, saving
from pages.release.apostrophes import PLAIN, apostrophes
from pages.release.released_file import file_report
from pages.release.stopped import despite, recipe_of
from pages.shell.frame import link_to, open_page, ready
from pages.shell.private import Place
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
_FORMAT, _SHUFFLE, _SEED_SHOWN = Key("format", "csv"), Key("shuffle", True), Key("seed shown", False)
_STAND_IN = 2**SEED_BITS - 1
"""The seed that is written, and then replaced, where the seed of the release is hidden."""


def main(session: Session) -> None:
    """Show the released files and the files that stay with the owner of the data."""
    if session.table.whole_cells is not None:
        status_bar(session, session.kept(session.setting))
        not_released(session)
        return
    release = release_of(session)
    status_bar(session, release)
    if release is not None:
        blocking = st.container()
        findings(session, release, left_out="stops")
        left, right = st.columns(2, gap="large")
        with left:
            released_table(session, release, blocking)
        with right:
            own_records(session, release)
            report.report(session, release, _handed(session, release), _SHUFFLE.get())
            saving.save(session, release)
        if release.guarantee.pseudonyms:
            contest.read_back(session, release)
    link_to("check", tr("Check a released file"), ":material/fact_check:")


def released_table(session: Session, release: kc.Release, blocking: Place) -> None:
    """Show the released file, and in ``blocking`` the findings that block it."""
    heading(tr("Released table"))
    line(sentences.guarantee(session, release))
    allowed = despite(session, release, blocking) is not None
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
            "Keep these files with the original data and do not hand them over. The recipe, the script"
            " and the command each contain the seed and the column names. If a column has a hierarchy, a"
            " table of distances or a category map, they also contain the values listed there. With the seed"
            " and the original data, an attacker can make the release again. The script and the command"
            " produce the same bytes from the same file. The recipe also contains a digest of the input rows."
            " The command kanon run uses the digest to check that the rows are the same, whether they come"
            " in one file or in several. For a small table, an attacker can use the digest to confirm a"
            " guess about its cells."
        )
    )
    with_seed = _seed_toggle()
    file, form, shuffle = _file_name(session), _FORMAT.get() or "csv", _SHUFFLE.get()
    plain = form == "csv" and PLAIN.get()
    release = replace(release, recipe=recipe_of(session, release))
    recipe, python, shell = st.tabs([tr("Recipe (JSON)"), tr("Python script"), tr("Command line")])

    def shown(make: Callable[[kc.Release], str]) -> str:
        return make(release) if with_seed else _without_seed(release, make)

    with recipe:
        download(tr("Download the recipe"), release.recipe.to_json(), "recipe.json")
        boxed(shown(lambda made: made.recipe.to_json()), "json")
    with python:
        download(tr("Download the script"), script(release, file, form, shuffle, plain), "anonymize.py")
        boxed(shown(lambda made: script(made, file, form, shuffle, plain)), "python")
    with shell:
        text = shown(lambda made: command_line(made, file, form, shuffle, plain))
        st.code(text, language="bash", wrap_lines=True)


def _seed_toggle() -> bool:
    """Show the choice to see the seed; return it."""
    chosen = st.toggle(tr("Show the seed"), key=kept(_SEED_SHOWN.name, False))
    # There is a note in both cases: what follows would be another element, and its open tab would close.
    if chosen:
        note(tr("The seed is shown below. An attacker who knows it and the data can reproduce the release."))
    else:
        note(tr("The seed is hidden below, but the downloads contain it. Show it to copy the command."))
    return chosen


def _without_seed(release: kc.Release, make: Callable[[kc.Release], str]) -> str:
    """Return the text of a release without its seed: of the release with another seed, which is replaced."""
    stands = replace(release, recipe=replace(release.recipe, seed=_STAND_IN))
    return make(stands).replace(str(_STAND_IN), tr("hidden"))


def _handed(session: Session, release: kc.Release) -> str:
    return released_name(release, _file_name(session), _FORMAT.get() or "csv")


def _file_name(session: Session) -> str:
    return session.source if session.source.startswith("sample:") else session.name


session = open_page("release")
if session.on_file:
    file_report(session)
elif ready(session):
    main(session)

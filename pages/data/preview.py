"""Overview of the loaded table: size, missing values, notes of the reader, first rows, and distances between
records."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import counted, tr, tr_n
from kanon_core.charts.table.distances import chosen_pairs, spread_figure, spread_sentence
from kanon_core.table.columnnotes import idle_notes, misfit_notes, question_marks
from kanon_core.table.dateorders import date_notes
from kanon_core.table.people import Persons, persons_of
from pages.data import source
from pages.shell.frame import theme
from pages.state.jobs import working
from pages.state.keys import Key
from pages.state.session import Session, has_people
from pages.widgets.layout import chart, fold
from pages.widgets.pickers import button
from pages.widgets.sentences import table_name
from pages.widgets.text import bold, heading, info, line, note

ROWS = 200
_OPEN = Key("spread of records", False)


def table(session: Session) -> None:
    """Show a heading with the size, notes of the reader, and the first rows."""
    loaded = session.table
    heading(table_name(session))
    cells = len(loaded) * len(loaded.schema)
    missing = sum(int(c.missing.sum()) for c in loaded.columns)
    share = f" ({100 * missing / cells:.1f} %)" if missing else ""
    says = tr("*{records}* × *{columns}* · missing values: *{missing:,}*{share}")
    size = {"records": counted(len(loaded), "record"), "columns": counted(len(loaded.schema), "column")}
    line(*bold(says, **size, missing=missing, share=share))
    _question_marks(session)
    if has_people(loaded):
        _people(persons_of(loaded))
    if found_in := (*loaded.notes, *misfit_notes(loaded), *date_notes(loaded), *idle_notes(loaded)):
        count = len(found_in)
        title = tr("Notes on this file ({count})").format(count=count)
        with st.expander(title, icon=":material/info:"):
            for fact in found_in:
                line(fact)
    first = loaded.frame.head(ROWS)
    numbered = first.set_index(pd.RangeIndex(1, len(first) + 1, name="record"))
    st.dataframe(numbered, height=195, alt=tr("The first rows of the loaded table"))
    source.column_names_field(session)
    if len(loaded) > ROWS:
        note(
            tr("The first {rows} of {count} are shown.").format(
                rows=ROWS, count=counted(len(loaded), "record")
            )
        )


def _question_marks(session: Session) -> None:
    """Show how many cells hold “?”, and a button that counts them as missing while the file is at hand."""
    count = question_marks(session.table)
    if not count:
        return
    says = tr_n(
        "{count:,} cell holds “?”, which was read as text, not as a missing value.",
        "{count:,} cells hold “?”, which was read as text, not as a missing value.",
        count,
    )
    note(says.format(count=count))
    if source.at_hand(session):
        button(tr("Count “?” as missing"), source.count_as_missing, "?", icon="indeterminate_question_box")


def _people(persons: Persons) -> None:
    """Show the number of people and the records that name nobody."""
    each, unnamed = persons.counts, int((persons.numbers < 0).sum())
    says = tr("The column {column} names *{people}*. Records per person: {least:,} to {most:,}.")
    if unnamed:
        says = tr_n(
            "The column {column} names *{people}*. Records per person: {least:,} to {most:,}."
            " {unnamed:,} record names nobody and will be left out.",
            "The column {column} names *{people}*. Records per person: {least:,} to {most:,}."
            " {unnamed:,} records name nobody and will be left out.",
            unnamed,
        )
    least, most = (each.min(), each.max()) if len(persons) else (0, 0)
    people, values = counted(len(persons), "person"), {"least": least, "most": most, "unnamed": unnamed}
    says = " ".join([says, tr("The unit of protection is the person.")])
    line(*bold(says, column=persons.column, people=people, **values))


def histogram(session: Session) -> None:
    """Show the histogram of pairwise distances and its sentence; made only while open."""
    box = fold(tr("Distances between records"), "equalizer", _OPEN.name)
    if not box.open:
        return
    with box:
        if not session.table.quasi:
            st.caption(tr("Give a column the role quasi-identifier first."))
            return
        try:
            with working(lambda: _OPEN.set(False), "stop spread", "measuring") as tick:
                chosen_pairs(session.table, tick)
            figure = spread_figure(session.table, theme())
        except kc.KanonError as reason:
            info(reason)
            return
        chart(figure, "spread")
        note(
            tr(
                "{sentence} The distance between two records is the weighted sum of the distances"
                " chosen above over the quasi-identifiers."
            ).format(sentence=spread_sentence(session.table))
        )

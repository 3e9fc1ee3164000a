"""The loaded table at a glance: size, missing values, what the reader noted, the first rows."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kanon_core.base.words import counted, tr, tr_n
from kanon_core.table.dateorders import date_notes
from kanon_core.table.misfitnotes import misfit_notes
from kanon_core.table.people import Persons, persons_of
from pages.state.session import Session, has_people
from pages.widgets.reading import table_name
from pages.widgets.text import bold, heading, line, note

ROWS = 200


def table(session: Session) -> None:
    """Heading with the size, notes of the reader, and the first rows."""
    loaded = session.table
    heading(table_name(session))
    cells = len(loaded) * len(loaded.schema)
    missing = sum(int(c.missing.sum()) for c in loaded.columns)
    share = f" ({100 * missing / cells:.1f} %)" if missing else ""
    says = tr("*{records}* × *{columns}* · missing values: *{missing:,}*{share}")
    size = {"records": counted(len(loaded), "record"), "columns": counted(len(loaded.schema), "column")}
    line(*bold(says, **size, missing=missing, share=share))
    if has_people(loaded):
        _people(persons_of(loaded))
    if found_in := (*loaded.notes, *misfit_notes(loaded), *date_notes(loaded)):
        count = len(found_in)
        title = tr("{count} things to know about this file").format(count=count)
        with st.expander(title, icon=":material/info:"):
            for found in found_in:
                line(found)
    first = loaded.frame.head(ROWS)
    numbered = first.set_index(pd.RangeIndex(1, len(first) + 1, name="record"))
    st.dataframe(numbered, height=195, alt=tr("The first rows of the loaded table"))
    if len(loaded) > ROWS:
        note(tr("The first {rows} of {count}.").format(rows=ROWS, count=counted(len(loaded), "record")))


def _people(persons: Persons) -> None:
    """Show whose the records are, and how many of them name nobody."""
    each, unnamed = persons.counts, int((persons.numbers < 0).sum())
    says = tr("Records of *{people}*, by column {column}: {least:,} to {most:,} each.")
    if unnamed:
        says = tr_n(
            "Records of *{people}*, by column {column}: {least:,} to {most:,} each;"
            " {unnamed:,} record names nobody and will be left out.",
            "Records of *{people}*, by column {column}: {least:,} to {most:,} each;"
            " {unnamed:,} records name nobody and will be left out.",
            unnamed,
        )
    least, most = (each.min(), each.max()) if len(persons) else (0, 0)
    people, values = counted(len(persons), "person"), {"least": least, "most": most, "unnamed": unnamed}
    says = " ".join([says, tr("People are what is protected.")])
    line(*bold(says, column=persons.column, people=people, **values))

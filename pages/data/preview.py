"""The loaded table at a glance: size, missing values, what the reader noted, the first rows."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from kanon_core.table.people import persons_of
from pages.state.session import Session, has_people
from pages.widgets.text import heading, line, note

ROWS = 200


def table(session: Session) -> None:
    """Heading with the size, notes of the reader, and the first rows."""
    loaded = session.table
    heading(session.name)
    cells = len(loaded) * len(loaded.schema)
    missing = sum(int(c.missing.sum()) for c in loaded.columns)
    share = f" ({100 * missing / cells:.1f} %)" if missing else ""
    columns = " column · " if len(loaded.schema) == 1 else " columns · "
    counts = ("", f"{len(loaded):,}", " records × ", len(loaded.schema), columns, f"{missing:,}")
    line(*counts, f" missing values{share}")
    if has_people(loaded):
        persons = persons_of(loaded)
        each, unnamed = persons.counts, int((persons.numbers < 0).sum())
        names = "record names" if unnamed == 1 else "records name"
        gone = f"; {unnamed:,} {names} nobody and will be left out"
        line(
            "Records of ",
            f"{len(persons):,}",
            f" people, by column {persons.column}: {each.min():,} to {each.max():,} each"
            f"{gone if unnamed else ''}. People are what is protected.",
        )
    if loaded.notes:
        with st.expander(f"{len(loaded.notes)} things to know about this file", icon=":material/info:"):
            for found in loaded.notes:
                line(found)
    first = loaded.frame.head(ROWS)
    numbered = first.set_index(pd.RangeIndex(1, len(first) + 1, name="record"))
    st.dataframe(numbered, height=195, alt="The first rows of the loaded table")
    if len(loaded) > ROWS:
        note(f"The first {ROWS} of {len(loaded):,} records.")

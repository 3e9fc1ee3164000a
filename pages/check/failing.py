"""Failing classes and rows, and the records with the fewest matches."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.groups.sizes import match_figure, match_sentence
from kanon_core.checks.failures import classes_failing, rows_failing
from kanon_core.guarantees.identity.hiding import Hiding
from kanon_core.table.columns.texts import original_texts
from pages.shell.frame import theme
from pages.widgets.files import download
from pages.widgets.layout import chart
from pages.widgets.tables import cell, html_table, named, number
from pages.widgets.text import heading, note

SHOWN, LOWEST = 100, 200


def failing(checked: kc.Checked) -> None:
    """Show the failing classes, the smallest first, and a download of all failing rows."""
    if checked.holds:
        return
    heading(tr("Failing classes and rows"))
    rows, classes = rows_failing(checked), classes_failing(checked, SHOWN)
    if len(classes):
        lines = [
            [number(f"{count:,}"), number(f"{alike:,}"), number(f"{first}"), *map(cell, texts)]
            for count, alike, first, *texts in classes.itertuples(index=False, name=None)
        ]
        html_table(named(map(str, classes.columns)), lines, lead=False)
        every = int(rows.loc[rows["of"] == "rows", "class"].nunique())
        said = tr(
            "{shown:,} of {all:,} failing classes are shown, the smallest first. Row numbers are"
            " those of the file. Only quasi-identifiers are shown."
        )
        note(said.format(shown=len(classes), all=every))
    content = rows.to_csv(index=False).encode()
    download(tr("Download all failing rows"), content, "failing.csv", key="failing")


def fewest(checked: kc.Checked) -> None:
    """Show the number of matches of the original's records and those with the fewest; nothing without an
    original or for a file of means, whose rows do not name their records."""
    if checked.beside is None or checked.beside.aggregated:
        return
    counts, table = checked.beside.consistency(), checked.beside.table
    here = np.flatnonzero(counts.matches > 0)
    if not len(here):
        return
    k = max((one.guarantee.k for one in checked.asked if isinstance(one.guarantee, Hiding)), default=2)
    heading(tr("Matches between records and rows"))
    left, right = st.columns(2, gap="large")
    with left:
        chart(match_figure(counts.matches[here], k, theme()), "match-figure")
        note(match_sentence(counts.matches[here], k))
    with right:
        lowest = here[np.argsort(counts.matches[here], kind="stable")][:LOWEST]
        alt = tr("The records with the fewest matches")
        st.dataframe(_lowest(table, counts.matches, lowest), height=300, hide_index=True, alt=alt)
        note(tr("The records of the original with the fewest matching rows. Identifiers are not shown."))


def _lowest(table: kc.Table, matches: np.ndarray, records: np.ndarray) -> pd.DataFrame:
    shown: dict[str, object] = {"record": records + 1, "matches": matches[records]}
    for column in table.quasi:
        name = column.attribute.name
        while name in shown:
            name += "\u2060"  # a column of the table may have the same name; this character is invisible
        shown[name] = original_texts(column, records)
    return pd.DataFrame(shown)

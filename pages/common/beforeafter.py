"""The table before and after, side by side, with the changed cells marked."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import kanon_core as kc
from kanon_core.cells import label_texts, number_texts
from kanon_core.data.columns import Categories
from kanon_core.metrics import NCP
from pages.common.session import Session

ROWS = 60
_CHANGED = "background-color: rgba(230, 159, 0, 0.22)"
_CHOICES = {"first": "the first records", "worst": "the records that lose most", "groups": "group by group"}


def side_by_side(session: Session, release: kc.Release) -> None:
    """Before and after, for the first records, the worst-hit ones, or group by group."""
    st.markdown("#### Before and after")
    which = st.segmented_control(
        "Show", list(_CHOICES), format_func=_CHOICES.__getitem__, default="first", required=True, key="rows shown",
        label_visibility="collapsed",
    )  # fmt: skip
    tables(session.table, release, _rows(session, release, which or "first"))


def tables(table: kc.Table, release: kc.Release, rows: np.ndarray) -> None:
    """The two tables for these record numbers."""
    before, after = before_texts(table, rows), release.to_frame(rows)[[c.attribute.name for c in table.quasi]]
    after = after.astype(str)
    differs = before.to_numpy() != after.to_numpy()
    numbers = pd.Index(rows + 1, name="record")
    height = min(320, 38 + 36 * len(rows))
    left, right = st.columns(2)
    left.caption("Before (quasi-identifiers)")
    left.dataframe(before.set_index(numbers), height=height, alt="Records before anonymization")
    share = f"{100 * differs.mean():.0f} %" if differs.size else "0 %"
    right.caption(f"After — {share} of these cells changed (tinted)")
    styled = after.set_index(numbers).style.apply(lambda _: np.where(differs, _CHANGED, ""), axis=None)
    right.dataframe(styled, height=height, alt="The same records as published; changed cells are tinted")


def before_texts(table: kc.Table, rows: np.ndarray) -> pd.DataFrame:
    """Original quasi-identifiers, written as published cells would be, so that equal means unchanged."""
    texts = {}
    for column in table.quasi:
        if isinstance(column, Categories):
            labels = label_texts(column)
            texts[column.attribute.name] = [labels[code] for code in column.codes[rows]]
        else:
            texts[column.attribute.name] = number_texts(column.values[rows], column)
    return pd.DataFrame(texts)


def _rows(session: Session, release: kc.Release, which: str) -> np.ndarray:
    if which == "worst":
        lost = session.measured(session.setting, release, NCP).records
        assert lost is not None
        return np.argsort(-lost, kind="stable")[:ROWS]
    if which == "groups":
        return np.argsort(release.cell, kind="stable")[:ROWS]
    return np.arange(min(ROWS, len(session.table)))

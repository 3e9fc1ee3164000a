"""What the words of the table of columns mean, on the page and in a fold that opens by click and by key."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import later, tr, tr_each
from kanon_core.glossary import entry
from kanon_core.table.changes import spoken
from kanon_core.table.guesses import role_reasons
from kanon_core.table.schema import KINDS, RECODINGS, ROLES
from pages.widgets.text import line, note

_SHOWN = 60
_EXPLAINED = ("weight", "round ends")
"""Columns of the table of columns whose words stand in the glossary."""


def meanings() -> None:
    """A button that opens the words with their meaning."""
    with st.popover(tr("What the words mean"), icon=":material/help:", width="content"):
        _part(tr("Role: who may know the column, and what is published of it"), tr_each(ROLES))
        _part(tr("Kind: what the values are"), tr_each(KINDS))
        _part(
            tr("Recoding: what is published of a quasi-identifier for a group of records"), tr_each(RECODINGS)
        )
        _part(tr("Other columns of the table"), others())


def reasons(table: kc.Table) -> None:
    """A button that opens why each column has its role."""
    with st.popover(tr("Why these roles"), icon=":material/psychology_alt:", width="content"):
        why = role_reasons(table)
        for attribute in table.schema.attributes[:_SHOWN]:
            line("", attribute.name, f" ({tr(spoken(attribute.role))}): {why[attribute.name]}.")
        if len(why) > _SHOWN:
            note(tr("The first {shown} of {all:,}.").format(shown=_SHOWN, all=len(why)))


def others() -> dict[str, str]:
    """The further columns of the table and what they say."""
    return {
        **{word: _fragment(word) for word in _EXPLAINED},
        later("distance"): tr("chosen below, under “How far apart two values are”"),
        later("values"): tr("number of different values, or items"),
        later("missing"): tr("number of cells that are empty or count as missing"),
        later("does not fit"): tr(
            "cells that are not of the column's kind and count as missing, with examples"
        ),
    }


def _fragment(word: str) -> str:
    """Return what the glossary says, to go on in a line."""
    says = entry(word).says.removesuffix(".")
    return says[0].lower() + says[1:]


def words(meant: Mapping[str, str]) -> str:
    """All in one text, for those who point at a heading."""
    return "; ".join(f"{tr(spoken(name))}: {meaning}" for name, meaning in meant.items())


def _part(title: str, meant: Mapping[str, str]) -> None:
    line("", title)
    with st.container(gap="xxsmall"):
        for name, meaning in meant.items():
            line("", tr(spoken(name)), f": {meaning}.")

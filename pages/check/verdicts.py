"""Verdicts: in words first, then the levels that a file reaches."""

from __future__ import annotations

from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.checks.checking import Model
from pages.widgets.layout import fold
from pages.widgets.tables import cell, html_table, named
from pages.widgets.text import line, note


def verdicts(checked: kc.Checked) -> None:
    """Show a box for each requested model and for the truth of the file, failures first."""
    told = [_verdict_parts(model, checked) for model in checked.asked]
    if checked.truth is not None:
        told.append(
            (checked.truth.holds, checked.truth.said, checked.truth.sentence, checked.truth.guarantee)
        )
    for holds, head, sentence, symbols in sorted(told, key=lambda verdict: verdict[0]):
        kind, sign = ("holds", "\u2713") if holds else ("fails", "\u2717")
        head = head[:1].upper() + head[1:]
        says = f"<b>{sign} {escape(head)}.</b> {escape(sentence)}"
        st.html(
            f'<div class="verdict whole {kind}" role="status"><p>{says}</p>'
            f'<p class="symbols">{escape(symbols)}</p></div>'
        )
    note(checked.counted)
    for text in checked.notes:
        note(text)


def _verdict_parts(model: Model, checked: kc.Checked) -> tuple[bool, str, str, str]:
    """Return whether the model holds, the same in words, the reason, and the numbers in symbols."""
    verdict, name = model.verdict, model.guarantee.called
    if columns := model.protected(checked.opened.table):
        name = tr("{name} of {columns}").format(name=name, columns=columns)
    if verdict is None:
        asked = tr("{name}: {asked} requested").format(name=name, asked=model.guarantee.wanted)
        return False, tr("not checked"), " ".join(model.reasons), asked
    symbols = tr("{name}: {asked} requested, {reached} reached").format(
        name=name, asked=model.guarantee.wanted, reached=model.reached
    )
    return verdict.holds, verdict.said, verdict.sentence, symbols


def levels(checked: kc.Checked) -> None:
    """Show the level that the file reaches for every model, and why some models do not apply."""
    judged = [model for model in checked.models if model.verdict is not None]
    heads = named([tr("Model"), tr("Level reached"), tr("Requirement")])
    rows = [[cell(m.called), cell(m.reached, "number"), cell(m.guarantee.explained, "set")] for m in judged]
    html_table(heads, rows, kind="levels")
    rest = [model for model in checked.models if model.verdict is None]
    if not rest:
        return
    box = fold(
        tr("Models that do not apply to this file ({count})").format(count=len(rest)), "block", "check-others"
    )
    if box.open:
        with box:
            for model in rest:
                line("", model.guarantee.called, f": {model.reasons[0]}")

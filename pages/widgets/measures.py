"""Measures on pages: a card for each, how it is computed, and why some are left out."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

import streamlit as st

from kanon_core.base import options
from kanon_core.base.words import number_text, tr
from kanon_core.distances.product import Exponent
from kanon_core.metrics import Measured, Metric
from kanon_core.metrics.base import OneColumn
from pages.state.keys import linked
from pages.state.session import Session
from pages.state.setting import describe
from pages.widgets.controls import draw
from pages.widgets.layout import fold
from pages.widgets.pickers import menu
from pages.widgets.text import line, not_for_this_table, note

_NOTE = 400
_EXPONENTS = (1.0, 1.5, 2.0, 3.0, 4.0, math.inf)


def score_cards(shown: Iterable[tuple[Metric, Measured, Measured | None]]) -> None:
    """Show a card for each metric with its numbers, and those of the setting before, if there was one."""
    st.html(f'<div class="scores">{"".join("".join(_card(*one)) for one in shown)}</div>')


def _card(metric: Metric, now: Measured, before: Measured | None) -> Iterator[str]:
    yield f'<div><span class="name"><b>{escape(describe(metric))}</b> {escape(metric.symbol)}</span>'
    yield f'<span class="value">{escape(metric.text(now.total, now.error))}</span>'
    yield _change(metric, now.total, before.total if before else now.total)
    if metric.percent and (metric.low, metric.high) == (0.0, 1.0) and now.total == now.total:
        yield f'<i class="track"><i style="width:{100 * min(max(now.total, 0.0), 1.0):.2f}%"></i></i>'
    yield f'<span class="says">{escape(f"{metric.sentence} {_better(metric)}")}</span>'
    if now.details:
        told = " · ".join(f"{tr(name)} {number_text(value)}" for name, value in now.details.items())
        yield f'<span class="says">{escape(told)}</span>'
    for said in now.notes:
        yield f'<span class="says"><b>{escape(said[:_NOTE])}{"…" if len(said) > _NOTE else ""}</b></span>'
    yield "</div>"


def losses_differ() -> None:
    """Show why the losses of one release differ from measure to measure."""
    note(
        tr(
            "The losses of one release differ because each measure counts something else: variation between"
            " records, distances, widths of cells, or bits. Compare settings by the same measure."
        )
    )


def _better(metric: Metric) -> str:
    return tr("Lower is better.") if metric.direction == "lower" else tr("Higher is better.")


def _change(metric: Metric, now: float, before: float) -> str:
    step = now - before
    if step != step or abs(step) <= 1e-9 * max(abs(now), abs(before)):
        return ""
    if metric.percent and abs(step) < 5e-5:
        return ""
    text = f"{'+' if step > 0 else '-'}{number_text(abs(step))}"
    if metric.percent:
        text = tr("{step:+.2f} points").format(step=100 * step)
    mood = "good" if (step < 0) == (metric.direction == "lower") else "bad"
    return f'<span class="change {mood}">{text}</span>'


def explained(session: Session, metrics: Sequence[Metric]) -> None:
    """Show one measure at a time: formula, range, a worked example, and its options; drawn only while
    open."""
    box = fold(tr("Definition of a measure"), "functions", "how computed")
    if not box.open:
        return
    named = {type(metric).__name__: metric for metric in metrics}
    with box:
        metric = named[menu(tr("Measure"), {n: m.title for n, m in named.items()}, "measure explained")]
        line("", f"{metric.title}, {metric.symbol}", f". {metric.sentence}")
        st.latex(metric.formula)
        line(tr("Example: "), metric.example)
        note(f"{_range(metric)} {_better(metric)}")
        declared = options.options_of(type(metric))
        for option in declared:
            option_control(session, metric, option)
        if declared:
            note(tr("Options chosen here apply to all pages except Algorithms, which uses the defaults."))


def option_control(session: Session, metric: Metric, option: options.Option) -> None:
    """Show the control of one option of a metric; for a column, only the columns it applies to."""
    name, value, label = type(metric).__name__, getattr(metric, option.name), option.label.capitalize()

    def take(chosen: Any) -> None:
        session.ways[name] = dataclasses.replace(metric, **{option.name: chosen})

    tied = linked(f"measure option {name} {option.name}", value, take)
    about: dict[str, Any] = {**tied, "help": option.help or None}
    if isinstance(option.kind, OneColumn):
        names = [a.name for a in session.table.schema if a.role in ("sensitive", "other")]
        fitting = [n for n in names if not session.unfit(dataclasses.replace(metric, **{option.name: n}))]
        offered = list(dict.fromkeys(["", *fitting, value]))
        st.selectbox(label, offered, format_func=lambda n: n or tr("the first sensitive column"), **about)
    elif isinstance(option.kind, Exponent):
        st.selectbox(label, sorted({*_EXPONENTS, value}), format_func=_exponent_text, **about)
    else:
        draw(session, option.kind, label, value, about)


def _exponent_text(p: float) -> str:
    words = {
        1.0: tr("1: sum of the differences"),
        2.0: tr("2: Euclidean"),
        math.inf: tr("∞: largest difference"),
    }
    return words.get(p, f"{p:g}")


def _range(metric: Metric) -> str:
    low, high = (metric.text(end) if abs(end) < float("inf") else "" for end in (metric.low, metric.high))
    if low and high:
        return tr("From {low} to {high}.").format(low=low, high=high)
    if low:
        return tr("{low} or more, without an upper limit.").format(low=low)
    if high:
        return tr("At most {high}; may be negative.").format(high=high)
    return tr("Any number, including negative numbers.")


def barred(session: Session, among: Sequence[type[Metric] | Metric]) -> None:
    """Show which of these metrics do not apply to the table, and why."""
    not_for_this_table((metric.title, session.unfit(metric)) for metric in among)

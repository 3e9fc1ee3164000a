"""One card for each measure of utility: its number, a small picture of before and after, and a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.metrics import Measured, Metric
from kanon_core.metrics.comparisons import Comparison, Pair
from pages.state.setting import describe

_NOTE = 400


def legend(text: str) -> None:
    """Show a line on the cards, which screen readers tell when it changes, and how to read their pictures."""
    marks = (("was", tr("original table")), ("is", tr("release")))
    shown = " ".join(f'<span><i class="{kind}"></i> {escape(name)}</span>' for kind, name in marks)
    st.html(f'<p class="note uses-legend"><span role="status">{escape(text)}</span> {shown}</p>')


def waiting_card(metric: Metric, state: str) -> None:
    """Show the card of a measure that has no number yet: what it compares, and why there is none."""
    st.html(_framed(metric, f'<span class="value pending">{escape(state)}</span>', metric.sentence))


def reason_card(metric: Metric, reason: str) -> None:
    """Show the card of a measure that has no number for this release, and why."""
    st.html(_framed(metric, f'<span class="value">{escape(tr("not defined"))}</span>', reason))


def result_card(metric: Metric, measured: Measured, found: Comparison) -> None:
    """Show the number of a measure, its picture and its sentence."""
    value = f'<span class="value">{escape(metric.text(measured.total, measured.error))}</span>'
    picture = f'<div class="pairs">{"".join(_rows(found.pairs))}</div>'
    st.html(_framed(metric, value + picture, found.sentence, *measured.notes))


def _framed(metric: Metric, inner: str, *lines: str) -> str:
    name = f'<span class="name"><b>{escape(describe(metric))}</b> {escape(metric.symbol)}</span>'
    said = "".join(f'<span class="says">{escape(_cut(line))}</span>' for line in lines)
    return f'<div class="use">{name}{inner}{said}</div>'


def _rows(pairs: tuple[Pair, ...]) -> Iterator[str]:
    """Yield a row for each pair: its name, a scale with both numbers on it, and the numbers."""
    for pair in pairs:
        marks = [("was", _place(pair, pair.before)), ("is", _place(pair, pair.after))]
        marks = [(kind, place) for kind, place in marks if place == place]
        ends = [place for _, place in marks] or [0.0]
        dots = "".join(f'<i class="{kind}" style="left:{place:.1f}%"></i>' for kind, place in marks)
        between = f'<i class="between" style="left:{min(ends):.1f}%;width:{max(ends) - min(ends):.1f}%"></i>'
        name = escape(_cut(pair.name, 60))
        yield f'<span class="of" title="{name}">{name}</span>'
        yield f'<i class="rail" aria-hidden="true">{between}{dots}</i>'
        yield f'<span class="to">{escape(_change(pair))}</span>'


def _place(pair: Pair, value: float) -> float:
    """Return where a number stands on the scale of its pair, in percent; NaN as it is."""
    if not pair.high > pair.low:
        return 50.0
    return value if value != value else 100 * min(max((value - pair.low) / (pair.high - pair.low), 0.0), 1.0)


def _change(pair: Pair) -> str:
    return pair.was if pair.was == pair.now else f"{pair.was} → {pair.now}"


def _cut(text: str, most: int = _NOTE) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"

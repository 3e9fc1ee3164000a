"""Figures of every attacker, and anonymity sets smaller than x."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import percent, tr
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.groups.sizes import fewer_figure
from kanon_core.risk.measured import AttackerRisk, Risk
from kanon_core.teaching.glossary import entry
from pages.shell.frame import theme
from pages.state.keys import kept
from pages.state.session import Session
from pages.widgets.glossary import mark
from pages.widgets.layout import drawn
from pages.widgets.tables import Cell, cell, html_table, number
from pages.widgets.text import heading, note, sentence

HEIGHT = 300


def attackers(risks: kc.Risks, threshold: float, about: Iterable[str] = ()) -> None:
    """Show the risk of each attacker before and after: a sentence, then a table, then what the figures mean,
    which ``about`` says instead where they are not of a release made here."""
    sentence(*_worst(risks, threshold))
    above = tr("Above {threshold:g}").format(threshold=threshold)
    heads = [cell(tr("Attacker")), *map(number, (tr("On average"), tr("At worst"), above))]
    rows = [[_who(one), *_figures(one, threshold)] for one in risks.found if not one.problem]
    html_table(heads, rows, kind="attackers")
    if risks.after is not None:
        note(tr("Original → release. The shares refer to the published {unit}.").format(unit=risks.unit))
    for text in (*_notes(risks), *(about or [_about()])):
        note(text)


def _worst(risks: kc.Risks, threshold: float) -> tuple[str, str, str]:
    """Return the parts of a sentence on the attacker with most records above the threshold."""
    told = [(one, one.after or one.before) for one in risks.found if not one.problem]
    sides = [(one, risk) for one, risk in told if risk is not None]
    reached = [(risk.above(threshold), one.attacker.title, risk.count) for one, risk in sides]
    most, title, everybody = max(reached, key=lambda entry: entry[0])
    if not most:
        return (
            tr("No {unit} have a risk above ").format(unit=risks.unit),
            f"{100 * threshold:g} %",
            tr(" for any of these attackers."),
        )
    said = tr(" have a risk above {threshold:g} % for the attacker “{title}”.")
    count = tr("{most:,} of {everybody:,} {unit}").format(most=most, everybody=everybody, unit=risks.unit)
    return "", count, said.format(threshold=100 * threshold, title=title)


def _who(attacker_risk: AttackerRisk) -> Cell:
    attacker = attacker_risk.attacker
    opens = mark(entry(attacker.title), f"risk-{attacker.title}")
    return Cell(f"{escape(attacker.sentence)} <i>{escape(attacker.title)}</i>{opens}", "set")


def _figures(attacker_risk: AttackerRisk, threshold: float) -> Iterator[Cell]:
    """Yield the figures on average, at worst, and above the threshold, in the original and in the release."""
    sides = [risk for risk in (attacker_risk.before, attacker_risk.after) if risk is not None]
    told: tuple[Callable[[Risk], float], ...] = (
        lambda risk: risk.average,
        lambda risk: risk.worst,
        lambda risk: risk.share_above(threshold),
    )
    for of in told:
        before, *after = [percent(of(risk), 1) for risk in sides]
        now = f" <span>→ <b>{escape(after[0])}</b></span>" if after else ""
        yield Cell(f"<span>{escape(before)}</span>{now}", "number")


def _notes(risks: kc.Risks) -> Iterator[str]:
    for one in risks.found:
        for text in (*filter(None, [one.problem]), *one.notes):
            yield f"{one.attacker.title}: {text}"
    yield from risks.notes


def _about() -> str:
    return tr(
        "Risk here is the probability that the attacker picks the right row. It does not cover attackers who"
        " learn a value that a whole group shares, who run the program again, or who know the values of some"
        " people. For these, see the findings on Tune and Release, and the attacks in the other"
        " views of Risk."
    )


def fewer(session: Session, risks: kc.Risks, key: str, k: int) -> None:
    """Show a chart of the records with anonymity sets smaller than x, at first k, with its sentence."""
    heading(tr("Anonymity sets smaller than x"))
    most = max(int(risks.before.max(initial=2)), k) + 1
    chosen = kept("risk-fewer-x", min(k, most), range(2, most + 1))
    x = st.number_input(tr("x"), 2, most, key=chosen, width=160)
    made = session.picture(
        ("fewer", key, x, theme()), lambda: drawing(fewer_figure(risks, x, theme()), HEIGHT)
    )
    drawn(made, "risk-fewer")
    note(risks.fewer_sentence(x))

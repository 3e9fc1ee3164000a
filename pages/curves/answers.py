"""Answers from the finished points: the largest k within a loss, and the lowest loss from a k on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.curves import sentences
from kanon_core.runs.sweeps import SweepPoint, quantity
from pages.curves.choosing import UP
from pages.shell.private import Place
from pages.state.keys import kept, linked_number
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.text import line

BOUNDS = {"seconds": 1.0, "PurchaseUtility": 0.6, "PurchaseTotal": 0.8}
Open = Callable[[SweepPoint], object]


@dataclass(frozen=True)
class Questions:
    """The questions to answer: the largest k within a bound of a metric, and the best metric from a k on."""

    metric: str
    bound: float
    least: int


def ask(session: Session, first: Place, second: Place) -> Questions | None:
    """Show a field for each question and return the questions; None for a measure where higher is better."""
    name = UP.get()
    what = quantity(name)
    if what.direction != "lower":
        return None
    title, seconds = what.title.lower(), name == "seconds"
    start = BOUNDS.get(name, 5.0 if what.percent else 1000.0)
    says = tr("Largest k with {title} of at most (s)") if seconds else tr("Largest k with {title} of at most")
    says = tr("Largest k with {title} of at most (%)") if what.percent else says
    says = says.format(title=title)
    tied = linked_number(
        f"limit {name}", session.bound(name, start), lambda most: session.take_bound(name, most)
    )
    bound = first.number_input(says, 0.0, None, format="%g", **tied)
    says = tr("Smallest {title} with k of at least").format(title=title)
    least = second.number_input(says, 2, None, key=kept("least k", 5))
    return Questions(name, bound / 100 if what.percent else bound, int(least))


def answers(points: Sequence[SweepPoint], asked: Questions, take: Open) -> None:
    """Show the answers by the median of several seeds, each with a button; "so far" while points are
    missing."""
    medians = sentences.medians(points, asked.metric)
    within = kc.best_within(medians, asked.metric, asked.bound)
    _answer(sentences.within_sentence(points, asked.metric, asked.bound), within, "within", take)
    best = kc.best_from(medians, asked.metric, asked.least)
    _answer(sentences.from_sentence(points, asked.metric, asked.least), best, "from", take)


def _answer(sentence: str, point: SweepPoint | None, key: str, take: Open) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        line(sentence)
        if point:
            button(
                tr("Open"), take, point, icon="tune", key=f"open {key}", help=tr("open this setting in Tune")
            )

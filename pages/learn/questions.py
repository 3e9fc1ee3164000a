"""Question of a lesson's screen: its answers, whether one is correct, and why."""

from __future__ import annotations

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.teaching.lessons import Amount, Choice, Question, ScreenResult
from pages.state.keys import Key
from pages.widgets.presenting import presenting
from pages.widgets.text import line, note, plain

_GIVEN: Key[tuple[str, ...]] = Key("learn answers", ())
"""The questions answered or revealed, each as ``place=right`` or ``place=shown``."""
_MISSED: Key[tuple[str, bool]] = Key("learn missed", ("", False))
"""The question whose last check failed, and whether there was an answer."""
_RIGHT, _SHOWN = "right", "shown"


def answered(place: str) -> bool:
    """Return whether the question of this screen is answered, or its answer shown."""
    return any(f"{place}={how}" in _GIVEN.get() for how in (_RIGHT, _SHOWN))


def ask(question: Question, seen: ScreenResult, place: str) -> None:
    """Show the question; after it is answered or revealed, the answer and the reason."""
    with st.container(border=True, key="lesson-question", gap="small"):
        line("", seen.says(question.asks))
        if answered(place):
            _answer(question, seen, place)
            return
        with st.form(f"question-{place}", border=False):
            control = _control(question, seen, place)

            def judge() -> None:
                given = control.get()
                right = given is not None and question.is_right(seen.facts, float(given))
                _MISSED.set(("", False) if right else (place, given is not None))
                if right:
                    _GIVEN.set((*_GIVEN.get(), f"{place}={_RIGHT}"))

            st.form_submit_button(tr("Check my answer"), on_click=judge, key=f"answer-{place}")
        missed, had_answer = _MISSED.get()
        if missed == place:
            note(_hint(question, had_answer))
        if not presenting():
            st.button(tr("Show the answer"), on_click=show, args=(place,), key="show-answer", type="tertiary")


def show(place: str) -> None:
    """Show the answer of this screen's question."""
    _GIVEN.set((*_GIVEN.get(), f"{place}={_SHOWN}"))
    _MISSED.set(("", False))


def _hint(question: Question, had_answer: bool) -> str:
    """Return what to do after a check that failed."""
    if had_answer:
        return tr("Not correct yet. Look at the picture again, or show the answer.")
    return tr("Enter a number first.") if isinstance(question, Amount) else tr("Choose an answer first.")


def _control(question: Question, seen: ScreenResult, place: str) -> Key[float | None]:
    """Draw the control that takes the answer; return its place in the session."""
    key: Key[float | None] = Key(f"answer-to-{place}", None)
    label = plain(seen.says(question.asks), 400)
    if isinstance(question, Choice):
        offered = question.offered(seen.facts, seen.names)
        st.radio(
            label,
            range(len(offered)),
            index=None,
            format_func=lambda i: plain(offered[i]),
            key=key.name,
            label_visibility="collapsed",
        )
    else:
        assert isinstance(question, Amount)
        st.number_input(
            label, value=None, step=1.0, format="%g", key=key.name, width=160, label_visibility="collapsed"
        )
    return key


def _answer(question: Question, seen: ScreenResult, place: str) -> None:
    right = question.answer(seen.facts, seen.names)
    found = f"{place}={_RIGHT}" in _GIVEN.get()
    sign = tr("✓ Correct: ") if found else tr("The answer: ")
    with st.container(key="lesson-answer"):
        line("", f"{sign}{right}")
        line(seen.says(question.why))

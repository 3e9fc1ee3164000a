"""Exercises: guess the next group, the loss, or the largest k. The browser checks the answer and keeps the
score; neither is sent to the server."""

from __future__ import annotations

from typing import Any

import streamlit as st

import kanon_core as kc
from kanon_core.base.assets import ASSETS
from kanon_core.base.words import counted, tr
from kanon_core.teaching.explain.exercises import RECORDS, Exercise, largest_k, loss_of_release, next_group
from pages.learn.begin import EXERCISE
from pages.learn.choosing import algorithm_menu, table_menu
from pages.learn.study import drawn_from, study
from pages.shell import page_address
from pages.shell.frame import theme
from pages.state.keys import linked
from pages.state.session import Session
from pages.widgets.pickers import button
from pages.widgets.presenting import BACK, NEXT, presenting, unpresented
from pages.widgets.sentences import table_name
from pages.widgets.text import warning

MOST = 999_999
GROUP, LOSS, LARGEST_K = "group", "loss", "k"
_js, _css = ((ASSETS / f"exercise.{kind}").read_text("utf-8") for kind in ("js", "css"))
_shown = st.components.v2.component("kanon.exercise", js=_js, css=_css)


def exercises_view(session: Session) -> dict[str, str]:
    """Show the kind of question, the question, and the way to the next; return the part of the address for
    it."""
    kind, number = _requested()
    with unpresented("question"):
        _kinds(kind, number)
        if kind == GROUP:
            with st.container(key="learn-choices"):
                left, right = st.columns(2)
            with left:
                table_menu(session)
            with right:
                algorithm_menu(study(session))
    one = study(session)
    said = {"exercise": f"{kind}-{number}"}
    if kind == GROUP:
        said |= page_address.address_of(one)
    try:
        exercise = _made(one, kind, number)
    except kc.KanonError as reason:
        warning(reason, icon=":material/info:")
        return said
    _ask(exercise, " ".join(said.values()))
    _ways(kind, number)
    return said


def exercise_chips(session: Session) -> list[tuple[str, str]]:
    """Return the texts of the line that says what the exercise is about."""
    kind, _ = _requested()
    if kind != GROUP:
        return [(tr("table"), tr("made for this exercise"))]
    says = tr("{records} drawn from {name}").format(
        records=counted(RECORDS, "record"), name=table_name(session)
    )
    return [(tr("table"), says), (tr("algorithm"), session.setting.title)]


def _requested() -> tuple[str, int]:
    """Return the kind and number of the exercise; the first one if the address names none."""
    kind, _, number = EXERCISE.get().partition("-")
    if kind in _titles() and number.isdecimal() and 1 <= int(number[:7]) <= MOST:
        return kind, int(number[:7])
    if EXERCISE.get():
        warning(tr("The exercise in the address does not exist. The first exercise is shown."))
    EXERCISE.set(f"{GROUP}-1")
    return GROUP, 1


def _titles() -> dict[str, str]:
    return {GROUP: tr("The next group"), LOSS: tr("The loss"), LARGEST_K: tr("The largest k")}


def _kinds(kind: str, number: int) -> None:
    tied = linked("learn-question", kind, lambda other: EXERCISE.set(f"{other}-{number}"))
    titles = _titles()
    st.segmented_control(
        tr("Question"),
        list(titles),
        format_func=titles.__getitem__,
        required=True,
        label_visibility="collapsed",
        **tied,
    )


def _made(session: Session, kind: str, number: int) -> Exercise:
    if kind == LOSS:
        return loss_of_release(number)
    if kind == LARGEST_K:
        return largest_k(number)
    some = session.picture(("exercise", number), lambda: drawn_from(session.table, RECORDS, number))
    key = ("next-group", number)
    return session.picture(key, lambda: next_group(some, session.setting.algorithm, number))


def _ask(exercise: Exercise, key: str) -> None:
    drawn = "" if exercise.scene is None else exercise.scene.drawn(theme(), exercise.question)
    data: dict[str, Any] = {
        "key": key,
        "lead": exercise.lead,
        "question": exercise.question,
        "picture": drawn,
        "heads": exercise.heads,
        "rows": exercise.rows,
        "unit": exercise.unit,
        "answer": exercise.answer,
        "within": exercise.within,
        "why": exercise.why,
        "presenting": presenting(),
    }
    _shown(key="learn-exercise", data={**data, "words": _words()})


def _ways(kind: str, number: int) -> None:
    """Show the buttons to the previous and the next exercise."""
    with unpresented("ways"), st.container(horizontal=True, gap="xsmall"):
        before, after = f"{kind}-{number - 1}", f"{kind}-{number + 1}"
        button(
            tr("Previous exercise"), EXERCISE.set, before, icon="chevron_left", key=BACK, disabled=number == 1
        )
        button(
            tr("Next exercise"),
            EXERCISE.set,
            after,
            icon="chevron_right",
            key=NEXT,
            disabled=number == MOST,
            help=tr("The address contains the exercise: everybody who opens it gets the same question."),
        )


def _words() -> dict[str, str]:
    return {
        "records": tr("Record numbers, or click the records in the picture"),
        "number": tr("Your answer"),
        "check": tr("Check my answer"),
        "reveal": tr("Show the answer"),
        "nothing": tr("Nothing is selected yet."),
        "unwritten": tr("Enter a number first."),
        "right": tr("Correct: {answer}."),
        "answer": tr("The answer: {answer}."),
        "some": tr(
            "Not correct yet. Selected: {chosen}, of which {hit} in the group. Size of the group: {count}."
        ),
        "more": tr("Not correct yet. The answer is larger."),
        "less": tr("Not correct yet. The answer is smaller."),
        "none": tr("No question is answered yet. Only this browser keeps the score."),
        "score": tr("{right} of {count} correct at the first attempt. Only this browser keeps the score."),
        "forget": tr("Reset the score"),
    }

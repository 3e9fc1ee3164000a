"""Lessons: a list of all, and the chosen one, a screen at a time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from html import escape

import streamlit as st

import kanon_core as kc
from kanon_core.base import options
from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.report.handouts import handout
from kanon_core.teaching.glossary import entry
from kanon_core.teaching.lessons import LESSONS, Lesson, Screen, ScreenResult, lesson
from pages.learn.questions import answered, ask, show
from pages.shell.frame import go_to, link_to, theme
from pages.shell.menu import PAGES, parts_of
from pages.state.keys import Key, kept
from pages.state.session import Session
from pages.widgets.files import download
from pages.widgets.glossary import mark
from pages.widgets.layout import drawn
from pages.widgets.pickers import button
from pages.widgets.presenting import BACK, NEXT, message, presenting, unpresented
from pages.widgets.text import heading, line, note

_LESSON = Key("learn lesson", "")
"""The current lesson; "" for the list."""
_SCREEN = Key("learn screen", 0)
"""The current screen, from 0; after the last one comes the task."""
_ASKED = Key("learn asked", "")
"""The screen whose question is shown instead of its idea in presenter mode."""
_DONE: Key[frozenset[str]] = Key("learn lessons done", frozenset())
_HEIGHT, _IN_A_ROOM, _LARGER = 400, 440, 1.4


def follow(wanted: Mapping[str, str]) -> list[str]:
    """Go to the lesson and screen of an address; return sentences on what is wrong with it."""
    name, number = wanted.get("lesson", ""), wanted.get("screen", "1")
    if not name:
        return []
    try:
        count = len(lesson(name).screens)
    except OptionError as problem:
        return [str(problem)]
    if not (number.isdecimal() and len(number) < 4 and 1 <= int(number) <= count + 1):
        go(name, 0)
        return [tr("The lesson has no screen with the number in the address. The first screen is shown.")]
    go(name, int(number) - 1)
    return []


def go(name: str, screen: int = 0) -> None:
    """Go to a screen of a lesson, from 0; "" is the list of lessons."""
    _LESSON.set(name)
    _SCREEN.set(screen)
    _ASKED.set("")


def lessons_view(session: Session) -> dict[str, str]:
    """Show the list of lessons, or a screen of one; return the part of the address for it."""
    if not _LESSON.get():
        _offered()
        return {}
    one, number = lesson(_LESSON.get()), _SCREEN.get()
    _top(one, number)
    if number < len(one.screens):
        _screen(one, number)
    else:
        _tried(one, session)
    return {"lesson": one.name, "screen": str(number + 1)}


def _offered() -> None:
    """Show every lesson with its goal; finished lessons are marked."""
    note(
        tr(
            "Each lesson uses its own small table. Your table and setting do not change. Take the"
            " lessons in this order, or choose the one you need."
        )
    )
    for number, one in enumerate(LESSONS, 1):
        done = one.name in _DONE.get()
        says = tr("{minutes} minutes. {learns}").format(minutes=one.minutes, learns=one.goal)
        with st.container(border=True, gap="xsmall", key=f"lesson-{one.name}"):
            title = f"{number}. {one.heading}" + (tr(" – done") if done else "")
            icon = "check_circle" if done else "school"
            st.button(
                title,
                on_click=go,
                args=(one.name,),
                key=f"take-{one.name}",
                icon=f":material/{icon}:",
                type="tertiary",
            )
            note(says)


def _top(lesson: Lesson, number: int) -> None:
    """Show the lesson, its progress, and the button to all lessons."""
    count = len(lesson.screens)
    far = (
        tr("{number} of {count}").format(number=number + 1, count=count) if number < count else tr("The end")
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson-top"):
        with unpresented("lessons", "content"):
            button(tr("All lessons"), go, "", icon="list", key="lessons")
        line("", lesson.heading, f" · {far}")


def _screen(lesson: Lesson, number: int) -> None:
    """Show one idea: its sentences, picture, question, and the buttons."""
    screen = lesson.screens[number]
    place = f"{lesson.name} {number}"
    says, shows = st.columns([5, 7], gap="large")
    begun = seen = screen.result()
    with says:
        if not _asks(place):
            seen = _idea(screen, place)
        with st.container(key="lesson-after"):
            if screen.question is not None and presenting() == _asks(place):
                ask(screen.question, begun, place)
            _ways(lesson, number, place)
    with shows:
        drawn(_picture(screen, seen), f"lesson-picture-{lesson.name}-{number}")


def _asks(place: str) -> bool:
    """Return whether presenter mode shows the question instead of the idea: both do not fit the screen."""
    return presenting() and _ASKED.get() == place


def _idea(screen: Screen, place: str) -> ScreenResult:
    """Show the idea at the k of its slider; return the result at this k."""
    at = st.container()
    seen = screen.result(_slider(screen, place))
    with at:
        heading(seen.says(screen.heading))
        message(seen.says(screen.idea))
        _words(screen, place)
    return seen


def _picture(screen: Screen, seen: ScreenResult) -> str:
    """Return the picture; larger in presenter mode."""
    if not presenting():
        return screen.drawn(seen, theme(), _HEIGHT)
    return f'<div style="zoom:{_LARGER}">{screen.drawn(seen, theme(), round(_IN_A_ROOM / _LARGER))}</div>'


def _slider(screen: Screen, place: str) -> int | None:
    """Return the chosen k, where there is a choice."""
    if screen.slider is None:
        return None
    ends = screen.slider
    return int(st.slider("k", ends.first, ends.last, key=kept(f"lesson-k-{place}", ends.start)))


def _words(screen: Screen, place: str) -> None:
    """Show the terms of the screen, each with its "?"."""
    if screen.words and not presenting():
        marks = " ".join(
            f"<span>{escape(entry(name).title)}{mark(entry(name), place)}</span>" for name in screen.words
        )
        title = escape(tr("Terms:"))
        st.html(f'<p class="note terms">{title} {marks}</p>')


def _ways(lesson: Lesson, number: int, place: str) -> None:
    why = "" if number or _asks(place) else tr("This is the first screen.")
    back = partial(_ASKED.set, "") if _asks(place) else partial(go, lesson.name, number - 1)
    with st.container(horizontal=True, gap="small", key="lesson-ways"):
        button(tr("Back"), back, icon="arrow_back", key=BACK, disabled=bool(why), help=why)
        _on(lesson, number, place)


def _on(lesson: Lesson, number: int, place: str) -> None:
    """Show the button to go on. In presenter mode it leads from an idea to its question, to the answer, to
    the next idea. Otherwise it waits until the question below the idea is answered."""
    question = lesson.screens[number].question
    open_ = question is None or answered(place)
    label, do, why = tr("Next"), partial(go, lesson.name, number + 1), ""
    if presenting() and question is not None and not _asks(place):
        label, do = tr("Question"), partial(_ASKED.set, place)
    elif presenting() and not open_:
        label, do = tr("Show the answer"), partial(show, place)
    elif not open_:
        why = tr("Answer the question first, or show the answer.")
    elif number == len(lesson.screens) - 1:
        label = tr("To the end")
    button(label, do, icon="arrow_forward", key=NEXT, primary=not why, disabled=bool(why), help=why)


def _tried(lesson: Lesson, session: Session) -> None:
    """Show the end of a lesson: a task on the own table, the handout, the next lesson."""
    _DONE.set(_DONE.get() | {lesson.name})
    heading(tr("Try it on your table"))
    message(lesson.tries.text)
    note(
        tr(
            "Your table is {name}. The table and its setting change only if you press the second button."
        ).format(name=session.name)
        if lesson.tries.algorithm
        else tr("Your table is {name}. The table and its setting do not change.").format(name=session.name)
    )
    with st.container(horizontal=True, gap="small", key="lesson-try"):
        page, view = parts_of(lesson.tries.place)
        title = PAGES[page].views[view].title if view else PAGES[page].title
        link_to(lesson.tries.place, tr("Go to {page}").format(page=tr(title)), PAGES[page].icon)
        _set(lesson, session)
    with st.container(horizontal=True, gap="small", key="lesson-end"):
        button(tr("Back"), go, lesson.name, len(lesson.screens) - 1, icon="arrow_back", key=BACK)
        place = LESSONS.index(lesson) + 1
        if place < len(LESSONS):
            following = LESSONS[place]
            says = tr("Next lesson: {title}").format(title=following.heading)
            button(says, go, following.name, icon="arrow_forward", key=NEXT, primary=True)
        with unpresented("handout", "content"):
            name = f"kanon-lesson-{lesson.name}.html"
            download(tr("Handout of two pages"), lambda: handout(lesson).encode(), name, key="handout")


def _set(lesson: Lesson, session: Session) -> None:
    """Show a button that sets the lesson's algorithm and opens the page, or the reason why it cannot."""
    if not lesson.tries.algorithm:
        return
    wanted = options.declared(lesson.tries.algorithm)()
    assert isinstance(wanted, kc.Algorithm)
    reasons = wanted.unsuitable(session.table, session.setting.k)
    says = tr("Use {title} and go").format(title=wanted.title)
    if button(
        says, None, icon="play_arrow", key="lesson-set", disabled=bool(reasons), help=" ".join(reasons)
    ):
        session.ask(algorithm=wanted)
        go_to(lesson.tries.place)

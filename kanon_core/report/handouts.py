"""A lesson on paper: one HTML file without scripts that prints on two A4 pages, its answers at the end."""

from __future__ import annotations

from html import escape
from pathlib import Path

from kanon_core.base.words import tr
from kanon_core.report.signing.writers import html_page
from kanon_core.teaching.lessons import Choice, Lesson, Screen

_STYLE = Path(__file__).with_name("handout.css")
_HEIGHT = 250


def handout(lesson: Lesson) -> str:
    """Return the lesson as HTML: every screen with its picture and question, then all answers. A slider has
    its first value. To make a PDF, print the file from a browser. Every text is escaped. Needs plotly (the
    extra “app”) where a picture is a chart. Cost: that of the screens, about 0.3 s.

    >>> from kanon_core.teaching.lessons import lesson
    >>> handout(lesson("limits")).count("<article>")
    5
    """
    about = tr("{learns} A lesson of {minutes} minutes; all people and numbers in it are invented.").format(
        learns=lesson.goal, minutes=lesson.minutes
    )
    screens = "\n".join(_screen(number, one) for number, one in enumerate(lesson.screens, 1))
    body = f'<div class="screens">\n{screens}\n</div>\n{_answers(lesson)}'
    return html_page(escape(lesson.heading), _STYLE, f"<p>{escape(about)}</p>", body)


def _screen(number: int, screen: Screen) -> str:
    seen = screen.result()
    return (
        f"<article>\n<h2>{number}. {escape(seen.says(screen.heading))}</h2>\n"
        f"<p>{escape(seen.says(screen.idea))}</p>\n"
        f"<figure>{screen.drawn(seen, 'light', _HEIGHT)}</figure>\n{_question(screen)}</article>"
    )


def _question(screen: Screen) -> str:
    if screen.question is None:
        return ""
    seen = screen.result()
    asks = f'<p class="asks">{escape(seen.says(screen.question.asks))}</p>\n'
    if not isinstance(screen.question, Choice):
        return f'{asks}<p class="line"></p>\n'
    offered = screen.question.offered(seen.facts, seen.names)
    return asks + "<ul>" + "".join(f"<li>{escape(one)}</li>" for one in offered) + "</ul>\n"


def _answers(lesson: Lesson) -> str:
    found = []
    for number, screen in enumerate(lesson.screens, 1):
        if screen.question is not None:
            seen = screen.result()
            answer = screen.question.answer(seen.facts, seen.names)
            why = seen.says(screen.question.why)
            found.append(f"<p><b>{number}. {escape(answer)}.</b> {escape(why)}</p>")
    heading = escape(tr("Answers"))
    then = escape(tr("On your own table: {says}").format(says=lesson.tries.text))
    return f'<section class="answers">\n<h2>{heading}</h2>\n{"".join(found)}\n<p>{then}</p>\n</section>'

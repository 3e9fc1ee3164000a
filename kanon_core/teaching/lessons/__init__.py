"""Lessons of five to ten minutes: one idea on each screen, with a picture and computed numbers.

A lesson is one file in `kanon_core.teaching.lessons.course` and one line in `LESSONS`. Its sentences are
templates: every number in them is found by Kanon on the small table of the lesson.
"""

from __future__ import annotations

from kanon_core.base.errors import OptionError
from kanon_core.base.words import tr
from kanon_core.teaching.lessons.course.concealment import CONCEALMENT
from kanon_core.teaching.lessons.course.curve import CURVE
from kanon_core.teaching.lessons.course.kanonymity import K_ANONYMITY
from kanon_core.teaching.lessons.course.limits import LIMITS
from kanon_core.teaching.lessons.course.names import NAMES
from kanon_core.teaching.lessons.course.ninepoints import NINE_POINTS
from kanon_core.teaching.lessons.course.people import PEOPLE
from kanon_core.teaching.lessons.course.repair import REPAIR
from kanon_core.teaching.lessons.course.risk import RISK
from kanon_core.teaching.lessons.course.sets import SETS
from kanon_core.teaching.lessons.course.twoways import TWO_WAYS
from kanon_core.teaching.lessons.lesson import (
    Amount,
    Choice,
    Lesson,
    Question,
    Screen,
    ScreenResult,
    Slider,
    Try,
)

__all__ = [
    "LESSONS",
    "Amount",
    "Choice",
    "Lesson",
    "Question",
    "Screen",
    "ScreenResult",
    "Slider",
    "Try",
    "lesson",
]

LESSONS: tuple[Lesson, ...] = (
    NAMES,
    K_ANONYMITY,
    TWO_WAYS,
    NINE_POINTS,
    REPAIR,
    CONCEALMENT,
    SETS,
    PEOPLE,
    LIMITS,
    CURVE,
    RISK,
)
"""All lessons, in the recommended order."""


def lesson(name: str) -> Lesson:
    """Return the lesson of this name; raises OptionError for an unknown name.

    >>> lesson("names").title
    'Why removing names is not enough'
    """
    found = next((one for one in LESSONS if one.name == name), None)
    if found is None:
        names = ", ".join(one.name for one in LESSONS)
        raise OptionError(
            tr("There is no lesson “{name}”; choose from {names}.").format(name=name, names=names)
        )
    return found

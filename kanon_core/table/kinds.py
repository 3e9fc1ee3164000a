"""Knowledge of ordinal and cyclic values: the usual orders, how they are guessed, and the period of a
circle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from kanon_core.table.naming import spaced

CLOCK = re.compile(r"\s*([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?\s*")
"""A time of day: 23:50, 7:05:30."""

_WEEKDAYS = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "mon tue wed thu fri sat sun",
    "月 火 水 木 金 土 日",
    "月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日",
    "月曜 火曜 水曜 木曜 金曜 土曜 日曜",
)
_MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
)
_WINDS = (
    "n ne e se s sw w nw",
    "n nne ne ene e ese se sse s ssw sw wsw w wnw nw nnw",
    "north northeast east southeast south southwest west northwest",
    "北 北東 東 南東 南 南西 西 北西",
)
_CYCLES = tuple(tuple(words.split()) for words in (*_WEEKDAYS, *_MONTHS, *_WINDS))

_ORDERS = tuple(
    tuple(words.split(","))
    for words in (
        "very low,low,lower,medium,middle,moderate,average,higher,high,very high",
        "none,minimal,slight,mild,minor,moderate,major,serious,severe,critical,extreme",
        "xxs,xs,s,m,l,xl,xxl,xxxl,xxxxl",
        "tiny,very small,small,medium,large,very large,huge",
        "never,rarely,seldom,sometimes,occasionally,often,usually,very often,always",
        "strongly disagree,disagree,somewhat disagree,neutral,neither agree nor disagree,undecided,"
        "somewhat agree,agree,strongly agree",
        "very dissatisfied,dissatisfied,neutral,satisfied,very satisfied",
        "very poor,very bad,poor,bad,fair,average,good,very good,excellent",
        "f,e-,e,e+,d-,d,d+,c-,c,c+,b-,b,b+,a-,a,a+",
        "preschool,kindergarten,1st-4th,primary,elementary,5th-6th,7th-8th,middle school,9th,10th,11th,12th,"
        "high school,hs-grad,some-college,assoc-voc,assoc-acdm,college,bachelor,bachelors,master,masters,"
        "prof-school,doctorate,phd",
        "i,ii,iii,iv,v,vi,vii,viii,ix,x",
        "child,teenager,young adult,adult,middle-aged,senior,elderly",
        "baby,infant,toddler,child,teen,young,adult,old",
        "freshman,sophomore,junior,senior",
        "低,低い,中,普通,中間,高,高い",
        "小,中,大,特大",
        "不可,可,良,優,秀",
        "幼稚園,小学校,中学校,高校,高専,短大,大学,大学院",
    )
)

_PERIODS = (
    (r"(^|[^a-z])hour([^a-z]|$)|o.?clock|^hh$|時間帯|時刻|時$", 24.0),
    (r"week ?day|day ?of ?(the ?)?week|^dow$|曜", 7.0),
    (r"(^|[^a-z])month([^a-z]|$)|月$", 12.0),
    (r"day ?of ?(the ?)?year|^doy$", 366.0),
    (r"direction|bearing|heading|azimuth|angle|aspect|方位|方角|風向|角度", 360.0),
    (r"(^|[^a-z])minute([^a-z]|$)|分$", 60.0),
)
_BELOW = ("<", "≤", "under", "below", "less", "up to", "at most")
_ABOVE = (">", "over", "above", "more")
_NUMBER = re.compile(r"^\D{0,12}?(-?\d+(?:\.\d+)?)")


def guessed_order(labels: Iterable[str]) -> tuple[str, ...]:
    """These different texts from the least to the greatest: as in a usual list (low, medium, high; XS … XL;
    grades, where A is the best), by the first number where every text has one (20-29, grade 3, <5 before 5),
    and else in text order, which the user should check.

    >>> guessed_order(["high", "low", "medium"]), guessed_order(["20-29", "100+", "5-9"])
    (('low', 'medium', 'high'), ('5-9', '20-29', '100+'))
    """
    known = sorted(labels)
    folded = [label.strip().casefold() for label in known]
    for order in (*_ORDERS, *_CYCLES):
        if len(set(folded)) == len(folded) and set(folded) <= set(order):
            return tuple(sorted(known, key=lambda label: order.index(label.strip().casefold())))
    numbers = [_NUMBER.match(label.strip()) for label in known]
    if all(numbers):
        return tuple(sorted(known, key=lambda label: (*_first_number(label), label)))
    return tuple(known)


def is_usual_order(labels: Sequence[str]) -> bool:
    """Return whether these texts are two or more of one usual list of ordinal values, as low, medium and
    high."""
    folded = {label.strip().casefold() for label in labels}
    return len(folded) > 1 and any(folded <= set(order) for order in _ORDERS)


def order_word(order: Sequence[str]) -> str:
    """The order on a line, as JSON where a value could be mistaken.

    >>> order_word(["low", "high"]), order_word(["<20", "20+"])
    ('low<high', '["<20", "20+"]')
    """
    plain = all(label and label == label.strip() and "<" not in label for label in order)
    return (
        "<".join(order) if plain and not order[0].startswith("[") else json.dumps(order, ensure_ascii=False)
    )


def order_of(text: str) -> tuple[str, ...]:
    """The order that such a line means; raises ValueError for JSON that is no list of texts.

    >>> order_of("low < medium < high"), order_of('["<20", "20+"]')
    (('low', 'medium', 'high'), ('<20', '20+'))
    """
    if not text.lstrip().startswith("["):
        return tuple(label.strip() for label in text.split("<")) if text.strip() else ()
    found = json.loads(text)
    if not isinstance(found, list) or not all(isinstance(label, str) for label in found):
        raise ValueError
    return tuple(found)


def guessed_cycle(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the usual cycle that these texts belong to, weekdays, months or winds, completed by the words
    that do not occur; empty without one.

    >>> guessed_cycle(["Sun", "Mon"])
    ('Mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'Sun')
    """
    known = {label.strip().casefold(): label for label in labels}
    for cycle in _CYCLES:
        if known and set(known) <= set(cycle):
            return tuple(known.get(word, word) for word in cycle)
    return ()


def guessed_period(name: str, low: float, high: float) -> float:
    """Return the period of a cyclic column of numbers, by its name, or else the least usual one that its
    values fit: 7, 12, 24, 60, 360, 366; if none fits, the greatest value.

    >>> guessed_period("hour of day", 0, 23), guessed_period("x", 0, 11), guessed_period("x", 0, 350)
    (24.0, 12.0, 360.0)
    """
    if named := named_period(name, low, high):
        return named
    fitting = (p for p in (7.0, 12.0, 24.0, 60.0, 360.0, 366.0) if fits_circle(low, high, p))
    return next(fitting, min(max(high - min(low, 0.0), 1.0), 1e9))


def named_period(name: str, low: float, high: float) -> float:
    """Return the period of the cycle in the name (hours, weekdays, months, directions …) if the values fit
    it, and else 0.

    >>> named_period("hour", 0, 23), named_period("working hours", 0, 60), named_period("age", 0, 23)
    (24.0, 0.0, 0.0)
    """
    words = spaced(name)
    fitting = (
        period
        for pattern, period in _PERIODS
        if re.search(pattern, words, re.I) and fits_circle(low, high, period)
    )
    return next(fitting, 0.0)


def fits_circle(low: float, high: float, period: float) -> bool:
    """Return whether all values from low to high fit on a circle: 0 … period, or −period/2 … period/2."""
    return (low >= 0 and high <= period) or (low >= -period / 2 and high <= period / 2)


def _first_number(label: str) -> tuple[float, int]:
    """The first number, and −1, 0 or 1, so that “<5” comes before “5-9” and “>5” after it."""
    found, text = _NUMBER.match(label.strip()), label.strip().casefold()
    assert found is not None
    return float(found.group(1)), -1 if text.startswith(_BELOW) else int(text.startswith(_ABOVE))

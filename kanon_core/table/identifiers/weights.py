"""Recognition of sampling weights of surveys: the number of people in the population that a record
represents."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pandas as pd

from kanon_core.table.naming import spaced

_SURVEY = re.compile(
    r"fnlwgt|(^| )(pw|pwt|[a-z]{1,6}wgt"
    r"|(per|hh|asec|earn|fin|final|sample|survey|samp|p|h|rep|comp)wt\d*|pweights?|finalwe?i?gh?t|gewichtung"
    r"|hochrechnungsfaktor|expansion factor|factor de expansión|重み|ウェイト|乗率|拡大乗率)( ?\d+)?$"
    r"|(^| )(sampl(e|ing)|survey|design|population|household|hh|post ?stratification|calibration"
    r"|calibrated|replicate|probability|response|respondent|cross sectional|longitudinal|normali[sz]ed|raking"
    r"|interview|mec)( \w{1,20})? ?weight(s|ing)?( |\d|$)"
    r"|(^| )weight(s|ing)? ?(factor|variable)( |$)"
)
_WEIGHT = re.compile(r"(wt|wgt|wght|((person|final|analysis|frequency|base|case|exam) )?weights?)( ?\d+)?")
"""Names that a weight of a survey, a body, a car or a mark in an exam may have."""
_OF_A_BODY = re.compile(
    r"(^| )(height|ht|bmi|gestation|birth|newborn|mpg"
    r"|waist|hips?|stature|body|blood ?pressure|systolic|diastolic|pulse|größe|taille|talla)"
    r"( |$)|身長|体重|血圧|(^| )(h(ei)?gh?t|length)( |$)"
)
_NO_BODY = 10_000
"""Beyond the weight of bodies and cars, in kilograms, and of newborns, in grams."""


def is_survey_weight(name: str, values: pd.Series, of_bodies: bool = False) -> bool:
    """Return whether a column of numbers holds sampling weights. Either its name is that of one (`fnlwgt`,
    `pw`, `survey weight`), or it is called weight, no other column measures bodies (`weigh_bodies`), and its
    values cannot be weights of things: some above 10,000, or all from 0 to 30 with a mean near 1.

    >>> kilos, people = pd.Series([61.5, 80]), pd.Series([812.5, 14031.0])
    >>> [is_survey_weight("weight", people), is_survey_weight("weight", kilos), is_survey_weight("pw", kilos)]
    [True, False, True]
    """
    words = spaced(name).strip().casefold()
    if not pd.api.types.is_numeric_dtype(values) or pd.api.types.is_bool_dtype(values):
        return False
    if _SURVEY.search(words):
        return True
    if not may_be_survey_weight(name, of_bodies):
        return False
    present = values.dropna().to_numpy(np.float64)
    if not len(present) or not (present > 0).all():
        return False
    normalized = abs(float(present.mean()) - 1) < 0.05 and present.max() < 30
    return bool(present.max() > _NO_BODY or (normalized and (present % 1 != 0).any()))


def may_be_survey_weight(name: str, of_bodies: bool = False) -> bool:
    """Return whether a column is called weight and no other column measures bodies."""
    return not of_bodies and _WEIGHT.fullmatch(spaced(name).strip().casefold()) is not None


def weigh_bodies(names: Iterable[str]) -> bool:
    """Return whether a weight among columns of these names is a body's: one of them is another measure of
    bodies, or two are called weight. Cost O(columns).

    >>> weigh_bodies(["age", "height_cm"]), weigh_bodies(["age", "weight"])
    (True, False)
    """
    words = [spaced(name).strip().casefold() for name in names]
    return sum("weight" in name for name in words) > 1 or any(_OF_A_BODY.search(name) for name in words)

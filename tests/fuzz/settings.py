"""Every algorithm with any options on small tables with odd columns, drawn by hypothesis."""

from __future__ import annotations

import math
import traceback
from typing import Any

import hypothesis
import numpy as np
import pandas as pd
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base import kinds
from kanon_core.base.errors import BrokenPromise, KanonError
from kanon_core.base.options import Nested, declared, options_of
from kanon_core.table.schema import KINDS, ROLES
from tests.contracts.tables import ODD_NAMES
from tests.fuzz.case import LONGEST

MOST_SECONDS = 0.02
"""The time limit in seconds that a search gets here, whatever its option allows."""
ROUND = 20
"""The number of examples drawn before the clock is looked at."""

_WORDS = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
_CELLS: dict[str, st.SearchStrategy[Any]] = {
    "small": st.integers(-3, 3),
    "whole": st.integers(-(2**60), 2**60),
    "real": st.floats(allow_nan=True, allow_infinity=False),
    "degrees": st.floats(-95, 185),
    "word": st.sampled_from(["a", "b", "", "=1+1", "<b>", "[1, 2]", "{a, b}", "*", "(missing)", "1-2"]),
    "text": _WORDS,
    "day": st.datetimes(min_value=pd.Timestamp("1600-01-01"), max_value=pd.Timestamp("2200-01-01")),
    "sets": st.lists(st.sampled_from(["tea", "milk", "a, b", '"', "*"]), max_size=3),
    "same": st.just(7),
    "none": st.none(),
}
_ROLES = [*ROLES, *["quasi_identifier"] * 12]


@st.composite
def tables(draw: st.DrawFn) -> kc.Table | KanonError:
    """A small table of any columns in any roles, or why it cannot be one."""
    height = draw(st.integers(1, 14))
    names = draw(
        st.lists(st.sampled_from((*ODD_NAMES, "age", "lat", "x")), min_size=1, max_size=4, unique=True)
    )
    columns = {}
    for name in names:
        cells = _CELLS[draw(st.sampled_from(sorted(_CELLS)))]
        few = st.lists(cells | st.none() if draw(st.booleans()) else cells, min_size=height, max_size=height)
        columns[name] = pd.Series(draw(few))
    try:
        frame = pd.DataFrame(columns)
        schema = kc.Schema.infer(frame).with_roles({name: draw(st.sampled_from(_ROLES)) for name in names})
        if draw(st.integers(0, 3)) == 0:
            schema = schema.with_kinds({names[0]: draw(st.sampled_from(sorted(KINDS)))})
        return kc.Table.from_frame(frame, schema)
    except KanonError as reason:
        return reason


@st.composite
def algorithms(draw: st.DrawFn, among: tuple[str, ...] = ()) -> kc.Algorithm | KanonError:
    """Any algorithm – or one of these – with any options, or why it cannot have them."""
    cls = declared(draw(st.sampled_from(among or tuple(one.__name__ for one in kc.ALGORITHMS))))
    chosen: dict[str, Any] = {}
    for option in options_of(cls):
        if option.name == "seconds":
            chosen["seconds"] = MOST_SECONDS
        elif draw(st.booleans()):
            chosen[option.name] = draw(_option(option.kind))
    inner = [value for value in chosen.values() if isinstance(value, KanonError)]
    try:
        return inner[0] if inner else cls(**chosen)
    except KanonError as reason:
        return reason


def _option(kind: kinds.Kind) -> st.SearchStrategy[Any]:
    """Return a strategy that draws values for an option of this kind."""
    if isinstance(kind, Nested):
        return algorithms(kind.among)
    if isinstance(kind, kinds.Flag):
        return st.booleans()
    if isinstance(kind, kinds.Choice):
        return st.sampled_from(sorted(kind.words))
    if isinstance(kind, kinds.Integer):
        return st.integers(math.ceil(kind.low), int(min(kind.high, kind.low + 30)))
    if isinstance(kind, kinds.Real):
        return st.floats(kind.low, kind.high)
    return st.lists(st.sampled_from(("age", "lat", "x", *ODD_NAMES)), max_size=2, unique=True).map(tuple)


def tried(table: kc.Table | KanonError, algorithm: kc.Algorithm | KanonError, k: int, seed: int) -> str:
    """ "released", after its audit, its judgment and being made again, or "refused" in a sentence. Raises
    whatever else comes."""
    if isinstance(table, KanonError) or isinstance(algorithm, KanonError):
        return _refused(table if isinstance(table, KanonError) else algorithm)
    try:
        release = kc.anonymize(table, algorithm, k, seed)
    except BrokenPromise:
        raise
    except KanonError as reason:
        return _refused(reason)
    assert all(verdict.holds for verdict in kc.audit(table, release)), "the audit fails"
    kc.judge(table, release)
    for metric in kc.METRICS:
        if not metric().unsuitable(table):
            total = metric().evaluate(table, release).total
            assert not np.isinf(total), f"{metric.__name__} is {total}"
    assert kc.repeat(table, release.recipe).publish().equals(release.publish()), "another release"
    return "released"


def _refused(reason: Any) -> str:
    assert 10 < len(str(reason)) <= LONGEST, f"a sentence of {len(str(reason)):,} characters"
    return "refused"


def one_round(seed: int, number: int) -> tuple[list[str], str]:
    """Return the outcome of each example of a round, the same every time, and the error found, or ""."""
    came = list[str]()

    @hypothesis.seed(f"{seed} {number}")
    @hypothesis.settings(
        max_examples=ROUND,
        deadline=None,
        database=None,
        derandomize=False,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(tables(), algorithms(), st.integers(2, 6), st.integers(0, 2**64))
    def each(table: Any, algorithm: Any, k: int, draw: int) -> None:
        came.append("FOUND")
        came[-1] = tried(table, algorithm, k, draw)

    try:
        each()
    except Exception:
        return came, traceback.format_exc(limit=-8)
    return came, ""

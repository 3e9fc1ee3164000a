"""Steps chosen by tallies of parts are those that all numbers choose."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.covers.cells import Intervals
from kanon_core.covers.rounding.choice import SHARE, VALUES, automatic, chosen
from kanon_core.covers.rounding.tally import least_of, median_of, merged, tally
from kanon_core.table.columns.columns import Numbers

SIZES = st.one_of(
    st.integers(1, 60).map(float),
    st.sampled_from([0.1, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 20.0, 80.0, 4 * 86_400.0, 4 * 31 * 86_400.0]),
    st.floats(1e-9, 1e9),
)


@given(
    st.lists(st.lists(SIZES, max_size=6), min_size=1, max_size=4),
    st.lists(SIZES, min_size=2, max_size=12),
    st.sampled_from(["numeric", "datetime"]),
)
@example([[4.0], [8.0]], [1.0, 2.0], "numeric")
@example([[], []], [1.0, 2.0, 4.0, 4.0, 9.0], "numeric")
def test_the_step_of_tallied_parts_is_that_of_all(parts, values, kind):
    column = Numbers(kc.Attribute("x", kind=kind, round_to="auto"), np.array(values), False)
    widths = np.concatenate([np.zeros(0), *map(np.array, parts)])
    between = Intervals(np.zeros(len(widths)), widths, np.zeros(len(widths), bool))
    width = median_of(merged([tally(np.array(part, np.float64), SHARE) for part in parts]))
    assert (width == 0) == (len(widths) == 0)
    apart = tally(np.diff(np.unique(values)), VALUES)
    own = least_of(apart) if width else median_of(apart)
    assert chosen(column, width, own, max(values)) == automatic(column, between)


@given(st.lists(st.lists(SIZES, max_size=6), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_tallies_merge_in_whatever_order(parts, random):
    found = [tally(np.array(part, np.float64), SHARE) for part in parts]
    whole = tally(np.concatenate([np.zeros(0), *map(np.array, parts)]), SHARE)
    assert merged(random.sample(found, len(found))).tobytes() == whole.tobytes()
    assert merged([merged(found[:1]), merged(found[1:])]).tobytes() == whole.tobytes()

"""Fragments of an algorithm that makes groups, over many files: the rows and their order are those of one
machine."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from tests.scale.manytables import CARRIED, DRAWN, QUASI, Many, over_files
from tests.scale.test_bytes import compare

TAKEN = sorted(set(QUASI) - {"goods"})
"""Maps of categories are refused, as the order of the records is not known in parts then."""
INNERS = (
    *(kc.MDAV(), kc.VMDAV(), kc.Sorting(), kc.TopDown()),
    *(kc.Refine(steps=1), kc.Refine(steps=40), kc.Refine(loss="ncp", steps=40)),
)


@pytest.mark.deep
@settings(max_examples=30)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(TAKEN), min_size=1, max_size=4, unique=True),
    carried=st.sampled_from(sorted(CARRIED)),
    records=st.integers(2, 200),
    inner=st.sampled_from(INNERS),
    k=st.integers(2, 6),
    rows=st.integers(12, 80),
)
def test_the_rows_and_their_order_are_those_of_one_machine(
    seed, ends, quasi, carried, records, inner, k, rows
):
    if records > rows:  # else it is refused: one machine does it
        compare(Many.of(seed, ends, [*quasi, carried], records), kc.Fragments(inner, rows), k, rows)


def test_a_search_by_the_clock_is_refused_as_its_steps_are_others_elsewhere(tmp_path):
    many = Many.of(1, (0.3, 0.6), ["age", "gaps", "illness"], 90)
    with pytest.raises(kc.UnsuitableError, match="set a number of steps instead"):
        over_files(
            many.written(tmp_path / "source"),
            many,
            kc.Fragments(kc.Refine(seconds=0.01), 40),
            3,
            tmp_path / "out",
            40,
        )
    assert [path.name for path in tmp_path.iterdir()] == ["source"]

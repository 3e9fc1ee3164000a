"""Singling out: by hand on tiny tables, of records as they are, and beside a control group."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.risk.tables import ReleaseView
from tests.helpers import release_of
from tests.risk.test_tables import RNG, part_of, silent, wards


def right(made: kc.SinglingOut, seen: ReleaseView, targets: list[int]) -> tuple[int, int]:
    """Return the number of right guesses and the number of guesses, where every guess is made."""
    (answer,) = made.answers(seen, np.tile(targets, 20), RNG(1), silent)
    return int(answer.chances.sum()), len(answer.chances)


def test_a_row_of_three_is_true_of_three_and_an_end_of_one():
    """[20, 22] and [60, 62] are true of three each; at most 20 is one, and at least 62."""
    seen, known = ReleaseView.of(release_of(wards(), [0, 0, 0, 1, 1, 1])), {"unchanged": False}
    assert right(kc.SinglingOut(predicates="rows", **known), seen, [0]) == (0, 2)
    assert right(kc.SinglingOut(predicates="extremes", **known), seen, [0]) == (2, 4)
    assert right(kc.SinglingOut(**known), seen, [0]) == (2, 6)


def test_columns_that_are_published_unchanged_are_read_too():
    """Gout, the days 1, 2, 9 and the gap are one record's, and 4 days two records' with the same row."""
    seen = ReleaseView.of(release_of(wards(), [0, 0, 0, 1, 1, 1]))
    assert right(kc.SinglingOut(predicates="rows", columns=1), seen, [0]) == (5, 6)
    # group and ill: gout; group and days, ill and days: all but 4
    assert right(kc.SinglingOut(predicates="rows", columns=2), seen, [0]) == (1 + 4 + 4, 1 + 5 + 5)


def test_a_median_is_read_as_a_value():
    """21 and 61 are published, and are one record's age each."""
    frame = wards().frame
    schema = wards().schema.with_recodings({"age": "median"})
    release = release_of(kc.Table.from_frame(frame, schema), [0, 0, 0, 1, 1, 1])
    made = kc.SinglingOut(predicates="rows", unchanged=False)
    assert right(made, ReleaseView.of(release), [0]) == (2, 2)
    # at most 21 are two, at least 61 are two
    made = kc.SinglingOut(predicates="extremes", unchanged=False)
    assert right(made, ReleaseView.of(release), [0]) == (2, 4)


def test_an_end_that_several_rows_have_is_known_to_be_of_several():
    frame = pd.DataFrame({"age": [20, 20, 60, 61], "town": list("ABCD")})
    release = release_of(kc.Table.from_frame(frame), np.arange(4))
    # at least 61, ages 60 and 61, and four towns
    assert right(kc.SinglingOut(predicates="extremes"), ReleaseView.of(release), [0]) == (7, 7)


def test_the_control_group_is_tried_alone():
    """[20, 22] and [60, 61] of 20, 22, 60 and 61; set apart are 21, which fits the one, and 62, beyond 61."""
    seen = part_of(wards(), [0, 2, 3, 4], [0, 0, 1, 1])
    made = kc.SinglingOut(predicates="extremes", unchanged=False)
    assert right(made, seen, [0, 2]) == (2, 4)
    assert right(made, seen, [1, 5]) == (2, 4)


def test_of_the_identity_every_description_is_right():
    rng = RNG(3)
    frame = pd.DataFrame({"age": rng.permutation(40), "sex": rng.choice(["f", "m"], 40)})
    seen = ReleaseView.of(release_of(kc.Table.from_frame(frame), np.arange(40)))
    (answer,) = kc.SinglingOut(columns=2).answers(seen, np.arange(40), rng, silent)
    assert answer.chances.tolist() == [1.0] * 40 and 0 < answer.baseline < 1


def test_a_release_beside_a_control_group_of_as_many():
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.MDAV(), k=5, seed=1)
    made = kc.SinglingOut(predicates="rows", unchanged=False)
    (found,) = kc.attack(table, release, [made])
    assert (found.succeeded, found.of, found.unit) == (0, 50, "descriptions") and found.tried > 0
    assert "fit exactly one of 50 records: 0 %" in found.sentence and "as many records" in found.sentence
    assert found == kc.attack(table, release, [made])[0]


def test_where_half_of_the_records_are_too_few_it_says_so():
    release = release_of(wards(), [0] * 6, k=4)
    with pytest.raises(kc.UnsuitableError, match="fewer than k = 4"):
        kc.attack(release.table, release, [kc.SinglingOut()])

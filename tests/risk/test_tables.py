"""Attacks on published rows: by hand on tiny tables, and against what chance alone would do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.risk.criterion import interval, residual
from kanon_core.risk.tables import TABLE_ATTACKS, Attacked, ReleaseView
from kanon_core.runs.attacking import attack
from kanon_core.table.domain import Domain
from tests.helpers import looped, release_of

RNG = np.random.default_rng


def silent(fraction: float | None, note: str = "") -> None:
    """No progress is shown."""


def wards() -> kc.Table:
    """Ages, and what the people have."""
    frame = pd.DataFrame(
        {
            "age": [20, 21, 22, 60, 61, 62],
            "ill": ["flu", "flu", "gout", "ok", "ok", "ok"],
            "days": [1.0, 2.0, 9.0, 4.0, 4.0, np.nan],
        }
    )
    schema = kc.Schema.infer(frame).with_roles(
        {"age": "quasi_identifier", "ill": "sensitive", "days": "sensitive"}
    )
    return kc.Table.from_frame(frame, schema)


def chances(made: kc.TableAttack, release: kc.Release, column: str = "") -> list[float]:
    """Return the chances of all records."""
    answers = made.answers(ReleaseView.of(release), np.arange(len(release)), RNG(1), silent)
    return next(one.chances for one in answers if one.column == column).tolist()


def test_in_a_group_the_guess_is_right_once_in_its_size():
    release = release_of(wards(), [0, 0, 1, 1, 1, -1])
    # 22 to 61 holds three, whom no other row fits; the suppressed 62 has none
    expected = pytest.approx([1 / 2, 1 / 2, 1 / 3, 1 / 3, 1 / 3, 0])
    assert chances(kc.ConsistentLinkage(), release) == expected
    # the middle of [22, 61] is 41.5, and 22 is nearer to 20.5
    assert chances(kc.NearestLinkage(), release) == pytest.approx([1 / 2, 1 / 2, 0, 1 / 3, 1 / 3, 0])


def test_overlapping_rows_are_told_apart_by_their_middles_alone():
    """20 fits [20, 60] alone; 21 and 22 fit also [21, 22], which is nearer; so does nobody else."""
    release = release_of(wards(), [0, 1, 1, 0, 2, 2])
    assert chances(kc.ConsistentLinkage(), release) == pytest.approx(
        [1 / 2, 1 / 4, 1 / 4, 1 / 2, 1 / 2, 1 / 2]
    )
    # the middle of [20, 60] is 40: 20 is nearer to 21.5, and 60 to 61.5
    assert chances(kc.NearestLinkage(), release) == pytest.approx([0, 1 / 2, 1 / 2, 0, 1 / 2, 1 / 2])


@looped("made", [kc.ConsistentLinkage(), kc.NearestLinkage()])
def test_of_the_identity_everybody_is_found(made):
    rng = RNG(3)
    frame = pd.DataFrame({"age": rng.permutation(40), "sex": rng.choice(["f", "m"], 40)})
    table = kc.Table.from_frame(frame)
    (found,) = attack(table, release_of(table, np.arange(40)), [made])
    assert (found.succeeded, found.tried, found.expected) == (40, 40, 1.0)
    assert found.interval[0] > found.allowed and "more than 50 %, the limit" in found.sentence
    assert found.risk[0] == 1.0


def test_sensitive_values_by_hand():
    release = release_of(wards(), [0, 0, 0, 1, 1, 1])
    assert chances(kc.AttributeInference(), release, "ill") == [1, 1, 0, 1, 1, 1]
    nearest = kc.AttributeInference(rule="nearest")
    assert chances(nearest, release, "ill") == pytest.approx([2 / 3, 2 / 3, 1 / 3, 1, 1, 1])
    # medians are 2 and 4 (missing is the greatest); a range of 8, of which an eighth is 1
    assert chances(kc.AttributeInference(near=0), release, "days") == [0, 1, 0, 1, 1, 0]
    assert chances(kc.AttributeInference(near=12.5), release, "days") == [1, 1, 0, 1, 1, 0]
    answers = kc.AttributeInference().answers(ReleaseView.of(release), np.arange(6), RNG(1), silent)
    assert next(answers).baseline == 3 / 6  # always the value that three of six have
    assert next(answers).baseline == 2 / 6  # 4 days
    tied = part_of(wards(), [0, 1, 3, 4], [0, 0, 1, 1])
    (ill, _) = kc.AttributeInference().answers(tied, np.array([1, 2, 3]), RNG(1), silent)
    assert ill.baseline == pytest.approx((1 / 2 + 0 + 1 / 2) / 3)  # flu and ok are as frequent


def test_two_files_are_joined_where_the_nearest_row_is_the_same():
    """Rows: 20 to 21 of town A or B, 60 of A, 61 of B; 20 of A is nearest to the first by age, and by town to
    the third; 60 of A is so to its own by both."""
    frame = pd.DataFrame({"age": [20, 21, 60, 61], "town": list("ABAB")})
    table = kc.Table.from_frame(frame)
    release = release_of(table, [0, 0, 1, 2])
    assert chances(kc.Linkability(), release) == [0, 0, 1, 1]
    alone = release_of(wards(), [0, 0, 0, 1, 1, 1])
    assert "only one quasi-identifier" in kc.Linkability().unsuitable(alone.table, alone)[0]


def test_two_values_that_are_as_frequent_are_guessed_by_turns():
    release = release_of(wards(), [0, 1, 1, 0, 2, 2])
    assert chances(kc.AttributeInference(), release, "ill")[3] == pytest.approx(1 / 2)


def part_of(table: kc.Table, records: list[int], groups: list[int]) -> ReleaseView:
    whole = Domain.of(table.columns)
    part = kc.Table.from_frame(table.frame.iloc[records], table.schema, domain=whole)
    return ReleaseView(table, release_of(part, groups), np.array(records))


def test_who_is_not_in_the_table_is_recognized_when_no_row_fits():
    """[20, 22] and [60, 61] are published: 21 is not in the table and fits all the same, 62 fits nothing."""
    seen = part_of(wards(), [0, 2, 3, 4], [0, 0, 1, 1])
    (answer,) = kc.Membership().answers(seen, np.arange(6), RNG(1), silent)
    assert answer.chances.tolist() == [1, 0, 1, 1, 1, 1] and answer.baseline == 0.5


def test_records_that_are_not_in_the_table_are_guessed_from_its_rows():
    seen = part_of(wards(), [0, 2, 3, 4], [0, 0, 1, 1])
    (ill, _) = kc.AttributeInference().answers(seen, np.array([1, 5]), RNG(1), silent)
    # 21 sees flu and gout; 62 sees nothing, and guesses the value that two of four rows have
    assert ill.chances.tolist() == pytest.approx([1 / 2, 1])


@pytest.mark.deep
@pytest.mark.parametrize("algorithm", [kc.MDAV(), kc.OptimalConcealment(), kc.Pairing()])
def test_who_runs_the_program_again_is_right_once_in_k(algorithm):
    rng = RNG(11)
    frame = pd.DataFrame({"age": rng.permutation(60)[:24], "height": rng.permutation(90)[:24]})
    table, k = kc.Table.from_frame(frame), 2 if isinstance(algorithm, kc.Pairing) else 3
    expected = [
        attack(table, kc.anonymize(table, algorithm, k, seed), [kc.Rerun()], seed=seed)[0].expected
        for seed in range(40)
    ]
    # over the draws: one in k at most, give or take four standard errors
    assert np.mean(expected) <= 1 / k + 4 * np.std(expected) / np.sqrt(40)
    assert np.mean(expected) > 1 / (3 * k)


def test_the_same_seed_draws_the_same_and_another_one_others():
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.Sorting(), k=5, seed=1)
    first = kc.attack(table, release, targets=30)
    assert first == kc.attack(table, release, targets=30)
    assert [one.succeeded for one in first] != [
        one.succeeded for one in kc.attack(table, release, None, 30, 7)
    ]
    assert [type(one.attack) for one in first] == list(TABLE_ATTACKS)
    assert all(one.tried in (30, 40) and one.of >= one.tried for one in first)  # 20 and 20 for membership
    inferred = first[2]
    assert (inferred.control_tried, inferred.of) == (20, 80) and "not in the release" in inferred.sentence


def test_bad_input_is_a_sentence():
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.Sorting(), k=5, seed=1)
    with pytest.raises(kc.OptionError, match="at least 1"):
        kc.attack(table, release, targets=0)
    with pytest.raises(kc.OptionError, match="seed"):
        kc.attack(table, release, seed=-1)
    plain = table.with_schema(table.schema.with_roles({"condition": "other"}))
    release = kc.anonymize(plain, kc.Sorting(), k=5, seed=1)
    with pytest.raises(kc.UnsuitableError, match="No column is sensitive"):
        kc.attack(plain, release, [kc.AttributeInference()])
    assert kc.AttributeInference not in {type(one.attack) for one in kc.attack(plain, release)}
    none = release_of(wards(), [-1] * 6)
    with pytest.raises(kc.UnsuitableError, match="Every record is suppressed"):
        kc.attack(none.table, none, [kc.ConsistentLinkage()])


def test_what_the_control_group_leaves():
    """(a − c) / (1 − c), and its interval from both."""
    assert residual((50, 100), (50, 100))[0] == 0
    assert residual((3, 3), (0, 3))[0] == 1 and residual((0, 3), (3, 3)) == (0.0, 0.0, 1.0)
    value, low, high = residual((900, 1000), (500, 1000))
    assert value == pytest.approx(0.8) and low < 0.8 < high and high - low < 0.1
    sure = residual((900, 1000), (5_000_000, 10_000_000))
    ends = [(end - 0.5) / 0.5 for end in interval(900, 1000)]
    assert sure[1:] == pytest.approx(ends, abs=1e-3)


def test_without_a_control_group_the_risk_is_that_beyond_chance():
    found = Attacked(kc.Membership(), 100, 75, 100, 0.75, 0.5)
    low, high = interval(75, 100)
    assert found.risk == pytest.approx((0.5, 2 * low - 1, 2 * high - 1))


@pytest.mark.parametrize(
    ("right", "says"),
    [
        (79, "lies above 50 %, so the attacker does better than a random guess."),
        (55, "contains 50 %, so the attacker is not shown to do better than a random guess."),
        (20, "lies below 50 %, so the attacker does worse than a random guess."),
    ],
)
def test_a_guess_about_membership_is_judged_against_chance(right, says):
    sentence = Attacked(kc.Membership(), 100, right, 100, right / 100, 0.5).sentence
    assert says in sentence and ("the attacker reaches 58 %" in sentence) == (right == 79)

"""Files of means, medians and modes beside their original, against every grouping of few records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from tests.helpers import looped

X = [1, 2, 3, 8, 9, 10]


def table(**columns: object) -> kc.Table:
    frame = pd.DataFrame(columns)
    roles = {name: "sensitive" if name == "d" else "quasi_identifier" for name in frame}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles))


def texts(**columns: list[object]) -> pd.DataFrame:
    return pd.DataFrame(columns).astype(str)


def checked(frame: pd.DataFrame, original: kc.Table, k: int = 3) -> kc.Checked:
    return kc.check(frame.to_csv(index=False).encode(), [kc.KAnonymity(k)], original)


def groupings(records: tuple[int, ...], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    if not sizes:
        yield []
        return
    for chosen in combinations(records, sizes[0]):
        rest = tuple(one for one in records if one not in chosen)
        yield from ([chosen, *more] for more in groupings(rest, sizes[1:]))


def possible(x: list[int], published: list[float], near: float) -> bool:
    """By hand: some grouping of the records has these means."""
    values, counts = np.unique(published, return_counts=True)
    return any(
        all(
            abs(np.mean([x[i] for i in of]) - mean) <= near + 1e-9
            for of, mean in zip(groups, values, strict=True)
        )
        for groups in groupings(tuple(range(len(x))), counts.tolist())
    )


@looped("order", [[0, 1, 2, 3, 4, 5], [5, 0, 3, 1, 4, 2]])
@looped("recoding", ["mean", "median"])
def test_means_of_our_own_are_true_and_reach_their_k(order, recoding):
    """The example: 1, 2, 3, 8, 9, 10 are published as 2 and 9 by --recode x=mean at k = 3."""
    original = table(x=X, d=list("abaabb"))
    own = original.with_schema(original.schema.with_recodings({"x": recoding}))
    frame = kc.anonymize(own, kc.MDAV(), k=3, seed=1).publish(shuffle=False).iloc[order]
    found = checked(frame, original)
    assert found.holds and found.asked[0].reached == "k = 3"
    assert found.truth is not None and "within each class the values of “d”" in found.truth.sentence
    assert "“x” publishes one value for each class. Each is the mean" in found.truth.sentence
    # what is true of the numbers alone is not of a diagnosis that another class has
    wrong = frame.assign(d=frame["d"].tolist()[::-1]).assign(d=["a"] * 6)
    assert not checked(wrong, original).holds


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(4))
def test_no_grouping_that_there_is_is_called_broken(seed):
    """Beside every grouping of six or seven records into classes: what holds is true, and what can be true is
    called not confirmed at worst."""
    rng = np.random.default_rng(seed)
    for _ in range(40):
        x = rng.integers(0, 12, int(rng.integers(6, 8))).tolist()
        mixed = rng.permutation(len(x))
        published = np.empty(len(x))
        for of in (mixed[:3], mixed[3:]):
            published[of] = np.mean([x[i] for i in of])
        published = published.round(3)
        if rng.random() < 0.5:
            published[published == published[0]] += float(rng.integers(0, 2) * rng.integers(1, 9)) / 4
        shown = rng.permutation(published)
        release = kc.read_release(texts(x=shown.tolist()), table(x=x))
        if not release.aggregated:  # single values of the original, or no means
            assert set(shown) <= set(x) or not possible(x, shown.tolist(), 5e-4)
            continue
        verdict = kc.audit_uploaded(release, 2)[1]
        true = possible(x, shown.tolist(), 5e-4)
        grouped = all(column.grouped for column in release.aggregated)
        assert (true and grouped) if verdict.holds else not (true and grouped)
        assert "Not confirmed" in verdict.sentence or verdict.holds or not true


def test_columns_that_were_averaged_apart_as_other_programs_do_it():
    """Each column in groups of three by itself, rows in the order of the records: means are of the rows with
    equal numbers, and no two rows are alike."""
    age, pay = [20, 50, 21, 51, 22, 52], [10.0, 20.0, 90.0, 12.0, 95.0, 97.0]
    frame = texts(age=[21, 51] * 3, pay=[14.0, 14.0, 94.0, 14.0, 94.0, 94.0])
    found = checked(frame, table(age=age, pay=pay), 2)
    assert found.truth is not None and found.truth.holds
    assert found.beside is not None
    assert [(one.name, one.statistic, one.grouped) for one in found.beside.aggregated] == [
        ("age", "mean", True),
        ("pay", "mean", True),
    ]


def test_modes_of_categories_and_means_of_dates():
    days = [f"2020-03-{day:02d}" for day in (1, 2, 3, 21, 22, 24)]
    original = table(day=days, city=["Rome", "Rome", "Oslo", "Bonn", "Oslo", "Bonn"])
    frame = texts(day=["2020-03-02"] * 3 + ["2020-03-22"] * 3, city=["Rome"] * 3 + ["Bonn"] * 3)
    found = checked(frame, original)
    assert found.holds and found.truth is not None
    assert "“city” publishes one value for each class. Each is the most" in found.truth.sentence
    mixed = checked(frame.iloc[[5, 0, 4, 1, 2, 3]], original)
    assert mixed.truth is not None and not mixed.truth.holds and "Not confirmed: “" in mixed.truth.sentence
    assert mixed.asked[0].verdict is not None and mixed.asked[0].verdict.holds


@looped(
    "shown",
    [
        [2.0, 2.0, 2.0, 9.5, 9.5, 9.5],  # the sum is another
        [0.5, 0.5, 0.5, 10.5, 10.5, 10.5],  # less than the three least
        [2.25, 2.5, 2.0, 8.75, 9.25, 9.0],  # noise
        [30.0, 30.0, 30.0, -19.0, -19.0, -19.0],
    ],
)
def test_other_numbers_are_no_means(shown):
    found = checked(texts(x=shown), table(x=X))
    assert found.truth is not None and not found.truth.holds and found.beside is not None
    assert not found.beside.aggregated and "0 rows fit no record" not in found.truth.sentence
    assert "cannot all be means, medians or modes" in " ".join(found.notes)


def test_values_of_the_original_stay_values():
    for shown in (X, X[:3], ["[1, 3]"] * 3 + ["[8, 10]"] * 3):
        assert not kc.read_release(texts(x=list(shown)), table(x=X)).aggregated


def test_models_that_count_records_that_fit_say_nothing_of_means():
    original = table(x=X, d=list("abaabb"))
    frame = texts(x=[2.0, 2.0, 2.0, 9.0, 9.0, 9.0], d=list("abaabb"))
    found = checked(frame, original)
    silent = {model.guarantee.name for model in found.models if model.guarantee.needs_original}
    assert {m.guarantee.name for m in found.models if m.verdict is None} >= silent
    both = kc.check(frame.to_csv(index=False).encode(), [kc.KAnonymity(3), kc.KConcealment(2)], original)
    alike, matches = both.asked
    assert not both.holds and alike.verdict is not None and alike.verdict.holds
    assert matches.verdict is None and "not judged. Column “x” publishes means" in matches.said


def test_rows_that_fit_only_alone_are_said_so():
    """Three rows each fit a record, and two records are theirs: no sentence says that 0 rows fit none."""
    found = checked(texts(x=["[1, 2]", "[1, 2]", "[1, 2]", "8", "9", "10"]), table(x=X), 2)
    assert found.truth is not None and not found.truth.holds
    assert "3 rows occur more often than records fit them" in found.truth.sentence
    assert found.truth.witnesses == (1, 2, 3)


def test_means_that_other_columns_contradict_are_not_confirmed():
    """The classes p and q have the means 34.3 and 36.7, and each other's are published."""
    original = table(g=list("pppqqq"), v=[1, 2, 100, 0, 50, 60])
    swapped = texts(g=list("pppqqq"), v=[110 / 3] * 3 + [103 / 3] * 3).iloc[[3, 0, 4, 1, 2, 5]]
    found = checked(swapped, original)
    assert found.truth is not None and not found.truth.holds


def test_numbers_beside_gaps_and_modes_of_few_bearers_are_not_confirmed():
    gaps = table(g=list("pq") * 10, inc=[None, *range(101, 119), 5_000])
    found = checked(texts(g=list("pq") * 10, inc=[4998, 4999] * 10), gaps)
    assert found.truth is not None and not found.truth.holds
    sick = table(g=["p"] * 50 + ["q"] * 50, y=["well"] * 49 + ["sick"] + ["well"] * 50)
    shown = texts(g=["p"] * 50 + ["q"] * 50, y=["sick"] * 50 + ["well"] * 50)
    found = checked(shown, sick)
    assert found.truth is not None and not found.truth.holds


def test_a_file_of_stars_that_shows_one_diagnosis_is_not_diverse():
    original = table(a=[1, 2, 3], d=["flu"] * 3)
    found = kc.check(b"a,d\n*,flu\n*,flu\n*,flu\n", [kc.guarantees.LDiversity(l=2)], original)
    assert not found.holds

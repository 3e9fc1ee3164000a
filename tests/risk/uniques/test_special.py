"""Special uniques: every set against its definition, published examples, releases, people, a large table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.risk.uniques import disclosure_scores, set_scores
from tests.helpers import release_of, table_of
from tests.oracles import uniques as oracle

GUIDE = pd.DataFrame(
    {
        "residence": ["urban"] * 4 + ["rural"] + ["urban"] * 5,
        "gender": list("fffmfmfmff"),
        "education": list("bbpsssqhbb"),
        "labor": ["yes", "yes", "none", "yes", "no", "yes", "none", "no", "none", "none"],
    }
)
"""The ten records of T. Benschop, C. Machingauta, M. Welch: Statistical disclosure control: a practice guide,
in the chapter on measuring risk, with letters for degrees."""
BOOK = pd.DataFrame(
    {
        "age": ["20s"] * 7 + ["60s"],
        "gender": ["m"] * 4 + ["f"] * 3 + ["m"],
        "income": ["more", "more"] + ["less"] * 6,
        "education": ["high"] * 4 + ["university", "high", "middle", "university"],
    }
)
"""The eight records of M. Templ: Statistical disclosure control for microdata, 2017, on SUDA."""


def known(frame: pd.DataFrame, **roles: str) -> kc.Table:
    schema = kc.Schema.infer(frame).with_roles(dict.fromkeys(frame.columns, "quasi_identifier"))
    return kc.Table.from_frame(frame, schema.with_roles(roles))


# Published examples


def test_the_guides_example_comes_out_as_it_is_printed():
    found = kc.special_uniques(known(GUIDE), most=3)
    assert found.score.tolist() == [0, 0, 6, 0, 12, 0, 6, 10, 0, 0]
    fifth = {one.columns for one in found.combinations if 4 in one.subjects}
    pairs = {("education", "labor"), ("gender", "labor"), ("gender", "education")}
    assert fifth == {("residence",), *pairs}
    assert (found.unique, found.in_pairs, found.minimal[4], found.smallest[4]) == (4, 6, 4, 1)


def test_the_guides_probabilities_follow_from_the_scores_that_sdcmicro_had_then():
    """The guide prints SUDA scores as they are now, and beside them DIS-SUDA of the former scores, in which a
    unique of size s of 4 counts (2^(4 − s) − 1) · s! (4 − s)! / 4!: 7/4, 1/2 and 1/4."""
    former = np.array([0, 0, 7 / 4, 0, 7 / 4 + 3 / 2, 0, 7 / 4, 7 / 4 + 2 / 2, 0, 0])
    printed = [0, 0, 0.0051, 0, 0.0107, 0, 0.0051, 0.0088, 0, 0]
    assert disclosure_scores(former, 4, 4, 6).round(4).tolist() == printed
    ours = kc.special_uniques(known(GUIDE)).disclosure()
    assert (np.argsort(ours, kind="stable") == np.argsort(former, kind="stable")).all()


def test_the_books_example_has_its_scores():
    """sdcMicro's own tests have the scores of the last four, 4, 2, 6 and 8."""
    found = kc.special_uniques(known(BOOK), most=4)
    assert found.score.tolist() == [0, 0, 0, 0, 4, 2, 6, 8]


@pytest.mark.parametrize("order", ["abc", "acb", "cab", "cba"])
def test_columns_contribute_as_sdcmicro_finds(order):
    frame = pd.DataFrame({"a": [2, 1, 1], "b": [0, 3, 0], "c": [0, 6, 0]})[list(order)]
    found = kc.special_uniques(known(frame))
    assert found.contributions == {"a": 0.5, "b": 0.375, "c": 0.375}
    assert next(iter(found.contributions)) == "a"


def test_small_sets_weigh_most():
    assert set_scores(4, 4).tolist() == [6, 2, 1, 1] and set_scores(9, 3).tolist() == [56, 7, 1]


# By definition


@pytest.mark.parametrize("people", [False, True])
def test_every_set_is_that_of_the_definition(people):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n, columns = int(rng.integers(4, 26)), int(rng.integers(1, 6))
        values = rng.integers(0, rng.integers(2, 9), (n, columns)).astype(float)
        values[rng.random(values.shape) < 0.1] = np.nan
        frame = pd.DataFrame(values, columns=[f"column {i}" for i in range(columns)])
        owners = rng.integers(0, n // 2 + 1, n) if people else np.arange(n)
        owners = pd.factorize(owners)[0]
        table = known(frame.assign(who=owners), who="person" if people else "identifier")
        most = int(rng.integers(1, columns + 1))
        found = kc.special_uniques(table, most)
        records = np.where(np.isnan(values), -1, values).tolist()
        expected = oracle.minimal_uniques(records, owners.tolist(), most)
        named = {tuple(frame.columns[i] for i in which): these for which, these in expected.items()}
        assert {one.columns: one.subjects.tolist() for one in found.combinations} == named
        subjects = int(owners.max()) + 1
        assert found.score.tolist() == oracle.scores(expected, subjects, columns, most)
        assert found.unit == ("people" if people else "records") and found.subjects == subjects
        sizes = [
            min((len(which) for which, these in expected.items() if i in these), default=0)
            for i in range(subjects)
        ]
        assert found.smallest.tolist() == sizes and found.singled_out == sum(map(bool, sizes))


def test_sets_of_many_possible_values_are_told_apart_like_those_of_few():
    """Three columns with 2,000 values each have more sets of values than can be counted one by one."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.integers(0, 300, (2_000, 3)), columns=list("abc"))
    found = kc.special_uniques(known(frame), 3)
    whole = {one.columns: one.subjects for one in found.combinations}
    alone = {
        pair: ~frame.duplicated(list(pair), keep=False) for pair in ("a", "b", "c", "ab", "ac", "bc", "abc")
    }
    for pair in ("ab", "ac", "bc"):
        mine = alone[pair] & ~alone[pair[0]] & ~alone[pair[1]]
        assert whole[tuple(pair)].tolist() == np.flatnonzero(mine).tolist()
    smaller = np.logical_or.reduce([alone[pair] for pair in ("ab", "ac", "bc")])
    assert (
        whole.get(("a", "b", "c"), np.array([])).tolist() == np.flatnonzero(alone["abc"] & ~smaller).tolist()
    )


def test_more_values_than_a_number_can_hold():
    """Six columns with 4,000 values each: 4,000⁶ is above 2⁶²."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({f"c{i}": rng.permutation(np.repeat(np.arange(4_000), 2)) for i in range(6)})
    frame.iloc[1] = frame.iloc[0]
    found = kc.special_uniques(known(frame), 1)
    assert found.unique == int((~frame.duplicated(keep=False)).sum()) and found.in_pairs == 2
    assert found.singled_out == 0 or all(len(one.columns) == 1 for one in found.combinations)


def test_records_of_one_person_do_not_hide_behind_one_another():
    table = table_of(
        kc.Schema((kc.Attribute("who", "person"), kc.Attribute("item", "quasi_identifier"))),
        who=["x", "x", "y", "z", None],
        item=["milk", "milk", "bread", "bread", "tea"],
    )
    found = kc.special_uniques(table)
    assert [(one.columns, one.subjects.tolist(), one.count) for one in found.combinations] == [
        (("item",), [0], 1)
    ]
    assert found.subjects == 3 and found.unique == 1 and found.to_frame()["record"].tolist() == [1]
    with pytest.raises(kc.UnsuitableError, match="one record of each person"):
        found.disclosure()


# Releases


def test_of_a_release_the_published_cells_count():
    table = known(pd.DataFrame({"age": [20, 21, 30, 31, 50], "sex": list("FFMMM")}))
    assert kc.special_uniques(table).singled_out == 5
    release = release_of(table, [0, 0, 1, 1, -1])
    found = kc.special_uniques(release)
    assert (found.singled_out, found.subjects, found.combinations) == (0, 4, ())
    assert found.sentence == "None of 4 records is singled out by up to 2 of these columns: age, sex."


def test_of_a_release_columns_published_unchanged_can_be_named_too():
    table = known(pd.DataFrame({"age": [20, 21, 30, 31], "wage": [7, 7, 8, 9]}), wage="other")
    release = release_of(table, [0, 0, 1, 1])
    assert not kc.special_uniques(release).combinations
    found = kc.special_uniques(release, columns=["age", "wage"])
    assert [(one.columns, one.subjects.tolist()) for one in found.combinations] == [(("wage",), [2, 3])]
    assert found.first.tolist() == [0, 1, 2, 3]


def test_what_is_not_published_and_sets_that_overlap_are_refused():
    table = known(pd.DataFrame({"age": range(6), "name": list("abcdef")}), name="identifier")
    release = release_of(table, [0, 0, 0, 1, 1, 1])
    with pytest.raises(kc.UnsuitableError, match="“name” is not published"):
        kc.special_uniques(release, columns=["name"])
    with pytest.raises(kc.UnsuitableError, match="k-concealment"):
        kc.special_uniques(kc.anonymize(table, kc.Greedy(), 2))


# What is said


def test_the_download_names_records_by_number_and_no_cell():
    table = known(GUIDE)
    frame = kc.special_uniques(table).to_frame()
    assert frame["record"].tolist() == [5, 8, 3, 7] and frame["score"].tolist() == [12, 10, 6, 6]
    assert frame["columns"].tolist() == ["residence", "education", "education", "education"]
    written = frame.to_csv()
    assert not any(value in written for value in ("urban", "rural", "none"))


def test_sentence_and_ranking():
    found = kc.special_uniques(known(GUIDE))
    assert found.sentence == (
        "4 of 10 records (40 %) are singled out by a combination of up to 3 values that no other has. Fewest"
        " columns needed: 1 for 4."
    )
    ranked = found.ranked()
    assert ranked["columns"].tolist()[0] == "education" and ranked["records"].tolist()[0] == 3
    assert ranked["records"].is_monotonic_decreasing


@pytest.mark.parametrize("most", [0, 11, True, 2.0, "2"])
def test_sizes_that_make_no_sense_are_refused(most):
    with pytest.raises(kc.OptionError, match="from 1 to 10"):
        kc.special_uniques(known(GUIDE), most)


def test_too_many_sets_and_no_columns_are_refused_with_a_sentence():
    wide = known(pd.DataFrame(np.zeros((2, 90), int)).rename(columns=lambda i: f"c{i}"))
    with pytest.raises(kc.UnsuitableError, match="121,575 sets of up to 3"):
        kc.special_uniques(wide)
    with pytest.raises(kc.UnsuitableError, match="No column is a quasi-identifier"):
        kc.special_uniques(known(GUIDE, **dict.fromkeys(GUIDE.columns, "other")))
    with pytest.raises(kc.SchemaError, match="no such"):
        kc.special_uniques(known(GUIDE), columns=["no such"])


class Stop(Exception):
    pass


def test_it_ticks_once_a_set_and_stops_where_the_tick_says():
    seen: list[float] = []

    def tick(share, note=""):
        seen.append(share)
        if len(seen) == 6:
            raise Stop

    with pytest.raises(Stop):
        kc.special_uniques(known(GUIDE), 3, progress=tick)
    assert seen == [i / 14 for i in range(6)]
    again: list[float] = []
    kc.special_uniques(known(GUIDE), 3, progress=lambda share, note="": again.append(share))
    assert len(again) == 15 and again[-1] == 1 and sorted(again) == again


ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex"
    " capital-gain capital-loss hours-per-week native-country income"
)
NINE = "age workclass education marital-status occupation race sex native-country hours-per-week"


def test_adult_is_searched_whole(kanon_data):
    """32,561 records of nine columns: what pandas finds of single columns and of a pair."""
    table, names = kc.read_table(kanon_data / "adult" / "adult.data", names=ADULT.split()), NINE.split()
    found = kc.special_uniques(table, 3, names)
    frame = table.frame[names].astype(str)
    single = {n: ~frame[n].duplicated(keep=False) for n in names}
    pair = (
        ~frame.duplicated(["age", "native-country"], keep=False) & ~single["age"] & ~single["native-country"]
    )
    sets = {one.columns: one.subjects for one in found.combinations}
    assert sets["age", "native-country"].tolist() == np.flatnonzero(pair).tolist()
    every = {name: int(mine.sum()) for name, mine in single.items() if mine.any()}
    assert {one[0]: len(these) for one, these in sets.items() if len(one) == 1} == every

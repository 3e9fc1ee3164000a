"""Success of attackers: by hand, against brute force, and beside what other programs print."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.options import from_json, options_of, to_json
from kanon_core.base.progress import silent
from kanon_core.risk import ATTACKERS, THRESHOLDS
from kanon_core.risk import known_items as known_items
from kanon_core.risk.measured import exact
from tests.algorithms.histories.test_purchases import customers_of, frame_of
from tests.algorithms.histories.test_purchases import table_of as purchases_of
from tests.helpers import looped, release_of, table_of

each_attacker = pytest.mark.parametrize("attacker", ATTACKERS, ids=lambda cls: cls.__name__)

# The example of ARX: "data/test.csv" of its distribution, and the class sizes of the 2-anonymous result that
# it finds for it, ages as below 50 or not, postal codes by three digits (src/test, DataProvider and
# TestRiskMetrics: highest risk 1 and average risk 1 before, 0.5 and 0.42857142857142855 after).
ARX = table_of(
    age=[34, 45, 66, 70, 34, 70, 45],
    gender=["male", "female", "male", "female", "female", "male", "male"],
    zipcode=["81667", "81675", "81925", "81931", "81931", "81931", "81931"],
)
ARX_GROUPS = [0, 0, 1, 1, 2, 1, 2]


def with_sets(frame: pd.DataFrame) -> kc.Table:
    schema = kc.Schema.infer(frame).with_kinds({"buys": "items"}).with_delimiters({"buys": " "})
    return kc.Table.from_frame(frame, schema.with_quasi(list(frame)))


def found(result: kc.Risks, attacker: type[kc.Attacker]):
    return next(one for one in result.found if isinstance(one.attacker, attacker))


def test_arx_prints_the_same_figures():
    result = kc.risks(ARX, release_of(ARX, ARX_GROUPS, k=2))
    for attacker in (kc.Prosecutor, kc.Journalist, kc.Marketer, kc.Everybody):
        one = next(one for one in result.found if type(one.attacker) is attacker)
        assert (one.before.worst, one.before.average) == (1.0, 1.0)
        assert (one.after.worst, one.after.average) == (0.5, pytest.approx(0.42857142857142855))
    assert found(result, kc.FewItems).problem.startswith("No quasi-identifier holds item sets")
    assert result.before.tolist() == [1] * 7 and result.after.tolist() == [2, 2, 2, 2, 3, 3, 3]
    assert [result.fewer(x) for x in (1, 2, 3, 4)] == [(0, 0), (7, 0), (7, 4), (7, 7)]
    assert result.steps.tolist() == [2, 3, 4]
    said = "7 of 7 records have an anonymity set smaller than 3 in the original, and 4 of 7 in the release."
    assert result.fewer_sentence(3) == said


def test_thresholds_of_two_decimals_stand_for_one_in_so_many():
    assert [round(1 / exact(threshold), 9) for threshold in THRESHOLDS] == [20, 11, 5, 3]
    table = table_of(age=[*([1] * 11), *([2] * 10), 3])
    (one,) = kc.risks(table, attackers=[kc.Prosecutor()]).found
    assert [one.before.above(t) for t in (0.05, 0.09, 0.0909, 0.2, 0.33, 0.999)] == [22, 11, 22, 1, 1, 1]
    assert one.before.share_above(0.09) == 0.5
    for wrong in (0, 1, -0.1, 2, "0.2", True, float("nan")):
        with pytest.raises(kc.OptionError, match="above 0 and below 1"):
            one.before.above(wrong)


def test_sentences_say_who_reaches_what():
    result = kc.risks(ARX, release_of(ARX, ARX_GROUPS, k=2), [kc.Prosecutor(), kc.FewItems()])
    assert result.said(0.33).startswith(
        "Prosecutor: risk above 0.33 for 4 of 7 records; 42.9 % on average, 50 % at worst (original: above"
        " for 7; 100 % on average, 100 % at worst). No quasi-identifier"
    )
    alone = kc.risks(ARX, attackers=[kc.Prosecutor()])
    assert (
        alone.sentence
        == "Prosecutor: risk above 0.2 for 7 of 7 records; 100 % on average, 100 % at worst."
        == alone.said(0.2)
    )
    frame = result.frame(0.2)
    assert frame["attacker"].tolist() == ["Prosecutor", "Prosecutor", "FewItems"]
    assert frame["above"].tolist()[:2] == [7, 7] and frame["problem"].notna().tolist() == [False, False, True]


@each_attacker
def test_of_what_is_not_published_nobody_picks_anything(attacker):
    frame = pd.DataFrame({"age": [1, 1, 2, 2, 3, 3], "buys": ["a b", "a", "b", "b c", "", "c"]})
    table = with_sets(frame)
    part = kc.risks(table, release_of(table, [0, 0, 0, -1, -1, 0], k=4), [attacker()], 100)
    (one,) = part.found
    assert one.problem == "" and (one.after.records[3:5] == 0).all() and len(one.after.each) == 4
    assert (one.after.records[[0, 1, 2, 5]] > 0).all() and (one.before.records > 0).all()
    assert (one.before.records <= 1).all()
    nothing = kc.risks(table, release_of(table, [-1] * 6, k=4), [attacker()], 100).found[0]
    assert nothing.after.worst == nothing.after.average == nothing.after.share_above(0.2) == 0


def test_people_are_counted_not_rows():
    frame = pd.DataFrame(
        {"who": ["a", "a", "b", "b", "c", "d", "d"], "x": [1, 2, 2, 1, 1, 1, 1], "n": [0] * 7}
    )
    schema = kc.Schema.infer(frame).with_roles({"who": "person", "x": "quasi_identifier", "n": "other"})
    table = kc.Table.from_frame(frame, schema)
    result = kc.risks(table)
    one = found(result, kc.Prosecutor)
    assert result.unit == "people" and result.before.tolist() == [1, 1, 2, 2]
    assert one.before.each.tolist() == [0.5, 0.5, 1, 1] and one.before.average == 0.75
    assert one.before.records.tolist() == [0.5, 0.5, 0.5, 0.5, 1, 1, 1]
    histories = with_sets(frame.assign(buys="a b")[["who", "buys"]])
    histories = histories.with_schema(histories.schema.with_roles({"who": "person"}))
    assert "person can have several records" in found(kc.risks(histories), kc.FewItems).problem


@looped("seed", range(3))
def test_published_histories_hide_as_their_guarantee_says(seed):
    table = purchases_of(frame_of(customers_of([4, 3, 3, 2, 2, 1], seed), seed))
    release = kc.anonymize(table, kc.PurchaseHistories(), k=2, seed=seed)
    result = kc.risks(table, release, population=60)
    one = found(result, kc.Prosecutor).after
    shown = ~release.suppressed
    assert (one.records[shown] == 1 / release.hidden_among[shown]).all()
    assert one.worst <= 0.5 and len(one.each) == len(np.unique(release.bearers.owner))
    assert found(result, kc.Journalist).after.worst < 0.5


def test_where_sets_overlap_rows_that_fit_and_matches_are_counted():
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.Tours(), k=3, seed=1)
    result, fits = kc.risks(table, release, population=10_000), release.consistency()
    assert (found(result, kc.Prosecutor).after.records == 1 / fits.rows).all()
    assert (found(result, kc.Everybody).after.records == 1 / fits.matches).all()
    assert result.after.tolist() == sorted(fits.matches)
    assert found(result, kc.Journalist).after.worst < found(result, kc.Prosecutor).after.worst


def fewest(rows, items, known, published):
    """By brute force: for each record the fewest of those of its class with a combination of its items."""
    least = []
    for row, own in zip(rows, items, strict=True):
        same = [other for other, single in zip(items, rows, strict=True) if single == row]
        sets = combinations(sorted(own), min(known, len(own)))
        least.append(min(sum(set(some) <= set(other) for other in same) for some in sets))
    return least


@looped("known, seed", [(known, seed) for known in (1, 2, 3) for seed in range(8)])
def test_a_few_known_items_by_brute_force(known, seed):
    rng = np.random.default_rng(seed)
    items = [[x for x in "abcdef" if rng.random() < 0.45] if rng.random() < 0.9 else [] for _ in range(30)]
    frame = pd.DataFrame({"sex": rng.choice(["F", "M"], 30), "buys": [" ".join(one) for one in items]})
    table = with_sets(frame)
    attacker = kc.FewItems(known=known)
    groups = rng.integers(0, 5, 30)
    release = release_of(table, groups, k=2)
    (one,) = kc.risks(table, release, [attacker]).found
    assert one.before.records == pytest.approx(1 / np.array(fewest(frame["sex"], items, known, True)))
    texts = release.to_frame()
    shown = [text.strip("{}").replace(",", " ").split() for text in texts["buys"]]
    assert one.after.records == pytest.approx(1 / np.array(fewest(texts["sex"], shown, known, True)))


def test_too_many_sets_of_known_items_are_not_counted(monkeypatch):
    """A record of six items has 15 pairs and 20 sets of three."""
    frame = pd.DataFrame({"sex": ["F", "M"], "buys": ["a b c d e f", "a"]})
    monkeypatch.setattr(known_items, "MOST_SETS", 19)
    few, many = kc.risks(with_sets(frame), None, [kc.FewItems(known=2), kc.FewItems(known=3)]).found
    assert not few.problem and "20 sets of 3 items, but at most 19 can be counted" in many.problem


def test_what_cannot_be_measured_is_a_sentence():
    nothing = table_of(age=[1, 2]).with_schema(table_of(age=[1, 2]).schema.with_roles({"age": "other"}))
    with pytest.raises(kc.UnsuitableError, match="give that role to the columns that an attacker may know"):
        kc.risks(nothing)
    with pytest.raises(kc.UnsuitableError, match=r"6 people\) must be at least as large as the table \(7"):
        kc.risks(ARX, population=6)
    with pytest.raises(kc.OptionError, match="value of their own"):
        kc.risks(ARX, missing="?")
    with pytest.raises(kc.OptionError):
        kc.risks(ARX, population=-1)
    frame = pd.DataFrame({"customer": [7, 7, 7, 8], "age": [30, 30, 30, 41]})
    with pytest.raises(kc.UnsuitableError, match="undecided"):
        kc.risks(kc.Table.from_frame(frame))


def test_progress_is_told_and_stops_it():
    seen = []
    kc.risks(ARX, release_of(ARX, ARX_GROUPS, k=2), progress=lambda share, note: seen.append(share))
    shares = [share for share in seen if share is not None]
    assert len(shares) > 4 and shares == sorted(shares) and shares[-1] <= 1
    assert silent(0.5) is None

    def stop(share, note=""):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        kc.risks(ARX, progress=stop)


def test_every_attacker_is_declared_once_in_the_order_of_what_is_known():
    below = {*kc.Attacker.__subclasses__(), *kc.Journalist.__subclasses__()}
    assert below == set(ATTACKERS)
    known = ["Prosecutor", "Journalist", "Marketer", "FewItems", "Everybody"]
    assert [cls.__name__ for cls in ATTACKERS] == known
    for cls in (*ATTACKERS, kc.Population):
        for option in options_of(cls):
            for value in option.kind.illegal():
                with pytest.raises(kc.OptionError):
                    cls(**{option.name: value})
        assert from_json(to_json(cls())) == cls()
    assert all(
        cls.title and cls.sentence.endswith(".") and cls.example.endswith((".", "”")) for cls in ATTACKERS
    )

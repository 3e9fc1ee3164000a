"""The charts of purchase histories: people in groups, values, balance, attacks."""

from __future__ import annotations

import json
from math import comb

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.charts.canvas.theme import picked_number
from kanon_core.charts.curves.histories import (
    Balance,
    attack_figure,
    attack_sentence,
    balance_figure,
    balance_sentences,
    exactly_unsafe,
)
from kanon_core.charts.groups.history_views import (
    ROWS_AT_MOST,
    HistoryView,
    Lengths,
    lengths_figure,
    lengths_sentence,
    many_people,
    people_figure,
    people_sentence,
    person_sentence,
)
from kanon_core.charts.table.valuebars import value_figure, values_of, values_sentence
from kanon_core.risk.attacks import BestGuess
from kanon_core.risk.reidentification import Reidentification, reidentify
from tests.charts.purchasetables import EVIL, odd, person_table, purchases

K = 3


@pytest.fixture(scope="module")
def view() -> HistoryView:
    return HistoryView.of(kc.anonymize(purchases(), kc.PurchaseHistories(), K))


def points_of(figure, name: str) -> list[list[float]]:
    """The corners of each bar of the trace with that name: x of its ends and its row."""
    trace = next(trace for trace in figure.data if trace.name == name)
    x, y = np.array(trace.x, float).reshape(-1, 5), np.array(trace.y, float).reshape(-1, 5)
    return [[a[0], a[1], (b[1] + b[2]) / 2] for a, b in zip(x, y, strict=True)]


def test_the_view_is_what_a_loop_over_the_release_finds(view):
    release, persons = view.release, view.persons
    for person in range(len(persons)):
        rows = [i for i in range(len(release)) if persons.numbers[i] == person]
        assert view.counts[person] == len(rows)
        assert view.kept[person] == sum(not release.suppressed[i] for i in rows)
        group = {
            persons.numbers[j]
            for i in rows
            if not release.suppressed[i]
            for j in release.cover.members(release.row[i])
        }
        if group:
            assert set(np.flatnonzero(view.block == view.block[person])) == group
            assert view.kept[person] == min(view.counts[other] for other in group)
        else:
            assert view.block[person] == -1
    assert sorted(view.order) == list(range(len(persons)))
    ordered = view.block[view.order]
    assert (np.diff(ordered[ordered >= 0]) >= 0).all() and (ordered[-2:] == -1).all()


def test_records_of_a_person_come_published_first(view):
    person = int(np.argmax(view.counts - view.kept))
    rows = view.records(person)
    gone = view.release.suppressed[rows]
    assert len(rows) == view.counts[person] and gone.sum() > 0 and (np.diff(gone.astype(int)) >= 0).all()
    assert set(view.persons.numbers[rows]) == {person}


def test_bars_are_what_is_published_and_what_is_left_out(view):
    figure = people_figure(view, person=4)
    published = points_of(figure, "published") + points_of(figure, "")
    ends = {round(row): end for _, end, row in published}
    for place, person in enumerate(view.order, start=1):
        assert ends.get(place, 0) == view.kept[person]
    left = {round(row): (start, end) for start, end, row in points_of(figure, "suppressed")}
    for place, person in enumerate(view.order, start=1):
        assert (place in left) == (view.counts[person] > view.kept[person])
        if place in left and view.kept[person]:
            assert left[place] == (view.kept[person], view.counts[person])
    assert figure.data[4].y == (view.place[4] + 1,)
    part = people_figure(view, (5, 10))
    rows = points_of(part, "published") + points_of(part, "")
    assert {round(row) for *_, row in rows} <= set(range(6, 11)) and not part.data[4].x
    with pytest.raises(kc.OptionError, match="places"):
        people_figure(view, (0, 21))


@pytest.fixture(scope="module")
def many() -> HistoryView:
    """Eighty people with 1 to 80 records each."""
    frame = purchases(80, 2).frame.drop_duplicates("customer").reset_index(drop=True)
    table = person_table(frame.loc[frame.index.repeat(range(1, len(frame) + 1))].reset_index(drop=True))
    return HistoryView.of(kc.anonymize(table, kc.PurchaseHistories(), K))


def test_many_people_are_drawn_by_the_length_of_their_histories(many):
    """The bins, found by a loop over the people."""
    assert len(many.counts) > ROWS_AT_MOST
    figure, says = many_people(many)
    published, left = figure.data
    ends = [2**i for i in range(8)]
    bins = {}
    for person, count in enumerate(many.counts.tolist()):
        bins.setdefault(next(end for end in ends if count <= end), []).append(person)
    found = Lengths.of(many)
    assert found.high.tolist() == sorted(bins, reverse=True)
    assert found.low.tolist() == [end // 2 + 1 for end in found.high.tolist()]
    for row, end in enumerate(found.high.tolist()):
        own, kept = (int(array[bins[end]].sum()) for array in (many.counts, many.kept))
        assert found.people[row] == len(bins[end]) and published.x[row] == pytest.approx(kept / own)
        assert published.x[row] + left.x[row] == pytest.approx(1)
        assert published.customdata[row].tolist()[1:] == [len(bins[end]), own, kept, own - kept]
        person = published.customdata[row][0] - 1
        lost = many.counts - many.kept
        assert person in bins[end] and lost[person] == lost[bins[end]].max()
    total = int((many.counts - many.kept).sum())
    worst = max(range(len(found.high)), key=lambda row: found.lost[row])
    assert total and says.startswith("Histories of length ")
    assert f" length {found.names[worst]} (" in says
    assert f" lose {found.lost[worst]:,} of the {total:,} records suppressed, " in says
    assert figure.layout.meta["alt"] == says


def test_few_people_are_rows_and_short_histories_have_fine_bins(view):
    figure, says = many_people(view)
    assert says == people_sentence(view) and figure.data[0].name == "published"
    assert figure.layout.yaxis.title.text == "People, by group"
    most = int(view.counts.max())
    assert most <= 32  # at most six octaves: 3, 6, 12 … are ends too
    assert set(Lengths.of(view).high.tolist()) <= {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}
    assert Lengths.of(view).people.sum() == len(view.counts)


def test_where_nothing_is_left_out_this_is_said():
    frame = purchases(9, 2).frame.drop_duplicates("customer").reset_index(drop=True)
    view = HistoryView.of(kc.anonymize(person_table(frame), kc.PurchaseHistories(), 3))
    assert lengths_sentence(view) == "No record is suppressed."
    assert Lengths.of(view).names == ["1"] and lengths_figure(view).data[0].x == (1.0,)


def test_a_click_gives_the_person(view):
    figure = people_figure(view, theme="dark")
    picks = next(trace for trace in figure.data if trace.customdata is not None)
    assert sorted(int(facts[0]) for facts in picks.customdata) == list(range(1, 21))
    assert picked_number({"selection": {"points": [{"customdata": [7, 1, 2, 2, 1]}]}}) == 6
    assert picked_number(None) is None and picked_number({"selection": {"points": []}}) is None


def test_the_sentence_counts_people_and_records(view):
    text = people_sentence(view)
    lost = int((view.counts - view.kept)[view.block >= 0].sum())
    assert text.startswith("18 people in 6 groups of 3. ") and f" {lost:,} of 125 records" in f" {text}"
    assert "2 people are suppressed entirely, with 2 records." in text
    one = person_sentence(view, int(view.order[0]))
    assert one.startswith("Person 1 has ") and "2 other people have the same published history" in one
    assert "; all of them are suppressed." in person_sentence(view, int(view.order[-1]))


def test_records_of_nobody_are_told():
    view = HistoryView.of(kc.anonymize(odd()["nobody named"], kc.PurchaseHistories(), 2))
    assert (
        "Also suppressed, because the person is missing: 2 records." in people_sentence(view)
        and view.counts.sum() == 4
    )


def test_people_may_have_several_pseudonyms():
    frame = purchases(12, 3).frame
    many = frame.loc[frame.index.repeat(np.where(frame["customer"].isin(["c000", "c001"]), 12, 1))]
    release = kc.anonymize(person_table(many.reset_index(drop=True)), kc.PurchaseHistories("similar"), 2)
    view = HistoryView.of(release)
    assert view.several and f"{len(release.bearers):,} pseudonyms" in people_sentence(view)
    person = int(np.argmax(np.bincount(release.bearers.owner)))
    assert "pseudonyms that nothing links" in person_sentence(view, person)
    assert view.kept.sum() == (~release.suppressed).sum()
    people_figure(view)


def test_a_release_of_records_has_no_histories():
    table = kc.Table.from_frame(purchases().frame[["price", "quantity"]])
    with pytest.raises(kc.UnsuitableError, match="not people"):
        HistoryView.of(kc.anonymize(table, kc.MDAV(), 3))


@pytest.mark.deep
def test_odd_tables_are_drawn():
    for name in odd():
        release = kc.anonymize(odd()[name], kc.PurchaseHistories(), 2)
        view = HistoryView.of(release)
        figures = [people_figure(view, person=0), value_figure(values_of(release, "goods"))]
        for figure in figures:
            assert EVIL not in json.dumps(figure.to_plotly_json(), default=str)[:200_000].replace(
                json.dumps(figure.layout.meta["alt"]), ""
            )
        assert people_sentence(view) and all(
            person_sentence(view, person) for person in range(len(view.counts))
        )


def test_values_are_counted_alone_and_in_sets():
    frame = purchases(2).frame.head(4).assign(customer=list("aabb"), goods=list("xyxz"))
    frame = frame.assign(price=[9.0, 1.0, 9.0, 1.0])
    table = person_table(frame)
    values = values_of(kc.anonymize(table, kc.PurchaseHistories(), 2), "goods")
    assert values.labels == ("x", "y", "z") and values.records.tolist() == [2, 1, 1]
    assert values.published.tolist() == [2, 1, 1] and values.alone.tolist() == [2, 0, 0]
    assert "3 values of “goods”; the most frequent is “x” (50.0 % of the records). 50.0 %" in values_sentence(
        values
    )
    figure = value_figure(values, 2)
    assert [list(trace.x) for trace in figure.data] == [[2, 0], [0, 1], [0, 0]]
    with pytest.raises(kc.UnsuitableError, match="not categorical"):
        values_of(kc.anonymize(table, kc.PurchaseHistories(), 2), "price")


def test_an_empty_text_is_no_missing_value():
    frame = (
        purchases(2)
        .frame.head(6)
        .assign(customer=list("aabbcc"), goods=["", "x", None, "x", "", "(missing)"])
    )
    table = person_table(frame)
    values = values_of(kc.anonymize(table, kc.PurchaseHistories(), 2), "goods")
    assert values.labels == ('""', "x", '"(missing)"', "(missing)") and values.records.tolist() == [
        2,
        2,
        1,
        1,
    ]


PAPER = {2: 0.348, 3: 0.472, 4: 0.542, 5: 0.583, 6: 0.615, 7: 0.641, 8: 0.680, 10: 0.718}


def curve(name: str = "paper", less: float = 0.0) -> Balance:
    ks = np.array(list(PAPER))
    return Balance(name, ks, np.array(list(PAPER.values())) - less, 1 / ks)


def test_the_best_k_is_that_of_table_9():
    paper = curve()
    assert (
        paper.ks[paper.best(1.0)] == 6 and paper.ks[paper.best(0.0)] == 2 and paper.ks[paper.best(5.0)] == 10
    )
    figure = balance_figure([paper], 1.0, 5)
    star = next(trace for trace in figure.data if trace.marker.symbol == "star")
    assert star.x == (6,) and star.y[0] == pytest.approx(0.615 + 1 / 6)
    assert {trace.name for trace in figure.data} >= {"utility", "safety", "total"}
    assert balance_sentences([paper])[0].startswith(
        "paper: the best k is 6. Utility 0.615 + safety 0.167 = 0.782"
    )
    # 0.718 + 2 / 10 is less than 0.680 + 2 / 8 and 0.641 + 2 / 7.
    assert balance_sentences([paper], 2.0)[0].startswith(
        "paper: the best k is 10. Utility 0.718 + safety 2 × 0.100 = 0.918"
    )


def test_two_curves_share_their_safety_and_are_compared():
    figure = balance_figure([curve(), curve("categories <b>", 0.024)])
    names = [trace.name for trace in figure.data if trace.name]
    assert names.count("safety") == 1 and "total, categories &lt;b&gt;" in names
    assert "categories loses 0.024 less than paper at every k shown." in balance_sentences(
        [curve(), curve("categories", 0.024)]
    )
    assert (
        balance_sentences([curve(), curve("worse", -0.01)])[-1]
        == "worse loses at least as much as paper at every k shown."
    )


def test_no_points_are_no_curve():
    empty = Balance.of("none", [])
    assert empty.best(1.0) is None and balance_sentences([empty]) == []
    assert not balance_figure([empty]).layout.annotations


def test_attacks_are_drawn_with_both_limits(view):
    found = {
        k: reidentify(purchases(), kc.anonymize(purchases(), kc.PurchaseHistories(), k), BestGuess())
        for k in (2, 3)
    }
    figure = attack_figure(found, 2)
    marks = next(trace for trace in figure.data if trace.mode == "markers")
    assert list(marks.y) == [found[k].identified / found[k].tried for k in (2, 3)]
    assert list(marks.error_y.array) == pytest.approx([found[k].high - found[k].share for k in (2, 3)])
    contest = next(trace for trace in figure.data if trace.name == "unsafe by the contest's rule")
    assert list(contest.y) == [found[k].contest_limit / found[k].tried for k in (2, 3)]
    assert attack_sentence(found).startswith("Bayesian best guess identifies ")


def test_verdicts_by_both_rules():
    def result(identified: int) -> Reidentification:
        return Reidentification(BestGuess(), 19, identified, 19, 0.0, 1.0, 15, 14)

    tail = sum(comb(19, i) * 2 ** (19 - i) for i in range(14, 20)) / 3**19
    assert tail < 1 / 2000
    assert not exactly_unsafe(result(13)) and exactly_unsafe(result(14)) and not result(14).unsafe
    text = attack_sentence({2: result(15), 3: result(14), 4: result(1)})
    assert "Unsafe by the contest's rule: k = 2." in text
    assert "Unsafe by the exact binomial rule: k = 2, 3." in text
    assert attack_sentence({}) == "No attack has run yet."
    few = Reidentification(BestGuess(), 3, 3, 3, 0.3, 1.0, 4, 4)
    limits = next(t for t in attack_figure({2: few}).data if t.name == "unsafe by the contest's rule")
    assert np.isnan(limits.y[0])

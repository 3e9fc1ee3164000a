"""The view Item sets without a browser: every state and view, odd tables, text from data, very long sets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.beforeafter import cells_of
from tests.app import screens
from tests.app.screens import charts, control, words
from tests.charts.itemtables import EVIL, ODD, item_table, paper
from tests.helpers import release_of

VIEWS = ("Items", "Before and after", "Groups", "Pairs", "Step by step", "Lattice")


def session_of(table: kc.Table, k: int = 2, algorithm: kc.Algorithm | None = None) -> Session:
    return Session(table, "things", "upload:1", Setting(algorithm or kc.TopDown(), k))


def opened(session: Session, view: str = VIEWS[0], page: str = "clusters/sets", **state: object) -> AppTest:
    return screens.opened(page, session, sets_view=view, **state)


def people() -> kc.Table:
    return kc.Table.from_frame(pd.DataFrame({"age": [20, 21, 40, 41, 60, 61], "sex": list("fmfmfm")}))


@pytest.mark.parametrize(("key", "records", "k"), [("load receipts", 10_000, 10), ("load example", 9, 2)])
def test_a_table_without_item_sets_leads_to_a_sample(key, records, k):
    test = opened(session_of(people(), 2, kc.MDAV()))
    assert "No quasi-identifier of this table contains item sets" in words(test) and not charts(test)
    test.button(key=key).click().run()
    session = test.session_state["kanon"]
    assert len(session.table) == records and session.setting == Setting(kc.TopDown(), k)
    assert "are suppressed (" in words(test) and len(charts(test)) == 1


def test_the_audit_of_item_sets_tells_what_somebody_finds_who_knows_a_few_items():
    shown = words(opened(session_of(paper()), page="tune", audit=True))
    assert (
        "<b>kᵐ-anonymity</b>: Any 3 published items of a record occur together in at least 2 published"
        " records." in shown
    )
    assert "kᵐ-anonymity" not in words(opened(session_of(people(), 2, kc.MDAV()), page="tune", audit=True))


def test_item_sets_without_the_role_are_named():
    table = ODD["beside others"]
    table = table.with_schema(table.schema.with_roles({"things": "other"}))
    test = opened(session_of(table, 2, kc.MDAV()))
    assert "Column things contains item sets" in words(test) and len(test.get("page_link")) == 1


def test_an_algorithm_that_takes_no_sets_leads_to_one_that_does():
    test = opened(session_of(ODD["beside others"], 2, kc.MDAV()))
    assert "MDAV cannot group item sets" in words(test) and not charts(test)
    test.button(key="open top-down").click().run()
    assert test.session_state["kanon"].setting == Setting(kc.TopDown(), 2)
    assert len(charts(test)) == 1


def test_k_beyond_the_table_is_told():
    test = opened(session_of(paper(), 10))
    assert "only 9 records, fewer than k" in test.warning[0].value.replace("\\", "")
    test = opened(session_of(ODD["beside others"], 10, kc.MDAV()))
    assert "Not for this table: " in words(test) and not [b for b in test.button if b.key == "open top-down"]


def test_without_a_quasi_identifier_it_says_what_to_do():
    table = paper()
    test = opened(session_of(table.with_schema(table.schema.with_roles({"things": "other"}))))
    assert "No column is a quasi-identifier" in test.info[0].value


@pytest.mark.deep
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("odd", ODD)
def test_every_view_of_odd_tables(odd, view):
    test = opened(session_of(ODD[odd]), view)
    text = words(test) + " ".join(charts(test))
    assert "2 requested" in text
    assert "<img" not in text and "<b>c</b>" not in text
    bodies = [block.proto.body for block in test.get("html")]
    sent = max(len(body) for body in bodies if not body.startswith("<style>"))
    assert sent < 20_000, "no cell holds a set of thousands"


def test_figure_6_grows_with_the_slider():
    test = opened(session_of(paper()), "Step by step")
    assert control(test.slider, "step").value == 3
    text = words(test)
    assert "1 · a" in text and "3 · d" in text and '<td class="changed">a, f, g</td>' in text
    control(test.slider, "step").set_value(1).run()
    assert "</b> the group of records 1–9 is split by item a: 4 records with it, 5 without." in words(test)
    assert "2 · e" not in words(test)
    test.button(key="step on").click().run()
    assert control(test.slider, "step").value == 2 and "split by item e" in words(test)
    test.button(key="step back").click().run()
    test.button(key="step back").click().run()
    assert test.button(key="step back").disabled and "At the start, all" in words(test)


SHOP = kc.Hierarchy.of_paths(
    [("beer", "<i>alcohol</i>"), ("wine", "<i>alcohol</i>"), ("milk", "food"), ("bread", "food"), ("nails",)]
)


def shop() -> kc.Table:
    """Eight baskets whose items few share; of groups of items, one with a name that is HTML, more do."""
    sets = [
        ["beer", "nails"],
        ["wine"],
        ["beer", "milk"],
        ["bread"],
        ["milk"],
        ["nails"],
        ["nails"],
        ["bread"],
    ]
    table = item_table(sets)
    return table.with_schema(table.schema.with_hierarchies({"things": SHOP}))


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_tells_items_published_as_a_group(view):
    test = opened(session_of(shop()), view)
    text = words(test) + " ".join(charts(test))
    assert "published as a group (" in text and "<i>" not in words(test)
    tells = {
        "Items": '"as a group"',
        "Before and after": "one or more of its items",
        "Groups": "alcohol",
        "Pairs": "occurrences",
        "Step by step": "1 · food",
        "Lattice": "alcohol",
    }
    assert tells[view] in text


def test_before_and_after_strike_out_only_what_no_group_tells():
    table = shop()
    release = release_of(table, [0, 0, 1, 1, 1, 2, 2, 2])
    sides = cells_of(table["things"], release, np.arange(8))
    alcohol = "{&lt;i&gt;alcohol&lt;/i&gt;}"
    assert sides.after == [
        f"{alcohol} <s>nails</s>",
        alcohol,
        "{food} <s>beer</s>",
        "{food}",
        "{food}",
        "{} <s>nails</s>",
        "{} <s>nails</s>",
        "{} <s>bread</s>",
    ]
    assert sides.before[:2] == ["{beer, nails}", "{wine}"] and sides.changed.all()
    alike = release_of(table, [0, -1, 1, 2, 1, 3, 3, 2])
    assert (
        cells_of(table["things"], alike, np.arange(8)).changed.tolist() == [False, True, True] + [False] * 5
    )


def test_the_cuts_are_those_of_the_run_itself_where_they_are_looked_at(monkeypatch):
    runs, cover = [], kc.TopDown.cover

    def counted(self, table, k, run):
        if len(table) == 200:  # not the tiny tables of the warm-up
            runs.append(run.log is not None)
        return cover(self, table, k, run)

    monkeypatch.setattr(kc.TopDown, "cover", counted)
    rng = np.random.default_rng(3)
    table = item_table([[i for i in "abcdefgh" if rng.random() < 0.4] for _ in range(200)])
    for algorithm in (kc.TopDown(), kc.RefineSets(steps=1)):
        runs.clear()
        test = opened(session_of(table, 3, algorithm), "Step by step")
        at_once = words(test)
        assert runs == [True] and "cuts of this round" in at_once
        later = opened(session_of(table, 3, algorithm))
        assert runs == [True, False]
        later.session_state["sets view"] = "Step by step"
        assert words(later.run()) == at_once and runs == [True, False, True]


def test_the_cuts_that_refine_starts_from_are_replayed():
    test = opened(session_of(paper(), 2, kc.RefineSets(steps=1)), "Step by step")
    assert "Refine for sets starts with these cuts" in words(test) and "3 · d" in words(test)
    test = opened(session_of(paper()), "Step by step")
    assert "starts with" not in words(test)


def test_of_many_records_the_steps_are_rounds():
    rng = np.random.default_rng(3)
    sets = [[i for i in "abcdefgh" if rng.random() < 0.4] for _ in range(200)]
    test = opened(session_of(item_table(sets, age=rng.integers(0, 90, 200).tolist()), 3), "Step by step")
    assert control(test.slider, "step").label.startswith("Round") and control(test.slider, "step").value == 1
    assert "All cuts of this round" in words(test)
    control(test.slider, "step").set_value(5).run()
    assert "groups are split by " in words(test)
    test.slider(key="k").set_value(40).run()
    assert control(test.slider, "step").value <= control(test.slider, "step").max


def test_items_are_searched_and_ordered():
    test = opened(session_of(paper()))
    test.text_input(key="items with").set_value("f").run()
    assert len(charts(test)) == 1
    test.text_input(key="items with").set_value("nothing").run()
    assert not charts(test) and "No item name contains this text." in words(test)


def test_groups_are_paged():
    sets = [[f"i{n // 2}"] for n in range(120)]
    test = opened(session_of(item_table(sets)), "Groups")
    assert "Groups 1 to 25 of 60." in words(test)
    test.number_input(key="page of groups").set_value(3).run()
    assert "Groups 51 to 60 of 60." in words(test)
    test.slider(key="k").set_value(30).run()
    assert "Groups 1 to " in words(test)


def test_the_lattice_takes_other_items():
    test = opened(session_of(paper()), "Lattice")
    assert "of the 31 sets" in words(test)
    test.multiselect[0].set_value(test.multiselect[0].value[:2]).run()
    assert "of the 3 sets" in words(test)
    test.multiselect[0].set_value([]).run()
    assert "Choose at least one item." in words(test)


def test_one_of_several_columns_is_chosen():
    frame = pd.DataFrame({"drugs": [["a"], ["a"], ["b"], ["b"]], "ills": [["x"], ["x"], ["y"], ["z"]]})
    schema = kc.Schema.infer(pd.DataFrame({"drugs": ["x"], "ills": ["x"]}))
    schema = schema.with_kinds(dict.fromkeys(frame, "items")).with_roles(
        dict.fromkeys(frame, "quasi_identifier")
    )
    test = opened(session_of(kc.Table.from_frame(frame, schema)))
    assert "0 of the 4 items in “drugs”" in words(test).replace("<b>", "").replace("</b>", "")
    next(box for box in test.selectbox if box.label == "Item sets of column").set_value("ills").run()
    assert "2 of the 4 items in “ills”" in words(test).replace("<b>", "").replace("</b>", "")


def test_suppressed_items_are_struck_out_and_markup_is_ours_alone():
    table = paper()
    sides = cells_of(table["things"], kc.anonymize(table, kc.TopDown(), 2), np.arange(9))
    assert sides.before[2] == "{a, d, f, y, z}" and sides.after[2] == "{a, d} <s>f, y, z</s>"
    assert sides.after[1] == "{a, f, g}"
    assert sides.changed.tolist() == [True, False, True, True, True, True, False, False, True]
    evil = ODD["HTML in items"]
    sides = cells_of(evil["things"], kc.anonymize(evil, kc.TopDown(), 2), np.arange(5))
    text = " ".join([*sides.before, *sides.after])
    assert "&lt;img" in text and "<img" not in text and "<b>" not in text
    assert text.replace("<s>", "").replace("</s>", "").count("<") == 0 and EVIL not in text


def test_a_very_long_set_is_cut():
    table = ODD["one large set"]
    sides = cells_of(table["things"], kc.anonymize(table, kc.TopDown(), 2), np.arange(4))
    assert sides.before[0].endswith("i00011, … and 9,988 more}")
    assert sides.after[0].startswith("{i00000, i00001} <s>i00002, ") and sides.after[0].endswith(
        "… and 9,986 more</s>"
    )
    assert max(map(len, [*sides.before, *sides.after])) < 200


def test_suppressed_records_and_long_texts():
    table = item_table([["a"], ["a"], ["a"], ["a"], ["b"]], note=["x" * 500] * 5)
    release = kc.anonymize(table, kc.TopDown(max_suppressed=0.3), 2)
    assert cells_of(table["things"], release, np.arange(5)).after[4] == "* <s>b</s>"
    notes = cells_of(table["note"], release, np.arange(5))
    assert notes.before[0] == "x" * 199 + "…" and notes.changed.tolist() == [False] * 4 + [True]


@pytest.mark.parametrize("page", ["tune", "clusters", "curves", "release", "data"])
def test_other_pages_with_item_sets(page):
    test = opened(session_of(ODD["HTML in items"]), page=page)
    assert "<img" not in words(test)


def test_metrics_that_a_table_cannot_have_are_not_offered():
    of_sets, of_people = session_of(paper()), session_of(people(), 2, kc.MDAV())
    assert kc.SuppressedItems in of_sets.metrics and kc.SuppressedItems not in of_people.metrics
    test = opened(of_sets, page="curves")
    assert "Suppressed items" in test.selectbox(key="up").options
    test.selectbox(key="up").set_value("SuppressedItems").run()
    assert test.selectbox(key="up").value == "SuppressedItems"
    test.session_state["kanon"] = of_people
    test.run()
    assert not test.exception
    assert test.selectbox(key="up").value == "ILSSDM"
    assert "Suppressed items" not in [
        *test.selectbox(key="up").options,
        *test.selectbox(key="across").options,
    ]


def test_suppressed_items_against_k(aside):
    test = opened(session_of(paper()), page="curves")
    test.button_group(key="compared").set_value(["Top-down"]).run()
    test.selectbox(key="up").set_value("SuppressedItems")
    test.slider(key="k range").set_value((2, 4)).run()
    aside.work()
    test.run()
    points = test.session_state["kanon"].points.values()
    found = {point.k: point.scores["SuppressedItems"] for point in points if point.algorithm == kc.TopDown()}
    assert found[2] == pytest.approx(8 / 28) and set(found) == {2, 3, 4} and found[4] >= found[2]
    assert "Suppressed items" in charts(test)[0]


def few_known(page: str = "clusters/sets", view: str = VIEWS[0], m: int = 2, **state: object) -> AppTest:
    table = ODD["beside others"] if page == "clusters" else paper()
    return opened(session_of(table, 2, kc.TopDown(known_items=m)), view, page, **state)


def test_what_somebody_may_know_is_chosen_on_the_page():
    test = opened(session_of(paper()))
    assert "Even an attacker who knows every item of a person finds at least k" in words(test)
    test.segmented_control(key="known items").set_value(2).run()
    assert test.session_state["kanon"].setting.algorithm == kc.TopDown(known_items=2)
    shown = words(test)
    assert "no attacker knows more than 2 items of a person" in shown and "for up to 2 known items" in shown
    assert (
        test.slider(key="k").label
        == "k: an attacker who knows up to 2 items of a person finds at least k records or none"
    )


@pytest.mark.parametrize("view", VIEWS)
def test_views_of_sets_with_few_items_known(view):
    shown = words(few_known(view=view))
    told = {
        "Groups": "different rows publish",
        "Step by step": "There are no steps or pivots to show",
        "Lattice": "There are no steps or pivots to show",
    }
    assert told.get(view, "are suppressed (") in shown and "can tell" in shown


def test_every_figure_of_few_known_items_says_for_whom_it_is():
    explore = words(few_known("tune", audit=True))
    assert "An attacker who knows the single values and up to 2 items of a person finds at least" in explore
    assert "attacker who knows every item of a person can tell" in explore
    assert "anonymity set of every published record has at least" not in explore
    assert (
        "Worst risk, all items known" in explore
        and "(k, kᵐ)-anonymity with k = 2 and m = 2</b> holds" in explore
    )
    assert "<b>(k, kᵐ)-anonymity</b>: " in explore and "✗" not in explore
    clusters = words(few_known("clusters"))
    assert (
        "For an attacker who knows every item of a person" in clusters
        and "Their published quasi-identifiers do not tell them apart" not in clusters
    )
    export = few_known("release")
    assert "known_items" in export.code[0].value
    assert "no attacker knows more than 2 items of a person" in export.warning[0].value
    assert "can tell" in export.warning[0].value
    assert not opened(session_of(paper()), page="release").warning


def test_groups_with_items_of_their_own_are_not_said_to_hide_all_behind_all():
    test = opened(session_of(ODD["beside others"], 2, kc.TopDown(known_items=2)), page="clusters/matchings")
    assert "and their own items" in words(test) and "each record hides among the records" not in words(test)


def test_group_by_group_shows_the_records_of_a_group_together():
    from pages.widgets.beforeafter import _rows

    session = session_of(ODD["beside others"], 2, kc.TopDown(known_items=2))
    rng = np.random.default_rng(0)
    session.table = item_table(
        [list(rng.choice(list("abc"), 2, replace=False)) for _ in range(20)],
        age=rng.integers(1, 9, 20).tolist(),
    )
    release = kc.anonymize(session.table, kc.TopDown(known_items=1), 3)
    groups = release.groups[_rows(session, release, "groups", 20)]
    assert len(release.cover.sizes) > 1 and np.count_nonzero(np.diff(groups)) == len(release.cover.sizes) - 1


def test_what_knowledge_costs():
    test = few_known()
    test.session_state["knowledge"] = True
    shown = words(test.run())
    assert (
        shown.count(" known</span>") == 4
        and "all items known" in shown
        and "Suppressed items at k = 2" in shown
    )

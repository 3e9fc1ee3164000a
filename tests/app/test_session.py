"""Results that a session keeps under the table's full content and the whole setting, so that none is given
out for another table or setting."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.metrics import ILD, NCP
from kanon_core.release.release import size_of
from pages.state import cache_eviction
from pages.state.session import Session
from pages.state.setting import Setting

FRAME = pd.DataFrame({"age": [20.0, 21, 40, 41, 60, 61], "city": list("aabbcc")})
HERE = Setting(kc.VMDAV(0.2), 2, 0)
OTHERS = {
    "another algorithm": Setting(kc.MDAV(), 2, 0),
    "another option": Setting(kc.VMDAV(0.3), 2, 0),
    "another k": Setting(kc.VMDAV(0.2), 3, 0),
    "another seed": Setting(kc.VMDAV(0.2), 2, 1),
}


def table_of(frame: pd.DataFrame) -> kc.Table:
    schema = kc.Schema.infer(frame).with_kinds({"age": "numeric", "city": "categorical"})
    return kc.Table.from_frame(frame, schema.with_quasi(["age", "city"]))


def with_one_other_cell(table: kc.Table) -> kc.Table:
    """One record's age differs by the last bit."""
    return table_of(FRAME.assign(age=[20.000000000000004, *FRAME["age"][1:]]))


TABLES = {
    "one other cell": with_one_other_cell,
    "another order": lambda table: table_of(FRAME.iloc[::-1].reset_index(drop=True)),
    "another role": lambda table: table.with_schema(table.schema.with_quasi(["age"])),
    "another weight": lambda table: table.with_schema(table.schema.with_weights({"age": 2})),
    "another recoding": lambda table: table.with_schema(table.schema.with_recodings({"age": "mean"})),
}


def filled() -> Session:
    """Everything that is kept is there for the table and its setting."""
    table = table_of(FRAME)
    session = Session(table, "people", "upload:1", HERE)
    release = kc.anonymize(table, HERE.algorithm, HERE.k, HERE.seed)
    session.keep(HERE, release)
    session.measured(HERE, release, NCP)
    session.verdicts(HERE, release)
    session.picture(("look",), lambda: "mine")
    return session


@pytest.fixture
def session() -> Session:
    return filled()


def test_what_was_computed_is_not_computed_again(session, monkeypatch):
    release = session.kept(HERE)
    assert release is not None and session.known(HERE, NCP) is session.measured(HERE, release, NCP)
    monkeypatch.setattr(kc, "audit", None)
    assert all(verdict.holds for verdict in session.verdicts(HERE, release))
    assert session.picture(("look",), lambda: "new") == "mine"
    assert session.picture(("other look",), lambda: "new") == "new"


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_no_result_is_that_of_another_setting(session, other):
    assert session.kept(other) is None and session.known(other, NCP) is None
    release = kc.anonymize(session.table, other.algorithm, other.k, other.seed)
    before = session.verdicts(HERE, session.kept(HERE))
    assert session.verdicts(other, release) is not before
    session.setting = other
    assert session.picture(("look",), lambda: "new") == "new"


@pytest.mark.parametrize("change", TABLES.values(), ids=TABLES)
def test_no_result_is_that_of_another_table(session, change):
    """Even where nothing was forgotten in between."""
    before = session.verdicts(HERE, session.kept(HERE))
    session.table = change(session.table)
    assert session.kept(HERE) is None and session.known(HERE, NCP) is None
    release = kc.anonymize(session.table, HERE.algorithm, HERE.k, HERE.seed)
    assert session.verdicts(HERE, release) is not before
    assert session.picture(("look",), lambda: "new") == "new"


@pytest.mark.parametrize("change", TABLES.values(), ids=TABLES)
def test_another_table_or_schema_leaves_nothing_behind(change):
    loaded, changed = filled(), filled()
    other = change(loaded.table)
    loaded.load(other, "others", "upload:2")
    changed.change_schema(other.schema)
    for session in (loaded, changed):
        assert not (session.releases or session.scores or session.audits or session.pictures)


def test_a_measure_is_kept_under_its_options(session):
    release = session.kept(HERE)
    by_amount = session.measured(HERE, release, ILD())
    by_schema = session.measured(HERE, release, ILD("schema", power=1))
    assert (
        session.known(HERE, ILD()) is by_amount and session.known(HERE, ILD("schema", power=1)) is by_schema
    )
    assert session.known(HERE, ILD("schema")) is None
    session.ways["ILD"] = ILD("schema", power=1)
    assert session.known(HERE, ILD) is by_schema


def test_the_releases_used_longest_ago_make_room_and_take_their_numbers_along(session, monkeypatch):
    monkeypatch.setattr(cache_eviction, "KEPT_BYTES", 2 * size_of(session.kept(HERE)))
    others = list(OTHERS.values())[:2]
    for other in others:
        session.kept(HERE)  # which makes it the one used last
        release = kc.anonymize(session.table, other.algorithm, other.k, other.seed)
        session.keep(other, release)
        session.measured(other, release, NCP)
    assert session.kept(others[0]) is None and session.known(others[0], NCP) is None
    assert session.kept(HERE) is not None and session.known(HERE, NCP) is not None
    assert session.kept(others[1]) is not None


def test_the_release_on_screen_and_the_one_before_stay_however_large_they_are(session, monkeypatch):
    monkeypatch.setattr(cache_eviction, "KEPT_BYTES", 0)
    settings = [replace(HERE, seed=seed) for seed in range(1, 5)]
    release = session.kept(HERE)
    for setting in settings:
        session.keep(setting, release)
    assert [session.kept(setting) is not None for setting in settings] == [False, False, True, True]


def test_of_a_large_table_what_is_not_on_screen_rests(session, monkeypatch):
    monkeypatch.setattr(cache_eviction, "LARGE_TABLE", 3)
    release, sizes = session.kept(HERE), []
    session.show(HERE, release)
    classes, lost = release.classes.tolist(), session.by_record(NCP).records
    other = replace(HERE, k=4)
    session.keep(other, kc.anonymize(session.table, other.algorithm, other.k, other.seed))
    for setting in (other, HERE):
        sizes.append(size_of(release))
        session.show(setting, session.kept(setting))
        if setting == other:
            assert "classes" not in release.__dict__ and "order" not in release.cover.__dict__
            assert session.known(HERE, NCP).records is None and session.before == (HERE, release)
    assert sizes[1] < sizes[0] and session.known(HERE, NCP).total == pytest.approx(lost.mean())
    assert release.classes.tolist() == classes
    assert (session.by_record(NCP).records == lost).all() and session.by_record(NCP) is session.known(
        HERE, NCP
    )


def test_undo_after_a_stop_goes_behind_what_is_shown(session):
    session.show(HERE, session.kept(HERE))
    session.ask(k=3)
    shown = session.setting
    session.show(shown, kc.anonymize(session.table, shown.algorithm, shown.k, shown.seed))
    session.ask(k=4)
    session.ask(k=5)
    session.stop()
    assert session.setting == shown
    session.undo()
    assert session.setting == HERE and not session.history


def test_a_chosen_k_comes_back_when_the_table_allows_it_again(session):
    people = table_of(pd.concat([FRAME] * 20, ignore_index=True))
    two = table_of(FRAME[:2])
    session.load(people, "people", "upload:2")
    session.ask(k=30)
    for table, k in ((two, 2), (two, 2), (table_of(FRAME), 6), (people, 30)):
        session.load(table, "others", "upload:3")
        assert session.setting.k == k
    session.load(table_of(FRAME), "others", "upload:4")
    session.ask(k=3)
    session.load(people, "people", "upload:5")
    assert session.setting.k == 3


def test_a_chosen_algorithm_comes_back_when_it_suits_the_table_again(session):
    people, receipts = table_of(FRAME), kc.read_table("sample:receipts-10000")
    session.load(people, "people", "upload:2")
    session.ask(algorithm=kc.VMDAV(), k=2)
    for table, title in ((receipts, "TopDown"), (receipts, "TopDown"), (people, "VMDAV")):
        session.load(table, "others", "upload:3")
        assert type(session.setting.algorithm).__name__ == title
    session.load(receipts, "receipts", "upload:4")
    session.ask(algorithm=kc.RefineSets())
    session.load(people, "people", "upload:5")
    session.load(receipts, "receipts", "upload:6")
    assert isinstance(session.setting.algorithm, kc.RefineSets)


def test_a_tried_k_is_shown_and_forgotten_and_changes_are_those_since_the_chosen_one(session):
    chosen = session.setting
    release = kc.anonymize(session.table, chosen.algorithm, chosen.k, chosen.seed)
    session.keep(chosen, release)
    session.show(chosen, release)
    session.choose_group(1)
    with session.trying(chosen.k + 2):
        tried = session.setting
        assert (tried.k, session.settled) == (chosen.k + 2, False)
        other = kc.anonymize(session.table, tried.algorithm, tried.k, tried.seed)
        session.keep(tried, other)
        session.show(tried, other)
        assert session.before == (chosen, release) and session.group is None
    assert (session.setting, session.shown, session.before) == (chosen, (chosen, release), None)
    assert session.settled and session.group == 1 and not session.history
    assert session.kept(tried) is other


def test_a_run_that_is_given_up_while_a_k_is_tried_leaves_the_setting(session):
    chosen = session.setting
    with pytest.raises(KeyboardInterrupt), session.trying(chosen.k + 1):
        raise KeyboardInterrupt
    assert session.setting == chosen and session.settled
    with session.trying(chosen.k):
        assert session.settled

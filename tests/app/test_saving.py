"""A session saved on the Release page and opened on the Data page."""

from __future__ import annotations

from dataclasses import replace

import pytest

import kanon_core as kc
from kanon_core.report import release_bytes
from kanon_core.session import SessionFile, fitted, seal
from pages.state import session_file
from pages.state.comparisons import COMPARED_METHODS, without_categories
from pages.state.pins import pin, pinned
from pages.state.session import Session, Signing
from pages.state.setting import Setting
from tests.app.screens import address, opened, words

PASSPHRASE = "correct horse battery"
OWN = b"age,town\n" + b"".join(b"%d,town %d\n" % (20 + i % 41, i % 5) for i in range(60))


@pytest.fixture(autouse=True)
def cheap(monkeypatch):
    monkeypatch.setattr(seal, "_COST", 2**7)


def own_session() -> Session:
    table = kc.read_table(OWN)
    session = Session(table, "own.csv", "upload:1", Setting(kc.MDAV(), 4, 2**100 + 1), 2**100)
    session.ask(algorithm=kc.Mondrian(), k=6)
    session.ask(algorithm=kc.MDAV(), k=7)
    metrics = [kc.NCP()]
    for point in kc.sweep(table, [kc.MDAV()], [5, 7], metrics, seed=2**100 + 1):
        session.points[(table.digest, Setting(point.algorithm, point.k, point.seed).key)] = point
    return session


def released(session: Session) -> kc.Release:
    setting = session.setting
    return kc.anonymize(session.table, setting.algorithm, setting.k, setting.seed)


def new_session() -> Session:
    return Session(
        kc.read_table("sample:people-100"), "x", "sample:people-100", Setting(kc.Sorting(), 2, 9), 9
    )


def saved(session: Session, phrase: str = "", data: bool = False) -> SessionFile:
    COMPARED_METHODS.of(session.table.digest).set(["Mondrian", "no longer there"])
    content = session_file.file_of(session, released(session), {"what": "why"}, data).to_bytes(phrase)
    found = SessionFile.from_bytes(content)
    return found.unlocked(phrase) if phrase else found


def test_with_its_passphrase_a_session_goes_on_as_it_was():
    before, after = own_session(), new_session()
    before.signing = Signing({"by": "Anna"}, [(next(iter(before.points.values())), "the finest")])
    assert pin(before, before.history[0]) and pin(before, before.setting)
    file = saved(before, PASSPHRASE, data=True)
    said = session_file.apply_file(after, file, fitted(file, file.table()), "own.csv", "session:1")
    assert not said
    assert (after.setting, after.secret, after.history) == (before.setting, before.secret, before.history)
    assert list(pinned(after).items()) == [("A", before.history[0]), ("B", before.setting)]
    assert after.points == before.points and after.table.digest == before.table.digest
    assert release_bytes(released(after)) == release_bytes(released(before))
    assert COMPARED_METHODS.of(after.table.digest).get() == ["Mondrian"]
    assert file.reasons == {"what": "why"} and after.signing == before.signing


def test_without_it_settings_come_back_under_a_new_seed_and_this_is_said():
    before, after = own_session(), new_session()
    assert pin(before, before.setting)
    file = saved(before)
    (said,) = session_file.apply_file(after, file, fitted(file, before.table), "own.csv", "session:1")
    assert "has drawn a new secret seed" in said and "New releases differ" in said
    assert replace(after.setting, seed=0) == replace(before.setting, seed=0)
    assert after.setting.seed == after.secret not in (before.secret, before.setting.seed)
    assert pinned(after) == {"A": after.setting}
    assert not after.points and {step.seed for step in after.history} == {after.secret}
    assert [step.k for step in after.history] == [step.k for step in before.history]


def test_a_file_without_pins_leaves_those_of_the_table():
    before, after = own_session(), new_session()
    file = saved(before)
    fitting = fitted(file, after.table)
    after.pins[fitting.table.digest] = {"A": before.setting}
    assert not file.pins
    session_file.apply_file(after, file, fitting, "own.csv", "session:1")
    assert pinned(after) == {"A": before.setting}


def test_of_another_table_what_fits_is_taken_and_the_seed_is_another():
    before, after = own_session(), new_session()
    file = saved(before, PASSPHRASE)
    few = kc.read_table(b"age,more\n" + b"".join(b"%d,%d\n" % (i, i) for i in range(5)))
    said = session_file.apply_file(after, file, fitted(file, few), "few.csv", "session:1")
    assert after.setting.k == 5 and [step.k for step in after.history] == [4]
    assert after.setting.seed not in (before.secret, before.setting.seed) and not after.points
    assert [sentence.split(" ", 3)[:3] for sentence in said] == [
        ["The", "table", "has"],
        ["The", "session", "has"],
        ["The", "table", "differs"],
        ["MDAV", "at", "k"],
    ]


def test_options_of_measures_and_the_balance_of_histories_come_back(purchases):
    """Points of the products as they are belong to another table than those of their categories."""
    before, after = purchases, new_session()
    plain = without_categories(before)
    own, other = (point_of(before, table) for table in (before.table, plain))
    before.ways = {"ILD": kc.ILD(p=1.0), "NCP": kc.NCP()}
    file = saved(before, PASSPHRASE)
    assert (file.ways, file.balances, file.plain_balances) == ((kc.ILD(p=1.0),), (own,), (other,))
    session_file.apply_file(after, file, fitted(file, before.table), "own.csv", "session:1")
    assert after.ways == {"ILD": kc.ILD(p=1.0)} and after.way(kc.ILD) == kc.ILD(p=1.0)
    assert after.balances == before.balances and len(after.balances) == 2
    stranger = new_session()
    few = kc.Table.from_frame(before.table.frame[:20], before.table.schema)
    session_file.apply_file(stranger, file, fitted(file, few), "few.csv", "session:1")
    assert stranger.ways and not stranger.balances


@pytest.fixture
def purchases() -> Session:
    """Purchases whose products have categories, with a point of the balance for each of the two tables."""
    rows = b"".join(b"p%d,%d,%d\n" % (i % 9, i % 7, i % 4) for i in range(60))
    read = kc.read_table(b"who,day,product\n" + rows)
    schema = read.schema.with_roles(
        {"who": "person", "day": "quasi_identifier", "product": "quasi_identifier"}
    ).with_kinds({"product": "categorical"})
    table = read.with_schema(schema)
    groups = kc.CategoryMap((("0", "even"), ("1", "odd"), ("2", "even"), ("3", "odd")))
    table = table.with_schema(table.schema.with_categories({"product": groups}))
    session = Session(table, "own.csv", "upload:1", Setting(kc.PurchaseHistories(), 3, 5), 5)
    for one in (table, without_categories(session)):
        (point,) = kc.sweep(one, [kc.PurchaseHistories()], [3], [kc.PurchaseUtility()], seed=5)
        session.balances[(one.digest, session.setting.key)] = point
    return session


def point_of(session: Session, table: kc.Table):
    return session.balances[(table.digest, session.setting.key)]


def test_a_recipe_opens_as_a_session():
    before, after = own_session(), new_session()
    release = released(before)
    file = SessionFile.from_bytes(release.recipe.to_json())
    assert not session_file.apply_file(after, file, fitted(file, kc.read_table(OWN)), "own.csv", "session:1")
    assert release_bytes(released(after)) == release_bytes(release)


def given(test, key: str, name: str, content: bytes):
    return test.file_uploader(key=key).set_value((name, content, "application/json")).run()


def press(test, label: str):
    (found,) = [button for button in test.button if button.label == label]
    return found.click().run()


def test_on_the_data_page_nothing_hostile_is_opened():
    test = opened("data", new_session())
    given(test, "session-upload", "x.json", b'{"kanon_session": 1, "script": "<script>"}')
    assert not test.exception and "does not know" in " ".join(one.value for one in test.error)
    assert test.session_state["kanon"].setting.algorithm == kc.Sorting()


def test_a_wrong_passphrase_is_a_sentence_and_the_right_one_then_opens():
    before = own_session()
    content = session_file.file_of(before, released(before), {}, True).to_bytes(PASSPHRASE)
    test = opened("data", new_session())
    given(test, "session-upload", "own.kanon.json", content)
    assert "own.csv: 60 records × 2 columns, MDAV at k = 7" in words(test)
    test.text_input(key="opening passphrase").set_value("a wrong passphrase")
    press(test, "Decrypt")
    assert "The passphrase is wrong, or the session file was changed" in test.error[0].value
    assert test.session_state["kanon"].source == "sample:people-100"
    test.text_input(key="opening passphrase").set_value(PASSPHRASE)
    press(test, "Decrypt")
    assert PASSPHRASE not in str(test.session_state)
    press(test, "Open this session")
    after = test.session_state["kanon"]
    assert (after.setting, after.table.digest) == (before.setting, before.table.digest)
    assert "Opened" in test.info[0].value
    assert address(test) == {"table": "own", "algorithm": "MDAV", "k": "7"}


def test_without_its_data_a_session_asks_for_the_file():
    before = own_session()
    test = opened("data", new_session())
    given(
        test,
        "session-upload",
        "own.kanon.json",
        session_file.file_of(before, released(before), {}, False).to_bytes(),
    )
    given(test, "session-table", "own.csv", OWN)
    press(test, "Open with this file")
    after = test.session_state["kanon"]
    assert (after.table.digest, after.setting.k, after.name) == (before.table.digest, 7, "own.csv")


def test_the_server_forgets(aside):
    aside.todo.append("a point of a curve")
    test = opened("data", own_session(), reasons="anything")
    press(test, "Delete my table from this server")
    assert "kanon" not in test.session_state and "reasons" not in test.session_state
    assert not aside.todo


def test_the_release_page_says_what_is_in_the_file():
    test = opened("release", own_session())
    assert "a new secret seed is drawn" in words(test) and "The file contains no rows of the table." in words(
        test
    )
    test.toggle(key="session with data").set_value(True).run()
    assert "everybody who has the file can read them" in words(test)
    test.text_input(key="saving passphrase").set_value("short").run()
    assert "at least 8 characters" in words(test)
    test.text_input(key="saving passphrase").set_value(PASSPHRASE).run()
    assert "It also encrypts the data." in words(test)

"""Identifying columns on the Data page: their ranking, words, new role and undo; and who is singled out."""

from __future__ import annotations

import kanon_core as kc
from pages.data import identifying
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words

DATA = b"age,sex,code,illness\n30,F,a1,flu\n30,M,a2,flu\n41,F,a3,gout\n30,F,a4,flu\n"
ROLES = {"age": "quasi_identifier", "sex": "quasi_identifier", "code": "other", "illness": "other"}


def session_of(data: bytes = DATA, roles: dict[str, str] | None = None) -> Session:
    table = kc.read_table(data)
    table = table.with_schema(table.schema.with_roles(ROLES if roles is None else roles))
    return Session(table, "people.csv", "upload:1", Setting(kc.MDAV(), 2))


def shown(session: Session, **state: object):
    return opened("data", session, columns_that_identify=True, **state)


def role_button(test):
    return next(one for one in test.button if one.key == "identifying-role")


def chosen(test, *columns: str):
    box = next(one for one in test.selectbox if one.label == "Column or pair")
    return box.set_value(columns).run()


def test_nothing_is_counted_while_it_is_closed(monkeypatch):
    monkeypatch.setattr(identifying.kc, "identifying", None)
    test = opened("data", session_of())
    assert "Distinction" not in words(test) and not test.exception


def test_columns_and_pairs_are_ranked_with_their_roles():
    test = shown(session_of())
    text = words(test)
    assert "Distinction: number of different values divided by the number of records" in text
    assert '<th scope="row">code</th><td class="number">4</td><td class="number">100 %</td>' in text
    row = text[text.index("age + sex") :]
    assert row.index("75 %") < row.index("83.3 %") < row.index(">2<") < row.index("quasi-identifier")
    assert "All values are different, as in identifiers: “code”" in text


def test_a_column_is_given_the_role_and_it_is_taken_back():
    session = session_of()
    test = chosen(shown(session), "illness")
    assert "1 of 4 records (25 %) has a value that no other has" in words(test)
    role_button(test).click().run()
    assert session.table.schema["illness"].role == "quasi_identifier"
    assert "role of illness: other → quasi-identifier" in words(test)
    assert role_button(test).disabled and "already" in words(test)
    next(one for one in test.button if one.key == "undo columns").click().run()
    assert session.table.schema["illness"].role == "other"


def test_a_pair_is_given_the_role_together():
    session = session_of(roles=dict.fromkeys(ROLES, "other"))
    test = chosen(shown(session), "age", "sex")
    role_button(test).click().run()
    assert [a.name for a in session.table.schema.quasi_identifiers] == ["age", "sex"]


def test_a_column_that_names_every_record_is_told_and_not_chosen_first():
    session = session_of()
    test = shown(session)
    assert "age + sex: 3 different values." in words(test) and role_button(test).disabled
    test = chosen(test, "code")
    assert not role_button(test).disabled and "give it the role identifier instead" in words(test)
    role_button(test).click().run()
    assert session.table.schema["code"].role == "quasi_identifier"


def test_a_new_role_counts_nothing_again(monkeypatch):
    session = session_of()
    test = shown(session)
    monkeypatch.setattr(identifying.kc, "identifying", None)
    session.change_schema(session.table.schema.with_roles({"illness": "sensitive"}))
    test.run()
    assert not test.exception and "sensitive" in words(test)


def test_who_is_singled_out_by_which_columns():
    session = session_of()
    test = shown(session, identifying_view="Unique combinations")
    text = words(test)
    assert (
        "2 of 4 records (50 %) are singled out by a combination of up to 2 values that no other has" in text
    )
    assert '<td class="number">1</td><td class="number">25 %</td>' in text
    assert "but no cell of the table" in text and "For the release of" not in text
    session.keep(session.setting, kc.anonymize(session.table, kc.MDAV(), 2))
    assert "For the release of MDAV at k = 2: <b>None of 4 records is singled out" in words(test.run())


def test_without_quasi_identifiers_it_says_what_to_do():
    session = session_of(roles=dict.fromkeys(ROLES, "other"))
    test = shown(session, identifying_view="Unique combinations")
    told = " ".join(one.value for one in test.info).replace("\\", "")
    assert "No column is a quasi-identifier" in told


def test_names_of_columns_are_shown_as_they_are_written():
    evil = "<img src=x onerror=alert(1)>"
    session = session_of(f'"{evil}",sex\n1,F\n1,M\n2,F\n'.encode(), {evil: "quasi_identifier"})
    for view in ("Distinction and separation", "Unique combinations"):
        text = words(shown(session, identifying_view=view))
        assert "<img" not in text and "&lt;img src=x" in text


def test_a_table_of_nothing_but_a_person_has_nothing_to_rank():
    session = session_of(b"who\nx\nx\ny\n", {"who": "person"})
    assert "current role" in words(shown(session))

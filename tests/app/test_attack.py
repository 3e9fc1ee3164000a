"""Attacks on the page Risk: one person, the whole table, several releases."""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import kanon_core as kc
from kanon_core.report import release_bytes
from kanon_core.risk.tables import TABLE_ATTACKS
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words
from tests.app.test_histories import session_of
from tests.charts.purchasetables import purchases


def session(k: int = 2) -> Session:
    frame = pd.DataFrame(
        {
            "name": [f"ZQX{i}" for i in range(12)],
            "age": [20, 21, 22, 30, 31, 32, 40, 41, 42, 60, 61, 62],
            "rooms": [1] * 12,
            "ill": ["flu", "flu", "gout", "<b>ok</b>"] * 3,
        }
    )
    known = dict.fromkeys(["age", "rooms"], "quasi_identifier")
    roles = {"name": "identifier", "ill": "sensitive"} | known
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles))
    return Session(table, "t", "upload:1", Setting(kc.MDAV(), k))


def whole() -> AppTest:
    return opened("risk/table", session())


def test_a_person_is_looked_for_before_and_after():
    test = opened("risk/person", session())
    box = next(one for one in test.number_input if (one.key or "").startswith("attack-record"))
    test = box.set_value(1).run()
    shown = words(test)
    assert "An attacker who knows “age”, “rooms” of record 1 finds 1 record in the original" in shown
    assert "Original: 1 matching" in shown and "Release: 2 matching" in shown
    assert "certain: flu" in shown and "ZQX" not in shown and "<b>ok" not in shown
    other = next(one for one in test.button if one.key == "another-record").click().run()
    assert "of record 1 finds" not in words(other)


def test_what_is_known_is_chosen_exactly_or_roughly():
    test = opened("risk/person", session(), **{"attack-roughly": True})
    box = next(one for one in test.number_input if (one.key or "").startswith("attack-record"))
    test = box.set_value(1).run()
    rough = next(one for one in test.number_input if (one.key or "").startswith("attack-how-roughly"))
    test = rough.set_value(2.0).run()
    assert "Known approximately: age." in words(test) and "Original: 3 matching" in words(test)
    test = test.multiselect[0].set_value([]).run()
    assert "Original: 12 matching" in words(test) and "Release: 12 matching" in words(test)


@pytest.mark.deep
def test_each_attack_has_a_button_and_its_result_a_row():
    test = whole()
    names = [one for one in test.button if (one.key or "").startswith("attack-")]
    assert [one.label for one in names] == [cls.title for cls in TABLE_ATTACKS]
    assert "95 % interval" not in words(test)
    for cls in TABLE_ATTACKS:
        test = next(one for one in test.button if one.key == f"attack-{cls.__name__}").click().run()
    shown = words(test)
    assert all(cls.title in shown for cls in TABLE_ATTACKS) and shown.count('class="reach"') == len(
        TABLE_ATTACKS
    )
    assert "Tried on all 12 records" in shown and "ZQX" not in shown
    assert "Attribute inference: ill" in shown and "not in the release, it is right" in shown


def test_results_are_those_of_the_setting_on_screen():
    test = whole()
    test = next(one for one in test.button if one.key == "attack-ConsistentLinkage").click().run()
    assert "Tried on all" in words(test)
    held = test.session_state["kanon"]
    held.ask(k=3)
    assert "Tried on all" not in words(test.run())


def test_an_attack_that_cannot_be_tried_says_why():
    held = session()
    held.change_schema(held.table.schema.with_roles({"ill": "other"}))
    test = opened("risk/table", held)
    barred = {one.key for one in test.button if one.disabled and (one.key or "").startswith("attack-")}
    assert barred == {
        "attack-AttributeInference"
    } and "Not for this table: Attribute inference. No column is sensitive; give" in words(test)


def test_earlier_releases_are_intersected():
    held = session()
    test = opened("risk/releases", held)
    assert "may be k-anonymous on its own, but not both together" in words(test)
    earlier = release_bytes(kc.anonymize(held.table, kc.MDAV(), 3, seed=5), "csv")
    test = test.file_uploader(key="previous-releases").set_value([("old.csv", earlier, "text/csv")]).run()
    shown = words(test)
    assert "has all 2 releases" in shown and "old.csv" in shown and "all together" in shown
    assert "quasi-identifiers known" in shown and "records added later" not in shown
    fewer = b"\n".join(earlier.rstrip().split(b"\n")[:-3]) + b"\n"
    test = test.file_uploader(key="previous-releases").set_value([("less.csv", fewer, "text/csv")]).run()
    assert "all together, records added later" in words(test) and "of 3 records drawn from" in words(test)
    test = test.file_uploader(key="previous-releases").set_value([("x.csv", b"a,b\n1,2\n", "text/csv")]).run()
    assert "none of the original's quasi-identifiers" in test.error[0].value.replace("\\", "")


def test_people_with_histories_are_attacked_as_people():
    test = opened("risk/person", session_of(purchases(people=8, seed=1, most=3)))
    shown = words(test)
    assert " in the release that agree with this" in shown
    test = opened("risk/table", session_of(purchases(people=8, seed=1, most=3)))
    test = next(one for one in test.button if one.key == "attack-ConsistentLinkage").click().run()
    assert "people, it is right" in words(test) and "choose an attack on histories" in words(test)

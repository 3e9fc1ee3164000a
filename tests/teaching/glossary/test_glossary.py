"""Every name that is shown has one explanation, here or where the thing is declared, and nothing is said
twice."""

from __future__ import annotations

import ast
import gettext
import re
from collections import Counter
from pathlib import Path

import pytest

import kanon_core as kc
from kanon_core.base import words
from kanon_core.findings.base import SEVERITIES
from kanon_core.guarantees import ALWAYS
from kanon_core.metrics import METRICS, UTILITIES
from kanon_core.risk.attacks import ATTACKS
from kanon_core.risk.tables import TABLE_ATTACKS
from kanon_core.runs.sweeps import QUANTITIES
from kanon_core.table.changes import spoken
from kanon_core.table.schema import KINDS, RECODINGS, ROLES
from kanon_core.teaching.glossary import entries, entry, of_finding, of_guarantee, of_metric, of_quantity
from kanon_core.teaching.glossary.attackers import ATTACKERS
from kanon_core.teaching.glossary.publishing import PUBLISHING

PAGES = Path(__file__).resolve().parents[3] / "pages"
OWN = (*ATTACKERS, *PUBLISHING)
SENTENCE = re.compile(r"[^.!?]+[.!?]+(?=\s+[A-Zk]|$)")


def test_every_name_that_is_shown_has_an_entry():
    shown = {
        "Measures": [cls.title for cls in (*METRICS, *UTILITIES)],
        "Guarantees": [cls.name for cls in (*kc.GUARANTEES, *map(type, ALWAYS))],
        "Findings": [cls.name for cls in kc.FINDINGS],
        "Attacks": [cls.title for cls in (*ATTACKS, *TABLE_ATTACKS)],
        "Algorithms": [cls.title for cls in kc.ALGORITHMS],
        "Distances": [cls.title for cls in kc.DISTANCES],
        "Attackers": [cls.title for cls in kc.ATTACKERS],
        "Roles of columns": list(map(spoken, ROLES)),
        "Kinds of values": list(map(spoken, KINDS)),
        "Recodings": list(map(spoken, RECODINGS)),
    }
    found = entries()
    for part, names in shown.items():
        assert [one.name for one in found if one.part == part] == names
    assert {one.part for one in found} - set(shown) == {"Risk and disclosure", "Releases"}


def test_every_quantity_of_a_curve_has_an_entry_of_its_title():
    for name, quantity in QUANTITIES.items():
        assert entry(quantity.title) == of_quantity(name)
        assert of_quantity(name).name == quantity.title


@pytest.mark.parametrize(
    "word",
    [
        *("information loss", "NCP", "quasi-identifier", "equivalence class", "k-anonymity", "k-concealment"),
        *("ℓ-diversity", "t-closeness", "kᵐ-anonymity", "suppression", "risk", "attacker", "adversary"),
        *("prosecutor risk", "anonymity set", "identity disclosure", "seed", "pseudonym", "floor"),
    ],
)
def test_words_of_the_field_are_found_by_any_of_their_names(word):
    found = entry(word)
    assert word.casefold() in {one.casefold() for one in (found.name, *found.also)}
    assert found.says and found.part


def test_a_word_without_an_entry_is_refused_in_a_sentence():
    with pytest.raises(kc.OptionError, match="The glossary has no entry “blockchain”"):
        entry("blockchain")


def test_own_words_say_it_in_up_to_four_sentences_with_an_example():
    for one in OWN:
        assert 1 <= len(SENTENCE.findall(one.says)) <= 4, one.name
        assert one.says.endswith(".") and one.example.endswith(".") and len(one.says) < 480, one.name


def test_nothing_is_said_twice():
    found = entries()
    once = Counter((one.part, one.name.casefold()) for one in found)
    own = Counter(name.casefold() for one in OWN for name in (one.name, *one.also))
    said = Counter(text for one in found for text in (one.says, one.example) if text)
    assert max(once.values()) == max(own.values()) == max(said.values()) == 1
    others = {one.name.casefold() for one in found if one.name not in {mine.name for mine in OWN}}
    assert not others & set(own)


def test_what_an_entry_leads_to_is_there():
    for one in entries():
        for name in one.see:
            assert entry(name).name == name != one.name


def test_every_measure_and_guarantee_has_an_example_and_tells_its_direction_or_attacker():
    for cls in (*METRICS, *UTILITIES):
        assert of_metric(cls).example and f"{cls.direction.capitalize()} is better." in of_metric(cls).says
        assert of_metric(cls).also[0] == cls.symbol or cls.symbol == cls.title
    for held in (*kc.GUARANTEES, *map(type, ALWAYS)):
        assert of_guarantee(held).example and held.attacker in of_guarantee(held).says
    for search in kc.FINDINGS:
        assert of_finding(search.name).says.startswith(search.asks)
    assert all(word in entry("finding").says for word in ("stops the release", "needs a decision"))
    assert set(SEVERITIES.values()) == {"stops the release", "needs a decision", "good to know"}


def test_words_that_pages_ask_for_by_name_are_there():
    """``entry("…")`` in pages, and constants with such words."""
    asked = {
        node.args[0].value
        for path in sorted(PAGES.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "entry"
        and isinstance(node.args[0], ast.Constant)
    }
    from pages.data import roles
    from pages.tune import figures

    for word in (*asked, *roles._EXPLAINED, figures._CLASS):
        assert entry(word).name == word


def test_entries_are_in_the_language_of_the_reader(monkeypatch):
    class Capitals(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return message.upper() if "{" not in message else message

    monkeypatch.setattr(words, "_catalog", lambda language: Capitals())
    for one in entries():
        assert one.says.upper() == one.says or "The attacker" in one.says, one.name
        assert one.part.isupper()

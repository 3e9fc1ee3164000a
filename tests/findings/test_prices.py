"""The costs of the remedies of findings, computed by making the release again, and by hand."""

from __future__ import annotations

import re

import pytest

import kanon_core as kc
from kanon_core.findings import ExactEnds, UnchangedColumns
from kanon_core.release.recipe import RecipeError
from tests.helpers import table_of

SEED = 2**127


def table() -> kc.Table:
    """The same incomes whichever way; ages four by four; a column that says who is who."""
    made = table_of(age=[20, 21, 22, 23, 60, 61, 62, 63], team=list("abcdabcd"), note=["x", "y"] * 4)
    roles = {"age": "quasi_identifier", "team": "other", "note": "identifier"}
    return made.with_schema(made.schema.with_roles(roles))


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"\d+\.\d+|\d+", text)]


def test_a_column_made_a_quasi_identifier_by_hand():
    """k = 4: ages 20 to 23 and 60 to 63 are classes, each 3/43 wide. With the teams, of which each class has
    all four, the classes stay, and a set of four of four teams is lost whole."""
    release = kc.anonymize(table(), kc.MDAV(), 4, SEED)
    (found,) = kc.judge(table(), release, [UnchangedColumns()])
    assert found.price == "" and found.remedy.columns == ("team",)
    (priced,) = kc.priced(table(), release, [found])
    assert numbers(priced.price) == [0, 100, round(300 / 43, 2), round(300 / 43, 2)]


def test_round_ends_by_hand():
    """A quarter of 3 years is less than the step of five times the least difference: multiples of 5. Then 20
    to 25 and 60 to 65, and 20 and 60 are somebody's alone."""
    release = kc.anonymize(table(), kc.MDAV(), 4, SEED)
    (found,) = kc.judge(table(), release, [ExactEnds()])
    (priced,) = kc.priced(table(), release, [found])
    assert numbers(priced.price) == [5, 0, round(500 / 43, 2), round(300 / 43, 2), 2, 8]
    rounded = table().with_schema(table().schema.with_round_ends({"age": "5"}))
    (left,) = kc.judge(rounded, kc.anonymize(rounded, kc.MDAV(), 4, SEED), [ExactEnds()])
    assert left.remedy is None and left.count == 2, "there is no round end to ask for"


@pytest.mark.parametrize("algorithm", [kc.Mondrian(), kc.OptimalConcealment(), kc.TopDown()])
def test_prices_are_those_of_the_release_made_again(algorithm):
    people = kc.read_table("sample:people-100")
    release = kc.anonymize(people, algorithm, 3, SEED)
    found = kc.judge(people, release, [UnchangedColumns(), ExactEnds()])
    assert {one.remedy.make for one in found if one.remedy} == {"quasi_identifier", "round_ends"}
    for one in kc.priced(people, release, found, seconds=60):
        if one.remedy is None:
            continue
        changed = people.with_schema(one.remedy.schema(people.schema))
        again = kc.anonymize(changed, algorithm, 3, SEED)
        frame = kc.score(changed, again, [kc.NCP()])
        loss = frame[frame["part"] == "attribute"].set_index("name")["value"]
        old = [name for name in loss.index if people.schema[name].role == "quasi_identifier"]
        others = old if one.remedy.make == "quasi_identifier" else list(one.remedy.columns)
        assert f"{100 * loss[others].mean():.2f} % instead of" in one.price


def test_what_takes_too_long_or_cannot_be_is_said():
    release = kc.anonymize(table(), kc.MDAV(), 4, SEED)
    found = kc.judge(table(), release, [UnchangedColumns(), ExactEnds()])
    for one in kc.priced(table(), release, found, seconds=0):
        assert one.price == "The cost was not computed: it takes more than 0 s."
    items = table_of(age=[1, 2, 3, 4], basket=["a;b", "a", "b;c", "a;c"])
    kinds = items.schema.with_kinds({"basket": "items"}).with_roles({"age": "quasi_identifier"})
    items = items.with_schema(kinds.with_roles({"basket": "other"}))
    release = kc.anonymize(items, kc.MDAV(), 2, SEED)
    (one,) = kc.priced(items, release, kc.judge(items, release, [UnchangedColumns()]))
    assert one.price.startswith("The cost was not computed. Column “basket” holds item sets")


def test_whatever_the_tick_raises_stops_it():
    def stop(fraction, note=""):
        raise InterruptedError

    release = kc.anonymize(table(), kc.MDAV(), 4, SEED)
    found = kc.judge(table(), release, [UnchangedColumns()])
    with pytest.raises(InterruptedError):
        kc.priced(table(), release, found, progress=stop)
    other = kc.read_table("sample:people-100")
    with pytest.raises(RecipeError):
        kc.priced(other, release, found)

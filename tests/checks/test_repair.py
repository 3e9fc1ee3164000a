"""Repairs: what is left keeps what was asked, no fewer rows could be left out, and merged cells are true."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.options import from_json, to_json
from kanon_core.checks.repair import Repair
from kanon_core.report import release_bytes
from kanon_core.table.notation.cell_parts import parts_of
from kanon_core.table.notation.covering import Covering
from kanon_core.table.notation.numbers import number_of
from tests.helpers import looped

row = st.tuples(
    st.sampled_from(["[20, 29]", "[30, 39]", "45"]),
    st.sampled_from(["F", "M", "{F, M}"]),
    st.sampled_from(["flu", "gout", "ok"]),
)


def opened(rows: list[tuple[str, str, str]]) -> kc.OpenedFile:
    data = pd.DataFrame(rows, columns=["age", "sex", "diagnosis"]).to_csv(index=False).encode()
    file = kc.open_file(data, header=True)
    roles = {"age": "quasi_identifier", "sex": "quasi_identifier", "diagnosis": "sensitive"}
    schema = file.schema.with_kinds({"age": "categorical", "sex": "categorical", "diagnosis": "categorical"})
    return file.with_schema(schema.with_roles(roles))


ASKED = (
    [kc.KAnonymity(2)],
    [kc.KAnonymity(2), kc.LDiversity(l=2)],
    [kc.KAnonymity(3), kc.AlphaKAnonymity(alpha=0.6, k=2)],
    [kc.TCloseness(t=0.4)],
    [kc.LDiversity(l=1.5, entropy=True), kc.RecursiveDiversity(c=2)],
    [kc.BetaLikeness(beta=0.8)],
    [kc.DeltaDisclosure(delta=1.2, absent=False)],
)


@pytest.mark.deep
@given(st.lists(row, min_size=4, max_size=14), st.sampled_from(ASKED), st.sampled_from(["suppress", "merge"]))
def test_a_repaired_file_keeps_what_was_asked(rows, asked, way):
    checked = kc.check(opened(rows), asked)
    made = kc.repaired(checked, way, seed=1)
    if made.release is None:
        assert "No row would be left" in made.reason
        return
    found = kc.checked_again(checked, made.release)
    assert found.holds, [m.verdict for m in found.asked]
    assert made.left_out == int(made.release.suppressed.sum())
    if checked.holds and checked.file.class_sizes.min() > 1:
        assert made.left_out == made.widened == 0
    if way == "suppress":
        shown = made.release.publish(shuffle=False)
        assert made.widened == 0 and set(map(tuple, shown.to_numpy())) <= set(rows)


@pytest.mark.deep
@given(st.lists(row, min_size=2, max_size=9), st.sampled_from(ASKED[:2]))
def test_no_fewer_rows_could_be_left_out(rows, asked):
    """Every smaller set of rows is tried."""
    made = kc.repaired(kc.check(opened(rows), asked), "suppress", seed=1)
    left_out = len(rows) if made.release is None else made.left_out
    for count in range(left_out):
        for gone in combinations(range(len(rows)), count):
            kept = [one for i, one in enumerate(rows) if i not in gone]
            classes: dict[tuple[str, str], list[str]] = {}
            for age, sex, ill in kept:
                classes.setdefault((age, sex), []).append(ill)
            assert any(len(of) < 2 or (len(asked) > 1 and len(set(of)) < 2) for of in classes.values())


def test_the_price_is_in_words_and_its_numbers_are_right():
    rows = [("[20, 29]", "F", "flu")] * 3 + [("[30, 39]", "F", "ok")] * 2 + [("45", "M", "ok")]
    checked = kc.check(opened(rows), [kc.KAnonymity(2)])
    out, merged = (kc.repaired(checked, way, seed=1) for way in ("suppress", "merge"))
    # ages span 20 … 45: intervals of 9 cost 9/25 for five of six rows; a row left out costs 1.
    assert out.before == pytest.approx((5 * 9 / 25) / 6 / 2)
    assert out.after == pytest.approx((5 * 9 / 25 / 2 + 1) / 6)
    assert out.price == (
        "1 of 6 rows (16.7 %) is left out. The certainty penalty (average width of a cell in percent of all"
        " values in this file; 0 % = exact values) is 31.67 % instead of 15.00 %. A row left out counts as"
        " 100 %."
    )
    assert merged.left_out == 0 and merged.widened == 3
    assert merged.release.to_frame()["age"].tolist() == ["[20, 29]"] * 3 + ["[30, 45]"] * 3
    assert merged.release.to_frame()["sex"].tolist() == ["F"] * 3 + ["{F, M}"] * 3
    assert merged.after == pytest.approx((3 * 9 / 25 + 3 * 15 / 25 + 3) / 12)
    assert merged.price.startswith("3 rows get wider cells. The certainty penalty (average width of a cell")
    assert merged.price.endswith("is 49.00 % instead of 15.00 %.")


def test_a_recipe_makes_the_same_bytes_again_and_is_read_from_json():
    rows = [("[20, 29]", "F", "flu"), ("[20, 29]", "F", "ok"), ("45", "M", "ok"), ("46,5", "M", "flu")]
    checked = kc.check(opened(rows), [kc.KAnonymity(2), kc.LDiversity(l=2)])
    for way in ("suppress", "merge"):
        release = kc.repaired(checked, way).release
        recipe = kc.Recipe.from_json(release.recipe.to_json())
        assert recipe == release.recipe and recipe.reading["typed"] is False
        data = pd.DataFrame(rows, columns=["age", "sex", "diagnosis"]).to_csv(index=False).encode()
        table = kc.read_table(data, schema=recipe.schema, **recipe.reading)
        assert release_bytes(kc.repeat(table, recipe)) == release_bytes(release)


def test_the_options_of_a_repair_are_checked_and_kept():
    repair = Repair("merge", (kc.LDiversity(l=3), kc.TCloseness(t=0.1, ground="equal")))
    assert from_json(to_json(repair)) == repair
    assert repair.guarantees(4) == (kc.KAnonymity(4), *repair.keep)
    for way in ("melt", None):
        with pytest.raises(kc.OptionError, match="way"):
            Repair(way)
    for keep in (kc.LDiversity(), (3,), "ldiversity", (kc.KMap(2),)):
        with pytest.raises(kc.OptionError, match="keep"):
            Repair(keep=keep)
    kind = Repair.__dataclass_fields__["keep"]
    assert kind.default == ()
    with pytest.raises(kc.OptionError):
        from_json({"name": "Repair", "options": {"keep": [{"name": "KMap", "options": {}}]}})


def test_what_cannot_be_repaired_says_why():
    file = kc.open_file(b"who,age\np,1\np,2\nq,1\n").with_roles({"who": "person", "age": "quasi_identifier"})
    made = kc.repaired(kc.check(file, [kc.PersonKAnonymity(2)]), "suppress")
    assert made.release is None and "Leaving out or merging classes cannot repair" in made.price
    made = kc.repaired(kc.check(file, [kc.KAnonymity(2)]), "merge")
    assert made.release is None and "may all belong to one person" in made.reason
    one = kc.check(opened([("45", "F", "flu"), ("46", "F", "flu")]), [kc.KAnonymity(2), kc.LDiversity(l=2)])
    for way in ("suppress", "merge"):
        assert "No row would be left" in kc.repaired(one, way).reason
        assert "“diagnosis” has 1 different value, so ℓ can be at most 1" in kc.repaired(one, way).reason


def test_a_repair_is_judged_again_beside_the_original():
    """Its classes are half flu, as the file is; of the ten of the original three have it."""
    rows = [("1", "F", ill) for ill in ("flu", "ok")] + [("2", "F", ill) for ill in ("flu", "ok")]
    more = [("4", "F", "ok")] * 5
    frame = pd.DataFrame([*rows, ("3", "F", "flu"), *more], columns=["age", "sex", "diagnosis"])
    schema = kc.Schema.infer(frame).with_quasi(["age", "sex"]).with_roles({"diagnosis": "sensitive"})
    original = kc.Table.from_frame(frame, schema)
    asked = [kc.KAnonymity(2), kc.TCloseness(t=0.15)]
    for table, holds in ((None, True), (original, False)):
        checked = kc.check(opened([*rows, ("3", "F", "flu")]), asked, table)
        made = kc.repaired(checked, "suppress", seed=1)
        assert made.left_out == 1 and kc.checked_again(checked, made.release).holds == holds


def test_too_many_classes_are_not_merged_one_by_one(monkeypatch):
    monkeypatch.setattr("kanon_core.checks.repair.AT_MOST", 10)
    checked = kc.check(opened([(str(i), "F", "flu") for i in range(9)]), [kc.KAnonymity(2)])
    made = kc.repaired(checked, "merge")
    assert made.release is None and "9 of 9 classes fail: too many to merge one by one" in made.price


def test_columns_that_name_people_are_not_in_a_repaired_file():
    data = b"name,age\n" + b"".join(b"Person %d,%d\n" % (i, i % 3) for i in range(30))
    made = kc.repaired(kc.check(data, [kc.KAnonymity(2)]), "suppress")
    assert made.release.publish().columns.tolist() == ["age"] and made.left_out == 0


@looped(
    "texts, expected",
    [
        (["[10, 20]", "[30, 40]"], "[10, 40]"),
        (["[10, 20[", "[20, 30["], "[10, 30["),
        (["]10, 20]", "[10, 12]"], "[10, 20]"),
        (["10-20", "30"], "10-30"),
        (["20–29", "15–19"], "15–29"),
        (["30", "35"], "[30, 35]"),
        (["1,5", "2,5"], "[1,5; 2,5]"),
        ([">= 90", "85"], ">= 85"),
        (["< 20", "25"], "<= 25"),
        (["< 20", "> 90"], "*"),
        (["*", "30"], "*"),
        (["NA", "x"], "*"),
        (["", "30", "35"], "[30, 35] or (missing)"),
        (["", "(missing)"], "(missing)"),
        (["130**", "131**"], "13***"),
        (["13021", "130**"], "130**"),
        (["130**", "2****"], "*****"),
        (["130**", "2*"], "{130**, 2*}"),
        (["F", "M"], "{F, M}"),
        (["{F, M}", "X"], "{F, M, X}"),
        (["a, b", "c"], '{"a, b", c}'),
        (["{10, 20}", "15"], "[10, 20]"),
    ],
)
def test_the_cell_that_covers_others(texts, expected):
    assert Covering(texts).text(range(len(texts))) == expected
    assert [Covering(texts).text([i]) for i in range(len(texts))] == texts


@given(
    st.lists(
        st.tuples(
            st.integers(-20, 20),
            st.integers(0, 9),
            st.sampled_from(["[{}, {}]", "[{}; {}[", "{}-{}", "{}..{}"]),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_an_interval_that_covers_others_contains_them(cells):
    texts = [how.format(low, low + width + ("[" in how[1:])) for low, width, how in cells]
    part = parts_of(Covering(texts).text(range(len(texts))))
    low, high = number_of(part.low), number_of(part.high)
    for text in texts:
        own = parts_of(text)
        assert low <= number_of(own.low) and number_of(own.high) <= high
        if part.open_high and number_of(own.high) == high:
            assert own.open_high
    assert np.isfinite([low, high]).all()

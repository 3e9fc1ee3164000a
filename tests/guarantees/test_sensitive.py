"""Guarantees on sensitive values: by hand, against plain counting, and beside pycanon on complete rows."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.base.words import counted
from kanon_core.guarantees.counted import CountedClasses
from tests.helpers import looped, release_of, table_of
from tests.needs import needs

SALARIES = [1, 1, 1, 2, 2, 2, 2]
DISEASES = ["flu", "flu", "cold", "flu", "cold", "gout", "gout"]
GROUPS = [0, 0, 0, 1, 1, 1, 1]


def wards() -> kc.Table:
    """Two classes: flu, flu, cold; and flu, cold, gout, gout."""
    table = table_of(age=SALARIES, disease=DISEASES)
    return table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "disease": "sensitive"}))


def judged(guarantee: kc.Guarantee, table: kc.Table | None = None, groups: list[int] = GROUPS) -> kc.Verdict:
    table = table or wards()
    return guarantee.check(table, release_of(table, groups))


def test_alpha_k_anonymity_by_hand():
    """Two of three have the flu: 2/3."""
    verdict = judged(kc.AlphaKAnonymity(alpha=0.6, k=3))
    assert not verdict.holds and verdict.found == 2 / 3 and verdict.witnesses == (1, 2, 3)
    assert judged(kc.AlphaKAnonymity(alpha=2 / 3, k=3)).holds
    small = judged(kc.AlphaKAnonymity(alpha=1, k=4))
    assert not small.holds and "fewer than 3 others" in small.sentence and small.witnesses == (1, 2, 3)


def test_recursive_diversity_by_hand():
    """Counts 2, 1 and 2, 1, 1: for ℓ = 2 the ratios are 2/1 and 2/2, for ℓ = 3 infinite and 2/1."""
    assert judged(kc.RecursiveDiversity(c=2.5, l=2)).found == 2
    assert judged(kc.RecursiveDiversity(c=2.5, l=2)).holds
    equal = judged(kc.RecursiveDiversity(c=2, l=2))
    assert not equal.holds and equal.witnesses == (1, 2, 3)  # r₁ must be less than c times the rest
    third = judged(kc.RecursiveDiversity(c=2.5, l=3))
    assert not third.holds and third.found == math.inf and third.witnesses == (1, 2, 3)


IN_VAIN = "Column “disease” has 2 different values, so ℓ can be at most 2; choose a smaller ℓ."


@looped("guarantee", [kc.LDiversity(l=3), kc.LDiversity(l=2.5, entropy=True), kc.RecursiveDiversity(l=3)])
def test_a_column_of_too_few_values_is_named_with_what_is_possible(guarantee):
    """Two values cannot be three in any class, so it is no fault of the classes."""
    table = table_of(age=SALARIES, disease=["flu", "cold"] * 3 + ["flu"])
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "disease": "sensitive"}))
    verdict = judged(guarantee, table)
    assert not verdict.holds and verdict.sentence.endswith(IN_VAIN)
    assert guarantee.too_few(table) == [IN_VAIN] and not guarantee.too_few(wards())
    assert IN_VAIN not in judged(guarantee).sentence


def test_a_missing_value_counts_among_the_values_of_a_column_as_in_its_classes():
    table = table_of(age=SALARIES, disease=["flu", "cold", None, "flu", "cold", None, "flu"])
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "disease": "sensitive"}))
    assert not kc.LDiversity(l=3).too_few(table)
    assert kc.LDiversity(l=3, missing="out").too_few(table) == [IN_VAIN]


def test_beta_likeness_by_hand():
    """Flu is had by 3 of 7 and by 2 of 3 of the first class: it gains 14/9 − 1; gout by 2 of 7 and by 2 of 4:
    3/4."""
    assert judged(kc.BetaLikeness(beta=1)).found == pytest.approx(0.75)
    assert judged(kc.BetaLikeness(beta=0.75)).holds
    below = judged(kc.BetaLikeness(beta=0.7))
    assert not below.holds and below.witnesses == (4, 5, 6, 7)
    # −ln(3/7) = 0.847 allows the flu's 0.556; of 9 in 10 the tenth may gain no more than 0.105.
    assert judged(kc.BetaLikeness(beta=1, enhanced=True)).holds
    table = table_of(age=[1, 1, 1, 1, 1, 2, 2, 2, 2, 2], disease=["flu"] * 9 + ["cold"])
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "disease": "sensitive"}))
    halves = [0] * 5 + [1] * 5
    assert judged(kc.BetaLikeness(beta=1, enhanced=False), table, halves).holds
    frequent = judged(kc.BetaLikeness(beta=1, enhanced=True), table, halves)
    assert not frequent.holds and frequent.witnesses == (1, 2, 3, 4, 5) and frequent.found == math.inf


def test_a_missing_value_is_a_value_of_its_own():
    table = table_of(age=[1, 1, 2, 2], disease=[None, None, "flu", "cold"])
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "disease": "sensitive"}))
    verdict = judged(kc.AlphaKAnonymity(alpha=0.5, k=2), table, [0, 0, 1, 1])
    assert (verdict.found, verdict.witnesses) == (1, (1, 2))
    assert judged(kc.LDiversity(l=2), table, [0, 0, 1, 1]).witnesses == (1, 2)


@pytest.mark.deep
@given(
    classes=st.lists(st.integers(-1, 3), min_size=1, max_size=16),
    data=st.data(),
    c=st.sampled_from([0.5, 1.0, 1.5, 3.0]),
    l=st.integers(2, 3),
    beta=st.sampled_from([0.25, 0.5, 1.0, 2.0]),
    alpha=st.sampled_from([0.25, 0.5, 0.75]),
)
def test_as_plain_counting_says(classes, data, c, l, beta, alpha):  # noqa: E741
    """Every class by itself, with dictionaries."""
    values = data.draw(st.lists(st.sampled_from("xyz"), min_size=len(classes), max_size=len(classes)))
    table = table_of(age=list(range(len(classes))), value=values)
    roles = {"age": "quasi_identifier", "value": "sensitive"}
    table = table.with_schema(table.schema.with_roles(roles).with_kinds({"value": "categorical"}))
    whole, shares = Counter(values), {}
    for g in set(classes) - {-1}:
        shares[g] = Counter(v for v, h in zip(values, classes, strict=True) if h == g)
    greatest = max((max(of.values()) / of.total() for of in shares.values()), default=0.0)
    assert judged(kc.AlphaKAnonymity(alpha=alpha, k=2), table, classes).found == pytest.approx(greatest)
    recursive = all(
        max(of.values()) < c * sum(sorted(of.values(), reverse=True)[l - 1 :]) for of in shares.values()
    )
    assert judged(kc.RecursiveDiversity(c=c, l=l), table, classes).holds == recursive
    gains = [
        (count / of.total()) / (whole[value] / len(values)) - 1
        for of in shares.values()
        for value, count in of.items()
    ]
    assert judged(kc.BetaLikeness(beta=beta), table, classes).holds == all(g <= beta + 1e-9 for g in gains)


def test_they_are_asked_for_in_an_audit_and_refused_where_nothing_is_sensitive():
    table = wards()
    release = kc.anonymize(table, kc.Sorting(), 3, seed=0)
    asked = (kc.AlphaKAnonymity(alpha=0.7, k=3), kc.BetaLikeness(beta=2), kc.RecursiveDiversity(c=3))
    plain, more = kc.audit(table, release), kc.audit(table, release, guarantees=asked)
    assert more[: len(plain)] == plain
    assert [verdict.guarantee for verdict in more[len(plain) :]] == [guarantee.name for guarantee in asked]
    bare = table.with_schema(table.schema.with_roles({"disease": "other"}))
    release = kc.anonymize(bare, kc.Sorting(), 3, seed=0)
    with pytest.raises(kc.UnsuitableError, match="No column has the role sensitive"):
        kc.audit(bare, release, guarantees=asked)


@pytest.mark.parametrize("k", [3, 5])
def test_pycanon_finds_the_same_on_complete_rows(k):
    """Its (c, ℓ)-diversity sorts counts upwards, so that r₁ is the rarest value: there is no number of it to
    compare with but where all counts of a class are equal."""
    anonymity = pytest.importorskip("pycanon.anonymity", reason=needs("pycanon"))
    frame = kc.load_sample("people-100").dropna()
    schema = kc.Schema.infer(frame).with_roles({"condition": "sensitive"}).with_quasi(["age", "sex"])
    table = kc.Table.from_frame(frame, schema)
    release = kc.anonymize(table, kc.Mondrian(), k, seed=0)
    published, quasi = release.to_frame(), ["age", "sex"]
    share, smallest = anonymity.alpha_k_anonymity(published, quasi, ["condition"])
    verdict = kc.AlphaKAnonymity(alpha=1, k=k).check(table, release)
    assert verdict.found == pytest.approx(share) and verdict.holds == (smallest >= k)
    gain = anonymity.basic_beta_likeness(published, quasi, ["condition"])
    assert kc.BetaLikeness(beta=100).check(table, release).found == pytest.approx(gain)
    different = anonymity.l_diversity(published, quasi, ["condition"])
    assert kc.LDiversity(l=1).check(table, release).found == different
    # one value in a class: its greatest share is 1 exactly where (c, ℓ = 2)-diversity fails for every c
    alone = not math.isfinite(kc.RecursiveDiversity(c=1000, l=2).check(table, release).found)
    assert alone == (different == 1)


def test_a_file_alone_says_that_it_is_compared_with_itself():
    data = b"age,disease\n[20-29],flu\n[20-29],flu\n"
    table = kc.read_table(data)
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "disease": "sensitive"}))
    for verdict in kc.audit_file(data, table, [kc.BetaLikeness(), kc.TCloseness()]):
        assert verdict.holds and "this file alone" in verdict.sentence
    (verdict,) = kc.audit_file(data, table, [kc.LDiversity(l=3)])
    assert not verdict.holds and verdict.witnesses == (1, 2)  # judged, though the file has one value alone


def test_rows_of_stars_are_left_out_of_a_file():
    data = b"age,disease\n[20-29],flu\n[20-29],cold\n*,*\n"
    table = kc.read_table(data)
    kinds = {"age": "text", "disease": "categorical"}
    roles = {"age": "quasi_identifier", "disease": "sensitive"}
    table = table.with_schema(table.schema.with_kinds(kinds).with_roles(roles))
    verdicts = kc.audit_file(data, table, [kc.KAnonymity(2), kc.LDiversity(l=2), kc.AlphaKAnonymity(k=2)])
    assert [verdict.holds for verdict in verdicts] == [True] * 3


def test_where_nothing_is_published_nothing_is_said_of_classes():
    table = wards()
    for guarantee in (kc.LDiversity(l=9), kc.TCloseness(t=0), kc.BetaLikeness(beta=0), kc.AlphaKAnonymity()):
        verdict = judged(guarantee, table, [-1] * 7)
        assert verdict.holds and verdict.found == 0 and verdict.sentence.startswith("No record is published")


def test_what_is_said_of_a_number_holds_of_it():
    """49 to 51 have 1.9996 effective values: at least 1.99, not 2."""
    table = table_of(age=[1] * 100, disease=["a"] * 49 + ["b"] * 51)
    table = table.with_schema(table.schema.with_roles({"age": "quasi_identifier", "disease": "sensitive"}))
    assert "at least 1.99 " in judged(kc.LDiversity(l=1.5, entropy=True), table, [0] * 100).sentence
    thirds = table_of(age=[1] * 3, disease=list("abc"))
    thirds = thirds.with_schema(table.schema)
    assert "at most 0.334." in judged(kc.AlphaKAnonymity(alpha=0.4, k=2), thirds, [0] * 3).sentence


def test_records_of_a_table_of_people_do_not_stand_for_people():
    table = table_of(who=["p", "p", "q", "q"], age=[20, 20, 30, 30], disease=list("abab"))
    roles = {"who": "person", "age": "quasi_identifier", "disease": "sensitive"}
    table = table.with_schema(table.schema.with_roles(roles).with_kinds({"who": "categorical"}))
    for guarantee in (kc.AlphaKAnonymity(alpha=0.5, k=2), kc.LDiversity(l=2)):
        assert "may all belong to one person" in " ".join(guarantee.unsuitable(table))


SEVERAL = b"zip,ill,pay\n1,flu,7\n1,gout,7\n2,flu,7\n2,flu,8\n3,flu,9\n3,ok,9\n"
ASKED = (
    kc.LDiversity(l=2),
    kc.LDiversity(l=2, entropy=True),
    kc.RecursiveDiversity(c=3),
    kc.AlphaKAnonymity(alpha=0.6, k=2),
    kc.TCloseness(t=0.4),
    kc.BetaLikeness(beta=1.5),
    kc.DeltaDisclosure(delta=0.6, absent=False),
)


@looped("asked", ASKED)
def test_the_column_that_fails_is_named_with_its_classes(asked):
    """The column “ill” has a single value in class 2 of the three classes, and “pay” in classes 1 and 3."""
    opened = kc.open_file(SEVERAL).with_roles(
        {"zip": "quasi_identifier", "ill": "sensitive", "pay": "sensitive"}
    )
    (model,) = kc.check(opened, [asked]).asked
    verdict = model.verdict
    assert not verdict.holds
    by_hand = {}
    for name in ("ill", "pay"):
        one = kc.check(
            opened.with_roles({other: "other" for other in ("ill", "pay") if other != name}), [asked]
        )
        found = one.asked[0].verdict
        assert "by column" not in found.sentence
        if not found.holds:
            classes = {(row - 1) // 2 for row in found.witnesses}
            by_hand[name] = (
                f"“{name}” in {counted(len(classes), 'class')}, for example that of row {found.witnesses[0]}"
            )
    assert f"Failing classes by column: {'; '.join(by_hand.values())}." in verdict.sentence
    assert "flu" not in verdict.sentence and "gout" not in verdict.sentence


def test_the_columns_that_keep_it_are_named_too():
    table = kc.read_table(SEVERAL)
    roles = {"zip": "quasi_identifier", "ill": "sensitive", "pay": "sensitive"}
    table = table.with_schema(table.schema.with_roles(roles))
    release = kc.anonymize(table, kc.Sorting(), k=2, seed=1)
    *_, verdict = kc.audit(table, release, guarantees=[kc.LDiversity(l=2)])
    said = "“ill” in 1 class, for example that of record 3; “pay” in 2 classes, for example that of record 1"
    assert said in verdict.sentence
    *_, verdict = kc.audit(
        table, release, guarantees=[kc.AlphaKAnonymity(alpha=0.99, k=2, protect=("ill", "pay"))]
    )
    assert not verdict.holds and "by column: " in verdict.sentence


@looped("asked", ASKED)
def test_counts_that_were_made_apart_name_the_column_that_fails_too(asked):
    table = kc.read_table(SEVERAL)
    roles = {"zip": "quasi_identifier", "ill": "sensitive", "pay": "sensitive"}
    table, names = table.with_schema(table.schema.with_roles(roles)), ["ill", "pay"]
    release = kc.anonymize(table, kc.Sorting(), k=2, seed=1)
    counts = {name: release.counts(name) for name in names}
    whole = asked.check(table, release)
    judged = CountedClasses(release.class_sizes, counts)
    told = asked.combined([asked.tally(table, judged)])
    assert (told.holds, told.found) == (whole.holds, whole.found) and not told.holds
    for name in names:
        assert (f"“{name}” " in told.sentence) == (f"“{name}” in " in whole.sentence)


@looped("roles", [{"who": "person"}, {"who": "identifier"}])
def test_alpha_k_counts_people_where_rows_belong_to_people(roles):
    """Class 1 has two rows of one person: two records, but one person. Class 2 has rows of two people."""
    data = b"who,zip,ill\na,1,flu\na,1,gout\nb,2,flu\nc,2,gout\n"
    table = kc.read_table(data)
    table = table.with_schema(
        table.schema.with_roles({"zip": "quasi_identifier", "ill": "sensitive", **roles})
    )
    (verdict,) = kc.audit_file(data, table, [kc.AlphaKAnonymity(alpha=0.5, k=2)])
    (by_itself,) = kc.audit_file(data, table, [kc.KAnonymity(2)])
    of_people = "person" in roles.values()
    assert (verdict.holds, by_itself.holds) == (not of_people, not of_people)
    if of_people:
        assert verdict.sentence == (
            "2 rows have quasi-identifiers that occur in rows of fewer than 2 people. In every class each"
            " sensitive value has a share of at most 0.5."
        )
        assert verdict.sentence.startswith(by_itself.sentence)
        assert (
            (verdict.witnesses, verdict.named) == (by_itself.witnesses, by_itself.named) == ((1, 2), "rows")
        )

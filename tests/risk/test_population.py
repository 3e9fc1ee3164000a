"""Risk in a population: sampling weights, models of its classes, a table of it."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import betabinom, hypergeom, nbinom

import kanon_core as kc
from kanon_core.risk import measuring
from kanon_core.risk.individual import inverse_mean
from kanon_core.risk.superpopulation import Fraction, Pitman, Zayatz, pitman
from tests.helpers import looped, release_of, table_of

# The example that sdcMicro's guide prints: table 4.1 and examples 4.1 to 4.3 of “Measuring risk” in
# T. Benschop, C. Machingauta, M. Welch, Statistical disclosure control: a practice guide, World Bank.
GUIDE = pd.DataFrame(
    [
        ("Urban", "Female", "Secondary incomplete", "Employed", 180),
        ("Urban", "Female", "Secondary incomplete", "Employed", 180),
        ("Urban", "Female", "Primary incomplete", "Non-LF", 215),
        ("Urban", "Male", "Secondary complete", "Employed", 76),
        ("Rural", "Female", "Secondary complete", "Unemployed", 186),
        ("Urban", "Male", "Secondary complete", "Employed", 76),
        ("Urban", "Female", "Primary complete", "Non-LF", 180),
        ("Urban", "Male", "Post-secondary", "Unemployed", 215),
        ("Urban", "Female", "Secondary incomplete", "Non-LF", 186),
        ("Urban", "Female", "Secondary incomplete", "Non-LF", 76),
    ],
    columns=["residence", "gender", "education", "labor", "weight"],
)
GUIDE_RISKS = [
    *(0.005424520, 0.005424520, 0.025096439, 0.012563425, 0.028247279),
    *(0.012563425, 0.029010932, 0.025096439, 0.007403834, 0.007403834),
]
# The table of sdcMicro's tests (tests/testthat/test_indivRisk.R), without and with missing cells, which fit
# every value there; risks by its method “exact”.
A, B = [2, 3, 2, 2, 3, 3, 1, 2], [3, 3, 3, 3, 3, 3, 4, 3]
C = [1, 3, 1, 2, 1, 1, 1, 1]
WEIGHTS = [18.0, 45.5, 39.0, 17.0, 92.0, 8.0, 123.5, 51.0]
WHOLE = [0.01355297, 0.08579129, 0.01355297, 0.17707583, 0.01877883, 0.01877883, 0.03931625, 0.01355297]
GAPS = [
    *(0.013552968, 0.085791288, 0.010504889, 0.032466112),
    *(0.009756889, 0.009756889, 0.039316254, 0.005962551),
]


def survey(frame: pd.DataFrame, weight: str = "weight") -> kc.Table:
    quasi = [name for name in frame if name != weight]
    schema = kc.Schema.infer(frame).with_roles({weight: "sampling_weight"}).with_quasi(quasi)
    return kc.Table.from_frame(frame, schema)


def journalist(table, release=None, population=None, **how):
    (one,) = kc.risks(table, release, [kc.Journalist()], population, **how).found
    assert one.problem == "", one.problem
    return one


def test_the_guide_of_sdcmicro_prints_the_same_risks():
    one = journalist(survey(GUIDE))
    assert one.before.records == pytest.approx(GUIDE_RISKS, abs=5e-10)
    assert kc.risks(survey(GUIDE)).fewer(2) == (4, None) and kc.risks(survey(GUIDE)).fewer(3) == (10, None)


def test_sdcmicro_tests_for_the_same_risks():
    frame = pd.DataFrame({"a": A, "b": B, "c": C, "weight": WEIGHTS})
    assert journalist(survey(frame)).before.records == pytest.approx(WHOLE, abs=5e-9)
    frame.loc[7, "a"], frame.loc[2, "c"], frame.loc[6, "c"] = np.nan, np.nan, np.nan
    one = journalist(survey(frame), missing="any")
    assert one.before.records == pytest.approx(GAPS, abs=5e-10)
    prosecutor = kc.risks(survey(frame), attackers=[kc.Prosecutor()], missing="any").found[0]
    assert (1 / prosecutor.before.records).tolist() == [3, 1, 4, 2, 3, 3, 1, 5]


def test_what_missing_cells_change_is_said():
    frame = pd.DataFrame({"a": A, "b": B, "c": C, "weight": WEIGHTS})
    assert not kc.risks(survey(frame)).notes
    frame.loc[7, "a"], frame.loc[2, "c"], frame.loc[6, "c"] = np.nan, np.nan, np.nan
    own, any = (kc.risks(survey(frame), missing=missing) for missing in ("own", "any"))
    assert own.notes == any.notes and own.notes[0] == (
        "If missing cells count as a value of their own, the prosecutor's risk is 87.5 % on average and 100"
        " % at worst in the original. If they fit every value, it is 49.4 % on average and 100 % at worst"
        " in the original."
    )
    table = survey(frame)
    (note,) = kc.risks(table, kc.anonymize(table, kc.MDAV(), 2, 1)).notes
    assert note.startswith(
        "If missing cells count as a value of their own, the prosecutor's risk is 87.5 % on"
    )
    assert note.count(" in the original") == note.count(" in the release") == 2
    assert own.found[0].before.average == 0.875 and any.found[0].before.average == pytest.approx(0.49375)


def test_the_difference_is_not_looked_for_where_it_would_take_long(monkeypatch):
    frame = pd.DataFrame({"a": A, "b": B, "c": C, "weight": WEIGHTS}).astype(float)
    frame.loc[7, "a"], frame.loc[2, "c"] = np.nan, np.nan
    assert kc.risks(survey(frame)).notes
    monkeypatch.setattr(measuring, "MOST_PATTERNS", 2)  # none missing, a, c
    assert not kc.risks(survey(frame)).notes and kc.risks(survey(frame), missing="any").notes


def test_weights_are_numbers_above_zero_in_one_column_and_never_published():
    table = survey(GUIDE)
    release = kc.anonymize(table, kc.Sorting(), k=2, seed=1)
    assert "weight" not in release.publish() and "weight" not in release.columns
    assert all(verdict.holds for verdict in release.verdicts)
    before, after = (lambda one: (one.before, one.after))(journalist(table, release))
    assert after.average < before.average and after.worst < before.worst
    for wrong, said in (
        ([0] * 10, "10 records (the first is number 1)"),
        (list("abcdefghij"), "must be numeric"),
    ):
        (one,) = kc.risks(survey(GUIDE.assign(weight=wrong)), attackers=[kc.Journalist()]).found
        assert said in one.problem and one.before is None
    two = survey(GUIDE.assign(other=1.0))
    two = two.with_schema(two.schema.with_roles({"other": "sampling_weight"}))
    assert "give it to only one of them" in kc.risks(two).found[1].problem


def by_sums(f: int, p: float, discount: float = 0.0) -> float:
    others = np.arange(400_000)
    return float((nbinom.pmf(others, f - discount, p) / (f + others)).sum())


@pytest.mark.deep
@looped("f, p", [(f, p) for f in (1, 2, 3, 4, 7, 40, 300) for p in (0.003, 0.02, 0.3, 0.9, 0.999)])
def test_the_mean_of_one_over_f_by_its_sum_and_in_closed_form(f, p):
    (found,) = inverse_mean(np.array([f]), p)
    assert found == pytest.approx(by_sums(f, p), rel=1e-9)
    q = 1 - p
    closed = {
        1: p / q * math.log(1 / p),
        2: p / q**2 * (p * math.log(p) + q),
        3: p / (2 * q**3) * (q * (3 * q - 2) - 2 * p**2 * math.log(p)),
    }
    if f in closed:
        assert found == pytest.approx(closed[f], rel=1e-6)
    (found,) = inverse_mean(np.array([f]), p, 0.6)
    assert found == pytest.approx(by_sums(f, p, 0.6), rel=1e-9)


def test_who_is_surely_in_the_sample_is_alone_among_it():
    assert inverse_mean(np.array([1, 2, 50]), 1.0).tolist() == [1, 0.5, 0.02]
    tiny = inverse_mean(np.array([1, 2, 9, 5000]), 1e-9)
    assert tiny == pytest.approx([1e-9 * math.log(1e9), 1e-9, 1e-9 / 8, 1e-9 / 4999], rel=1e-5)


CLASSES = np.array([1] * 40 + [2] * 15 + [3] * 5 + [8] * 2 + [19])


def test_zayatz_by_the_hypergeometric_probabilities():
    n, people = int(CLASSES.sum()), 1_000
    sizes, times = np.unique(CLASSES, return_counts=True)
    model = Zayatz(CLASSES, people)
    for f in sizes:
        chance = np.array([hypergeom.pmf(f, people, j, n) for j in sizes]) * times / times.sum()
        expected = (chance / chance.sum() / sizes).sum()
        assert model.risk(np.array([f])) == pytest.approx([expected])
    alone = np.array([hypergeom.pmf(1, people, j, n) for j in sizes]) * times / times.sum()
    assert model.uniques() == pytest.approx(40 * (alone[0] / alone.sum()) * people / n)
    assert Zayatz(CLASSES, n).risk(CLASSES) == pytest.approx(1 / CLASSES)
    assert Zayatz(np.array([3, 4]), 100).uniques() == 0


def log_likelihood(theta: float, alpha: float) -> float:
    """Return the logarithm of the likelihood from the products of Pitman's formula, up to a constant."""
    n = int(CLASSES.sum())
    value = sum(math.log(theta + i * alpha) for i in range(1, len(CLASSES)))
    value -= sum(math.log(theta + i) for i in range(1, n))
    return value + sum(math.log(i - alpha) for f in CLASSES for i in range(1, f))


def test_no_other_parameters_of_pitmans_formula_are_likelier():
    found = pitman(CLASSES, 10_000)
    best = log_likelihood(found.theta, found.alpha)
    thetas, alphas = np.geomspace(0.1, 1_000, 30), np.linspace(0, 0.95, 20)
    assert all(log_likelihood(theta, alpha) <= best + 1e-6 for theta in thetas for alpha in alphas)
    for step in (0.99, 1.01):
        assert log_likelihood(found.theta * step, found.alpha) < best
        assert log_likelihood(found.theta, found.alpha * step) < best


def test_pitmans_risk_is_that_of_the_process_but_for_one_in_n():
    model = Pitman(theta=60.0, alpha=0.4, sample=2_000, people=20_000)
    others = np.arange(18_001)
    for f in (1, 2, 5, 20):
        chance = betabinom.pmf(others, 18_000, f - 0.4, 2_060 - f + 0.4)
        assert model.risk(np.array([f])) == pytest.approx([(chance / (f + others)).sum()], rel=3e-3)


def test_pitman_tells_the_population_that_a_sample_is_of():
    """A population made by the process itself: its parameters, its uniques, the risk of a sample's people."""
    rng = np.random.default_rng(3)
    theta, alpha, people = 100.0, 0.5, 20_000
    kind, sizes = np.zeros(people, np.int64), list[int]()
    for person in range(people):
        if rng.random() < (theta + alpha * len(sizes)) / (person + theta):
            kind[person] = len(sizes)
            sizes.append(1)
        else:
            while True:  # one of those before, kept with probability 1 − α / size
                other = kind[rng.integers(person)]
                if rng.random() < 1 - alpha / sizes[other]:
                    break
            kind[person] = other
            sizes[other] += 1
    population = np.bincount(kind)
    sample = kind[rng.permutation(people)[:2_000]]
    in_sample = np.bincount(sample, minlength=len(population))
    model = pitman(in_sample[in_sample > 0], people)
    assert model.alpha == pytest.approx(alpha, abs=0.06)
    assert model.uniques() == pytest.approx((population == 1).sum(), rel=0.12)
    true = (1 / population[sample]).mean()
    assert model.risk(in_sample[sample]).mean() == pytest.approx(true, rel=0.12)
    plain = Fraction(in_sample[in_sample > 0], people).risk(in_sample[sample]).mean()
    assert plain < 0.7 * true  # which is why the model matters


@looped("model", ["pitman", "zayatz", "fraction"])
def test_a_larger_population_is_less_risk_and_the_table_alone_the_prosecutors(model):
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.MDAV(), k=4, seed=1)
    risks = [journalist(table, release, kc.Population(size, model)) for size in (100, 200, 2_000, 10**9)]
    for side in ("before", "after"):
        found = [getattr(one, side) for one in risks]
        averages = [one.average for one in found]
        assert averages == sorted(averages, reverse=True) and all(one.worst <= 1 for one in found)
        (prosecutor,) = kc.risks(table, release, [kc.Prosecutor()]).found
        assert (found[0].records <= getattr(prosecutor, side).records + 1e-12).all()
    assert journalist(table, release).after.average == prosecutor.after.average


REGISTER = kc.Table.from_frame(
    pd.DataFrame({"sex": list("FFFFMMMM"), "age": [30, 31, 32, 33, 30, 31, 60, 61], "name": list("abcdefgh")})
)
SAMPLE = table_of(age=[30, 31, 60, 33], sex=["F", "F", "M", "F"])


def test_a_table_of_the_population_is_counted():
    release = release_of(SAMPLE, [0, 0, 1, 1], k=2)  # [30, 31], F · [33, 60], {F, M}
    one = journalist(SAMPLE, release, REGISTER)
    assert one.before.records.tolist() == [1, 1, 1, 1]
    assert one.after.records.tolist() == [0.5, 0.5, 0.5, 0.5]
    marketer = kc.risks(SAMPLE, release, [kc.Marketer()], REGISTER).found[0]
    assert marketer.after.average == 0.5
    wide = release_of(SAMPLE, [0, 0, 0, 0], k=4)  # [30, 60], {F, M}
    assert journalist(SAMPLE, wide, REGISTER).after.records == pytest.approx([1 / 7] * 4)


@looped("seed", range(4))
def test_a_table_of_the_population_by_brute_force(seed):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": rng.integers(20, 40, 300), "town": rng.choice(list("ABCDE"), 300)})
    frame.loc[rng.integers(0, 300, 5), "age"] = np.nan
    rows = rng.choice(300, 60, replace=False)
    table, register = kc.Table.from_frame(frame.iloc[rows]), kc.Table.from_frame(frame)
    release = kc.anonymize(table, kc.MDAV(), k=3, seed=seed)
    one = journalist(table, release, register)
    own = table.frame.apply(tuple, axis=1).map(str)
    alike = frame.apply(tuple, axis=1).map(str).value_counts()
    assert 1 / one.before.records == pytest.approx(alike[own.tolist()].to_numpy())
    for record in range(len(table)):
        low, high, gaps = (getattr(release["age"].cells, part) for part in ("low", "high", "partly_missing"))
        cell, towns = release["age"].cell[record], release["town"].cells.as_sets()
        place = release["town"].cell[record]
        named = {table["town"].labels[c] for c in towns.codes[towns.starts[place] : towns.starts[place + 1]]}
        age = frame["age"]
        fits = ((low[cell] <= age) & (age <= high[cell])) | (age.isna() & gaps[cell])
        fits |= age.isna() & np.isnan(low[cell])
        assert 1 / one.after.records[record] == pytest.approx((fits & frame["town"].isin(named)).sum())


def test_a_table_that_is_not_of_the_population_is_told():
    def problem(register, table=SAMPLE):
        (one,) = kc.risks(table, attackers=[kc.Journalist()], population=register).found
        return one.problem

    small = kc.Table.from_frame(REGISTER.frame.iloc[:3])
    assert problem(small).startswith("The population (3 people) must be at least as large as the table (4)")
    assert "has no column “age”" in problem(table_of(sex=["F"] * 9))
    named = SAMPLE.frame.assign(who=[1, 1, 2, 3])
    people = kc.Table.from_frame(named, kc.Schema.infer(named).with_roles({"who": "person"}))
    assert "one row for each person" in problem(REGISTER, people)
    other = table_of(age=[31.0, 30, 60, 99], sex=["F", "F", "M", "X"])
    one = journalist(other, None, REGISTER)
    assert one.notes == (
        "1 record fits nobody in the population table; the records that are indistinguishable from it are"
        " counted instead.",
    )
    assert one.before.records.tolist() == [1, 1, 1, 1]
    means = other.with_schema(other.schema.with_roles({"sex": "other"}).with_recodings({"age": "mean"}))
    (told,) = kc.risks(means, release_of(means, [0, 0, 1, 1]), [kc.Journalist()], REGISTER).found
    assert "mean, median or mode" in told.problem

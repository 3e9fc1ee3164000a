"""Results that the papers print beside their main tables, made again: values by other code, statements that
can fail."""

from __future__ import annotations

import dataclasses
from collections import Counter
from itertools import permutations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.cli import main
from kanon_core.papers import Source, frame_of, reproduction
from kanon_core.papers.maskings import METHODS, MaskingTable
from kanon_core.papers.matchings import KINDS, MatchingFigures, counted, shares_by_distance
from kanon_core.papers.mil import CURVES, MILFigures, MILTables, ThesisTables, distance_of_sample
from kanon_core.papers.printed import LOSSES, loss
from kanon_core.papers.printed import METHODS as STARTS
from kanon_core.table.distributions import DISTRIBUTIONS


def of(rows, table: str, **place):
    return [row for row in rows if row.part.table == table and place.items() <= row.place.items()]


def worse(rows, factor: float, which):
    """The rows with the values of those that are meant multiplied."""
    return [
        dataclasses.replace(row, values=tuple(factor * v for v in row.values)) if which(row) else row
        for row in rows
    ]


def verdicts(made, rows) -> dict[str, str]:
    return {check.sentence[:24]: check.verdict for check in made.checks(rows)}


@pytest.fixture(scope="module")
def thesis():
    return list(ThesisTables(largest=100, seeds=3).rows())


@pytest.fixture(scope="module")
def figures():
    return list(MILFigures(largest=100, seeds=3).rows())


@pytest.fixture(scope="module")
def maskings():
    return list(MaskingTable(records=120, seeds=2).rows())


@pytest.mark.deep
def test_tables_of_the_thesis_are_complete(thesis):
    assert Counter(row.part.table for row in thesis) == {
        **{"table 3.1": 9, "table 3.2": 9, "table A.2": 56, "table A.3": 56, "table A.4": 56, "table A.9": 4}
    }
    assert all(row.printed is not None for row in thesis)
    assert all(len(text.split()) == 14 for methods in LOSSES.values() for text in methods.values())
    assert loss("table A.3", "V-MDAV", 13) == 0.010473 and loss("table A.4", "MDAV + MIL", 9) == 0.003311
    assert [row.mean for row in of(thesis, "table 3.1", measured="I(D)")] == [56, 1440, 648]
    assert [row.mean for row in of(thesis, "table 3.2", measured="I(D̂)")] == [48, 160, 160]


def test_losses_are_those_of_the_mil_tables(thesis):
    """The same samples, made by the other reproduction."""
    others = [
        task.make(lambda *_: None) for task in MILTables(seeds=3).tasks() if task.part.table == "table 3"
    ]
    assert [list(row.values) for row in of(thesis, "table A.3")] == [list(values) for values in others]


def test_statements_of_the_thesis_count_all_numbers_and_can_fail(thesis):
    made = ThesisTables(largest=100, seeds=3)
    said = [check.sentence for check in made.checks(thesis)]
    assert said[0].endswith("18 of 18 numbers agree.")
    assert said[1] == "MIL never raises the loss. 252 of 252 runs agree."
    assert said[2] == "In the printed numbers, MIL never raises the loss. 84 of 84 pairs of numbers agree."
    assert said[3].endswith("17 of 17 such k agree.")
    assert said[4].endswith("unchanged where k divides N. 17 of 17 pairs of numbers agree.")
    assert (
        sum("of 56 printed numbers are within the range of our 3 samples (28 are" in one for one in said) == 3
    )
    assert sum(one.startswith("Table A.9") for one in said) == 2 and not made.checks([])
    (most,) = [one for one in said if "within 40 % of the paper's." in one]
    assert " of 2 numbers agree" in most
    broken = worse(
        thesis, 3.0, lambda row: "MIL" in str(row.place.get("method")) or row.part.unit != "SSE / SST"
    )
    found = verdicts(made, broken)
    assert {check.verdict for check in made.checks(broken) if check.must} == {"FAILS"}
    assert sum(check.must for check in made.checks(broken)) == 3
    assert found["Tables 3.1 and 3.2: our "] == "FAILS"
    assert {check.verdict for check in made.checks(broken) if "A.9" in check.sentence} == {"differs here"}
    far = worse(thesis, 100.0, lambda row: row.part.table == "table A.2")
    (ranged,) = [check for check in made.checks(far) if check.sentence.startswith("Table A.2")]
    assert ranged.verdict == "differs here" and "0 of 56" in ranged.sentence and "beyond" in ranged.sentence


@pytest.mark.deep
def test_figures_of_mil_have_every_k(figures):
    for figure, (name, start) in CURVES.items():
        half = DISTRIBUTIONS[name].size // 2
        places = [tuple(row.place.values()) for row in of(figures, figure)]
        assert places == [(k, method) for k in range(2, half + 1) for method in (start, f"{start} + MIL")]
    assert [row.place["k"] for row in of(figures, "figure 9")] == list(range(2, 51))
    tables = [task for task in MILTables(seeds=3).tasks() if task.part.table == "table 2"]
    made = {tuple(task.place.values()): tuple(task.make(lambda *_: None)) for task in tables}
    for row in (*of(figures, "figure 1"), *of(figures, "figure 2")):
        assert row.values == made.get(tuple(row.place.values()), row.values)
    assert len(frame_of(figures)) == len(figures)


def test_densities_are_those_of_the_mixtures(figures):
    from scipy.stats import kstest, norm

    for figure, name in (("figure 3", "DS1"), ("figure 6", "DS9")):
        parts, curve = DISTRIBUTIONS[name].parts, [r for r in of(figures, figure) if "x" in r.place]
        for row in curve:
            exact = np.mean([norm(mean, sd).pdf(float(row.place["x"])) for mean, sd in parts])
            assert row.mean == pytest.approx(exact, rel=5e-3, abs=1e-6)
        values = np.sort(DISTRIBUTIONS[name].sample(np.random.default_rng(1)))
        below = lambda x, parts=parts: np.mean([norm(mean, sd).cdf(x) for mean, sd in parts], axis=0)  # noqa: E731
        assert distance_of_sample(values, name) == pytest.approx(kstest(values, below).statistic)


def test_statements_of_the_figures_can_fail(figures):
    made = MILFigures(largest=100, seeds=3)
    said = [check.sentence for check in made.checks(figures)]
    assert "1,782 of 1,782 runs agree." in said[0] and "33 of 33 such k agree." in said[1]
    assert sum("N mod k ≥ k / 2" in one for one in said) == sum("up to N / 4" in one for one in said) == 6
    assert sum("the area below the 49 points is 1.0000" in one for one in said) == 2
    assert any(one.startswith("§4.3: ") and "of 12 printed numbers" in one for one in said)
    assert not made.checks([])
    raised = worse(figures, 2.0, lambda row: "MIL" in str(row.place.get("method")))
    assert verdicts(made, raised)["MIL never raises the los"] == "FAILS"
    flat = worse(figures, 0.5, lambda row: row.part.unit == "f(x)")
    assert verdicts(made, flat)["Figure 3: the area below"] == "differs here"


def test_stopped_anywhere_statements_are_of_whole_tables(figures, thesis, maskings):
    """Whatever rows are there: no error, no defect, and no area below half a curve."""
    matchings = MatchingFigures(records=20, visits=20, seeds=1)
    for made, rows, step in [
        (MILFigures(largest=100, seeds=3), figures, 97),
        (ThesisTables(largest=100, seeds=3), thesis, 5),
        (MaskingTable(records=120, seeds=2), maskings, 1),
        (matchings, list(matchings.rows()), 1),
    ]:
        for count in range(0, len(rows), step):
            checks = made.checks(rows[:count])
            assert all(check.holds for check in checks if check.must or "the area below" in check.sentence)
    half = [row for row in of(figures, "figure 3") if "x" in row.place][:20]
    assert not MILFigures().checks(half)


def test_kinds_of_matchings_by_looking_at_all_of_them():
    for n in range(2, 8):
        found: Counter[str] = Counter()
        for one in permutations(range(n)):
            lengths, seen = [], set()
            for start in range(n):
                length, at = 0, start
                while at not in seen:
                    seen.add(at)
                    at, length = one[at], length + 1
                lengths += [length] if length else []
            symmetric = all(one[one[i]] == i != one[i] for i in range(n))
            cyclic = lengths == [n]
            found["all"] += 1
            found["identity"] += all(one[i] == i for i in range(n))
            found["no true edge"] += all(one[i] != i for i in range(n))
            found["symmetric"] += symmetric
            found["cyclic"] += cyclic
            found["symmetric and cyclic"] += symmetric and cyclic
        assert {kind: counted(n, kind) for kind in KINDS} == dict(found)


def test_figures_of_distances_and_the_misprint():
    made = MatchingFigures(records=60, visits=40, seeds=2)
    rows = list(made.rows())
    for figure in ("figure 11", "figure 12"):
        shares = np.array([row.values for row in of(rows, figure)])
        assert shares.shape == (20, 2) and shares.sum(axis=0) == pytest.approx([1, 1])
    checks = made.checks(rows)
    assert "27 of 27" in checks[0].sentence and checks[0].holds
    assert "3 of 4 printed counts agree" in checks[1].sentence and "3,628,800" in checks[1].sentence
    assert all(check.holds for check in checks) and len(checks) == 4
    other = worse(rows, 2.0, lambda row: row.place.get("kind") == "symmetric")
    assert {check.verdict for check in made.checks(other)[:3]} == {"FAILS"}
    swapped = [
        dataclasses.replace(
            row, part=dataclasses.replace(row.part, table=f"figure {23 - int(row.part.table[7:])}")
        )
        if row.part.table in ("figure 11", "figure 12")
        else row
        for row in rows
    ]
    assert made.checks(swapped)[-1].verdict == "differs here" and not made.checks([])


def test_distances_by_hand():
    import pandas as pd

    # Distances 0.5, 1 and 0.5 of the range: 0.5, 1, 0.5 of the greatest, the 10th and the last twentieth.
    shares = shares_by_distance(kc.Table.from_frame(pd.DataFrame({"x": [0, 5, 10]})))
    assert shares[10] == pytest.approx(2 / 3) and shares[19] == pytest.approx(1 / 3)
    assert shares_by_distance(kc.Table.from_frame(pd.DataFrame({"x": [3, 3]}))).tolist()[0] == 1


def test_methods_of_the_list_stand_beside_microaggregation(maskings):
    parts = list(dict.fromkeys(row.part for row in maskings))
    assert len(parts) == 5
    assert all([r.place["method"] for r in maskings if r.part == part] == list(METHODS) for part in parts)
    made = MaskingTable(records=120, seeds=2)
    checks = made.checks(maskings)
    assert "it is 0 in 6 of 6 releases" in checks[0].sentence
    linked = [check for check in checks if "at most 1 in k, in 6 of 6 releases" in check.sentence]
    assert len(linked) == 2 and all(check.holds and check.must for check in (checks[0], *linked))
    assert "lower the stronger the noise in 4 of 4 steps" in checks[1].sentence
    told = worse(maskings, 50.0, lambda row: row.part.unit == "share")
    assert {c.verdict for c in made.checks(told) if "1 in k" in c.sentence} == {"FAILS"}
    lost = [
        dataclasses.replace(r, values=(0.5, 0.5)) if str(r.place["method"]).startswith("swapping") else r
        for r in maskings
    ]
    assert made.checks(lost)[0].verdict == "FAILS" and not made.checks([])


def test_a_given_table_is_taken_or_refused_in_a_sentence(capsys):
    people = Source(kc.read_table("sample:people-100"), "“people”")
    rows = list(MaskingTable(records=50, seeds=1).rows(people))
    assert "“age”, “sex”" in rows[0].part.data
    with pytest.raises(InputError, match="set “records” to less"):
        MaskingTable().tasks(people)
    for cls in (ThesisTables, MILFigures):
        with pytest.raises(InputError, match="leave the file out"):
            cls().tasks(people)
    assert list(MatchingFigures(visits=50).rows(people))[-40].part.data.endswith("latitude and longitude")


@pytest.mark.deep
def test_the_command_line_prints_them(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert reproduction("mil-figures") is MILFigures and len(STARTS) == 4
    assert main(["reproduce", "thesis", "--largest", "100", "--seeds", "2"]) == 0
    shown = capsys.readouterr().out
    assert "Table 3.2: the same with p = 1" in shown and "0.04762" in shown
    assert main(["reproduce", "matchings", "--records", "50", "--seeds", "1", "--out", "rows.csv"]) == 0
    assert "3,628,880" in capsys.readouterr().out
    assert (tmp_path / "rows.csv").exists()

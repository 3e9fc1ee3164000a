"""The numbers in sentences, computed again from the data without the narrations."""

import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.teaching.explain import Story, make_story
from tests.helpers import looped

NUMBER = r"(−?[\d,.]+(?:e[-+]\d+)?)"


def value(text: str) -> float:
    return float(text.rstrip(".").replace(",", "").replace("−", "-"))


def near(expected: float):
    """Equal to four digits, as sentences give them."""
    return pytest.approx(expected, rel=6e-4, abs=1e-9)


def story(frame: pd.DataFrame, algorithm: kc.Algorithm, k: int, seed: int = 1) -> Story:
    schema = kc.Schema.infer(frame).with_quasi(list(frame.columns))
    return make_story(kc.Table.from_frame(frame, schema), algorithm, k, seed=seed)


def covers(found: Story) -> list[np.ndarray]:
    """The cover after each step, in the order of the table."""
    given = []
    for step in found.steps:
        cover = np.empty_like(step.cover)
        cover[found.run.records] = step.cover
        given.append(cover)
    return given


def plane(n: int, seed: int) -> pd.DataFrame:
    return pd.DataFrame(np.random.default_rng(seed).normal(size=(n, 2)), columns=["x", "y"])


def line(n: int, seed: int) -> pd.DataFrame:
    return pd.DataFrame({"x": np.random.default_rng(seed).integers(-40, 60, n)})


def mixed(n: int, seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    age = rng.integers(18, 90, n)
    return pd.DataFrame({"age": age, "city": rng.choice(["Lima", "Oslo", "Quito"], n)})


def apart(frame: pd.DataFrame) -> np.ndarray:
    """All distances: numbers in standard deviations, √2 for two different words."""
    squares = np.zeros((len(frame), len(frame)))
    for name in frame:
        column = frame[name].to_numpy()
        if frame[name].dtype.kind in "if":
            squares += np.subtract.outer(column, column) ** 2 / column.std(ddof=1) ** 2
        else:
            squares += 2.0 * (column[:, None] != column)
    return np.sqrt(squares)


def sse(values: np.ndarray, cover: np.ndarray) -> float:
    return sum(((v - v.mean(axis=0)) ** 2).sum() for v in (values[cover == g] for g in np.unique(cover)))


@looped("seed", range(4))
@looped("make", [plane, mixed])
def test_both_sides_of_every_test_of_vmdav(make, seed):
    frame, gamma = make(40, seed), 0.8
    found, distances = story(frame, kc.VMDAV(gamma=gamma), 3), apart(make(40, seed))
    tests = 0
    for (before, after), step in zip(pairwise(covers(found)), found.steps[1:], strict=True):
        said = rf"Record (\d+) is {NUMBER} from the group, and {NUMBER} from the nearest other record left:"
        match = re.match(said, step.sentence)
        if not match:
            continue
        tests += 1
        record = int(match[1]) - 1
        group = np.flatnonzero(before == before.max())  # the last that was made
        left = np.setdiff1d(np.flatnonzero(before < 0), [record])
        d_in, d_out = distances[record, group].min(), distances[record, left].min()
        assert (value(match[2]), value(match[3])) == (near(d_in), near(d_out))
        joined = after[record] >= 0
        assert joined == ("joins" in step.sentence)
        assert joined == (d_in < gamma * d_out) or d_in == pytest.approx(gamma * d_out, rel=1e-12)
    assert tests > 5


@looped("seed", range(6))
@looped("start", [kc.VMDAV(gamma=1.0), kc.Sorting(), kc.MDAV()])
def test_x_is_what_its_formula_gives_and_what_the_loss_changes_by(start, seed):
    frame = line(30, seed)
    found, values = story(frame, kc.MIL(start), 4), frame["x"].to_numpy(float)[:, None]
    for (before, after), step in zip(pairwise(covers(found)), found.steps[1:], strict=True):
        match = re.search(rf"X = (.*) = {NUMBER}( >| <|,)", step.sentence)
        if not match:
            continue
        formula = match[1].replace("·", "*").replace("²", "**2").replace("−", "-")
        x, second = value(match[2]), "its first is" in step.sentence
        assert eval(formula, {"__builtins__": {}}) == pytest.approx(x, rel=2e-2, abs=0.1)
        if not np.array_equal(before, after):
            change = sse(values, after) - sse(values, before)
            assert change < 0 and x == near(-change if second else change)
    begin = next(step.sentence for step in found.steps if step.sentence.startswith("From left"))
    assert value(begin.split()[-1]) == near(
        sse(values, covers(found)[[s.sentence for s in found.steps].index(begin)])
    )


@looped("seed", range(4))
def test_every_last_group_costs_what_is_said(seed):
    frame, k = line(24, seed), 3
    found = story(frame, kc.OptimalUnivariate(), k)
    ascending = np.sort(frame["x"].to_numpy(float))
    least = [0.0] + [np.inf] * len(ascending)
    for end in range(k, len(ascending) + 1):
        for size in range(k, end + 1):
            run = ascending[end - size : end]
            least[end] = min(least[end], least[end - size] + ((run - run.mean()) ** 2).sum())
    compared = 0
    for step in found.steps:
        if not (head := re.match(r"F\((\d+)\), the first", step.sentence)):
            continue
        end, sums = int(head[1]), []
        said = rf"last (\d+): F\((\d+)\) \+ SSE = {NUMBER} \+ {NUMBER} = {NUMBER}"
        for size, rest, before, own, whole in re.findall(said, step.sentence):
            run = ascending[end - int(size) : end]
            assert int(rest) == end - int(size) and value(before) == near(least[int(rest)])
            assert value(own) == near(((run - run.mean()) ** 2).sum())
            sums.append(value(whole))
        assert sums[0] == min(sums) == near(least[end])
        compared += 1
    assert compared == 22  # F(3) … F(24)


@looped("seed", range(4))
@looped("cut", ["median", "gain"])
def test_extents_prices_and_sides_of_mondrian(cut, seed):
    frame = mixed(40, seed)
    found, told_cuts = story(frame, kc.Mondrian(cut=cut), 3), 0
    whole = {"age": np.ptp(frame["age"].to_numpy()), "city": frame["city"].nunique() - 1}

    def extents(part: pd.DataFrame) -> dict[str, float]:
        return {
            "age": float(np.ptp(part["age"].to_numpy())) / whole["age"],
            "city": (part["city"].nunique() - 1) / whole["city"],
        }

    for (before, after), step in zip(pairwise(covers(found)), found.steps[1:], strict=True):
        moved = np.flatnonzero(before != after)
        if not len(moved):
            continue
        told_cuts += 1
        mine = before == before[moved[0]]
        part, right = frame[mine], frame[mine & (after == after[moved[0]])]
        left = frame[mine & (after != after[moved[0]])]
        assert f"A part of {len(part)} records." in step.sentence
        if cut == "median":
            said = dict(re.findall(rf"“(age|city)” {NUMBER}[,.]", step.sentence))
            assert {name: value(text) for name, text in said.items()} == {
                name: near(extent) for name, extent in extents(part).items()
            }
        else:
            before_cut = re.search(rf"their NCP is {NUMBER};", step.sentence)
            assert value(before_cut[1]) == near(len(part) * sum(extents(part).values()) / 2)
            best = re.search(rf"leaves {NUMBER}[,.]", step.sentence)
            after_cut = sum(len(side) * sum(extents(side).values()) / 2 for side in (left, right))
            assert value(best[1]) == near(after_cut)
        if sides := re.search(r"“age” is cut.*: (\d+) records up to (\d+), (\d+) from (\d+)", step.sentence):
            low, high = sorted((left, right), key=lambda side: side["age"].min())
            ends = [len(low), low["age"].max(), len(high), high["age"].min()]
            assert [int(number) for number in sides.groups()] == ends
    assert told_cuts > 3


@looped("seed", range(4))
@looped("exact", [False, True])
def test_costs_of_pairing_add_up(exact, seed):
    frame = mixed(20, seed)
    found = story(frame, kc.Pairing(exact=exact), 2, seed)
    age = frame["age"].to_numpy()
    distances = np.abs(np.subtract.outer(age, age)) / np.ptp(age)
    city = frame["city"].to_numpy()
    distances = distances + (city[:, None] != city)
    told_sums = 0
    for cover, step in zip(covers(found), found.steps, strict=True):
        so_far = sum(distances[np.ix_(m, m)].sum() for m in groups_of(cover))
        if match := re.search(rf"all(?: so far)? cost {NUMBER}\.", step.sentence):
            told_sums += 1
            assert value(match[1]) == near(so_far)
    assert told_sums == 10


def groups_of(cover: np.ndarray) -> list[np.ndarray]:
    return [np.flatnonzero(cover == group) for group in np.unique(cover[cover >= 0])]


@looped("seed", range(3))
@looped("loss", ["sse", "ncp"])
def test_what_refine_kept_adds_up(loss, seed):
    frame = mixed(40, seed)
    found = story(frame, kc.Refine(kc.Sorting(("age",)), loss, steps=40), 4)
    scaled = np.column_stack(
        [
            frame["age"] / frame["age"].std(),
            *(frame["city"].eq(city).to_numpy(float) for city in frame["city"].unique()),
        ]
    ).astype(float)

    def lost(cover: np.ndarray) -> float:
        if loss == "sse":
            return sse(scaled, cover)
        each = [frame[cover == group] for group in np.unique(cover)]
        age, cities = np.ptp(frame["age"].to_numpy()), frame["city"].nunique() - 1
        widths = [np.ptp(g["age"].to_numpy()) / age + (g["city"].nunique() - 1) / cities for g in each]
        return sum(len(g) * w / 2 for g, w in zip(each, widths, strict=True)) / len(frame)

    after = covers(found)
    place = next(i for i, step in enumerate(found.steps) if step.sentence.startswith("The search took"))
    fell = re.search(rf"fell from {NUMBER} to {NUMBER}\.", found.steps[place].sentence)
    assert (value(fell[1]), value(fell[2])) == (near(lost(after[place])), near(lost(after[-1])))
    changes = [
        re.search(rf"with {loss.upper()} {NUMBER} together become \d+ with {NUMBER}[:.]", step.sentence)
        for step in found.steps[place + 1 :]
    ]
    gained = sum(value(change[1]) - value(change[2]) for change in changes if change)
    assert gained == pytest.approx(lost(after[place]) - lost(after[-1]), rel=5e-3)


@pytest.mark.parametrize(
    "algorithm",
    [kc.MDAV(), kc.VMDAV(gamma=1.0), kc.Sorting(), kc.Mondrian(), kc.Pairing(), kc.Refine(steps=20)],
    ids=lambda one: type(one).__name__,
)
def test_200_records_are_told_in_about_150_steps(algorithm):
    assert len(story(plane(200, 0), algorithm, 2).steps) <= 160


def test_200_numbers_are_told_in_about_150_steps():
    for algorithm in (kc.OptimalUnivariate(), kc.MIL(kc.VMDAV(gamma=1.0))):
        assert len(story(line(200, 0), algorithm, 2).steps) <= 160

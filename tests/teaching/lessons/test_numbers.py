"""Every number that a lesson shows, found once more: by hand, or by loops over plain lists."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from kanon_core.teaching.lessons import lesson
from kanon_core.teaching.lessons.course import (
    concealment,
    curve,
    limits,
    names,
    ninepoints,
    people,
    repair,
    risk,
    sets,
    twoways,
)
from kanon_core.teaching.lessons.small_tables import clinic, released

PEOPLE = list(
    zip(*(clinic().frame[name].tolist() for name in ("age", "sex", "district", "illness")), strict=True)
)
KNOWN = [person[:3] for person in PEOPLE]


def facts(name: str, number: int, k: int | None = None) -> dict[str, float]:
    """Return the facts of screen ``number``, counted from 1."""
    return dict(lesson(name).screens[number - 1].result(k).facts)


def holds(cell: str, value: object) -> bool:
    """Return whether a published cell is true of a value: an interval, a set, or the value itself."""
    if cell.startswith("["):
        low, high = map(float, cell.strip("[]").split(", "))
        return low <= float(value) <= high  # type: ignore[arg-type]
    if cell.startswith("{"):
        return str(value) in cell.strip("{}").split(", ")
    return cell == str(value)


def rows_of(release) -> list[tuple[str, ...]]:
    """Return the published quasi-identifiers, row by row."""
    return [
        tuple(map(str, row))
        for row in release.to_frame()[[c.attribute.name for c in release.published]].to_numpy()
    ]


def sse(values, groups) -> float:
    total = 0.0
    for group in set(groups):
        part = [v for v, g in zip(values, groups, strict=True) if g == group]
        total += sum((v - sum(part) / len(part)) ** 2 for v in part)
    return total


def loss(values, groups) -> float:
    return sse(values, groups) / sse(values, [0] * len(values))


def test_names():
    alike = Counter(KNOWN)
    assert facts("names", 1)["records"] == len(PEOPLE)
    found = facts("names", 2)
    sought = (found["age"], "M", "South")
    assert found["fits"] == sum(person == sought for person in KNOWN) == 1
    assert KNOWN[int(found["row"]) - 1] == sought
    assert found["same_age"] == sum(person[0] == found["age"] for person in KNOWN)
    found = facts("names", 3)
    least = [min(Counter(person[i] for person in KNOWN).values()) for i in range(3)]
    assert [found[f"least_{name}"] for name in ("age", "sex", "district")] == least
    assert found["alone"] == sum(alike[person] == 1 for person in KNOWN)
    pairs = [Counter((p[i], p[j]) for p in KNOWN) for i, j in itertools.combinations(range(3), 2)]
    assert facts("names", 4)["pair"] == max(sum(n == 1 for n in pair.values()) for pair in pairs)
    assert facts("names", 4)["hidden"] == len(PEOPLE) - found["alone"]
    members = [
        alike[row] for row in zip(*(names.club().frame[c] for c in ("age", "sex", "district")), strict=True)
    ]
    found = facts("names", 5)
    assert [found["found"], found["several"], found["none"]] == [
        members.count(1),
        sum(n > 1 for n in members),
        members.count(0),
    ]
    for k in range(2, 7):
        from kanon_core.algorithms import Mondrian

        sizes = Counter(rows_of(released(clinic(), Mondrian(), k)))
        found = facts("names", 6, k)
        assert found["least"] == min(sizes.values()) >= k and found["alone"] == 0 and found["before"] == 10


def ncp(release) -> float:
    """The mean over cells: width by range, or 0 for one value of two and 1 for both."""
    ages = [person[0] for person in PEOPLE]
    total = 0.0
    for age, *words in rows_of(release):
        low, high = map(float, age.strip("[]").split(", ")) if "[" in age else (0.0, 0.0)
        total += (high - low) / (max(ages) - min(ages)) + sum("," in word for word in words)
    return total / (3 * len(PEOPLE))


def test_k_anonymity():
    from kanon_core.algorithms import MDAV, Mondrian

    found = facts("k-anonymity", 1)
    pair = [i for i, person in enumerate(KNOWN, 1) if KNOWN.count(person) > 1]
    assert [found["first"], found["second"]] == pair and found["chance"] == 1 / len(pair)
    assert KNOWN[pair[0] - 1][1] == "F" and found["any"] == 1 / len(PEOPLE)
    sizes = Counter(rows_of(released(clinic(), MDAV(), 3)))
    found = facts("k-anonymity", 2)
    assert [found["classes"], found["least"], found["alone"]] == [len(sizes), min(sizes.values()), 0]
    sizes = Counter(rows_of(released(clinic(), Mondrian(), 3)))
    found = facts("k-anonymity", 3)
    assert [found["least"], found["most"], found["mean"], found["reached"]] == [
        min(sizes.values()),
        max(sizes.values()),
        len(PEOPLE) / len(sizes),
        min(sizes.values()),
    ]
    for k in range(2, 7):
        sizes = Counter(rows_of(released(clinic(), MDAV(), k)))
        found = facts("k-anonymity", 4, k)
        assert found["least"] == min(sizes.values()) and found["worst"] == pytest.approx(
            1 / min(sizes.values())
        )
    found = facts("k-anonymity", 5)
    for name, k in (("loss_low", 2), ("half", 4), ("loss_high", 12)):
        assert found[name] == pytest.approx(ncp(released(clinic(), MDAV(), k)))
    rows = rows_of(released(clinic(), MDAV(), 3))
    counts = Counter((row, person[3]) for row, person in zip(rows, PEOPLE, strict=True))
    assert facts("k-anonymity", 6)["alone"] == sum(n == 1 for n in counts.values())


SALARIES = [21, 23, 25, 30, 31, 35, 48, 52, 95]
TRIPLES = [SALARIES[i : i + 3] for i in (0, 3, 6)]


def test_two_ways():
    means = [sum(t) / 3 for t in TRIPLES for _ in t]
    assert twoways.means().tolist() == pytest.approx(means)
    assert twoways.ends().tolist() == [[t[0], t[-1]] for t in TRIPLES for _ in t]
    found = facts("two-ways", 1)
    assert (
        found["equal"] == sum(m == s for m, s in zip(means, SALARIES, strict=True)) and found["inside"] == 9
    )
    middles = sum(3 * (t[0] + t[-1]) / 2 for t in TRIPLES)
    assert facts("two-ways", 2) == {"own": sum(SALARIES), "mean": sum(means), "middle": middles}
    for k, groups in (
        (2, [0, 0, 1, 1, 1, 2, 2, 3, 3]),
        (3, [0, 0, 0, 1, 1, 1, 2, 2, 2]),
        (4, [0] * 5 + [1] * 4),
    ):
        found = facts("two-ways", 3, k)
        assert found["lost"] == pytest.approx(loss(SALARIES, groups)) and found["kept"] == 1 - found["lost"]
        assert [found["lowest"], found["highest"]] == [min(twoways.means(k)), max(twoways.means(k))]
    found = facts("two-ways", 4)
    assert [found["top"], found["low"], found["high"], found["mean"], found["without"]] == [
        95,
        48,
        95,
        65,
        50,
    ]
    assert found["exact"] == 6  # the lowest and the highest of three groups
    found = facts("two-ways", 5)
    rounded = [[math.floor(t[0] / 10) * 10, math.ceil(t[-1] / 10) * 10] for t in TRIPLES]
    assert twoways.ends(3, "10").tolist() == [pair for pair in rounded for _ in range(3)]
    assert found["before"] == pytest.approx(sum(t[-1] - t[0] for t in TRIPLES) / 3 / (95 - 21))
    assert found["loss"] == pytest.approx(sum(b - a for a, b in rounded) / 3 / (95 - 21))
    jobs = twoways.jobs().frame["job"].tolist()
    shown = [max(sorted(set(part)), key=part.count) for part in (jobs[:3], jobs[3:]) for _ in part]
    assert facts("two-ways", 6)["wrong"] == sum(a != b for a, b in zip(jobs, shown, strict=True))


def standardized() -> np.ndarray:
    """The nine points as the algorithms see them: each column in standard deviations."""
    xy = ninepoints.nine().frame.to_numpy(float)
    return (xy - xy.mean(axis=0)) / xy.std(axis=0)


def test_nine_points():
    places = standardized()
    far = np.sqrt((places**2).sum(axis=1))
    scale = facts("nine-points", 2)["far"] / far.max()  # a distance in other units, the same for all
    apart = scale * np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    left, right = [0, 1, 2, 3], [4, 5, 6, 7, 8]
    found = facts("nine-points", 1)
    assert [found["few"], found["many"]] == [len(left), len(right)]
    torn, heaps = [0, 0, 1, 0, 2, 1, 1, 2, 2], [0] * 4 + [1] * 5
    for name, groups in (("three", torn), ("two", heaps)):
        assert found[name] == pytest.approx(np.mean([loss(c.tolist(), groups) for c in places.T]))
    found = facts("nine-points", 2)
    assert found["pivot"] == far.argmax() + 1 and found["reach"] == pytest.approx(np.sort(apart[0])[2])
    found = facts("nine-points", 3)
    widths = sorted(
        max(apart[i, j] for i in range(9) for j in range(9) if torn[i] == torn[j] == g) for g in range(3)
    )
    assert [found["next"], found["wide"]] == pytest.approx(widths[1:])
    assert (
        found["torn"] == sum(len({i in left for i in range(9) if torn[i] == g}) == 2 for g in range(3)) == 1
    )
    found = facts("nine-points", 4)
    assert found["d_in"] == pytest.approx(min(apart[2, i] for i in (0, 1, 3)))
    assert found["d_out"] == pytest.approx(min(apart[2, i] for i in right))
    assert found["limit"] == pytest.approx(found["gamma"] * found["d_out"]) and found["most"] == 5
    found = facts("nine-points", 5)
    assert found["times"] == pytest.approx(found["before"] / found["after"])
    for k in (2, 4):
        found = facts("nine-points", 6, k)
        assert found["mdav"] == found["vmdav"]
    ages = ninepoints.twelve().frame["age"].tolist()
    for k in (3, 4, 5):
        found = facts("nine-points", 7, k)
        assert found["best"] == pytest.approx(min(loss(ages, cut) for cut in cuts(len(ages), k)))
        assert found["best"] <= min(found["mdav"], found["small"], found["large"]) + 1e-12
    assert facts("nine-points", 7, 3)["large"] == pytest.approx(loss(ages, [0] * 5 + [1] * 3 + [2] * 4))


def cuts(n: int, k: int):
    """Every way to cut n sorted values into groups of k or more, as labels."""
    if n < k:
        return
    yield [0] * n
    for size in range(k, n - k + 1):
        for rest in cuts(n - size, k):
            yield [0] * size + [one + 1 for one in rest]


def test_mil():
    ages = repair.eight().frame["age"].tolist()
    before, after = [0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1]
    found = facts("mil", 1)
    assert [found["last"], found["next"], found["end"], found["moved"]] == [24, 25, 64, 25]
    assert found["mean"] == sum(ages[3:]) / 5
    found = facts("mil", 2)
    assert [found["one"], found["two"]] == pytest.approx([sse(ages[:3], [0] * 3), sse(ages[3:], [0] * 5)])
    assert found["share"] == pytest.approx((25 - 54.6) ** 2 / found["two"])
    found = facts("mil", 3)
    assert found["change"] == pytest.approx(sse(ages, after) - sse(ages, before))
    assert found["gain"] == pytest.approx(sse(ages[3:], [0] * 5) - sse(ages[4:], [0] * 4))
    assert found["cost"] == pytest.approx(sse(ages[:4], [0] * 4) - sse(ages[:3], [0] * 3))
    found = facts("mil", 4)
    assert [found["before"], found["after"]] == pytest.approx([sse(ages, before), sse(ages, after)])
    assert found["judgements"] == len(repair.judged()) and found["least"] == 4
    assert found["moves"] == sum(one["moved"] for one in repair.judged()) == 1
    assert facts("mil", 5, 3)["mdav"] == pytest.approx(loss(ages, before))
    for k in (2, 4):
        found = facts("mil", 5, k)
        assert found["least"] == found["most"] == k and found["moves"] == found["judgements"] == 0
    twelve = ninepoints.twelve().frame["age"].tolist()
    for k in (3, 4, 5):
        assert facts("mil", 6, k)["best"] == pytest.approx(min(loss(twelve, cut) for cut in cuts(12, k)))
    assert facts("mil", 6, 3)["mil"] == pytest.approx(loss(twelve, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]))


FOUR = [(10, "F"), (20, "M"), (40, "M"), (50, "F")]


def apart(one, other) -> float:
    return abs(one[0] - other[0]) / 40 + (one[1] != other[1])


def test_concealment():
    pairs = [(0, 1), (2, 3)]
    assert facts("concealment", 1)["cost"] == sum(2 * apart(FOUR[a], FOUR[b]) for a, b in pairs) == 5
    found = facts("concealment", 2)
    assert found["cost"] == sum(apart(FOUR[i], FOUR[(i + 1) % 4]) for i in range(4)) * 1 == 4
    rows = [(FOUR[i], FOUR[i - 1]) for i in range(4)]
    fits = [
        sum(min(a[0], b[0]) <= who[0] <= max(a[0], b[0]) and who[1] in (a[1], b[1]) for a, b in rows)
        for who in FOUR
    ]
    assert found["fits"] == min(fits) == 2 and found["rows"] == 4
    order = list(itertools.permutations(range(4)))
    for k in (2, 3, 4):
        best = min(
            sum(apart(FOUR[i], FOUR[p[i]]) for p in chosen for i in range(4))
            for chosen in itertools.combinations(order, k - 1)
            if all(len({i, *(p[i] for p in chosen)}) == k for i in range(4))
        )
        groups = [[[0, 1], [2, 3]], [[0, 2], [1, 3]], [[0, 3], [1, 2]]] if k == 2 else [[list(range(4))]]
        closed = min(sum(apart(FOUR[a], FOUR[b]) for g in one for a in g for b in g) for one in groups)
        found = facts("concealment", 3, k)
        assert [found["open"], found["closed"], found["groups"]] == pytest.approx([best, closed, 4 // k])
    ages, cells = (10, 30, 32), ((10, 10), (10, 32), (30, 32))
    fit = [[low <= age <= high for low, high in cells] for age in ages]
    possible = [p for p in itertools.permutations(range(3)) if all(fit[i][p[i]] for i in range(3))]
    found = facts("concealment", 4)
    assert found["fits"] == min(map(sum, fit)) and found["matches"] == len({p[0] for p in possible})
    assert facts("concealment", 5)["own"] == 4
    for k in (2, 3, 4):
        found, shares = facts("concealment", 6, k), concealment.own_row_true(k)
        spread = math.sqrt(1 / k * (1 - 1 / k) / concealment.DRAWS)
        assert found["same"] == 1 and [found["least"], found["most"]] == [shares.min(), shares.max()]
        assert np.abs(shares - 1 / k).max() < 4 * spread and found["chance"] == 1 / k


def test_sets():
    baskets = [set(one) for one in sets.FIGURE]
    alone = [
        any(sum({x, y} <= b for b in baskets) == 1 for x, y in itertools.combinations(sorted(one), 2))
        for one in baskets
    ]
    found = facts("sets", 1)
    assert found["alone"] == sum(alone) and found["fits"] == 1 and alone.index(True) + 1 == found["person"]
    found = facts("sets", 2)
    assert [found["with"], found["without"]] == [4, 5] and found["rare"] == sum("y" in one for one in baskets)
    found = facts("sets", 3)
    assert [found["cuts"], found["groups"], found["least"], found["most"]] == [3, 4, 2, 3]
    final = ["ad", "afg", "ad", "afg", "bc", "ex", "ex", "bc", "ex"]  # figure 6 of the set-valued paper
    assert sets.kept() == final
    found = facts("sets", 4)
    assert [found["items"], found["kept"], found["gone"]] == [28, 20, 8] and found["share"] == 8 / 28
    for k in (2, 3, 4):
        kept = sets.kept(k)
        assert (
            all(set(a) <= b for a, b in zip(kept, baskets, strict=True)) and min(Counter(kept).values()) >= k
        )
        assert facts("sets", 5, k)["gone"] == 28 - sum(map(len, kept))
    found = facts("sets", 6)
    assert found["worst"] == 1 / min(Counter(final).values()) and found["worst_before"] == 1
    assert [found["bought"], found["shown"]] == [5, 2]
    found = facts("sets", 7)
    lost = [1 - len(a) / len(b) for a, b in zip(final, baskets, strict=True)]
    assert found["fast"] == pytest.approx(8 / 28) and found["exact"] == pytest.approx(sum(lost) / 9)
    assert found["one"] == pytest.approx(lost[int(found["number"]) - 1]) and found["size"] == 5


def test_people():
    owners, counts = people.owners().tolist(), Counter(people.owners().tolist())
    found = facts("people", 1)
    assert found["fewest"] == 1 and found["alike"] == 3 and found["reached"] >= found["k"]
    found = facts("people", 2)
    ranked = [person for person, _ in counts.most_common()]
    assert [found["most"], found["next"], found["least"]] == [6, counts[ranked[1]], min(counts.values())]
    assert found["mate"] == sorted(counts).index(ranked[1])
    for k in (2, 3, 4):
        blocks = [ranked[i : i + k] for i in range(0, len(ranked) - len(ranked) % k, k)]
        shortest = {person: min(counts[p] for p in block) for block in blocks for person in block}
        out = sum(counts[person] - shortest.get(person, 0) for person in counts)
        found = facts("people", 5, k)
        assert [found["out"], found["published"], found["fits"]] == [out, len(shortest), k]
        assert found["share"] == pytest.approx(out / len(owners))
        assert found["left_over"] == len(counts) % 4
    found = facts("people", 3)
    assert [found["longer"], found["shorter"], found["gone"], found["all"]] == [6, 5, 1, 3]
    assert facts("people", 4)["rows"] == found["shorter"]


def fitting_illnesses(release) -> list[Counter[str]]:
    """Return, for each person, how often the rows that fit them state each illness."""
    rows = rows_of(release)
    fit = [[all(map(holds, row, person)) for row in rows] for person in KNOWN]
    return [Counter(p[3] for p, fits in zip(PEOPLE, one, strict=True) if fits) for one in fit]


def test_limits():
    from kanon_core.algorithms import MDAV, VMDAV, Mondrian

    rows = rows_of(released(clinic(), Mondrian(), 3))
    ill = {row: [p[3] for r, p in zip(rows, PEOPLE, strict=True) if r == row] for row in rows}
    found = facts("limits", 1)
    assert found["certain"] == sum(len(set(ill[row])) == 1 for row in rows)
    assert found["fits"] == len(ill[rows[0]]) and found["values"] == len(set(ill[rows[0]]))
    found = facts("limits", 2)
    assert [found["rows"], found["values"], found["left"]] == [3, 2, 1]
    sides = [fitting_illnesses(released(clinic(), one, 3)) for one in (MDAV(), VMDAV())]
    both = [a & b for a, b in zip(*sides, strict=True)]
    found = facts("limits", 3)
    assert found["learned"] == sum(len(c) == 1 and len(a) > 1 for c, a in zip(both, sides[0], strict=True))
    assert found["fewer"] == sum(c.total() < 3 for c in both) and found["single"] == sum(
        c.total() == 1 for c in both
    )
    assert [found["one"], found["two"]] == [sides[0][3].total(), sides[1][3].total()]
    rooms = limits.rooms().frame["room"].tolist()
    found = facts("limits", 4)
    assert found["rooms"] == sum(rooms.count(room) == 1 for room in rooms)
    pairs = Counter(zip(rows, rooms, strict=True))
    assert found["alone"] == sum(n == 1 for n in pairs.values())
    for k in range(2, 7):
        rows = rows_of(released(clinic(), Mondrian(), k))
        different = {row: len({p[3] for r, p in zip(rows, PEOPLE, strict=True) if r == row}) for row in rows}
        found = facts("limits", 5, k)
        assert [found["least"], found["classes"]] == [min(different.values()), len(different)]
        assert found["poor"] == sum(n == 1 for n in different.values())
        assert found["certain"] == sum(different[row] == 1 for row in rows)


def test_curve():
    from kanon_core.algorithms import MDAV, Mondrian

    frame = curve.heaps().frame
    found = {}
    for algorithm in (MDAV(), Mondrian()):
        for k in curve.KS:
            groups = released(curve.heaps(), algorithm, k).groups.tolist()
            found[algorithm, k] = np.mean([loss(frame[name].tolist(), groups) for name in frame])
    ours, theirs = ([found[one, k] for k in curve.KS] for one in (MDAV(), Mondrian()))
    assert curve.losses(MDAV()).tolist() == pytest.approx(ours)
    for k in curve.KS:
        assert facts("curve", 1, k)["loss"] == pytest.approx(found[MDAV(), k])
        assert facts("curve", 3, k)["mondrian"] == pytest.approx(found[Mondrian(), k])
    two = facts("curve", 2)
    assert two["best"] == curve.KS[int(np.argmin(ours))] and two["loss"] == pytest.approx(min(ours))
    assert two["before"] == two["best"] - 1 and two["higher"] == pytest.approx(found[MDAV(), two["before"]])
    three = facts("curve", 3)
    assert three["lower"] == sum(a < b - 1e-12 for a, b in zip(ours, theirs, strict=True))
    assert three["higher"] == sum(b < a - 1e-12 for a, b in zip(ours, theirs, strict=True))
    four = facts("curve", 4)
    assert four["best"] == max(k for k, one in zip(curve.KS, ours, strict=True) if one <= four["bound"])
    assert four["below"] == sum(
        k < four["best"] and one > four["bound"] for k, one in zip(curve.KS, ours, strict=True)
    )
    for k in curve.KS[1:]:
        least = min(Counter(rows_of(released(curve.heaps(), MDAV(), k))).values())
        assert facts("curve", 6, k)["worst"] == pytest.approx(1 / least)
    five = facts("curve", 5)
    assert [five["mdav_wide"], five["mondrian_wide"]] == pytest.approx(
        [widths(one, 7) for one in (MDAV(), Mondrian())]
    )


def widths(algorithm, k: int) -> float:
    frame, total = curve.heaps().frame, 0.0
    groups = released(curve.heaps(), algorithm, k).groups
    for name in frame:
        values = frame[name].to_numpy(float)
        total += np.mean([np.ptp(values[groups == group]) for group in groups]) / np.ptp(values)
    return total / 2


def test_risk():
    from kanon_core.algorithms import MDAV, Mondrian

    rows = rows_of(released(clinic(), Mondrian(), 2))
    sizes = Counter(rows)
    chances = [1 / sizes[row] for row in rows]
    found = facts("risk", 1)
    assert [found["worst"], found["least"]] == [max(chances), min(chances)]
    assert [found["small"], found["most"], found["classes"]] == [
        min(sizes.values()),
        max(sizes.values()),
        len(sizes),
    ]
    assert facts("risk", 2)["average"] == pytest.approx(sum(chances) / len(chances))
    town = list(zip(*(risk.town().frame[name] for name in ("age", "sex", "district")), strict=True))
    found = facts("risk", 3)
    person = clinic().frame["person"].tolist().index(lesson("risk").screens[2].result().names["person"])
    fits = sum(all(holds(c, v) for c, v in zip(rows[person], one, strict=True)) for one in town)
    assert [found["in_town"], found["in_table"], found["town"]] == [fits, sizes[rows[person]], len(town)]
    assert [found["unknown"], found["known"]] == pytest.approx([1 / fits, 1 / sizes[rows[person]]])
    assert facts("risk", 4)["expected"] == pytest.approx(sum(chances))
    for k in range(2, 7):
        alike = Counter(rows_of(released(clinic(), MDAV(), k)))
        found = facts("risk", 5, k)
        assert found["above"] == sum(n for n in alike.values() if 1 / n > 1 / 3 + 1e-9)
        assert found["average"] == pytest.approx(len(alike) / len(rows))
        assert found["worst"] == pytest.approx(1 / min(alike.values()))
    different = {row: {p[3] for r, p in zip(rows, PEOPLE, strict=True) if r == row} for row in rows}
    certain = [row for row in rows if len(different[row]) == 1]
    found = facts("risk", 6)
    assert found["certain"] == len(certain) and found["highest"] == pytest.approx(
        max(1 / sizes[row] for row in certain)
    )

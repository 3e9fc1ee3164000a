"""Stories of examples that can be worked by hand, sentence by sentence."""

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms.base import Log
from kanon_core.algorithms.clustering.mil import mil
from kanon_core.distances.mixed import points_of
from kanon_core.teaching.explain import Logged, make_story, narration_of
from tests.helpers import NINE_POINTS


def table_of(**columns) -> kc.Table:
    frame = pd.DataFrame(columns)
    schema = kc.Schema.infer(frame).with_quasi(list(frame.columns))
    return kc.Table.from_frame(frame, schema).in_given_order()


def sentences(table: kc.Table, algorithm: kc.Algorithm, k: int) -> list[str]:
    return [step.sentence for step in make_story(table, algorithm, k, seed=1).steps]


def members(cover: np.ndarray) -> list[list[int]]:
    """The record numbers of each group, from 1."""
    return sorted((np.flatnonzero(cover == group) + 1).tolist() for group in np.unique(cover[cover >= 0]))


def nine() -> kc.Table:
    x, y = zip(*NINE_POINTS, strict=True)
    return table_of(x=x, y=y)


def test_nine_points_by_mdav():
    """Solanas and Martínez-Ballesté: MDAV cuts through the five records on the right."""
    steps = make_story(nine(), kc.MDAV(), 3, seed=1).steps
    assert members(steps[-1].cover) == [[1, 2, 4], [3, 6, 7], [5, 8, 9]]
    assert steps[0].sentence.startswith("Of the 9 records left, record 1 is farthest from their centroid")


def test_nine_points_by_vmdav():
    """The group of the first three takes in record 3, which is near; record 6 is far, and stays out."""
    steps = make_story(nine(), kc.VMDAV(gamma=1.0), 3, seed=1).steps
    assert members(steps[-1].cover) == [[1, 2, 3, 4], [5, 6, 7, 8, 9]]
    assert [step.line for step in steps] == [0, 1, 2, 0, 2, 3, 3]
    assert steps[1].sentence == (
        "Record 3 is 0.2419 from the group, and 2.145 from the nearest other record left: 0.2419 < 1 · 2.145"
        " = 2.145, so it joins."
    )
    assert steps[2].sentence.endswith("2.145 is not below 1 · 0.2194 = 0.2194, so the group is closed.")


def test_vmdav_on_a_line():
    """0 1 2 4 20 21 22, centroid 10: 22 is 12 away; 4 is 16 from that group and 2 from its own neighbor."""
    assert sentences(table_of(x=[0, 1, 2, 4, 20, 21, 22]), kc.VMDAV(gamma=1.0), 3) == [
        "Of the 7 records left, record 7 is farthest from the centroid of all: 12 away. It and its 2"
        " nearest neighbors, at most 2 away, become a group: 5, 6 and 7. Distances are differences in “x”.",
        "Record 4 is 16 from the group, and 2 from the nearest other record left: 16 is not below 1 · 2 = 2,"
        " so the group is closed.",
        "Of the 4 records left, record 1 is farthest from the centroid of all: 10 away. It and its 2"
        " nearest neighbors, at most 2 away, become a group: 1, 2 and 3.",
        "Record 4, the last one left, is 2 from the group; d_out is infinite, so it joins.",
    ]


def test_dates_are_told_in_days():
    days = pd.to_datetime("2020-01-01") + pd.to_timedelta([0, 1, 2, 4, 20, 21, 22], "D")
    said = sentences(table_of(day=days), kc.VMDAV(gamma=1.0), 3)
    assert said[1].startswith(
        "Record 4 is 16 days from the group, and 2 days from the nearest other record left: 16"
    )


def test_the_worked_example_of_mil():
    """{0, 1, 2, 10}, {11, 12, 13}: X = −4/3 · 6.75² + 3/4 · 2² = −57.75, and SSE falls from 64.75 to 7."""
    table = table_of(x=[0, 1, 2, 10, 11, 12, 13])
    order, sizes, log = np.arange(7), np.array([4, 3]), Log()
    log.write("line", order=order, sizes=sizes)
    mil(points_of(table).numeric[:, 0], sizes, 3, log=log)
    log.write("group", members=np.arange(3))
    run = Logged(table, order, kc.MIL(), 3, tuple(log.events))
    steps = list(narration_of(kc.MIL()).steps(run))
    assert [step.sentence for step in steps] == [
        "From left to right the 2 groups have 4, 3 records. Their SSE, the sum of squared distances from each"
        " record to the mean of its group, is 64.75.",
        "Group 1 has 4 > 3 records; its last is record 4, at 10. X = −4/3 · (10 − 3.25)² + 3/4 · (10 − 12)² ="
        " −57.75 < 0, so it goes to group 2.",
        "Group 2 has 4 > 3 records; its first is record 4, at 10. X = 4/3 · (10 − 11.5)² − 3/4 · (10 − 1)² ="
        " −57.75, not above 0, so it stays.",
        "Group 2 has 4 > 3 records; its first is record 4, at 10. X = 4/3 · (10 − 11.5)² − 3/4 · (10 − 1)² ="
        " −57.75, not above 0, so it stays.",
        "A whole scan moved no record, so MIL ends. Judgements: 3, of which 1 moved a record; SSE fell from"
        " 64.75 to 7.",
    ]
    assert [members(step.cover) for step in steps[:2]] == [
        [[1, 2, 3, 4], [5, 6, 7]],
        [[1, 2, 3], [4, 5, 6, 7]],
    ]


def test_the_start_of_mil_is_told_with_its_own_lines():
    steps = make_story(table_of(x=[0, 1, 2, 10, 11, 12, 13]), kc.MIL(kc.Sorting()), 3, seed=1).steps
    assert {step.lines for step in steps[:3]} == {narration_of(kc.Sorting).lines()}
    assert {step.lines for step in steps[3:]} == {narration_of(kc.MIL).lines()}


def test_the_shortest_path_of_six_numbers():
    """0 1 5 6 7 20, k = 2: F(5) is 0.5 + 2, F(6) by a last group of 3 is 1 + (5² … 20²)."""
    said = sentences(table_of(x=[0, 1, 5, 6, 20, 21]), kc.OptimalUnivariate(), 2)
    assert said[1] == (
        "F(2), the first 2 records: last 2: F(0) + SSE = 0 + 0.5 = 0.5. There is no other choice: 0.5."
    )
    assert said[3] == (
        "F(4), the first 4 records: last 2: F(2) + SSE = 0.5 + 0.5 = 1. There is no other choice: 1."
    )
    assert said[5] == (
        "F(6), the first 6 records: last 2: F(4) + SSE = 1 + 0.5 = 1.5; last 3: F(3) + SSE = 14 + 140.7 ="
        " 154.7. The smallest is 1.5, with a last group of 2."
    )
    assert (
        said[-1] == "The 3 groups have SSE 1.5 together. No partition into groups of 2 records or more has a"
        " smaller SSE."
    )


def test_sorting_says_its_order_and_its_cuts():
    table = table_of(age=[30, 10, 20, 50, 40], city=["Rome", "Oslo", "Rome", "Oslo", "Rome"])
    assert sentences(table, kc.Sorting(("age",)), 2) == [
        "The 5 records are sorted by “age”. The first is record 2, the last is record 4.",
        "Places 1 to 2 of the order, “age” from 10 to 20, become a group: 2 and 3.",
        "Places 3 to 5, “age” from 30 to 50, are left and become the last group: 1, 4 and 5.",
    ]
    assert "“city” Oslo throughout" in sentences(table, kc.Sorting(), 2)[1]


def test_mondrian_gives_up_a_cut_and_says_why():
    """x is wider, but six of its eight values are 0; y has four of each."""
    table = table_of(x=[0, 0, 0, 0, 0, 0, 5, 10], y=[1, 1, 1, 1, 2, 2, 2, 2])
    assert sentences(table, kc.Mondrian(), 3) == [
        "All 8 records are one part.",
        "A part of 8 records. Its extents, the largest first: “x” 1, “y” 1. “x” is not cut: 0 of 8"
        " records are below its median 0 and 6 are not above it, so no cut there leaves 3 on both sides."
        " “y” is cut: 4"
        " records up to 1, 4 from 2.",
        "A part of 4 records, fewer than 2k = 6, is a group: 1, 2, 3 and 4.",
        "A part of 4 records, fewer than 2k = 6, is a group: 5, 6, 7 and 8.",
    ]


def test_mondrian_for_gain_prices_every_cut():
    """8 records times 1 are 8. Cut in y each side has NCP (width of x) / 2: 4 · 0 + 4 · 1 / 2."""
    table = table_of(x=[0, 0, 0, 0, 0, 0, 5, 10], y=[1, 1, 1, 1, 2, 2, 2, 2])
    assert sentences(table, kc.Mondrian(cut="gain"), 3)[1] == (
        "A part of 8 records. The number of its records times their NCP is 8; the best cut of “y” (4 and"
        " 4 records)"
        " leaves 2. “y” is cut, which leaves the smallest loss: 4 records up to 1, 4 from 2."
    )


def test_exact_pairs_and_their_bound():
    """0 1 10 11: the two short distances, each 1 / 11 of the range, are counted from both ends."""
    said = sentences(table_of(x=[0, 1, 10, 11]), kc.Pairing(exact=True), 2)
    assert said[1] == (
        "Records 1 and 2 are a pair, 0.09091 apart: it costs 2 · 0.09091 = 0.1818; all so far cost 0.1818."
    )
    assert said[3].startswith(
        "All pairs cost 0.3636, each distance counted from both ends. The linear programs"
    )
    precision = float(said[3].split()[-1].rstrip("."))
    assert 0 < precision < 1e-6


@pytest.mark.parametrize("loss", ["sse", "ncp"])
def test_refine_tells_what_it_kept(loss):
    """Sorted by y, the two near pairs of x are torn apart; the search brings them together."""
    table = table_of(x=[0, 10, 1, 11], y=[1, 2, 3, 4])
    steps = make_story(table, kc.Refine(kc.Sorting(("y",)), loss, steps=50), 2, seed=1).steps
    assert members(steps[-2].cover) == [[1, 2], [3, 4]] and members(steps[-1].cover) == [[1, 3], [2, 4]]
    assert " become 2 with " in steps[-1].sentence and "changed groups are 2 and 3." in steps[-1].sentence

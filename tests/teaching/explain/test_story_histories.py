"""The story of purchase histories: five people by hand, and every variant recounted."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.teaching.explain import make_story
from tests.contracts.tables import table_of
from tests.teaching.explain.numbersread import figures


def five() -> kc.Table:
    """Ann has three records, Ben and Cleo two, Dan and Eve one; prices fall in the order of the file."""
    frame = pd.DataFrame(
        {
            "customer": ["Ann", "Ann", "Ben", "Ann", "Cleo", "Ben", "Cleo", "Dan", "Eve"],
            "price": [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0],
        }
    )
    roles = {"customer": "person", "price": "quasi_identifier"}
    return kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles(roles))


def test_five_people_by_hand():
    says = [
        step.sentence for step in make_story(five().in_given_order(), kc.PurchaseHistories(), 2, seed=1).steps
    ]
    how = "(the next of each person by “price”, descending)"
    assert says == [
        "The 9 records belong to 5 people; person 1 has the most records, 3.",
        "Block 1: persons 1 and 2 (next in the order of their number of records) have 3 and 2 records"
        " left. Each"
        " publishes as many as the person with the fewest: 2.",
        f"Pairing 1: records 1 and 3 {how} publish the same cells: “price” [7, 9].",
        f"Pairing 2: records 2 and 6 {how} publish the same cells: “price” [4, 8].",
        "Block 2: persons 3 and 4 (next in the order of their number of records) have 2 and 1 records"
        " left. Each"
        " publishes as many as the person with the fewest: 1.",
        f"Pairing 1: records 5 and 8 {how} publish the same cells: “price” [2, 5].",
        "Records published: 6 of 9; left out: 3. All records of person 5 are left out.",
    ]


@pytest.mark.deep
def test_every_variant_is_recounted():
    table = table_of("purchases", 60)
    owner = table.frame["customer"].tolist()
    for grouping, pairing in itertools.product(
        ("count", "fewest", "similar", "whole"), ("rank", "assignment")
    ):
        story = make_story(table, kc.PurchaseHistories(grouping=grouping, pairing=pairing), 3, seed=2)
        labels = np.empty_like(story.steps[-1].cover)
        labels[story.run.records] = story.steps[-1].cover
        said = figures(story.steps[-1].sentence, r"published: (\d+) of (\d+); left out: (\d+)")
        assert said == ((labels >= 0).sum(), 60, (labels < 0).sum())
        for step in story.steps:
            if not step.sentence.startswith("Pairing"):
                continue
            records = [int(n) - 1 for n in re.findall(r"\d+", step.sentence.split(" (")[0])[1:]]
            if "–" in step.sentence.split(" (")[0]:
                continue
            assert len({owner[record] for record in records}) == len(records) >= 3
            assert len({labels[record] for record in records}) == 1
            prices = table.frame["price"].to_numpy()[records]
            if not np.isnan(prices).any() and min(prices) < max(prices):
                assert f"“price” [{min(prices):g}, {max(prices):g}]" in step.sentence


def test_people_are_called_by_their_place_never_by_their_name():
    for step in make_story(five(), kc.PurchaseHistories(), 2, seed=3).steps:
        text = step.sentence + step.scene.drawn("dark", "who is published with whom")
        assert not any(name in text for name in ("Ann", "Ben", "Cleo", "Dan", "Eve"))


def test_the_table_strikes_out_what_is_left_out():
    last = make_story(five().in_given_order(), kc.PurchaseHistories(), 2, seed=1).steps[-1]
    rows = last.scene.drawn("light", "x").split("<tr")[2:]
    assert [re.findall(r"<s[^>]*>(\d+)</s>", row) for row in rows] == [["4"], [], ["7"], [], ["9"]]

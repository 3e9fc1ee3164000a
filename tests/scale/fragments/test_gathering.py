"""People with several records, over many files: their rows, pseudonyms and order are those of one machine,
and the audit sees when people hide among too few."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import kanon_core as kc
from kanon_core.table.attribute import Attribute
from tests.scale.manytables import CARRIED, DRAWN, QUASI, Many, check_goes_on, over_files
from tests.scale.test_bytes import compare

TAKEN = sorted(set(QUASI) - {"goods"})
WAYS = (
    kc.PurchaseHistories(),
    kc.PurchaseHistories("fewest"),
    kc.PurchaseHistories("whole", remainder="spread"),
    kc.PurchaseHistories("similar", "assignment"),
)


def with_people(many: Many, seed: int, people: int, kind: str = "text") -> Many:
    """The same rows, each somebody's or nobody's: some people have many, in all parts."""
    rng = np.random.default_rng(seed)
    n = len(many.frame)
    who = 100_000_000 + (people * rng.random(n) ** 2).astype(int)
    names = pd.Series(who) if kind == "numeric" else pd.Series(who).astype("str")
    if kind != "numeric":
        names = names.mask(rng.random(n) < 0.1)
    frame = many.frame.assign(who=names)
    attributes = (*many.schema.attributes, Attribute("who", "person", kind=kind))
    return replace(many, frame=frame, schema=kc.Schema(attributes))


@pytest.mark.deep
@settings(max_examples=40)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(TAKEN), min_size=1, max_size=3, unique=True),
    carried=st.sampled_from(sorted(CARRIED)),
    records=st.integers(40, 200),
    people=st.integers(6, 60),
    kind=st.sampled_from(["text", "categorical", "numeric"]),
    inner=st.sampled_from(WAYS),
    k=st.integers(2, 4),
    rows=st.integers(12, 80),
)
def test_the_rows_and_their_order_are_those_of_one_machine(
    seed, ends, quasi, carried, records, people, kind, inner, k, rows
):
    assume(records > rows)  # else it is refused: one machine does it
    many = with_people(Many.of(seed, ends, [*quasi, carried], records), seed, people, kind)
    compare(many, kc.Fragments(inner, rows), k, rows)


def test_a_column_of_times_of_day_weighs_as_its_records_do():
    """The mean and deviation of times of day, too, are those of all records, not of the different texts."""
    many = with_people(Many.of(0, (0.0, 0.0), ["clock", "illness"], 60), 0, 6)
    compare(many, kc.Fragments(kc.PurchaseHistories("similar", "assignment"), 50), 2, 50)


def test_a_person_published_among_too_few_is_seen_by_the_audit(tmp_path, monkeypatch):
    many = with_people(Many.of(5, (0.3, 0.6), ["age", "city"], 200), 5, 40)
    cover = kc.PurchaseHistories.cover

    def broken(self, part, k, run):
        """One record of a whole history is left out, so that nobody has the same."""
        found = cover(self, part, k, run)
        groups = found.groups.copy()
        groups[np.flatnonzero(groups == groups.max())[0]] = -1
        return type(found)(groups, np.where(groups < 0, -1, found.blocks))

    monkeypatch.setattr(kc.PurchaseHistories, "cover", broken)
    with pytest.raises(kc.BrokenPromise, match="fewer than 3 people"):
        algorithm = kc.Fragments(kc.PurchaseHistories(), 60)
        over_files(many.written(tmp_path / "source"), many, algorithm, 3, tmp_path / "out", 60)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


@pytest.mark.deep
def test_work_that_ends_after_each_task_goes_on_to_the_same_bytes(tmp_path):
    """Also where the last task is done first."""
    many = with_people(Many.of(7, (0.3, 0.7), ["age", "rounded", "illness"], 160), 7, 40)
    many = replace(many, schema=many.schema.with_round_ends({"rounded": "auto"}))
    check_goes_on(many, kc.Fragments(kc.PurchaseHistories("fewest"), 40), tmp_path, 1)


def test_too_few_people_are_refused_before_they_are_cut(tmp_path):
    many = with_people(Many.of(5, (0.3, 0.6), ["age", "city"], 120), 5, 3)
    with pytest.raises(kc.UnsuitableError, match="only 3 people"):
        algorithm = kc.Fragments(kc.PurchaseHistories(), 40)
        over_files(many.written(tmp_path / "source"), many, algorithm, 4, tmp_path / "out", 40)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]


def test_other_algorithms_are_refused_in_a_sentence_that_names_this_one(tmp_path):
    many = with_people(Many.of(5, (0.3, 0.6), ["age", "city"], 120), 5, 30)
    with pytest.raises(kc.UnsuitableError, match="Fragments of Purchase histories"):
        over_files(many.written(tmp_path / "source"), many, kc.Mondrian(), 4, tmp_path / "out", 40)

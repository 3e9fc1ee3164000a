"""A release over many files is that of one machine: the same rows in the same order, for every kind of column
and every guarantee."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kanon_core as kc
from tests.scale.manytables import CARRIED, DRAWN, STRAIGHT, Many, differences, over_files, published

ALGORITHMS = (
    kc.Mondrian(),
    kc.Mondrian(diversity=2.0),
    kc.Mondrian(diversity=1.7, entropy=True),
    kc.Mondrian(closeness=0.4),
    kc.Mondrian(diversity=2.0, closeness=0.5),
)


def compare(many: Many, algorithm: kc.Algorithm, k: int, rows: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = many.written(folder / "source")
        try:
            one = many.release(algorithm, k)
        except kc.KanonError as problem:
            with pytest.raises(type(problem)):
                over_files(source, many, algorithm, k, folder / "out", rows)
            return
        made = over_files(source, many, algorithm, k, folder / "out", rows)
        apart = differences(one.publish(), published(folder / "out"))
        assert not apart, apart
        assert made.recipe.data_digest == one.recipe.data_digest
        told = [(v.guarantee, v.holds, v.sentence) for v in one.verdicts]
        of_files = ("pseudonyms apart", "complete files")
        assert all(v.holds for v in made.verdicts) and made.verdicts[-1].guarantee == of_files[-1]
        agreed = [(v.guarantee, v.holds, v.sentence) for v in made.verdicts if v.guarantee not in of_files]
        assert [name for name, _, _ in agreed] == [g.name for g in one.guarantees]
        apart = {g.name for g in one.guarantees if g.by_fragment}  # the verdict on fragments has other words
        assert all(each in told for each in agreed if each[0] not in apart)
        assert all(holds for _, holds, _ in agreed)
        loss = kc.score(one.table, one, [kc.NCP()])
        total = loss.loc[loss["part"] == "total", "value"].item()
        assert made.loss[""] == pytest.approx(total, abs=1e-12)


@pytest.mark.deep
@settings(max_examples=40)
@given(
    **DRAWN,
    quasi=st.lists(st.sampled_from(STRAIGHT), min_size=1, max_size=4, unique=True),
    carried=st.lists(st.sampled_from(sorted(CARRIED)), min_size=1, max_size=3, unique=True),
    records=st.integers(2, 200),
    algorithm=st.sampled_from(ALGORITHMS),
    k=st.integers(2, 7),
    rows=st.integers(20, 60),
)
def test_the_rows_and_their_order_are_those_of_one_machine(
    seed, ends, quasi, carried, records, algorithm, k, rows
):
    compare(Many.of(seed, ends, [*quasi, *carried], records), algorithm, k, rows)


REFUSED = {
    "“city” holds item sets, which this algorithm cannot process": lambda schema: schema.with_kinds(
        {"city": "items"}
    ),
    "“age” identifies the person of each record": lambda schema: schema.with_roles({"age": "person"}),
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_needs_all_rows_at_once_is_refused(tmp_path, said):
    many = Many.of(1, (0.3, 0.6), ["age", "gaps", "city", "illness"], 90)
    source = many.written(tmp_path / "source")
    other = replace(many, schema=REFUSED[said](many.schema))
    with pytest.raises(kc.UnsuitableError, match=said):
        over_files(source, other, kc.Mondrian(), 3, tmp_path / "out", 30)
    assert [path.name for path in tmp_path.iterdir()] == ["source"]

"""A sample of whole cells: what is tried on it is what happens in those cells of the whole table."""

from __future__ import annotations

import json
import shlex
import stat
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.options import to_json
from kanon_core.cli import main
from kanon_core.report import release_bytes
from kanon_core.report.command import command_for_everything
from kanon_core.scale.engines import Dask, Local
from kanon_core.scale.tuning.wholecells import engine_words
from kanon_core.table.cellsfile import cells_bytes, read_cells
from kanon_core.table.wholecells import WholeCells
from tests.scale.inside import Inside
from tests.scale.tuning.test_tuning import folder, losses, true_loss, tuned, whole_table

__all__ = ["folder"]
TLS = Dask("tls://my head:8786", certificate="me.pem", key="me.key", authority="all.pem")


def sampled(folder, **more) -> tuple[kc.Tuned, kc.Table]:
    found = tuned(folder, sample=str(folder / "cells.kanon"), **more)
    return found, kc.read_table(folder / "cells.kanon")


def test_the_sample_gives_the_curve_that_tune_gave(folder):
    """The same losses and errors at every k, to the last digits."""
    found, table = sampled(folder, seed=1)
    for point in found.points:
        measured = kc.NCP().measure(table, kc.anonymize(table, kc.Mondrian(), point.k, seed=9))
        assert measured.total == pytest.approx(point.scores["NCP"], rel=1e-9)
        assert measured.error == pytest.approx(point.errors["NCP"], rel=1e-9)
    swept = list(kc.sweep(table, [kc.Mondrian()], [2, 5], [kc.NCP()], seed=1))
    assert [point.errors["NCP"] > 0 for point in swept] == [True, True]


def test_all_cells_give_the_loss_of_the_whole_table(folder):
    found, table = sampled(folder, cells=24)
    measured = kc.NCP().measure(table, kc.anonymize(table, kc.Mondrian(), 5, seed=1))
    assert len(table) == 2_400 and measured.error == 0.0 and losses(found)[-1] == measured.total
    assert measured.total == pytest.approx(true_loss(folder, 5), rel=1e-12)
    assert "all 2,400 records" in table.whole_cells.sentence


@pytest.mark.deep
@pytest.mark.parametrize("inner", [kc.MDAV(), kc.Sorting(), kc.VMDAV()], ids=lambda a: type(a).__name__)
def test_other_algorithms_do_in_the_cells_what_fragments_do_in_the_whole(folder, inner):
    """Sorting and MDAV have ties that the order of records decides: nearly the same loss."""
    table = sampled(folder, cells=24)[1]
    measured = kc.NCP().measure(table, kc.anonymize(table, inner, 5, seed=1))
    assert measured.total == pytest.approx(true_loss(folder, 5, kc.Fragments(inner, rows=100)), rel=0.03)


def test_cells_never_mix_and_records_are_those_of_the_files(folder):
    table, whole = sampled(folder, seed=2)[1], whole_table(folder)
    cells = table.whole_cells
    for algorithm in (kc.Mondrian(), kc.MDAV()):
        groups = kc.anonymize(table, algorithm, 3, seed=1).cover.groups
        pairs = pd.DataFrame({"group": groups, "cell": cells.cell}).drop_duplicates()
        assert not pairs["group"].duplicated().any()
    ours = table.frame.merge(whole.frame.drop_duplicates(), how="left", indicator=True)
    assert (ours["_merge"] == "both").all()
    assert table["age"].range == whole["age"].range and table["city"].labels == whole["city"].labels
    assert table["age"].deviation == pytest.approx(whole["age"].deviation)
    assert cells.records == 2_400 and cells.most_k == 5 and cells.rows == 100
    assert str(len(table)) in table.whole_cells.sentence and "2,400 records" in cells.sentence


@pytest.mark.deep
def test_columns_of_every_kind_come_back_as_they_stood(tmp_path):
    rng = np.random.default_rng(2)
    n = 1_500
    frame = pd.DataFrame(
        {
            "name": [f"Person {i}" for i in range(n)],
            "born": np.datetime64("1950-01-01") + rng.integers(0, 20_000, n).astype("timedelta64[D]"),
            "lat": rng.uniform(35, 36, n),
            "lon": rng.uniform(139, 140, n),
            "size": rng.choice(["small", "large", "huge"], n),
            "gap": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 50, n)),
            "note": rng.choice(["a", "b", None], n),
            "count": rng.integers(0, 9, n),
        }
    )
    frame.to_parquet(tmp_path / "all.parquet")
    table = kc.Table.from_frame(frame)
    schema = table.schema.with_quasi(["born", "lat", "lon", "size", "gap"])
    schema = schema.with_roles({"name": "identifier", "note": "other", "count": "sensitive"})
    schema = schema.with_kinds({"lat": "latitude", "lon": "longitude", "size": "ordinal"})
    path = str(tmp_path / "cells.kanon")
    found = kc.tune_files(
        str(tmp_path / "all.parquet"), schema, kc.Mondrian(), [2, 4], None, 10, 100, 3, sample=path
    )
    sample = kc.read_table(path)
    assert sample.schema.names == tuple(name for name in frame.columns if name != "name")
    assert sample.whole_cells.schema == schema and len(sample) == found.rows
    assert sample["lat"].circle is None and sample["lon"].circle is not None
    ours = sample.frame.merge(frame.drop(columns="name"), how="left", indicator=True)
    assert (ours["_merge"] == "both").all()
    measured = kc.NCP().measure(sample, kc.anonymize(sample, kc.Mondrian(), 4, seed=1))
    assert measured.total == pytest.approx(found.points[-1].scores["NCP"], rel=1e-9)
    assert b"Person" not in (tmp_path / "cells.kanon").read_bytes()


def test_only_its_owner_reads_the_file_and_nothing_else_is_left(folder):
    sampled(folder)
    assert stat.S_IMODE((folder / "cells.kanon").stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == ["cells.kanon", "data"]


def test_a_sample_is_never_released(folder):
    table = sampled(folder)[1]
    release = kc.anonymize(table, kc.Mondrian(), 3, seed=1)
    for hand_over in (release_bytes, kc.Release.publish):
        with pytest.raises(kc.UnsuitableError, match=r"is not released. Anonymize the whole table “.*”"):
            hand_over(release)
    assert len(release.to_frame()) == len(table) and not kc.score(table, release, [kc.NCP()]).empty
    made = kc.anonymize_files(
        str(folder / "data"),
        table.whole_cells.schema,
        kc.Mondrian(),
        3,
        str(folder / "out"),
        Inside(),
        despite="x",
    )
    assert made.records == table.whole_cells.records


def test_it_knows_the_engine_that_drew_it(folder, capsys):
    table = sampled(folder)[1]
    assert table.whole_cells.engine == {"engine": "inside"}
    by = replace(table, whole_cells=replace(table.whole_cells, engine=engine_words(TLS)))
    known = read_cells(cells_bytes(by)).whole_cells
    assert known.engine == {
        "engine": "dask",
        "address": "tls://my head:8786",
        "tls-certificate": "me.pem",
        "tls-key": "me.key",
        "tls-authority": "all.pem",
    }
    command = shlex.split(command_for_everything(known, kc.Mondrian(), 3))
    assert [word for word in command if word.startswith(("--engine", "--address", "--tls"))] == [
        f"--{flag}={value}" for flag, value in known.engine.items()
    ]
    assert main([*command[1:], "--k=1"]) == 2
    assert "k must be a whole number of at least 2" in capsys.readouterr().err  # no flag is unknown there
    assert engine_words(Local(2)) == {"engine": "local"}


def test_a_file_that_names_no_engine_is_that_of_this_machine(folder):
    """As those of before."""
    first, written, body = cells_bytes(sampled(folder)[1]).split(b"\n", 2)
    facts = json.loads(written)
    del facts["whole"]["engine"]
    known = read_cells(b"\n".join((first, json.dumps(facts).encode(), body))).whole_cells
    assert "--engine=local" in command_for_everything(known, kc.Mondrian(), 3)


def test_its_columns_are_settled_and_other_tables_are_not_taken_for_it(folder):
    table = sampled(folder)[1]
    assert table.with_schema(table.schema) is not None
    with pytest.raises(kc.SchemaError, match="cannot change"):
        table.with_schema(table.schema.with_quasi(["age"]))
    plain = replace(table, whole_cells=None)
    assert plain.digest != table.digest and plain.data_digest == table.data_digest
    release = kc.anonymize(table, kc.Mondrian(), 3, seed=1)
    assert kc.repeat(table, release.recipe).to_frame().equals(release.to_frame())


def test_what_cannot_be_tried_on_cells_says_why(folder):
    table = sampled(folder)[1]
    for algorithm, k, said in (
        (kc.Mondrian(), 6, "support k up to 5"),
        (kc.Mondrian(diversity=2), 3, "lacks the sensitive values"),
        (kc.Mondrian(strict=False), 3, "cannot be tried on the sample"),
        (kc.Fragments(), 3, "cannot be tried on the sample"),
        (kc.Clustered(), 3, "cannot be tried on the sample"),
    ):
        with pytest.raises(kc.UnsuitableError, match=said):
            kc.anonymize(table, algorithm, k, seed=1)
    with pytest.raises(kc.UnsuitableError, match="lacks the sensitive values"):
        tuned(folder, sample=str(folder / "no.kanon"), algorithm=kc.Mondrian(diversity=2))
    assert sorted(path.name for path in folder.iterdir()) == ["cells.kanon", "data"]


def test_the_estimate_by_hand():
    """Cells 0.1, 0.3 and 0.5, the last drawn twice: pairs (0.1, 0.5), (0.3, 0.5); mean 0.35; f = 2.4
    is more than the two pairs."""
    schema = kc.Schema.infer(pd.DataFrame({"a": [1, 2]}))
    cells = WholeCells(np.array([0, 0, 1, 2]), np.array([0, 2, 1, 2]), 100, 5, 2, "x", schema)
    mean, error = cells.estimate(np.array([0.0, 0.2, 0.3, 0.5]))
    assert mean == pytest.approx(0.35)
    from scipy.stats import t

    assert error == pytest.approx(t.ppf(0.975, 2) * (0.2 / 16) ** 0.5)


def test_bad_files_are_refused_in_a_sentence(folder):
    good = cells_bytes(sampled(folder)[1])
    first, written, body = good.split(b"\n", 2)

    def changed(**facts) -> bytes:
        return b"\n".join((first, json.dumps(json.loads(written) | facts).encode(), body))

    known = json.loads(written)
    for data, said in (
        (good.replace(b"cells, 1\n", b"cells, 2\n", 1), "Another version"),
        (first, "damaged"),
        (first + b"\n{}\n", "damaged"),
        (first + b"\n" + b"[" * 100_000 + b"\n", "damaged"),
        (good[:-100], "damaged"),
        (good[:200], "damaged"),
        (good[:-1] + b"?", "damaged"),
        (changed(whole=known["whole"] | {"engine": {"script": "x"}}), "damaged"),
        (changed(whole=known["whole"] | {"engine": {"address": 3}}), "damaged"),
        (changed(whole=known["whole"] | {"engine": 3}), "damaged"),
        (changed(sizes=[1]), "damaged"),
        (changed(sizes=[2**40]), "damaged"),
        (changed(sizes="many"), "damaged"),
        (changed(draws=[99, 99]), "damaged"),
        (changed(draws=[0]), "damaged"),
        (changed(schema=[]), "damaged"),
        (changed(domain={}), "damaged"),
        (changed(whole={**known["whole"], "records": 3}), "damaged"),
        (changed(whole={**known["whole"], "schema": to_json(kc.MDAV())}), "damaged"),
    ):
        with pytest.raises(kc.InputError, match=said):
            read_cells(data)
    assert len(read_cells(changed())) == len(read_cells(good))

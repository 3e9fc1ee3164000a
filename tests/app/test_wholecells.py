"""The screens on a sample of whole cells: what is said of it, and that it is not released."""

from __future__ import annotations

import shlex
from functools import cache

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.table.cellsfile import cells_bytes, read_cells
from pages.state.session import Session
from pages.state.setting import Setting
from tests.app.screens import opened, words
from tests.scale.inside import Inside


@pytest.fixture(scope="module")
def sample_file(tmp_path_factory) -> bytes:
    """Ten cells of 2,000 records, drawn for k of at most 6."""
    place = tmp_path_factory.mktemp("many")
    rng = np.random.default_rng(1)
    n = 2_000
    frame = pd.DataFrame(
        {
            "name": [f"Person {i}" for i in range(n)],
            "age": rng.integers(18, 90, n),
            "pay": rng.lognormal(3, 1, n).round(2),
            "illness": rng.choice(["flu", "cold"], n),
        }
    )
    frame.to_parquet(place / "all.parquet")
    schema = kc.Schema.infer(frame).with_quasi(["age", "pay"])
    schema = schema.with_roles({"name": "identifier", "illness": "sensitive"})
    path, source = str(place / "cells.kanon"), str(place / "all.parquet")
    kc.tune_files(source, schema, kc.Mondrian(), [3, 6], Inside(), 10, 120, 1, str(place), sample=path)
    return (place / "cells.kanon").read_bytes()


@cache
def table_of(data: bytes) -> kc.Table:
    return read_cells(data)


def session_on(data: bytes) -> Session:
    first = kc.read_table("sample:people-100")
    session = Session(first, "x", "sample:people-100", Setting(kc.MDAV(), 20, 9), 9)
    session.load(table_of(data), "cells.kanon", "upload:1")
    return session


def command_in(test) -> list[str]:
    (code,) = [block.value for block in test.code if block.value.startswith("kanon anonymize")]
    return shlex.split(code)


def test_the_seat_says_that_it_is_a_sample_and_gives_the_command_for_everything(sample_file):
    session = session_on(sample_file)
    assert (type(session.setting.algorithm), session.setting.k) == (kc.Mondrian, 6)
    test = opened("tune", session)
    says, cells = words(test), session.table.whole_cells
    assert (
        cells.sentence in says
        and "of the whole table" in says
        and "of the sample<" in says
        and "Command for the whole table" in says
    )
    found = session.measured(session.setting, session.shown[1], kc.NCP)
    assert found.error > 0 and kc.NCP().text(found.total, found.error) in says
    asked = command_in(test)
    assert asked[:2] == ["kanon", "anonymize"] and asked[2].endswith("all.parquet")
    assert {"--quasi=age,pay", "--identifier=name", "--sensitive=illness"} <= set(asked)
    assert {"--algorithm=mondrian", "--k=6", "--out=release", "--recipe=recipe.json"} <= set(asked)
    assert test.slider[0].max == 6


def test_another_algorithm_becomes_fragments_of_it(sample_file):
    session = session_on(sample_file)
    session.ask(algorithm=kc.VMDAV(gamma=0.5), k=4)
    asked = command_in(opened("tune", session))
    assert {"--algorithm=fragments", "--inner=vmdav", "--inner-gamma=0.5", "--rows=120", "--k=4"} <= set(
        asked
    )


def test_what_tells_nothing_of_the_whole_says_why(sample_file):
    session = session_on(sample_file)
    session.ask(k=7)
    test = opened("tune", session)
    assert "support k up to 6" in test.warning[0].value
    assert not [block for block in test.code if block.value.startswith("kanon anonymize")]


def test_nothing_is_handed_over_and_the_command_stands_instead(sample_file):
    session = session_on(sample_file)
    test = opened("release", session)
    assert "is not released" in test.info[0].value
    assert not test.get("download_button") and command_in(test)


def test_its_columns_are_shown_and_cannot_be_changed(sample_file):
    session = session_on(sample_file)
    test = opened("data", session)
    assert "cannot change" in test.info[0].value and "Kanon guesses the roles from names" not in words(test)
    assert "quasi-identifier</b>: age, pay" in words(test) and "sensitive</b>: illness" in words(test)
    assert "2,000 records, in " in words(test) and session.table.whole_cells.sentence in words(test)


def test_it_is_opened_like_a_table_and_bad_ones_are_refused_in_a_sentence(sample_file):
    session = session_on(sample_file)
    session.open_sample("people-100")
    test = opened("data", session)
    test = test.file_uploader(key="upload").set_value(("bad.kanon", sample_file[:-50], "")).run()
    assert "damaged or cut short" in test.error[0].value and session.table.whole_cells is None
    test = test.file_uploader(key="upload").set_value(("cells.kanon", sample_file, "")).run()
    assert not test.exception and session.table.whole_cells is not None
    assert session.table.whole_cells.sentence in words(test)


@pytest.mark.deep
@pytest.mark.parametrize("page", ["risk", "curves/scorecard", "curves", "clusters", "risk/person", "map"])
def test_every_page_opens_on_a_sample(sample_file, page):
    assert "cells.kanon" in words(opened(page, session_on(sample_file)))


def test_what_is_read_is_written_again_alike(sample_file):
    assert read_cells(cells_bytes(table_of(sample_file))).digest == table_of(sample_file).digest

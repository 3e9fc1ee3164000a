"""Tables of the MIL paper made again: values by other code, printed numbers, statements, the command line."""

from __future__ import annotations

import dataclasses

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.base.errors import InputError
from kanon_core.cli import main
from kanon_core.papers import Source, reproduction
from kanon_core.papers.mil import SHOWN, MILTables
from kanon_core.papers.mil_checks import checks
from kanon_core.papers.printed import LOSSES, METHODS, loss
from kanon_core.table.distributions import DISTRIBUTIONS, distribution
from tests.oracles import univariate as oracle
from tests.oracles.mil import plain_mil

STARTS = {"MDAV": oracle.mdav_sizes, "V-MDAV": oracle.vmdav_sizes}


@pytest.fixture(scope="module")
def rows():
    return list(MILTables(largest_k=6, largest=1_000, seeds=2).rows())


def of(rows, table: str, **place):
    return [row for row in rows if row.part.table == table and place.items() <= row.place.items()]


@pytest.mark.deep
def test_every_table_is_there_with_its_places(rows):
    assert list(dict.fromkeys(row.part.table for row in rows)) == [
        *("table 2", "table 3", "table 4", "table A.5", "table A.6", "table A.7", "table A.8"),
    ]
    for table in SHOWN:
        places = [tuple(row.place.values()) for row in of(rows, table)]
        assert places == [(k, method) for k in range(2, 7) for method in METHODS]
    for table in ("table A.5", "table A.6"):
        assert [row.place["data"] for row in of(rows, table)] == 3 * list(DISTRIBUTIONS)
    assert [row.place["records"] for row in of(rows, "table A.7")] == [100, 1_000, 100, 1_000]


def test_losses_are_those_of_one_dimensional_twins(rows):
    for table, name in (("table 2", "DS0"), ("table 3", "DS1"), ("table 4", "DS9")):
        for k, start in ((3, "MDAV"), (6, "V-MDAV")):
            for seed in (0, 1):
                ascending = np.sort(distribution(name, seed)["x"].to_numpy())
                total = float(((ascending - ascending.mean()) ** 2).sum())
                sizes = STARTS[start](ascending, k)
                moved = plain_mil(ascending, sizes, k)[0]
                (before,), (after,) = (
                    of(rows, table, k=k, method=start),
                    of(rows, table, k=k, method=f"{start} + MIL"),
                )
                assert before.values[seed] == pytest.approx(oracle.loss_of_sizes(ascending, sizes) / total)
                assert after.values[seed] == pytest.approx(
                    oracle.loss_of_sizes(ascending, np.array(moved)) / total
                )


def test_printed_numbers_stand_where_the_paper_has_them(rows):
    assert loss("table 2", "MDAV", 15) == 0.076020 and loss("table 4", "V-MDAV", 10) == 0.004060
    assert loss("table 3", "V-MDAV + MIL", 2) == 0.000139 and loss("table 3", "MDAV", 16) is None
    assert all(len(text.split()) == 14 for methods in LOSSES.values() for text in methods.values())
    shares = of(rows, "table A.5", data="DS4")
    assert [row.printed for row in shares] == [80.8, 21.4, 54.9]
    (judged,) = of(rows, "table A.7", records=1_000, start="V-MDAV")
    assert judged.printed == pytest.approx((277.16 + 261.98 + 256.63) / 3)


def test_statements_say_how_many_rows_agree(rows):
    found = checks(rows)
    says = [check.sentence for check in found]
    assert says[0] == "MIL never raises the loss. 60 of 60 runs agree." and found[0].must and found[0].holds
    assert says[1].startswith("In the printed numbers, MIL never raises the loss.")
    assert "11 of 11 such k agree." in says[2] and found[2].holds
    assert sum("2 of 2 numbers agree" in one or "of 2 numbers agree; the worst" in one for one in says) == 2
    assert sum("printed numbers are within the range of our 2 samples" in one for one in says) == 7
    assert sum(" of all k (paper: " in one for one in says) == 2
    assert not checks([])


def test_a_statement_can_fail(rows):
    worse = [
        dataclasses.replace(row, values=tuple(2 * value for value in row.values))
        if str(row.place.get("method", "")).endswith("MIL")
        else row
        for row in rows
    ]
    raised, same = (check for check in checks(worse) if check.must)
    assert [raised.verdict, same.verdict] == ["FAILS", "FAILS"]
    assert (
        " of 60 runs agree; the worst, table " in raised.sentence and "misses by 1e+02 %." in raised.sentence
    )


def test_judgements_are_compared_at_every_step_of_the_records(rows):
    """1,000, 10,000 and 100,000 records: the ends alone would agree, and the step between does not."""
    judged = of(rows, "table A.7", records=1_000)
    grown = [
        dataclasses.replace(row, place={**row.place, "records": n}, values=(value,))
        for row in judged
        for n, value in zip((1_000, 10_000, 100_000), (10.0, 30.0, 15.0), strict=True)
    ]
    mdav, vmdav = checks(grown)[-2:]
    assert not mdav.holds and "1 of 2 steps agree; the worst, N = 1,000 to 10,000, misses by 1 times" in (
        mdav.sentence
    )
    assert not vmdav.holds and "0 of 2 steps agree" in vmdav.sentence


def test_a_given_table_is_refused_in_a_sentence(capsys):
    table = kc.Table.from_frame(pd.DataFrame({"x": [1.0, 2.0]}))
    with pytest.raises(InputError, match="leave the file out"):
        MILTables().tasks(Source(table, "“x.csv”"))
    assert main(["reproduce", "mil", "--file", "sample:people-100"]) == 2
    assert "leave the file out" in capsys.readouterr().err


@pytest.mark.deep
def test_the_command_line_prints_all_tables(capsys):
    assert reproduction("mil") is MILTables
    assert main(["reproduce", "mil", "--largest-k", "3", "--largest", "100", "--seeds", "1"]) == 0
    shown = capsys.readouterr().out
    assert "Table 2 (figures 1 and 2): loss of DS0 by k" in shown and "0.003446" in shown

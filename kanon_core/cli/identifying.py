"""What `describe` says besides: which columns identify, and who is singled out by how few of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kanon_core.base.infile import write_files
from kanon_core.base.words import percent, tr
from kanon_core.cli.output import Bar, printable, text_table
from kanon_core.risk.uniques import identifying, special_uniques
from kanon_core.table.changes import spoken
from kanon_core.table.table import Table

SHOWN = 30


def say_identifying(table: Table, most: int) -> None:
    """The columns and sets of columns that tell most records apart, with their present roles."""
    with Bar() as bar:
        found = identifying(table, most, bar.tick)
    rows = []
    for one in found.sets[:SHOWN]:
        shares = (percent(one.distinction, 1), percent(one.separation, 1))
        roles = ", ".join(spoken(table.schema[name].role) for name in one.columns)
        rows.append((_joined(one.columns), f"{one.values:,}", *shares, f"{one.unique:,}", roles))
    header = ("columns", "values", "distinction", "separation", tr("singled out"), "role")
    print("\n" + tr("Which columns tell {unit} apart").format(unit=found.unit))
    print(text_table(header, rows, right=(1, 2, 3, 4)))
    _say_rest(len(found.sets))
    for text in found.notes:
        print(printable(text))


def say_uniques(table: Table, most: int, out: str | None) -> None:
    """Whom the quasi-identifiers single out; the file of all of them, where one is asked for."""
    from kanon_core.report.files import format_of
    from kanon_core.table.writers import write_frame

    with Bar() as bar:
        found = special_uniques(table, most, progress=bar.tick)
    rows = [
        (_joined(one.columns), f"{one.count:,}", percent(one.count, found.subjects))
        for one in found.combinations[:SHOWN]
    ]
    print("\n" + printable(found.sentence))
    if rows:
        print(text_table(("columns", tr("singled out"), "share"), rows, right=(1, 2)))
        _say_rest(len(found.combinations))
        shares = ((name, percent(share, 1)) for name, share in found.contributions.items())
        print("\n" + text_table(("column", tr("share of scores")), shares, right=(1,)))
    if out is not None:
        write_files({Path(out): write_frame(found.to_frame(), format_of(out))})


def _joined(columns: Sequence[str]) -> str:
    return " + ".join(columns)


def _say_rest(count: int) -> None:
    if count > SHOWN:
        print(tr("… and {count:,} more").format(count=count - SHOWN))

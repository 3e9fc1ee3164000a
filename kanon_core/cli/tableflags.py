"""Flags of a table: how its file is read, and what its columns are."""

from __future__ import annotations

from typing import Any

from kanon_core.base.words import later, tr
from kanon_core.cli.commands import Parser, add_each
from kanon_core.cli.output import names_of
from kanon_core.distances import DISTANCES
from kanon_core.table.columns.datetexts import ORDERS
from kanon_core.table.hierarchy.proposals import CATEGORIES
from kanon_core.table.readers import FORMATS
from kanon_core.table.readers.retail import WITHOUT
from kanon_core.table.rolesets import ROLE_SETS
from kanon_core.table.schema import KINDS, RECODINGS, ROLES

FILE_HELP = later("a csv, tsv, xlsx, parquet, fimi, spmf or pwscup file, or sample:NAME")


def add_table(command: Parser) -> None:
    """Declare FILE, the settings for reading it, and the properties of its columns."""
    add_reading(command)
    add_columns(command)


def add_columns(command: Parser) -> None:
    """Declare the flags for roles, kinds and other properties of columns."""
    group = command.add_argument_group(
        tr("columns"), tr('Lists are written as in a csv file: age,"zip, old".')
    )
    quasi = tr("exactly these columns are quasi-identifiers (default: guessed)")
    group.add_argument("--quasi", "--qi", metavar="A,B", help=quasi)
    roles = tr(
        "one of {roles} per column; first in the list, a file of roles saved on the Data page"
        " (NAME.json) or a set of roles from the papers: {sets}"
    ).format(roles=", ".join(ROLES), sets=", ".join(one.name for one in ROLE_SETS))
    add_each(
        group,
        (
            "sensitive",
            "A,B",
            tr("columns that are published unchanged, but should not be disclosed about a person"),
        ),
        ("identifier", "A,B", tr("columns that identify a person directly; never published")),
        (
            "person",
            "A",
            tr("the column that identifies the person of each record, if people have several records"),
        ),
        ("roles", "A=X,B=Y", roles),
        ("kinds", "A=X,B=Y", tr("one of {kinds} per column").format(kinds=", ".join(KINDS))),
        ("recode", "A=X,B=Y", tr("one of {recodings} per column").format(recodings=", ".join(RECODINGS))),
        ("weights", "A=2", tr("weight of a column in every distance (0 to 1000)")),
    )
    _add_readings(group)
    _add_values(group)


def _add_readings(group: Any) -> None:
    """Declare the flags for the meaning of a column's values: their order, where they begin again, how they
    are written."""
    orders = tr(
        "values of an ordinal column, lowest first, or words of a cyclic column, one cycle; also as JSON"
    )
    dates = tr(
        "order of day, month and year in date columns, {orders}; a single order applies to all"
        " (default: detected)"
    ).format(orders=", ".join(ORDERS))
    ends = tr("step to which a column's intervals are widened: auto, a number, day, month, year or 500 m")
    items = tr("delimiter of the items of a column: text, tab, blank, json, {} or none (default: detected)")
    add_each(
        group,
        ("orders", "A=X<Y<Z", orders),
        ("periods", "A=24", tr("period of a cyclic column of numbers (default: guessed)")),
        ("date-order", "A=dmy,B=mdy", dates),
        ("round-ends", "A=X,B=Y", ends),
        ("item-delimiters", "A=;,B=tab", items),
    )


def _add_values(group: Any) -> None:
    """Declare the flags for hierarchies, categories and distances of a column's values."""
    trees = tr(
        "hierarchy of a column's values or items, once per column: a file of lines {line}, or pairs"
        " as in a recipe"
    ).format(line="value;group;…;*")
    maps = tr(
        "categories that replace a column's values, once per column: a file of lines {line}, or"
        " pairs as in a recipe"
    ).format(line="product;category")
    for flag, help in (("hierarchy", trees), ("categories", maps)):
        group.add_argument(f"--{flag}", metavar="A=FILE", action="append", help=help)
    add_each(
        group,
        ("propose-categories", "A=B", tr("propose categories of column A from descriptions in column B")),
    )
    count = tr("number of categories to propose (2 to 200; default {count})").format(count=CATEGORIES)
    group.add_argument("--category-count", metavar="X", default=str(CATEGORIES), help=count)
    distances = tr(
        "one of {names} per column; graph:FILE, tree:FILE and givenmatrix:FILE read edges, parents"
        " or cells from a file, one entry per line; options are written as in a recipe"
    ).format(names=names_of(DISTANCES))
    add_each(group, ("distances", "A=X,B=Y", distances))


def add_reading(command: Parser) -> None:
    """Declare FILE and the settings for reading it."""
    command.add_argument("file", metavar="FILE", help=tr(FILE_HELP))
    add_how(command)


def add_how(command: Parser) -> None:
    """Declare the flags for how to read a file."""
    group = command.add_argument_group(tr("reading"), tr("Settings that are not given are detected."))
    add_each(
        group,
        ("format", None, ", ".join(known.name for known in FORMATS)),
        ("encoding", None, tr("such as utf-8 or cp932")),
        ("delimiter", None, tr("one character, or the word tab")),
    )
    group.add_argument("--header", choices=("yes", "no"), help=tr("whether the first row names the columns"))
    _add_around(group)
    names = tr("names of all columns, in order, which replace those of the file")
    long = tr("for files with one row per item: the column of the records, and the column of their items")
    without = tr("in UCI's Online Retail data, leave out {words}").format(words=" or ".join(WITHOUT))
    add_each(group, ("names", "A,B", names), ("long", "A,B", long), ("without", "A,B", without))
    group.add_argument("--typed", choices=("yes", "no"), help=tr("no: read every cell as text (default yes)"))


def _add_around(group: Any) -> None:
    """Declare the flags for lines around the table that are skipped, and for the meaning of a file's
    cells."""
    missing = tr("further texts that mean a missing cell; column=text for one column, such as income=999998")
    keep = tr("words such as NA that are values, not missing cells; column=text for one column")
    add_each(
        group,
        ("skip", "N", tr("number of lines, or rows of a sheet, to skip above the column names")),
        ("skip-rows", "N", tr("number of rows to skip below the column names, such as labels")),
        ("skip-end", "N", tr("number of lines to skip at the end, such as notes; blank lines do not count")),
        ("sheet", None, tr("name of a workbook's sheet")),
        ("missing", "A,B", missing),
        ("keep", "A,B", keep),
    )
    decimal = tr("decimal mark of the numbers (default: detected from all numbers of the file)")
    group.add_argument("--decimal", choices=(",", "."), help=decimal)

"""The flags of a table: how its file is read, and what its columns are."""

from __future__ import annotations

from typing import Any

from kanon_core.base.words import later, tr
from kanon_core.cli.arguments import Parser
from kanon_core.cli.output import names_of

FILE_HELP = later("a csv, tsv, xlsx, parquet, fimi, spmf or pwscup file, or sample:NAME")


def add_table(command: Parser) -> None:
    """FILE, how to read it, and what its columns are."""
    add_reading(command)
    add_columns(command)


def add_columns(command: Parser) -> None:
    """What the columns are."""
    from kanon_core.cli.flags import roles_help
    from kanon_core.table.schema import KINDS, RECODINGS

    group = command.add_argument_group(
        tr("columns"), tr('Lists are written as in a csv file: age,"zip, old".')
    )
    for flag, metavar, help in (
        ("quasi", "A,B", tr("exactly these columns are quasi-identifiers (default: guessed)")),
        ("sensitive", "A,B", tr("columns published unchanged, not to be learned about a person")),
        ("identifier", "A,B", tr("columns that name a person; never published")),
        ("person", "A", tr("the column that says whose record it is, where people have many records")),
        ("roles", "A=X,B=Y", roles_help()),
        ("kinds", "A=X,B=Y", tr("one of {kinds} per column").format(kinds=", ".join(KINDS))),
        ("recode", "A=X,B=Y", tr("one of {recodings} per column").format(recodings=", ".join(RECODINGS))),
        ("weights", "A=2", tr("weight of a column in every distance (0 to 1000)")),
    ):
        also = ["--qi"] if flag == "quasi" else []
        group.add_argument(f"--{flag}", *also, metavar=metavar, help=help)
    _add_readings(group)
    _add_values(group)


def _add_readings(group: Any) -> None:
    """How a column's values are meant: their order, where they begin again, how they are written."""
    from kanon_core.table.columns.datetexts import ORDERS

    for flag, metavar, help in (
        (
            "orders",
            "A=X<Y<Z",
            tr("values of an ordinal column, least first, or words of a cyclic one, once around, or as JSON"),
        ),
        ("periods", "A=24", tr("after how much a cyclic column of numbers begins again (default: guessed)")),
        (
            "date-order",
            "A=dmy,B=mdy",
            tr(
                "order of day, month and year in columns of dates, {orders}; one alone is that of all"
                " (default: found)"
            ).format(orders=", ".join(ORDERS)),
        ),
        (
            "round-ends",
            "A=X,B=Y",
            tr("step to which a column's intervals are widened: auto, a number, day, month, year or 500 m"),
        ),
        (
            "item-delimiters",
            "A=;,B=tab",
            tr(
                "what stands between the items of a column: text, tab, blank, json, {} or none (default:"
                " found)"
            ),
        ),
    ):
        group.add_argument(f"--{flag}", metavar=metavar, help=help)


def _add_values(group: Any) -> None:
    """What a column's values are: hierarchies, categories, distances."""
    from kanon_core.distances import DISTANCES

    for flag, said, line in (
        (
            "hierarchy",
            tr(
                "groups of a column's values or items, once for each column: a file of lines {line}, or pairs"
                " as a recipe writes them"
            ),
            "value;group;…;*",
        ),
        (
            "categories",
            tr(
                "what a column's values are replaced by, once for each column: a file of lines {line}, or"
                " pairs as a recipe writes them"
            ),
            "product;category",
        ),
    ):
        group.add_argument(f"--{flag}", metavar="A=FILE", action="append", help=said.format(line=line))
    _add_proposals(group)
    group.add_argument(
        "--distances",
        metavar="A=X,B=Y",
        help=tr(
            "one of {names} per column; graph:FILE, tree:FILE and givenmatrix:FILE take edges, parents or"
            " cells from a file, one entry a line; or with options as a recipe writes it"
        ).format(names=names_of(DISTANCES)),
    )


def _add_proposals(group: Any) -> None:
    from kanon_core.table.hierarchy.proposals import CATEGORIES

    group.add_argument(
        "--propose-categories",
        metavar="A=B",
        help=tr("categories of column A found from descriptions in column B"),
    )
    group.add_argument(
        "--category-count",
        metavar="X",
        default=str(CATEGORIES),
        help=tr("how many categories to propose (2 to 200; default {count})").format(count=CATEGORIES),
    )


def add_reading(command: Parser) -> None:
    """FILE and how to read it."""
    command.add_argument("file", metavar="FILE", help=tr(FILE_HELP))
    add_how(command)


def add_how(command: Parser) -> None:
    """How to read a file."""
    from kanon_core.table.readers import FORMATS
    from kanon_core.table.readers.retail import WITHOUT

    group = command.add_argument_group(tr("reading"), tr("Whatever is left out is detected."))
    group.add_argument("--format", help=", ".join(known.name for known in FORMATS))
    group.add_argument("--encoding", help=tr("such as utf-8 or cp932"))
    group.add_argument("--delimiter", help=tr("one character, or the word tab"))
    group.add_argument("--header", choices=("yes", "no"), help=tr("whether the first row names the columns"))
    _add_skipped(group)
    group.add_argument("--sheet", help=tr("name of a workbook's sheet"))
    _add_cells(group)
    group.add_argument(
        "--names", metavar="A,B", help=tr("names of all columns, in order, in place of those of the file")
    )
    group.add_argument(
        "--long",
        metavar="A,B",
        help=tr("one row for each item: the column of the records, and that of their items"),
    )
    group.add_argument(
        "--without",
        metavar="A,B",
        help=tr("of UCI's Online Retail, leave out {words}").format(words=" or ".join(WITHOUT)),
    )
    group.add_argument(
        "--typed", choices=("yes", "no"), help=tr("no: every cell is a text as written (default yes)")
    )


def _add_skipped(group: Any) -> None:
    """What stands around the table and is left out."""
    for flag, says in (
        ("skip", tr("lines above the column names, or rows of a sheet, that are no part of the table")),
        ("skip-rows", tr("rows below the column names that are no records, such as labels")),
        ("skip-end", tr("lines at the end, blank ones not counted, that are no records, such as notes")),
    ):
        group.add_argument(f"--{flag}", metavar="N", help=says)


def _add_cells(group: Any) -> None:
    """What the cells of a file mean."""
    group.add_argument(
        "--missing",
        metavar="A,B",
        help=tr("further texts that mean a missing cell; column=text for one column, as income=999998"),
    )
    group.add_argument(
        "--keep",
        metavar="A,B",
        help=tr("words such as NA that are values here, not missing cells; column=text for one column"),
    )
    group.add_argument(
        "--decimal",
        choices=(",", "."),
        help=tr("the decimal mark of the numbers (default: found from all numbers of the file)"),
    )

"""Sentences on cells that are not of their column's kind."""

from __future__ import annotations

from kanon_core.base.words import tr, tr_n
from kanon_core.table.attribute import Attribute
from kanon_core.table.table import Table


def misfit_notes(table: Table) -> list[str]:
    """Return sentences by column: for columns of numbers, how many cells are ends such as “90+”; for any
    kind, how many cells do not fit it, which these are, unless the column is private, and what could be done.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,zip\\n> 89,1\\nrefused,2\\n42,3\\n")
    >>> misfit_notes(table.with_schema(table.schema.with_kinds({"age": "numeric"})))[0][:43]
    'In “age”, 1 cell is open-ended, such as “90'
    """
    found = []
    for name, own in table.misfits.items():
        if own.ends:
            said = tr_n(
                "Column “{name}” has {count:,} open-ended cell, such as “90+” (top or bottom coding); it is"
                " read as the number alone, such as 90.",
                "Column “{name}” has {count:,} open-ended cells, such as “90+” (top or bottom coding); they"
                " are read as the number alone, such as 90.",
                own.ends,
            )
            found.append(said.format(name=name, count=own.ends))
        if own.count:
            found.append(_unfit(table.schema[name], own.count, own.texts))
    return found


def _unfit(attribute: Attribute, count: int, texts: tuple[tuple[str, int], ...]) -> str:
    name, kind = attribute.name, attribute.kind
    which = ", ".join(f"“{text}” {cells:,}" for text, cells in texts) or tr(
        "not shown because the column is private"
    )
    said = tr_n(
        "Column “{name}” has {count:,} cell that does not fit the kind {kind} and counts as missing:"
        " {which}.",
        "Column “{name}” has {count:,} cells that do not fit the kind {kind} and count as missing: {which}.",
        count,
    )
    told = said.format(name=name, count=count, kind=tr(kind), which=which)
    if attribute.role in ("sensitive", "other"):
        told += " " + tr("The release publishes these cells unchanged.")
    if kind != "numeric":
        return told
    return (
        told
        + " "
        + tr(
            "If the values have an order, give the column the kind ordinal (on the command line: --kinds"
            " {name}=ordinal)."
        ).format(name=name)
    )

"""Notes on columns for those who set their kinds and roles: misfits, and settings without effect."""

from __future__ import annotations

import pandas as pd

from kanon_core.base.words import tr, tr_n
from kanon_core.table.attribute import Attribute
from kanon_core.table.table import Table


def question_marks(table: Table) -> int:
    """Return how many cells hold only “?”, which many files write for a missing value and which is kept as a
    value. Cost O(cells of text), once per table.

    >>> import kanon_core as kc
    >>> question_marks(kc.read_table(b"age,job\\n30,?\\n40,cook\\n?,?\\n"))
    3
    """

    def made() -> int:
        columns = (cells for _, cells in table.frame.items() if not pd.api.types.is_numeric_dtype(cells))
        return sum(int((cells == "?").sum()) for cells in columns)

    return table.once("question_marks", made)


def idle_notes(table: Table) -> list[str]:
    """Return a sentence for each column whose round ends or recoding have no effect, because it is not a
    quasi-identifier and so is published unchanged.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,pay\\n30,1\\n40,2\\n")
    >>> schema = table.schema.with_roles({"pay": "sensitive"}).with_round_ends({"pay": "100"})
    >>> idle_notes(table.with_schema(schema))[0][:53]
    'Column “pay” is published unchanged, so its rounding '
    """
    says = tr(
        "Column “{name}” is published unchanged, so its {setting} has no effect. Give it the role"
        " quasi-identifier to use it."
    )
    found = []
    for attribute in table.schema.of_role("sensitive", "other"):
        settings = {tr("rounding of ends"): attribute.round_to != ""}
        settings |= {tr("recoding"): attribute.recoding != "generalize"}
        found += [says.format(name=attribute.name, setting=one) for one, chosen in settings.items() if chosen]
    return found


def misfit_notes(table: Table) -> list[str]:
    """Return sentences by column: how many cells of a numeric column are open ends such as “90+”, and how
    many cells do not fit the kind, with their texts unless the column is private, and the remedy.

    >>> import kanon_core as kc
    >>> table = kc.read_table(b"age,zip\\n> 89,1\\nrefused,2\\n42,3\\n")
    >>> misfit_notes(table.with_schema(table.schema.with_kinds({"age": "numeric"})))[0][:43]
    'Column “age” has 1 open-ended cell, such as'
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

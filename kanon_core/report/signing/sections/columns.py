"""Every column: its role, its kind, and how it is published; no value of any."""

from __future__ import annotations

from kanon_core.base.words import counted, tr
from kanon_core.report.signing.blocks import Grid, Section, notes
from kanon_core.report.signing.evidence import Evidence
from kanon_core.table.schema import Attribute


def section(evidence: Evidence) -> Section:
    """A line for each column."""
    release = evidence.release
    rows = tuple(
        (column.name, column.role.replace("_", "-"), column.kind, _published(column, release.pseudonymous))
        for column in release.table.schema
    )
    head = (tr("column"), tr("role"), tr("kind"), tr("how it is published"))
    return Section.of(
        tr("Columns and their roles"),
        Grid(head, rows, widths=(26, 16, 14, 44)),
        notes([tr("No value of an identifier or of an unpublished column stands in this report.")]),
    )


def _published(column: Attribute, pseudonymous: bool) -> str:
    if column.role == "identifier":
        return tr("left out")
    if column.role == "person":
        return tr("as pseudonyms") if pseudonymous else tr("left out")
    if column.role != "quasi_identifier":
        return tr("unchanged")
    return ", ".join([_recoded(column), *_also(column)])


def _recoded(column: Attribute) -> str:
    if column.recoding != "generalize":
        said = tr("{mean} of the group").format(mean=tr(column.recoding))
    elif column.is_numeric:
        said = tr("generalized to intervals")
        if column.round_to:
            said = tr("generalized to intervals with ends rounded to {step}").format(step=column.round_to)
    elif column.hierarchy is not None:
        said = tr("generalized along a hierarchy of {count}").format(
            count=counted(len(column.hierarchy.values), "value")
        )
    elif column.kind == "items":
        said = tr("generalized to the items that all of a group have")
    else:
        said = tr("generalized to sets of values")
    return said


def _also(column: Attribute) -> list[str]:
    said = []
    if column.categories is not None:
        count = len(column.categories.sizes)
        said.append(tr("values replaced by {count:,} categories").format(count=count))
    if column.weight != 1:
        said.append(tr("weight {weight:g}").format(weight=column.weight))
    if column.distance is not None:
        said.append(tr("distance: {title}").format(title=column.distance.title))
    return said

"""A session's columns on a table: its own, or another one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from kanon_core.base.errors import SchemaError
from kanon_core.base.words import tr
from kanon_core.session.file import SessionFile
from kanon_core.table.rowdigest import digest_like
from kanon_core.table.schema import Attribute, Schema
from kanon_core.table.table import Table

_SHOWN = 8


@dataclass(frozen=True)
class Fitted:
    """A table with what fits it of a session's columns. ``same``: it is known to hold the data of the
    session, so that its points are right; ``sentences`` say what was not taken."""

    table: Table
    same: bool
    sentences: tuple[str, ...]


def fitted(file: SessionFile, table: Table) -> Fitted:
    """The table with the roles, kinds, weights, recodings, distances and hierarchies that the session gives
    to columns of its names; a column that cannot have them stays as it is.

    >>> import kanon_core as kc
    >>> table = kc.Table.from_frame(kc.load_sample("people-100")[["age", "sex"]])
    >>> said = kc.Schema((kc.Attribute("age", kind="numeric", weight=2), kc.Attribute("height")))
    >>> found = fitted(SessionFile("", 100, said, kc.session.Step(kc.MDAV(), 5)), table)
    >>> found.table.schema["age"].weight, *found.sentences
    (2.0, 'The table has no column “height”.', 'The session says nothing of the column “sex”.')
    """
    given = table if table.given_order == file.given_order else replace(table, given_order=file.given_order)
    same = bool(file.data_digest) and digest_like(file.data_digest, table, file.schema) == file.data_digest
    try:
        return Fitted(given.with_schema(file.schema), same, ())
    except SchemaError:
        pass
    known = {attribute.name: attribute for attribute in file.schema}
    refused = []
    for name in table.schema.names:
        if name in known:
            try:
                given = given.with_schema(_changed(given.schema, known[name]))
            except SchemaError:
                refused.append(name)
    gone = [name for name in known if name not in table.schema.names]
    new = [name for name in table.schema.names if name not in known]
    parts = (
        (gone, tr("The table has no column {names}."), tr("The table has no columns {names}.")),
        (
            new,
            tr("The session says nothing of the column {names}."),
            tr("The session says nothing of the columns {names}."),
        ),
        (
            refused,
            tr("The column {names} cannot be as the session says, and stays as it is."),
            tr("The columns {names} cannot be as the session says, and stay as they are."),
        ),
    )
    said = (
        (one if len(names) == 1 else many).format(names=_listed(names)) for names, one, many in parts if names
    )
    return Fitted(given, same, tuple(said))


def _changed(schema: Schema, wanted: Attribute) -> Schema:
    return Schema(tuple(wanted if one.name == wanted.name else one for one in schema))


def _listed(names: Iterable[str]) -> str:
    quoted = [f"“{name}”" for name in names]
    if len(quoted) > _SHOWN:
        return ", ".join(quoted[:_SHOWN]) + tr(" and {more} more").format(more=len(quoted) - _SHOWN)
    return ", ".join(quoted)

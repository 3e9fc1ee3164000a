"""The audit of a file by its own rows, without the table that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import IO, TYPE_CHECKING, cast

from kanon_core.base.errors import InputError, UnsuitableError
from kanon_core.base.progress import Tick, silent
from kanon_core.base.words import tr
from kanon_core.guarantees.base import Guarantee, Verdict
from kanon_core.guarantees.files.cells import Counting
from kanon_core.guarantees.files.written import WrittenFile
from kanon_core.table.people import undecided
from kanon_core.table.readers import read_frame

if TYPE_CHECKING:
    from kanon_core.guarantees.base import Judged
    from kanon_core.table.table import Table

COUNTING = Counting()
"""The way cells count by default."""


def audit_file(
    source: str | PathLike[str] | bytes | IO[bytes],
    table: Table,
    guarantees: Sequence[Guarantee],
    progress: Tick | None = None,
    counting: Counting = COUNTING,
) -> tuple[Verdict, ...]:
    """Return verdicts on whether a file, whoever made it, keeps these guarantees, judged by its rows alone.

    ``source``: the file, as `read_table` takes it; ``table``: what `read_table` made of it, with the roles
    and kinds that its columns have. Quasi-identifiers are equal when they are written equally: "1.50" is not
    "1.5", and "NA" or "-inf" is not missing; missing equals missing. ``counting`` may change this. Where a
    column has the role person, persons are counted, and each pseudonym is taken for a different person;
    `PersonKAnonymity` judges their histories, `KKMAnonymity` item sets of which an attacker knows a few.
    Witnesses are row numbers of the file, from 1. Raises UnsuitableError where a guarantee makes no sense of
    this table or needs the original, InputError where the file cannot be read. Cost: reading, and that of
    each guarantee.

    >>> import kanon_core as kc
    >>> data = b"age,job\\n[30-39],nurse\\n[30-39],nurse\\n[40-49],nurse\\n"
    >>> table = kc.read_table(data)
    >>> table = table.with_schema(table.schema.with_quasi(["age", "job"]))
    >>> (verdict,) = kc.audit_file(data, table, [kc.KAnonymity(2)])
    >>> verdict.holds, verdict.found, verdict.witnesses
    (False, 1, (3,))
    """
    if not table.quasi:
        raise UnsuitableError(
            tr("No column is a quasi-identifier; give that role to the columns that an attacker may know.")
        )
    reasons = undecided(table) or [
        reason for guarantee in guarantees for reason in unsuitable_file(guarantee, table)
    ]
    if reasons:
        raise UnsuitableError(" ".join(dict.fromkeys(reasons)))
    sample = "sample" in table.reading
    frame = table.frame if sample else read_frame(source, **{**table.reading, "typed": False}).frame
    if len(frame) != len(table):
        raise InputError(
            tr(
                "The table was not read from this file: they have different numbers of rows. Read the"
                " table from this file again."
            )
        )
    file, tick = cast("Judged", WrittenFile(table, frame, counting)), progress or silent
    return tuple(guarantee.check(table, file, tick) for guarantee in guarantees)


def unsuitable_file(guarantee: Guarantee, table: Table) -> list[str]:
    """Return why a guarantee cannot be checked on a file with these columns, in sentences; empty when it can.
    In a file with a column of persons, persons are counted wherever other files count records."""
    if guarantee.needs_original:
        return [
            tr(
                "{name} can only be checked against the original; name the file that the release"
                " was made from."
            ).format(name=guarantee.name)
        ]
    reasons = guarantee.unsuitable(table)
    persons = [attribute.name for attribute in table.schema.of_role("person")]
    if not reasons or not persons:
        return reasons
    rows = table.with_schema(table.schema.with_roles(dict.fromkeys(persons, "identifier")))
    return reasons if guarantee.unsuitable(rows) else []

"""The table as it is without its categories: what the histories page compares with."""

from __future__ import annotations

import kanon_core as kc
from pages.state.keys import Key
from pages.state.session import Session

_PLAIN: Key[tuple[str, kc.Table | None]] = Key("without categories", ("", None))


def without_categories(session: Session) -> kc.Table | None:
    """The table with its products in place of their categories; None where it has no categories."""
    schema = session.table.schema
    named = [attribute.name for attribute in schema if attribute.categories is not None]
    if not named:
        return None
    digest, plain = _PLAIN.get()
    if digest != session.table.digest:
        plain = session.table.with_schema(schema.with_categories(dict.fromkeys(named)))
        _PLAIN.set((session.table.digest, plain))
    return plain

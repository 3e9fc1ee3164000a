"""Why a release is handed over although a finding stops it, as it was written."""

from __future__ import annotations

from pages.state.keys import Key
from pages.state.session import Session

_REASONS: Key[dict[str, str]] = Key("reasons", {})


def reasons_of(session: Session) -> Key[dict[str, str]]:
    """By the sentence of a finding, the reason given for the present table and setting."""
    return _REASONS.of(session.table.data_digest, session.setting.key)

"""Characters that no file can hold."""

from __future__ import annotations

import re

_HALVES = re.compile("[\ud800-\udfff]")


def encodable(text: str) -> str:
    """The text with U+FFFD in place of halves of characters (lone surrogates)."""
    return text if text.isascii() else _HALVES.sub("\ufffd", text)

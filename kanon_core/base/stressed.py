"""Sentences a part of which is stressed."""

from __future__ import annotations


def stressed(message: str, **values: object) -> tuple[str, ...]:
    """The message, in the reader's language already, cut at its asterisks and filled in: what stood between
    two of them, every second part, is stressed. The values may hold any sign.

    >>> stressed("Hidden among *{count:,} records*.", count=1200)
    ('Hidden among ', '1,200 records', '.')
    """
    return tuple(part.format(**values) for part in message.split("*"))

"""Releases that nobody looks at: what can be found again from the others' arrays is not kept."""

from __future__ import annotations

from kanon_core.base.memory import bytes_of
from kanon_core.release.release import Release

_FOUND_AGAIN = ("classes", "class_sizes", "hidden_among", "_behind", "row", "first", "by_row", "held")
"""Found again in O(n log n); what takes longer stays."""


def rest(release: Release) -> None:
    """Forget what is found again when somebody asks for it; nothing that is told of a release changes.

    >>> import kanon_core as kc
    >>> release = kc.anonymize(kc.read_table("sample:people-5000"), kc.Mondrian(), k=5, seed=1)
    >>> classes, before = release.classes, size_of(release)
    >>> rest(release)
    >>> size_of(release) < before, (release.classes == classes).all().item()
    (True, True)
    """
    for name in _FOUND_AGAIN:
        release.__dict__.pop(name, None)
    release.cover.__dict__.pop("order", None)


def size_of(release: Release) -> int:
    """Bytes of the arrays that a release holds besides its table."""
    return bytes_of(release, without=[release.table, release.recipe])

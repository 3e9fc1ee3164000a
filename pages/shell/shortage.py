"""Where memory ends in the middle of a page, the page says so; what it had stays, and the server goes on."""

from __future__ import annotations

_SEEN = "kanon_seen"
"""Marks an error of which this server was told."""


def short_of_memory(problem: Exception) -> bool:
    """Return whether nothing more is to be said of what ended a page: it was a lack of memory, which is then
    said in place of the rest of it, or it ended a fragment within another, and was told of there."""
    behind = problem.__cause__ or problem.__context__
    setattr(problem, _SEEN, True)
    if getattr(behind, _SEEN, False):
        return True
    if not isinstance(problem, MemoryError):
        return False
    from kanon_core.base.memory import give_back
    from kanon_core.base.words import tr
    from pages.state.jobs import SHORT
    from pages.widgets.text import error

    give_back()
    error(tr(SHORT))
    return True

"""Where memory ends in the middle of a page, the page says so; what it had stays, and the server goes on."""

from __future__ import annotations

from streamlit.errors import FragmentHandledException


def short_of_memory(problem: Exception) -> bool:
    """Whether nothing more is to be said of what ended a page: it was a lack of memory, which is then said in
    place of the rest of it, or it ended a fragment within another, and was said there."""
    if isinstance(problem, FragmentHandledException):
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

"""Stories of runs, with their pictures packed for the browser."""

from __future__ import annotations

import re
from typing import Any

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.teaching.explain import Story, make_story
from pages.shell.frame import theme
from pages.state.jobs import working
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting
from pages.widgets.pickers import button
from pages.widgets.text import info, warning

BLOCK = 8
"""The steps whose pictures are sent together: few, so that the first is on screen soon."""
_STOPPED = Key("story stopped", "")
_PIECES = re.compile(r"(?=<[a-z])")


def story_of(session: Session, setting: Setting, name: str) -> Story | None:
    """Return the story of this setting; None, with the reason on screen, if there is none."""
    if _STOPPED.get() == setting.key:
        info(tr("Stopped. Change the setting or run it again."), icon=":material/stop_circle:")
        button(tr("Run again"), _STOPPED.pop, icon="play_arrow", key=f"again-{name}")
        return None
    try:
        with working(lambda: _STOPPED.set(setting.key), f"stop-{name}", setting.title) as tick:
            return session.picture(
                ("story", setting.key),
                lambda: make_story(session.table, setting.algorithm, setting.k, setting.seed, tick),
            )
    except kc.KanonError as reason:
        warning(reason, icon=":material/info:")
    return None


def side_of(session: Session, setting: Setting, story: Story, step: int, more: int) -> dict[str, Any]:
    """Return the data of a run for the browser: every sentence and line, and the pictures of a step (``more``
    0), of its block (1), or also of the neighboring blocks (2)."""
    lines = list(dict.fromkeys(step.lines for step in story.steps))
    own = min(step, len(story.steps) - 1)
    last, near = (len(story.steps) - 1) // BLOCK, own // BLOCK
    numbers = range(max(near - 1, 0), min(near + 1, last) + 1) if more > 1 else [near]
    return {
        "count": len(story.steps),
        "sentences": [step.sentence for step in story.steps],
        "lines": lines,
        "at": [[lines.index(step.lines), step.line] for step in story.steps],
        "ended": tr("This run ends here."),
        "blocks": {
            str(number): _block(session, setting, story, number, None if more else own) for number in numbers
        },
    }


def packed(pictures: list[str | None]) -> dict[str, Any]:
    """Pictures of which most parts are the same: ``pieces``, each once, and for each picture the numbers of
    its pieces in order, None for one that is not there; ``whole``: all are there.

    >>> packed(["<a></a><b/>", "<b/>"])
    {'pieces': ['<a></a>', '<b/>'], 'pictures': [[0, 1], [1]], 'whole': True}
    """
    numbers: dict[str, int] = {}
    found = [
        None
        if picture is None
        else [numbers.setdefault(piece, len(numbers)) for piece in _PIECES.split(picture) if piece]
        for picture in pictures
    ]
    return {"pieces": list(numbers), "pictures": found, "whole": None not in found}


def _block(session: Session, setting: Setting, story: Story, number: int, only: int | None) -> dict[str, Any]:
    """Return the pictures of a block, or of one step of it."""
    shown = theme()

    def drawn() -> dict[str, Any]:
        begin, end = number * BLOCK, min((number + 1) * BLOCK, len(story.steps))
        steps = [(at, story.steps[at]) for at in range(begin, end)]
        return packed(
            [step.scene.drawn(shown, step.sentence) if only in (None, at) else None for at, step in steps]
        )

    return session.picture(("steps", setting.key, number, only, shown), drawn)

"""What is found in the release on screen: at once where that is quick, the rest when everything is drawn."""

from __future__ import annotations

import kanon_core as kc
from kanon_core.base.progress import Tick, silent
from kanon_core.findings.base import SEVERITIES
from kanon_core.table.columns.columns import Items
from pages.state.session import Session
from pages.state.setting import Setting

_AT_ONCE, _CHEAP_AT_ONCE, _LINKED_AT_ONCE = 5_000, 2_000_000, 50_000
"""Records up to which all searches settle with the slider, and up to which the cheap ones do: fewer where
there are item sets, histories or sets that overlap."""


def known(session: Session, release: kc.Release) -> tuple[kc.Finding, ...]:
    """Return what has been found in the release of the present setting, the heaviest first; quick searches
    are made now."""
    looked_for(session, release, [search for search in missing(session) if _quick(session, release, search)])
    found = [one for some in _kept(session, session.setting).values() for one in some]
    menu = [cls.name for cls in kc.FINDINGS]
    return tuple(sorted(found, key=lambda one: (list(SEVERITIES).index(one.severity), menu.index(one.name))))


def missing(session: Session) -> list[kc.Search]:
    """The searches that were not yet made in the release of the present setting."""
    made = _kept(session, session.setting)
    return [cls() for cls in kc.FINDINGS if cls.__name__ not in made]


def looked_for(
    session: Session, release: kc.Release, searches: list[kc.Search], tick: Tick = silent
) -> tuple[kc.Finding, ...]:
    """Make these searches and keep what they find."""
    made, found = _kept(session, session.setting), list[kc.Finding]()
    for search in searches:
        made[type(search).__name__] = kc.judge(session.table, release, [search], tick)
        found += made[type(search).__name__]
    return tuple(found)


def _kept(session: Session, setting: Setting) -> dict[str, tuple[kc.Finding, ...]]:
    return session.findings.setdefault((session.table.digest, setting.key), {})


def _quick(session: Session, release: kc.Release, search: kc.Search) -> bool:
    if not search.cheap:
        return len(session.table) <= _AT_ONCE
    sets = any(isinstance(column, Items) for column in session.table.columns)
    plain = release.guarantee.disjoint and not release.pseudonymous and not sets
    return len(session.table) <= (_CHEAP_AT_ONCE if plain else _LINKED_AT_ONCE)

"""One group: chosen by a click, by its number, or as the group of a record; its records before and after."""

from __future__ import annotations

import numpy as np
import streamlit as st

import kanon_core as kc
from kanon_core.base.words import tr
from kanon_core.charts.groups.alike import Groups
from pages.state.keys import Key, linked
from pages.state.session import Session
from pages.widgets.beforeafter import FEW, both_sides
from pages.widgets.text import heading, info, note

_WANTED = Key("record looked up", 0)
"""By table: the record, counted from 0, whose group was looked for."""


def one_group(session: Session, release: kc.Release) -> None:
    """Show one group's records before and after, and the fields that look a group up."""
    heading(tr("One group of records") if release.guarantee.pseudonyms else tr("One group"))
    groups = Groups.shown(release)
    if not len(groups):
        info(tr("Nothing is published, so there is no group."))
        return
    session.group = min(session.group or 0, len(groups) - 1)
    members = groups.members(session.group)
    _search(session, groups, members)
    note(release.guarantee.about_group(len(members)))
    both_sides(session.table, release, members[:FEW])
    if len(members) > FEW:
        note(tr("The first {few} are shown.").format(few=FEW))


def _search(session: Session, groups: Groups, members: np.ndarray) -> None:
    """Show the number of the group and, to find another, one of its records."""
    wanted = _WANTED.of(session.table.digest)
    asked = min(wanted.get(), len(groups.of) - 1)
    record = asked if groups.of[asked] in (session.group, -1) else int(members[0])

    def find(number: int) -> None:
        wanted.set(number - 1)
        if groups.of[number - 1] >= 0:
            session.choose_group(int(groups.of[number - 1]))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        says = tr("Group (1 to {count:,}): click a group in the picture or type its number")
        tied = linked(
            "group number", (session.group or 0) + 1, lambda number: session.choose_group(number - 1)
        )
        st.number_input(says.format(count=len(groups)), 1, len(groups), **tied)
        says = tr("Group of record (1 to {count:,})").format(count=len(groups.of))
        st.number_input(says, 1, len(groups.of), **linked("record of the group", record + 1, find))
    if groups.of[record] < 0:
        note(tr("Record {record} is suppressed, so it is in no group.").format(record=record + 1))

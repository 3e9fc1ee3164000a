"""Glossary: a "?" that opens one entry in place, and all entries with a search."""

from __future__ import annotations

from html import escape
from itertools import groupby

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.teaching.glossary import Entry, entries, entry
from pages.state.keys import Key
from pages.widgets.text import marked, note, plain

_WORD: Key[str | None] = Key("word", None)


def mark(entry: Entry, place: str) -> str:
    """Return HTML of a "?" that opens the meaning of a term by click and by key, without a run of the script.
    ``place`` distinguishes it from others of the same term on a page."""
    name, number = escape(entry.name), f"word-{escape('-'.join(place.split()))}"
    says = tr("What does “{name}” mean?").format(name=name)
    return (
        f'<button type="button" class="word" popovertarget="{number}" aria-label="{says}"><i>?</i></button>'
        f'<span popover id="{number}" class="entry"><b>{escape(entry.title)}</b>{_entry_text(entry)}</span>'
    )


def meaning(entry: Entry, place: str) -> None:
    """Show the "?" beside a control."""
    st.html(f"<span>{mark(entry, place)}</span>", width="content")


def explained(entry: Entry, place: str, sign: str, name: str, rest: str) -> None:
    """Show a line of the page with the "?" after its name."""
    st.html(f'<p class="line">{marked((sign, name))}{mark(entry, place)}{escape(rest)}</p>')


def glossary() -> None:
    """Show a field that finds a term, and all terms by subject; each opens by click and by key."""
    every = entries()
    shown = {f"{word.title} – {word.part}": word for word in every}
    chosen = st.selectbox(
        tr("Find a term"), list(shown), index=None, placeholder=tr("Type a term"), key=_WORD.name
    )
    if chosen is not None:
        _one(shown[chosen])
    st.html("".join(_part(title, list(members)) for title, members in groupby(every, lambda word: word.part)))


def _one(chosen: Entry) -> None:
    """Show the chosen entry and links to related ones."""
    text = _entry_text(chosen, see=False)
    st.html(f'<div class="entry" role="status"><b>{escape(chosen.title)}</b>{text}</div>')
    if not chosen.see:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="word-see"):
        note(tr("See also:"))
        for name in chosen.see:
            other = entry(name)
            goal = f"{other.title} – {other.part}"
            st.button(plain(other.name), on_click=_WORD.set, args=(goal,), type="tertiary", key=f"see-{name}")


def _part(title: str, members: list[Entry]) -> str:
    words = (
        f"<details><summary>{escape(word.title)}</summary>{_entry_text(word)}</details>" for word in members
    )
    return f'<div class="words"><b>{escape(title)}</b>{"".join(words)}</div>'


def _entry_text(entry: Entry, see: bool = True) -> str:
    example = tr("Example: {example}").format(example=entry.example) if entry.example else ""
    others = tr("See also: {names}.").format(names=", ".join(map(tr, entry.see))) if see and entry.see else ""
    return "".join(f"<span>{escape(text)}</span>" for text in (entry.says, example, others) if text)

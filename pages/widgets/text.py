"""Text from data, shown literally.

Streamlit reads most texts as Markdown: a column named ``![x](http://…)`` would make the browser request that
picture. Pages give only constant text and numbers to Streamlit's own text elements, and everything else to
this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import Literal

import streamlit as st

from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import listed

_ACTIVE = re.compile(r"([!#$&()*+\-./:<=>@\[\\\]^_`{|}~])")
_FOUND_LATER = re.compile(r"(:(?=\S)|@|www(?=\.)|[-<>~](?=[-<>=]))", re.IGNORECASE)
_JOINER = "\u2060"


def plain(text: object, most: int = 200) -> str:
    """Return Markdown that reads as the text, on one line and cut to ``most`` characters, for tooltips,
    buttons and labels.

    Backslashes remove the meaning of Markdown's signs. A word joiner after the signs of addresses, arrows and
    ``:names:`` prevents a second interpretation.
    """
    return _ACTIVE.sub(r"\\\1", _FOUND_LATER.sub(rf"\1{_JOINER}", _cut(text, most)))


def note(text: object, most: int = 900) -> None:
    """Show a quiet line below its subject."""
    st.html(f'<p class="note">{escape(_cut(text, most))}</p>')


def not_for_this_table(left_out: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Show the titles that are not available and the reasons, grouped by reason."""
    titles: dict[str, list[str]] = {}
    for title, reasons in left_out:
        for reason in reasons[:1]:
            titles.setdefault(reason, []).append(title)
    for reason, named in titles.items():
        whose = "" if all(title in reason for title in named) else f"{listed(named)}. "
        note(tr("Not for this table: {whose}{reason}").format(whose=whose, reason=reason))


def line(*parts: object) -> None:
    """Show a line of the page; every second part is bold."""
    st.html(f'<p class="line">{marked(parts)}</p>')


def heading(text: object, most: int = 120) -> None:
    """Show the heading of a part of the page."""
    st.html(f'<h2 class="heading">{escape(_cut(text, most))}</h2>')


def sentence(*parts: object, width: Literal["stretch", "content"] = "stretch") -> None:
    """Show the main sentence; every second part is bold."""
    st.html(f'<p class="sentence">{marked(parts)}</p>', width=width)


def bold(message: str, **values: object) -> list[str]:
    """Return the parts of a sentence in which ``*this*`` is bold, for `line` and `sentence`; ``{names}`` in
    it are filled in.

    >>> bold("*{count:,}* records", count=1200)
    ['', '1,200', ' records']
    """
    return [part.format(**values) for part in message.split("*")]


def info(text: object, icon: str = ":material/info:") -> None:
    """Show information."""
    st.info(plain(text, 900), icon=icon)


def warning(text: object, icon: str = ":material/warning:") -> None:
    """Show a warning."""
    st.warning(plain(text, 900), icon=icon)


def error(text: object, icon: str = ":material/error:") -> None:
    """Show an error."""
    st.error(plain(text, 900), icon=icon)


def marked(parts: Sequence[object]) -> str:
    """Return HTML of these texts, every second bold."""
    texts = [escape(_cut(part, 900, strip=False)) for part in parts]
    return "".join(f"<b>{text}</b>" if i % 2 else text for i, text in enumerate(texts))


def _cut(text: object, most: int, strip: bool = True) -> str:
    whole = re.sub(r"\s+", " ", str(text))
    whole = whole.strip() if strip else whole
    return whole if len(whole) <= most else whole[: most - 1] + "…"

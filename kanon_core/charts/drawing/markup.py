"""Elements and texts of a drawing: all their contents are escaped; texts keep bold and line breaks."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

_TAG = re.compile(r"(<br ?/?>|</?b>|</?i>)")
_SPANS = {
    "<b>": '<tspan font-weight="600">',
    "</b>": "</tspan>",
    "<i>": '<tspan font-style="italic">',
    "</i>": "</tspan>",
}
_LETTER = 0.56
"""Mean width of a letter as a share of the size of the font."""


def tag(name: str, inside: str = "", /, **attributes: Any) -> str:
    """Return an element; ``_`` in the name of an attribute becomes ``-``, and attributes that are None are
    left out.

    >>> tag("line", x1="0", stroke_width=2.0, stroke='"red"', fill=None)
    '<line x1="0" stroke-width="2" stroke="&quot;red&quot;"></line>'
    """
    given = (
        (key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None
    )
    said = "".join(f' {key}="{_value(value)}"' for key, value in given)
    return f"<{name}{said}>{inside}</{name}>"


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else html.escape(str(value))


def percent(share: float) -> str:
    """A share of the width or height, as a place.

    >>> percent(0.12345)
    '12.35%'
    """
    return f"{100 * share:.2f}%"


def lines(text: object) -> list[str]:
    """The lines of a text as SVG: bold and italic stay, everything else is text.

    >>> lines("a &lt; b<br><b>c</b> <script>")
    ['a &lt; b', '<tspan font-weight="600">c</tspan> &lt;script&gt;']
    """
    found, line = list[str](), ""
    for part in _TAG.split(str(text)):
        if part.startswith("<br"):
            found.append(_closed(line))
            line = ""
        elif _TAG.fullmatch(part):
            line += _SPANS[part]
        else:
            line += html.escape(html.unescape(part))
    return [*found, _closed(line)]


def _closed(line: str) -> str:
    """Return the line with as many ends of spans as beginnings; without any spans where an end has no
    beginning."""
    missing = line.count("<tspan") - line.count("</tspan>")
    return line + missing * "</tspan>" if missing >= 0 else re.sub(r"</?tspan[^>]*>", "", line)


def plain(text: object) -> str:
    """A text without markup, not escaped.

    >>> plain("MDAV<br>k = <b>3</b> &amp; more")
    'MDAV\\nk = 3 & more'
    """
    parts = ("\n" if part.startswith("<br") else part for part in _TAG.split(str(text)))
    return html.unescape("".join(part for part in parts if not _TAG.fullmatch(part)))


def width(texts: Sequence[object], size: float) -> float:
    """About how many pixels the widest line of these texts takes in a font of this size."""
    return _LETTER * size * max((len(line) for text in texts for line in plain(text).split("\n")), default=0)


def text(
    says: object, place: tuple[str, str], font: Mapping[str, Any], baseline: float = 0.32, /, **more: Any
) -> str:
    """A text at a place. ``font``: its size and color; ``baseline``: how far its first line is lowered, in
    heights of a line; ``more``: further attributes, such as text_anchor."""
    first, *rest = lines(says)
    spans = "".join(f'<tspan x="{html.escape(place[0])}" dy="1.25em">{one}</tspan>' for one in rest)
    look = {"font_size": font.get("size", 12), "fill": font.get("color", "currentColor")}
    return tag("text", first + spans, x=place[0], y=place[1], dy=f"{baseline:g}em", **look, **more)

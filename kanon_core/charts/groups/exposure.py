"""Picture of one record's exposure: among how many it hides, and what each attacker learns, as one SVG file.

It shows what is published and figures on it, but no original value and no record number.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from itertools import accumulate

import numpy as np

from kanon_core.base.words import percent, tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.concealment.matches import planned
from kanon_core.charts.drawing.markup import tag, text
from kanon_core.findings.exposure import Exposure, Learned
from kanon_core.release.release import Release
from kanon_core.risk.candidates import InCommon

DOTS = 60
"""The most members of an anonymity set that are drawn."""
_WIDTH, _EDGE, _ROW = 1280, 48, 34
_LINE = 92
"""The number of letters of normal size that fit in a line."""
_BAR, _COLUMN = 360, 680
"""The length of a bar of 100 %, and where the bars begin."""
_COLUMNS, _ROWS, _VALUES = 6, 6, 4


def exposure_picture(release: Release, found: Exposure, theme: str = "light") -> str:
    """The picture as a file of its own, 1280 pixels wide. ``found``: the exposure of a published record.

    Every text is escaped. Rows that can be the record's own stand in the order of their texts, so that the
    order does not tell the right one. Raises OptionError for an unknown theme. Cost O(k · columns).

    >>> import kanon_core as kc
    >>> from kanon_core.findings.exposure import exposure
    >>> table = kc.read_table("sample:people-100")
    >>> release = kc.anonymize(table, kc.Sorting(), k=5, seed=1)
    >>> exposure_picture(release, exposure(table, release, 0, kc.risks(table, release))).count("<circle")
    5
    """
    colors = look.theme_of(theme)
    parts = [
        (_heading(release, found, colors), 96),
        (_dots(found.size, colors), 34 + 40 * -(-min(found.size, DOTS) // 30)),
        *((line, _ROW) for line in _published(release, found, colors)),
        (_heads(colors), _ROW + 14),
        *((_attacker(one, colors), _height(one)) for one in found.learned),
    ]
    tops = accumulate((height for _, height in parts), initial=_EDGE)
    inside = "".join(
        tag("g", "".join(drawn), transform=f"translate({_EDGE},{top})")
        for (drawn, _), top in zip(parts, tops, strict=False)
    )
    height = sum(height for _, height in parts) + _EDGE
    background = tag("rect", width=_WIDTH, height=height, fill=colors.surface)
    return tag(
        "svg",
        tag("title", html.escape(said(release, found))) + background + inside,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH} {height}",
        width=_WIDTH,
        height=height,
        font_family=look.FONT,
    )


def said(release: Release, found: Exposure) -> str:
    """Return the size of the anonymity set in words, without a record number, and for which attacker where
    the guarantee is for a weaker one."""
    beyond = release.guarantee.beyond
    if found.size == 1:
        return tr("This record hides among no others") + beyond
    members = tr(found.unit) if found.disjoint else tr("rows")
    return tr("One of {size:,} {members}").format(size=found.size, members=members) + beyond


def learned_text(one: InCommon) -> str:
    """Return the most frequent values of a sensitive column with their shares, in words."""
    if one.certain:
        return tr("{column}: certainly {value}").format(column=one.column, value=_value(one.shares[0][0]))
    named = [f"{_value(value)} {percent(share)}" for value, share in one.shares[:_VALUES]]
    more = one.different - len(named)
    if more > 0:
        named.append(tr("{more:,} more").format(more=more))
    return f"{one.column}: {', '.join(named)}"


def _value(text: str) -> str:
    return f"“{text}”" if text else tr("no value")


def _says(words: str, y: float, font: tuple[int, str], x: float = 0, bold: bool = False, **more: str) -> str:
    """Return one line of text, data and all, that is cut at the edge of the picture."""
    letters = int(_LINE * 22 / font[0] * (1 - x / (_WIDTH - 2 * _EDGE)) * 1.05)
    cut = words if len(words) <= letters else words[: letters - 1] + "…"
    weight = "600" if bold else None
    about = {"size": font[0], "color": font[1]}
    return text(html.escape(cut), (f"{x}", f"{y}"), about, font_weight=weight, **more)


def _heading(release: Release, found: Exposure, colors: look.Theme) -> tuple[str, ...]:
    recipe = release.recipe
    about = tr("{title}, k = {k}. {guarantee}: {alike}.").format(
        title=recipe.algorithm.title,
        k=recipe.k,
        guarantee=release.guarantee.called,
        alike=release.guarantee.alike,
    )
    return _says(said(release, found), 20, (44, colors.text), bold=True), _says(about, 62, (22, colors.muted))


def _dots(size: int, colors: look.Theme) -> tuple[str, ...]:
    """Return a dot for each member, the record's own solid, the others as rings."""
    drawn = [
        tag(
            "circle",
            cx=16 + 40 * (i % 30),
            cy=16 + 40 * (i // 30),
            r=13,
            fill=colors.lines[1] if i == 0 else "none",
            stroke=colors.lines[1] if i == 0 else colors.muted,
            stroke_width=3,
        )
        for i in range(min(size, DOTS))
    ]
    if size > DOTS:
        drawn.append(_says("…", 56, (30, colors.muted), 40 * 30))
    return tuple(drawn)


def _published(release: Release, found: Exposure, colors: look.Theme) -> Iterator[tuple[str, ...]]:
    """Yield the lines of the published row of its class; where sets overlap, of the rows that can be its
    own."""
    own = np.array([found.record])
    texts = release.texts(own) if found.disjoint else planned(release).texts(found.among)
    names = list(texts)[:_COLUMNS]
    rows = sorted(
        ", ".join(f"{name} {cell}" for name, cell in zip(names, row, strict=True))
        for row in zip(*(texts[name] for name in names), strict=True)
    )
    says = tr("Published row:") if len(rows) == 1 else tr("Published rows that the program made for it:")
    yield (_says(says, 12, (22, colors.muted)),)
    for row in rows[:_ROWS]:
        yield (_says(row, 12, (22, colors.text)),)
    if len(rows) > _ROWS:
        yield (_says(tr("{more:,} more").format(more=len(rows) - _ROWS), 12, (22, colors.muted)),)


def _heads(colors: look.Theme) -> tuple[str, ...]:
    picks, learns = tr("picks the right row with a probability of"), tr("Attacker, and what it learns")
    return _says(learns, 32, (22, colors.muted)), _says(picks, 32, (22, colors.muted), _COLUMN)


def _attacker(one: Learned, colors: look.Theme) -> tuple[str, ...]:
    """Return the lines of one attacker: who it is, a bar from 0 to 100 %, and what it learns."""
    bar = {"x": _COLUMN, "y": 4, "height": 18, "rx": 4}
    drawn = [
        _says(one.title, 14, (24, colors.text), bold=True),
        tag("rect", width=_BAR, fill=colors.grid, **bar),
        tag("rect", width=round(_BAR * one.chance, 1), fill=colors.lines[0], **bar),
        _says(percent(one.chance), 14, (24, colors.text), _COLUMN + _BAR + 14, bold=True),
    ]
    learned = map(learned_text, one.values or ())
    drawn += [_says(words, 48 + 32 * i, (22, colors.text), 24) for i, words in enumerate(learned)]
    return tuple(drawn)


def _height(one: Learned) -> int:
    return 50 + 32 * len(one.values or ())

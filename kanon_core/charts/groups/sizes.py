"""Sizes of anonymity sets: a histogram of matches, and the share of records by the size of their set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kanon_core.base.words import counted, number_text, tr, tr_n
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, bars, legend, margin, note, outside, rule, scatter, ticks
from kanon_core.release.release import Release
from kanon_core.risk.measured import Risks

_BARS = 40
_LABELED = 12
_WIDEST = 20
"""The largest x on a linear axis; above, the axis is logarithmic."""


@dataclass(frozen=True)
class Bins:
    """Bars of a histogram of whole numbers ``low[i]`` … ``high[i]``; the last may be open upward."""

    low: np.ndarray
    high: np.ndarray
    groups: np.ndarray
    open_end: bool

    @property
    def labels(self) -> list[str]:
        """``5``, ``5–7``, ``100 and more``."""
        ends = zip(self.low.tolist(), self.high.tolist(), strict=True)
        texts = [f"{a:,}" if a == b else f"{a:,}–{b:,}" for a, b in ends]
        if self.open_end:
            texts[-1] = tr("{low:,} and more").format(low=int(self.low[-1]))
        return texts


def size_bins(sizes: np.ndarray, k: int) -> Bins:
    """At most 41 bars of equal width, from the smaller of k and the smallest size; a long tail shares one
    last bar.

    The tail begins where sizes are more than twice the 98th percentile.
    """
    if not len(sizes):
        empty = np.zeros(0, np.int64)
        return Bins(empty, empty, empty, False)
    first, largest = min(k, int(sizes.min())), int(sizes.max())
    usual = int(np.percentile(sizes, 98, method="higher"))
    top = largest if largest <= max(2 * usual, first + 2 * k) else max(usual, k)
    width = max(1, -(-(top - first + 1) // _BARS))
    low = np.arange(first, top + 1, width)
    high = low + width - 1
    groups = np.bincount(np.minimum((sizes - first) // width, len(low)), minlength=len(low) + 1)
    open_end = bool(groups[-1])
    if open_end:
        low, high = np.append(low, high[-1] + 1), np.append(high, largest)
    return Bins(low, high, groups[: len(low)], open_end)


def match_figure(matches: np.ndarray, k: int, theme: str = "light") -> look.Figure:
    """Number of records with each count of matches, k marked. ``matches`` int64: one for each record for
    which the file has a row."""
    colors, bins = look.theme_of(theme), size_bins(matches, k)
    count = len(bins.low)
    edge = float(np.searchsorted(bins.low, k, side="right") - 1) - 0.5 if count else 0.0
    named: Settings = ticks(*_shown(bins), tickangle=0, showgrid=False, range=[-0.8, max(count, 1) - 0.2])
    return look.figure(
        [_bars(bins, k, theme)],
        theme,
        match_sentence(matches, k),
        height=300,
        xaxis=look.axis(theme, tr("Rows that could be a record's own"), **named),
        yaxis=look.counts(int(bins.groups.max(initial=0)), theme, tr("Records")),
        shapes=[rule("x", edge, colors.accent, dash="dash")],
        annotations=[
            note(tr("required: k = {k}").format(k=k), edge, 1, colors.text, paper="y", anchor="left bottom")
        ],
        margin=margin(8, 12, 28, 8),
        bargap=0,
        uirevision="sizes",
    )


def match_sentence(matches: np.ndarray, k: int) -> str:
    """Return a sentence on the counts of matches: how many are below k, the median, the largest."""
    if not len(matches):
        return tr("No record has a row.")
    few, half = int((matches < k).sum()), float(np.percentile(matches, 50, method="lower"))
    start = tr("For every record, at least {least} could be its own").format(
        least=counted(int(matches.min()), "row")
    )
    if few:
        start = tr_n(
            "For {few:,} of {records}, fewer than {k:,} rows could be its own",
            "For {few:,} of {records}, fewer than {k:,} rows could be their own",
            few,
        ).format(few=few, records=counted(len(matches), "record"), k=k)
    more = tr("median {half}, maximum {most:,}, for an attacker who reads the cells alone.")
    return f"{start}; {more.format(half=number_text(half), most=int(matches.max()))}"


def _bars(bins: Bins, k: int, theme: str) -> Settings:
    """The bars, their counts written above few of them; those of 2k and more are paler."""
    counts, blue = bins.groups.tolist(), look.theme_of(theme).lines[0]
    written = [f"{count:,}" if count else "" for count in counts] if len(counts) <= _LABELED else None
    shades = [blue if low < 2 * k else look.faded(blue, 0.5) for low in bins.low.tolist()]
    facts = np.column_stack([bins.groups, bins.low]).astype(np.int32)
    more = {"width": 0.82, "customdata": facts, "hovertext": bins.labels, **outside(written, theme)}
    told = tr("rows: {rows}, records: {records}").format(rows="%{hovertext}", records="%{customdata[0]}")
    return bars(np.arange(len(counts)), bins.groups, told, shades, **more)


def _shown(bins: Bins) -> tuple[list[int], list[str]]:
    """Return at most nine bars that have a tick, with the texts; among them the last bar, if it is open
    upward."""
    labels = bins.labels
    step = max(1, -(-len(labels) // 8))
    shown = [*range(0, len(labels), step)]
    if bins.open_end:
        shown = [i for i in shown if i <= len(labels) - 1 - step] + [len(labels) - 1]
        labels[-1] = f"{int(bins.low[-1]):,}+"
    return shown, [labels[i] for i in shown]


def size_sentence(release: Release) -> str:
    """Return sentences on the sizes: smallest, median, largest, and how many groups could be split."""
    sizes, k, guarantee = release.hiding_sizes, release.recipe.k, release.guarantee
    if not len(sizes):
        return tr("No record is published, so there are no groups.")
    if guarantee.own_rows:
        return _rows_sentence(release, sizes)
    found, smallest, largest = counted(len(sizes), "group"), int(sizes.min()), int(sizes.max())
    if len(sizes) == 1:
        text = tr("One group of {counted}").format(counted=guarantee.counted(smallest))
    elif smallest == largest:
        text = tr("{found} of exactly {counted} each").format(
            found=found, counted=guarantee.counted(smallest)
        )
    else:
        half = number_text(float(np.percentile(sizes, 50, method="lower")))
        text = tr("{found} of {smallest:,} to {largest:,} {unit}, with a median of {half}").format(
            found=found, smallest=smallest, largest=largest, unit=tr(guarantee.unit), half=half
        )
    large = int((sizes >= 2 * k).sum())
    if large:
        text += "; " + tr_n(
            "{large:,} has at least {twice:,} (paler), enough to split it in two",
            "{large:,} have at least {twice:,} (paler), enough to split them in two",
            large,
        ).format(large=large, twice=2 * k)
    merged = 0 if guarantee.pseudonyms else len(release.held) - len(sizes)
    if merged > 0:
        made = counted(len(release.held), "group")
        text += ". " + tr(
            "The algorithm made {groups} but publishes only {rows}; groups with equal rows are counted as one"
        ).format(groups=made, rows=counted(len(sizes), "different row"))
    return text + "."


def _rows_sentence(release: Release, sizes: np.ndarray) -> str:
    """Return the same sentence for a release in which records of a group show their own items."""
    few = int(sizes[sizes < release.recipe.k].sum())
    text = tr_n(
        "For an attacker who knows every item of a person, there is {rows}, shared by {least:,} to {most}",
        "For an attacker who knows every item of a person, there are {rows}, each shared by {least:,} to"
        " {most}",
        len(sizes),
    )
    rows = counted(len(sizes), "different row")
    text = text.format(rows=rows, least=int(sizes.min()), most=counted(int(sizes.max()), "record"))
    if few:
        text += ". " + tr("In rows shared by fewer than {k}: {records}").format(
            records=counted(few, "record"), k=release.recipe.k
        )
    return f"{text}. {' '.join(release.guarantee.about_numbers())}"


def hidden_figure(release: Release, theme: str = "light") -> look.Figure:
    """Share of the records, or people, in anonymity sets of at most x, as steps over x. Cost O(n)."""
    sizes, shares = hidden_shares(release)
    unit, k, color = tr(release.unit), release.recipe.k, look.theme_of(theme).lines[0]
    told = tr("{share} of the {unit} hide among at most {x} {unit}").format(
        share="%{y:.1%}", unit=unit, x="%{x}"
    )
    drawn: Settings = {"fill": "tozeroy", "line": {"shape": "hv", "color": color, "width": 2}}
    drawn |= {"marker": {"color": color, "size": 6}, "fillcolor": look.faded(color, 0.12)}
    scale = _size_scale(sizes, min(k, int(sizes.min(initial=k))))
    title = tr("{unit} among at most x").format(unit=unit.capitalize())
    return look.figure(
        [scatter("lines+markers", sizes, shares, told, **drawn)],
        theme,
        hidden_sentence(release),
        height=300,
        xaxis=look.axis(theme, tr("x, in {unit}").format(unit=unit), **scale),
        yaxis=look.axis(theme, title, tickformat=".0%", range=[0, 1.03]),
        uirevision="hidden",
    )


def _size_scale(sizes: np.ndarray, k: int) -> Settings:
    largest = int(sizes.max(initial=0))
    if largest > 20 * k:
        return {"type": "log"}
    steps = {"dtick": 1} if largest - k < 12 else {}
    return {"tickformat": ",d", "range": [k - 0.5, largest + 0.5], **steps}


def hidden_shares(release: Release) -> tuple[np.ndarray, np.ndarray]:
    """The distinct group sizes, ascending, and the share of records or people in groups up to each."""
    sizes, counts = np.unique(release.hiding_sizes, return_counts=True)
    records = np.cumsum(sizes * counts)
    return sizes, records / records[-1] if len(records) else records.astype(np.float64)


def hidden_sentence(release: Release) -> str:
    """Return a sentence on the smallest and the median anonymity set."""
    sizes, shares = hidden_shares(release)
    if not len(sizes):
        return tr("No record is published.")
    guarantee = release.guarantee
    text = tr("Every published {one} hides{beyond} among at least {counted}").format(
        one=guarantee.one, beyond=guarantee.beyond, counted=guarantee.counted(int(sizes[0]))
    )
    middle = int(sizes[np.searchsorted(shares, 0.5)])
    if middle == sizes[0]:
        return text + "."
    more = 1 - float(shares[np.searchsorted(sizes, middle) - 1])
    return tr("{text}, and {percent:.0f} % of them among {middle:,} or more.").format(
        text=text, percent=100 * more, middle=middle
    )


def fewer_figure(risks: Risks, number: int, theme: str = "light") -> look.Figure:
    """Steps over x: how many records, or people, hide among fewer than x; ``number``, an x, is marked. Cost
    O(n log n)."""
    colors = look.theme_of(theme)
    top = max(int(risks.steps.max(initial=2)), number) + 1
    wide: Settings = {"type": "log", "range": [0, float(np.log10(top))]}
    said = tr("x = {number:,}").format(number=number)
    return look.figure(
        _steps(risks, top, theme),
        theme,
        risks.fewer_sentence(number),
        height=300,
        xaxis=look.axis(theme, "x", **(wide if top > _WIDEST else {"range": [1, top], "dtick": 1})),
        yaxis=look.counts(len(risks.before), theme, tr("Hide among fewer than x")),
        shapes=[rule("x", number, colors.accent, dash="dash")],
        annotations=[note(said, number, 1, colors.text, paper="y", xanchor="left", yanchor="bottom")],
        margin=margin(8, 24, 28, 8),
        legend=legend(),
        showlegend=risks.after is not None,
        uirevision="fewer",
    )


def _steps(risks: Risks, top: int, theme: str) -> list[Settings]:
    """The steps of the original, broken, and of the release."""
    colors, places = look.theme_of(theme), np.unique(np.concatenate([[1], risks.steps, [top]]))
    sides = [(tr("original"), risks.before, "dash", colors.muted)]
    if risks.after is not None:
        sides.append((tr("release"), risks.after, "solid", colors.lines[0]))
    return [
        scatter(
            "lines",
            np.repeat(places, 2)[1:],
            np.repeat(np.searchsorted(hides, places), 2)[:-1],
            name=name,
            line={"dash": dash, "color": color, "width": 2.5},
        )
        for name, hides, dash, color in sides
    ]

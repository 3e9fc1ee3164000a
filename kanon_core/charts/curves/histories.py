"""Purchase histories over k: utility against safety and the best k, and what an attack identifies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kanon_core.base.words import tr
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import Settings, note, rule, scatter
from kanon_core.risk.reidentification import Reidentification
from kanon_core.runs.sweeps import SweepPoint

PARTS = ("PurchaseUtility", "WorstRisk")
"""The metrics whose weighted sum is the total."""
_DASHES = ("solid", "dash", "dot", "longdash", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross")


@dataclass(frozen=True)
class Balance:
    """One method by k, ascending: ``ks`` int64, ``utility`` and ``safety`` float64, of one length."""

    name: str
    ks: np.ndarray
    utility: np.ndarray
    safety: np.ndarray

    @classmethod
    def of(cls, name: str, points: Iterable[SweepPoint]) -> Balance:
        """Return the curve of finished points; those with a problem are left out."""
        found = sorted((point.k, *map(point.value, PARTS)) for point in points if not point.problem)
        columns = np.array(found, np.float64).reshape(-1, 3).T
        return cls(name, columns[0].astype(np.int64), columns[1], columns[2])

    def total(self, weight: float) -> np.ndarray:
        """Utility + weight · safety (purchase-history paper, §3)."""
        return self.utility + weight * self.safety

    def best(self, weight: float) -> int | None:
        """The position of the lowest total, the smaller k of equal ones; None without points."""
        return int(np.argmin(self.total(weight))) if len(self.ks) else None


def balance_figure(
    curves: Sequence[Balance], weight: float = 1.0, k: int | None = None, theme: str = "light"
) -> look.Figure:
    """Utility, safety and total of each curve against k; the least total is a star, ``k`` a line
    (purchase-history paper, figure 2).

    Curves differ in dash and marker, the three quantities in color. Lower is better everywhere.
    """
    colors = look.theme_of(theme)
    utility, total = tr("utility"), tr("total")
    safety = tr("safety") if weight == 1 else tr("{weight:g} × safety").format(weight=weight)
    inks = {utility: colors.lines[0], safety: colors.lines[1], total: colors.text}
    traces, notes = [], []
    for number, curve in enumerate(curves):
        parts = {utility: curve.utility, safety: weight * curve.safety, total: curve.total(weight)}
        for what, values in parts.items():
            if what != safety or _differs(curves, number, weight):
                traces.append(_line(curves, number, (what, inks[what]), values))
        best = curve.best(weight)
        if best is not None:
            traces.append(_star(curve, best, float(curve.total(weight)[best]), theme))
            notes.append(_best_note(curve, number, best, float(curve.total(weight)[best]), theme))
    here: dict[str, Any] = {"anchor": "left bottom", "paper": "y", "xshift": 4}
    notes += [] if k is None else [note(tr("now k = {k}").format(k=k), k, 0, colors.muted, **here)]
    return look.figure(
        traces,
        theme,
        " ".join(balance_sentences(curves, weight)),
        height=470,
        xaxis=look.axis(theme, tr("k, in people"), tickformat="d", nticks=12),
        yaxis=look.axis(theme, tr("Lower is better"), rangemode="tozero"),
        annotations=notes,
        shapes=[] if k is None else [rule("x", k, colors.muted, layer="below")],
        showlegend=True,
        uirevision="balance",
    )


def balance_sentences(curves: Sequence[Balance], weight: float = 1.0) -> list[str]:
    """Return, for each curve, a sentence on its best k, and for each curve but the first, one that compares
    it with the first at the k that both have."""
    found = []
    for curve in curves:
        best = curve.best(weight)
        if best is None:
            continue
        utility, safety = float(curve.utility[best]), float(curve.safety[best])
        weighted = f"{safety:.3f}" if weight == 1 else f"{weight:g} × {safety:.3f}"
        found.append(
            tr(
                "{name}: the best k is {k}. Utility {utility:.3f} + safety {weighted} = {total:.3f} is the"
                " lowest total for k = {first} to {last}."
            ).format(
                name=curve.name,
                k=curve.ks[best],
                utility=utility,
                weighted=weighted,
                total=utility + weight * safety,
                first=curve.ks[0],
                last=curve.ks[-1],
            )
        )
    return found + [text for other in curves[1:] if (text := _compared(curves[0], other))]


def _compared(first: Balance, other: Balance) -> str:
    """Return how much less the other method loses at the k that both have."""
    ks, mine, its = np.intersect1d(first.ks, other.ks, return_indices=True)
    if not len(ks):
        return ""
    gain = first.utility[mine] - other.utility[its]
    low, high = float(gain.min()), float(gain.max())
    if low > 0:
        spread = look.range_text(f"{low:.3f}", f"{high:.3f}")
        return tr("{other} loses {spread} less than {first} at every k shown.").format(
            other=other.name, spread=spread, first=first.name
        )
    if high <= 0:
        return tr("{other} loses at least as much as {first} at every k shown.").format(
            other=other.name, first=first.name
        )
    return tr("{other} loses less than {first} at {better} of {all} values of k.").format(
        other=other.name, first=first.name, better=int((gain > 0).sum()), all=len(ks)
    )


def _differs(curves: Sequence[Balance], number: int, weight: float) -> bool:
    """Return whether a curve's safety is drawn: it is for the first curve, and for each whose safety differs
    from that."""
    first, curve = curves[0], curves[number]
    if not number:
        return True
    shared, mine, its = np.intersect1d(first.ks, curve.ks, return_indices=True)
    return len(shared) < len(curve.ks) or not np.array_equal(first.safety[mine], curve.safety[its])


def _line(curves: Sequence[Balance], number: int, what: tuple[str, str], values: np.ndarray) -> Settings:
    curve, (part, color), place = curves[number], what, number % len(_DASHES)
    dash, marker = _DASHES[place], _SYMBOLS[place]
    name = part if len(curves) == 1 or "safety" in part else f"{part}, {look.plain(curve.name, 40)}"
    line = {"color": color, "dash": dash, "width": 2.5 if part == "total" else 1.8}
    told, dots = f"{name}<br>k = %{{x}}: %{{y:.4f}}", {"color": color, "symbol": marker, "size": 6}
    return scatter("lines+markers", curve.ks, values, told, name=name, line=line, marker=dots)


def _star(curve: Balance, best: int, total: float, theme: str) -> Settings:
    colors = look.theme_of(theme)
    border = {"width": 1, "color": colors.surface}
    marker = {"symbol": "star", "size": 15, "color": colors.lines[1], "line": border}
    return scatter("markers", [int(curve.ks[best])], [total], showlegend=False, marker=marker)


def _best_note(curve: Balance, number: int, best: int, total: float, theme: str) -> Settings:
    text, color = tr("best k = {k}").format(k=curve.ks[best]), look.theme_of(theme).text
    anchor, shift = ("top", -9) if number else ("bottom", 9)
    return note(text, int(curve.ks[best]), total, color, anchor=anchor, yshift=shift)


def attack_figure(
    by_k: Mapping[int, Reidentification], k: int | None = None, theme: str = "light"
) -> look.Figure:
    """Return a figure of the share of its attempts that an attack gets right at each k, with 95 % intervals.
    Beside it are 1/k, the shares at which both criteria call a release unsafe, and the share of names given
    at random. ``k`` is marked by a line.
    """
    colors, ks = look.theme_of(theme), sorted(by_k)
    results = [by_k[each] for each in ks]
    chance = [result.by_chance / max(result.tried, 1) for result in results]
    lines = (
        (tr("1 in k"), [1 / each for each in ks], colors.lines[0], "dash"),
        (tr("unsafe by the contest's rule"), _limits(results, "contest_limit"), colors.lines[1], "solid"),
        (tr("unsafe by the binomial rule"), _limits(results, "exact_limit"), colors.lines[1], "dot"),
        (tr("random guessing"), chance, colors.muted, "dashdot"),
    )
    traces = [_chances(ks, y, name, color, dash) for name, y, color, dash in lines]
    return look.figure(
        [*traces, _shares(ks, results, colors.text)],
        theme,
        attack_sentence(by_k),
        height=420,
        xaxis=look.axis(theme, tr("k, in people"), tickformat="d", nticks=12),
        yaxis=look.axis(theme, tr("Successful share of attempts"), tickformat=".0%", rangemode="tozero"),
        shapes=[] if k is None else [rule("x", k, colors.muted, layer="below")],
        showlegend=True,
        uirevision="attack",
    )


def _chances(ks: list[int], y: list[float], name: str, color: str, dash: str) -> Settings:
    line = {"color": color, "dash": dash, "width": 1.8}
    return scatter("lines", ks, y, f"{name}: %{{y:.1%}}", name=name, line=line, connectgaps=False)


def _shares(ks: list[int], results: list[Reidentification], color: str) -> Settings:
    """The shares identified, with their intervals."""
    share, low, high = (np.array([getattr(r, name) for r in results]) for name in ("share", "low", "high"))
    ends = {"type": "data", "symmetric": False, "array": high - share, "arrayminus": share - low}
    return scatter(
        "markers",
        ks,
        share,
        "k = %{x}: %{customdata[0]:,} of %{customdata[1]:,}, %{y:.1%}",
        name=tr("identified, 95 % interval"),
        error_y={**ends, "thickness": 1.6, "width": 5, "color": color},
        marker={"size": 9, "color": color},
        customdata=[[r.identified, r.tried] for r in results],
    )


def attack_sentence(by_k: Mapping[int, Reidentification]) -> str:
    """Return how many people the attack identifies at the smallest and the largest k, and which k each rule
    calls unsafe."""
    if not by_k:
        return tr("No attack has run yet.")
    ks = sorted(by_k)
    parts = [
        tr("{identified:,} of {tried:,} at k = {each}").format(
            identified=by_k[each].identified, tried=by_k[each].tried, each=each
        )
        for each in dict.fromkeys((ks[0], ks[-1]))
    ]
    title = by_k[ks[0]].attack.title
    unsafe = ", ".join(str(each) for each in ks if by_k[each].unsafe)
    strict = ", ".join(str(each) for each in ks if exactly_unsafe(by_k[each]))
    contest, binomial = (
        tr("No k shown is unsafe by the contest's rule."),
        tr("No k shown is unsafe by the exact binomial rule."),
    )
    if unsafe:
        contest = tr("Unsafe by the contest's rule: k = {ks}.").format(ks=unsafe)
    if strict:
        binomial = tr("Unsafe by the exact binomial rule: k = {ks}.").format(ks=strict)
    text = tr("{title} identifies {parts}.").format(title=title, parts=look.listed(parts))
    return f"{text} {contest} {binomial}"


def exactly_unsafe(result: Reidentification) -> bool:
    """Return whether chance alone rarely identifies so many people, by the binomial distribution."""
    return result.identified >= result.exact_limit


def _limits(results: list[Reidentification], name: str) -> list[float]:
    """The lowest share that is unsafe; NaN where no number of successes is."""
    return [
        getattr(r, name) / r.tried if r.tried and getattr(r, name) <= r.tried else float("nan")
        for r in results
    ]

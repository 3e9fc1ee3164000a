"""What the set-valued paper says about its figures 7 to 11 and tables 2 and 3, tried on rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kanon_core.base.words import counted, tr
from kanon_core.papers.base import Check, Row
from kanon_core.papers.itemsets_sizes import APART, STEEP, STEEPER
from kanon_core.papers.points import Point, percent_points, steps, tried
from kanon_core.papers.printed import printed

HALF = 50.0


def checks(rows: Sequence[Row]) -> list[Check]:
    """The statements about those rows that are there, part by part."""
    found: list[Check] = []
    for part in dict.fromkeys(row.part for row in rows):
        mine = [row for row in rows if row.part == part]
        if len(mine) < 2:
            continue
        if part.table in ("figure 7", "figure 9"):
            found += _by_k(mine)
        elif part.table == "figure 8":
            found += _by_columns(mine)
        elif part.table in ("figure 10", "figure 11"):
            found += _time_by_k(mine)
        elif part.table == APART:
            found += _why(mine)
        elif part.table in ("table 2", "table 3") and part.unit != "items":
            found += _by_size(mine)
    return found


def _means(rows: Sequence[Row]) -> Mapping[int, float]:
    """The mean by the first number of the row's place."""
    return {int(next(iter(row.place.values()))): row.mean for row in rows}


def _by_k(rows: Sequence[Row]) -> Iterator[Check]:
    """More items are suppressed the larger k is; of the baskets more than half."""
    part, means = rows[0].part, _means(rows)
    low, high = min(means), max(means)
    said = tr(
        "{here}: the larger k, the more items are suppressed, {least:.1f} % at k = {low} to {most:.1f} % at k"
        " = {high}."
    ).format(here=part.place, least=means[low], low=low, most=means[high], high=high)
    yield tried(said, steps(means), percent_points, tr("steps"), must=part.comparable)
    if part.table == "figure 9":
        said = tr("{here}: at least half of the items are suppressed at every k.").format(here=part.place)
        points = [Point(f"k = {k}", HALF - share) for k, share in means.items()]
        yield tried(said, points, percent_points, tr("k"), must=part.comparable)


def _by_columns(rows: Sequence[Row]) -> Iterator[Check]:
    means = _means(rows)
    few, many = min(means), max(means)
    said = tr(
        "Figure 8: the more quasi-identifiers, the more items are suppressed, from {least:.1f} % with {few}"
        " to {most:.1f} % with {many}."
    ).format(least=means[few], few=few, most=means[many], many=many)
    yield tried(said, steps(means, "m"), percent_points, tr("steps"))


def _time_by_k(rows: Sequence[Row]) -> Iterator[Check]:
    means = _means(rows)
    low, high = min(means), max(means)
    said = tr(
        "{here}: the larger k, the shorter the time, {first:.3f} s at k = {low}, {last:.3f} s at k = {high}."
    ).format(here=rows[0].part.place, first=means[low], low=low, last=means[high], high=high)
    yield tried(said, steps(means, falls=True), "{:.3f} s".format, tr("steps"))


def _by_size(rows: Sequence[Row]) -> Iterator[Check]:
    """Table 2: the larger table loses a smaller share. Table 3: it takes longer."""
    means = _means(rows)
    small, large = min(means), max(means)
    if rows[0].part.table == "table 2":
        theirs = [printed("set-valued", "table 2", size, "share") for size in ("10,000", "100,000")]
        said = tr(
            "Table 2: the larger table loses a smaller share of its items: {more:.1f} % of {small},"
            " {less:.1f} % of {large:,} (paper: {paper} % and {papers} %)."
        ).format(
            small=counted(small, "record"),
            large=large,
            more=means[small],
            less=means[large],
            paper=theirs[0],
            papers=theirs[1],
        )
        yield tried(said, steps(means, "N", falls=True), percent_points, tr("steps"))
        return
    first, second = (
        printed("set-valued", "table 3", size, "seconds") or 0.0 for size in ("10,000", "100,000")
    )
    times = means[large] / means[small] if means[small] else 0.0
    said = tr(
        "Table 3: time grows faster than the records: {more:.3g} times the records take {times:.3g} times as"
        " long (paper: 10 and {paper:.0f}; its text says about 70)."
    ).format(more=large / small, times=times, paper=second / first)
    slower = Point("", means[small] * large / small - means[large])
    yield tried(said, [slower], "{:.3f} s".format, tr("steps"))


def _why(rows: Sequence[Row]) -> Iterator[Check]:
    """What the larger table loses where the diseases are as many as in the smaller one, and where the
    frequent ones are more frequent."""
    by: dict[str, dict[tuple[int, int], float]] = {STEEP: {}, STEEPER: {}}
    for row in rows:
        place = int(row.place["diseases"]), int(row.place["records"])
        by[str(row.place["frequency"])][place] = row.mean
    if len(by[STEEP]) == 4:
        yield _apart(by[STEEP])
    if len(by[STEEPER]) == 2:
        steep = {size: share for (_, size), share in by[STEEPER].items()}
        said = tr(
            "Table 2, where it falls: with diseases as frequent as {steeper} in place of {steep}, where r is"
            " the rank, the larger table loses a smaller share although it has more diseases: {more:.1f} % →"
            " {less:.1f} %."
        ).format(steeper=STEEPER, steep=STEEP, more=steep[min(steep)], less=steep[max(steep)])
        yield tried(said, steps(steep, "N", falls=True), percent_points, tr("pairs"))


def _apart(lost: Mapping[tuple[int, int], float]) -> Check:
    """Of two sizes and two varieties: more records lower the share, more diseases raise it, by more."""
    (few, low), (many, high) = min(lost), max(lost)
    said = tr(
        "Table 2, why ours rises: {times:g} times the records lower the share ({few} diseases: {a:.1f} % →"
        " {b:.1f} %; {many:,} diseases: {c:.1f} % → {d:.1f} %), more diseases raise it ({low}: {a:.1f} % →"
        " {c:.1f} %; {high}: {b:.1f} % → {d:.1f} %), and the larger table has both."
    )
    a, b, c, d = lost[few, low], lost[few, high], lost[many, low], lost[many, high]
    size = [Point(tr("{n:,} diseases").format(n=n), y - x) for n, x, y in ((few, a, b), (many, c, d))]
    variety = [Point(counted(n, "record"), x - y) for n, x, y in ((low, a, c), (high, b, d))]
    said = said.format(
        times=high / low,
        few=few,
        many=many,
        low=counted(low, "record"),
        high=counted(high, "record"),
        a=a,
        b=b,
        c=c,
        d=d,
    )
    return tried(said, [*size, *variety], percent_points, tr("pairs"))

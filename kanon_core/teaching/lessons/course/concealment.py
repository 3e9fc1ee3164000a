"""Groups against concealment, and why the true matching is drawn (k-concealment paper, its four people)."""

from __future__ import annotations

from functools import cache

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.concealment.optimum.optimal import OptimalConcealment
from kanon_core.algorithms.concealment.pairing.pairing import Pairing
from kanon_core.algorithms.concealment.tours.tours import Tours
from kanon_core.base.words import tr
from kanon_core.charts.canvas.theme import number_text, percent_text
from kanon_core.charts.concealment.bipartite import bipartite_figure
from kanon_core.charts.concealment.matches import planned
from kanon_core.covers.matching.consistency import consistency
from kanon_core.covers.uploaded.uploaded import read_release
from kanon_core.metrics.loss.matching_cost import MatchingCost
from kanon_core.release.release import Release
from kanon_core.table.table import Table
from kanon_core.teaching.lessons.charts import Bars, Figure
from kanon_core.teaching.lessons.lesson import Amount, Choice, Lesson, Screen, ScreenResult, Slider, Try
from kanon_core.teaching.lessons.rows import Beside, Rows, marked, published
from kanon_core.teaching.lessons.small_tables import released, table_of

_K = 2
DRAWS = 400
"""The number of draws of the matching, to see how often each row is the true one."""


@cache
def four() -> Table:
    """The four people of the paper's table 1, by their first letters."""
    return table_of(
        {"person": list("ABCD"), "age": [10, 20, 40, 50], "sex": list("FMMF")},
        {"person": "identifier"},
        {"age": "numeric", "sex": "categorical"},
    )


@cache
def three() -> Table:
    """Return three people, each of whom fits two rows."""
    return table_of(
        {"person": list("ABC"), "age": [10, 30, 32]}, {"person": "identifier"}, {"age": "numeric"}
    )


def cost(algorithm: Algorithm, k: int) -> float:
    """Return the sum of the distances between all people who stand behind one another's rows."""
    return MatchingCost().measure(four(), released(four(), algorithm, k)).total


def _circle() -> Release:
    """The paper's first design: each row is made for one person and the next."""
    return released(four(), Tours(), _K)


def _closed(k: int) -> ScreenResult:
    release = released(four(), MDAV(), _K)
    facts: dict[str, float] = {"people": len(four()), "k": _K, "groups": len(release.cover.sizes)}
    facts |= {"cost": cost(MDAV(), _K), "fits": int(release.consistency().rows[0])}
    return ScreenResult(facts, published(four(), release))


def _overlapping(k: int) -> ScreenResult:
    release = planned(_circle())
    fits = release.consistency().rows
    facts: dict[str, float] = {"people": len(four()), "fits": fits.min(), "cost": cost(Tours(), _K), "k": _K}
    facts |= {"closed": cost(MDAV(), _K), "rows": len(np.unique(release.classes))}
    return ScreenResult(
        facts, Figure(lambda theme: bipartite_figure(four(), release, (0, 1), theme=theme), 300)
    )


def _costs(k: int) -> ScreenResult:
    closed, open_ = cost(Pairing(), k), cost(OptimalConcealment(), k)
    names = [tr("closed groups"), tr("overlapping sets")]
    texts = [number_text(value) for value in (closed, open_)]
    title = tr("Least cost: distances between those who hide behind one another, added up")
    facts: dict[str, float] = {"k": k, "closed": closed, "open": open_, "people": len(four())}
    facts |= {"groups": len(four()) // k}
    return ScreenResult(facts, Bars(names, [closed, open_], texts, title, marked=1))


def _must_be(k: int) -> ScreenResult:
    table = three()
    found = consistency(table, read_release(b"age\n10-10\n10-32\n30-32\n", table).published)
    people = Rows([tr("person"), "age"], [["A", "10"], ["B", "30"], ["C", "32"]], title=tr("The people"))
    rows = [[1, "10"], [2, "[10, 32]"], [3, "[30, 32]"]]
    facts: dict[str, float] = {"people": len(table), "fits": found.rows.min()}
    facts |= {"matches": int(found.matches[0]), "others": len(table) - 1}
    return ScreenResult(
        facts, Beside([people, Rows([tr("row"), "age"], rows, title=tr("What is published"))])
    )


def _own_rows(k: int) -> ScreenResult:
    """Return the result if every person's own data are in the row made for that person."""
    release = planned(_circle())
    own = int((release.set_of == np.arange(len(four()))).sum())
    frame = release.to_frame()
    letters = four().frame["person"]
    rows = [
        [i + 1, frame["age"].iloc[i], frame["sex"].iloc[i], marked(letters[i])] for i in range(len(frame))
    ]
    heads = [tr("row"), "age", "sex", tr("made for")]
    return ScreenResult({"people": len(four()), "own": own, "k": _K}, Rows(heads, rows))


@cache
def own_row_true(k: int) -> np.ndarray:
    """float64 (4): the number of the `DRAWS` draws in which each person's data are in the row made for that
    person."""
    return np.asarray(np.mean([_lot(k, seed) == np.arange(len(four())) for seed in range(DRAWS)], axis=0))


def _lot(k: int, seed: int) -> np.ndarray:
    """int64 (4): the row of each person, drawn with this seed."""
    cover = released(four(), OptimalConcealment(), k).cover
    return cover.drawn(seed, np.arange(len(four())))


def _drawn(k: int) -> ScreenResult:
    shares = own_row_true(k)
    names = four().frame["person"].tolist()
    texts = [f"{percent_text(share)} %" for share in shares.tolist()]
    title = tr("Draws in which a person's data stand in the row made for that person, in percent")
    facts: dict[str, float] = {"chance": 1 / k, "draws": DRAWS, "least": shares.min(), "most": shares.max()}
    facts |= {"same": float(np.array_equal(_lot(k, DRAWS), _lot(k, DRAWS)))}
    return ScreenResult(facts, Bars(names, (100 * shares).tolist(), texts, title, limit=100 / k))


CONCEALMENT = Lesson(
    "concealment",
    "Groups against concealment",
    8,
    "Rows that overlap instead of groups; what must be drawn by lot, and why.",
    (
        Screen(
            "Four people in closed groups",
            "{people} people, neighbors by age put together: {groups} groups of {k}. Whoever is in a group"
            " fits all its {fits} rows and no others. What this costs, the distances within all groups added"
            " up, is {cost}.",
            "{people} people in {groups} groups of {k}; the rows of a group read the same.",
            _closed,
            ("Matching cost",),
        ),
        Screen(
            "Must rows be equal?",
            "Here each row is made of one person and of the next in a circle. No two rows are equal: {rows}"
            " different ones for {people} people. Yet everybody fits {fits} of them. It costs {cost} instead"
            " of {closed}.",
            "Left the people, right the rows; a line leads from each person to the rows that fit.",
            _overlapping,
            ("overlapping sets", "k-concealment"),
            question=Choice(
                "An attacker knows the age and sex of one of them. How does this hide the person, compared"
                " with the groups?",
                "As well: {fits} rows fit, as before. It is not needed that rows are equal, only that"
                " several could be mine.",
                ("Worse, as all rows differ", "As well", "Not at all"),
                lambda f: 1 if f["fits"] >= f["k"] else 2 if f["fits"] < 2 else 0,
            ),
        ),
        Screen(
            "What freedom is worth",
            "At k = {k} the cheapest closed groups cost {closed}, the cheapest overlapping sets {open}. A"
            " closed group is one of the ways to overlap, so concealment never costs more.",
            "The least cost of closed groups and of overlapping sets at k = {k}, as bars.",
            _costs,
            ("optimum",),
            slider=Slider(2, 4, 3),
            question=Amount(
                "Why is the difference so large at k = {k}, as the screen began? Into how many closed groups"
                " of at least {k} can {people} people be put?",
                "Into {groups}. Everybody stands with everybody, though {k} would do. Sets that overlap do"
                " not care whether k divides the number of people.",
                "groups",
            ),
        ),
        Screen(
            "To fit is not enough",
            "Three rows, {people} people, and everybody fits at least {fits} rows. Now somebody who knows"
            " all ages sits down and thinks: each row must be somebody's.",
            "{people} people and {people} rows: A fits the rows one and two, B and C the rows two and three.",
            _must_be,
            ("matching", "Everybody’s quasi-identifiers"),
            question=Amount(
                "How many rows can be A's, if all rows are somebody's?",
                "Only {matches}: the other {others} people fit no more than the other {others} rows, and"
                " need them. So k-concealment counts only rows that can be mine while everybody else has one"
                " too.",
                "matches",
            ),
        ),
        Screen(
            "The program is no secret",
            "Somebody who knows everybody's age and sex runs the same program. It makes the same rows again,"
            " and tells for whom each was made. Suppose each person's diagnosis stood in the row made for"
            " that person.",
            "The rows, and for whom the program made each.",
            _own_rows,
            ("Run again",),
            question=Amount(
                "How many of the {people} diagnoses would be found?",
                "All {own}. That {k} rows fit everybody is of no use when the program tells which one is"
                " whose.",
                "own",
            ),
        ),
        Screen(
            "So the true one is drawn by lot",
            "Kanon draws, with a secret seed, which of the k rows that may be a person's bears the person's"
            " data. It was drawn {draws} times: the row made for somebody was theirs in {least:%} to"
            " {most:%} of the draws, near {chance:%}, which is what the proof promises exactly.",
            "For each person, in how many of the draws the row made for them was theirs; a line at"
            " {chance:%}.",
            _drawn,
            ("seed",),
            slider=Slider(2, 4, 2),
            question=Choice(
                "And who reads the seed?",
                "Whoever has it draws the same lot, and nothing is hidden any more. The seed stays with the"
                " original table. And mind the limit: where all k rows bear the same diagnosis, no lot hides"
                " it.",
                ("They know no more than before", "They run the draw again and know whose each row is"),
                lambda facts: int(facts["same"] == 1),
            ),
        ),
    ),
    Try(
        "See on your table who could be whom, and what the least cost is.",
        "concealment",
        "OptimalConcealment",
    ),
)

"""Lesson on k-concealment: groups and overlapping sets, and the random draw of the true matching (four people
of the paper)."""

from __future__ import annotations

from functools import cache

import numpy as np

from kanon_core.algorithms.base import Algorithm
from kanon_core.algorithms.clustering.mdav import MDAV
from kanon_core.algorithms.concealment.optimum.optimal import OptimalConcealment
from kanon_core.algorithms.concealment.pairing.pairing import Pairing
from kanon_core.algorithms.concealment.tours.tours import Tours
from kanon_core.base.words import number_text, tr
from kanon_core.charts.canvas.theme import percent_text
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
"""The number of draws of the matching, by which the screen estimates how often each row is the true one."""


@cache
def four() -> Table:
    """Return the four people of the paper's table 1, by their first letters."""
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
    """Return the matching cost: the sum of the distances between each person and the people whose rows may be
    theirs."""
    return MatchingCost().measure(four(), released(four(), algorithm, k)).total


def _circle() -> Release:
    """Return the paper's first design: each row is made from one person and the next."""
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
    title = tr(
        "Least matching cost: sum of the distances between each record and the records whose rows fit it"
    )
    facts: dict[str, float] = {"k": k, "closed": closed, "open": open_, "people": len(four())}
    facts |= {"groups": len(four()) // k}
    return ScreenResult(facts, Bars(names, [closed, open_], texts, title, marked=1))


def _must_be(k: int) -> ScreenResult:
    table = three()
    found = consistency(table, read_release(b"age\n10-10\n10-32\n30-32\n", table).published)
    people = Rows([tr("person"), "age"], [["A", "10"], ["B", "30"], ["C", "32"]], title=tr("Original"))
    rows = [[1, "10"], [2, "[10, 32]"], [3, "[30, 32]"]]
    facts: dict[str, float] = {"people": len(table), "fits": found.rows.min()}
    facts |= {"matches": int(found.matches[0]), "others": len(table) - 1}
    return ScreenResult(facts, Beside([people, Rows([tr("row"), "age"], rows, title=tr("Release"))]))


def _own_rows(k: int) -> ScreenResult:
    """Return the result for rows that each hold the data of the person for whom they were made."""
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
    """Return, for each person, the share of the `DRAWS` draws in which the person's data are in the row made
    for that person: float64 (4)."""
    return np.asarray(np.mean([_lot(k, seed) == np.arange(len(four())) for seed in range(DRAWS)], axis=0))


def _lot(k: int, seed: int) -> np.ndarray:
    """Return the row of each person, drawn with this seed: int64 (4)."""
    cover = released(four(), OptimalConcealment(), k).cover
    return cover.drawn(seed, np.arange(len(four())))


def _drawn(k: int) -> ScreenResult:
    shares = own_row_true(k)
    names = four().frame["person"].tolist()
    texts = [f"{percent_text(share)} %" for share in shares.tolist()]
    title = tr("Draws in which a person's own row holds the person's data, in percent")
    facts: dict[str, float] = {"chance": 1 / k, "draws": DRAWS, "least": shares.min(), "most": shares.max()}
    facts |= {"same": float(np.array_equal(_lot(k, DRAWS), _lot(k, DRAWS)))}
    return ScreenResult(facts, Bars(names, (100 * shares).tolist(), texts, title, limit=100 / k))


CONCEALMENT = Lesson(
    "concealment",
    "Groups or concealment",
    8,
    "How overlapping sets replace closed groups, and why the true rows must be drawn at random.",
    (
        Screen(
            "Four people in closed groups",
            "{people} people are in {groups} groups of {k} with similar ages. Each member fits all {fits}"
            " rows of the group and no other rows; a row fits a person when its cells contain the person's"
            " values. The matching cost, the sum of the distances within all groups, is {cost}.",
            "{people} people in {groups} groups of {k}; the rows of a group look alike.",
            _closed,
            ("Matching cost",),
        ),
        Screen(
            "Rows need not be equal",
            "Here each row is made from one person and the next in a circle. All {rows} rows of the"
            " {people} people are different. Yet every person fits {fits} of them. The cost is {cost}"
            " instead of {closed}.",
            "People on the left, rows on the right; a line leads from each person to the rows that fit.",
            _overlapping,
            ("overlapping sets", "k-concealment"),
            question=Choice(
                "An attacker knows the age and sex of one person. How well is this person hidden, compared"
                " with closed groups?",
                "Equally well: {fits} rows fit, as before. Rows need not be equal; it suffices that several"
                " rows fit each person.",
                ("Worse, because all rows differ", "Equally well", "Not at all"),
                lambda f: 1 if f["fits"] >= f["k"] else 2 if f["fits"] < 2 else 0,
            ),
        ),
        Screen(
            "The gain of overlapping sets",
            "At k = {k} the cheapest closed groups cost {closed}, the cheapest overlapping sets {open}."
            " Closed groups are a special case of overlapping sets, so the cheapest overlapping sets never"
            " cost more.",
            "The least cost of closed groups and of overlapping sets at k = {k}, as bars.",
            _costs,
            ("optimum",),
            slider=Slider(2, 4, 3),
            question=Amount(
                "Why is the difference so large at k = {k}, the value with which this screen began? Into"
                " how many closed groups of at least {k} can {people} people be divided?",
                "Into {groups}. All people share one group although {k} rows would suffice for each."
                " Overlapping sets do not require that k divides the number of people.",
                "groups",
            ),
        ),
        Screen(
            "Fitting rows are not enough",
            "{people} people fit at least {fits} rows each. An attacker who knows the ages of all people"
            " reasons that every row belongs to one of them, and each person has one row. Such an"
            " assignment of all people to all rows is called a perfect matching.",
            "{people} people and {people} rows: A fits rows one and two, B and C fit rows two and three.",
            _must_be,
            ("matching", "Everybody’s quasi-identifiers"),
            question=Amount(
                "How many rows can be A's in a perfect matching?",
                "Only {matches}: the other {others} people fit only the other {others} rows, and need both."
                " k-concealment, the guarantee for overlapping sets, therefore counts only the rows that a"
                " perfect matching can assign to a person.",
                "matches",
            ),
        ),
        Screen(
            "The attacker can run the program",
            "An attacker who knows the age and sex of all people can run the same program. It makes the"
            " same rows, and shows for whom it made each row. Suppose that each person's diagnosis were"
            " published in the row made for that person.",
            "The rows, and the person for whom the program made each.",
            _own_rows,
            ("Run again",),
            question=Amount(
                "How many of the {people} diagnoses would the attacker learn?",
                "All {own}. It does not help that {k} rows fit each person if the program shows which row"
                " is whose.",
                "own",
            ),
        ),
        Screen(
            "The true matching is drawn at random",
            "For each person, Kanon draws with a secret seed (a random number) which of the k possible rows"
            " holds the person's data. In {draws} draws, the row made for a person was the true one in"
            " {least:%} to {most:%} of the draws; the proven probability is {chance:%}.",
            "For each person, the share of the draws in which the row made for them was the true one; a"
            " line at {chance:%}.",
            _drawn,
            ("seed",),
            slider=Slider(2, 4, 2),
            question=Choice(
                "What can an attacker do who also knows the seed?",
                "This attacker can repeat the draw, and nothing is hidden any more. The seed therefore"
                " stays with the original table. The draw has another limit: it does not hide a diagnosis"
                " that all k rows share.",
                ("No more than before", "Repeat the draw, and learn whose each row is"),
                lambda facts: int(facts["same"] == 1),
            ),
        ),
    ),
    Try(
        "See which rows fit each record of your table, and what the optimum costs.",
        "clusters/matchings",
        "OptimalConcealment",
    ),
)

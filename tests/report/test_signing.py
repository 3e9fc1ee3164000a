"""The report that somebody signs: nothing of the originals, everything escaped, the right figures."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.algorithms import ALGORITHMS
from kanon_core.base.words import percent
from kanon_core.report.signing import (
    Candidate,
    Decision,
    ReportInputs,
    gathered,
    losses,
    report,
    to_html,
    to_markdown,
)
from kanon_core.report.signing.blocks import Command, Facts, Grid, Section, empty
from kanon_core.report.signing.evidence import Evidence, decision_fields, keyed_digest
from kanon_core.runs.sweeps import SweepPoint
from tests.contracts.tables import releases
from tests.helpers import looped, release_of

SEED = 0xC0FFEE_5EED_0BAD_CAFE_1234_5678_9ABC
AGES = b"age,diagnosis\n20,hiv\n21,hiv\n22,hiv\n60,ok\n61,ok\n62,ok\n"
NEVER = {"script", "img", "iframe", "object", "embed", "link", "a", "form", "b"}


class Seen(HTMLParser):
    """Elements, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.attributes, self.text = set[str](), list[tuple[str, str]](), ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data):
        self.text += data


def both(evidence: Evidence) -> tuple[str, str]:
    found = report(evidence)
    return to_html(found), to_markdown(found)


def section(evidence: Evidence, title: str) -> Section:
    return next(one for one in report(evidence).sections if one.title == title)


def rows(evidence: Evidence, title: str) -> dict[str, tuple[str, ...]]:
    """The lines of the first table or facts of a section, by their first cell."""
    block = next(one for one in section(evidence, title).blocks if isinstance(one, Facts | Grid))
    return {row[0]: tuple(row[1:]) for row in block.rows}


@pytest.fixture(scope="module")
def ages() -> kc.Release:
    return kc.anonymize(kc.read_table(AGES), kc.MDAV(), 3, SEED)


N = 40
RARE = "Wolpertingen"
CANARIES = (
    *(f"Zq-{i:04d}" for i in range(N)),
    *(str(90_831_700 + i) for i in range(N)),
    *(f"{90_831_700 + i:,}" for i in range(N)),
    *(f"Morbus {i}x" for i in range(N)),
    *(f"client-{i}" for i in range(N)),
    *("731.8125", "731.81", "731.8", RARE, "Kanarienwolf", "Kanaria", "Sperberhaus"),
)


def planted(people: bool = False) -> kc.Table:
    """Unique texts in every kind of column, and rare quasi-identifiers that are generalized away."""
    rng = np.random.default_rng(1)
    height = rng.integers(150, 200, N).astype(float)
    height[7] = 731.8125
    town = rng.choice(np.array(["Oslo", "Kyoto"], dtype=object), N)
    town[9] = RARE
    frame = pd.DataFrame(
        {
            "name": [f"Zq-{i:04d}" for i in range(N)],
            "number": 90_831_700 + np.arange(N),
            "who": [f"client-{i // 2}" for i in range(N)] if people else [f"client-{i}" for i in range(N)],
            "height": height,
            "town": town,
            "illness": [f"Morbus {i}x" for i in range(N)],
        }
    )
    quasi = dict.fromkeys(["height", "town"], "quasi_identifier")
    roles = {"name": "identifier", "number": "identifier", "illness": "sensitive", **quasi}
    schema = kc.Schema.infer(frame).with_roles({**roles, "who": "person" if people else "identifier"})
    paths = [("Oslo", "North"), ("Kyoto", "East"), (RARE, "Kanaria"), ("Kanarienwolf", "Kanaria")]
    return kc.Table.from_frame(frame, schema.with_hierarchies({"town": kc.Hierarchy.of_paths(paths)}))


def secrets(release: kc.Release) -> tuple[str, ...]:
    """The seed in any writing, and the plain digests of the input."""
    seed = release.recipe.seed
    content = [seed.to_bytes(16, order) for order in ("little", "big")]
    encoded = [form(one) for one in content for form in (bytes.hex, lambda c: base64.b64encode(c).decode())]
    numbers = [f"{seed}", f"{seed:,}", f"{seed:x}", f"{seed:o}", f"{seed:b}", *encoded]
    return *numbers, release.recipe.data_digest, release.table.digest, release.table.data_digest


@pytest.mark.deep
@looped(
    "algorithm, people",
    [
        (kc.MDAV(), False),
        (kc.Mondrian(), False),
        (kc.TopDown(), False),
        (kc.Greedy(), False),
        (kc.PurchaseHistories(), True),
    ],
)
def test_nothing_of_the_originals_stands_in_a_report(algorithm, people):
    table = planted(people)
    release = kc.anonymize(table, algorithm, 3, SEED)
    metrics = [metric for metric in (kc.ILSSDM(), kc.NCP(), kc.WorstRisk()) if not metric.unsuitable(table)]
    points = tuple(kc.sweep(table, [algorithm], [2, 3, 4], metrics, seed=SEED))
    given = ReportInputs(points=points, candidates=(Candidate(points[0], "the finest"),))
    html, markdown = both(gathered(release, given))
    assert "the finest" in html and "the finest" in markdown
    for text in (html, markdown, Seen(html).text):
        assert not [one for one in (*CANARIES, *secrets(release)) if one in text]


def test_a_seed_that_was_given_is_in_no_drawing():
    """Markers know the setting they stand for; a short seed would be written there as it is."""
    table, seed = kc.read_table("sample:people-100"), 9_876_543_210
    release = kc.anonymize(table, kc.Sorting(), 5, seed)
    points = tuple(kc.sweep(table, [kc.Sorting()], [3, 5, 7], [kc.ILSSDM()], seed=seed))
    html, markdown = both(gathered(release, ReportInputs(points=points)))
    assert "<circle" in html
    assert not [one for one in secrets(release) if len(one) > 8 and one in html + markdown]


HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "![x](http://a.b)", "a|b\n# c")


def test_texts_of_people_and_files_are_text_and_nothing_else():
    frame = pd.DataFrame({name: np.arange(12) % 5 for name in HOSTILE})
    table = kc.Table.from_frame(
        frame, kc.Schema.infer(frame).with_roles(dict.fromkeys(HOSTILE, "quasi_identifier"))
    )
    release = kc.anonymize(table, kc.MDAV(), 3, SEED)
    decision = Decision(**{one.name: HOSTILE[i % 4] for i, one in enumerate(decision_fields())})
    evidence = gathered(release, ReportInputs(decision))
    stopping = replace(evidence.findings[0], severity="stops", sentence=HOSTILE[0])
    reasons = {stopping.sentence: HOSTILE[1]}
    evidence = replace(evidence, findings=(stopping,), given=ReportInputs(decision, reasons=reasons))
    html, markdown = both(evidence)
    seen = Seen(html)
    assert not NEVER & seen.tags
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert not [value for name, value in seen.attributes if name in ("src", "href") and ":" in value]
    assert all(" ".join(text.split()) in seen.text for text in HOSTILE)
    assert "<script" not in markdown.replace("\\<", "") and not re.search(r"(?<!\\)\]\(", markdown)
    assert all(line.startswith("|") for line in markdown.splitlines() if line.endswith("|"))


def test_a_report_is_one_file_that_asks_for_nothing(ages):
    html, _ = both(gathered(ages))
    assert "url(" not in html and "http" not in html.replace("http-equiv", "") and "<script" not in html
    assert "default-src 'none'" in html and "@page" in html and "table-header-group" in html


def test_empty_fields_are_shown_as_empty_and_others_as_they_are(ages):
    evidence = gathered(ages)
    html, markdown = both(evidence)
    count = len(decision_fields())
    assert html.count(empty()) == count == markdown.count(empty())
    said = Decision(**{one.name: f"my {one.name}" for one in decision_fields()})
    html, markdown = both(replace(evidence, given=ReportInputs(said)))
    assert empty() not in html and all(f"my {one.name}" in html for one in decision_fields())


def test_risks_and_expectations_are_those_of_the_hand(ages):
    """Six different ages become two classes of three: 1 in 3 instead of certainty; a guesser is right about
    one of six, who links all of them about two."""
    evidence = gathered(ages)
    found = rows(evidence, "Risk")
    (who,) = found  # attackers with equal figures share a row
    assert [one.partition(": ")[0] for one in who.split(". ")] == [
        *("Prosecutor", "Journalist", "Marketer", "Everybody’s quasi-identifiers")
    ]
    third = "100 → 33.3 %"
    assert set(found.values()) == {(third, third, "100 → 100 %", "100 → 100 %", "100 → 0 %")}
    first, second, third = rows(evidence, "Expected success of attacks").values()
    assert first == ("16.7 %", "16.7 %", "1.0")
    assert second == third == ("33.3 %", "33.3 %", "2.0")


def test_attackers_with_other_figures_keep_a_row_of_their_own(ages):
    evidence = gathered(ages, ReportInputs(population=kc.Population(600), draws=0))
    first, second, *_ = rows(evidence, "Risk")
    assert "Prosecutor: " in first and "Journalist: " not in first and "Journalist: " in second
    assert "Attackers with equal figures share a row." in both(evidence)[0]


def test_who_runs_a_concealment_again_may_expect_one_in_k():
    table = kc.read_table("sample:people-100")
    evidence = gathered(kc.anonymize(table, kc.Greedy(), 4, SEED))
    *_, strongest = rows(evidence, "Expected success of attacks").values()
    assert strongest == ("25 %", "25 %", "25.0")


def test_attacks_that_were_tried_are_told_with_interval_chance_and_control():
    """On releases made anew: of ten people in fives, linkage may pick one of five rows."""
    frame = pd.DataFrame({"age": [*range(20, 25), *range(60, 65)], "ill": list("ababababab")})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"ill": "sensitive"}))
    evidence = gathered(kc.anonymize(table, kc.MDAV(), 5, SEED))
    _, tried = (b for b in section(evidence, "Expected success of attacks").blocks if isinstance(b, Grid))
    first, *rest = tried.rows
    (linkage, *_) = evidence.expected.found
    low, high = linkage.interval
    assert first[0].startswith("Linkage, consistent: picks one of") and first[3:] == ("10 %", "–", "10")
    assert first[1:3] == (percent(linkage.rate, 1), f"{100 * low:.1f} – {100 * high:.1f} %")
    assert [row[0].partition(":")[0] for row in rest] == [
        *("Linkage, nearest", "Attribute inference", "Singling out", "Membership", "Run again")
    ]
    controls = [row[4] for row in rest]
    assert [control == "–" for control in controls] == [True, False, False, True, True]
    assert "other seeds" in both(evidence)[0] and "control group of" not in both(evidence)[0]
    none = both(gathered(kc.anonymize(table, kc.MDAV(), 5, SEED), ReportInputs(draws=0)))[1]
    assert "No attack was tried" in none


def test_risks_are_those_of_the_population_that_is_given():
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.MDAV(), 5, SEED)
    for known, says in (
        (kc.Population(10_000, "zayatz"), "10,000 people (model: class sizes as in the table"),
        (table, "a table of the population with 100 people"),
        (None, "The population is not known"),
    ):
        evidence = gathered(release, ReportInputs(population=known, draws=0))
        found = kc.risks(table, release, None, known).found[1]
        journalist = next(row for who, row in rows(evidence, "Risk").items() if "Journalist: " in who)
        was, now = (percent(side.average, 1) for side in (found.before, found.after))
        assert journalist[0] == f"{was.removesuffix(' %')} → {now}" and says in both(evidence)[0]
    with pytest.raises(kc.UnsuitableError, match=r"5 people\) must be at least as large as the table \(100"):
        gathered(release, ReportInputs(population=kc.Population(5), draws=0))


def test_sampling_weights_are_told_as_what_is_known_of_the_population():
    frame = pd.DataFrame({"age": [20, 21, 60, 61], "w": [5, 5, 7, 7]})
    table = kc.Table.from_frame(frame, kc.Schema.infer(frame).with_roles({"w": "sampling_weight"}))
    html, _ = both(gathered(kc.anonymize(table, kc.MDAV(), 2, SEED), ReportInputs(missing="any", draws=0)))
    assert (
        "the sampling weight “w” gives the number of people" in html
        and "Missing cells are counted as fitting every value." in html
    )
    assert "--counting-missing=any" in html and "--draws=0" in html


def test_of_few_known_items_the_bound_is_told_and_who_knows_all_beside_it():
    release = next(one for one in releases(kc.TopDown(known_items=2)) if len(one.table.schema) == 4)
    _, few, everything = rows(gathered(release), "Expected success of attacks").values()
    assert few == ("at most 33.3 %", "at most 33.3 %", f"at most {len(release) / 3:,.1f}")
    assert everything[1] == percent(1, int(release.class_sizes.min()))


def test_a_finding_that_stops_says_whether_and_why_it_is_waived(ages):
    evidence = gathered(ages)
    stopping = replace(evidence.findings[0], severity="stops", sentence="It stops.")
    open_still = replace(evidence, findings=(stopping,))
    assert open_still.unanswered == (stopping,)
    assert "have no written reason" in to_markdown(report(open_still)).replace("\\", "")
    assert empty() in rows(open_still, "Findings")["stops the release"]
    waived = replace(open_still, given=ReportInputs(reasons={"It stops.": "a contract binds them"}))
    assert not waived.unanswered
    assert rows(waived, "Findings")["stops the release"][-1] == "a contract binds them"


def test_the_input_is_told_by_a_keyed_digest_alone(ages):
    facts = rows(gathered(ages), "Released file")
    assert facts["Keyed digest of the input"] == (keyed_digest(ages.recipe),)
    other = replace(ages.recipe, seed=SEED + 1)
    assert keyed_digest(other) != keyed_digest(ages.recipe) != ages.recipe.data_digest
    assert keyed_digest(replace(ages.recipe, data_digest="0" * 64)) != keyed_digest(ages.recipe)
    short = kc.anonymize(ages.table, kc.MDAV(), 3, seed=7)
    assert rows(gathered(short), "Released file")["Keyed digest of the input"] == (
        "not printed: the seed is short enough to be guessed",
    )


def test_the_same_evidence_makes_the_same_report(ages):
    again = kc.anonymize(kc.read_table(AGES), kc.MDAV(), 3, SEED)
    given = ReportInputs(Decision(date="2026-01-01"))
    assert both(gathered(ages, given)) == both(gathered(again, given))


def test_the_curve_shows_the_chosen_point_and_the_candidates(ages):
    points = tuple(kc.sweep(ages.table, [kc.MDAV(), kc.Sorting()], [2, 3, 6], [kc.ILSSDM()], seed=SEED))
    lost = SweepPoint(kc.Mondrian(), 3, {}, 0.0, "it does not suit")
    noted = (Candidate(points[0], "too many rows alike"), Candidate(lost))
    evidence = gathered(ages, ReportInputs(points=points, candidates=noted))
    curve, candidates = (b for b in section(evidence, "Compared settings").blocks if isinstance(b, Grid))
    assert curve.head == ("Information loss", "k = 2", "k = 3", "k = 6")
    assert [row[0] for row in curve.rows] == ["MDAV", "Sorting"] and curve.rows[0][3] == "100.00 %"
    assert [row[-1] for row in candidates.rows] == ["too many rows alike", empty()]
    assert candidates.rows[1][2:4] == ("–", "–")
    (commands,) = (b for b in section(evidence, "Reproduction").blocks if isinstance(b, Command))
    assert "--k=2-3,6" in commands.text and "seed" not in commands.text


@pytest.mark.deep
@looped("cls", ALGORITHMS)
def test_every_algorithm_has_its_report(cls):
    for release in releases(cls()):
        evidence = gathered(release, ReportInputs(draws=0))
        html, markdown = both(evidence)
        assert cls.title in Seen(html).text
        assert evidence.handed.digest in html and evidence.handed.digest in markdown
        assert all(verdict.holds for verdict in evidence.verdicts)


def test_without_the_chart_library_the_tables_stand_alone(ages, monkeypatch):
    monkeypatch.setattr(losses, "find_spec", lambda name: None)
    points = tuple(kc.sweep(ages.table, [kc.MDAV()], [2, 3], [kc.ILSSDM()], seed=SEED))
    html, _ = both(gathered(ages, ReportInputs(points=points)))
    assert "<svg" not in html and "plotly is not installed" in html and "k = 2" in html


def test_nothing_published_is_said():
    """Everybody is suppressed: the report says so in place of figures."""
    table = kc.read_table(b"a,b\n1,2\n1,3\n4,2\n")
    html, _ = both(gathered(release_of(table, [-1, -1, -1])))
    assert "Nothing is published" in html

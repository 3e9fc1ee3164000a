"""Free text that a release shows."""

from __future__ import annotations

import numpy as np
import pandas as pd

import kanon_core as kc
from kanon_core.findings import FreeText
from kanon_core.table.identifiers.freetext import is_sentence

NAMES = ("Anna", "Bert", "Carla", "Dan", "Eve")
REMARKS = [f"{NAMES[i % 5]} of bed {i} called about the bill, wants it back." for i in range(60)]


def table(**roles: str) -> kc.Table:
    """500 records, 60 of which have a remark of their own."""
    rng = np.random.default_rng(0)
    cells = [*REMARKS, *["Nothing to report."] * 440]
    frame = pd.DataFrame({"remark": rng.permutation(cells), "age": rng.integers(20, 60, 500)})
    read = kc.Table.from_frame(frame)
    return read.with_schema(read.schema.with_roles(roles))


def found(of: kc.Table) -> list[kc.Finding]:
    release = kc.anonymize(of, kc.Mondrian(), 5, seed=1)
    return list(FreeText().find(of, release, lambda share, note: None))


def test_it_is_left_out_and_stops_a_release_in_every_other_role():
    left_out = table()
    assert (left_out.schema["remark"].role, left_out.schema["remark"].kind) == ("identifier", "text")
    assert not found(left_out)
    for role in ("quasi_identifier", "sensitive", "other"):
        (finding,) = found(table(remark=role))
        assert (finding.severity, finding.columns, finding.count) == ("stops", ("remark",), 500)
        assert not any(name in finding.sentence for name in NAMES)


def test_groups_and_categories_show_no_sentence():
    shown = table(remark="quasi_identifier")
    texts = shown.frame["remark"].unique()
    grouped = kc.Hierarchy.from_json([[text, "a remark"] for text in texts] + [["a remark", "*"]])
    schema = shown.schema.with_hierarchies({"remark": grouped})
    release = kc.anonymize(shown.with_schema(schema), kc.Mondrian(), 5, seed=1)
    texts = set(release.publish()["remark"])
    stops = list(FreeText().find(release.table, release, lambda share, note: None))
    assert bool(stops) == any(map(is_sentence, texts))


def test_short_answers_are_none():
    answers = ["I strongly agree with this.", "I do not agree at all.", "I neither agree nor disagree."]
    frame = pd.DataFrame({"opinion": answers * 100, "age": np.arange(300) % 40})
    read = kc.Table.from_frame(frame)
    assert read.schema["opinion"].role == "quasi_identifier" and not found(read)

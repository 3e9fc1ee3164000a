"""Picture of one record's exposure: what is published and figures, no original, nothing of the draw."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.charts.groups.exposure import exposure_picture, learned_text
from kanon_core.findings.exposure import exposure
from kanon_core.risk.candidates import InCommon
from tests.findings.test_exposure import drawn_again, people

EVIL = "</text><script>alert(1)</script>&<b>"


def pictured(release: kc.Release, record: int, theme: str = "light") -> str:
    table = release.table
    return exposure_picture(release, exposure(table, release, record, kc.risks(table, release)), theme)


def texts(picture: str) -> list[str]:
    return ["".join(one.itertext()) for one in ElementTree.fromstring(picture).iter() if one.text]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_picture_has_the_published_row_a_dot_for_each_and_each_attacker(theme):
    table = people()
    release = kc.anonymize(table, kc.MDAV(), 5, seed=1)
    picture = pictured(release, 7, theme)
    said = " ".join(texts(picture))
    assert picture.count("<circle") == 5 and "One of 5 records" in said
    assert release.texts(np.array([7]))["age"][0] in said
    assert all(title in said for title in ("Prosecutor", "Journalist", "Marketer", "20 %", "“flu”"))


def test_a_picture_names_no_record_and_shows_no_original():
    table = people()
    release = kc.anonymize(table, kc.MDAV(), 5, seed=1)
    first, second = (np.flatnonzero(release.groups == 0)[:2]).tolist()
    own = str(table.frame["weight"].iloc[first])
    ends = release.texts(np.array([first]))["weight"][0]
    assert "ZQX" not in pictured(release, first) and (own in ends or own not in pictured(release, first))
    assert pictured(release, first) == pictured(release, second)


def test_the_picture_is_the_same_for_every_member_of_a_class_of_different_values():
    """Equally frequent values do not stand in the order of the rows: the first is the record's own."""
    table = people(ill=[f"illness {i % 7}" for i in range(30)])
    table = table.with_schema(table.schema.with_roles({"ill": "sensitive"}))
    release = kc.anonymize(table, kc.MDAV(), 5, seed=1)
    for group in range(6):
        members = np.flatnonzero(release.groups == group)
        first, *others = [pictured(release, int(record)) for record in members]
        assert "illness" in first and set(others) == {first}


def test_where_sets_overlap_the_picture_is_the_same_whatever_was_drawn():
    table = people()
    table = table.with_schema(table.schema.with_roles({"ill": "other"}))
    first = kc.anonymize(table, kc.OptimalConcealment(), 3, seed=1)
    other = drawn_again(first)
    assert (first.set_of != other.set_of).any()
    for record in range(10):
        assert pictured(first, record) == pictured(other, record)
    assert "rows that the program made for it" in " ".join(texts(pictured(first, 0)))


def test_text_from_data_stays_text():
    table = people(city=[EVIL] * 30)
    picture = pictured(kc.anonymize(table, kc.MDAV(), 3, seed=1), 0)
    assert "script" not in {one.tag.split("}")[-1] for one in ElementTree.fromstring(picture).iter()}
    assert EVIL[:20] in " ".join(texts(picture))


def test_large_sets_are_cut_and_missing_values_named():
    table = people()
    picture = pictured(kc.anonymize(table, kc.MDAV(), 30, seed=1), 0)
    assert picture.count("<circle") == 30
    assert learned_text(InCommon("ill", "sensitive", (("", 1.0),), 1)) == "ill: certainly no value"
    many = InCommon("ill", "sensitive", tuple((f"v{i}", 0.1) for i in range(5)), 10)
    assert learned_text(many).endswith("“v3” 10 %, 6 more")

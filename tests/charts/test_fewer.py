"""How many hide among fewer than x, drawn."""

from __future__ import annotations

import numpy as np
import pytest

import kanon_core as kc
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.risk.fewer import fewer_figure


def risks(release: bool = True) -> kc.Risks:
    table = kc.read_table("sample:people-100")
    return kc.risks(table, kc.anonymize(table, kc.MDAV(), 4, 1) if release else None, [kc.Prosecutor()])


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_steps_are_the_counts(theme):
    found = risks()
    figure = fewer_figure(found, 5, theme)
    before, after = figure.data
    assert (before.name, after.name) == ("original", "release")
    for line, side in ((before, 0), (after, 1)):
        x, y = np.asarray(line.x), np.asarray(line.y)
        ends = {at: y[x == at].max() for at in x}  # a step goes up where it stands
        assert all(ends[at] == found.fewer(int(at))[side] for at in x)
    assert figure.layout.meta["alt"] == found.fewer_sentence(5)
    made = drawing(figure, 300)
    assert made.count("<path") == 4 and "x = 5" in made and "Hide among fewer than x" in made


def test_a_table_alone_has_one_line_and_a_wide_spread_a_logarithmic_axis():
    found = risks(release=False)
    assert len(fewer_figure(found, 2).data) == 1
    assert fewer_figure(found, 2).layout.xaxis.type != "log"
    assert fewer_figure(found, 300).layout.xaxis.type == "log" and drawing(fewer_figure(found, 300), 300)

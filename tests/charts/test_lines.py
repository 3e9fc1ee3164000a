"""Several lines over one number, and their words."""

from __future__ import annotations

from kanon_core.charts.curves.lines import lines_figure


def test_lines_with_their_names_and_words():
    lines = {"MDAV": {3: 0.5, 2: 0.25}, "MDAV + MIL": {2: 0.2, 3: 0.4}}
    for theme in ("light", "dark"):
        figure = lines_figure(lines, ("k", "SSE / SST"), theme)
        first, second = figure.data
        assert (list(first.x), list(first.y), first.mode) == ([2, 3], [0.25, 0.5], "lines+markers")
        assert (
            list(second.y) == [0.2, 0.4] and first.line.dash != second.line.dash and figure.layout.showlegend
        )
        assert figure.layout.meta["alt"] == "At most: MDAV 0.5 at k 3; MDAV + MIL 0.4 at k 3."


def test_six_lines_differ_in_color_dash_and_markers():
    figure = lines_figure({str(i): {1: i} for i in range(6)}, ("x", "y"))
    for looks in ("line.color", "line.dash", "marker.symbol"):
        assert len({line[looks] for line in figure.data}) == 6


def test_one_long_line_and_none():
    figure = lines_figure({"": {x / 10: x for x in range(100)}}, ("x", "f(x)"))
    assert figure.data[0].mode == "lines" and not figure.layout.showlegend
    assert figure.layout.meta["alt"] == "At most: 99 at x 9.9."
    assert lines_figure({}, ("x", "y")).layout.meta["alt"] == "Nothing is made yet."
    assert "<b>" not in lines_figure({"<b>": {1: 1}}, ("<b>", "y")).layout.xaxis.title.text

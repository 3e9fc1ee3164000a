"""Figures of papers made again: lines, what marketing keeps, losses by k, our values beside printed ones."""

from __future__ import annotations

from kanon_core.charts.curves.papers import (
    lines_figure,
    loss_figure,
    loss_sentence,
    marketing_figure,
    marketing_sentence,
    reproduced_figure,
    span_of,
)

KEPT = {"U": {2: 0.35, 5: 0.6, 10: 0.7}, "recency": {2: 0.1, 5: 0.2}}
LOSSES = {
    "both": {2: 0.05, 10: 0.15, 100: 0.4},
    "number": {2: 0.1, 10: 0.3, 100: 0.805},
    "category": {2: 0.0, 10: -0.0004, 100: -0.005},
}


def test_lines_with_their_names_and_words():
    lines = {"MDAV": {3: 0.5, 2: 0.25}, "MDAV + MIL": {2: 0.2, 3: 0.4}}
    for theme in ("light", "dark"):
        figure = lines_figure(lines, ("k", "SSE / SST"), theme)
        first, second = figure.data
        assert (list(first.x), list(first.y), first.mode) == ([2, 3], [0.25, 0.5], "lines+markers")
        assert (
            list(second.y) == [0.2, 0.4] and first.line.dash != second.line.dash and figure.layout.showlegend
        )
        assert figure.layout.meta["alt"] == "Largest values: MDAV 0.5 at k 3; MDAV + MIL 0.4 at k 3."


def test_six_lines_differ_in_color_dash_and_markers():
    figure = lines_figure({str(i): {1: i} for i in range(6)}, ("x", "y"))
    for looks in ("line.color", "line.dash", "marker.symbol"):
        assert len({line[looks] for line in figure.data}) == 6


def test_one_long_line_and_none():
    figure = lines_figure({"": {x / 10: x for x in range(100)}}, ("x", "f(x)"))
    assert figure.data[0].mode == "lines" and not figure.layout.showlegend
    assert figure.layout.meta["alt"] == "Largest values: 99 at x 9.9."
    assert lines_figure({}, ("x", "y")).layout.meta["alt"] == "There is no result yet."
    assert "<b>" not in lines_figure({"<b>": {1: 1}}, ("<b>", "y")).layout.xaxis.title.text


def test_a_line_for_each_measure_and_its_ends_in_words():
    for theme in ("light", "dark"):
        figure = marketing_figure(KEPT, theme)
        assert [line.name for line in figure.data] == ["U", "recency"]
        assert list(figure.data[0].y) == [0.35, 0.6, 0.7] and list(figure.data[1].x) == [0, 1]
        assert list(figure.layout.xaxis.ticktext) == ["2", "5", "10"]
        told = "From k = 2 to k = 10: U 0.350 → 0.700, recency 0.100 → ?."
        assert figure.layout.meta["alt"] == told


def test_nothing_kept_and_text_of_data():
    assert marketing_sentence({}) == "There is no result yet."
    assert "<b>" not in marketing_figure({"<b>U": {2: 0.1}}).data[0].name


def test_three_lines_by_k():
    for theme in ["light", "dark"]:
        figure = loss_figure(LOSSES, {"number": "gain"}, theme=theme)
        number, category, both = figure.data
        assert [line.name for line in figure.data] == ["gain", "category", "both"]
        assert list(number.x) == [0, 1, 2] and list(number.y) == [0.1, 0.3, 0.805]
        assert list(category.y) == [0.0, -0.0004, -0.005] and both.line.width > number.line.width
        assert list(figure.layout.xaxis.ticktext) == ["2", "10", "100"]
        low, high = figure.layout.yaxis.range
        assert low < -0.005 and high > 0.805
        assert (
            len({line.marker.symbol for line in figure.data})
            == len({line.line.dash for line in figure.data})
            == 3
        )


def test_figures_to_be_compared_have_one_scale():
    other = {"both": {2: 0.9, 5: 1.0}}
    assert span_of([LOSSES, other]) == (-0.005, 1.0) and span_of([]) == (0.0, 1.0)
    spans = [loss_figure(c, span=span_of([LOSSES, other])).layout.yaxis.range for c in (LOSSES, other)]
    assert spans[0] == spans[1]


def test_a_line_that_is_still_being_made_keeps_its_places():
    figure = loss_figure({"number": {2: 0.1, 10: 0.2, 100: 0.3}, "both": {10: 0.2}})
    assert [line.name for line in figure.data] == ["number", "both"] and list(figure.data[1].x) == [1]


def test_the_sentence():
    assert loss_sentence(LOSSES, {"number": "gain"}).startswith(
        "Loss at k = 100: gain 80 %, category −0.5 %, both 40 %. A loss below 0"
    )
    assert loss_sentence({"both": {2: 0.5}}) == "Loss at k = 2: both 50 %."
    assert loss_sentence({}) == loss_figure({}).layout.meta["alt"] == "There is no result yet."


def test_names_are_never_markup():
    figure = loss_figure(LOSSES, {"number": "<b>a</b> %{y} $x$"})
    assert "<b>" not in figure.data[0].name and "%{y}" not in figure.data[0].hovertemplate.split("<extra>")[1]


def test_our_values_and_the_printed_ones():
    for theme in ["light", "dark"]:
        figure = reproduced_figure(
            [2, 5, 10], [[1.0, 3.0], [4.0, 4.0], [5.0, 7.0]], [None, None, 5.5], ("k", "%"), theme
        )
        low, high, mean, paper = figure.data
        assert (
            list(mean.y) == [2.0, 4.0, 6.0]
            and list(low.y) == [1.0, 4.0, 5.0]
            and list(high.y) == [3.0, 4.0, 7.0]
        )
        assert list(paper.x) == [2] and list(paper.y) == [5.5] and figure.layout.showlegend
        assert list(figure.layout.xaxis.ticktext) == ["2", "5", "10"] and figure.layout.yaxis.type is None
        assert figure.layout.meta["alt"] == "Reproduced here: 2 % at k 2 to 6 % at k 10."


def test_far_apart_values_have_a_logarithmic_axis():
    far = reproduced_figure([2, 5], [[0.1], [0.2]], [87.4, None], ("k, in people", "seconds")).layout
    assert far.yaxis.type == "log" and far.yaxis.title.text == "seconds (logarithmic)"
    assert far.meta["alt"] == "Reproduced here: 0.1 seconds at k 2 to 0.2 seconds at k 5."
    assert reproduced_figure([2, 5], [[0.0], [0.2]], [87.4, None], ("k", "seconds")).layout.yaxis.type is None


def test_nothing_made_and_text_of_data():
    assert reproduced_figure([], [], [], ("k", "%")).layout.meta["alt"] == "There is no result yet."
    assert "<b>" not in reproduced_figure([1], [[1.0]], [None], ("<b>k", "%")).layout.xaxis.title.text

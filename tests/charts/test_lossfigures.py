"""Figures 4.1 to 4.6: the lines, one scale, the sentence, text of data."""

from __future__ import annotations

from kanon_core.charts.curves.lossfigures import loss_figure, loss_sentence, span_of

CURVES = {
    "both": {2: 0.05, 10: 0.15, 100: 0.4},
    "number": {2: 0.1, 10: 0.3, 100: 0.805},
    "category": {2: 0.0, 10: -0.0004, 100: -0.005},
}


def test_three_lines_by_k():
    for theme in ["light", "dark"]:
        figure = loss_figure(CURVES, {"number": "gain"}, theme=theme)
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
    assert span_of([CURVES, other]) == (-0.005, 1.0) and span_of([]) == (0.0, 1.0)
    spans = [loss_figure(c, span=span_of([CURVES, other])).layout.yaxis.range for c in (CURVES, other)]
    assert spans[0] == spans[1]


def test_a_line_that_is_still_being_made_keeps_its_places():
    figure = loss_figure({"number": {2: 0.1, 10: 0.2, 100: 0.3}, "both": {10: 0.2}})
    assert [line.name for line in figure.data] == ["number", "both"] and list(figure.data[1].x) == [1]


def test_the_sentence():
    assert loss_sentence(CURVES, {"number": "gain"}).startswith(
        "At k = 100 the loss is: gain 80 %, category −0.5 %, both 40 %. Below 0"
    )
    assert loss_sentence({"both": {2: 0.5}}) == "At k = 2 the loss is: both 50 %."
    assert loss_sentence({}) == loss_figure({}).layout.meta["alt"] == "Nothing is made yet."


def test_names_are_never_markup():
    figure = loss_figure(CURVES, {"number": "<b>a</b> %{y} $x$"})
    assert "<b>" not in figure.data[0].name and "%{y}" not in figure.data[0].hovertemplate.split("<extra>")[1]

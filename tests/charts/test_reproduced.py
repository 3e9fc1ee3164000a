"""Figures of papers made again: line, band, printed numbers, scale."""

from __future__ import annotations

from kanon_core.charts.curves.reproduced import reproduced_figure


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
        assert figure.layout.meta["alt"] == "Here from 2 % at k 2 to 6 % at k 10."


def test_far_apart_values_have_a_logarithmic_axis():
    far = reproduced_figure([2, 5], [[0.1], [0.2]], [87.4, None], ("k, in people", "seconds")).layout
    assert far.yaxis.type == "log" and far.yaxis.title.text == "seconds (logarithmic)"
    assert far.meta["alt"] == "Here from 0.1 seconds at k 2 to 0.2 seconds at k 5."
    assert reproduced_figure([2, 5], [[0.0], [0.2]], [87.4, None], ("k", "seconds")).layout.yaxis.type is None


def test_nothing_and_text_of_data():
    assert reproduced_figure([], [], [], ("k", "%")).layout.meta["alt"] == "Nothing is made yet."
    assert "<b>" not in reproduced_figure([1], [[1.0]], [None], ("<b>k", "%")).layout.xaxis.title.text

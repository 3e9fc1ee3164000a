"""What marketing keeps, as lines over k."""

from __future__ import annotations

from kanon_core.charts.curves.marketing import marketing_figure, marketing_sentence

CURVES = {"U": {2: 0.35, 5: 0.6, 10: 0.7}, "recency": {2: 0.1, 5: 0.2}}


def test_a_line_for_each_measure_and_its_ends_in_words():
    for theme in ("light", "dark"):
        figure = marketing_figure(CURVES, theme)
        assert [line.name for line in figure.data] == ["U", "recency"]
        assert list(figure.data[0].y) == [0.35, 0.6, 0.7] and list(figure.data[1].x) == [0, 1]
        assert list(figure.layout.xaxis.ticktext) == ["2", "5", "10"]
        told = "From k = 2 to k = 10: U 0.350 → 0.700, recency 0.100 → ?."
        assert figure.layout.meta["alt"] == told


def test_nothing_and_text_of_data():
    assert marketing_sentence({}) == "Nothing is made yet."
    assert "<b>" not in marketing_figure({"<b>U": {2: 0.1}}).data[0].name

"""Figures as HTML with SVG: what stands in them, where it stands, and that no text becomes markup."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import plotly.graph_objects as go
import pytest

import kanon_core as kc
from kanon_core.charts.canvas import theme as look
from kanon_core.charts.canvas.marks import area, bars, note, ring, rule, scatter
from kanon_core.charts.concealment.bipartite import bipartite_figure
from kanon_core.charts.concealment.matches import planned
from kanon_core.charts.curves.tradeoff import tradeoff_figure
from kanon_core.charts.drawing.axes import Scale, nice, number
from kanon_core.charts.drawing.drawing import drawing
from kanon_core.charts.groups.clusters import cluster_figure
from kanon_core.charts.groups.history_views import HistoryView, people_figure
from kanon_core.charts.sets.itemsets import ItemView
from kanon_core.charts.table.valuebars import item_figure, ranked_items
from kanon_core.runs.sweeps import sweep_point


def figure(*traces, **layout) -> go.Figure:
    return look.figure(traces, "light", "what it shows", 300, **layout)


def parsed(made: str) -> ElementTree.Element:
    """The drawing, which is well-formed."""
    return ElementTree.fromstring(made)


def every(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return list(root.iter(name))


def test_places_are_shares_of_the_axes():
    trace = scatter("markers", [0, 5, 10], [0, 1, 4], marker={"size": 8, "color": "#000"})
    made = parsed(drawing(figure(trace, xaxis={"range": [0, 10]}, yaxis={"range": [0, 4]})))
    dots = [(dot.get("cx"), dot.get("cy"), dot.get("r")) for dot in every(made, "circle")]
    assert dots == [("0.00%", "100.00%", "4"), ("50.00%", "75.00%", "4"), ("100.00%", "0.00%", "4")]


def test_lines_are_parted_by_missing_places_and_areas_are_closed():
    x, y = np.array([0.0, 1, np.nan, 0, 1, 1]), np.array([0.0, 1, np.nan, 1, 1, 0])
    ends = {"xaxis": {"range": [0, 1]}, "yaxis": {"range": [0, 1]}}
    (line,) = every(parsed(drawing(figure(scatter("lines", x, y, line={"color": "red"}), **ends))), "path")
    assert line.get("d") == "M0 10000 10000 0M0 0 10000 0 10000 10000"
    (filled,) = every(parsed(drawing(figure(area(x, y, "red", 1, "blue"), **ends))), "path")
    assert filled.get("d").count("Z") == 2 and filled.get("fill") == "blue"


def test_axes_without_a_range_hold_all_that_is_drawn():
    scale = Scale.of({"rangemode": "tozero"}, [np.array([0.2, 1.0, np.nan])])
    assert scale.low == 0 and scale.high == pytest.approx(1.05)
    assert [text for _, text in scale.ticks(6)] == ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
    empty = Scale.of({}, [np.zeros(0)])
    assert np.isfinite(empty.share([0.5])).all()


def test_logarithmic_axes_name_powers_of_ten():
    scale = Scale.of({"type": "log", "range": [0, 3], "tickformat": ",d"}, [])
    assert [text for _, text in scale.ticks(6)] == ["1", "10", "100", "1,000"]
    assert scale.share([1, 10, 1000]).tolist() == pytest.approx([0, 1 / 3, 1])


@pytest.mark.parametrize(
    ("ends", "first", "last"),
    [
        (("2020-01-01", "2026-01-01"), "2020", "2026"),
        (("2024-01-01", "2024-05-01"), "Jan 2024", "May 2024"),
        (("2024-03-01", "2024-03-09"), "01 Mar 2024", "09 Mar 2024"),
    ],
)
def test_dates_are_named_in_the_unit_that_fits(ends, first, last):
    span = np.array(ends, "datetime64[ms]").astype(float).tolist()
    ticks = Scale.of({"type": "date", "range": span}, []).ticks(12)
    assert (ticks[0][1], ticks[-1][1]) == (first, last)
    assert 3 <= len(ticks) <= 13


@pytest.mark.parametrize("span", [1e-7, 0.003, 0.5, 1, 7, 48, 999, 1e6])
@pytest.mark.parametrize("most", [2, 6, 12])
def test_steps_are_round_and_few(span, most):
    step = nice(span, most)
    assert span / step <= most * (1 + 1e-9)
    assert f"{step:e}"[0] in "125" and float(f"{step:e}"[:8]) in (1, 2, 5)


def test_numbers_are_as_exact_as_their_step():
    texts = [number(n * 0.025, 0.025, ".1~%") for n in range(4)]
    assert texts == ["0.0%", "2.5%", "5.0%", "7.5%"]
    assert number(1e-9, 1e-9) == "1e-09" and number(30.0, 10.0) == "30"


def test_nothing_in_a_text_becomes_markup():
    evil = "<script>alert(1)</script><b>x</b>\"'<img src=x onerror=alert(1)>"
    trace = scatter("markers", [1], [1], evil, name=evil, showlegend=True, marker={"color": "red", "size": 5})
    made = figure(
        trace,
        showlegend=True,
        xaxis={"title": {"text": evil}, "tickvals": [1], "ticktext": [evil]},
        annotations=[note(evil, 1, 1, "black")],
        shapes=[rule("x", 1, "black")],
    )
    made.layout.meta = {"alt": evil}
    found = parsed(drawing(made))
    names = {element.tag for element in found.iter()}
    assert names <= {"div", "svg", "g", "title", "text", "tspan", "line", "circle", "path", "span", "rect"}
    assert not any(key.startswith("on") or key == "src" for element in found.iter() for key in element.attrib)


def test_only_pictures_that_the_figure_brings_along_are_shown():
    place = {"x": 0, "y": 1, "sizex": 1, "sizey": 1, "xref": "x", "yref": "y", "layer": "below"}
    sources = ["https://example.org/a.png", "data:image/svg+xml;base64,AA", "data:image/png;base64,AA"]
    made = figure(xaxis={"range": [0, 2]}, images=[{**place, "source": source} for source in sources])
    (picture,) = every(parsed(drawing(made)), "image")
    assert picture.get("href") == sources[-1] and picture.get("width") == "50.00%"


def test_bars_stand_upon_each_other():
    traces = [
        bars([3, 1], [0, 1], color="red", orientation="h"),
        bars([1, 1], [0, 1], color="blue", orientation="h"),
    ]
    made = figure(*traces, barmode="stack", xaxis={"range": [0, 4]}, yaxis={"range": [-0.5, 1.5]})
    found = [(bar.get("x"), bar.get("width")) for bar in every(parsed(drawing(made)), "rect")]
    assert found == [("0.00%", "75.00%"), ("0.00%", "25.00%"), ("75.00%", "25.00%"), ("25.00%", "25.00%")]


def test_what_can_be_chosen_carries_its_facts_and_says_what_it_is():
    table = kc.read_table("sample:people-100")
    points = [sweep_point(table, kc.MDAV(), k, (kc.ILSSDM(),), 1) for k in (2, 3, 4)]
    made = tradeoff_figure(points, current=("MDAV", 3, 1))
    buttons = [g for g in every(parsed(drawing(made, picked=True)), "g") if g.get("role") == "button"]
    assert [g.get("data-facts").split(",")[1] for g in buttons] == ["2", "3", "4"]
    assert buttons[1].get("aria-label").startswith("MDAV, k = 3, Information loss: ")
    assert not [g for g in every(parsed(drawing(made)), "g") if g.get("data-facts")]


def test_a_ring_is_drawn_around_what_is_chosen():
    made = figure(ring([1], [1], "#123456"), xaxis={"range": [0, 2]}, yaxis={"range": [0, 2]})
    (found,) = every(parsed(drawing(made)), "circle")
    assert (found.get("fill"), found.get("stroke"), found.get("r")) == ("none", "#123456", "9")


def test_other_traces_are_refused():
    with pytest.raises(ValueError, match="heatmap"):
        drawing(figure({"type": "heatmap", "z": [[1]]}))


def beside(name: str, theme: str) -> go.Figure:
    """The pictures that stand beside the slider."""
    if name == "sets":
        table = kc.read_table("sample:receipts-10000")
        view = ItemView.of(table, kc.anonymize(table, kc.TopDown(), 3, seed=1), "diseases")
        return item_figure(view, ranked_items(view)[:12], theme)
    if name == "people":
        table = kc.read_table("sample:purchases-80000")
        view = HistoryView.of(kc.anonymize(table, kc.PurchaseHistories(), 3, seed=1))
        return people_figure(view, None, None, theme)
    table = kc.read_table("sample:people-100")
    release = kc.anonymize(table, kc.Greedy() if name == "matchings" else kc.MDAV(), 3, seed=1)
    if name == "matchings":
        return bipartite_figure(table, planned(release), (0, 1, 2), None, False, theme)
    return cluster_figure(table, release, theme=theme)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["clusters", "matchings", "people", "sets"])
def test_every_picture_beside_the_slider_can_be_drawn(name, theme):
    made = beside(name, theme)
    found = parsed(drawing(made, 300))
    (says,) = [svg.get("aria-label") for svg in every(found, "svg") if svg.get("role") == "img"]
    assert says == re.sub("<[^>]+>", "", str(made.layout.meta["alt"]))
    marks = sum(len(every(found, kind)) for kind in ("path", "circle", "rect", "image"))
    assert marks > 3
    assert "nan" not in drawing(made, 300)

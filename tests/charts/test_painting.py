"""Painted pixels against a slow twin; the PNG against its own definition; outlines and colors of
neighbors."""

from __future__ import annotations

import base64

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.charts.canvas.outlines import boxes, hulls, neighbors, rectangles, spread_colors
from kanon_core.charts.canvas.painting import Canvas, png
from tests.oracles.painting import hull_corners, painted_discs, painted_segments, read_png

SPANS = ((-1.0, 3.0), (10.0, 20.0))


def drawn(seed: int, count: int):
    """Random coordinates, some outside the picture, with colors 1..9; in numbers that pixels divide exactly
    and not."""
    rng = np.random.default_rng(seed)
    x, y = np.round(rng.uniform(-1.5, 3.5, count), 2), np.round(rng.uniform(8, 22, count), 2)
    return x, y, rng.integers(1, 10, count).astype(np.uint8)


def test_discs_are_those_of_the_twin_and_later_ones_lie_on_top():
    for radius in [0, 1, 3]:
        x, y, color = drawn(1, 400)
        canvas = Canvas(*SPANS, 60, 40)
        canvas.discs(x, y, color, radius)
        blank = np.zeros((40, 60), np.uint8)
        assert np.array_equal(
            canvas.pixels, painted_discs(blank, SPANS, zip(x, y, color, strict=True), radius)
        )


def test_filled_rectangles_hold_every_pixel_of_their_outline_and_inside():
    canvas = Canvas((0.0, 10.0), (0.0, 10.0), 10, 10)
    canvas.fills((np.array([2.0]), np.array([3.0])), (np.array([4.0]), np.array([6.0])), np.array([5]))
    rows, columns = np.nonzero(canvas.pixels)
    assert (rows.min(), rows.max(), columns.min(), columns.max(), len(rows)) == (3, 6, 2, 4, 12)


def test_segments_are_those_of_the_twin():
    x0, y0, color = drawn(4, 60)
    x1, y1, _ = drawn(5, 60)
    canvas = Canvas(*SPANS, 60, 40)
    canvas.segments((x0, y0), (x1, y1), color)
    expected = painted_segments(np.zeros((40, 60), np.uint8), SPANS, zip(x0, y0, x1, y1, color, strict=True))
    assert np.array_equal(canvas.pixels, expected)


def test_many_long_segments_are_painted_in_parts():
    x = np.tile([-1.0, 3.0], 3000)
    y = np.full(6000, 15.0)
    canvas = Canvas(*SPANS, 400, 10)
    canvas.segments((x, y), (-x + 2, y), np.full(6000, 7, np.uint8))
    assert np.array_equal(np.unique(np.nonzero(canvas.pixels)[0]), [4])
    assert (canvas.pixels[4] == 7).all()


def test_the_edges_of_the_range_are_the_outermost_pixels():
    canvas = Canvas((0.0, 1.0), (0.0, 1.0), 7, 5)
    assert canvas.columns(np.array([0.0, 1.0, -0.01, 1.01, np.nan])).tolist()[:4] == [0, 6, -1, 7]
    assert canvas.columns(np.array([np.nan]))[0] < 0
    assert canvas.rows(np.array([0.0, 1.0])).tolist() == [4, 0]


def test_png_holds_the_pixels_the_palette_and_the_opacities():
    pixels = np.arange(12, dtype=np.uint8).reshape(3, 4) % 3
    found, palette, opacities = read_png(png(pixels, [("#010203", 1.0), ("#0A0B0C", 0.5)]))
    assert np.array_equal(found, pixels)
    assert palette == bytes([0, 0, 0, 1, 2, 3, 10, 11, 12])
    assert opacities == bytes([0, 255, 128])


def test_source_is_the_png_as_a_data_address():
    canvas = Canvas((0.0, 1.0), (0.0, 1.0), 4, 3)
    canvas.discs(np.array([0.5]), np.array([0.5]), np.array([1], np.uint8), 0)
    head, data = canvas.source([("#FF0000", 1.0)]).split(",")
    assert head == "data:image/png;base64"
    assert np.array_equal(read_png(base64.b64decode(data))[0], canvas.pixels)


coordinates = st.integers(-4, 4).map(float)


@given(st.lists(st.tuples(coordinates, coordinates, st.integers(0, 2)), min_size=1, max_size=25))
def test_hulls_have_the_corners_of_the_twin_and_turn_left(records):
    x, y, groups = (np.array(part) for part in zip(*records, strict=True))
    shapes = hulls(x, y, groups, 3)
    for group in range(3):
        mine = [(a, b) for a, b, g in records if g == group]
        part = slice(shapes.starts[group], shapes.starts[group + 1])
        corners = list(zip(shapes.x[part].tolist(), shapes.y[part].tolist(), strict=True))
        assert set(corners) == hull_corners(mine)
        assert len(corners) == len(set(corners))
        turned = corners[1:] + corners[:1]
        assert sum(a * d - b * c for (a, b), (c, d) in zip(corners, turned, strict=True)) >= 0


def test_boxes_and_rectangles_leave_out_groups_without_points():
    x, y, groups = np.array([1.0, 3.0, 5.0]), np.array([2.0, 1.0, 4.0]), np.array([0, 0, 2])
    assert np.array_equal(boxes(x, y, groups, 3)[1], [3, np.nan, 5], equal_nan=True)
    shapes = rectangles(x, y, groups, 3)
    assert shapes.starts.tolist() == [0, 4, 4, 8]
    assert shapes.x[:4].tolist() == [1, 3, 3, 1]
    line_x, line_y = shapes.closed(np.array([0, 1, 2]))
    assert line_x[:5].tolist() == [1, 3, 3, 1, 1] and np.isnan(line_x[5])
    assert line_y[:5].tolist() == [1, 1, 2, 2, 1]
    assert np.isfinite(line_x).sum() == 10


def test_no_group_has_the_color_of_one_of_its_three_nearest():
    for arrange in ["cloud", "grid", "one spot", "line"]:
        rng = np.random.default_rng(0)
        x, y = {
            "cloud": tuple(rng.normal(size=(2, 10_000))),
            "grid": tuple(np.indices((60, 60)).reshape(2, -1).astype(float)),
            "one spot": tuple(np.zeros((2, 50))),
            "line": (np.arange(300.0), np.zeros(300)),
        }[arrange]
        colors = spread_colors(x, y, 7)
        nearest = neighbors(x, y)
        assert nearest.shape == (len(x), 3)
        assert not (nearest == np.arange(len(x))[:, None]).any()
        assert (colors[nearest] != colors[:, None]).all()
        assert set(colors.tolist()) <= set(range(7))


def test_few_groups_have_different_colors():
    for count in [0, 1, 2, 3]:
        colors = spread_colors(np.arange(count, dtype=float), np.zeros(count), 7)
        assert len(set(colors.tolist())) == count

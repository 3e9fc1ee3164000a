"""One's own lines on the map: what is read of a file, and that nothing else of it reaches the page."""

from __future__ import annotations

import base64
import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanon_core.base.errors import InputError
from kanon_core.charts.maps.backgrounds import lines as background
from kanon_core.charts.maps.backgrounds.lines import Lines
from kanon_core.charts.maps.maps import Look, rectangle_map

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(1)>"


def read(thing: object) -> Lines:
    return Lines.read(json.dumps(thing).encode())


def line(*places) -> dict:
    return {"type": "LineString", "coordinates": [list(place) for place in places]}


def test_lines_and_rings_are_read_and_points_are_not():
    ring = [[0, 0], [1, 0], [1, 1], [0, 0]]
    found = read(
        {
            "type": "FeatureCollection",
            "features": [
                {"type": "Feature", "properties": {"name": EVIL}, "geometry": line((5, 6, 99.5), (7, 8, 0))},
                {"type": "Feature", "properties": None, "geometry": None},
                {
                    "type": "Feature",
                    "geometry": {"type": "MultiPolygon", "coordinates": [[ring], [ring, ring]]},
                },
                {
                    "type": "GeometryCollection",
                    "geometries": [
                        {"type": "Point", "coordinates": [1, 2]},
                        {"type": "MultiLineString", "coordinates": [[[1, 2], [3, 4]]]},
                    ],
                },
            ],
        }
    )
    lines = [part.tolist() for part in np.split(found.points, found.starts[1:])]
    assert sorted(map(len, lines)) == [2, 2, 4, 4, 4]
    assert [[5.0, 6.0], [7.0, 8.0]] in lines and [[1.0, 2.0], [3.0, 4.0]] in lines


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"{" + b'"a":{' * 100_000,
        b"7" * 5_000,
        b'"LineString"',
        b'{"type": "Topology", "arcs": []}',
        b'{"type": ["LineString"]}',
        b'{"type": "FeatureCollection"}',
        b'{"type": "FeatureCollection", "features": [1, null, "x"]}',
        b'{"type": "Point", "coordinates": [1, 2]}',
        b'{"type": "LineString"}',
        b'{"type": "LineString", "coordinates": []}',
        b'{"type": "LineString", "coordinates": [1, 2]}',
        b'{"type": "LineString", "coordinates": [[1], [2]]}',
        b'{"type": "LineString", "coordinates": [["1", "2"], ["3", "4"]]}',
        b'{"type": "LineString", "coordinates": [[true, false], [true, true]]}',
        b'{"type": "LineString", "coordinates": [[NaN, 0], [1, 1]]}',
        b'{"type": "LineString", "coordinates": [[Infinity, 0], [1, 1]]}',
        b'{"type": "LineString", "coordinates": [[1e999, 0], [1, 1]]}',
        b'{"type": "LineString", "coordinates": [[%d, 0], [1, 1]]}' % 10**40,
        b'{"type": "LineString", "coordinates": [[15557000, 4257000], [15557100, 4257100]]}',
        b'{"type": "LineString", "coordinates": [[35, 139], [36, 140]]}',
        b'{"type": "Polygon", "coordinates": 7}',
        b'{"type": "MultiPolygon", "coordinates": [[7]]}',
    ],
)
def test_what_is_no_map_is_refused_in_a_sentence(content):
    with pytest.raises(InputError, match=r"^The background|^A line of the background"):
        Lines.read(content)


def test_a_file_too_large_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr(background, "MOST_BYTES", 10)
    with pytest.raises(InputError, match="MB"):
        Lines.read(b'{"type": "LineString", "coordinates": [[1, 2], [3, 4]]}')


places = st.tuples(st.floats(-180, 180), st.floats(-90, 90))


@given(st.lists(st.lists(places, min_size=1, max_size=30), min_size=1, max_size=20), st.integers(2, 40))
def test_many_points_are_made_fewer_and_stay_on_their_lines(lines, most):
    coordinates = [[list(place) for place in one] for one in lines]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(background, "MOST_POINTS", most)
        try:
            found = read({"type": "MultiLineString", "coordinates": coordinates})
        except InputError as too_many:
            assert "too many lines" in str(too_many)
            return
    assert 0 < len(found.points) <= most
    given_lines = [np.array(one) for one in lines]
    for part in np.split(found.points, found.starts[1:]):
        ends = [one for one in given_lines if (one[0] == part[0]).all() and (one[-1] == part[-1]).all()]
        assert any(all((one == place).all(1).any() for place in part) for one in ends)


def test_a_long_line_keeps_its_shape():
    steps = np.linspace(0, 2 * np.pi, 400_000)
    circle = np.column_stack([np.cos(steps), np.sin(steps)])
    found = read(line(*circle.round(9).tolist()))
    assert background.MOST_POINTS / 4 < len(found.points) <= background.MOST_POINTS
    assert np.hypot(*found.points.T) == pytest.approx(np.ones(len(found.points)), abs=1e-6)
    assert np.hypot(*np.diff(found.points, axis=0).T).max() < 1e-3


def test_nothing_but_numbers_reaches_the_page():
    mine = read(
        {"type": "Feature", "id": EVIL, "properties": {EVIL: EVIL}, "geometry": line((139, 35), (140, 36))}
    )
    page = rectangle_map([35.0], [139.0], look=Look(vendor_url="../vendor", background=mine)).html
    assert "alert(1)" not in page
    sent = json.loads(re.search(r'"lines": (\{.*?\})', page).group(1))
    assert set(sent) == {"origin", "points", "starts"}
    offsets = np.frombuffer(base64.b64decode(sent["points"]), "<f4").reshape(-1, 2)
    assert (offsets + sent["origin"]).tolist() == [[139.0, 35.0], [140.0, 36.0]]


def test_the_digest_tells_files_apart():
    one, other = read(line((1, 2), (3, 4))), read(line((1, 2), (3, 5)))
    assert one.digest == read(line((1, 2), (3, 4))).digest != other.digest

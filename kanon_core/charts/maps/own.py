"""A layer of one's own from a GeoJSON file: wards, streets, a coast, shops."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import folium
import numpy as np

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr

MOST_BYTES, MOST_POSITIONS = 16_000_000, 200_000
"""A larger file is refused."""
_DEPTHS = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}
_PROPERTIES, _LETTERS = 8, 120
_INK = "#b3261e"


@dataclass(frozen=True, eq=False)
class OwnLayer:
    """The features of a GeoJSON file: ``geometries`` with numbers alone, and for each ``about``, the text of
    its properties as HTML in which every text of the file is escaped.

    >>> layer = OwnLayer.read(b'{"type": "LineString", "coordinates": [[139, 35], [140, 36]]}', "line")
    >>> layer.bounds, layer.about
    ((139.0, 35.0, 140.0, 36.0), ('',))
    """

    name: str
    geometries: tuple[dict[str, Any], ...]
    about: tuple[str, ...]

    @classmethod
    def read(cls, content: bytes, name: str) -> OwnLayer:
        """Read the bytes of a file.

        Raises InputError where they are more than 16 MB or 200,000 positions, are no GeoJSON, have a position
        that is not in degrees, or nothing to draw. Cost O(positions).
        """
        if len(content) > MOST_BYTES:
            says = tr(
                "The GeoJSON file has {size:.0f} MB; at most {most:.0f} MB are read. Take a smaller part."
            )
            raise InputError(says.format(size=len(content) / 1e6, most=MOST_BYTES / 1e6))
        try:
            whole = json.loads(content)
        except (ValueError, RecursionError) as wrong:
            says = tr("The file is not GeoJSON: it is no valid JSON text. Export it again as GeoJSON.")
            raise InputError(says) from wrong
        features = list(_features(whole, {}))
        if not features:
            raise InputError(
                tr("The GeoJSON file has no points, lines or polygons: there is nothing to draw.")
            )
        if sum(len(positions) for _, positions, _ in features) > MOST_POSITIONS:
            says = tr(
                "The GeoJSON file has more than {most:,} positions. Simplify it or take a smaller part."
            )
            raise InputError(says.format(most=MOST_POSITIONS))
        return cls(name, tuple(one[0] for one in features), tuple(_told(one[2]) for one in features))

    @cached_property
    def digest(self) -> str:
        """Differs for different features."""
        whole = json.dumps([self.name, self.geometries, self.about])
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east and north end."""
        places = np.array([place for one in self.geometries for place in _flat(one["coordinates"])])
        return (*places.min(0).tolist(), *places.max(0).tolist())

    def near(self, view: list[list[float]]) -> OwnLayer:
        """Return the layer a turn of the earth farther, where only so it meets a view over 180° east."""
        (_, west), (_, east) = view
        if self.bounds[2] >= west or self.bounds[0] + 360 > east:
            return self
        turned = [one | {"coordinates": _moved(one["coordinates"], 360.0)} for one in self.geometries]
        return OwnLayer(self.name, tuple(turned), self.about)

    def layer(self) -> folium.GeoJson:
        """Return the layer, with the properties as tooltips."""
        features = [
            {"type": "Feature", "geometry": geometry, "properties": {"about": about}}
            for geometry, about in zip(self.geometries, self.about, strict=True)
        ]
        told = folium.GeoJsonTooltip(["about"], labels=False) if any(self.about) else None
        return folium.GeoJson(
            {"type": "FeatureCollection", "features": features},
            name=escape(self.name),
            tooltip=told,
            marker=folium.CircleMarker(radius=4),
            style_function=lambda feature: {"color": _INK, "weight": 1.5, "fillOpacity": 0.06},
        )


def _features(one: Any, properties: Any) -> Iterator[tuple[dict[str, Any], list[Any], Any]]:
    """The geometries in a GeoJSON object with their positions and properties."""
    todo = [(one, properties)]
    while todo:
        one, properties = todo.pop()
        kind = str(one.get("type")) if isinstance(one, dict) else ""
        if kind == "FeatureCollection":
            todo += [(each, {}) for each in reversed(_list(one.get("features")))]
        elif kind == "GeometryCollection":
            todo += [(each, properties) for each in reversed(_list(one.get("geometries")))]
        elif kind == "Feature" and one.get("geometry") is not None:
            todo.append((one["geometry"], one.get("properties") or {}))
        elif kind in _DEPTHS:
            coordinates = _degrees(one.get("coordinates"), _DEPTHS[kind])
            positions = list(_flat(coordinates))
            if positions:
                yield {"type": kind, "coordinates": coordinates}, positions, properties
        elif kind != "Feature":
            raise InputError(tr("The file is not GeoJSON: it holds a part of an unknown type."))


def _list(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else []


def _degrees(thing: Any, depth: int) -> Any:
    """Positions as numbers of degrees without heights, in lists ``depth`` deep."""
    if depth:
        return [_degrees(inner, depth - 1) for inner in _list(thing)]
    place = [part for part in _list(thing)[:2] if type(part) in (int, float)]
    if len(place) != 2 or not (abs(place[0]) <= 360 and abs(place[1]) <= 90):
        says = tr(
            "A position in the GeoJSON file is not longitude, then latitude in degrees. Convert the file to"
            " WGS 84 (EPSG:4326)."
        )
        raise InputError(says)
    return [float(part) for part in place]


def _flat(coordinates: Any) -> Iterator[list[float]]:
    if coordinates and isinstance(coordinates[0], float):
        yield coordinates
    else:
        for inner in coordinates:
            yield from _flat(inner)


def _moved(coordinates: Any, degrees: float) -> Any:
    """The coordinates farther east."""
    if coordinates and isinstance(coordinates[0], float):
        return [coordinates[0] + degrees, coordinates[1]]
    return [_moved(inner, degrees) for inner in coordinates]


def _told(properties: Any) -> str:
    """The first properties as lines of HTML."""
    pairs = list(properties.items())[:_PROPERTIES] if isinstance(properties, dict) else []
    plain = [(name, value) for name, value in pairs if isinstance(value, str | int | float)]
    return "<br>".join(escape(f"{name}: {value}"[:_LETTERS]) for name, value in plain)

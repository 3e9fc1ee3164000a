"""A layer of one's own from a GeoJSON file: wards, streets, a coast, shops."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import Any

import folium

from kanon_core.base.errors import InputError
from kanon_core.base.words import tr

MOST_BYTES, MOST_POSITIONS = 16_000_000, 200_000
"""The limits above which a file is refused."""
_DEPTHS = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}
_INSIDE = {"FeatureCollection": "features", "GeometryCollection": "geometries"}
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
        features = list(_features(whole))
        if not features:
            says = tr("The GeoJSON file has no points, lines or polygons: there is nothing to draw.")
            raise InputError(says)
        layer = cls(name, *zip(*features, strict=True))
        if len(layer.positions) > MOST_POSITIONS:
            says = tr(
                "The GeoJSON file has more than {most:,} positions. Simplify it or take a smaller part."
            )
            raise InputError(says.format(most=MOST_POSITIONS))
        return layer

    @cached_property
    def digest(self) -> str:
        """Differs for different features."""
        whole = json.dumps([self.name, self.geometries, self.about])
        return hashlib.sha256(whole.encode()).hexdigest()[:16]

    @cached_property
    def positions(self) -> list[list[float]]:
        """Longitude and latitude of every position."""
        places: list[list[float]] = []
        self._moved(places.append)
        return places

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """West, south, east and north end."""
        longitudes, latitudes = zip(*self.positions, strict=True)
        return min(longitudes), min(latitudes), max(longitudes), max(latitudes)

    def near(self, view: list[list[float]]) -> OwnLayer:
        """Return the layer moved by a turn of the earth, if it only then meets a view that reaches beyond
        180° east."""
        (_, west), (_, east) = view
        if self.bounds[2] >= west or self.bounds[0] + 360 > east:
            return self
        return OwnLayer(self.name, self._moved(lambda place: [place[0] + 360.0, place[1]]), self.about)

    def _moved(self, move: Callable[[list[float]], Any]) -> tuple[dict[str, Any], ...]:
        """The geometries with each position moved."""
        return tuple(
            {**one, "coordinates": _changed(one["coordinates"], _DEPTHS[one["type"]], move)}
            for one in self.geometries
        )

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


def _features(whole: Any) -> Iterator[tuple[dict[str, Any], str]]:
    """The geometries in a GeoJSON object, each with its properties as lines of HTML."""
    todo = [(whole, None)]
    while todo:
        part, properties = todo.pop()
        kind = str(part.get("type")) if isinstance(part, dict) else ""
        if kind in _INSIDE:
            todo += [(inner, properties) for inner in reversed(_list(part.get(_INSIDE[kind])))]
        elif kind == "Feature":
            todo += [(part["geometry"], part.get("properties"))] if part.get("geometry") is not None else []
        elif kind not in _DEPTHS:
            raise InputError(tr("The file is not GeoJSON: it holds a part of an unknown type."))
        elif coordinates := _changed(part.get("coordinates"), _DEPTHS[kind], _degrees):
            yield {"type": kind, "coordinates": coordinates}, _lines(properties)


def _list(thing: Any) -> list[Any]:
    return thing if isinstance(thing, list) else []


def _changed(coordinates: Any, depth: int, change: Callable[[Any], Any]) -> Any:
    """Coordinates with each position changed, which are in lists ``depth`` deep; empty lists are left out."""
    if not depth:
        return change(coordinates)
    inside = (_changed(inner, depth - 1, change) for inner in _list(coordinates))
    return [inner for inner in inside if inner != []]


def _degrees(position: Any) -> list[float]:
    """A position as two numbers of degrees, without its height."""
    place = [part for part in _list(position)[:2] if type(part) in (int, float)]
    if len(place) != 2 or not (abs(place[0]) <= 360 and abs(place[1]) <= 90):
        says = tr(
            "A position in the GeoJSON file is not longitude, then latitude in degrees. Convert the file to"
            " WGS 84 (EPSG:4326)."
        )
        raise InputError(says)
    return [float(part) for part in place]


def _lines(properties: Any) -> str:
    """The first properties as lines of HTML."""
    pairs = list(properties.items())[:_PROPERTIES] if isinstance(properties, dict) else []
    plain = [(name, value) for name, value in pairs if isinstance(value, str | int | float)]
    return "<br>".join(escape(f"{name}: {value}"[:_LETTERS]) for name, value in plain)

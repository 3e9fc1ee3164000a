"""A map of folium in the page: the base stays while k changes, and the rectangles alone are sent."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Literal

import streamlit as st
from streamlit.components.v1 import declare_component

import kanon_core as kc
from kanon_core.base.assets import ASSETS
from kanon_core.charts.maps.boxes import Boxes, places
from kanon_core.charts.maps.density import densest
from kanon_core.charts.maps.layers import CROWD, Rectangles, layer_data, overview_data
from kanon_core.charts.maps.offline import OfflineMap
from kanon_core.charts.maps.rectangle_map import place_columns, rectangle_map
from kanon_core.charts.maps.vendored import SYNC
from pages.shell.frame import theme
from pages.shell.server_address import below
from pages.state.keys import Key
from pages.state.session import Session
from pages.state.setting import Setting

POINTS_AT_MOST = 1_000
"""The most records that small maps draw as points: more would hide the rectangles, and be sent with every
move."""
_js = (ASSETS / "map" / "page.js").read_text("utf-8")
_box = '<div class="map-box"></div>'
_base = st.components.v2.component("kanon.map", html=_box, js=_js, isolate_styles=False)
_layer = st.components.v2.component("kanon.map-layer", js=_js)


@dataclass(frozen=True)
class MapPlacement:
    """The place and behavior of a map in the page.

    ``slot``: its name. ``height`` in CSS. ``group``: maps of one group move together. ``look``: options of
    `rectangle_map`, beside theme, language and address. ``of``: the setting that it shows, by
    default the current one. ``still``: the wheel and a finger move the page, not the map; it takes all the
    height that there is, at least its own; and too many rectangles are sent only when somebody zooms in.
    ``coloring``: see `layer_data`.
    """

    slot: str
    height: str
    group: str = ""
    look: dict[str, Any] = field(default_factory=dict)
    of: Setting | None = None
    still: bool = False
    coloring: str = "area"


@cache
def address() -> str:
    """Return the address of the folder of scripts and outlines on this server, also below a base path. The
    folder is declared with the first map, as this needs a running server."""
    served = declare_component("kanon_assets", path=str(ASSETS))
    return below(f"/component/{served.name}")


def map_view(
    session: Session,
    release: kc.Release,
    boxes: Boxes,
    shown: MapPlacement,
    pick: Callable[[int], None] | None = None,
) -> None:
    """Show the rectangles of a release. ``pick`` is called with the number of a rectangle that was clicked,
    in the order of drawing. The scales of colors are those of the table, the same for every k and
    algorithm."""
    table, own, slot = session.table, session.own_layer, shown.slot
    of = f"{theme()}/{shown.slot}/{shown.look!r}/{own and own.digest}"
    parts = session.map_parts(of, lambda: _parts(session, release, shown))
    base = {"id": f"{table.digest}/{of}", "table": table.digest, "parts": parts}
    named = place_columns(table)
    ends = places(table, named).ends(shown.coloring)
    scale = table.once(f"densest:{named!r}", lambda: densest(places(table, named), CROWD["cell"]))
    k, closer = release.recipe.k, Key(f"{slot}-closer", False).of(table.digest)

    def made() -> dict[str, Any]:
        if shown.still and not closer.get():
            layer = overview_data(boxes, k, shown.coloring, ends)
        else:
            layer = layer_data(boxes, k, shown.coloring, ends)
        return _identified({**layer, "densest": scale})

    layer = session.picture((slot, shown.coloring, closer.get()), made, shown.of)
    picked = Key[Any](f"{slot}-layer", {})

    def taken() -> None:
        told = picked.get().get("picked")
        if pick is not None and told and told["of"] == layer["id"]:
            pick(int(told["index"]))

    grows: Literal["stretch", "content"] = "stretch" if shown.still else "content"
    with st.container(key=f"{slot}-frame", gap=None, height=grows):
        about = {"slot": slot, "height": shown.height, "group": shown.group, "still": shown.still}
        _base(key=f"{slot}-base", data={**base, **about}, height=grows)
        data, zoomed = {"slot": slot, **layer}, partial(closer.set, True)
        _layer(key=picked.name, data=data, on_picked_change=taken, on_closer_change=zoomed)


def _identified(layer: dict[str, Any]) -> dict[str, Any]:
    """Return the layer with a name of its own, which tells nothing of the seed."""
    content = json.dumps(layer, sort_keys=True).encode()
    return {"id": hashlib.blake2b(content, digest_size=8).hexdigest(), "layer": layer}


def _parts(session: Session, release: kc.Release, shown: MapPlacement) -> dict[str, Any]:
    """Return the parts of a map without rectangles, which are sent apart."""
    made = _made(session, release, served=address(), **{"points": True, **shown.look})
    made.layer(Rectangles).data = layer_data(Boxes.none(), 0)
    parts = made.parts()
    return {**parts, "js": [*parts["js"], f"{address()}/{SYNC}"]} if shown.group else parts


def map_file(session: Session, release: kc.Release, coloring: str) -> bytes:
    """Return the map of what is published, with one's own layer, as one file without original records."""
    file = io.BytesIO()
    _made(session, release, coloring=coloring).save(file, close_file=False)
    return file.getvalue()


def _made(session: Session, release: kc.Release, **look: Any) -> OfflineMap:
    how: dict[str, Any] = {"theme": theme(), "locale": st.context.locale or "en", "own": session.own_layer}
    return rectangle_map(session.table, release, **how, **look)

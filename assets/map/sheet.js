// What all layers on a canvas share: Web Mercator, packed numbers, one canvas that follows the map.
(function () {
  "use strict";

  if (L.kanonParts) return;   // several layers bring this script

  // Web Mercator with the world as the unit square: pixels are these times 256 · 2^zoom.
  const worldX = (lon) => (lon + 180) / 360;
  const worldY = (lat) => {
    const phi = Math.max(-85.0511, Math.min(85.0511, lat)) * Math.PI / 180;
    return 0.5 - Math.log(Math.tan(Math.PI / 4 + phi / 2)) / (2 * Math.PI);
  };

  const unpack = (text, Type) => {
    const binary = atob(text), bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    return new Type(bytes.buffer);
  };

  const element = (tag, className, parent, text) => {
    const made = L.DomUtil.create(tag, className, parent);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // One canvas that follows the map; what extends it paints in its coordinates.
  const Sheet = L.Renderer.extend({
    options: { padding: 0.2 },

    _initContainer: function () {
      this._container = element("canvas", "kanon-sheet");
      this._pen = this._container.getContext("2d");
    },

    _destroyContainer: function () {
      L.Util.cancelAnimFrame(this._frame);
      this._container.remove();
      delete this._container;
    },

    _update: function () {
      if (this._map._animatingZoom && this._bounds) return;
      L.Renderer.prototype._update.call(this);
      const size = this._bounds.getSize(), ratio = Math.min(window.devicePixelRatio || 1, 2);
      L.DomUtil.setPosition(this._container, this._bounds.min);
      this._container.width = ratio * size.x;
      this._container.height = ratio * size.y;
      this._container.style.width = size.x + "px";
      this._container.style.height = size.y + "px";
      this._pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.draw();
    },

    // Several changes in one turn are painted once.
    later: function () {
      if (!this._map) return;
      L.Util.cancelAnimFrame(this._frame);
      this._frame = L.Util.requestAnimFrame(this.draw, this);
    },

    // Scale and shift from the unit square to the canvas, and the part of the unit square that is seen.
    view: function () {
      const scale = 256 * Math.pow(2, this._zoom);
      const corner = this._map.getPixelOrigin().add(this._bounds.min), size = this._bounds.getSize();
      return {
        scale, x: corner.x, y: corner.y, width: size.x, height: size.y,
        left: corner.x / scale, top: corner.y / scale,
        right: (corner.x + size.x) / scale, bottom: (corner.y + size.y) / scale,
      };
    },
  });

  // A pane of the map at a height, made when it is first needed; nobody points at what is in it.
  const pane = (map, name, height) => {
    if (!map.getPane(name)) {
      map.createPane(name).style.zIndex = height;
      map.getPane(name).style.pointerEvents = "none";
    }
  };

  // The look of a map with our layers.
  const dress = (map, dark) => {
    map.getContainer().classList.add("kanon");
    map.getContainer().classList.toggle("kanon-dark", Boolean(dark));
    map.attributionControl?.setPrefix("Leaflet");
  };

  L.kanonParts = { worldX, worldY, unpack, element, Sheet, pane, dress };
})();

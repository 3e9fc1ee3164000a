// What all layers on a canvas share: the map as the unit square, packed numbers, one canvas that follows the map.
(function () {
  "use strict";

  // Web Mercator with the world as the unit square: pixels are these times 256 · 2^zoom. Numbers alone: Leaflet's own function
  // makes several objects a place, which tens of thousands of places feel.
  const most = L.Projection.SphericalMercator.MAX_LATITUDE;
  const across = (longitude) => longitude / 360 + 0.5;
  const down = (latitude) => {
    const angle = Math.sin(Math.max(-most, Math.min(most, latitude)) * Math.PI / 180);
    return 0.5 - Math.log((1 + angle) / (1 - angle)) / (4 * Math.PI);
  };
  const unit = (latitude, longitude) => L.point(across(longitude), down(latitude));

  // A loop: `Uint8Array.from` takes twenty times as long.
  const unpack = (text, Type) => {
    const bytes = atob(text), made = new Uint8Array(bytes.length);
    for (let i = 0; i < bytes.length; i++) made[i] = bytes.charCodeAt(i);
    return new Type(made.buffer);
  };

  const element = (tag, className, parent, text = "") => {
    const made = L.DomUtil.create(tag, className, parent);
    made.textContent = text;
    return made;
  };

  // A canvas that follows the map; what extends it paints by `draw(pen, view)`, in pixels of the map's layers.
  const Sheet = L.Canvas.extend({
    options: { padding: 0.2 },

    onAdd(map) {
      const box = map.getContainer();
      box.classList.add("kanon");
      box.classList.toggle("kanon-dark", this.options.dark);
      map.attributionControl?.setPrefix("Leaflet");
      if (!this.getPane()) map.createPane(this.options.pane);
      L.Canvas.prototype.onAdd.call(this, map);
    },

    _initContainer() {
      L.Canvas.prototype._initContainer.call(this);
      this._container.classList.add("kanon-sheet");
      this._redrawRequest = null;   // one of an earlier time on the map was canceled
    },

    // Where Leaflet draws its paths, once the canvas is clear.
    _draw() { this.draw(this._ctx, this.view(this._bounds)); },

    // A frame that was asked for may come when the layer is gone.
    _redraw() { if (this._ctx) L.Canvas.prototype._redraw.call(this); },

    // Several changes in one turn are painted once.
    later() { this._requestRedraw({}); },

    // Scale and shift from the unit square to pixels of the map's layers, and the part of the square that these pixels show.
    view({ min, max }) {
      const scale = 256 * 2 ** this._zoom, origin = this._map.getPixelOrigin();
      const part = L.bounds(origin.add(min).divideBy(scale), origin.add(max).divideBy(scale));
      return { scale, x: origin.x, y: origin.y, part, at: (place) => place.multiplyBy(scale).subtract(origin) };
    },

    // The part of the canvas within the map's frame.
    frame() {
      const map = this._map;
      return L.bounds(map.containerPointToLayerPoint([0, 0]), map.containerPointToLayerPoint(map.getSize()));
    },

    color(name) { return getComputedStyle(this._map.getContainer()).getPropertyValue("--" + name); },
  });

  L.kanonParts = { across, down, unit, unpack, element, Sheet };
})();

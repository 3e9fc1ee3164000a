(function () {
  "use strict";

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

  // A ring or line of the base map: points in the unit square, their bounding box, and which steps run along a cut.
  const decodeLine = (steps, map) => {
    const count = steps.length / 2, points = new Float64Array(2 * count), onCut = new Uint8Array(count);
    const box = [Infinity, Infinity, -Infinity, -Infinity], cell = map.cell * map.scale, half = 180 * map.scale;
    const near = (v) => { const r = ((v % cell) + cell) % cell; return r === map.pad || r === cell - map.pad; };
    let x = 0, y = 0, cutX = NaN, cutY = NaN;
    const step = (i) => {
      onCut[i] = x === cutX || y === cutY ? 1 : 0;
      cutX = near(x) || Math.abs(x) === half ? x : NaN;
      cutY = near(y) ? y : NaN;
    };
    for (let i = 0; i < count; i++) {
      x += steps[2 * i];
      y += steps[2 * i + 1];
      step(i);
      const px = points[2 * i] = worldX(x / map.scale), py = points[2 * i + 1] = worldY(y / map.scale);
      box[0] = Math.min(box[0], px); box[1] = Math.min(box[1], py);
      box[2] = Math.max(box[2], px); box[3] = Math.max(box[3], py);
    }
    [x, y] = steps;
    step(0);
    return { points, onCut, box };
  };

  const decodeOutlines = (map) => ({
    land: map.land.map((cell) => cell.map((ring) => decodeLine(ring, map))),
    borders: map.borders.map((line) => decodeLine(line, map)),
  });

  const sees = (view, box) => box[0] < view.right && box[2] > view.left && box[1] < view.bottom && box[3] > view.top;

  const Outlines = Sheet.extend({
    options: { pane: "outlines", detailFrom: 5 },

    // sources: {overview, detail}, each the address of an outline file or its content.
    initialize: function (sources, colors) {
      Sheet.prototype.initialize.call(this, {});
      this._sources = sources;
      this._colors = colors;
      this._levels = {};
    },

    _load: function (name) {
      if (this._levels[name]) return;
      this._levels[name] = { land: [], borders: [], empty: true };
      const source = this._sources[name];
      const content = typeof source === "string" ? fetch(source).then((answer) => answer.json()) : Promise.resolve(source);
      content.then((map) => { this._levels[name] = decodeOutlines(map); this.later(); })
        .catch(() => { console.warn("The base map could not be loaded: " + name); });
    },

    draw: function () {
      const wanted = this._zoom >= this.options.detailFrom ? "detail" : "overview";
      this._load(wanted);
      this._load("overview");
      const level = this._levels[wanted].empty ? this._levels.overview : this._levels[wanted];
      const pen = this._pen, view = this.view();
      pen.fillStyle = this._colors.sea;
      pen.fillRect(0, 0, view.width, view.height);
      pen.lineJoin = "round";
      pen.fillStyle = this._colors.land;
      const coast = new Path2D();
      for (const cell of level.land) {
        pen.beginPath();
        for (const ring of cell) if (sees(view, ring.box)) this._trace(pen, coast, ring, view);
        pen.fill("evenodd");
      }
      pen.lineWidth = 1;
      pen.strokeStyle = this._colors.coast;
      pen.stroke(coast);
      const borders = new Path2D();
      for (const line of level.borders) if (sees(view, line.box)) this._trace(borders, null, line, view);
      pen.strokeStyle = this._colors.border;
      pen.setLineDash([4, 3]);
      pen.stroke(borders);
      pen.setLineDash([]);
    },

    // Adds a line to one path and, without the steps along cuts, to another.
    _trace: function (path, coast, line, view) {
      const p = line.points, n = p.length / 2, step = coast ? n + 1 : n;
      for (let k = 0; k < step; k++) {
        const i = k % n, x = p[2 * i] * view.scale - view.x, y = p[2 * i + 1] * view.scale - view.y;
        if (k) path.lineTo(x, y); else path.moveTo(x, y);
        if (!coast) continue;
        if (k && !line.onCut[i]) coast.lineTo(x, y); else coast.moveTo(x, y);
      }
    },
  });

  const decodeRectangles = (data) => {
    const edges = unpack(data.edges, Float32Array), n = data.count, at = (part, i) => edges[part * n + i];
    const box = new Float64Array(4 * n);
    for (let i = 0; i < n; i++) {
      box[4 * i] = worldX(data.origin[1] + at(1, i));
      box[4 * i + 1] = worldY(data.origin[0] + at(2, i));
      box[4 * i + 2] = worldX(data.origin[1] + at(3, i));
      box[4 * i + 3] = worldY(data.origin[0] + at(0, i));
    }
    return {
      count: n, box, colors: unpack(data.colors, Uint8Array), sizes: unpack(data.sizes, Uint32Array),
      areas: unpack(data.areas, Float32Array), diagonals: unpack(data.diagonals, Float32Array), legend: data.legend,
    };
  };

  const decodePoints = (data) => {
    const offsets = unpack(data.offsets, Float32Array), n = data.count, place = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      place[2 * i] = worldX(data.origin[1] + offsets[n + i]);
      place[2 * i + 1] = worldY(data.origin[0] + offsets[i]);
    }
    return place;
  };

  const SMALL = 3;    // pixels: what is smaller in both directions is drawn as a dot of this side
  const REACH = 3;    // pixels around a rectangle that still count as on it

  // Points and rectangles: all of the data on one canvas.
  const DataSheet = Sheet.extend({
    options: { pane: "overlayPane" },

    initialize: function (options) {
      Sheet.prototype.initialize.call(this, {});
      this._look = options;
      this._places = options.points ? decodePoints(options.points) : new Float64Array(0);
      this._rectangles = null;
    },

    onAdd: function (map) {
      Sheet.prototype.onAdd.call(this, map);
      this._container.setAttribute("role", "img");
      map.on("mousemove click", this._hover, this);
      map.on("mouseout zoomstart movestart", this._leave, this);
    },

    show: function (rectangles) {
      this._rectangles = rectangles;
      this._leave();
      this.later();
    },

    draw: function () {
      const pen = this._pen, view = this.view();
      pen.clearRect(0, 0, view.width, view.height);
      this._drawPoints(pen, view);
      if (this._rectangles) this._drawRectangles(pen, view, this._rectangles);
      const count = this._rectangles ? this._rectangles.count : 0;
      this._container.setAttribute("aria-label", this._look.words.groups + ": " + count);
    },

    _drawPoints: function (pen, view) {
      const p = this._places, side = Math.max(2, Math.min(5, this._zoom / 2 - 3));
      pen.fillStyle = this._look.point;
      for (let i = 0; i < p.length; i += 2) {
        if (p[i] < view.left || p[i] > view.right || p[i + 1] < view.top || p[i + 1] > view.bottom) continue;
        pen.fillRect(p[i] * view.scale - view.x - side / 2, p[i + 1] * view.scale - view.y - side / 2, side, side);
      }
    },

    _drawRectangles: function (pen, view, rectangles) {
      const b = rectangles.box, palette = this._look.palette;
      pen.lineWidth = 1;
      for (let i = 0; i < rectangles.count; i++) {
        if (b[4 * i] > view.right || b[4 * i + 2] < view.left || b[4 * i + 1] > view.bottom || b[4 * i + 3] < view.top) continue;
        let x = b[4 * i] * view.scale - view.x, y = b[4 * i + 1] * view.scale - view.y;
        let w = (b[4 * i + 2] - b[4 * i]) * view.scale, h = (b[4 * i + 3] - b[4 * i + 1]) * view.scale;
        const color = palette[rectangles.colors[i]];
        if (w < SMALL && h < SMALL) {
          pen.globalAlpha = 0.95;
          pen.fillStyle = color;
          pen.fillRect(x + w / 2 - SMALL / 2, y + h / 2 - SMALL / 2, SMALL, SMALL);
          continue;
        }
        // The larger the fainter, so that what lies below stays visible.
        pen.globalAlpha = w * h < 900 ? 0.55 : w * h < 22500 ? 0.36 : 0.18;
        pen.fillStyle = color;
        pen.fillRect(x, y, w, h);
        pen.globalAlpha = 0.95;
        pen.strokeStyle = color;
        pen.strokeRect(x, y, w, h);
      }
      pen.globalAlpha = 1;
    },

    // The topmost rectangle under a place; the smallest are on top, so they are asked first.
    _find: function (latlng) {
      const found = this._rectangles;
      if (!found) return -1;
      const x = worldX(latlng.lng), y = worldY(latlng.lat), reach = REACH / (256 * Math.pow(2, this._map.getZoom()));
      const b = found.box;
      for (let i = found.count - 1; i >= 0; i--) {
        if (x >= b[4 * i] - reach && x <= b[4 * i + 2] + reach && y >= b[4 * i + 1] - reach && y <= b[4 * i + 3] + reach) return i;
      }
      return -1;
    },

    _hover: function (event) {
      const i = this._find(event.latlng);
      if (i < 0) return this._leave();
      if (i !== this._shown) {
        this._leave();
        this._shown = i;
        this._tip = element("div", "kanon-box kanon-tip", this._map.getContainer());
        this._fillTip(this._tip, this._rectangles, i);
        this._outline = element("div", "kanon-outline", this._map.getPane("overlayPane"));
        this._placeOutline(this._rectangles.box.subarray(4 * i, 4 * i + 4));
      }
      const size = this._map.getSize(), at = event.containerPoint, tip = this._tip;
      const x = at.x + 14 + tip.offsetWidth > size.x ? at.x - 14 - tip.offsetWidth : at.x + 14;
      const y = at.y + 14 + tip.offsetHeight > size.y ? at.y - 14 - tip.offsetHeight : at.y + 14;
      tip.style.left = Math.max(2, x) + "px";
      tip.style.top = Math.max(2, y) + "px";
    },

    _fillTip: function (tip, rectangles, i) {
      const words = this._look.words, row = (name, value) => {
        const line = element("div", "", tip);
        element("span", "", line, name);
        element("span", "", line, value);
      };
      row(words.size, this.number(rectangles.sizes[i], ""));
      row(words.area, this.area(rectangles.areas[i]));
      row(words.diagonal, this.distance(rectangles.diagonals[i]));
    },

    _placeOutline: function (box) {
      const scale = 256 * Math.pow(2, this._map.getZoom()), origin = this._map.getPixelOrigin();
      const w = Math.max(SMALL, (box[2] - box[0]) * scale) + 4, h = Math.max(SMALL, (box[3] - box[1]) * scale) + 4;
      const x = (box[0] + box[2]) / 2 * scale - origin.x - w / 2, y = (box[1] + box[3]) / 2 * scale - origin.y - h / 2;
      this._outline.style.width = w + "px";
      this._outline.style.height = h + "px";
      L.DomUtil.setPosition(this._outline, L.point(x, y));
    },

    _leave: function () {
      if (this._tip) this._tip.remove();
      if (this._outline) this._outline.remove();
      this._tip = this._outline = null;
      this._shown = -1;
    },

    number: function (value, unit) {
      const digits = value >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
      return value.toLocaleString(this._look.locale, digits) + (unit ? "\u00a0" + unit : "");
    },
    area: function (km2) { return km2 > 0 && km2 < 0.01 ? this.number(km2 * 1e6, "m²") : this.number(km2, "km²"); },
    distance: function (km) { return km > 0 && km < 1 ? this.number(km * 1000, "m") : this.number(km, "km"); },
  });

  const Legend = L.Control.extend({
    options: { position: "bottomleft" },
    initialize: function (sheet, legend) {
      this._sheet = sheet;
      this._legend = legend;
    },
    onAdd: function () {
      const box = element("div", "kanon-box kanon-legend"), legend = this._legend, look = this._sheet._look;
      element("b", "", box, look.words["by_" + legend.of]);
      const bar = element("div", "bar", box);
      const stops = legend.ticks.length > 1 ? [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => look.palette[Math.round(i * 255 / 8)])
        : [look.palette[legend.color], look.palette[legend.color]];
      bar.style.background = "linear-gradient(to right, " + stops.join(", ") + ")";
      const ticks = element("div", "ticks", box);
      legend.ticks.forEach(([place, value], i) => {
        const rounded = Number(value.toPrecision(2));
        const text = legend.of === "area" ? this._sheet.area(rounded) : this._sheet.number(rounded, "");
        const side = i === 0 ? "first" : i === legend.ticks.length - 1 ? "last" : "";
        element("span", side, ticks, text).style.left = 100 * place + "%";
      });
      return box;
    },
  });

  // What an update sends: the rectangles of one setting; added and removed like any layer of the map.
  const Rectangles = L.Layer.extend({
    initialize: function (data) { this._data = decodeRectangles(data); },
    onAdd: function (map) {
      map.kanon.show(this._data);
      if (this._data.count) this._legend = new Legend(map.kanon, this._data.legend).addTo(map);
    },
    onRemove: function (map) {
      map.kanon.show(null);
      if (this._legend) this._legend.remove();
    },
  });

  const Whole = L.Control.extend({
    options: { position: "topleft" },
    initialize: function (bounds, words) {
      this._whole = bounds;
      this._words = words;
    },
    onAdd: function (map) {
      const bar = element("div", "leaflet-bar"), button = element("a", "", bar, "⤢");
      button.href = "#";
      button.title = this._words.whole;
      button.setAttribute("role", "button");
      button.setAttribute("aria-label", this._words.whole);
      L.DomEvent.disableClickPropagation(bar).on(button, "click", (event) => {
        L.DomEvent.preventDefault(event);
        map.fitBounds(this._whole);
      });
      return bar;
    },
  });

  L.kanonRectangles = (data) => new Rectangles(data);

  L.kanonMap = (map, look) => {
    const box = map.getContainer();
    box.classList.add("kanon");
    box.classList.toggle("kanon-dark", look.dark);
    box.classList.toggle("kanon-online", look.online);
    box.style.background = look.colors.sea;
    map.attributionControl.setPrefix("Leaflet");
    map.createPane("outlines").style.zIndex = 150;   // below tiles, which hide the outlines as far as they arrive
    new Outlines(look.outlines, look.colors).addTo(map);
    map.attributionControl.addAttribution("Natural Earth");
    L.control.scale({ imperial: false, position: "bottomright" }).addTo(map);
    map.kanon = new DataSheet(look).addTo(map);
    map.fitBounds(look.view, { animate: false });
    new Whole(look.whole, look.words).addTo(map);
  };
})();

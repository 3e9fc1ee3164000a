// Land, borders and names of places.
(function () {
  "use strict";

  const { worldX, worldY, unpack, Sheet, pane, dress } = L.kanonParts;

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

  // The view, and over 180° east the same a turn of the earth back: what lies there is known by lesser degrees.
  const rounds = (view) => {
    const turned = { ...view, x: view.x - view.scale, left: view.left - 1, right: view.right - 1 };
    return view.right > 1 ? [view, turned] : [view];
  };

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
      for (const part of rounds(view)) for (const cell of level.land) {
        pen.beginPath();
        for (const ring of cell) if (sees(part, ring.box)) this._trace(pen, coast, ring, part);
        pen.fill("evenodd");
      }
      pen.lineWidth = 1;
      pen.strokeStyle = this._colors.coast;
      pen.stroke(coast);
      const borders = new Path2D();
      for (const part of rounds(view)) for (const line of level.borders) {
        if (sees(part, line.box)) this._trace(borders, null, line, part);
      }
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

  // Names of places, over everything: the largest in view first, each where it stays off those before it.
  const Names = Sheet.extend({
    options: { pane: "names", most: 30, asked: 600 },

    // source: the address of the gazetteer or its content.
    initialize: function (source, colors) {
      Sheet.prototype.initialize.call(this, {});
      this._colors = colors;
      this._names = [];
      const content = typeof source === "string" ? fetch(source).then((answer) => answer.json()) : Promise.resolve(source);
      content.then((found) => { this._decode(found); this.later(); })
        .catch(() => { console.warn("The names of places could not be loaded."); });
    },

    _decode: function (content) {
      const bytes = unpack(content.places, Uint8Array), n = content.names.length;
      const degree = (i) => (bytes[3 * i] + 256 * bytes[3 * i + 1] + 65536 * bytes[3 * i + 2]) / 40000;
      this._names = content.names;
      this._place = new Float64Array(2 * n);
      for (let i = 0; i < n; i++) {
        this._place[2 * i] = worldX(degree(2 * i + 1) - 180);
        this._place[2 * i + 1] = worldY(degree(2 * i) - 90);
      }
    },

    draw: function () {
      const pen = this._pen, view = this.view(), p = this._place, frame = this._shownPart(), boxes = this._controls(frame);
      const most = boxes.length + this.options.most, first = boxes.length;
      pen.clearRect(0, 0, view.width, view.height);
      pen.font = "11.5px " + getComputedStyle(this._map.getContainer()).fontFamily;
      pen.textBaseline = "middle";
      let asked = 0;
      for (let i = 0; i < this._names.length && boxes.length < most && asked < this.options.asked; i++) {
        const across = p[2 * i] < view.left ? p[2 * i] + 1 : p[2 * i];  // over 180° east
        if (across < view.left || across > view.right || p[2 * i + 1] < view.top || p[2 * i + 1] > view.bottom) continue;
        asked++;
        const x = across * view.scale - view.x, y = p[2 * i + 1] * view.scale - view.y;
        const box = this._room(x, y, pen.measureText(this._names[i]).width, boxes, frame);
        if (!box) continue;
        boxes.push(box);
        this._write(pen, this._names[i], x, y, box);
      }
      this._container.dataset.names = boxes.length - first;
    },

    // The part of the canvas that the map's frame shows, and the boxes on it that no name may go under.
    _shownPart: function () {
      const corner = this._map.containerPointToLayerPoint([0, 0]).subtract(this._bounds.min), size = this._map.getSize();
      return { left: corner.x, top: corner.y, right: corner.x + size.x, bottom: corner.y + size.y };
    },
    _controls: function (frame) {
      const map = this._map.getContainer(), origin = map.getBoundingClientRect();
      return Array.from(map.querySelectorAll(".leaflet-control"), (one) => one.getBoundingClientRect()).filter((box) => box.width)
        .map((box) => [box.left, box.top, box.right, box.bottom].map((v, i) => i % 2 ? v - origin.top + frame.top : v - origin.left + frame.left));
    },

    // The first side of a dot where a text finds room: left, top, right, bottom and where the text begins.
    _room: function (x, y, width, boxes, frame) {
      const sides = [[x - 3, y - 8, x + 8 + width, y + 8, x + 6, y], [x - 8 - width, y - 8, x + 3, y + 8, x - 6 - width, y],
        [x - width / 2 - 2, y - 19, x + width / 2 + 2, y + 3, x - width / 2, y - 11],
        [x - width / 2 - 2, y - 3, x + width / 2 + 2, y + 19, x - width / 2, y + 11]];
      return sides.find((a) => a[0] > frame.left && a[1] > frame.top && a[2] < frame.right && a[3] < frame.bottom
        && !boxes.some((b) => a[0] < b[2] + 4 && a[2] + 4 > b[0] && a[1] < b[3] + 2 && a[3] + 2 > b[1]));
    },

    _write: function (pen, text, x, y, box) {
      pen.fillStyle = this._colors.behind;
      pen.fillRect(box[4] - 2, box[5] - 7, pen.measureText(text).width + 4, 14);
      pen.fillStyle = this._colors.name;
      pen.fillText(text, box[4], box[5] + 0.5);
      pen.beginPath();
      pen.arc(x, y, 2, 0, 7);
      pen.fill();
    },
  });

  // Land below everything, names above the rectangles.
  const Ground = L.LayerGroup.extend({
    initialize: function (sources, names, colors) {
      L.LayerGroup.prototype.initialize.call(this, [new Outlines(sources, colors)]);
      this._colors = colors;
      if (names) this.addLayer(this.names = new Names(names, colors));
    },
    onAdd: function (map) {
      dress(map, this._colors.dark);
      pane(map, "outlines", 150);
      pane(map, "names", 450);
      map.getContainer().style.background = this._colors.sea;
      L.LayerGroup.prototype.onAdd.call(this, map);
      map.on("kanoncontrols", this._again, this);
    },
    onRemove: function (map) {
      map.off("kanoncontrols", this._again, this);
      L.LayerGroup.prototype.onRemove.call(this, map);
    },
    // Names make room for controls that come, go or change their size.
    _again: function () { if (this.names) this.names.later(); },
    getAttribution: function () { return "Natural Earth" + (this.names ? " · GeoNames (CC BY 4.0)" : ""); },
  });

  L.kanonGround = (sources, names, colors) => new Ground(sources, names, colors);
})();

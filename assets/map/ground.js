// Land, borders and names of places.
(function () {
  "use strict";

  const { unit, unpack, Sheet } = L.kanonParts;

  // What a file holds, which is given itself or by its address; the maps of a page share it.
  const files = new Map();
  const read = (source, decode, use) => {
    if (!files.has(source)) {
      const content = typeof source === "string" ? fetch(source).then((answer) => answer.json()) : Promise.resolve(source);
      files.set(source, content.then(decode));
    }
    files.get(source).then(use).catch(() => {
      files.delete(source);
      console.warn("A part of the base map could not be loaded.");
    });
  };

  // A ring or line of the base map in the unit square: x and y of each point, and the box around all.
  const line = (steps, scale) => {
    const points = new Float64Array(steps.length), box = L.bounds([]);
    for (let i = 0, longitude = 0, latitude = 0; i < steps.length; i += 2) {
      const place = unit((latitude += steps[i + 1]) / scale, (longitude += steps[i]) / scale);
      points.set([place.x, place.y], i);
      box.extend(place);
    }
    return { points, box };
  };

  const outlines = ({ scale, land, borders }) => [land, borders].map((lines) => lines.map((steps) => line(steps, scale)));

  // Names, and the places that they are of, in steps of 1/40,000 degree of three bytes.
  const gazetteer = ({ names, places }) => {
    const bytes = unpack(places, Uint8Array);
    const degree = (i) => (bytes[3 * i] + 256 * bytes[3 * i + 1] + 65536 * bytes[3 * i + 2]) / 40000;
    return names.map((name, i) => [name, unit(degree(2 * i) - 90, degree(2 * i + 1) - 180)]);
  };

  const Outlines = Sheet.extend({
    options: { pane: "outlines", detailFrom: 5, attribution: "Natural Earth" },

    // sources: {overview, detail}, each the address of an outline file or its content.
    initialize(sources, options) {
      Sheet.prototype.initialize.call(this, options);
      this._sources = sources;
      this._levels = {};
    },

    _level(name) {
      if (!(name in this._levels)) {
        this._levels[name] = null;
        read(this._sources[name], outlines, (level) => {
          this._levels[name] = level;
          this.later();
        });
      }
      return this._levels[name];
    },

    draw(pen, view) {
      const overview = this._level("overview"), detail = this._zoom >= this.options.detailFrom && this._level("detail");
      const level = detail || overview;
      if (!level) return;
      const [land, borders] = level.map((lines) => this._path(lines, view));
      pen.lineWidth = 2;
      pen.strokeStyle = this.color("coast");
      pen.stroke(land);
      pen.fillStyle = this.color("land");   // over the inner half of the coast, and where land is cut at 180°
      pen.fill(land, "evenodd");
      pen.lineWidth = 1;
      pen.strokeStyle = this.color("border");
      pen.setLineDash([4, 3]);
      pen.stroke(borders);
      pen.setLineDash([]);
    },

    // The lines in view; over 180° in the west and east the earth begins again.
    _path(lines, { scale, x, y, part }) {
      const path = new Path2D();
      for (const turn of [-1, 0, 1]) {
        const shown = L.bounds(part.min.subtract([turn, 0]), part.max.subtract([turn, 0])), shift = turn * scale - x;
        for (const { points, box } of lines) {
          if (!shown.intersects(box)) continue;
          path.moveTo(points[0] * scale + shift, points[1] * scale - y);
          for (let i = 2; i < points.length; i += 2) path.lineTo(points[i] * scale + shift, points[i + 1] * scale - y);
        }
      }
      return path;
    },
  });

  // Names of places, over everything: the largest in view first, each where it stays off those before it.
  const Names = Sheet.extend({
    options: { pane: "names", most: 30, asked: 600, attribution: "GeoNames (CC BY 4.0)" },

    // source: the address of the gazetteer or its content.
    initialize(source, options) {
      Sheet.prototype.initialize.call(this, options);
      this._places = [];
      read(source, gazetteer, (places) => {
        this._places = places;
        this.later();
      });
    },

    // Names make room for controls that come, go or change their size.
    onAdd(map) {
      Sheet.prototype.onAdd.call(this, map);
      this._sizes = new ResizeObserver(() => this.later());
      for (const corner of map.getContainer().querySelectorAll(".leaflet-top, .leaflet-bottom")) this._sizes.observe(corner);
    },

    onRemove(map) {
      this._sizes.disconnect();
      Sheet.prototype.onRemove.call(this, map);
    },

    draw(pen) {
      const frame = this.frame(), boxes = this._controls(), { most, asked } = this.options, { part, at } = this.view(frame);
      pen.font = "11.5px " + getComputedStyle(this._map.getContainer()).fontFamily;
      pen.textBaseline = "top";
      Object.assign(pen, { lineWidth: 4, lineJoin: "round", strokeStyle: this.color("land"), fillStyle: this.color("ink") });
      const across = (place) => (place.x < part.min.x ? place.add([1, 0]) : place);   // over 180° east
      let written = 0;
      for (const [name, place] of this._places.filter(([, place]) => part.contains(across(place))).slice(0, asked)) {
        const dot = at(across(place)), width = pen.measureText(name).width;
        const boxOf = (corner) => L.bounds(corner.subtract([2, 2]), corner.add([width + 2, 14])).extend(dot);
        const isFree = (box) => frame.contains(box) && !boxes.some((other) => other.overlaps(box));
        const sides = { right: [6, -6], left: [-6 - width, -6], above: [-width / 2, -17], below: [-width / 2, 5] };
        const corner = Object.values(sides).map((side) => dot.add(side)).find((side) => isFree(boxOf(side)));
        if (!corner || written === most) continue;
        written++;
        boxes.push(boxOf(corner));
        pen.strokeText(name, corner.x, corner.y);
        pen.fillText(name, corner.x, corner.y);
        pen.beginPath();
        pen.arc(dot.x, dot.y, 2, 0, 7);
        pen.fill();
      }
      this._container.dataset.names = written;
    },

    // The boxes of the map's controls, which no name may go under.
    _controls() {
      const box = this._map.getContainer(), { left, top } = box.getBoundingClientRect();
      const at = (x, y) => this._map.containerPointToLayerPoint([x - left, y - top]);
      return Array.from(box.querySelectorAll(".leaflet-control"), (control) => control.getBoundingClientRect())
        .map((edge) => L.bounds(at(edge.left, edge.top), at(edge.right, edge.bottom)));
    },
  });

  // Land below everything, names above the rectangles.
  L.kanonGround = (sources, names, options) =>
    L.layerGroup([new Outlines(sources, options), ...(names ? [new Names(names, options)] : [])]);
})();

// Records and rectangles, each on one canvas, or the density of records where rectangles are too many to tell apart.
(function () {
  "use strict";

  const { across, down, unit, unpack, element, Sheet } = L.kanonParts;

  const noRectangles = { box: [], sizes: [], records: [], colors: [] };

  // Records in squares that were counted already: the roots of the counts, as shares of the root of the largest.
  const decodeDensity = (data) => {
    const sums = Float64Array.from(unpack(data.sums, Uint16Array), (level) => data.most * (level / 65535) ** 2);
    return { ...data, sums, least: data.most / 1000, none: 0 };
  };

  // south, west, north and east of each rectangle, in degrees and, as `box`, in the unit square: left, top, right, bottom.
  const decodeRectangles = (data) => {
    if (data.density) return { ...data, ...noRectangles, density: decodeDensity(data.density) };
    const edges = unpack(data.edges, Float32Array), n = data.count, box = new Float64Array(4 * n);
    const ends = (i) => [0, 1, 2, 3].map((part) => edges[part * n + i] + data.origin[part % 2]);
    const [latitude, longitude] = data.origin;
    for (let i = 0; i < n; i++) {
      box[4 * i] = across(edges[n + i] + longitude);
      box[4 * i + 1] = down(edges[2 * n + i] + latitude);
      box[4 * i + 2] = across(edges[3 * n + i] + longitude);
      box[4 * i + 3] = down(edges[i] + latitude);
    }
    const sizes = unpack(data.sizes, Uint32Array), records = data.records ? unpack(data.records, Uint32Array) : sizes;
    return { ...data, box, ends, sizes, records, colors: unpack(data.colors, Uint8Array) };
  };

  // On the sphere, in square kilometers.
  const area = ([south, west, north, east]) => {
    const radians = Math.PI / 180, strip = Math.sin(north * radians) - Math.sin(south * radians);
    return 6371.0088 ** 2 * Math.abs(strip) * (east - west) * radians;
  };

  // A language that the browser knows how to write numbers in.
  const known = (locale) => {
    try { return Intl.getCanonicalLocales(locale)[0] ?? "en"; } catch { return "en"; }
  };

  const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (match, name) => facts[name] ?? match);

  const control = (position, box) => Object.assign(L.control({ position }), { onAdd: () => box });

  const SMALL = 3;    // pixels: what is smaller in both directions is drawn as a dot of this side
  const REACH = 3;    // pixels around a rectangle that still count as on it

  // The records' places; among too many rectangles to tell apart they would hide the density, and the style hides them.
  const Records = Sheet.extend({
    initialize(data, options) {
      Sheet.prototype.initialize.call(this, options);
      const offsets = unpack(data.offsets, Float32Array), n = offsets.length / 2, [latitude, longitude] = data.origin;
      this._places = Array.from({ length: n }, (_, i) => unit(latitude + offsets[i], longitude + offsets[n + i]));
    },

    draw(pen, view) {
      const side = Math.max(2, Math.min(5, this._zoom / 2 - 3));
      this._container.classList.add("kanon-records");
      pen.fillStyle = this.color("point");
      for (const { x, y } of this._places.filter((place) => view.part.contains(place)).map(view.at)) {
        pen.fillRect(x - side / 2, y - side / 2, side, side);
      }
    },
  });

  // The rectangles of a release on one canvas, with legend, status and tooltip. What the map shows is said to it by `show`.
  const Rectangles = Sheet.extend({
    initialize(look, data, options) {
      Sheet.prototype.initialize.call(this, options);
      this._look = { ...look, locale: known(look.locale) };
      this._legend = element("div", "kanon-box kanon-legend");
      this._status = element("div", "kanon-box kanon-status");
      const bar = element("div", "leaflet-bar"), whole = control("topleft", bar), fit = () => this._map.fitBounds(look.whole);
      L.Control.Zoom.prototype._createButton.call(whole, "⤢", look.words.whole, "", bar, fit);
      this._controls = [control("bottomleft", this._legend), control("topright", this._status), whole];
      this._rectangles = decodeRectangles(data);
    },

    getEvents() {
      const leave = { mouseout: this._leave, zoomstart: this._leave, movestart: this._leave };
      return { ...Sheet.prototype.getEvents.call(this), ...leave, mousemove: this._hover, click: this._click };
    },

    onAdd(map) {
      for (const each of this._controls) each.addTo(map);
      Sheet.prototype.onAdd.call(this, map);
    },

    onRemove(map) {
      this._leave();
      for (const each of this._controls) each.remove();
      map.getContainer().classList.remove("kanon-crowded");
      Sheet.prototype.onRemove.call(this, map);
    },

    // Maps that are looked at together show the same: squares on all as soon as one has too many rectangles.
    _together(crowded) {
      const peers = this.peers?.() ?? [];
      if (crowded !== this._crowded) {
        this._crowded = crowded;
        for (const peer of peers) peer.later();
      }
      return crowded || peers.some((peer) => peer._crowded);
    },

    // The rectangles of another release; view, layers and open popups stay.
    show(data) {
      this._rectangles = decodeRectangles(data);
      this._leave();
      this.later();
    },

    draw(pen, view) {
      if (this._rectangles.density) return this._drawDensity(pen, view);
      const { most, few, small } = this._look.crowd, b = this._rectangles.box, seen = this._within(this.view(this.frame()).part);
      const tiny = seen.filter((i) => Math.max(b[4 * i + 2] - b[4 * i], b[4 * i + 3] - b[4 * i + 1]) * view.scale < small);
      // More than half are small: so is the one in the middle.
      const crowded = this._together(seen.length > most || (seen.length > few && tiny.length > seen.length / 2));
      this._squares = crowded ? this._count(view) : null;
      if (crowded) this._drawSquares(pen, view); else this._drawRectangles(pen, view);
      this._map.getContainer().classList.toggle("kanon-crowded", crowded);
      this._say(seen.length);
    },

    // Squares that came in place of rectangles. Who zooms in is shown the rectangles, as soon as they come.
    _drawDensity(pen, view) {
      const { density, count } = this._rectangles, whole = this._map.getBoundsZoom(this._look.whole);
      this._squares = { ...density, side: this._look.crowd.cell * 2 ** (this._zoom - density.zoom), ...this._scale(density.zoom) };
      this._drawSquares(pen, view);
      this._map.getContainer().classList.add("kanon-crowded");
      this._say(count);
      if (this._zoom > whole) this.fire("kanoncloser");
    },

    // The numbers of the rectangles that are, even by a part, in a part of the unit square.
    _within({ min, max }) {
      const b = this._rectangles.box, found = [];
      for (let i = 0; i < this._rectangles.count; i++) {
        if (b[4 * i] <= max.x && b[4 * i + 2] >= min.x && b[4 * i + 1] <= max.y && b[4 * i + 3] >= min.y) found.push(i);
      }
      return found;
    },

    // Records in squares of the screen, each spread evenly over the squares that its rectangle touches: every rectangle adds
    // to the four corners of what it covers, and sums along rows and columns give the squares.
    _count({ scale, part }) {
      const { box, records } = this._rectangles, side = this._look.crowd.cell, at = (value) => value * scale / side;
      const x = Math.floor(at(part.min.x)), y = Math.floor(at(part.min.y));
      const columns = Math.ceil(at(part.max.x)) - x, rows = Math.ceil(at(part.max.y)) - y, wide = columns + 1;
      const sums = new Float64Array((rows + 1) * wide), clip = (value, most) => Math.max(0, Math.min(most, value));
      const add = (column, row, count) => { sums[clip(row - y, rows) * wide + clip(column - x, columns)] += count; };
      for (const i of this._within(part)) {
        const left = Math.floor(at(box[4 * i])), right = Math.max(left + 1, Math.ceil(at(box[4 * i + 2])));
        const top = Math.floor(at(box[4 * i + 1])), bottom = Math.max(top + 1, Math.ceil(at(box[4 * i + 3])));
        const each = records[i] / ((right - left) * (bottom - top));
        add(left, top, each);
        add(right, top, -each);
        add(left, bottom, -each);
        add(right, bottom, each);
      }
      for (let i = 1; i < sums.length; i++) if (i % wide) sums[i] += sums[i - 1];
      for (let i = wide; i < sums.length; i++) sums[i] += sums[i - wide];
      const most = sums.reduce((a, b) => Math.max(a, b));
      return { sums, x, y, wide, rows, side, most, least: most / 1000, none: 1e-9 * most, ...this._scale(this._zoom) };
    },

    // The ends of the scale of squares at a zoom, the same for all releases of a table; nothing where they are not known.
    _scale(zoom) {
      const most = this._rectangles.densest?.[Math.floor(zoom)];
      return most ? { most, least: most / 1000, fixed: true } : {};
    },

    // One pixel for each square, then enlarged: a call for each square would take longer than all else.
    _drawSquares(pen, view) {
      const { sums, x, y, wide, rows, side, least, none } = this._squares, small = element("canvas", "");
      // Four bytes a color, from the emptiest to the fullest: the fuller, the less transparent.
      const colors = [...this._look.palette].reverse().map((color, i) => {
        const [red, green, blue] = color.match(/[\d.]+/g);
        return (90 + 0.6 * i) << 24 | blue << 16 | green << 8 | red;
      });
      const picture = new ImageData(wide, rows), pixels = new Uint32Array(picture.data.buffer);
      for (let i = 0; i < pixels.length; i++) {
        if (sums[i] > none) pixels[i] = colors[Math.min(255, Math.round(255 * Math.log(Math.max(sums[i] / least, 1)) / Math.log(1000)))];
      }
      [small.width, small.height] = [wide, rows];
      small.getContext("2d").putImageData(picture, 0, 0);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(small, x * side - view.x, y * side - view.y, wide * side, rows * side);
    },

    // Left, top, width and height of a rectangle in pixels of the map's layers.
    _pixels(i, { scale, x, y }) {
      const [left, top, right, bottom] = this._rectangles.box.subarray(4 * i, 4 * i + 4).map((end) => end * scale);
      const w = right - left, h = bottom - top;
      return w < SMALL && h < SMALL
        ? [(left + right - SMALL) / 2 - x, (top + bottom - SMALL) / 2 - y, SMALL, SMALL] : [left - x, top - y, w, h];
    },

    _drawRectangles(pen, view) {
      pen.lineWidth = 1;
      for (const i of this._within(view.part)) {
        const box = this._pixels(i, view), [, , w, h] = box, dot = w <= SMALL && h <= SMALL;
        pen.fillStyle = pen.strokeStyle = this._look.palette[this._rectangles.colors[i]];
        // The larger the fainter, so that what lies below stays visible.
        pen.globalAlpha = dot ? 0.95 : w * h < 900 ? 0.55 : w * h < 22500 ? 0.36 : 0.18;
        pen.fillRect(...box);
        pen.globalAlpha = 0.95;
        if (!dot) pen.strokeRect(...box);
      }
      pen.globalAlpha = 1;
    },

    // What is drawn, in words: for the eye above the map, for the ear on it; and the legend that belongs to it.
    _say(seen) {
      const { words, lengths, crowd, locale } = this._look, all = this._rectangles.count, cell = this._squares?.side ?? crowd.cell;
      const middle = this._map.getSize().divideBy(2);
      const ends = [middle, middle.add([cell, 0])].map((point) => this._map.containerPointToLatLng(point));
      const side = this.quantity(Number((this._map.distance(...ends) / 1000).toPrecision(2)), lengths);
      const [count, whole] = [seen, all].map((value) => value.toLocaleString(locale));
      const text = fill(this._squares ? words.crowded : seen < all ? words.part : "", { count, all: whole, side });
      this._status.textContent = text;
      this._status.hidden = !text;
      this._container.setAttribute("role", "img");
      this._container.setAttribute("aria-label", words.groups + ": " + all + (text ? ". " + text : ""));
      this._explain();
    },

    // The scale of the rectangles, or of squares where these are drawn.
    _explain() {
      const { palette, words } = this._look, { legend, count } = this._rectangles, squares = this._squares;
      const { least, most, fixed } = squares ?? {}, number = (value) => this.number(Number(value.toPrecision(2)));
      const texts = squares ? ["≤ " + number(least), number(Math.sqrt(least * most)), (fixed ? "≥ " : "") + number(most)] : legend.ticks;
      this._legend.hidden = !count;
      this._legend.replaceChildren();
      element("b", "", this._legend, words["by_" + (squares ? "density" : legend.of)]);
      const stops = palette.filter((_, i) => i % 51 === 0), colors = (squares ? stops.reverse() : stops).join();
      const bar = element("div", "bar", this._legend);
      bar.style.background = texts.length > 1 ? `linear-gradient(to right, ${colors})` : palette[128];
      const ticks = element("div", "ticks", this._legend);
      for (const text of texts) element("span", "", ticks, text);
    },

    // The topmost rectangle under a place; the smallest are on top, so they are asked last. −1 where none is.
    _find({ lat, lng }) {
      const { x, y } = unit(lat, lng), reach = REACH / (256 * 2 ** this._zoom);
      return this._within(L.bounds([x - reach, y - reach], [x + reach, y + reach])).at(-1) ?? -1;
    },

    // The square under a place of the layer that holds something; −1 where none is.
    _square(point) {
      const { sums, x, y, wide, side, none } = this._squares, origin = this._map.getPixelOrigin();
      const i = (Math.floor((point.y + origin.y) / side) - y) * wide + Math.floor((point.x + origin.x) / side) - x;
      return sums[i] > none ? i : -1;
    },

    _hover(event) {
      const i = this._squares ? this._square(event.layerPoint) : this._find(event.latlng);
      if (i !== this._shown) this._leave();
      if (i < 0) return;
      if (!this._tip) this._point(i);
      this._shown = i;
      const { x, y } = event.containerPoint, middle = this._map.getSize().divideBy(2);
      const [sideways, upright] = [x > middle.x, y > middle.y].map((far) => (far ? "calc(-100% - 14px)" : "14px"));
      Object.assign(this._tip.style, { left: x + "px", top: y + "px", translate: sideways + " " + upright });
    },

    // A tip that tells of a square or a rectangle, and an outline of the rectangle.
    _point(i) {
      const { words, areas, lengths } = this._look, { sizes, ends, k } = this._rectangles;
      const row = (name, value) => {
        const line = element("div", "", this._tip);
        element("span", "", line, name);
        element("span", "", line, value);
      };
      this._tip = element("div", "kanon-box kanon-tip", this._map.getContainer());
      if (this._squares) return row(words.square, this.number(this._squares.sums[i]));
      const [south, west, north, east] = ends(i), [x, y, w, h] = this._pixels(i, this.view(this._bounds));
      row(words.size, this.number(sizes[i]));
      if (k) row("k", this.number(k));
      row(words.area, this.quantity(area(ends(i)), areas));
      row(words.diagonal, this.quantity(this._map.distance([south, west], [north, east]) / 1000, lengths));
      this._outline = element("div", "kanon-outline", this.getPane());
      Object.assign(this._outline.style, { left: x - 2 + "px", top: y - 2 + "px", width: w + 4 + "px", height: h + 4 + "px" });
    },

    _leave() {
      this._tip?.remove();
      this._outline?.remove();
      this._tip = this._outline = null;
      this._shown = -1;
    },

    // A click tells which rectangle was meant; among squares it leads closer.
    _click(event) {
      this._hover(event);
      if (this._squares) this._map.setView(event.latlng, this._map.getZoom() + 2);
      else if (this._shown >= 0) this.fire("kanonpick", { index: this._shown });
    },

    number(value) {
      const digits = value >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
      return value.toLocaleString(this._look.locale, digits);
    },

    // An area or a length in the first of its units that it is not too small for.
    quantity(value, units) {
      const [, times, text] = units.find(([least]) => value >= least);
      return fill(text, { count: this.number(value * times) });
    },
  });

  L.kanonRecords = (data, options) => new Records(data, options);
  L.kanonRectangles = (look, data, options) => new Rectangles(look, data, options);
})();

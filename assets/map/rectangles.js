// Records and rectangles, each on one canvas, or the density of records where rectangles are too many to tell apart.
(function () {
  "use strict";

  const { worldX, worldY, unpack, element, Sheet, dress } = L.kanonParts;

  if (L.kanonRectangles) return;   // two layers bring this script

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
      records: data.records && unpack(data.records, Uint32Array), legend: data.legend, k: data.k,
      ends: (i) => [at(0, i), at(1, i), at(2, i), at(3, i)].map((end, part) => end + data.origin[part % 2]),
    };
  };

  // Area and diagonal of a rectangle on the sphere, in km² and km.
  const EARTH = 6371.0088, radians = Math.PI / 180;
  const sizes = ([south, west, north, east]) => {
    const [low, high, half] = [south * radians, north * radians, (east - west) * radians / 2];
    const area = EARTH * EARTH * 2 * Math.cos((low + high) / 2) * Math.sin((high - low) / 2) * 2 * half;
    const chord = Math.sin((high - low) / 2) ** 2 + Math.cos(low) * Math.cos(high) * Math.sin(half) ** 2;
    return [area, 2 * EARTH * Math.asin(Math.sqrt(Math.min(1, chord)))];
  };

  // A language that the browser knows how to write numbers in.
  const known = (locale) => {
    try { return Intl.getCanonicalLocales(locale)[0] ?? "en"; } catch { return "en"; }
  };

  const decodePoints = (data) => {
    const offsets = unpack(data.offsets, Float32Array), n = offsets.length / 2, place = new Float64Array(2 * n);
    for (let i = 0; i < n; i++) {
      place[2 * i] = worldX(data.origin[1] + offsets[n + i]);
      place[2 * i + 1] = worldY(data.origin[0] + offsets[i]);
    }
    return place;
  };

  const SMALL = 3;    // pixels: what is smaller in both directions is drawn as a dot of this side
  const REACH = 3;    // pixels around a rectangle that still count as on it

  // The records' places; where rectangles are too many to tell apart they would hide the density.
  const Records = Sheet.extend({
    options: { pane: "overlayPane" },
    initialize: function (data) {
      Sheet.prototype.initialize.call(this, {});
      this._color = data.color;
      this._places = decodePoints(data);
    },
    getEvents: function () { return { ...Sheet.prototype.getEvents.call(this), kanoncrowd: this.later }; },
    draw: function () {
      const pen = this._pen, view = this.view(), p = this._places, side = Math.max(2, Math.min(5, this._zoom / 2 - 3));
      pen.clearRect(0, 0, view.width, view.height);
      if (this._map.kanonCrowded) return;
      pen.fillStyle = this._color;
      for (let i = 0; i < p.length; i += 2) {
        if (p[i] < view.left || p[i] > view.right || p[i + 1] < view.top || p[i + 1] > view.bottom) continue;
        pen.fillRect(p[i] * view.scale - view.x - side / 2, p[i + 1] * view.scale - view.y - side / 2, side, side);
      }
    },
  });

  // The rectangles of a release on one canvas, with legend, status and tooltip. What the map shows is said to it by `show`.
  const Rectangles = Sheet.extend({
    options: { pane: "overlayPane" },

    initialize: function (look, data) {
      Sheet.prototype.initialize.call(this, {});
      this._look = { ...look, locale: known(look.locale) };
      this._rectangles = decodeRectangles(data);
      this._controls = [new Legend(this), new Status(), new Whole(look.whole, look.words)];
    },

    getEvents: function () {
      const leave = this._leave;
      return { ...Sheet.prototype.getEvents.call(this), mousemove: this._hover, click: this._click, mouseout: leave, zoomstart: leave,
        movestart: leave };
    },

    onAdd: function (map) {
      dress(map, this._look.dark);
      for (const control of this._controls) control.addTo(map);
      Sheet.prototype.onAdd.call(this, map);
    },

    onRemove: function (map) {
      this._leave();
      for (const control of this._controls) control.remove();
      this._crowd(map, false);
      Sheet.prototype.onRemove.call(this, map);
    },

    _initContainer: function () {
      Sheet.prototype._initContainer.call(this);
      this._container.setAttribute("role", "img");
    },

    // The rectangles of another release; view, layers and open popups stay.
    show: function (data) {
      this._rectangles = decodeRectangles(data);
      this._leave();
      this.later();
    },

    draw: function () {
      const pen = this._pen, view = this.view(), found = this._rectangles, seen = this._seen();
      pen.clearRect(0, 0, view.width, view.height);
      this._squares = seen.crowded ? this._count(found, view) : null;
      if (seen.crowded) this._drawSquares(pen, this._squares); else this._drawRectangles(pen, view, found);
      this._crowd(this._map, seen.crowded);
      this._say(found.count, seen);
    },

    _crowd: function (map, crowded) {
      if (map.kanonCrowded === crowded) return;
      map.kanonCrowded = crowded;
      map.fire("kanoncrowd");
    },

    // How many rectangles the map's frame shows, and whether they are too many to tell apart.
    _seen: function () {
      const map = this._map, scale = 256 * Math.pow(2, this._zoom), corner = map.getPixelBounds(), b = this._rectangles.box;
      const left = corner.min.x / scale, right = corner.max.x / scale, top = corner.min.y / scale, bottom = corner.max.y / scale;
      const crowd = this._look.crowd, small = crowd.small / scale;
      let count = 0, tiny = 0;
      for (let i = 0; i < this._rectangles.count; i++) {
        if (b[4 * i] > right || b[4 * i + 2] < left || b[4 * i + 1] > bottom || b[4 * i + 3] < top) continue;
        count++;
        if (Math.max(b[4 * i + 2] - b[4 * i], b[4 * i + 3] - b[4 * i + 1]) < small) tiny++;
      }
      // More than half are small: so is the one in the middle.
      return { count, crowded: count > crowd.most || (count > crowd.few && tiny > count >> 1) };
    },

    // Records in squares of the screen, each spread evenly over the squares that its rectangle touches: every rectangle adds
    // to the four corners of what it covers, and sums along rows and columns give the squares.
    _count: function (found, view) {
      const side = this._look.crowd.cell, shiftX = view.x % side, shiftY = view.y % side, b = found.box;
      const columns = Math.ceil((view.width + side) / side), rows = Math.ceil((view.height + side) / side), wide = columns + 1;
      const sums = new Float64Array((rows + 1) * wide), clip = (v, most) => Math.max(0, Math.min(most, v));
      for (let i = 0; i < found.count; i++) {
        const left = Math.floor((b[4 * i] * view.scale - view.x + shiftX) / side);
        const right = Math.max(left, Math.ceil((b[4 * i + 2] * view.scale - view.x + shiftX) / side) - 1);
        const top = Math.floor((b[4 * i + 1] * view.scale - view.y + shiftY) / side);
        const bottom = Math.max(top, Math.ceil((b[4 * i + 3] * view.scale - view.y + shiftY) / side) - 1);
        if (right < 0 || bottom < 0 || left >= columns || top >= rows) continue;
        const each = (found.records || found.sizes)[i] / ((right - left + 1) * (bottom - top + 1));
        const x0 = clip(left, columns), x1 = clip(right + 1, columns), y0 = clip(top, rows), y1 = clip(bottom + 1, rows);
        sums[y0 * wide + x0] += each;
        sums[y0 * wide + x1] -= each;
        sums[y1 * wide + x0] -= each;
        sums[y1 * wide + x1] += each;
      }
      let most = 0;
      for (let y = 0; y <= rows; y++) for (let x = 1; x < wide; x++) sums[y * wide + x] += sums[y * wide + x - 1];
      for (let y = 1; y <= rows; y++) for (let x = 0; x < wide; x++) sums[y * wide + x] += sums[(y - 1) * wide + x];
      for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) most = Math.max(most, sums[y * wide + x]);
      return { sums, wide, columns, rows, side, shiftX, shiftY, most, least: most / 1000 };
    },

    // One pixel for each square, then enlarged: a call for each square would take longer than all else.
    _drawSquares: function (pen, squares) {
      const { sums, wide, columns, rows, side, most, least } = squares, range = Math.log(most / least), colors = this._colors();
      const small = element("canvas", "");
      small.width = columns;
      small.height = rows;
      const picture = new ImageData(columns, rows), pixels = new Uint32Array(picture.data.buffer);
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < columns; x++) {
          const value = sums[y * wide + x];
          if (value > 1e-9 * most) pixels[y * columns + x] = colors[Math.round(255 * Math.log(Math.max(value, least) / least) / range)];
        }
      }
      small.getContext("2d").putImageData(picture, 0, 0);
      pen.imageSmoothingEnabled = false;
      pen.drawImage(small, -squares.shiftX, -squares.shiftY, columns * side, rows * side);
    },

    // The colors of squares, from the emptiest to the fullest, as numbers of four bytes: the fuller, the less transparent.
    _colors: function () {
      if (this._found) return this._found;
      const four = new Uint8ClampedArray(4), number = new Uint32Array(four.buffer);
      this._found = Uint32Array.from({ length: 256 }, (_, i) => {
        four.set([...this._look.palette[255 - i].match(/[\d.]+/g).slice(0, 3).map(Number), 255 * (0.35 + 0.6 * i / 255)]);
        return number[0];
      });
      return this._found;
    },

    // What is drawn, in words: for the eye above the map, for the ear on it; and the legend that belongs to it.
    _say: function (all, seen) {
      const words = this._look.words, whole = (value) => value.toLocaleString(this._look.locale);
      const fill = (text, facts) => text.replace(/\{(\w+)\}/g, (match, name) => facts[name] ?? match);
      const middle = this._map.getCenter().lat * Math.PI / 180;
      const km = 40075.017 * Math.cos(middle) / (256 * Math.pow(2, this._zoom)) * this._look.crowd.cell;
      const facts = { count: whole(seen.count), all: whole(all), side: this.distance(Number(km.toPrecision(2))) };
      const says = seen.crowded ? fill(words.crowded, facts) : seen.count < all ? fill(words.part, facts) : "";
      const [legend, status] = this._controls;
      status.show(says);
      legend.show(this._rectangles, this._squares);
      // Names make room for the controls: where only digits of their texts change, these keep their size.
      const shape = says.replace(/\d/g, "0") + Boolean(all) + Boolean(this._squares);
      if (shape !== this._shape) this._map.fire("kanoncontrols");
      this._shape = shape;
      this._container.setAttribute("aria-label", words.groups + ": " + all + (says ? ". " + says : ""));
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
      const x = worldX(latlng.lng), y = worldY(latlng.lat), reach = REACH / (256 * Math.pow(2, this._map.getZoom()));
      const b = found.box;
      for (let i = found.count - 1; i >= 0; i--) {
        if (x >= b[4 * i] - reach && x <= b[4 * i + 2] + reach && y >= b[4 * i + 1] - reach && y <= b[4 * i + 3] + reach) return i;
      }
      return -1;
    },

    _hover: function (event) {
      const i = this._squares ? this._square(event.layerPoint) : this._find(event.latlng);
      if (i < 0) return this._leave();
      if (i !== this._shown && this._squares) {
        this._leave();
        this._shown = i;
        this._tip = element("div", "kanon-box kanon-tip", this._map.getContainer());
        this._row(this._look.words.square, this.number(this._squares.sums[i], ""));
      } else if (i !== this._shown) {
        this._leave();
        this._shown = i;
        this._tip = element("div", "kanon-box kanon-tip", this._map.getContainer());
        this._fillTip(this._rectangles, i);
        this._outline = element("div", "kanon-outline", this._map.getPane("overlayPane"));
        this._placeOutline(this._rectangles.box.subarray(4 * i, 4 * i + 4));
      }
      const size = this._map.getSize(), at = event.containerPoint, tip = this._tip;
      const x = at.x + 14 + tip.offsetWidth > size.x ? at.x - 14 - tip.offsetWidth : at.x + 14;
      const y = at.y + 14 + tip.offsetHeight > size.y ? at.y - 14 - tip.offsetHeight : at.y + 14;
      tip.style.left = Math.max(2, x) + "px";
      tip.style.top = Math.max(2, y) + "px";
    },

    // A click tells which rectangle was meant; among squares it leads closer.
    _click: function (event) {
      this._hover(event);
      if (this._squares) return this._map.setView(event.latlng, this._map.getZoom() + 2);
      const i = this._find(event.latlng);
      if (i >= 0) this.fire("kanonpick", { index: i });
    },

    // The square under a place of the layer that holds something; -1 where none is.
    _square: function (point) {
      const s = this._squares, at = point.subtract(this._bounds.min);
      const x = Math.floor((at.x + s.shiftX) / s.side), y = Math.floor((at.y + s.shiftY) / s.side);
      const i = y * s.wide + x;
      return x >= 0 && y >= 0 && x < s.columns && y < s.rows && s.sums[i] > 1e-9 * s.most ? i : -1;
    },

    _row: function (name, value) {
      const line = element("div", "", this._tip);
      element("span", "", line, name);
      element("span", "", line, value);
    },

    _fillTip: function (rectangles, i) {
      const words = this._look.words, [area, diagonal] = sizes(rectangles.ends(i));
      this._row(words.size, this.number(rectangles.sizes[i], ""));
      if (rectangles.k) this._row("k", this.number(rectangles.k, ""));
      this._row(words.area, this.area(area));
      this._row(words.diagonal, this.distance(diagonal));
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
    // Square meters below a hectare, hectares below a square kilometer; less than one is said as that.
    area: function (km2) {
      if (km2 < 0.01) return (km2 > 0 && km2 < 1e-6 ? "< " : "") + this.number(km2 > 0 ? Math.max(1, km2 * 1e6) : 0, "m²");
      if (km2 < 1) return this.number(km2 * 100, "ha");
      return km2 < 1e6 ? this.number(km2, "km²") : this._look.words.millions.replace("{count}", this.number(km2 / 1e6, ""));
    },
    distance: function (km) {
      if (km < 1) return (km > 0 && km < 1e-3 ? "< " : "") + this.number(km > 0 ? Math.max(1, km * 1000) : 0, "m");
      return this.number(km, "km");
    },
  });

  const Legend = L.Control.extend({
    options: { position: "bottomleft" },
    initialize: function (sheet) { this._sheet = sheet; },
    onAdd: function () { return this._box = element("div", "kanon-box kanon-legend"); },
    // The scale of the rectangles, or of squares where these are drawn.
    show: function (rectangles, squares) {
      const box = this._box, legend = rectangles.legend, look = this._sheet._look;
      const number = (value) => this._sheet.number(Number(value.toPrecision(2)), "");
      const texts = squares ? ["≤ " + number(squares.least), number(Math.sqrt(squares.least * squares.most)), number(squares.most)]
        : legend.ticks;
      box.style.display = rectangles.count ? "" : "none";
      box.replaceChildren();
      element("b", "", box, look.words["by_" + (squares ? "density" : legend.of)]);
      const bar = element("div", "bar", box), stops = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => look.palette[Math.round(i * 255 / 8)]);
      if (squares) stops.reverse();
      bar.style.background = texts.length > 1 ? "linear-gradient(to right, " + stops.join(", ") + ")" : look.palette[128];
      const ticks = element("div", "ticks", box);
      texts.forEach((text) => element("span", "", ticks, text));
    },
  });

  // What the map shows when it does not show every rectangle.
  const Status = L.Control.extend({
    options: { position: "topright" },
    onAdd: function () { return this._box = element("div", "kanon-box kanon-status"); },
    show: function (text) {
      this._box.textContent = text;
      this._box.style.display = text ? "" : "none";
    },
  });

  const Whole = L.Control.extend({
    options: { position: "topleft" },
    initialize: function (bounds, words) { this._whole = bounds; this._words = words; },
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

  L.kanonRecords = (data) => new Records(data);
  L.kanonRectangles = (look, data) => new Rectangles(look, data);
})();

// The map and what stands on it: legend, status, buttons; and the layer that an update sends.
(function () {
  "use strict";

  const { element, Outlines, Lines, Names, OwnTiles, decodeRectangles, DataSheet } = L.kanonParts;

  const Legend = L.Control.extend({
    options: { position: "bottomleft" },
    initialize: function (sheet, legend) {
      this._sheet = sheet;
      this._legend = legend;
    },
    onAdd: function () {
      this._box = element("div", "kanon-box kanon-legend");
      this.show(this._sheet._squares);
      return this._box;
    },
    // The scale of the rectangles, or of squares where these are drawn.
    show: function (squares) {
      const box = this._box, legend = this._legend, palette = this._sheet._look.palette;
      if (!box) return;
      const number = (value) => this._sheet.number(Number(value.toPrecision(2)), "");
      const texts = squares ? ["≤ " + number(squares.least), number(Math.sqrt(squares.least * squares.most)), number(squares.most)]
        : legend.ticks;
      box.replaceChildren();
      element("b", "", box, this._sheet._look.words["by_" + (squares ? "density" : legend.of)]);
      const bar = element("div", "bar", box), stops = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => palette[Math.round(i * 255 / 8)]);
      if (squares) stops.reverse();
      bar.style.background = texts.length > 1 ? "linear-gradient(to right, " + stops.join(", ") + ")" : palette[128];
      const ticks = element("div", "ticks", box);
      texts.forEach((text) => element("span", "", ticks, text));
    },
  });

  // What the map shows when it does not show every rectangle.
  const Status = L.Control.extend({
    options: { position: "topright" },
    onAdd: function () {
      this._box = element("div", "kanon-box kanon-status");
      this.show("");
      return this._box;
    },
    show: function (text) {
      this._box.textContent = text;
      this._box.style.display = text ? "" : "none";
    },
  });

  // What an update sends: the rectangles of one setting; added and removed like any layer of the map.
  const Rectangles = L.Layer.extend({
    initialize: function (data) { this._data = decodeRectangles(data); },
    onAdd: function (map) {
      if (this._data.count) map.kanon._legend = this._legend = new Legend(map.kanon, this._data.legend).addTo(map);
      map.kanon.show(this._data);
    },
    onRemove: function (map) {
      map.kanon._legend = null;
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

  // Leaflet takes credits as markup.
  const escaped = (text) => {
    const box = document.createElement("div");
    box.textContent = text;
    return box.innerHTML;
  };

  // A map in an element; what is asked of it later stands on map.kanon.
  L.kanonMap = (box, look) => {
    const map = L.map(box, { center: [0, 0], zoom: 2, minZoom: 1, maxZoom: 18, zoomSnap: 0.25 });
    box.classList.add("kanon");
    box.classList.toggle("kanon-dark", look.dark);
    box.classList.toggle("kanon-online", Boolean(look.online));
    box.style.background = look.colors.sea;
    map.attributionControl.setPrefix("Leaflet");
    map.createPane("outlines").style.zIndex = 150;   // below tiles, which hide the outlines as far as they arrive
    new Outlines(look.outlines, look.colors).addTo(map);
    map.attributionControl.addAttribution("Natural Earth");
    if (look.online) {
      L.tileLayer(look.online.address, { attribution: look.online.by, maxZoom: 19, referrerPolicy: "origin" }).addTo(map);
    }
    if (look.lines) {
      map.createPane("lines").style.zIndex = 250;    // over tiles, under the records
      new Lines(look.lines, look.colors.line).addTo(map);
    }
    if (look.tiles) {
      map.kanonTiles = new OwnTiles(look.tiles).addTo(map);
      if (look.tiles.credit) map.attributionControl.addAttribution(escaped(look.tiles.credit));
    }
    L.control.scale({ imperial: false, position: "bottomright" }).addTo(map);
    map.kanon = new DataSheet(look);
    map.kanon._status = new Status().addTo(map);
    map.kanon.addTo(map);
    if (look.names) {
      map.createPane("names").style.zIndex = 450;    // over the rectangles; nobody points at a name
      map.getPane("names").style.pointerEvents = "none";
      map.kanon._names = new Names(look.names, look.colors).addTo(map);
      map.attributionControl.addAttribution("GeoNames (CC BY 4.0)");
    }
    map.fitBounds(look.view, { animate: false });
    new Whole(look.whole, look.words).addTo(map);
    return map;
  };
})();

// Tiles of the reader's own file: each is asked for when it comes into view, and kept while the map is.
(function () {
  "use strict";

  const { element } = L.kanonParts;
  const MOST = 256;     // tiles that are kept
  const AT_ONCE = 64;   // tiles that are asked for at once

  const OwnTiles = L.GridLayer.extend({
    initialize: function (source) {
      const [low, high] = source.zooms, bounds = source.bounds;
      L.GridLayer.prototype.initialize.call(this, {
        minNativeZoom: low, maxNativeZoom: high, minZoom: Math.max(low - 1, 0), noWrap: true, keepBuffer: 1, updateWhenZooming: false,
        bounds: bounds ? [[bounds[1], bounds[0]], [bounds[3], bounds[2]]] : undefined,
      });
      this._have = new Map();     // by name, the address of a picture, or null where the file has none
      this._open = new Map();     // by name, what waits for a picture
      this.on("tileunload", (event) => this._open.delete(this._name(event.coords)));
      if (source.given) this.give(source.given);
    },

    onRemove: function (map) {
      clearTimeout(this._timer);
      L.GridLayer.prototype.onRemove.call(this, map);
      for (const address of this._have.values()) if (address) URL.revokeObjectURL(address);
      this._have.clear();
    },

    _name: (coords) => `${coords.z}/${coords.x}/${coords.y}`,

    createTile: function (coords, done) {
      const image = element("img", ""), name = this._name(coords);
      image.alt = "";
      image.setAttribute("role", "presentation");
      if (this._have.has(name)) this._fill(image, this._have.get(name), done);
      else {
        this._open.set(name, { image, done });
        this.asking();
      }
      return image;
    },

    _fill: function (image, address, done) {
      const finished = () => done(null, image);
      if (!address) {
        setTimeout(finished);
        return;
      }
      image.onload = image.onerror = finished;
      image.src = address;
    },

    // What still waits is asked for, a moment later, together; `ask` is given by who shows the map.
    asking: function () {
      clearTimeout(this._timer);
      this._timer = setTimeout(() => {
        const names = Array.from(this._open.keys()).slice(0, AT_ONCE);
        if (names.length && this.ask) this.ask(names);
      }, 40);
    },

    // found: by name, a picture in base64, or null.
    give: function (found) {
      for (const [name, text] of Object.entries(found)) {
        if (!this._have.has(name)) this._have.set(name, text === null ? null : this._address(text));
        const waits = this._open.get(name);
        if (!waits) continue;
        this._open.delete(name);
        this._fill(waits.image, this._have.get(name), waits.done);
      }
      for (const name of this._have.keys()) {
        if (this._have.size <= MOST) break;
        const address = this._have.get(name);
        if (address) URL.revokeObjectURL(address);
        this._have.delete(name);
      }
      if (this._open.size) this.asking();
    },

    // Only ever the source of an image element, which runs nothing.
    _address: (text) => {
      const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
      return URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
    },
  });

  L.kanonParts = { ...L.kanonParts, OwnTiles };
})();

// A map in the page, in parts that are sent apart: the base, which stays, and what changes on it. Whichever comes first waits
// for the other in a slot that both know by its name.

const slots = (window.kanonSlots ??= new Map());
const slotOf = (name) => slots.get(name) ?? slots.set(name, {}).get(name);

// Leaflet is one script for the whole page, then what is built on it.
const leaflet = (address) => (window.kanonLeaflet ??= new Promise((done, failed) => {
  const script = document.createElement("script");
  script.src = address;
  script.onload = () => { install(); done(window.L); };
  script.onerror = () => { window.kanonLeaflet = null; failed(new Error("Leaflet could not be loaded")); };
  document.head.append(script);
}));

// Tiles of one's own: what the map waits for is asked of the server, and what it gives is drawn.
const wait = (slot) => {
  const own = slot.map?.kanonTiles;
  if (!own || slot.source?.of !== slot.tilesId) return;
  own.ask = slot.source.ask;
  own.give(slot.source.found);
  own.asking();
};

const swap = (slot) => {
  if (!slot.map || !slot.layer) return;
  slot.drawn?.remove();
  slot.drawn = L.kanonRectangles(slot.layer).addTo(slot.map);
};

const clear = (slot) => {
  if (!slot.map) return;
  slot.view = { of: slot.table, center: slot.map.getCenter(), zoom: slot.map.getZoom() };
  slot.sized.disconnect();
  slot.map.remove();
  slot.map = slot.drawn = slot.id = null;
};

const base = (slot, data, parent) => {
  const box = parent.querySelector(".map");
  if (slot.id === data.id && slot.box === box) return;
  slot.wanted = data.id;
  leaflet(data.leaflet).then((L) => {
    if (slot.wanted !== data.id || !box.isConnected) return;
    clear(slot);
    const map = L.kanonMap(box, data.look);
    // Another look of the same table keeps the place that was looked at.
    if (slot.view?.of === data.table) map.setView(slot.view.center, slot.view.zoom, { animate: false });
    slot.sized = new ResizeObserver(() => map.invalidateSize({ animate: false }));
    slot.sized.observe(box);
    Object.assign(slot, { id: data.id, table: data.table, tilesId: data.look.tiles?.id, map, box });
    swap(slot);
    wait(slot);
  }).catch((problem) => console.warn(problem.message));
};

const layer = (slot, data) => {
  if (slot.layerId === data.id) return;
  Object.assign(slot, { layerId: data.id, layer: data.layer });
  swap(slot);
};

const tiles = (slot, data, tell) => {
  slot.source = { ...data, ask: (names) => tell("wanted", names) };
  wait(slot);
};

export default function ({ data, parentElement, setStateValue }) {
  const slot = slotOf(data.slot);
  if (data.look) base(slot, data, parentElement);
  else if (data.layer) layer(slot, data);
  else tiles(slot, data, setStateValue);
  const box = parentElement.querySelector(".map");
  return () => { if (data.look && slot.box === box) clear(slot); };
}

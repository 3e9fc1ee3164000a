// A map of folium in the page, in parts that are sent apart: the base, which stays, and the rectangles, which change with k.
// Whichever comes first waits for the other in a slot that both know by its name.

const slots = (window.kanonSlots ??= new Map());
const slotOf = (name) => slots.get(name) ?? slots.set(name, {}).get(name);

// Scripts and styles are loaded once for the whole page, in their order.
const loaded = (window.kanonLoaded ??= new Map());
const load = (tag, part, address) => {
  if (!loaded.has(address)) {
    loaded.set(address, new Promise((done, failed) => {
      const made = Object.assign(document.createElement(tag), { [part]: address, rel: "stylesheet", onload: done });
      made.onerror = () => { loaded.delete(address); failed(new Error("A part of the map could not be loaded: " + address)); };
      document.head.append(made);
    }));
  }
  return loaded.get(address);
};

// The script of the map, as folium writes it. A page that forbids scripts within itself takes them as blobs. In a block it can be
// run again: what it declares by `let` is of the block, what it declares by `var` of the window.
const run = async (text, box) => {
  const there = `if (document.getElementById(${JSON.stringify(box)})) {\n`;   // it may be gone meanwhile
  const address = URL.createObjectURL(new Blob([there, text, "\n}"], { type: "text/javascript" }));
  await load("script", "src", address);
  loaded.delete(address);
  document.head.querySelector(`script[src="${address}"]`).remove();
  URL.revokeObjectURL(address);
};

const forget = (names) => {
  for (const name of Object.values(names)) window[name] = window[`${name}_layers`] = undefined;
};

const show = (slot) => {
  if (slot.map && slot.layer) slot.rectangles.show(slot.layer);
};

const beside = (slot) => Array.from(slots.values()).filter((one) => one !== slot && one.map && slot.group && one.group === slot.group);

const clear = (slot) => {
  if (!slot.map) return;
  slot.view = { of: slot.table, center: slot.map.getCenter(), zoom: slot.map.getZoom() };
  slot.sized.disconnect();
  for (const other of beside(slot)) other.map.unsync(slot.map);
  slot.map.remove();
  forget(slot.names);
  slot.map = slot.rectangles = slot.id = null;
};

const make = async (slot, data, box) => {
  const { css, js, html, script, names } = data.parts;
  await Promise.all(css.map((address) => load("link", "href", address)));
  for (const address of js) await load("script", "src", address);
  if (slot.wanted !== data.id || !box.isConnected || (slot.id === data.id && slot.box === box)) return;
  clear(slot);
  box.innerHTML = html;
  await run(script, names.OfflineMap);
  const map = window[names.OfflineMap], rectangles = window[names.Rectangles];
  if (!map || slot.wanted !== data.id || !box.isConnected) {
    map?.remove();
    return forget(names);
  }
  // Another look of the same table keeps the place that was looked at.
  if (slot.view?.of === data.table) map.setView(slot.view.center, slot.view.zoom, { animate: false });
  // Beside the slider the wheel and the finger move the page.
  if (data.still) {
    map.scrollWheelZoom.disable();
    if (L.Browser.mobile) map.dragging.disable();
  }
  Object.assign(slot, { id: data.id, table: data.table, group: data.group, names, map, rectangles, box });
  slot.sized = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  slot.sized.observe(box);
  if (rectangles) rectangles.peers = () => beside(slot).map((one) => one.rectangles);
  rectangles?.on("kanonpick", (event) => slot.tell?.("picked", { of: slot.layerId, index: event.index }));
  rectangles?.on("kanoncloser", () => slot.closer !== slot.layerId && slot.tell?.("closer", slot.closer = slot.layerId));
  for (const other of beside(slot)) {
    other.map.sync(map);
    map.sync(other.map);
    map.setView(other.map.getCenter(), other.map.getZoom(), { animate: false });
  }
  box.dataset.ready = "true";
  show(slot);
};

export default function ({ data, parentElement, setTriggerValue }) {
  const slot = slotOf(data.slot), box = parentElement.querySelector(".map-box");
  if (data.parts) {
    Object.assign(box.style, { height: data.still ? "100%" : data.height, minHeight: data.height });
    if (slot.id === data.id && slot.box === box) return;
    slot.wanted = data.id;
    // One after the other: two would be made in one place.
    slot.making = (slot.making ?? Promise.resolve()).then(() => make(slot, data, box))
      .catch((problem) => console.warn(problem.message));
  } else {
    slot.tell = setTriggerValue;
    if (slot.layerId !== data.id) {
      Object.assign(slot, { layerId: data.id, layer: data.layer });
      show(slot);
    }
  }
  return () => { if (data.parts && slot.box === box) clear(slot); };
}

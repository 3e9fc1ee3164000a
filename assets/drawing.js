// Shows a drawing made on the server, and replaces it when it changes. Markers are chosen by click, or by arrow keys and Enter.

const shown = new WeakMap();

const chosen = (marker, ask) => ask({ points: [{ customdata: marker.dataset.facts.split(",").map(Number) }] });

const walk = (event, ask) => {
  const here = event.target.closest("[data-facts]");
  if (!here) return;
  const markers = [...here.closest("svg[role=group]").querySelectorAll("[data-facts]")];
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) {
    const next = markers[(markers.indexOf(here) + step + markers.length) % markers.length];
    here.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  } else if (event.key === "Enter" || event.key === " ") chosen(here, ask);
  else return;
  event.preventDefault();
};

export default function ({ data, parentElement, setTriggerValue }) {
  let place = shown.get(parentElement);
  if (!place) {
    place = document.createElement("div");
    parentElement.append(place);
    shown.set(parentElement, place);
    place.addEventListener("click", (event) => {
      const marker = event.target.closest("[data-facts]");
      if (marker) chosen(marker, place.ask);
    });
    place.addEventListener("keydown", (event) => walk(event, place.ask));
  }
  place.classList.toggle("grows", data.grows);
  place.ask = (found) => setTriggerValue("selection", found);
  if (place.drawing === data.drawing) return;
  const focused = place.getRootNode().activeElement?.dataset?.facts;
  place.drawing = data.drawing;
  place.innerHTML = data.drawing;
  const markers = [...place.querySelectorAll("[data-facts]")];
  markers.forEach((marker) => { marker.tabIndex = -1; });
  const first = markers.find((marker) => marker.dataset.facts === focused) ?? markers[0];
  if (first) first.tabIndex = 0;
  if (focused) first?.focus();
}

// A click on a row that names its record opens the person lens of this record. The rows of the page and those of the lens itself have
// a listener each.

const listening = new WeakMap();

const named = (event) => {
  const at = event.target;
  const button = at.closest?.("[data-record]") ?? at.closest?.("tr")?.querySelector("[data-record]");
  // A text that was just marked with the mouse is to be copied.
  return button && (at.closest("[data-record]") || !String(getSelection())) ? button : null;
};

export default function ({ data, parentElement, setTriggerValue }) {
  const known = listening.get(parentElement);
  if (known) {
    known.ask = setTriggerValue;
    return;
  }
  const state = { ask: setTriggerValue };
  listening.set(parentElement, state);
  const listen = (event) => {
    if (!parentElement.isConnected) return document.removeEventListener("click", listen);
    const button = named(event);
    if (!button || Boolean(button.closest(".st-key-lens")) !== data.inside) return;
    state.ask("record", Number(button.dataset.record));
  };
  document.addEventListener("click", listen);
}

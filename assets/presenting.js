// The keys of presenter mode. Each presses a button of the page, so that keys and buttons do the same.

const BUTTONS = { PageDown: "next", ArrowRight: "next", PageUp: "back", ArrowLeft: "back" };
const WRITING = "input, textarea, select, .beforeafter, [contenteditable=true], [role=slider], [role=radio], [role=tab], [role=combobox]";
const listening = new WeakMap();

const press = (name) => {
  const button = document.querySelector(`.st-key-${name} button`);
  button?.click();
  return Boolean(button);
};

const pressed = (event, on) => {
  const at = event.composedPath()[0];
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || (!event.altKey && at.closest?.(WRITING))) return;
  if (event.altKey !== (event.code === "KeyP")) return;
  const name = event.altKey || (on && event.key === "Escape") ? "present" : on && BUTTONS[event.key] && `present-${BUTTONS[event.key]}`;
  if (name && press(name)) event.preventDefault();
};

export default function ({ data, parentElement }) {
  const known = listening.get(parentElement);
  if (known) {
    known.on = data.on;
    return;
  }
  const state = { on: data.on };
  listening.set(parentElement, state);
  const listen = (event) => {
    if (parentElement.isConnected) pressed(event, state.on);
    else document.removeEventListener("keydown", listen);
  };
  document.addEventListener("keydown", listen);
  document.documentElement.dataset.clicker = "heard";
}

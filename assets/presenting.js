// The keys of presenter mode. Each presses a button of the page, so that keys and buttons do the same.

const BUTTONS = { PageDown: "next", ArrowRight: "next", PageUp: "back", ArrowLeft: "back" };
const WRITING = "input, textarea, select, .beforeafter, [contenteditable=true], [role=slider], [role=radio], [role=tab], [role=combobox]";
const STEPS = ".presenting, .st-key-lens";  // where the keys step without a click: in presenter mode, and in the person lens

const press = (name) => {
  const button = document.querySelector(`.st-key-${name} button`);
  button?.click();
  return Boolean(button);
};

const pressed = (event) => {
  const at = event.composedPath()[0];
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || (!event.altKey && at.closest?.(WRITING))) return;
  if (event.altKey !== (event.code === "KeyP")) return;
  const on = document.querySelector(STEPS);
  const name = event.altKey || (on && event.key === "Escape") ? "present" : on && BUTTONS[event.key] && `present-${BUTTONS[event.key]}`;
  if (name && press(name)) event.preventDefault();
};

// Called by each page and lens that has such keys, and listens once: a key that is pressed while a page is drawn again counts.
export default function () {
  const mark = document.documentElement.dataset;
  if (!mark.clicker) document.addEventListener("keydown", pressed);
  mark.clicker = "heard";
}

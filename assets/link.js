// Copies the address of the page, and says so for a moment.

const SHOWN = 2000;  // milliseconds

// An address without TLS has no clipboard, except on this machine: there the text is selected and copied as by hand.
const byHand = (text) => {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.cssText = "position: fixed; opacity: 0";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus?.({ preventScroll: true });
  return done;
};

const copied = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byHand(text);
  }
};

const press = async (button, said) => {
  const { copied: done, failed } = button.words;
  said.textContent = await copied(location.href) ? done : failed;
  button.classList.add("told");
  clearTimeout(button.clock);
  button.clock = setTimeout(() => {
    said.textContent = "";
    button.classList.remove("told");
  }, SHOWN);
};

const make = (parent) => {
  const button = document.createElement("button");
  button.type = "button";
  button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1.5 1.5'
    + 'M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1.5-1.5"/></svg><span class="label"></span>';
  const said = document.createElement("span");
  said.setAttribute("role", "status");
  button.onclick = () => press(button, said);
  parent.append(button, said);
  return button;
};

export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button") ?? make(parentElement);
  button.words = data;
  button.title = data.about;
  button.querySelector(".label").textContent = data.copy;
}

// Opens the browser's dialog for a file when the card “Your file” is pressed: only a click may open it, and the field
// for files stands elsewhere on the page.

const CARD = ".st-key-example-own button";
const FIELD = ".st-key-upload input[type=file]";
const listening = new WeakSet();

export default function ({ parentElement }) {
  if (listening.has(parentElement)) return;
  listening.add(parentElement);
  const listen = (event) => {
    if (!parentElement.isConnected) document.removeEventListener("click", listen);
    else if (event.target.closest?.(CARD)) document.querySelector(FIELD)?.click();
  };
  document.addEventListener("click", listen);
}

// Asks for the page to be drawn again when it changes between light and dark, whether the browser or its reader changes
// it: charts are drawn on the server, in the colors of the scheme that the page had then.

const EVERY = 500;  // milliseconds
const watching = new WeakMap();

const look = (state) => {
  const app = document.querySelector("[data-testid=stApp]");
  const scheme = app && getComputedStyle(app).colorScheme;
  if (!scheme || scheme === state.theme) state.asked = null;
  else if (scheme !== state.asked) {
    state.asked = scheme;
    state.ask(scheme);
  }
};

export default function ({ data, parentElement, setTriggerValue }) {
  const ask = (scheme) => setTriggerValue("changed", scheme);
  const known = watching.get(parentElement);
  if (known) {
    Object.assign(known, data, { ask });
    return;
  }
  const state = { ...data, ask, asked: null };
  watching.set(parentElement, state);
  const clock = setInterval(() => {
    if (parentElement.isConnected) look(state);
    else clearInterval(clock);
  }, EVERY);
}

// While the thumb of the k slider is held, the page follows it. The script asks for the result at each k that the thumb passes, one
// at a time; a result that takes long is given up for a newer k. What the server draws arrives part by part, so a copy of the last
// complete result lies over it: all parts of the screen are of one k. Copies are kept while the thumb is held, and going back to a
// k shows its copy at once.

const SLIDER = '[class*="st-key-k"] [data-testid="stSlider"]';
const FIELD = ".st-key-more-controls input";
const PARTS = [".st-key-state", ".st-key-brief-line", ".st-key-results", ".st-key-picture-tile", ".st-key-curve-tile", ".st-key-beneath"];
const PATIENCE = 400, NAMED_AFTER = 150, LIFTED_AFTER = 1500, LOST_AFTER = 3000, COPIES = 24;
const KEYS = /^(Arrow|Page|Home|End)/;
const heard = new WeakMap();

const read = (slider) => Number(slider.querySelector('input[type="range"]')?.value);
const underneath = () => Number(document.querySelector(".st-key-state > :not(.held-copy) .statusbar")?.dataset.k);
const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
const running = () => Boolean(document.querySelector('.stApp[data-test-script-state="running"]'));
const parts = () => PARTS.map((where) => document.querySelector(where)).filter(Boolean);

// A copy with what a copy leaves out: shadow trees, and the pictures of canvases.
const complete = (from, to) => {
  if (from.shadowRoot && !to.shadowRoot) {
    const shadow = to.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [...from.shadowRoot.adoptedStyleSheets];
    for (const child of from.shadowRoot.childNodes) {
      const copy = child.cloneNode(true);
      shadow.append(copy);
      complete(child, copy);
    }
  }
  if (from.tagName === "CANVAS" && from.width && from.height) to.getContext("2d").drawImage(from, 0, 0);
  for (let i = 0; i < (from.children?.length ?? 0); i += 1) complete(from.children[i], to.children[i]);
};

const copied = (part) => {
  const copy = part.cloneNode(false);
  for (const child of part.children) {
    if (child.classList.contains("held-copy")) continue;
    const one = child.cloneNode(true);
    complete(child, one);
    copy.append(one);
  }
  for (const one of copy.querySelectorAll("[id], [role=status]")) ["id", "role"].forEach((name) => one.removeAttribute(name));
  copy.removeAttribute("data-held");
  copy.classList.add("held-copy");
  copy.inert = true;
  copy.setAttribute("aria-hidden", "true");
  copy.style.inset = `${-part.clientTop}px ${-part.clientLeft}px auto`;
  copy.style.height = `${part.offsetHeight}px`;   // what fills a tile fills its copy
  return copy;
};

const lift = (state) => {
  for (const copy of document.querySelectorAll(".held-copy")) copy.remove();
  for (const part of document.querySelectorAll("[data-held]")) delete part.dataset.held;
  state.copies.clear();
  state.visible = null;
};

const lay = (state, k) => {
  const copies = state.copies.get(k);
  if (!copies || (state.visible === k && document.querySelector(".held-copy"))) return;
  state.visible = k;
  for (const part of parts()) {
    part.querySelector(":scope > .held-copy")?.remove();
    const copy = copies.get(part);
    if (copy) part.append(copy);
    part.toggleAttribute("data-held", Boolean(copy));
  }
};

const keep = (state, k) => {
  state.copies.delete(k);
  state.copies.set(k, new Map(parts().map((part) => [part, copied(part)])));
  for (const old of state.copies.keys()) {
    if (state.copies.size <= COPIES) break;
    if (old !== state.visible) state.copies.delete(old);
  }
};

// Names the k that is being computed beside the k that is on screen.
const name = (state, k) => {
  const bar = document.querySelector(".st-key-state > .held-copy .statusbar");
  const late = k !== state.visible && performance.now() - state.moved > NAMED_AFTER;
  let note = bar?.querySelector(".pending");
  if (!late || !bar) return note?.remove();
  if (!note) {
    note = Object.assign(document.createElement("span"), { className: "pending" });
    bar.append(note);
  }
  const says = state.says.replace("{k}", k);
  if (note.textContent !== says) note.textContent = says;
};

// The field of k is no part of a copy: it says the k of the thumb at once, whatever the server has drawn.
const say = (k) => {
  const field = document.querySelector(FIELD);
  if (field && field.value !== String(k)) field.value = k;
};

const ask = (state, k) => {
  Object.assign(state, { asked: k, since: performance.now(), busy: true });
  state.send({ k, chosen: state.began });
};

const late = (state, k) => {
  const waited = performance.now() - state.since;
  if (k !== state.asked) return !state.busy || waited > PATIENCE;
  return waited > LOST_AFTER && !running();   // to ask again while it runs would begin it anew
};

const follow = (state) => {
  if (!state.slider) return;
  if (!state.slider.isConnected) {
    state.slider = null;
    return lift(state);
  }
  const k = read(state.slider);
  if (k !== state.at) Object.assign(state, { at: k, moved: performance.now() });
  if (!state.keys) say(k);
  const known = state.copies.has(k);
  if (k !== state.began || state.asked !== null) lay(state, known ? k : state.visible);
  if (!state.keys && !known && k !== state.visible && late(state, k)) ask(state, k);
  name(state, k);
  requestAnimationFrame(() => follow(state));
};

const take = (state, slider, keys, k = read(slider)) => {
  clearTimeout(state.lifting);
  if (state.visible === null && !running() && underneath() === k) {
    state.visible = k;
    keep(state, k);
  }
  Object.assign(state, { slider, keys, began: k, at: k, asked: null, busy: false, moved: performance.now() });
  requestAnimationFrame(() => follow(state));
};

// A thumb that is held already, since before this script was here or while the focus went elsewhere; it was taken at the chosen k.
const held = () => document.querySelector(`${SLIDER} [data-dragging]`)?.closest(SLIDER);
const join = (state) => {
  const slider = state.slider ? null : held();
  if (slider) take(state, slider, false, state.chosen);
};

// Streamlit sends the k at which a slider is let go, and the k of each key, but not a k that is the one at which the thumb was taken.
const letGo = (state) => {
  const slider = state.slider;
  if (!slider) return;
  Object.assign(state, { slider: null, at: read(slider) });
  if (!state.keys && state.at === state.began) {
    if (state.asked === null) return lift(state);
    ask(state, state.began);
  }
  state.lifting = setTimeout(() => state.slider || lift(state), LIFTED_AFTER);
};

const listen = (state, parentElement) => {
  const quit = new AbortController();
  const on = (event, does) => document.addEventListener(event, (happened) => {
    if (parentElement.isConnected) does(happened);
    else quit.abort();
  }, { capture: true, signal: quit.signal });
  const begin = (event, keys) => {
    const slider = event.target.closest?.(SLIDER);
    if (slider && !state.slider) take(state, slider, keys);
  };
  on("pointerdown", (event) => begin(event, false));
  on("pointermove", (event) => event.buttons && join(state));
  on("keydown", (event) => event.repeat && KEYS.test(event.key) && begin(event, true)); // a key that is pressed once needs no copies
  for (const event of ["pointerup", "pointercancel", "keyup"]) on(event, () => setTimeout(() => letGo(state)));
  on("focusout", () => setTimeout(() => held() || letGo(state)));
};

// The result of this k is on screen: the server draws this last, and the status bar first. Where the bar has gone on to a newer k,
// the copy would be of two.
const arrived = async (state, k) => {
  await drawn();
  if (underneath() !== k) return;
  if (!state.slider) {
    if (k === state.at || state.visible === null) lift(state);
    return;
  }
  keep(state, k);
  if (k === state.at || !state.copies.has(state.at)) lay(state, k);
  if (k === state.asked) state.busy = false;
};

export default function ({ data, parentElement, setTriggerValue }) {
  let state = heard.get(parentElement);
  if (!state) {
    state = { slider: null, visible: null, copies: new Map(), turn: data.turn };
    heard.set(parentElement, state);
    listen(state, parentElement);
  }
  Object.assign(state, { send: (asked) => setTriggerValue("asked", asked), says: data.says, chosen: data.chosen });
  join(state);
  if (state.turn !== data.turn) {
    state.turn = data.turn;
    arrived(state, data.k);
  }
}

// A tour of the page, in the browser alone: a small offer, and a box beside each thing that it explains. The offer goes
// for good when the tour is taken or declined; the browser remembers it. The page can be used while the box is open.

const STORE = "kanon-tour";
const GAP = 12, EVERY = 250;  // pixels; milliseconds

let unstored = false;  // for a browser that refuses storage
const known = () => {
  try { return localStorage.getItem(STORE) !== null; } catch { return unstored; }
};
const remember = () => {
  unstored = true;
  try { localStorage.setItem(STORE, "done"); } catch { /* kept in `unstored` */ }
};

const made = (tag, className, parent, text = "") => {
  const one = document.createElement(tag);
  one.className = className;
  one.textContent = text;
  parent.append(one);
  return one;
};

const pressed = (className, parent, text, press) => {
  const one = made("button", className, parent, text);
  one.type = "button";
  one.onclick = press;
  return one;
};

const seen = (at) => [...document.querySelectorAll(at)].find((one) => one.getClientRects().length);

// Below the thing, else above it, else at its side, always within the window.
const place = (box, thing) => {
  const { offsetWidth: width, offsetHeight: height } = box;
  const room = (value, most) => Math.max(GAP, Math.min(value, most - GAP));
  const right = innerWidth - width, low = innerHeight - height;
  if (!thing) return [right / 2, low - GAP];
  const { left, top, right: end, bottom } = thing.getBoundingClientRect();
  if (bottom + GAP <= low - GAP) return [room(left, right), Math.max(GAP, bottom + GAP)];
  if (top - height - GAP >= GAP) return [room(left, right), top - height - GAP];
  const side = end + GAP <= right - GAP ? end + GAP : left - width - GAP;
  return [room(side, right), room(top, low)];
};

class Tour {
  constructor(parent) {
    this.parent = parent;
    this.key = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.end();
    };
  }

  take(data) {
    Object.assign(this, data);
    const offered = this.steps.length > 0 && !known();
    if (!this.steps.length && this.box) this.end();
    if (offered && !this.offer) this.propose();
    if (!offered) this.withdraw();
  }

  propose() {
    this.offer = made("div", "offer", this.parent);
    const take = pressed("take", this.offer, "", () => this.begin());
    take.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="9"/><path d="M16 8l-2.5 5.5L8 16l2.5-5.5z"/></svg>';
    made("span", "label", take, this.words.offer);
    take.append(" ");
    made("span", "label time", take, this.words.time);
    take.title = `${this.words.offer} ${this.words.time}`;
    pressed("decline", this.offer, "×", () => { remember(); this.withdraw(); }).setAttribute("aria-label", this.words.decline);
  }

  withdraw() {
    this.offer?.remove();
    this.offer = null;
  }

  begin() {
    remember();
    this.withdraw();
    this.ring = made("div", "ring", this.parent);
    this.box = made("div", "box", this.parent);
    this.box.setAttribute("role", "dialog");
    this.box.tabIndex = -1;
    for (const one of [this.ring, this.box]) one.popover = "manual";
    addEventListener("keydown", this.key, true);
    this.clock = setInterval(() => this.follow(), EVERY);
    this.show(0);
  }

  show(number) {
    this.number = number;
    const { title, text, at } = this.steps[number], { words, box } = this;
    box.replaceChildren();
    const head = made("h2", "", box, title), says = made("p", "", box, text), row = made("div", "row", box);
    head.id = "title";
    says.id = "says";
    box.setAttribute("aria-labelledby", "title");
    box.setAttribute("aria-describedby", "says");
    made("span", "count", row, words.step.replace("{step}", number + 1).replace("{steps}", this.steps.length));
    const last = number === this.steps.length - 1;
    if (!last) pressed("", row, words.skip, () => this.end());
    if (number) pressed("", row, words.back, () => this.show(number - 1));
    const on = pressed("on", row, last ? words.end : words.next, () => last ? this.end() : this.show(number + 1));
    seen(at)?.scrollIntoView({ block: "nearest" });
    this.follow();
    on.focus({ preventScroll: true });
  }

  follow() {
    if (!this.parent.isConnected) return this.end();
    const thing = seen(this.steps[this.number].at);
    this.ring.togglePopover(Boolean(thing));
    this.box.togglePopover(true);
    const { left = 0, top = 0, width = 0, height = 0 } = thing?.getBoundingClientRect() ?? {};
    this.ring.style.cssText = `left: ${left - 4}px; top: ${top - 4}px; width: ${width + 8}px; height: ${height + 8}px`;
    const [x, y] = place(this.box, thing);
    this.box.style.cssText = `left: ${x}px; top: ${y}px`;
  }

  end() {
    clearInterval(this.clock);
    removeEventListener("keydown", this.key, true);
    this.ring?.remove();
    this.box?.remove();
    this.ring = this.box = null;
    document.querySelector(".st-key-held input[type=range]")?.focus({ preventScroll: true });
  }
}

const tours = new WeakMap();

export default function ({ data, parentElement }) {
  if (!tours.has(parentElement)) tours.set(parentElement, new Tour(parentElement));
  tours.get(parentElement).take(data);
}

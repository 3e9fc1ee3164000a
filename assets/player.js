// The steps of a run, and of a second run beside it. All sentences are sent at once, pictures in blocks, which are requested
// from the server before they are needed.

const REST = 350;
const SOON = 8;
// Milliseconds to read a word; the shortest time for a step; the speeds of the button.
const WORD = 300;
const LEAST = 2000;
const PACES = [1, 2, 4];
const KEYS = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play" };
const SIGNS = {
  first: "M5 5h2.4v14H5zM19 6.7L17.3 5l-7 7 7 7 1.7-1.7L13.7 12z",
  back: "M15.7 6.7L14 5l-7 7 7 7 1.7-1.7L10.4 12z",
  play: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  next: "M8.3 6.7L10 5l7 7-7 7-1.7-1.7L13.6 12z",
  last: "M16.6 5H19v14h-2.4zM5 6.7L6.7 5l7 7-7 7L5 17.3 10.3 12z",
};
const CLICKER = { PageDown: "next", PageUp: "back" };
const IDLE = "body, [data-testid=stMain], button:not([role])";

// Return whether an arrow key was pressed where nothing else of the page uses it: the player then moves without a click into it.
const free = (event) => event.key.startsWith("Arrow") && Boolean(event.composedPath()[0].matches?.(IDLE));

const made = (tag, className, parent, text) => {
  const one = document.createElement(tag);
  if (className) one.className = className;
  if (text !== undefined) one.textContent = text;
  parent.append(one);
  return one;
};

class Side {
  constructor(place, side) {
    this.root = made("section", "side", place);
    this.given = side;
    if (side.title) made("h2", "", this.root, side.title);
    this.says = made("p", "says", this.root);
    this.picture = made("div", "picture", this.root);
    this.rules = made("ol", "lines", this.root);
    this.lines = -1;
  }

  show(step) {
    const { count, sentences, lines, at, ended } = this.given, own = Math.min(step, count - 1);
    const [some, line] = at[own];
    this.says.textContent = step < count ? sentences[own] : `${sentences[own]} ${ended}`;
    if (some !== this.lines) {
      this.rules.replaceChildren();
      lines[some].forEach((text) => made("li", "", this.rules, text));
      this.lines = some;
    }
    [...this.rules.children].forEach((item, i) => {
      if (i === line) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    return own;
  }

  draw(picture) {
    this.picture.classList.toggle("waiting", picture === undefined);
    if (picture === undefined || picture === this.drawn) return;
    this.drawn = picture;
    this.picture.innerHTML = picture;
  }
}

class Player {
  constructor(parent) {
    this.root = made("div", "player", parent);
    this.root.tabIndex = 0;
    this.root.setAttribute("role", "group");
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.bar = made("div", "bar", this.root);
    this.buttons = {};
    ["first", "back", "play", "next", "last"].forEach((name) => {
      const button = made("button", name, this.bar);
      button.type = "button";
      button.onclick = () => this.act(name);
      this.buttons[name] = button;
    });
    this.range = made("input", "", this.bar);
    this.range.type = "range";
    this.range.min = 1;
    this.range.oninput = () => this.go(this.range.value - 1);
    this.pace = PACES[0];
    this.faster = made("button", "pace", this.bar);
    this.faster.type = "button";
    this.faster.onclick = () => this.hurry();
    this.number = made("span", "number", this.bar);
    this.keys = made("span", "keys", this.bar);
    this.sides = made("div", "sides", this.root);
    this.clicker = (event) => {
      if (!parent.isConnected) document.removeEventListener("keydown", this.clicker);
      else if (!event.defaultPrevented && (this.data.presenting || free(event))) this.key(event);
    };
    document.addEventListener("keydown", this.clicker);
  }

  take(data, ask) {
    const another = !this.data || this.data.key !== data.key;
    this.data = data;
    this.ask = ask;
    this.asked = "";
    this.root.classList.toggle("presented", data.presenting);
    if (another) this.begin(data);
    data.sides.forEach((side, i) => {
      Object.entries(side.blocks).forEach(([number, block]) => {
        if (block.whole || !this.blocks[i].get(Number(number))?.whole) this.blocks[i].set(Number(number), block);
      });
    });
    this.show();
  }

  begin({ sides, step, words }) {
    this.stop();
    this.root.setAttribute("aria-label", words.player);
    this.range.setAttribute("aria-label", words.step);
    Object.keys(this.buttons).forEach((name) => this.name(name, name, words[name]));
    this.faster.title = words.pace;
    this.keys.textContent = words.keys;
    this.paced();
    this.sides.replaceChildren();
    this.sides.classList.toggle("two", sides.length > 1);
    this.shown = sides.map((side) => new Side(this.sides, side));
    this.shown.forEach((side) => side.says.setAttribute("aria-live", "polite"));
    this.blocks = sides.map(() => new Map());
    this.count = Math.max(...sides.map((side) => side.count));
    this.range.max = this.count;
    this.step = Math.min(step, this.count - 1);
  }

  picture(side, step) {
    const size = this.data.block, block = this.blocks[side].get(Math.floor(step / size));
    return block?.pictures[step % size]?.map((piece) => block.pieces[piece]).join("");
  }

  go(step) {
    const now = Math.max(0, Math.min(this.count - 1, step));
    if (now === this.step) return;
    this.step = now;
    this.show();
  }

  show() {
    const { step, count } = this, words = this.data.words;
    this.shown.forEach((side, i) => side.draw(this.picture(i, side.show(step))));
    this.range.value = step + 1;
    this.number.textContent = words.of.replace("{step}", step + 1).replace("{count}", count);
    this.range.setAttribute("aria-valuetext", this.number.textContent);
    this.buttons.first.disabled = this.buttons.back.disabled = step === 0;
    this.buttons.last.disabled = this.buttons.next.disabled = step === count - 1;
    if (step === count - 1) this.stop();
    this.fetch();
  }

  // Request missing pictures at once: first this one, then its block, then the blocks beside it. If none is missing, send the
  // step after a pause, so that the page's address contains it.
  fetch() {
    const here = this.shown.every((side, i) => this.picture(i, Math.min(this.step, side.given.count - 1)) !== undefined);
    const more = [here, this.whole(0), this.whole(-SOON) && this.whole(SOON)].indexOf(false);
    clearTimeout(this.resting);
    if (more >= 0 && !this.asked) this.tell(more);
    else this.resting = setTimeout(() => this.tell(2), this.playing ? 2 * this.rest : REST);
  }

  whole(away) {
    const near = this.step + away;
    return this.data.sides.every((side, i) => (
      near < 0 || near >= side.count || this.blocks[i].get(Math.floor(near / this.data.block))?.whole === true
    ));
  }

  tell(more) {
    const at = { key: this.data.key, step: this.step, more }, said = JSON.stringify(at);
    if (said === this.told) return;
    this.asked = this.told = said;
    this.ask(at);
  }

  act(name) {
    const to = { first: 0, back: this.step - 1, next: this.step + 1, last: this.count - 1 }[name];
    if (name === "play") this.play();
    else {
      this.stop();
      this.go(to);
      if (this.buttons[name].disabled) this.root.focus({ preventScroll: true });
    }
  }

  play() {
    if (this.playing) return this.stop();
    if (this.step === this.count - 1) this.go(0);
    this.wait();
    this.mark();
  }

  // The time that it takes to read the sentences on screen.
  get rest() {
    const words = this.shown.map((side) => side.says.textContent).join(" ").split(/\s+/).length;
    return Math.max(LEAST, WORD * words) / this.pace;
  }

  wait() {
    clearTimeout(this.playing);
    this.playing = setTimeout(() => {
      if (!this.root.isConnected) return this.stop();
      this.go(this.step + 1);
      if (this.playing) this.wait();
    }, this.rest);
  }

  hurry() {
    this.pace = PACES[(PACES.indexOf(this.pace) + 1) % PACES.length];
    this.paced();
    if (this.playing) this.wait();
  }

  paced() {
    this.faster.textContent = `${this.pace}×`;
    this.faster.setAttribute("aria-label", `${this.data.words.pace}: ${this.pace}×`);
  }

  stop() {
    clearTimeout(this.playing);
    this.playing = null;
    if (this.data) this.mark();
  }

  mark() {
    const now = this.playing ? "pause" : "play";
    this.name("play", now, this.data.words[now]);
  }

  name(button, sign, word) {
    const one = this.buttons[button];
    one.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNS[sign]}"/></svg>`;
    one.title = word;
    one.setAttribute("aria-label", word);
  }

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = event.composedPath()[0], other = at.closest?.("input, textarea, select, [contenteditable=true]");
    if (other && other !== this.range) return;
    const name = KEYS[event.key] ?? (this.data.presenting && CLICKER[event.key]);
    if (!name || (name === "play" && at.closest?.("button"))) return;
    event.preventDefault();
    if (!this.buttons[name].disabled) this.act(name);
  }
}

const shown = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  if (!shown.has(parentElement)) shown.set(parentElement, new Player(parentElement));
  shown.get(parentElement).take(data, (at) => setTriggerValue("at", at));
}

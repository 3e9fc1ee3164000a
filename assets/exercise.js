// A question that is answered and checked in the browser; the score stays there.

const STORE = "kanon-learn-score";

const made = (tag, className, parent, text) => {
  const one = document.createElement(tag);
  if (className) one.className = className;
  if (text !== undefined) one.textContent = text;
  parent.append(one);
  return one;
};

const filled = (text, values) => Object.entries(values).reduce((said, [name, value]) => said.replace(`{${name}}`, value), text);

// By exercise: whether its first answer was right. Lost when the page is closed if the browser refuses storage.
let unstored = {};
const score = () => {
  try { return JSON.parse(localStorage.getItem(STORE)) ?? {}; } catch { return unstored; }
};
const keep = (found) => {
  unstored = found;
  try { localStorage.setItem(STORE, JSON.stringify(found)); } catch { /* kept in `unstored` */ }
};

class Exercise {
  constructor(parent) {
    this.root = made("div", "exercise", parent);
    this.root.addEventListener("click", (event) => {
      const marker = event.target.closest("[data-facts]");
      if (marker) this.toggle(marker);
    });
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  take(data) {
    this.root.classList.toggle("presented", data.presenting);
    if (this.data?.key === data.key && this.data.picture === data.picture) return;
    const { words } = this.data = data;
    this.root.replaceChildren();
    if (data.lead) made("p", "lead", this.root, data.lead);
    made("p", "question", this.root, data.question);
    const work = made("div", "work", this.root);
    this.shown = made("div", data.picture ? "picture" : "rows", work);
    if (data.picture) this.shown.innerHTML = data.picture;
    else this.table(data);
    const side = made("form", "", work);
    side.onsubmit = (event) => { event.preventDefault(); this.check(); };
    const label = made("label", "", side, data.picture ? words.records : words.number);
    const row = made("span", "field", label);
    this.field = made("input", "", row);
    this.field.inputMode = data.picture ? "text" : "decimal";
    this.field.autocomplete = "off";
    this.field.oninput = () => this.mark();
    if (data.unit) made("span", "unit", row, data.unit);
    const buttons = made("div", "buttons", side);
    made("button", "check", buttons, words.check).type = "submit";
    const reveal = made("button", "", buttons, words.reveal);
    reveal.type = "button";
    reveal.onclick = () => this.reveal();
    this.told = made("div", "told", side);
    this.told.setAttribute("aria-live", "polite");
    this.score = made("p", "score", side);
    this.markers = [...this.root.querySelectorAll("[data-facts]")];
    this.markers.forEach((marker, i) => { marker.tabIndex = i ? -1 : 0; });
    this.mark();
    this.count();
  }

  table({ heads, rows }) {
    const table = made("table", "", this.shown);
    const head = made("tr", "", made("thead", "", table)), body = made("tbody", "", table);
    heads.forEach((text) => { made("th", "", head, text).scope = "col"; });
    rows.forEach((row) => { const line = made("tr", "", body); row.forEach((text) => made("td", "", line, text)); });
  }

  get numbers() {
    return [...new Set((this.field.value.match(/\d+([.,]\d+)?/g) ?? []).map((text) => Number(text.replace(",", "."))))];
  }

  get chosen() {
    return [...new Set((this.field.value.match(/\d+/g) ?? []).map(Number))];
  }

  toggle(marker) {
    const number = Number(marker.dataset.facts), chosen = this.chosen;
    const now = chosen.includes(number) ? chosen.filter((one) => one !== number) : [...chosen, number].sort((a, b) => a - b);
    this.field.value = now.join(", ");
    this.mark();
  }

  mark() {
    const chosen = this.data.picture ? this.chosen : [];
    this.markers.forEach((marker) => marker.setAttribute("aria-pressed", chosen.includes(Number(marker.dataset.facts))));
  }

  key(event) {
    const here = event.target.closest("[data-facts]");
    if (!here) return;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      const all = this.markers, next = all[(all.indexOf(here) + step + all.length) % all.length];
      here.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") this.toggle(here);
    else return;
    event.preventDefault();
  }

  check() {
    const { answer, within, picture, words } = this.data;
    if (!this.numbers.length) return this.say(picture ? words.nothing : words.unwritten);
    if (!picture) {
      if (Math.abs(this.numbers[0] - answer[0]) <= within) return this.right();
      this.remember(false);
      return this.say(this.numbers[0] < answer[0] ? words.more : words.less);
    }
    const hit = this.chosen.filter((number) => answer.includes(number)).length;
    if (hit === answer.length && this.chosen.length === hit) return this.right();
    this.remember(false);
    return this.say(filled(words.some, { hit, chosen: this.chosen.length, count: answer.length }));
  }

  right() {
    this.remember(true);
    this.answered(this.data.words.right);
  }

  reveal() {
    this.remember(false);
    this.answered(this.data.words.answer);
  }

  answered(lead) {
    const { answer, picture, unit, why } = this.data;
    const said = picture ? answer.join(", ") : `${Number(answer[0].toFixed(1))}${unit && ` ${unit}`}`;
    this.markers.forEach((marker) => marker.classList.toggle("answer", answer.includes(Number(marker.dataset.facts))));
    this.say(filled(lead, { answer: said }), why);
  }

  say(text, why) {
    this.told.replaceChildren();
    made("p", "verdict", this.told, text);
    if (why) made("p", "why", this.told, why);
  }

  remember(right) {
    const found = score();
    if (!(this.data.key in found)) keep({ ...found, [this.data.key]: right });
    this.count();
  }

  count() {
    const found = Object.values(score()), { words } = this.data;
    const says = found.length ? filled(words.score, { right: found.filter(Boolean).length, count: found.length }) : words.none;
    this.score.textContent = `${says} `;
    if (!found.length) return;
    const forget = made("button", "forget", this.score, words.forget);
    forget.type = "button";
    forget.onclick = () => { keep({}); this.count(); };
  }
}

const shown = new WeakMap();

export default function ({ data, parentElement }) {
  if (!shown.has(parentElement)) shown.set(parentElement, new Exercise(parentElement));
  shown.get(parentElement).take(data);
}

// Panels side by side that are zoomed and moved together. Every picture knows the extent it was painted for and is stretched
// to the view; when the view rests, the server is asked to paint it anew. Texts are written as text, never as markup.

const KM_PER_DEGREE = 111.195;
const REST = 250;

const element = (tag, className, parent, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
};

const rulerOf = (widthKm) => {
  const most = widthKm / 4, power = 10 ** Math.floor(Math.log10(most));
  const km = [5, 2, 1].map((step) => step * power).find((step) => step <= most);
  return { share: km / widthKm, text: km < 1 ? `${Math.round(km * 1000)} m` : `${km.toLocaleString("en")} km` };
};

class Panels {
  constructor(root) {
    this.root = root;
    this.view = null;
    this.frames = [];
  }

  show(data, ask) {
    if (this.root.querySelector(".moving")) {
      this.later = () => this.show(data, ask);   // not under the pointer of somebody who is moving a panel
      return;
    }
    this.data = data;
    this.ask = ask;
    const home = String(data.home);
    if (!this.view || this.home !== home) this.view = data.extent;
    this.home = home;
    const focused = this.root.activeElement?.dataset?.place;
    this.root.querySelector(".panels")?.remove();
    const all = element("div", "panels", this.root);
    this._bar(element("div", "bar", all));
    const grid = element("div", "grid", all);
    this.frames = data.panels.map((panel) => this._figure(element("figure", "", grid), panel));
    element("div", "credits", all, data.words.credits);
    if (focused) this.root.querySelector(`[data-place="${focused}"]`)?.focus({ preventScroll: true });
    this.place();
  }

  _bar(bar) {
    const { colors, ticks, words } = this.data, legend = element("div", "legend", bar);
    if (ticks.length > 1) {
      element("span", "", legend, words.legend);
      element("div", "scale", legend).style.background = `linear-gradient(to right, ${colors.join(", ")})`;
      const row = element("div", "ticks", legend);
      ticks.forEach((tick) => element("span", "", row, tick));
    }
    const buttons = element("div", "buttons", bar);
    const button = (place, text, label, act) => {
      const made = element("button", "", buttons, text);
      made.dataset.place = place;
      made.setAttribute("aria-label", label);
      made.onclick = act;
    };
    button("in", "+", words.closer, () => this.zoom(0.5));
    button("out", "−", words.farther, () => this.zoom(2));
    button("home", words.home, words.home, () => this.move(this.data.home));
  }

  _figure(figure, panel) {
    element("figcaption", "", figure, panel.title);
    const frame = element("div", "frame", figure);
    if (panel.source) {
      frame.ground = element("img", "", frame);
      frame.ground.decoding = "sync";
      frame.ground.src = this.data.ground;
      frame.ground.alt = "";
      frame.image = element("img", "", frame);
      frame.image.decoding = "sync";   // or it would flicker when it is painted anew
      frame.image.src = panel.source;
      frame.image.alt = panel.alt;
      frame.ruler = element("div", "ruler", frame);
      this._listen(frame);
    } else {
      element("div", "problem", frame, panel.problem);
    }
    const list = element("dl", "", figure);
    for (const [name, text] of panel.facts) {
      element("dt", "", list, name);
      element("dd", "", list, text);
    }
    return frame;
  }

  _listen(frame) {
    frame.onpointerdown = (event) => {
      if (event.button) return;
      const start = [event.clientX, event.clientY], from = this.view, box = frame.getBoundingClientRect();
      frame.setPointerCapture(event.pointerId);
      frame.classList.add("moving");
      frame.onpointermove = (now) => {
        const dx = (start[0] - now.clientX) / box.width * (from[2] - from[0]);
        const dy = (now.clientY - start[1]) / box.height * (from[3] - from[1]);
        this.move([from[0] + dx, from[1] + dy, from[2] + dx, from[3] + dy]);
      };
      frame.onpointerup = frame.onpointercancel = () => {
        frame.onpointermove = null;
        frame.classList.remove("moving");
        this.later?.();
        this.later = null;
      };
    };
    frame.ondblclick = (event) => {
      const box = frame.getBoundingClientRect();
      this.zoom(0.5, (event.clientX - box.left) / box.width, 1 - (event.clientY - box.top) / box.height);
    };
  }

  // Scale the view by a factor about a point of it (shares of width and height).
  zoom(factor, x = 0.5, y = 0.5) {
    const [west, south, east, north] = this.view;
    const width = factor * (east - west), height = factor * (north - south);
    if (width < this.data.least || width > 360) return;
    const left = west + x * (east - west - width), bottom = south + y * (north - south - height);
    this.move([left, bottom, left + width, bottom + height]);
  }

  move(view) {
    this.view = view;
    this.place();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(this.view), REST);
  }

  place() {
    const [west, south, east, north] = this.view, painted = this.data.extent;
    const width = east - west, height = north - south;
    const ruler = rulerOf(width * KM_PER_DEGREE * Math.cos((south + north) / 2 * Math.PI / 180));
    for (const frame of this.frames.filter((one) => one.image)) {
      for (const { style } of [frame.ground, frame.image]) {
        style.left = `${100 * (painted[0] - west) / width}%`;
        style.width = `${100 * (painted[2] - painted[0]) / width}%`;
        style.top = `${100 * (north - painted[3]) / height}%`;
        style.height = `${100 * (painted[3] - painted[1]) / height}%`;
      }
      frame.ruler.style.width = `${100 * ruler.share}%`;
      frame.ruler.textContent = ruler.text;
    }
  }
}

const shown = new WeakMap();

export default function ({ data, parentElement, setTriggerValue }) {
  if (!shown.has(parentElement)) shown.set(parentElement, new Panels(parentElement));
  shown.get(parentElement).show(data, (view) => setTriggerValue("view", view));
}

// A map as a picture of fixed place: what moves with k is one image over another. Texts are written as text, never as markup.

const element = (tag, className, parent, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  parent.append(made);
  return made;
};

// The parts that stay: made once, then filled.
const frame = (root) => {
  const all = element("figure", "tile", root), head = element("div", "head", all), legend = element("div", "legend", head);
  const made = { all, title: element("span", "", legend), bar: element("div", "bar", legend), ticks: element("div", "ticks", legend) };
  made.credits = element("div", "credits", head);
  made.map = element("div", "map", all);
  made.map.setAttribute("role", "img");
  for (const part of ["ground", "over"]) {
    made[part] = element("img", part, made.map);
    made[part].alt = "";
    made[part].decoding = "sync";   // or it would flicker when it changes
  }
  made.names = element("div", "names", made.map);
  made.ruler = element("div", "ruler", made.map);
  return made;
};

const put = (image, source) => { if (image.getAttribute("src") !== source) image.src = source; };

const named = (parts, data) => {
  const key = JSON.stringify(data.names);
  if (parts.named === key) return;
  parts.named = key;
  parts.names.replaceChildren();
  for (const [name, x, y, side] of data.names) {
    const one = element("div", `name ${side}`, parts.names);
    one.style.left = `${100 * x}%`;
    one.style.top = `${100 * y}%`;
    element("span", "", one, name);
  }
};

const show = (parts, data) => {
  const { style } = parts.all, several = data.ticks.length > 1;
  style.maxWidth = `${1.15 * data.size[0]}px`;   // painted finer than it is shown, so a little wider is still sharp
  style.setProperty("--name", data.ink);
  style.setProperty("--behind", data.behind);
  parts.map.style.aspectRatio = `${data.size[0]} / ${data.size[1]}`;
  parts.map.setAttribute("aria-label", data.says);
  put(parts.ground, data.ground);
  put(parts.over, data.over);
  parts.over.classList.toggle("squares", data.squares);
  parts.title.textContent = data.ticks.length === 1 ? `${data.legend}: ${data.ticks[0]}` : data.legend;
  parts.bar.style.background = several ? `linear-gradient(to right, ${data.colors.join(", ")})` : "none";
  parts.ticks.replaceChildren();
  if (several) data.ticks.forEach((text) => element("span", "", parts.ticks, text));
  parts.credits.textContent = data.credits;
  named(parts, data);
  parts.ruler.style.width = `${100 * data.ruler.share}%`;
  parts.ruler.textContent = data.ruler.text;
};

const shown = new WeakMap();

export default function ({ data, parentElement }) {
  if (!shown.has(parentElement)) shown.set(parentElement, frame(parentElement));
  show(shown.get(parentElement), data);
}

// Holds a click that opens another page until the server has heard what was just typed or set by a slider:
// both would reach it together, the page would come first, and the change would be lost or the page stay half
// empty.

const LINKS = "[data-testid=stTopNavLink], [data-testid=stTopNavDropdownLink], [data-testid=stSidebarNavLink], [data-testid=stPageLink-NavLink]";
const SLIDER = "[data-testid=stSlider]";
const RUNNING = "[data-testid=stApp][data-test-script-state=running]";
const RECENT = 1000, SENT = 250, ANSWERS = 500, LONGEST = 2000, EVERY = 50;  // milliseconds; a slider waits 200
const listening = new WeakSet();
let typing = false;
let sent = -Infinity;

const leaves = () => {
  if (typing) sent = performance.now();
  typing = false;
};

const slides = (event) => {
  if (event.target.closest?.(SLIDER)) sent = performance.now();
};

const hold = (link) => {
  const start = performance.now();
  let ran = false;
  const clock = setInterval(() => {
    const runs = document.querySelector(RUNNING) !== null, waited = performance.now() - start;
    if ((!runs && waited > (ran ? SENT : ANSWERS)) || waited > LONGEST) {
      clearInterval(clock);
      link.click();
    }
    ran ||= runs;
  }, EVERY);
};

const HEARD = {
  input: () => { typing = true; },
  focusout: leaves,
  keydown: (event) => {
    if (event.key === "Enter") leaves();
    slides(event);
  },
  pointerup: slides,
  click: (event) => {
    const link = event.target.closest?.(LINKS);
    if (!link || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey) return;
    document.activeElement?.blur?.();
    leaves();
    if (performance.now() - sent > RECENT) return;
    sent = -Infinity;
    event.preventDefault();
    event.stopImmediatePropagation();
    hold(link);
  },
};

export default function ({ parentElement }) {
  if (listening.has(parentElement)) return;
  listening.add(parentElement);
  for (const [kind, listener] of Object.entries(HEARD)) {
    const listen = (event) => {
      if (parentElement.isConnected) listener(event);
      else document.removeEventListener(kind, listen, true);
    };
    document.addEventListener(kind, listen, true);
  }
}

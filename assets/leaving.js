// Protects a change made just before a click: a text, a slider, a checkbox, a tab. A click that opens another page
// is delayed until the server has received the change. Otherwise both would arrive together, the server would handle
// the page first, and the change would be lost or the page stay half empty. A click that downloads a file is delayed
// too; otherwise the file would not contain the change.
// A typed text is sent when a button is released, not when it is pressed: otherwise the page would be drawn again in
// between, the button would move away from the pointer, and the click would miss it.

const LINKS = "[data-testid=stTopNavLink], [data-testid=stTopNavDropdownLink], [data-testid=stSidebarNavLink], [data-testid=stPageLink-NavLink]";
const FILES = "[data-testid=stDownloadButton] button";
const BUTTONS = `[data-testid=stButton] button, ${FILES}`;
const SLIDER = "[data-testid=stSlider]";
const CHOICES = "[role=tab], [role=option], [data-testid=stExpander] summary, [data-testid=stCheckbox], "
  + "[data-testid=stRadio], [data-testid=stButtonGroup]";
const STATE = "data-test-script-state";
const RUNNING = `[data-testid=stApp][${STATE}=running]`;
const QUIET = 250, PATIENT = 2000, LONGEST = 5000, EVERY = 50;  // milliseconds; a slider sends after 200
const TEXTS = "textarea, input:not([type=file], [type=range], [type=checkbox], [type=radio])";
let field = null;  // the field with a text that is not sent yet
let change = null;  // the last change that the server may not have received

const typing = () => field?.isConnected ?? false;

const runs = () => document.querySelector(RUNNING) !== null;

// A timer, not the clock, decides that nothing is sent: while the browser is busy, messages and timers both wait.
const changes = () => {
  const made = { at: performance.now(), quiet: false, sent: false, ran: false };
  setTimeout(() => { made.quiet = true; }, QUIET);
  change = made;
};

const leaves = () => {
  if (typing()) changes();
  field = null;
};

const changesIn = (controls) => (event) => {
  if (event.target.closest?.(controls)) changes();
};

const presses = changesIn(`${SLIDER}, ${CHOICES}`);

// The only way to notice that a change needs no message, for example when the same number is typed again; on a busy
// server, a run may begin seconds after its message.
const hearMessages = () => {
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...message) {
    if (change) change.sent = true;
    return send.apply(this, message);
  };
};

const hearRuns = () => {
  new MutationObserver(() => {
    if (change?.sent && runs()) change.ran = true;
    else if (change?.ran) change = null;
  }).observe(document.documentElement, { subtree: true, attributes: true, attributeFilter: [STATE] });
};

const heard = (link) => {
  if (!change?.sent) return change?.quiet ?? true;
  const waited = performance.now() - change.at;
  return waited > (runs() && !link.matches(FILES) ? PATIENT : LONGEST);
};

const hold = (link) => {
  const clock = setInterval(() => {
    if (!heard(link)) return;
    clearInterval(clock);
    change = null;
    link.click();
  }, EVERY);
};

const release = (button) => {
  document.activeElement?.blur?.();
  button.focus({ preventScroll: true });
};

const HEARD = {
  input: (event) => {
    if (event.target.matches?.(TEXTS)) field = event.target;
  },
  focusout: leaves,
  keydown: (event) => {
    if (event.key === "Enter") leaves();
    presses(event);
  },
  pointerdown: changesIn(CHOICES),  // a tab is sent before the button is released
  pointerup: changesIn(SLIDER),
  mousedown: (event) => {
    if (typing() && event.button === 0 && event.target.closest?.(BUTTONS)) event.preventDefault();
  },
  click: (event) => {
    const button = event.target.closest?.(BUTTONS);
    if (button && typing()) release(button);
    const link = event.target.closest?.(`${LINKS}, ${FILES}`);
    if (!link || !event.isTrusted || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!button) document.activeElement?.blur?.();
    leaves();
    if (heard(link)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    hold(link);
  },
};

// Called once while the page is open, since its parts come and go.
const listen = () => {
  hearMessages();
  hearRuns();
  for (const [kind, listener] of Object.entries(HEARD)) document.addEventListener(kind, listener, true);
  if (document.activeElement?.matches(TEXTS)) field = document.activeElement;  // typed before this script ran
};

export default function () {
  const mark = document.documentElement.dataset;
  if (!mark.leaving) listen();
  mark.leaving = "held";
}

// Shows when the connection to the server is lost. Reloads the page when another server answers, because the page
// then shows data of the old one; and, on servers with sign-in, when the reader has signed out in another tab. The
// server is asked only while the page is visible.

const EVERY = 1000, SEEN = 5;  // milliseconds; while connected, every fifth time
const watching = new WeakMap();

const connected = () =>
  document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState === "CONNECTED";

const answering = async (address) => {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    if (answer.status === 403) return "of somebody else";
    return answer.ok ? (await answer.json()).server : null;
  } catch {
    return null;
  }
};

const look = async (state) => {
  state.looks = document.hidden ? SEEN : state.looks + 1;
  const due = !document.hidden && state.looks > SEEN;
  if (connected() && !state.lost && !due) return;
  state.looks = 0;
  const server = await answering(state.address);
  if (server && server !== state.server) location.reload();
  state.lost = !connected();
  state.box.togglePopover(state.lost);
};

export default function ({ data, parentElement }) {
  const known = watching.get(parentElement);
  if (known) {
    Object.assign(known, data);
    return;
  }
  const box = document.createElement("p");
  box.setAttribute("role", "alert");
  box.textContent = data.says;
  box.popover = "manual";  // above Streamlit's own dialog, which would cover it
  parentElement.append(box);
  const state = { ...data, box, lost: false, looks: 0 };
  watching.set(parentElement, state);
  const clock = setInterval(() => {
    if (parentElement.isConnected) look(state);
    else clearInterval(clock);
  }, EVERY);
}

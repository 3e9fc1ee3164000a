// Says when the connection to the server is lost, and opens the page anew when another server answers: what
// the page shows is then of a server that is gone. So it does where the server answers nobody who is not signed
// in, and its reader has signed out in another tab; that is asked for as long as the page can be seen.

const EVERY = 1000, SEEN = 5;  // milliseconds; every fifth look while all is well
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
  box.popover = "manual";  // above Streamlit's own dialog, which would dim it
  parentElement.append(box);
  const state = { ...data, box, lost: false, looks: 0 };
  watching.set(parentElement, state);
  const clock = setInterval(() => {
    if (parentElement.isConnected) look(state);
    else clearInterval(clock);
  }, EVERY);
}

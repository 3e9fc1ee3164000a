// Shows the setting in the address of the page. It takes the place of the setting before, so that Back leads to the page before.

export default function ({ data }) {
  const { pathname, search } = location;
  if (pathname.replace(/\/$/, "") === data.path && search !== data.query) history.replaceState(history.state, "", pathname + data.query);
}

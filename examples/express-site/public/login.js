import encodeQR from "/qr.js";

/** Shows a code, requests a new one in time, and signs this browser in as soon as a wallet has answered. */

const mode = new URLSearchParams(location.search).get("mode") ?? "login";
const code = document.querySelector("#code");
const status = document.querySelector("#status");
// Identifies this sign-in, so that the page can repeat the request if the response is lost.
const attempt = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
  byte.toString(16).padStart(2, "0"),
).join("");

const ask = async (url, options) => {
  const answer = await fetch(url, options);
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  return answer.json();
};

async function show(sid) {
  const query = new URLSearchParams(sid ? { mode, sid } : { mode });
  const { sid: current, qr } = await ask(`/api/svc/qr?${query}`);
  code.innerHTML = encodeQR(qr, "svg");
  code.firstElementChild.setAttribute("width", "300");
  code.href = qr;
  return current;
}

async function signIn(sid) {
  const body = JSON.stringify({ sid, attempt });
  const headers = { "Content-Type": "application/json" };
  location.assign((await ask("/api/svc/sign-in", { method: "POST", headers, body })).redirect);
}

try {
  const sid = await show();
  // The stream reports an answer immediately. If the stream cannot be opened, the poll notices the answer.
  const events = new EventSource(`/api/svc/events?${new URLSearchParams({ sid })}`);
  events.onmessage = ({ data }) => JSON.parse(data).status === "authenticated" && signIn(sid);
  for (let tick = 1; ; tick++) {
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    const { status: now } = await ask(`/api/svc/check?${new URLSearchParams({ sid })}`);
    if (now === "authenticated") break;
    status.textContent = now === "unregistered" ? "This wallet has no account here yet." : "";
    if (tick % 5 === 0) await show(sid);
  }
  await signIn(sid);
} catch (error) {
  status.textContent = `${error.message} Reload the page.`;
}

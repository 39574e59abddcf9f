import type { LoginSource } from "@svc/login/client";
import { openChannel, parseUrl } from "#packages/login/client/browser-support.ts";
import { readTextField } from "#packages/login/client/fetch-json.ts";

/*
 * Connects a page that shows a QR code with a wallet in another tab of the same browser. The wallet asks for the next
 * QR code of its login, and the page sends it, even while the page is in the background. A BroadcastChannel reaches
 * only pages of this origin. The QR code is already public on the screen, and the wallet still asks its user before it
 * answers.
 */
const CHANNEL = "svc-code-handover";

export function withCodeHandover(source: LoginSource): LoginSource {
  const shareCode = (sid: string, qr: string | null, next: () => void) =>
    qr === null ? onCodeRequest(sid, next) : offerCode(qr, next);
  return { ...source, shareCode };
}

/**
 * Sends the current QR code to every wallet, and the next one to wallets that ask for it.
 * @param renew called if a wallet already has the current QR code
 * @returns a function that stops sending
 */
export function offerCode(qr: string, renew: () => void): () => void {
  const values = parseUrl(qr)?.searchParams;
  // The parameter names differ between `svc://auth`, https and fast login.
  const session = values?.get("session") ?? values?.get("s") ?? values?.get("sid") ?? "";
  const challenge = values?.get("challenge") ?? values?.get("c");
  const sendCode = () => channel?.postMessage({ kind: "code", session, qr });
  const channel = listen("wanted", session, (data) => {
    if (readTextField(data, "held") === challenge) renew();
    else sendCode();
  });
  sendCode();
  return () => channel?.close();
}

/** Calls `resume` when a wallet asks for a QR code while the page has none. */
export function onCodeRequest(session: string, resume: () => void): () => void {
  const channel = listen("wanted", session, resume);
  return () => channel?.close();
}

/**
 * The wallet must validate each QR code.
 * @param heldChallenge the challenge that the wallet already has
 */
export function followLogin(
  { session, heldChallenge }: { session: string; heldChallenge: string },
  onCode: (qr: string) => void,
): { ask: () => void; stop: () => void } {
  const channel = listen("code", session, (data) => {
    const qr = readTextField(data, "qr");
    if (qr) onCode(qr);
  });
  return {
    ask: () => channel?.postMessage({ kind: "wanted", session, held: heldChallenge }),
    stop: () => channel?.close(),
  };
}

/** @returns null if the browser does not support messages between tabs */
function listen(kind: string, session: string, onMessage: (data: unknown) => void): BroadcastChannel | null {
  const channel = openChannel(CHANNEL);
  if (channel)
    channel.onmessage = ({ data }) => {
      if (readTextField(data, "kind") === kind && readTextField(data, "session") === session) onMessage(data);
    };
  return channel;
}

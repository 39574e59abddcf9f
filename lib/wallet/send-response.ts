import { endOf } from "./check-payload.ts";
import { purposeOf } from "./purpose.ts";
import { explainAnswer, readAnswer, type ServiceWords } from "./read-answer.ts";
import type { ChallengePayload, FastPayload, Payload } from "./read-payload.ts";
import type { WalletResponse } from "./sign-challenge.ts";
import type { SignedMessage } from "./sign-message.ts";
import type { SignedInBrowser } from "./signed-in-browser.ts";

/** A try without a complete answer is given up after this time. */
export const ATTEMPT_TIMEOUT_SECONDS = 10;
const FIRST_BACKOFF_SECONDS = 0.5;

/** How sending a wallet response ended. */
export type SendResult = {
  /** True only for HTTP 200 (docs/protocol.md#15-wallet-response). */
  ok: boolean;
  /** HTTP status of the last answer; 0 when there was none. */
  status: number;
  /** `authenticated`, the service's own error code, or one of this wallet's: `offline`, `unreachable`,
   * `redirected`, `http_<status>`. */
  code: string;
  /** The service's message, fit to be shown; "" when it sent none. */
  message: string;
  /** What to do next, in plain words. */
  advice: string;
  /** The browser that is signed in by it, where the service tells. */
  signedIn?: SignedInBrowser;
};

/** What sending a wallet response needs from its surroundings; tests bring their own. */
export type Surroundings = {
  fetch?: typeof fetch;
  /** Unix seconds. */
  now?: () => number;
  wait?: (seconds: number) => Promise<void>;
  /** False when the device knows that it has no network. */
  online?: () => boolean;
  /** Called before each wait for another try. */
  onRetry?: (retry: { reason: "server_error" | "unreachable"; waitSeconds: number }) => void;
  attemptTimeoutSeconds?: number;
};

type Outcome = ({ response: Response } & ServiceWords) | "unreachable";

/** One answer to one code, ready to be sent. */
type Outgoing = {
  url: string;
  contentType: string;
  body: string;
  payload: Payload;
};

/** Posts a wallet response to the webhook and says what came of it. Never throws. */
export function sendResponse(
  payload: ChallengePayload,
  response: WalletResponse,
  surroundings: Surroundings = {},
): Promise<SendResult> {
  const outgoing: Outgoing = {
    url: payload.webhook,
    contentType: "application/json",
    body: JSON.stringify(response),
    payload,
  };
  return send(outgoing, surroundings);
}

/** Posts a signed message to fast login's webhook, the code's own URL, as a form. Never throws. */
export function sendSignedMessage(
  payload: FastPayload,
  signed: SignedMessage,
  surroundings: Surroundings = {},
): Promise<SendResult> {
  const outgoing: Outgoing = {
    url: payload.url,
    contentType: "application/x-www-form-urlencoded",
    body: new URLSearchParams(signed).toString(),
    payload,
  };
  return send(outgoing, surroundings);
}

/**
 * Server errors and lost connections are tried again with growing pauses while the challenge lives;
 * every other answer is final. The same bytes are sent each time, so a try
 * that was accepted without our hearing of it cannot sign anybody in twice. Redirects are not followed:
 * they would carry the answer to a host that nobody checked. No cookies, no referrer.
 */
async function send(outgoing: Outgoing, surroundings: Surroundings): Promise<SendResult> {
  const { now = clock, wait = pause, online = deviceOnline, onRetry } = surroundings;
  let backoff = FIRST_BACKOFF_SECONDS;
  let unsure = false;
  for (;;) {
    if (!online()) return offline();
    const outcome = await attempt(outgoing, surroundings);
    const reason = retryReason(outcome);
    const waitSeconds = Math.max(backoff, retryAfter(outcome) ?? 0);
    if (!reason || now() + waitSeconds >= endOf(outgoing.payload))
      return result(outcome, outgoing.payload, unsure);
    // A lost connection, or a proxy's word for one, may hide an acceptance.
    unsure = true;
    onRetry?.({ reason, waitSeconds });
    await wait(waitSeconds);
    backoff *= 2;
  }
}

async function attempt({ url, contentType, body }: Outgoing, surroundings: Surroundings): Promise<Outcome> {
  const { fetch = globalThis.fetch, attemptTimeoutSeconds = ATTEMPT_TIMEOUT_SECONDS } = surroundings;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": contentType, accept: "application/json, text/plain;q=0.9" },
      body,
      redirect: "manual",
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout(attemptTimeoutSeconds * 1000),
    });
    // The status alone tells success; a body that breaks off cannot undo it.
    const words = await readAnswer(response, url).catch(() => ({ code: "", message: "" }));
    return { response, ...words };
  } catch {
    return "unreachable";
  }
}

function retryReason(outcome: Outcome): "server_error" | "unreachable" | null {
  if (outcome === "unreachable") return "unreachable";
  return outcome.response.status >= 500 ? "server_error" : null;
}

function retryAfter(outcome: Outcome): number | null {
  const header = outcome === "unreachable" ? null : outcome.response.headers.get("retry-after");
  return header && /^[0-9]{1,6}$/.test(header) ? Number(header) : null;
}

function result(outcome: Outcome, payload: Payload, unsure: boolean): SendResult {
  if (outcome === "unreachable") {
    return {
      ok: false,
      status: 0,
      code: "unreachable",
      message: "",
      advice:
        "The site did not answer. Look at the page that showed the code and at your network, then take a new code.",
    };
  }
  const { response, code, message, signedIn } = outcome;
  // A browser hides the status of a redirect that it did not follow.
  const redirected = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  const status = redirected ? response.status || 302 : response.status;
  const ok = status === 200;
  return {
    ok,
    status,
    code: ok ? "authenticated" : redirected ? "redirected" : code || `http_${status}`,
    message: ok ? "" : message,
    advice: explainAnswer({
      status,
      code,
      retryAfter: retryAfter(outcome),
      purpose: purposeOf(payload),
      fast: payload.kind === "fast",
      unsure,
      signedIn,
    }),
    signedIn,
  };
}

function offline(): SendResult {
  return {
    ok: false,
    status: 0,
    code: "offline",
    message: "",
    advice: "This device is offline. Connect it, then take a new code.",
  };
}

/** Unix seconds by this device's clock. */
export function clock(): number {
  return Date.now() / 1000;
}

function pause(seconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}

/** False when the device knows that it has no network. */
export function deviceOnline(): boolean {
  return globalThis.navigator?.onLine !== false;
}

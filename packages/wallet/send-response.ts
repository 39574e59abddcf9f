import { type Payload, readDeviceTime } from "./read-payload.ts";
import { explainServiceResponse, readServiceReply, type ServiceReply } from "./read-service-reply.ts";
import { isDeviceOnline, type RequestEnvironment, sendSiteRequest } from "./send-site-request.ts";

/** For a complete response. */
export const ATTEMPT_TIMEOUT_SECONDS = 10;
const FIRST_BACKOFF_SECONDS = 0.5;

export type SendResult = Omit<ServiceReply, "code"> & {
  /** True only for HTTP 200 (docs/protocol.md#15-wallet-response). */
  ok: boolean;
  /** Of the last response, or 0 if there was none. */
  status: number;
  /**
   * `authenticated`, the service's error code, or one of this wallet's own codes: `offline`, `unreachable`,
   * `redirected`, `http_<status>`.
   */
  code: string;
  /** What the user should do next, in plain words. */
  advice: string;
};

/** Each attempt sends the same bytes. */
export type SignedBody = { contentType: string; body: string };

type Outcome = ({ status: number; retryAfter: number | null } & ServiceReply) | "unreachable";

/**
 * Never throws. After server errors and lost connections, the function tries again with increasing delays while the
 * challenge is valid. Every other response is final. The same bytes are sent each time, so if the site's acceptance is
 * lost, trying again does not lead to a second sign-in.
 */
export async function sendResponse(
  payload: Payload,
  response: SignedBody,
  surroundings: RequestEnvironment = {},
): Promise<SendResult> {
  const { now = readDeviceTime, wait = pause, online = isDeviceOnline, onRetry } = surroundings;
  let backoff = FIRST_BACKOFF_SECONDS;
  let unsure = false;
  for (;;) {
    if (!online()) return unsent("offline", "This device is offline. Connect it, then get a new code.");
    const outcome = await attempt(payload.webhook, response, surroundings);
    const reason = retryReason(outcome);
    const waitSeconds = Math.max(backoff, outcome === "unreachable" ? 0 : (outcome.retryAfter ?? 0));
    if (!reason || now() + waitSeconds >= payload.endsAt) return result(outcome, payload, unsure);
    // The site might have accepted before the connection was lost or a proxy reported an error.
    unsure = true;
    onRetry?.({ reason, waitSeconds });
    await wait(waitSeconds);
    backoff *= 2;
  }
}

async function attempt(
  webhook: string,
  { contentType, body }: SignedBody,
  { fetch, attemptTimeoutSeconds = ATTEMPT_TIMEOUT_SECONDS }: RequestEnvironment,
): Promise<Outcome> {
  try {
    const { response, status } = await sendSiteRequest(webhook, {
      fetch,
      method: "POST",
      headers: { "content-type": contentType, accept: "application/json, text/plain;q=0.9" },
      body,
      deadlineSeconds: attemptTimeoutSeconds,
    });
    const header = response.headers.get("retry-after");
    const retryAfter = header && /^[0-9]{1,6}$/.test(header) ? Number(header) : null;
    // Only the status decides whether the answer was accepted, even if the body is cut off.
    const words = await readServiceReply(response, webhook).catch(() => ({ code: "", message: "" }));
    return { status, retryAfter, ...words };
  } catch {
    return "unreachable";
  }
}

function retryReason(outcome: Outcome): "server_error" | "unreachable" | null {
  if (outcome === "unreachable") return "unreachable";
  return outcome.status >= 500 ? "server_error" : null;
}

function result(outcome: Outcome, payload: Payload, unsure: boolean): SendResult {
  if (outcome === "unreachable") {
    return unsent(
      "unreachable",
      "The site did not answer. Look at the page that showed the code and at your network, then get a new code.",
    );
  }
  const { status, code, message, signedIn } = outcome;
  const advice = explainServiceResponse(payload, { ...outcome, unsure });
  if (status === 200) return { ok: true, status, code: "authenticated", message: "", advice, signedIn };
  const isRedirect = status >= 300 && status < 400;
  return { ok: false, status, code: isRedirect ? "redirected" : code || `http_${status}`, message, advice };
}

function unsent(code: "offline" | "unreachable", advice: string): SendResult {
  return { ok: false, status: 0, code, message: "", advice };
}

function pause(seconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, seconds * 1000));
}

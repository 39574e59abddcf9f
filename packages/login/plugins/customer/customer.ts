import { isIP } from "node:net";
import { jsonResponse } from "../../http/call.ts";
import { refusal } from "../../protocol/errors.ts";
import type { QrAnswer } from "../../protocol/messages.ts";
import { addSeconds, LOGIN_SESSION_IDLE_SECONDS, unixSeconds } from "../../protocol/numbers.ts";
import { isSid } from "../../protocol/qr-payload.ts";
import { createBindingCookie, readBindingSecret } from "../../server/cookies.ts";
import type { LoginStep } from "../../server/core.ts";
import { generateSecret, hashSecret } from "../../server/random.ts";
import { type RequestHeaders, readUserAgent, requireSid } from "../../server/web-request.ts";
import { type ApiCall, type ClientDescription, createHostedApiClient } from "./hosted-api-client.ts";
import { type OnUndone, receiveEvent } from "./receive-event.ts";
import type { HostedStore } from "./store/hosted-store.ts";
import { webhookKey } from "./verify-webhook.ts";

/** After the API's host changes, all wallets use the new host within this time. */
const DELEGATION_MAX_AGE_SECONDS = 60 * 60;

const WITHOUT_UNDO =
  "When a wallet's user undoes a login, the wallet reports that the session has ended, but your session continues. Pass an onUndone that ends it.";

export type CustomerOptions = {
  /** `https://login.example/v1`, or `/sandbox/v1` for a test key. */
  apiUrl: URL;
  /** `svc_live_…` or `svc_test_…`. Never sent to browsers. */
  apiKey: string;
  /** The domain's `whsec_…` secret and, during a rotation, also the previous one. */
  webhookSecrets: readonly string[];
  origin: URL;
  /** As registered with the API. The default is the origin's host name. */
  domain?: string;
  store: HostedStore;
  /** The default is `/dashboard`. The login page's `callbackUrl` takes precedence. */
  afterLogin?: string;
  now?: () => Date;
  /** Ends a session of your own site that an undone login opened. Required for sites that call `redeem`. */
  onUndone?: OnUndone;
  /** Must not throw. */
  onStep?: (step: LoginStep) => void;
  /** Called with each failure, such as a refusal by the API or a store that does not respond. */
  onFailure?: (message: string, error: unknown) => void;
};

export type CustomerCall = {
  request: Request;
  query: Record<string, string | undefined>;
  requestId: string;
  /** The browser's IP address, which the API compares with the wallet's. */
  client?: string | null;
  /**
   * Called before a session is created, because sessions count towards your limit at the API (100 a minute). If the
   * function throws, the request is refused. Limit each client address to a fifth of that number, so that one client
   * cannot prevent everyone else from signing in.
   */
  countSession?: () => Promise<void>;
  /** Must not throw. */
  onApiCall?: (call: ApiCall) => void;
};

/** docs/hosted-customer.md */
export type Customer = ReturnType<typeof createCustomer>;

/**
 * Calls the API over HTTP, and works in any framework with `Request` and `Response`. Where documented, the methods
 * throw a `Refusal`, which your code must render.
 * @throws {Error} if a webhook secret is malformed
 */
export function createCustomer(options: CustomerOptions) {
  const { apiUrl, apiKey, origin, store, domain = origin.hostname, afterLogin = "/dashboard" } = options;
  const { now = () => new Date(), onStep = () => {}, onFailure = writeFailure } = options;
  const { onUndone = () => {} } = options;
  const api = createHostedApiClient({ url: apiUrl, key: apiKey, onFailure });
  const keys = options.webhookSecrets.map((secret) => {
    const key = webhookKey(secret);
    if (!key) throw new Error("A webhook secret is whsec_ and base64, as the API showed it.");
    return key;
  });
  const secretIn = (headers: RequestHeaders) => readBindingSecret(headers.get("cookie"), origin);
  let isWarned = false;
  /** The API lets wallets undo logins even if the site cannot end the session that the login opened. */
  const warnWithoutUndo = () => {
    if (options.onUndone || isWarned) return;
    isWarned = true;
    onFailure("logins are redeemed without onUndone", new Error(WITHOUT_UNDO));
  };

  async function status(
    headers: RequestHeaders,
    sid: string,
  ): Promise<{ status: "pending" } | { status: "authenticated"; redirect: string }> {
    const secret = secretIn(headers);
    const login = secret !== null && isSid(sid) ? await store.find(sid, hashSecret(secret)) : null;
    if (!login) {
      throw refusal("session_not_found", "This sign-in was not started in this browser. Start again.");
    }
    if (login.isUndone) throw refusal("session_expired", "This sign-in was undone. Start again.");
    const { authenticatedAt } = login;
    if (authenticatedAt && authenticatedAt <= addSeconds(now(), -LOGIN_SESSION_IDLE_SECONDS)) {
      throw refusal("session_expired", "This sign-in has expired. Start again.");
    }
    return authenticatedAt ? { status: "authenticated", redirect: afterLogin } : { status: "pending" };
  }

  return {
    domain,

    /**
     * As `GET /api/svc/qr` does. Continues the browser's session, or creates a new one if that has ended.
     * @throws {Refusal} 503 if the API does not return a code; any error from `countSession`
     */
    async qr(call: CustomerCall): Promise<Response> {
      const { headers } = call.request;
      const client = describeClient(readUserAgent(headers), call.client ?? null);
      const { sid } = call.query;
      const browserSecret = secretIn(headers);
      const browserHash = browserSecret === null ? null : hashSecret(browserSecret);
      const isOwn = sid && isSid(sid) && browserHash && (await store.find(sid, browserHash));
      const newValue = generateSecret();
      let secret = browserSecret ?? newValue;
      let code = isOwn ? await api.refreshSession(sid, client, call.onApiCall) : null;
      if (!code) {
        await call.countSession?.();
        code = await api.createSession(domain, client, call.onApiCall);
        const start = { now: now(), sid: code.id, browserHash, newBrowserHash: hashSecret(newValue) };
        if (!(await store.start(start)).keepsSecret) secret = newValue;
      }
      const { id, challenge, qr_data, expires_at } = code;
      onStep({ requestId: call.requestId, flow: "hosted", sid: id, outcome: "issued" });
      const answer: QrAnswer = { sid: id, challenge, qr: qr_data, expiresAt: unixSeconds(expires_at) };
      return jsonResponse(200, answer, { "Set-Cookie": createBindingCookie(secret, origin) });
    },

    /**
     * @throws {Refusal} 400 without a sid; 404 if the login belongs to another browser; 410 if the login was undone, or
     * answered too long ago to be redeemed
     */
    async check({ request, query }: CustomerCall): Promise<Response> {
      return jsonResponse(200, await status(request.headers, requireSid(query)));
    },

    status,

    /** Never throws. Error responses have the form `{"error":"<message>"}`. */
    webhook: ({ request, requestId }: Pick<CustomerCall, "request" | "requestId">): Promise<Response> =>
      receiveEvent({ keys, store, now, onUndone, onStep, onFailure }, request, requestId),

    /** For `GET /.well-known/svc-login`, which permits wallets to send this domain's answers to the API's host. */
    delegation: (): Response =>
      Response.json(
        { domain, webhook_hosts: [apiUrl.hostname] },
        {
          headers: {
            "Access-Control-Allow-Origin": "*",
            "Cache-Control": `public, max-age=${DELEGATION_MAX_AGE_SECONDS}`,
          },
        },
      ),

    /**
     * Only for the browser that started the login, and only once (docs/protocol.md#42-redemption). Use this function on
     * a site with its own users and sessions.
     * @returns null if this browser has nothing to redeem
     */
    async redeem(headers: RequestHeaders, sid: string): Promise<{ publicKey: string } | null> {
      warnWithoutUndo();
      const secret = secretIn(headers);
      if (secret === null || !isSid(sid)) return null;
      return store.redeem({ now: now(), sid, browserHash: hashSecret(secret) });
    },
  };
}

function writeFailure(message: string, error: unknown): void {
  process.stderr.write(`${message}: ${error instanceof Error ? error.message : String(error)}\n`);
}

/** @param address an IP address, or the /64 of an IPv6 client */
function describeClient(userAgent: string | null, address: string | null): ClientDescription {
  const one = address?.replace(/\/64$/, "");
  return { user_agent: userAgent ?? undefined, address: one && isIP(one) ? one : undefined };
}

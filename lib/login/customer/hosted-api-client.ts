import { randomUUID } from "node:crypto";
import { z } from "zod";
import { refusal } from "../protocol/errors.ts";

/** Both tries together fit into the time that a browser waits for its code. */
const TRY_TIMEOUT_MS = 5_000;
/** The session is over for new codes: unknown by now, answered, or ended (docs/protocol.md#52-sessions). */
const SESSION_OVER = [404, 409, 410];

const Code = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  challenge: z.string(),
  qr_data: z.string().startsWith("svc://auth?"),
  expires_at: z.iso.datetime().transform((text) => new Date(text)),
});
/** A session's present code. */
export type HostedCode = z.infer<typeof Code>;

/** What a customer tells the API about the browser that shows a code (docs/protocol.md#113-hosted-login). */
export type ToldClient = { user_agent: string | undefined; address: string | undefined };

/** One request to the API and its answer. The key is in neither. */
export type ApiCall = {
  method: "POST";
  /** With the base's own path: "/v1/sessions". */
  path: string;
  body: unknown;
  status: number;
  answer: unknown;
  latencyMs: number;
};
type OnApiCall = ((call: ApiCall) => void) | undefined;

/** The hosted API (docs/protocol.md#52-sessions), as a customer's server calls it. */
export type HostedApiClient = {
  /** @throws {Refusal} 503 when the API gives no session; `onFailure` was told why */
  createSession(domain: string, client: ToldClient, onCall?: OnApiCall): Promise<HostedCode>;
  /**
   * A new code for a session.
   * @returns null when the session takes no more codes
   * @throws {Refusal} 503 when the API has no answer
   */
  refreshSession(id: string, client: ToldClient, onCall?: OnApiCall): Promise<HostedCode | null>;
};

/** @param settings.url the API's base, such as `https://login.example/v1` */
export function hostedApiClient(settings: {
  url: URL;
  key: string;
  onFailure: (message: string, error: unknown) => void;
}): HostedApiClient {
  const { url, key, onFailure } = settings;
  const send = async (
    path: string,
    body: unknown,
    { onCall, headers = {} }: { onCall: OnApiCall; headers?: Record<string, string> },
  ) => {
    const address = new URL(url.href.replace(/\/$/, "") + path);
    const started = performance.now();
    const response = await fetch(address, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      // The key is for this origin alone.
      redirect: "error",
      signal: AbortSignal.timeout(TRY_TIMEOUT_MS),
    });
    const answer: unknown = await response.json().catch(() => undefined);
    const latencyMs = Math.round(performance.now() - started);
    onCall?.({ method: "POST", path: address.pathname, body, status: response.status, answer, latencyMs });
    if (response.status >= 500) throw new Error(`it answered ${response.status}`);
    return { status: response.status, answer };
  };
  const unavailable = (error: unknown) => {
    onFailure(`the hosted API at ${url.href} gave no code`, error);
    return refusal("service_unavailable", "The login service has no answer. Try again in a moment.", {
      headers: { "Retry-After": "2" },
    });
  };
  return {
    async createSession(domain, client, onCall) {
      // The same key at the second try: a session whose answer got lost is not made twice.
      const headers = { "Idempotency-Key": randomUUID() };
      const create = () => send("/sessions", { domain, client }, { onCall, headers });
      try {
        const { status, answer } = await create().catch(create);
        if (status !== 201) throw new Error(reasonOf(status, answer));
        return Code.parse(answer);
      } catch (error) {
        throw unavailable(error);
      }
    },
    async refreshSession(id, client, onCall) {
      try {
        const { status, answer } = await send(
          `/sessions/${encodeURIComponent(id)}/refresh`,
          { client },
          { onCall },
        );
        if (SESSION_OVER.includes(status)) return null;
        if (status !== 200) throw new Error(reasonOf(status, answer));
        return Code.parse(answer);
      } catch (error) {
        throw unavailable(error);
      }
    },
  };
}

const ApiRefusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** Why the API refused, for the operator: the message says what to do. */
function reasonOf(status: number, answer: unknown): string {
  const { success, data } = ApiRefusal.safeParse(answer);
  return success ? `${status} ${data.error.code}: ${data.error.message}` : `it answered ${status}`;
}

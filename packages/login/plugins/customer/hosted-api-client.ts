import { randomUUID } from "node:crypto";
import { z } from "zod";
import { refusal } from "../../protocol/errors.ts";

/** Short enough that both attempts end before the browser stops waiting for its code. */
const TRY_TIMEOUT_MS = 5_000;
/**
 * The session gets no new codes, because it has been answered, has ended or is unknown (docs/protocol.md#52-sessions).
 */
const SESSION_OVER = [404, 409, 410];

const Code = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  challenge: z.string(),
  qr_data: z.string().startsWith("svc://auth?"),
  expires_at: z.iso.datetime().transform((text) => new Date(text)),
});
export type HostedCode = z.infer<typeof Code>;

/** docs/protocol.md#113-hosted-login */
export type ClientDescription = { user_agent: string | undefined; address: string | undefined };

/** Does not contain the API key. */
export type ApiCall = {
  method: "POST";
  /** The complete path, such as "/v1/sessions". */
  path: string;
  body: unknown;
  status: number;
  answer: unknown;
  latencyMs: number;
};
type OnApiCall = ((call: ApiCall) => void) | undefined;

/**
 * If the API's response is missing or unusable, the client's functions call `onFailure` and throw a `Refusal` with
 * status 503 (docs/protocol.md#52-sessions).
 * @param settings.url such as `https://login.example/v1`
 */
export function createHostedApiClient(settings: {
  url: URL;
  key: string;
  onFailure: (message: string, error: unknown) => void;
}) {
  const { url, key, onFailure } = settings;
  const post = async (path: string, body: unknown, onCall: OnApiCall, headers = {}) => {
    const address = new URL(url.href.replace(/\/$/, "") + path);
    const startedAt = performance.now();
    const response = await fetch(address, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
      // A redirect could send the key to another origin.
      redirect: "error",
      signal: AbortSignal.timeout(TRY_TIMEOUT_MS),
    });
    const { status } = response;
    const answer: unknown = await response.json().catch(() => undefined);
    const latencyMs = Math.round(performance.now() - startedAt);
    onCall?.({ method: "POST", path: address.pathname, body, status, answer, latencyMs });
    if (status >= 500) throw new Error(`it answered ${status}`);
    return { status, answer };
  };
  const unavailable = (error: unknown): never => {
    onFailure(`the hosted API at ${url.href} gave no code`, error);
    throw refusal("service_unavailable", "The login service does not answer. Try again in a moment.", {
      headers: { "Retry-After": "2" },
    });
  };
  return {
    async createSession(domain: string, client: ClientDescription, onCall?: OnApiCall): Promise<HostedCode> {
      // Both attempts use the same `Idempotency-Key`, so that a lost response does not lead to a second session.
      const headers = { "Idempotency-Key": randomUUID() };
      const create = () => post("/sessions", { domain, client }, onCall, headers);
      return create().catch(create).then(readCode).catch(unavailable);
    },

    /** Null if the session gets no more codes. */
    async refreshSession(
      id: string,
      client: ClientDescription,
      onCall?: OnApiCall,
    ): Promise<HostedCode | null> {
      return post(`/sessions/${encodeURIComponent(id)}/refresh`, { client }, onCall)
        .then((response) => (SESSION_OVER.includes(response.status) ? null : readCode(response)))
        .catch(unavailable);
    },
  };
}

const ApiRefusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** @throws {Error} with the API's reason and instructions for the operator */
function readCode({ status, answer }: { status: number; answer: unknown }): HostedCode {
  if (status < 300) return Code.parse(answer);
  const { success, data } = ApiRefusal.safeParse(answer);
  throw new Error(success ? `${status} ${data.error.code}: ${data.error.message}` : `it answered ${status}`);
}

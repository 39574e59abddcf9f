import { createHmac, randomUUID } from "node:crypto";
import { exchange, type HasFault } from "./reference.fixture.ts";

export type Body = Record<string, unknown>;
export type Call = {
  tenant: string;
  id: string;
  query: URLSearchParams;
  body: Body;
  idempotencyKey: string | undefined;
};

/** A test cannot wait five seconds between two attempts, but in this time it can read the event's state. */
const PAUSE_MS = 60;

/** Further attempts would disturb the next checks. */
const MOST_ATTEMPTS = 3;

export type ApiDomain = {
  id: string;
  tenant: string;
  name: string;
  verified: boolean;
  token: string;
  secrets: string[];
  url: string;
  disabledAt: string | null;
};
type Attempt = { at: string; status: number | null };
export type ApiEvent = {
  id: string;
  domain: ApiDomain;
  sessionId: string;
  url: string;
  text: string;
  status: "pending" | "delivered" | "failed";
  nextAt: string | null;
  attempts: Attempt[];
};

export type Events = ReturnType<typeof openEvents>;

export function openEvents(has: HasFault) {
  const all: ApiEvent[] = [];
  let isClosed = false;

  function send(
    domain: ApiDomain,
    url: string,
    content: { event: string; session_id: string; data: object },
  ): ApiEvent {
    const { event, ...rest } = content;
    const text = JSON.stringify({ event, timestamp: new Date().toISOString(), ...rest });
    const newEvent: ApiEvent = {
      ...{ id: `msg_${randomUUID()}`, domain, sessionId: content.session_id, url, text },
      ...{ status: "pending", nextAt: null, attempts: [] },
    };
    if (has("events-oldest-first")) all.push(newEvent);
    else all.unshift(newEvent);
    void attempt(newEvent);
    return newEvent;
  }

  async function attempt(
    event: ApiEvent,
    index = 0,
    timestamp = Math.floor(Date.now() / 1000),
  ): Promise<void> {
    if (isClosed || !event.url.startsWith("http://localhost:")) return;
    const isAgain = index > 0;
    const id = isAgain && has("event-new-id") ? `msg_${randomUUID()}` : event.id;
    const text = isAgain && has("event-new-bytes") ? `${event.text} ` : event.text;
    const { status, retryAfter } = await post(event.url, text, headers(event, id, timestamp, text), has);
    event.attempts.unshift({ at: new Date().toISOString(), status });
    const isTaken = has("event-only-200") ? status === 200 : Math.floor((status ?? 0) / 100) === 2;
    const isRedirect = Math.floor((status ?? 0) / 100) === 3;
    if (isTaken || (isRedirect && has("event-redirect-taken"))) {
      event.status = "delivered";
      if (has("event-sent-twice") && !isAgain) void attempt(event, 1);
      return;
    }
    if (status === 410 && !has("event-410-ignored")) {
      event.domain.disabledAt = new Date().toISOString();
      event.status = "failed";
      return;
    }
    if (has("event-once")) {
      event.status = "failed";
      return;
    }
    const seconds = retryAfter > 0 && !has("event-retry-after") ? retryAfter : 5;
    event.nextAt = new Date(Date.now() + seconds * 1000).toISOString();
    if (seconds > 5 || index >= MOST_ATTEMPTS) return;
    const next = has("event-old-timestamp") ? timestamp - 600 : Math.floor(Date.now() / 1000);
    setTimeout(() => void attempt(event, index + 1, next), PAUSE_MS).unref();
  }

  function headers(
    { domain }: ApiEvent,
    id: string,
    timestamp: number,
    text: string,
  ): Record<string, string> {
    const secrets = has("event-new-secret-only") ? domain.secrets.slice(0, 1) : domain.secrets;
    const signed = has("event-signs-again") ? JSON.stringify(JSON.parse(text), null, 1) : text;
    const standard = secrets.map((secret) => {
      const key = has("event-one-key") ? secret : Buffer.from(secret.slice(6), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${signed}`).digest("base64")}`;
    });
    const first = domain.secrets[0] ?? "";
    const svcKey = has("event-svc-bytes") ? Buffer.from(first.slice(6), "base64") : first;
    return {
      "Content-Type": has("event-no-type") ? "text/plain" : "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": standard.join(" "),
      "x-svc-signature": createHmac("sha256", svcKey).update(signed).digest("hex"),
    };
  }

  function close(): void {
    isClosed = true;
  }

  return { all, send, attempt, close };
}

type DeliveryResult = { status: number | null; retryAfter: number };

async function post(
  url: string,
  text: string,
  headers: Record<string, string>,
  has: HasFault,
): Promise<DeliveryResult> {
  const answer = await exchange(url, { method: "POST", headers }, text).catch(() => null);
  const { location, "retry-after": retryAfter = 0 } = answer?.headers ?? {};
  if (location && has("event-redirect-followed"))
    return post(new URL(location, url).href, text, headers, has);
  return { status: answer?.status ?? null, retryAfter: Number(retryAfter) };
}

import { currentMoment, elapsedMs } from "./elapsed.ts";
import { recordServerTime, serverNow } from "./server-clock.ts";

/** Returned instead of thrown, because SWR stops polling after an error. */
export type FetchFailure =
  | { kind: "gone" }
  /** 401: this browser's sign-in or recovery has ended */
  | { kind: "ended" }
  /** 403: an approval is missing */
  | { kind: "forbidden" }
  | { kind: "rate-limited"; retryAfterSeconds: number }
  /** No response arrived, because this browser or the server is offline. */
  | { kind: "unreachable" }
  /** Any other status, or a response that is not JSON. */
  | { kind: "broken" };

/** Longer than the server waits for its database, so that the server's error response can still arrive. */
export const RESPONSE_TIMEOUT_MS = 15_000;
const RETRY_AFTER_DEFAULT_SECONDS = 30;
const RETRY_AFTER_LIMIT_SECONDS = 10 * 60;

/** Never throws. */
export async function fetchJson(url: string): Promise<{ kind: "ok"; body: unknown } | FetchFailure> {
  let response: Response;
  try {
    response = await fetch(url, { cache: "no-store", signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  } catch {
    return { kind: "unreachable" };
  }
  const { status, headers } = response;
  recordServerTime(headers.get("Date"));
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 429) {
    return { kind: "rate-limited", retryAfterSeconds: parseRetryAfterSeconds(headers.get("Retry-After")) };
  }
  if (status === 401) return { kind: "ended" };
  if (status === 403) return { kind: "forbidden" };
  const body: unknown = await response.json().catch(() => undefined);
  return response.ok && body !== undefined ? { kind: "ok", body } : { kind: "broken" };
}

/** Throws, so that SWR retries. */
export async function fetchJsonOrThrow<Body>(url: string): Promise<Body> {
  const fetched = await fetchJson(url);
  if (fetched.kind !== "ok") throw new Error(`${url}: ${fetched.kind}`);
  return fetched.body as Body;
}

/** At least 1 and at most 600, and 30 if the header is missing or invalid. */
export function parseRetryAfterSeconds(header: string | null): number {
  const seconds = header && /^\d{1,6}$/.test(header) ? Number(header) : RETRY_AFTER_DEFAULT_SECONDS;
  return Math.min(Math.max(seconds, 1), RETRY_AFTER_LIMIT_SECONDS);
}

export function readField(body: unknown, name: string): unknown {
  if (typeof body !== "object" || body === null) return undefined;
  return Object.getOwnPropertyDescriptor(body, name)?.value;
}

export function readTextField(body: unknown, name: string): string | null {
  const value = readField(body, name);
  return typeof value === "string" && value !== "" ? value : null;
}

/**
 * The kinds of sign-in method that can approve a change: a wallet's public key, or a Bitcoin address in the fast login.
 */
const APPROVAL_WAYS = ["public_key", "address"] as const;

export type ApprovalMethod = (typeof APPROVAL_WAYS)[number];

/** The `details` of an `approval_required` error. The first method is the one with which this browser signed in. */
export type ApprovalDetails = { approve_with: ApprovalMethod[] };

/**
 * `body` is the JSON of the server's response. `code`, `message` and `details` come from the server's error. If the
 * change needs an approval, `approval` lists the sign-in methods that can approve it.
 */
export type ChangeResult =
  | { done: true; body?: unknown; approval?: undefined }
  | {
      done: false;
      status: number;
      /** Empty if no response arrived. */
      code: string;
      message: string;
      details?: unknown;
      approval: ApprovalMethod[] | null;
    };

const UNREACHABLE = "We cannot reach the site. Try again.";
/** Longer than the server can take to respond, including its requests to other hosts. */
const TIMEOUT_MS = 40_000;

/**
 * Made at some time between `from` and `to`, on the server's clock, in milliseconds since the epoch with a precision of
 * one second.
 */
export type AppliedChange = { method: string; path: string; from: number; to: number };

const changeListeners = new Set<(change: AppliedChange) => void>();

export function watchChanges(listener: (change: AppliedChange) => void): () => void {
  changeListeners.add(listener);
  return () => void changeListeners.delete(listener);
}

/** Never throws. */
export async function requestChange(path: string, method: string, body?: unknown): Promise<ChangeResult> {
  const sentAt = currentMoment();
  try {
    const response = await fetch(path, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    recordServerTime(response.headers.get("Date"));
    const to = serverNow();
    const from = to - elapsedMs(sentAt);
    const answer: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) {
      for (const listener of changeListeners) listener({ method, path, from, to });
      return { done: true, body: answer };
    }
    const error = readField(answer, "error");
    return {
      done: false,
      status: response.status,
      code: readTextField(error, "code") ?? "",
      message: readTextField(error, "message") ?? UNREACHABLE,
      details: readField(error, "details"),
      approval: readApproval(error),
    };
  } catch {
    return { done: false, status: 0, code: "", message: UNREACHABLE, approval: null };
  }
}

function readApproval(error: unknown): ApprovalMethod[] | null {
  if (readField(error, "code") !== "approval_required") return null;
  const offered = readField(readField(error, "details"), "approve_with");
  const methods = APPROVAL_WAYS.filter((method) => Array.isArray(offered) && offered.includes(method));
  if (Array.isArray(offered)) methods.sort((a, b) => offered.indexOf(a) - offered.indexOf(b));
  return methods.length > 0 ? methods : ["public_key"];
}

/**
 * A 404 means that the object to be removed does not exist. A 401 is still a failure: it only means that this browser
 * is signed out.
 */
export function treatGoneAsDone(result: ChangeResult): ChangeResult {
  return !result.done && result.status === 404 ? { done: true } : result;
}

import { readField, readText } from "./fetch-json.ts";

/** What a user can approve with: a wallet's key (login) or an address (fast login). */
const APPROVAL_WAYS = ["public_key", "address"] as const;

export type ApprovalWay = (typeof APPROVAL_WAYS)[number];

/** The `details` of `approval_required`: what the user can approve with, what this browser signed in with first. */
export type ApprovalDetails = { approve_with: ApprovalWay[] };

/**
 * How a change ended: `body` is what the server answered, if it was JSON; `code`, `message` and `details` are
 * the server's own when it refused; `approval` is what the user can approve it with, when that is what is missing.
 */
export type ChangeResult =
  | { done: true; body?: unknown; approval?: undefined }
  | {
      done: false;
      status: number;
      /** The error's, for words of the page's own; empty where no answer came. */
      code: string;
      message: string;
      details?: unknown;
      approval: ApprovalWay[] | null;
    };

const UNREACHABLE = "We cannot reach the site. Try again.";
/** Longer than the server takes, its own requests to other hosts included. */
const TIMEOUT_MS = 40_000;

/** Asks our own server for a change; never throws. */
export async function requestChange(path: string, method: string, body?: unknown): Promise<ChangeResult> {
  try {
    const response = await fetch(path, {
      method,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined
        ? {}
        : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    const answer: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) return { done: true, body: answer };
    const error = readField(answer, "error");
    return {
      done: false,
      status: response.status,
      code: readText(error, "code") ?? "",
      message: readText(error, "message") ?? UNREACHABLE,
      details: readField(error, "details"),
      approval: readApproval(error),
    };
  } catch {
    return { done: false, status: 0, code: "", message: UNREACHABLE, approval: null };
  }
}

/** What the user can approve with, when an error says that an approval is missing; null for any other answer. */
function readApproval(error: unknown): ApprovalWay[] | null {
  if (readField(error, "code") !== "approval_required") return null;
  const told = readField(readField(error, "details"), "approve_with");
  const ways = APPROVAL_WAYS.filter((way) => Array.isArray(told) && told.includes(way));
  if (Array.isArray(told)) ways.sort((a, b) => told.indexOf(a) - told.indexOf(b));
  return ways.length > 0 ? ways : ["public_key"];
}

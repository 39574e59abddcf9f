import { readField, readText } from "#lib/login/client/fetch-json.ts";
import { APPROVAL_WAYS, type ApprovalWay } from "./details.ts";

/**
 * How a change to the account ended: `body` is what the server answered, if it was JSON; `message` is the server's own
 * when it refused; `approval` is what the user can approve it with, when that is what is missing.
 */
export type ChangeResult =
  | { done: true; body?: unknown; approval?: undefined }
  | { done: false; status: number; message: string; approval: ApprovalWay[] | null };

const UNREACHABLE = "We cannot reach the site. Try again.";

/** Asks for a change to the account; never throws. */
export async function requestChange(path: string, method: string, body?: unknown): Promise<ChangeResult> {
  try {
    const response = await fetch(path, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    const answer: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) return { done: true, body: answer };
    return {
      done: false,
      status: response.status,
      message: readText(readField(answer, "error"), "message") ?? UNREACHABLE,
      approval: readApproval(answer),
    };
  } catch {
    return { done: false, status: 0, message: UNREACHABLE, approval: null };
  }
}

/** What the user can approve with, when an error says that an approval is missing; null for any other answer. */
export function readApproval(body: unknown): ApprovalWay[] | null {
  const error = readField(body, "error");
  if (readField(error, "code") !== "approval_required") return null;
  const told = readField(readField(error, "details"), "approve_with");
  const ways = APPROVAL_WAYS.filter((way) => Array.isArray(told) && told.includes(way));
  if (Array.isArray(told)) ways.sort((a, b) => told.indexOf(a) - told.indexOf(b));
  return ways.length > 0 ? ways : ["public_key"];
}

import type { ApprovalWay } from "#lib/contracts/approval.ts";
import { readApproval } from "./read-approval.ts";
import { readField, readText } from "./read-field.ts";

/**
 * How a change to the account ended: `message` is the server's own when it refused; `approval` is what the user can
 * approve it with, when that is what is missing.
 */
export type ChangeResult =
  | { done: true; approval?: undefined }
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
    if (response.ok) return { done: true };
    const answer: unknown = await response.json();
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

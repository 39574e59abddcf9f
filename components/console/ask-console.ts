import type { ApprovalWay } from "#lib/approval/details.ts";
import { readApproval } from "#lib/approval/request-change.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { readText } from "#lib/login/client/fetch-json.ts";

/**
 * What a change came to: the answer's body, or why it did not happen, in words for people; `approval` is what the
 * user can approve it with, when that is what is missing.
 */
export type ConsoleAnswer =
  | { ok: true; body: unknown; approval?: undefined }
  | ({ ok: false; approval: ApprovalWay[] | null } & ConsoleFailure);

export type ConsoleFailure = {
  message: string;
  /** What is wrong with which field. */
  fields: Record<string, string>;
};

const REQUEST_TIMEOUT_MS = 40_000;

/** Asks the console's endpoints for a change; never throws. */
export async function askConsole(
  mode: ApiMode,
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
): Promise<ConsoleAnswer> {
  try {
    const response = await fetch(`/api/console/${mode}${path}`, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const answer: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) return { ok: true, body: answer };
    return { ok: false, approval: readApproval(answer), ...readFailure(answer) };
  } catch {
    return {
      ok: false,
      approval: null,
      message: "The server did not answer. Check your connection and try again.",
      fields: {},
    };
  }
}

function readFailure(body: unknown): ConsoleFailure {
  const error = readObject(body, "error");
  const fields = readObject(readObject(error, "details"), "fields");
  return {
    message: readText(error, "message") ?? "That did not work. Try again.",
    fields: Object.fromEntries(Object.entries(fields ?? {}).map(([name, text]) => [name, String(text)])),
  };
}

function readObject(value: unknown, name: string): object | null {
  if (typeof value !== "object" || value === null) return null;
  const inner: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return typeof inner === "object" ? inner : null;
}

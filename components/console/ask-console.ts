import { requestChange } from "#lib/approval/request-change.ts";
import type { ApiMode } from "#lib/hosted/contract/tenant.ts";
import { readField } from "#lib/login/client/fetch-json.ts";

/** Why a change did not happen, in words for people. */
export type ConsoleFailure = {
  message: string;
  /** What is wrong with which field. */
  fields: Record<string, string>;
};

/** Asks the console's endpoints for a change; never throws. */
export async function askConsole(
  mode: ApiMode,
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
) {
  const result = await requestChange(`/api/console/${mode}${path}`, method, body);
  return result.done ? result : { ...result, fields: readFields(result.details) };
}

function readFields(details: unknown): Record<string, string> {
  const fields: object = Object(readField(details, "fields"));
  return Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, String(text)]));
}

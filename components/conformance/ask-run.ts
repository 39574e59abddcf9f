import { saveFile } from "#components/ui/save-file.ts";
import { readField, readText } from "#lib/login/client/fetch-json.ts";

const BASE = "/api/conformance";
const UNREACHABLE = "We cannot reach the site. Try again.";

/** What the server said of a run. `over`: it no longer knows the run. */
export type RunAnswer<Body> =
  | { kind: "ok"; body: Body }
  | { kind: "over" }
  | { kind: "unreachable" }
  | { kind: "refused"; message: string };

/** Asks our own server; `Body` is what its endpoint answers. Never throws. */
export async function askRun<Body>(
  path: "/runs" | "/run" | "/run/codes" | "/run/words",
  secret: string | null,
  body?: unknown,
): Promise<RunAnswer<Body>> {
  const headers: Record<string, string> = secret === null ? {} : { Authorization: `Bearer ${secret}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const method = path === "/run" ? "GET" : "POST";
  try {
    const response = await fetch(BASE + path, {
      method,
      headers,
      body: JSON.stringify(body),
      cache: "no-store",
    });
    if (response.status === 404) return { kind: "over" };
    const answer = response.status === 204 ? null : await response.json();
    if (response.ok) return { kind: "ok", body: answer as Body };
    const message = readText(readField(answer, "error"), "message") ?? UNREACHABLE;
    return { kind: "refused", message };
  } catch {
    return { kind: "unreachable" };
  }
}

/** Has the browser save the report of a run. @returns false where it could not be read */
export async function downloadReport(secret: string, format: "html" | "json"): Promise<boolean> {
  try {
    const response = await fetch(`${BASE}/run/report?format=${format}`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    if (!response.ok) return false;
    saveFile(`wallet-report.${format}`, await response.blob());
    return true;
  } catch {
    return false;
  }
}

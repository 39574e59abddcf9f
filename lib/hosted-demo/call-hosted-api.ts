import "server-only";
import type { z } from "zod";
import { BASE_PATHS } from "#lib/hosted/contract/tenant.ts";
import { env } from "#lib/platform/env.ts";
import { ApiError } from "#lib/platform/http/api-error.ts";
import { log } from "#lib/platform/log.ts";
import { demoApiKey } from "./demo-secrets.ts";

const TIMEOUT_MS = 10_000;

/**
 * Posts to the hosted API as a customer's server does: over HTTP, with the API key that only the server holds.
 * @param schema what the answer has to be
 * @returns the answer, or the status of a refusal that the caller can act on
 * @throws {ApiError} 503 when the API has no answer for us
 */
export async function callHostedApi<Schema extends z.ZodType>(
  path: string,
  body: unknown,
  schema: Schema,
): Promise<{ answer: z.output<Schema> } | { refused: number }> {
  try {
    const response = await fetch(env().APP_URL.origin + BASE_PATHS.test + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${demoApiKey()}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return { answer: schema.parse(await response.json()) };
    if (response.status < 500 && response.status !== 429) return { refused: response.status };
    throw new Error(`the hosted API answered ${response.status}`);
  } catch (error) {
    log().warn({ error }, "hosted API not reached by the demo");
    throw new ApiError("service_unavailable", "The hosted API has no answer. Try again in a moment.", {
      headers: { "Retry-After": "2" },
    });
  }
}

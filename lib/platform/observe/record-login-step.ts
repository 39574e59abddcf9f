import type { LoginStep } from "#lib/login/server/core.ts";
import { log, shortSid } from "../log.ts";
import { meters } from "./meters.ts";

/**
 * Records a step of a login: one line in the log, with the same fields in every flow, and one count. The line holds
 * the first characters of the sid alone.
 */
export function recordLoginStep({ requestId, flow, sid, outcome, reason }: LoginStep): void {
  meters()?.login({ flow, outcome, reason: reason ?? "" });
  const level = outcome === "issued" ? "debug" : "info";
  log()[level](
    { requestId, flow, session: sid === null ? null : shortSid(sid), outcome, reason },
    `login ${outcome}`,
  );
}

import { processSingleton } from "#packages/login/process/state.ts";
import type { LoginStep } from "#packages/login/server/core.ts";
import { log, shortSid } from "../log.ts";

/**
 * The metrics of the process for `/metrics`. Without METRICS_TOKEN, nothing is counted and `prometheus.ts` is not
 * loaded.
 */

export type Meters = {
  /** A request was answered, or its client disconnected. `route` is a pattern, never a path. */
  answered(request: { method: string; route: string; status: string; seconds: number }): void;
  /** A step of a login. `reason` is one of a small, fixed set of values, because it is a label of the metric. */
  login(step: Pick<LoginStep, "flow" | "outcome"> & { reason: string }): void;
  /** An attempt to send an event has ended. */
  eventAttempted(outcome: "delivered" | "retry" | "failed", seconds: number): void;
  /** A wrong recovery code was entered, to recover an account or to check the code. */
  wrongRecoveryCode(): void;
  /** All metrics in Prometheus' text format, with current readings. */
  render(readings: Readings): Promise<string>;
};

/** Values that are read on request instead of being counted. A value is null while it is unknown. */
export type Readings = {
  streams: number;
  pool: { total: number; idle: number; waiting: number };
  /** Pending events, and the seconds since the oldest was created; null while the database is unreachable. */
  events: { pending: number; oldestSeconds: number } | null;
};

const holder = processSingleton<{ meters: Meters | null }>("meters", () => ({ meters: null }));

/** Returns the process's meters, or null without METRICS_TOKEN. */
export function meters(): Meters | null {
  return holder().meters;
}

/** Sets the process's meters; called once, at start. */
export function provideMeters(value: Meters): void {
  holder().meters = value;
}

/**
 * Records a step of a login: one line in the log, with the same fields in every flow, and one count. The line holds
 * only the first characters of the sid.
 */
export function recordLoginStep({ requestId, flow, sid, outcome, reason }: LoginStep): void {
  meters()?.login({ flow, outcome, reason: reason ?? "" });
  const level = outcome === "issued" ? "debug" : "info";
  log()[level](
    { requestId, flow, session: sid === null ? null : shortSid(sid), outcome, reason },
    `login ${outcome}`,
  );
}

import { processSingleton } from "#packages/login/process/state.ts";
import type { LoginStep } from "#packages/login/server/core.ts";
import { abbreviateSid, log } from "../log.ts";

/**
 * The process's metrics for `/metrics`. Without METRICS_TOKEN, nothing is counted and `prometheus.ts` is not loaded.
 */

export type Meters = {
  /** Called when a request has been answered or its client has disconnected. `route` is a pattern and never a path. */
  answered(request: { method: string; route: string; status: string; seconds: number }): void;
  /** Called for each step of a login. `reason` is a label of the metric, so it must be one of a few fixed values. */
  login(step: Pick<LoginStep, "flow" | "outcome"> & { reason: string }): void;
  /** Called when an attempt to send an event has ended. */
  eventAttempted(outcome: "delivered" | "retry" | "failed", seconds: number): void;
  /** Called when a wrong recovery code was entered, either to recover an account or to check the code. */
  wrongRecoveryCode(): void;
  /** Returns all metrics in Prometheus's text format, including the current readings. */
  render(readings: MeterReadings): Promise<string>;
};

/** Values that are read when the metrics are requested. Null if unknown. */
export type MeterReadings = {
  streams: number;
  pool: { total: number; idle: number; waiting: number };
  /** The pending events, and the seconds since the oldest was created. Null if the database is unreachable. */
  events: { pending: number; oldestSeconds: number } | null;
};

const holder = processSingleton<{ meters: Meters | null }>("meters", () => ({ meters: null }));

/** Returns the process's metrics, or null without METRICS_TOKEN. */
export function getMeters(): Meters | null {
  return holder().meters;
}

/** Called once, at startup. */
export function setMeters(value: Meters): void {
  holder().meters = value;
}

/**
 * Records a step of a login in the metrics and as a log line, which has the same fields in every flow. The line
 * contains only the beginning of the sid.
 */
export function recordLoginStep({ requestId, flow, sid, outcome, reason }: LoginStep): void {
  getMeters()?.login({ flow, outcome, reason: reason ?? "" });
  const level = outcome === "issued" ? "debug" : "info";
  log()[level](
    { requestId, flow, session: sid === null ? null : abbreviateSid(sid), outcome, reason },
    `login ${outcome}`,
  );
}

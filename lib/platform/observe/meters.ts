import { processSingleton } from "#packages/login/process/state.ts";
import type { LoginStep } from "#packages/login/server/core.ts";
import { abbreviateSid, log } from "../log.ts";

/** Without METRICS_TOKEN, nothing is counted and `prometheus.ts` is not loaded. */

export type Meters = {
  /** Called when a request has been answered or its client has disconnected. `route` is a pattern and never a path. */
  answered(request: { method: string; route: string; status: string; seconds: number }): void;
  /** `reason` is a label of the metric, so it must be one of a few fixed values. */
  login(step: Pick<LoginStep, "flow" | "outcome"> & { reason: string }): void;
  eventAttempted(outcome: "delivered" | "retry" | "failed", seconds: number): void;
  /** Either to recover an account or to check the code. */
  wrongRecoveryCode(): void;
  /** In Prometheus's text format. */
  render(readings: MeterReadings): Promise<string>;
};

/** Read when the metrics are requested. Null if unknown. */
export type MeterReadings = {
  streams: number;
  pool: { total: number; idle: number; waiting: number };
  /** Null if the database is unreachable. */
  events: { pending: number; oldestSeconds: number } | null;
};

const holder = processSingleton<{ meters: Meters | null }>("meters", () => ({ meters: null }));

/** Null without METRICS_TOKEN. */
export function getMeters(): Meters | null {
  return holder().meters;
}

/** Called once, at startup. */
export function setMeters(value: Meters): void {
  holder().meters = value;
}

/** The log line has the same fields in every flow, and contains only the beginning of the sid. */
export function recordLoginStep({ requestId, flow, sid, outcome, reason }: LoginStep): void {
  getMeters()?.login({ flow, outcome, reason: reason ?? "" });
  const level = outcome === "issued" ? "debug" : "info";
  log()[level](
    { requestId, flow, session: sid === null ? null : abbreviateSid(sid), outcome, reason },
    `login ${outcome}`,
  );
}

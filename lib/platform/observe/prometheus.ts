import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Meters } from "./meters.ts";

/** Some bounds are around the usual duration of a request (docs/performance.md). */
const REQUEST_BUCKETS_SECONDS = [0.005, 0.025, 0.1, 0.5, 2.5];
const EVENT_BUCKETS_SECONDS = [0.1, 0.5, 2, 5, 15];

/** The number of label values is limited: they are patterns, statuses, and fixed words in this code. */
export function createPrometheusMeters(): Meters {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "svc_http_requests_total",
    help: "Requests answered, by method, route pattern and status.",
    labelNames: ["method", "route", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "svc_http_request_duration_seconds",
    help: "From a request's headers to the end of its answer, by route pattern.",
    labelNames: ["route"],
    buckets: REQUEST_BUCKETS_SECONDS,
    registers,
  });
  const logins = new Counter({
    name: "svc_login_steps_total",
    help: "Steps of logins: challenges issued, wallet responses accepted or refused and why, browsers signed in.",
    labelNames: ["flow", "outcome", "reason"],
    registers,
  });
  const wrongCodes = new Counter({
    name: "svc_recovery_wrong_codes_total",
    help: "Recovery codes that did not work, entered or checked.",
    registers,
  });
  const attempts = new Counter({
    name: "svc_event_attempts_total",
    help: "Attempts to send an outgoing event, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const attemptDurations = new Histogram({
    name: "svc_event_attempt_duration_seconds",
    help: "How long endpoints take to answer an event.",
    buckets: EVENT_BUCKETS_SECONDS,
    registers,
  });
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers });
  const streams = gauge("svc_event_streams", "Open event streams of waiting browsers.");
  const pending = gauge(
    "svc_events_pending",
    "Outgoing events that wait for an attempt, in the whole database.",
  );
  const oldest = gauge(
    "svc_events_oldest_pending_seconds",
    "Age of the oldest of them; 0 when there is none.",
  );
  const databaseUp = gauge("svc_database_up", "1 when the database answered this very request for metrics.");
  const pool = new Gauge({
    name: "svc_database_connections",
    help: "Connections of the pool: all, idle, and callers that wait for one.",
    labelNames: ["state"],
    registers,
  });

  return {
    answered({ seconds, ...labels }) {
      requests.inc(labels);
      durations.observe({ route: labels.route }, seconds);
    },
    login: (step) => logins.inc(step),
    wrongRecoveryCode: () => wrongCodes.inc(),
    eventAttempted(outcome, seconds) {
      attempts.inc({ outcome });
      attemptDurations.observe(seconds);
    },
    render(readings) {
      streams.set(readings.streams);
      for (const [state, count] of Object.entries(readings.pool)) pool.set({ state }, count);
      databaseUp.set(readings.events ? 1 : 0);
      // NaN if unknown, so that no outdated value is reported.
      pending.set(readings.events?.pending ?? Number.NaN);
      oldest.set(readings.events?.oldestSeconds ?? Number.NaN);
      return registry.metrics();
    },
  };
}

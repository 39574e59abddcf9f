import { expect, test } from "vitest";
import { createPrometheusMeters } from "./prometheus.ts";

const READINGS = {
  streams: 3,
  pool: { total: 10, idle: 7, waiting: 2 },
  events: { pending: 4, oldestSeconds: 61 },
};

test("renders counters, readings and process metrics in the Prometheus text format", async () => {
  const meters = createPrometheusMeters();
  const request = { method: "GET", route: "/api/svc/check", status: "200", seconds: 0.02 };
  meters.answered(request);
  meters.answered({ ...request, seconds: 0.2 });
  meters.login({ flow: "login", outcome: "refused", reason: "challenge_expired" });
  meters.eventAttempted("retry", 1);
  meters.wrongRecoveryCode();
  const lines = (await meters.render(READINGS)).split("\n");
  for (const line of [
    'svc_http_requests_total{method="GET",route="/api/svc/check",status="200"} 2',
    'svc_http_request_duration_seconds_bucket{le="0.025",route="/api/svc/check"} 1',
    'svc_http_request_duration_seconds_count{route="/api/svc/check"} 2',
    'svc_login_steps_total{flow="login",outcome="refused",reason="challenge_expired"} 1',
    'svc_event_attempts_total{outcome="retry"} 1',
    "svc_recovery_wrong_codes_total 1",
    "svc_event_streams 3",
    'svc_database_connections{state="waiting"} 2',
    "svc_events_pending 4",
    "svc_events_oldest_pending_seconds 61",
    "svc_database_up 1",
  ]) {
    expect(lines).toContain(line);
  }
  const names = lines.filter((line) => line.startsWith("# TYPE")).map((line) => line.split(" ")[2]);
  expect(names).toEqual(
    expect.arrayContaining(["nodejs_eventloop_lag_seconds", "process_resident_memory_bytes"]),
  );
});

test("reports an unreachable database and omits its readings", async () => {
  const meters = createPrometheusMeters();
  await meters.render(READINGS);
  const lines = (await meters.render({ ...READINGS, events: null })).split("\n");
  expect(lines).toContain("svc_database_up 0");
  expect(lines).toContain("svc_events_pending Nan");
});

import { setFlagsFromString } from "node:v8";
import { startJobs } from "#lib/operations/jobs/start-jobs.ts";
import { env } from "#lib/platform/env.ts";
import { setMeters } from "#lib/platform/observe/meters.ts";
import { setTracing } from "#lib/platform/observe/tracing.ts";
import { loadBuiltRoutes } from "./built-routes.ts";
import { ignoreClosedOutput } from "./operator-output.ts";

/** Must end before the process answers a request. */
export async function startProcess(): Promise<void> {
  ignoreClosedOutput();
  await startObserving();
  await startJobs();
  // In development there is no build.
  if (process.env.NODE_ENV !== "production") return;
  await loadBuiltRoutes();
  // By default, V8 fully optimises a function only after 3,000 calls, but a login calls most of its functions once.
  setFlagsFromString("--invocation-count-for-turbofan=600");
}

/** The code of metrics and tracing is loaded only if they are configured. */
async function startObserving(): Promise<void> {
  const { METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG } = env();
  if (METRICS_TOKEN !== undefined) {
    const { createPrometheusMeters } = await import("#lib/platform/observe/prometheus.ts");
    setMeters(createPrometheusMeters());
  }
  if (OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { createOpenTelemetryTracing } = await import("#lib/platform/observe/opentelemetry.ts");
    setTracing(
      createOpenTelemetryTracing({ serviceName: OTEL_SERVICE_NAME, sampled: OTEL_TRACES_SAMPLER_ARG }),
    );
  }
}

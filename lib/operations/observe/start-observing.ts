import "server-only";
import { env } from "#lib/platform/env.ts";
import { provideMeters } from "#lib/platform/observe/meters.ts";
import { provideTracing } from "#lib/platform/observe/tracing.ts";

/** Starts to count and to trace, where the configuration asks for it; else nothing of either is loaded. */
export async function startObserving(): Promise<void> {
  const { METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME, OTEL_TRACES_SAMPLER_ARG } = env();
  if (METRICS_TOKEN !== undefined) {
    const { prometheusMeters } = await import("#lib/platform/observe/prometheus.ts");
    provideMeters(prometheusMeters());
  }
  if (OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { openTelemetryTracing } = await import("#lib/platform/observe/opentelemetry.ts");
    provideTracing(
      openTelemetryTracing({ serviceName: OTEL_SERVICE_NAME, sampled: OTEL_TRACES_SAMPLER_ARG }),
    );
  }
}

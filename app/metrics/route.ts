import { readMetrics } from "#lib/operations/read-metrics.ts";
import { createEndpoint } from "#lib/platform/http/endpoint.ts";

/** For Prometheus. METRICS_TOKEN protects the metrics. */
export const GET = createEndpoint({}, async ({ request }) => {
  const text = await readMetrics(request.headers.get("authorization"));
  return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
});

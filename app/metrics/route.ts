import { readMetrics } from "#lib/operations/read-metrics.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";

/** The process's metrics for Prometheus, guarded by METRICS_TOKEN. */
export const GET = endpoint({}, async ({ request }) => {
  const text = await readMetrics(request.headers.get("authorization"));
  return new Response(text, { headers: { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" } });
});

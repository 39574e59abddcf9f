import { renderHtml } from "#lib/conformance/report/html.ts";
import { readReport } from "#lib/conformance-runs/run.ts";
import { env } from "#lib/platform/env.ts";
import { jsonResponse } from "#lib/platform/http/call.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import { coreOf } from "#lib/platform/login.ts";

/** The report of the browser's run: `?format=html` as one page, otherwise JSON. */
export const GET = endpoint({ limit: "conformance-run", countedWithQuery: true }, async (call) => {
  const report = await readReport(coreOf(call), call.request.headers);
  if (call.query.format !== "html") return jsonResponse(200, report);
  const guide = new URL("/docs/guides/conformance", env().APP_URL).href;
  return new Response(renderHtml(report, guide), {
    headers: { "Content-Type": "text/html; charset=utf-8", "Content-Disposition": "attachment" },
  });
});

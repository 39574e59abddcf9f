import { CaseReport, ShowCode } from "#lib/conformance-runs/messages.ts";
import { readReport, readRun, recordReport, showCode, startRun } from "#lib/conformance-runs/run.ts";
import { loginCore } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { endpoint } from "#lib/platform/http/endpoint.ts";
import type { CONFORMANCE_ROUTES } from "#lib/routes/api-routes.ts";
import { mountOperations } from "#lib/routes/mount-operations.ts";
import { renderHtml } from "#packages/conformance/report/render.ts";
import { jsonResponse } from "#packages/login/http/call.ts";
import { parseBody } from "#packages/login/http/read-body.ts";

/** This browser's run of the conformance kit against a wallet on a phone. */
export const { GET, POST } = mountOperations<typeof CONFORMANCE_ROUTES>({
  /** Starts a run for this browser. */
  "POST /api/conformance/runs": endpoint({ limit: "conformance-runs", ownPagesOnly: true }, async () =>
    jsonResponse(201, await startRun(loginCore())),
  ),

  /** The state of the run. */
  "GET /api/conformance/run": endpoint({ limit: "conformance-run" }, async (call) =>
    jsonResponse(200, await readRun(loginCore(), call.request.headers)),
  ),

  /** Shows the code of a case. */
  "POST /api/conformance/run/codes": endpoint({ limit: "conformance-codes" }, async (call) => {
    const { case: caseId } = await parseBody(call.request, ShowCode);
    return jsonResponse(201, await showCode(loginCore(), call.request.headers, caseId));
  }),

  /** Records the user's report about a case. */
  "POST /api/conformance/run/words": endpoint({ limit: "conformance-run" }, async (call) => {
    const report = await parseBody(call.request, CaseReport);
    await recordReport(loginCore(), call.request.headers, report);
    return new Response(null, { status: 204 });
  }),

  /** The report: `?format=html` as one page, otherwise JSON. */
  "GET /api/conformance/run/report": endpoint({ limit: "conformance-run" }, async (call) => {
    const report = await readReport(loginCore(), call.request.headers);
    if (call.query.format !== "html") return jsonResponse(200, report);
    const { origin } = env().APP_URL;
    const page = renderHtml(report, (place) => `${origin}/docs/guides/${place.page}#${place.anchor}`);
    return new Response(page, {
      headers: { "Content-Type": "text/html; charset=utf-8", "Content-Disposition": "attachment" },
    });
  }),
});

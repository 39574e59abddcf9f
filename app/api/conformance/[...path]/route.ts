import { CaseReport, ShowCodeRequest } from "#lib/conformance-runs/messages.ts";
import {
  issueCaseCode,
  readRun,
  readRunReport,
  recordCaseReport,
  startRun,
} from "#lib/conformance-runs/run.ts";
import { loginCore } from "#lib/login.ts";
import { env } from "#lib/platform/env.ts";
import { createEndpoint } from "#lib/platform/http/endpoint.ts";
import type { CONFORMANCE_ROUTES } from "#lib/routes/api-routes.ts";
import { mountOperations } from "#lib/routes/mount-operations.ts";
import { renderHtml } from "#packages/conformance/report/render.ts";
import { jsonResponse } from "#packages/login/http/call.ts";
import { parseBody } from "#packages/login/http/read-body.ts";

export const { GET, POST } = mountOperations<typeof CONFORMANCE_ROUTES>({
  "POST /api/conformance/runs": createEndpoint({ limit: "conformance-runs", ownPagesOnly: true }, async () =>
    jsonResponse(201, await startRun(loginCore())),
  ),

  "GET /api/conformance/run": createEndpoint({ limit: "conformance-run" }, async (call) =>
    jsonResponse(200, await readRun(loginCore(), call.request.headers)),
  ),

  "POST /api/conformance/run/codes": createEndpoint({ limit: "conformance-codes" }, async (call) => {
    const { case: caseId } = await parseBody(call.request, ShowCodeRequest);
    return jsonResponse(201, await issueCaseCode(loginCore(), call.request.headers, caseId));
  }),

  "POST /api/conformance/run/words": createEndpoint({ limit: "conformance-run" }, async (call) => {
    const report = await parseBody(call.request, CaseReport);
    await recordCaseReport(loginCore(), call.request.headers, report);
    return new Response(null, { status: 204 });
  }),

  /** One HTML page for `?format=html`, otherwise JSON. */
  "GET /api/conformance/run/report": createEndpoint({ limit: "conformance-run" }, async (call) => {
    const report = await readRunReport(loginCore(), call.request.headers);
    if (call.query.format !== "html") return jsonResponse(200, report);
    const { origin } = env().APP_URL;
    const page = renderHtml(report, (place) => `${origin}/docs/guides/${place.page}#${place.anchor}`);
    return new Response(page, {
      headers: { "Content-Type": "text/html; charset=utf-8", "Content-Disposition": "attachment" },
    });
  }),
});

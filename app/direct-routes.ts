import { GET as healthz } from "#app/healthz/route.ts";
import * as sandbox from "#app/sandbox/v1/[...path]/route.ts";
import * as live from "#app/v1/[...path]/route.ts";
import { POST as webhookSessions } from "#app/webhook/sessions/[id]/route.ts";
import { login } from "#lib/login.ts";
import { assertDatabaseAnswers } from "#lib/platform/database/readiness.ts";
import { directHandlers } from "#lib/platform/http/direct-handlers.ts";
import { FAST_WEBHOOK_PATH } from "#packages/login/plugins/fast/protocol.ts";
import type { WebRequest } from "#packages/login/server/web-request.ts";

const NO_PARAMS = { params: Promise.resolve(undefined) };

/** Gives the server in front of the framework the handlers that every login uses. */
export function registerDirectRoutes(): void {
  const { at, below } = directHandlers;
  directHandlers.assertDatabaseAnswers = assertDatabaseAnswers;
  for (const method of ["GET", "HEAD"]) {
    // Health checks do not wait behind pages.
    at.set(`${method} /healthz`, async () => healthz());
    at.set(`${method} /api/getqrcode`, login.routes.GET);
    at.set(`${method} /api/checkfast`, login.routes.GET);
  }
  for (const method of ["GET", "POST"]) at.set(`${method} ${FAST_WEBHOOK_PATH}`, login.routes.POST);
  // The gate has already moved a GET for a page to another path (scripts/server/gate.ts).
  below.set("/webhook/login", login.routes.POST);
  below.set("/webhook/register", login.routes.POST);
  below.set("/webhook/undo", login.routes.POST);
  below.set("/api/svc/", login.routes.GET);
  below.set("/api/auth/", login.auth.GET);
  below.set("/v1/", (request) => live.POST(request, NO_PARAMS));
  below.set("/sandbox/v1/", (request) => sandbox.POST(request, NO_PARAMS));
  below.set("/webhook/sessions/", (request) =>
    webhookSessions(request, { params: Promise.resolve({ id: lastSegment(request) }) }),
  );
}

// The gate has checked that one validly encoded segment follows.
function lastSegment({ url }: WebRequest): string {
  const { pathname } = new URL(url);
  return decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
}

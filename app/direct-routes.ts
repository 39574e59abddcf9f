import { GET as checkfast } from "#app/api/checkfast/route.ts";
import { GET as fastauth } from "#app/api/fastauth/route.ts";
import { GET as getqrcode } from "#app/api/getqrcode/route.ts";
import { GET as check } from "#app/api/svc/check/route.ts";
import { GET as events } from "#app/api/svc/events/route.ts";
import { GET as qr } from "#app/api/svc/qr/route.ts";
import { POST as signIn } from "#app/api/svc/sign-in/route.ts";
import { GET as healthz } from "#app/healthz/route.ts";
import * as sandbox from "#app/sandbox/v1/[...path]/route.ts";
import * as live from "#app/v1/[...path]/route.ts";
import { POST as webhookLogin } from "#app/webhook/login/route.ts";
import { POST as webhookRegister } from "#app/webhook/register/route.ts";
import { POST as webhookSessions } from "#app/webhook/sessions/[id]/route.ts";
import { FAST_WEBHOOK_PATH } from "#lib/fast/protocol.ts";
import { assertDatabaseAnswers } from "#lib/platform/database/readiness.ts";
import { directHandlers } from "#lib/platform/http/direct-handlers.ts";
import type { WebRequest } from "#lib/platform/http/web-request.ts";
import { answerAuth } from "#lib/sign-in/answer-auth.ts";

const NO_PARAMS = { params: Promise.resolve(undefined) };

/** Hands the handlers that every login passes to the server in front of the framework. */
export function registerDirectRoutes(): void {
  const { at, below } = directHandlers;
  directHandlers.assertDatabaseAnswers = assertDatabaseAnswers;
  for (const method of ["GET", "HEAD"]) {
    // It waits for no page's turn.
    at.set(`${method} /healthz`, async () => healthz());
    at.set(`${method} /api/svc/qr`, (request) => qr(request, NO_PARAMS));
    at.set(`${method} /api/svc/check`, (request) => check(request, NO_PARAMS));
    at.set(`${method} /api/getqrcode`, (request) => getqrcode(request, NO_PARAMS));
    at.set(`${method} /api/checkfast`, (request) => checkfast(request, NO_PARAMS));
  }
  at.set("GET /api/svc/events", (request) => events(request, NO_PARAMS));
  for (const method of ["GET", "POST"]) {
    at.set(`${method} ${FAST_WEBHOOK_PATH}`, (request) => fastauth(request, NO_PARAMS));
  }
  at.set("POST /webhook/login", (request) => webhookLogin(request, NO_PARAMS));
  at.set("POST /webhook/register", (request) => webhookRegister(request, NO_PARAMS));
  at.set("POST /api/svc/sign-in", (request) => signIn(request, NO_PARAMS));
  at.set("GET /api/auth/csrf", (request) => answerAuth(request, ["csrf"]));
  at.set("GET /api/auth/session", (request) => answerAuth(request, ["session"]));
  for (const provider of ["svc", "fast", "hosted"]) {
    at.set(`POST /api/auth/callback/${provider}`, (request) => answerAuth(request, ["callback", provider]));
  }
  below.set("/v1/", (request) => live.POST(request, NO_PARAMS));
  below.set("/sandbox/v1/", (request) => sandbox.POST(request, NO_PARAMS));
  below.set("/webhook/sessions/", (request) =>
    webhookSessions(request, { params: Promise.resolve({ id: lastSegment(request) }) }),
  );
}

// The gate has seen that the path has one segment there, validly encoded.
function lastSegment({ url }: WebRequest): string {
  const { pathname } = new URL(url);
  return decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
}

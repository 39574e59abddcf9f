import { GET as check } from "#app/api/svc/check/route.ts";
import { GET as events } from "#app/api/svc/events/route.ts";
import { GET as qr } from "#app/api/svc/qr/route.ts";
import { POST as webhookLogin } from "#app/webhook/login/route.ts";
import { POST as webhookRegister } from "#app/webhook/register/route.ts";
import { directHandlers } from "#lib/core/http/direct-handlers.ts";
import { answerAuth } from "#lib/flows/auth/answer-auth.ts";

const NO_PARAMS = { params: Promise.resolve(undefined) };

/** Hands the handlers that every login passes to the server in front of the framework. */
export function registerDirectRoutes(): void {
  const handlers = directHandlers();
  for (const method of ["GET", "HEAD"]) {
    handlers.set(`${method} /api/svc/qr`, (request) => qr(request, NO_PARAMS));
    handlers.set(`${method} /api/svc/check`, (request) => check(request, NO_PARAMS));
  }
  handlers.set("GET /api/svc/events", (request) => events(request, NO_PARAMS));
  handlers.set("POST /webhook/login", (request) => webhookLogin(request, NO_PARAMS));
  handlers.set("POST /webhook/register", (request) => webhookRegister(request, NO_PARAMS));
  handlers.set("GET /api/auth/csrf", (request) => answerAuth(request, ["csrf"]));
  handlers.set("GET /api/auth/session", (request) => answerAuth(request, ["session"]));
  for (const provider of ["svc", "fast", "hosted"]) {
    handlers.set(`POST /api/auth/callback/${provider}`, (request) =>
      answerAuth(request, ["callback", provider]),
    );
  }
}

import "server-only";
import { signOut } from "#lib/account/end-sessions.ts";
import { recoveryRules } from "#lib/account/take-recovery-effect.ts";
import type { TokenClaims } from "#lib/login/server/session-token.ts";
import { assertDatabaseAnswers } from "#lib/platform/database/readiness.ts";
import { REQUEST_ID, requireClient } from "#lib/platform/http/client-stamp.ts";
import { renderError } from "#lib/platform/http/endpoint.ts";
import { limitOfClient } from "#lib/platform/http/rate-limit.ts";
import type { WebRequest } from "#lib/platform/http/web-request.ts";
import { log } from "#lib/platform/log.ts";
import { loginCore } from "#lib/platform/login.ts";
import { recoveringBrowser } from "#lib/recovery/recovering-browser.ts";
import { answerAuthCall } from "./answer-auth-call.ts";
import { REDEEMABLE_FLOWS } from "./flows.ts";

/**
 * NextAuth's endpoints in this application.
 * @param path the segments below `/api/auth/`
 */
export async function answerAuth(request: WebRequest, path: string[]): Promise<Response> {
  const { recovering, setCookie } = recoveringBrowser(loginCore(), request.headers, recoveryRules());
  const { svc, fast } = REDEEMABLE_FLOWS;
  const door = {
    core: loginCore(),
    flows: { ...REDEEMABLE_FLOWS, svc: recovering(svc), fast: recovering(fast) },
    userIdOf: async ({ userId }: TokenClaims) => userId,
    log: (level: "error" | "debug", code: string, error?: unknown) =>
      log()[level]({ code, error }, "next-auth"),
    signOut,
    assertDatabaseAnswers: async () => {
      requireClient(request);
      await assertDatabaseAnswers();
    },
    failures: () => limitOfClient("failed-sign-in", request),
    render: (error: unknown) => renderError(error, request.headers.get(REQUEST_ID) ?? ""),
  };
  const response = await answerAuthCall(door, request, path);
  const cookie = setCookie();
  if (cookie) response.headers.append("Set-Cookie", cookie);
  return response;
}

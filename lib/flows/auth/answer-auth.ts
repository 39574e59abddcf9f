import "server-only";
import type { NextApiRequest, NextApiResponse } from "next";
import NextAuth from "next-auth";
import { ApiError } from "#lib/core/api-error.ts";
import { env } from "#lib/core/env.ts";
import { expiredBrowserCookie, readBrowserCookie } from "#lib/core/http/browser-cookie.ts";
import { countAfterwards, renderError } from "#lib/core/http/endpoint.ts";
import { REQUEST_ID } from "#lib/core/http/headers.ts";
import { limitOfClient } from "#lib/core/http/rate-limit.ts";
import { assertDatabaseAnswers } from "#lib/store/readiness.ts";
import { authOptions } from "./auth-options.ts";
import { AuthResponse } from "./auth-response.ts";
import { signOut } from "./end-sessions.ts";
import { readAuthRequest } from "./read-auth-request.ts";
import { sessionCookie } from "./session-cookie.ts";

/**
 * NextAuth's endpoints, with the error path of the others around them: NextAuth itself answers malformed bodies with
 * an empty 500, and tells the caller the text of whatever failed while signing in.
 *
 * Sign-ins that fail are counted by the client's address. One that succeeds is never refused for those that failed
 * (decision 25).
 * @param path the segments below `/api/auth/`
 */
export async function answerAuth(request: Request, path: string[]): Promise<Response> {
  const render = (error: unknown) => renderError(error, request.headers.get(REQUEST_ID) ?? "");
  const response = await askNextAuth(request, path).catch(render);
  const failed =
    path[0] === "callback" && request.method === "POST" && response.status < 500 && !signsIn(response);
  return failed ? countAfterwards(limitOfClient("failed-sign-in", request), response, render) : response;
}

function signsIn(response: Response): boolean {
  const { name } = sessionCookie();
  return response.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}=;`));
}

/** Calls it in the form that NextAuth has for API routes, which needs nothing of the framework's around it. */
async function askNextAuth(request: Request, path: string[]): Promise<Response> {
  // It writes into our log whatever a stranger sends.
  if (path[0] === "_log") throw new ApiError("not_found", "There is nothing at this address.");
  // What signs in is a POST; NextAuth would answer a GET with a 500.
  if (path[0] === "callback" && request.method !== "POST") {
    throw new ApiError("method_not_allowed", "This address answers POST.", { headers: { Allow: "POST" } });
  }
  // Not even a token for a form is given out while its form could not be taken.
  await assertDatabaseAnswers();
  const failures: unknown[] = [];
  const response = new AuthResponse();
  const read = await readAuthRequest(request, path);
  // The parts of the framework's two types that NextAuth uses.
  const call = [read as unknown as NextApiRequest, response as unknown as NextApiResponse] as const;
  const secret = readBrowserCookie(request.headers.get("cookie"), env().SECURE);
  let signedOut = false;
  await NextAuth(
    ...call,
    authOptions(
      (error) => failures.push(error),
      async (session) => {
        await signOut(session, secret);
        signedOut = true;
      },
    ),
  );
  if (failures.length > 0) throw failures[0];
  const answer = response.toWebResponse();
  if (signedOut) answer.headers.append("Set-Cookie", expiredBrowserCookie(env().SECURE));
  return answer;
}

import type { NextApiRequest, NextApiResponse } from "next";
import imported from "next-auth";
import { ApiError } from "../http/api-error.ts";
import { countAfterwards } from "../http/call.ts";
import type { RequestLimit } from "../http/request-limit.ts";
import type { WebRequest } from "../http/web-request.ts";
import { type AuthSettings, authOptions } from "../server/auth-options.ts";
import { expiredBindingSetCookie, readBindingSecret } from "../server/cookies.ts";
import { isSecure, type LoginCore } from "../server/core.ts";
import { sessionCookieName, type TokenClaims } from "../server/session-token.ts";
import { AuthResponse, readAuthRequest } from "./auth-exchange.ts";

export type AuthDoor = Pick<AuthSettings, "flows" | "log" | "userIdOf"> & {
  core: LoginCore;
  /** Ends a browser's session, if it has one, and the logins in progress of the browser that holds the secret. */
  signOut: (session: TokenClaims | null, secret: string | null) => Promise<void>;
  /** Throws while the database is away: not even a token for a form is given out while its form could not be taken. */
  assertDatabaseAnswers: () => Promise<void>;
  /** Counts sign-ins that fail, and sign-outs without a session, by the client's address; null where nobody is counted. */
  failures: () => RequestLimit | null;
  /** The answer for whatever was thrown. */
  render: (error: unknown) => Response;
};

/**
 * NextAuth's endpoints, with the error path of the others around them: NextAuth itself answers malformed bodies with
 * an empty 500, and tells the caller the text of whatever failed while signing in.
 *
 * Sign-ins that fail, and sign-outs without a session, are counted by the client's address. A sign-in that succeeds is
 * never refused for those that failed (docs/decisions/0025).
 * @param path the segments below `/api/auth/`
 */
export async function answerAuth(door: AuthDoor, request: WebRequest, path: string[]): Promise<Response> {
  const response = await askNextAuth(door, request, path).catch(door.render);
  const failed =
    path[0] === "callback" &&
    request.method === "POST" &&
    response.status < 500 &&
    !signsIn(door.core, response);
  const limit = failed ? door.failures() : null;
  return limit ? countAfterwards(limit, response, door.render) : response;
}

function signsIn(core: LoginCore, response: Response): boolean {
  const name = sessionCookieName(core);
  return response.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}=;`));
}

/** Has NextAuth answer, in the form that it has for API routes: that needs nothing of the framework's around it. */
async function askNextAuth(door: AuthDoor, request: WebRequest, path: string[]): Promise<Response> {
  const { core, flows, log, userIdOf } = door;
  // It writes into our log whatever a stranger sends.
  if (path[0] === "_log") throw new ApiError("not_found", "There is nothing at this address.");
  // What signs in is a POST; NextAuth would answer a GET with a 500.
  if (path[0] === "callback" && request.method !== "POST") {
    throw new ApiError("method_not_allowed", "This address answers POST.", { headers: { Allow: "POST" } });
  }
  await door.assertDatabaseAnswers();
  const failures: unknown[] = [];
  const response = new AuthResponse();
  const read = await readAuthRequest(core, request, path);
  let session: TokenClaims | null = null;
  const options = authOptions(core, {
    flows,
    log,
    userIdOf,
    onFailure: (error) => failures.push(error),
    async onSignOut(claims) {
      session = claims;
    },
  });
  // The parts of the framework's two types that NextAuth uses.
  await nextAuth(read as unknown as NextApiRequest, response as unknown as NextApiResponse, options);
  if (failures.length > 0) throw failures[0];
  const answer = response.toWebResponse();
  // A form without the token of its own browser is sent back there.
  const refused = response.next === `${core.origin.origin}/api/auth/signout?csrf=true`;
  if (path[0] === "signout" && request.method === "POST" && !refused) {
    const secret = readBindingSecret(request.headers.get("cookie"), isSecure(core));
    // Its session may have been ended from another browser. Nobody vouches for such a request, so it is counted.
    if (session === null && secret !== null) await door.failures()?.take();
    await door.signOut(session, secret);
    answer.headers.append("Set-Cookie", expiredBindingSetCookie(isSecure(core)));
  }
  return answer;
}

type NextAuth = typeof imported;

/** NextAuth's handler. To import its CommonJS module gives `exports` in Node, and `exports.default` in a bundle. */
export const nextAuth = "default" in imported ? (imported.default as NextAuth) : imported;

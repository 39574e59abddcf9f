import { countAfterwards } from "../http/call.ts";
import { requireClient } from "../http/client-address.ts";
import type { WebRequest } from "../http/web-request.ts";
import { refusal } from "../protocol/errors.ts";
import { recoveringBrowser } from "../recovery/finish-recovery.ts";
import { authOptions } from "../server/auth-options.ts";
import { expiredBindingSetCookie, readBrowserHash } from "../server/cookies.ts";
import { isSecure, type LoginCore } from "../server/core.ts";
import { sessionCookieName, type TokenClaims } from "../server/session-token.ts";
import { type LoginKind, limitOf, renderer, requestIdOf, withHeaders } from "./answer-login.ts";
import { runNextAuth } from "./auth-exchange.ts";
import { signOut } from "./sign-in.ts";
import type { Site } from "./site.ts";
import { recoveryRules } from "./site-recovery.ts";

/**
 * NextAuth's endpoints, with the error path of the others around them: NextAuth itself answers malformed bodies with
 * an empty 500, and tells the caller the text of whatever failed while signing in.
 *
 * Sign-ins that fail, and sign-outs without a session, are counted by the client's address. A sign-in that succeeds is
 * never refused for those that failed (docs/decisions/0025).
 */
export async function answerAuth(site: Site, kind: LoginKind, request: WebRequest): Promise<Response> {
  const { core } = site;
  const requestId = requestIdOf(request);
  const render = renderer(site, requestId);
  const path = new URL(request.url).pathname.split("/api/auth/")[1]?.split("/") ?? [];
  const { recovering, setCookie } = recoveringBrowser(core, request.headers, recoveryRules(site));
  const flows = Object.entries(kind.flows).map(([name, flow]) => [name, recovering(flow)]);
  const recoveringKind = { ...kind, flows: Object.fromEntries(flows) };
  let answer = await askNextAuth(site, recoveringKind, request, path).catch(render);
  const failed =
    path[0] === "callback" && request.method === "POST" && answer.status < 500 && !signsIn(core, answer);
  const limit = failed ? limitOf(site, "failed-sign-in", request) : null;
  if (limit) answer = await countAfterwards(limit, answer, render);
  const cookie = setCookie();
  if (cookie) answer.headers.append("Set-Cookie", cookie);
  if (site.isGuarded) return answer;
  return withHeaders(answer, { requestId, kind: "api", secure: isSecure(core) });
}

function signsIn(core: LoginCore, answer: Response): boolean {
  const name = sessionCookieName(core);
  return answer.headers
    .getSetCookie()
    .some((cookie) => cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}=;`));
}

/** @param path the segments below `/api/auth/` */
async function askNextAuth(
  site: Site,
  { flows, forget }: LoginKind,
  request: WebRequest,
  path: string[],
): Promise<Response> {
  const { core, users, onFailure } = site;
  // The first writes into our log whatever a stranger sends; without a name NextAuth answers 500.
  if (path[0] === "_log" || !path[0]) throw refusal("not_found", "There is nothing at this address.");
  // What signs in is a POST; NextAuth would answer a GET with a 500.
  if (path[0] === "callback" && request.method !== "POST") {
    throw refusal("method_not_allowed", "This address answers POST.", { headers: { Allow: "POST" } });
  }
  if (site.isGuarded) requireClient(request);
  // Not even a token for a form is given out while its form could not be taken.
  await site.runtime.assertDatabaseAnswers();
  const failures: unknown[] = [];
  let session: TokenClaims | null = null;
  const options = authOptions(core, {
    flows,
    async userIdOf({ browserSessionId: id, userId }) {
      const siteId = await users.ofSession({ id, userId });
      if (siteId !== null) return siteId;
      throw refusal("service_unavailable", "This session is ending. Reload the page.", {
        headers: { "Retry-After": "1" },
      });
    },
    log(level, code, error) {
      if (level === "error") onFailure(`next-auth: ${code}`, error);
    },
    onFailure: (error) => failures.push(error),
    async onSignOut(claims) {
      session = claims;
    },
  });
  const { answer, next } = await runNextAuth(options, core.origin, request, path);
  if (failures.length > 0) throw failures[0];
  // A form without the token of its own browser is sent back there.
  const refused = next === `${core.origin.origin}/api/auth/signout?csrf=true`;
  if (path[0] === "signout" && request.method === "POST" && !refused) {
    const browserHash = readBrowserHash(request.headers.get("cookie"), isSecure(core));
    // Its session may have been ended from another browser. Nobody vouches for such a request, so it is counted.
    if (session === null && browserHash !== null) await limitOf(site, "failed-sign-in", request)?.take();
    await signOut(site, session, browserHash, forget);
    answer.headers.append("Set-Cookie", expiredBindingSetCookie(isSecure(core)));
  }
  return answer;
}

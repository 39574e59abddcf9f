import { createHmac, timingSafeEqual } from "node:crypto";
import { jsonResponse } from "../../http/call.ts";
import { createSessionCookie, currentSession } from "../../server/browser-session.ts";
import {
  createExpiredBindingCookie,
  formatSetCookieHeader,
  readBrowserHash,
  readLoginCookie,
  toNextAuthCookie,
} from "../../server/cookies.ts";
import type { SessionTokenCodec } from "../../server/core.ts";
import { acceptsHtml, assertSameOrigin, readTruncatedHeader } from "../../server/web-request.ts";
import { countClientRequest, READ_METHODS } from "../../site/answer-login.ts";
import type { Plugin, Site, SiteCall } from "../../site/plugin.ts";
import { signIn, signOut } from "../../site/sign-in.ts";
import { markSessionsManagedByLogin } from "../../site/site-sessions.ts";

/** For sites without NextAuth (docs/protocol.md#43-signing-out). */
export function ownSession(): Plugin<"own-session"> {
  return {
    name: "own-session",
    tokens: ownSessionTokenCodec,
    start: markSessionsManagedByLogin,
    routes: (site) => ({
      "/api/svc/sign-in": { methods: ["POST"], handle: (call) => signIn(site, site.users.flow, call) },
      "/api/svc/session": { methods: READ_METHODS, handle: (call) => showSession(site, call) },
      "/api/svc/sign-out": { methods: ["POST"], handle: (call) => endSession(site, call) },
    }),
  };
}

/** `<id>.<user>.<base64url>`: the session's id, the user's id and an HMAC of both. */
const TOKEN = /^([0-9a-f-]{36})\.([0-9]{1,10})\.([A-Za-z0-9_-]{43})$/;

/**
 * The HMAC proves that this site created the token. Tokens need no encryption, because the ids are useless without the
 * HMAC.
 */
export const ownSessionTokenCodec: SessionTokenCodec = {
  cookie: "svc-session",
  async encode({ browserSessionId, userId }, secret) {
    const payload = `${browserSessionId}.${userId}`;
    return `${payload}.${proofOf(payload, secret).toString("base64url")}`;
  },
  async decode(token, secrets) {
    const [, browserSessionId, userId, proof = ""] = TOKEN.exec(token) ?? [];
    const mac = Buffer.from(proof, "base64url");
    const isOurs = (secret: string) => {
      const expected = proofOf(`${browserSessionId}.${userId}`, secret);
      return mac.length === expected.length && timingSafeEqual(mac, expected);
    };
    return secrets.some(isOurs) ? { browserSessionId, userId: Number(userId) } : null;
  },
};

function proofOf(payload: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(`svc-login browser session v1\0${payload}`).digest();
}

/** Handles `GET /api/svc/session` (docs/protocol.md#35-signing-in). */
async function showSession({ users, core }: Site, { request: { headers } }: SiteCall): Promise<Response> {
  const session = await currentSession(core, headers);
  const id = session && (await users.ofSession(session));
  if (!session || id === null) return jsonResponse(200, { user_id: null });
  const answer = jsonResponse(200, { user_id: id, expires: session.expiresAt.toISOString() });
  const token = readLoginCookie(headers.get("cookie"), ownSessionTokenCodec.cookie, core.origin) ?? "";
  // The secret is being rotated. The token is replaced before the previous secret is removed.
  if ((await ownSessionTokenCodec.decode(token, [core.secrets[0]])) === null) {
    const claims = { browserSessionId: session.id, userId: session.userId };
    answer.headers.append("Set-Cookie", await createSessionCookie(core, claims));
  }
  return answer;
}

/**
 * Handles `POST /api/svc/sign-out` from a script or a plain form. Also ends the browser's logins in progress.
 * @throws {Refusal} 403 if another site's page sent the request
 */
async function endSession(site: Site, call: SiteCall): Promise<Response> {
  const { core } = site;
  const { headers } = call.request;
  assertSameOrigin(call.request, core.origin);
  const session = await currentSession(core, headers);
  const browserHash = readBrowserHash(headers.get("cookie"), core.origin);
  // A request without a session is not authenticated and must be counted.
  if (session === null && browserHash !== null) await countClientRequest(site, "failed-sign-in", call);
  await signOut(site, session && { browserSessionId: session.id, userId: session.userId }, browserHash);
  const isForm = acceptsHtml(readTruncatedHeader(headers, "accept"));
  const answer = isForm
    ? new Response(null, { status: 303, headers: { Location: "/" } })
    : jsonResponse(200, { redirect: "/" });
  answer.headers.append(
    "Set-Cookie",
    formatSetCookieHeader(toNextAuthCookie(ownSessionTokenCodec.cookie, core.origin), "", 0),
  );
  answer.headers.append("Set-Cookie", createExpiredBindingCookie(core.origin));
  return answer;
}

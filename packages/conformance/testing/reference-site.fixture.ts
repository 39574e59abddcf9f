import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Action } from "../wallet/code.ts";
import { type HasFault, PlantedFaults, SiteError } from "./reference.fixture.ts";
import { type Headers, type Reference, ReferenceAnswers } from "./reference-answers.fixture.ts";
import {
  bindingCookie,
  KNOWN_COOKIE,
  knownCookie,
  SESSION_COOKIE,
  sessionCookie,
  writePayload,
} from "./reference-browsers.fixture.ts";
import { newKnownWord, ReferenceLogin } from "./reference-login.fixture.ts";
import { readBody, readCookies, readResponse, readTarget } from "./reference-requests.fixture.ts";

const SIGN_IN = "/api/svc/sign-in";

type Options = { faults?: readonly string[]; limit?: number; qrFormat?: "https" };

export async function startReferenceSite({
  faults = [],
  limit = 1e6,
  qrFormat,
}: Options = {}): Promise<Reference> {
  const planted = new PlantedFaults(faults);
  const { has } = planted;
  const login = new ReferenceLogin(planted);
  const answers = new ReferenceAnswers(planted, login);
  const cookieName = has("secure-on-http") ? "__Host-svc-browser" : "svc-browser";

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, query } = readTarget(request, has);
    const cookies = readCookies(request);
    const action = /^\/webhook\/(login|register)$/.exec(path)?.[1] as Action | undefined;
    const isUncounted = action && request.method === "GET" && has("questions-uncounted");
    if (!path.startsWith("/api/auth") && !isUncounted) answers.count(response, path, limit);
    if (has("login-wall") && !path.startsWith("/api/svc/qr")) {
      response.writeHead(307, { Location: `/login?callbackUrl=${path}` });
      return void response.end();
    }
    if (request.headers.origin === "null" && has("null-trusted"))
      response.setHeader("Access-Control-Allow-Credentials", "true");
    if (has("login-page") && action) return answers.sendPage(response, 401, "Sign in first");
    if (action) return answerWebhook(request, response, action, query);

    const present = cookies[cookieName] ?? "";
    const isMalformed = !/^[\w-]*$/.test(present);
    if (isMalformed && has("cookie-throws")) throw new Error("Malformed cookie");
    const isEmpty = present === "" && !(cookieName in cookies && has("empty-cookie"));
    const secret = isMalformed || isEmpty ? null : present;
    const token = cookies[SESSION_COOKIE] ?? null;
    const send = (status: number, body: unknown, headers: Headers = {}) =>
      answers.send(response, status, body, headers);
    const own = login.nextAuth(path.replace(/^\/sign-out$/, "/api/auth/signout"), token, cookieName);
    if (own) return send(200, ...own);
    switch (path) {
      case "/api/svc/qr": {
        expectGet(request);
        const knownWord = cookies[KNOWN_COOKIE] ?? newKnownWord();
        const isSignedIn = login.userOf(token) !== null;
        const { body, headers } = writeCode(request, query, secret, isSignedIn, knownWord);
        return send(200, body, headers);
      }
      case "/api/svc/check": {
        expectGet(request);
        const extra: Headers = has("check-binds") ? { "Set-Cookie": "svc-browser=x; Path=/" } : {};
        return send(200, login.check(query.get("sid")), extra);
      }
      case "/api/svc/events":
        return answerStream(response, query.get("sid"), secret);
      case "/me":
        return send(login.userOf(token) === null ? 401 : 200, { user_id: login.userOf(token) });
      case SIGN_IN:
      case "/api/auth/callback/svc": {
        const text = (await readBody(request, has)).toString();
        const form = new URLSearchParams(path === SIGN_IN ? JSON.parse(text) : text);
        if (!has("sign-ins-unlimited")) answers.count(response, path, limit / 2);
        if (path === SIGN_IN && isOfOtherSite(request) && !has("any-page")) {
          if (has("other-page-spends")) await login.redeem(form.get("sid") ?? "", secret, token);
          throw new SiteError(403, "forbidden");
        }
        const isOpen = !has("nobody-signs-in");
        const opened =
          isOpen && (await login.redeem(form.get("sid") ?? "", secret, token, form.get("attempt")));
        if (!opened) return send(401, { url: `${login.origin.origin}/login?error=CredentialsSignin` });
        if (path === SIGN_IN && has("language-for-session"))
          return send(200, {}, { "Set-Cookie": "lang=en; Path=/; HttpOnly; SameSite=Lax" });
        const wish = has("open-callback") ? form.get("callbackUrl") : null;
        const url = wish ?? `${login.origin.origin}/dashboard`;
        return send(200, { url }, { "Set-Cookie": sessionCookie(opened, has) });
      }
      case "/webhook/undo": {
        if (request.method !== "POST") {
          if (has("undo-by-get")) login.undo(query);
          return answers.sendPage(response, 200, "Undo this login?");
        }
        login.undo(query);
        return send(200, { status: "undone" });
      }
      case "/dashboard": {
        const sid = query.get("sid");
        if (sid !== null && has("dashboard-signs-in")) {
          const opened = await login.redeem(sid, login.secretOf(sid), null);
          if (opened) return send(200, {}, { "Set-Cookie": sessionCookie(opened, has) });
        }
        return send(404, {});
      }
      default:
        if (has("html-404")) return answers.sendPage(response, 404, "Not found");
        throw new SiteError(404, "not_found");
    }
  }

  function expectGet({ method }: IncomingMessage): void {
    if (method !== "GET" && !has("any-method")) throw new SiteError(405, "method_not_allowed");
  }

  function isOfOtherSite({ headers }: IncomingMessage): boolean {
    const place = String(headers["sec-fetch-site"] ?? "none");
    return headers.origin === undefined
      ? !["same-origin", "none"].includes(place)
      : headers.origin !== login.origin.origin;
  }

  function writeCode(
    request: IncomingMessage,
    query: URLSearchParams,
    secret: string | null,
    isSignedIn: boolean,
    knownWord: string,
  ) {
    const asking = { userAgent: request.headers["user-agent"] ?? "", knownWord };
    const host = String(request.headers["x-forwarded-host"] ?? "localhost");
    const code = login.issue(query, secret, host, isSignedIn, asking);
    const { login: own, text: challenge, action: mode, issuedAt, isRenewal, intent } = code;
    const { sid } = own;
    // Only when a login is renewed, because fewer checks renew a login than start one.
    const inRenewals: HasFault = (fault) => isRenewal && has(fault);
    const headers: Headers = has("no-cookie")
      ? {}
      : { "Set-Cookie": [bindingCookie(cookieName, own.secret, inRenewals), knownCookie(knownWord)] };
    const path = `/webhook/${mode !== "login" && inRenewals("one-webhook") ? "login" : mode}`;
    const parts = { origin: login.origin, path, sid, challenge, issuedAt, intent, secret: own.secret };
    const body: Record<string, unknown> = {
      ...{ sid, challenge, expiresAt: issuedAt + (inRenewals("expires-in-milliseconds") ? 30_000 : 30) },
      qr: writePayload(parts, qrFormat, inRenewals),
    };
    if (inRenewals("answer-tells-more")) body.status = "pending";
    if (has("expires-missing")) delete body.expiresAt;
    return { body, headers };
  }

  function answerStream(response: ServerResponse, sid: string | null, secret: string | null): void {
    if (!login.knows(sid, secret)) throw new SiteError(404, "session_not_found");
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      ...(has("stream-for-all-origins") ? { "Access-Control-Allow-Origin": "*" } : {}),
      "Cache-Control": "no-store",
      "X-Request-Id": randomUUID(),
    });
    const send = () =>
      !has("silent-stream") && response.write(`data: ${JSON.stringify(login.check(sid))}\n\n`);
    send();
    const timer = setInterval(send, 20);
    response.on("close", () => clearInterval(timer));
  }

  async function answerWebhook(
    request: IncomingMessage,
    response: ServerResponse,
    action: Action,
    query: URLSearchParams,
  ) {
    const { headers, method } = request;
    if (method === "OPTIONS") {
      const allow = {
        "Access-Control-Allow-Methods": has("preflight-get") ? "GET" : "POST",
        ...(has("preflight-no-type") ? {} : { "Access-Control-Allow-Headers": "Content-Type" }),
        "Access-Control-Max-Age": "86400",
      };
      return answers.allowPost(response, allow);
    }
    const accepts = headers.accept ?? "";
    const isQuestion =
      /\bapplication\/json\b/.test(accepts) && (!/html/.test(accepts) || has("json-for-all"));
    if (method === "GET" && isQuestion && !has("untold")) {
      const cookie: Headers = has("question-cookie") ? { "Set-Cookie": "visitor=1; Path=/" } : {};
      if (has("question-unreadable")) cookie["Access-Control-Allow-Origin"] = login.origin.origin;
      return answers.send(response, 200, login.describeAsking(action, query), cookie);
    }
    if (method === "GET" && !isQuestion && !(qrFormat === "https" && has("no-page")))
      return answers.sendPage(response, 200, "Open in a wallet");
    if (method !== "POST") throw new SiteError(405, "method_not_allowed");
    const described = await login.accept(action, await readResponse(request, has), headers["user-agent"]);
    const status = has("other-answer") ? { ok: true } : { status: "authenticated" };
    answers.send(response, 200, has("untold") ? status : { ...status, ...described });
  }

  return answers.listen(answer, has("large-headers") ? 64 * 1024 : undefined);
}

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Planted } from "./planted.fixture.ts";
import { Answers, type Headers } from "./reference-answers.fixture.ts";
import { bindingCookie, SESSION_COOKIE, sessionCookie } from "./reference-codes.fixture.ts";
import { readSigned } from "./reference-fast-bodies.fixture.ts";
import { type FastVerdict, ReferenceFastLogin } from "./reference-fast-login.fixture.ts";
import { Limits } from "./reference-limits.fixture.ts";
import { readCookies } from "./reference-requests.fixture.ts";
import { SiteError } from "./site-error.fixture.ts";
import { listenBehindWire } from "./wire.fixture.ts";

/** A correct site with fast login in memory, with a clock of its own, into which a test plants one fault. */
type ReferenceFastSite = {
  origin: URL;
  /** The faults that the site was asked about. */
  asked: Set<string>;
  /** Moves the site's clock. */
  advance(seconds: number): void;
  close(): void;
};

const WORDS: Record<FastVerdict, string> = {
  200: "successfully authenticated",
  400: "no challenge found",
  401: "could not verify",
};
const BINDING = "svc-browser";

export async function startReferenceFastSite({
  faults = [],
  limit = 1e6,
}: {
  faults?: readonly string[];
  limit?: number;
} = {}): Promise<ReferenceFastSite> {
  const planted = new Planted(faults);
  const { has, asked } = planted;
  let origin = new URL("http://localhost");
  const login = new ReferenceFastLogin(() => origin, has);
  const limits = new Limits(limit, () => login.seconds, has);
  const answers = new Answers(() => login.seconds, true);
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => answers.fail(response, error));
  });
  const listening = await listenBehindWire(server, planted);
  origin = listening.origin;
  const send = (response: ServerResponse, status: number, body: unknown, headers: Headers = {}) =>
    answers.send(response, status, body, headers);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "/", search = ""] = (request.url ?? "/").split(/\?(.*)/s);
    const query = new URLSearchParams(search);
    const names = [...query.keys()];
    if (new Set(names).size < names.length && !has("fields-twice"))
      throw new SiteError(400, "", "A field twice.");
    if (/%00/.test(search) && has("nul-throws")) throw new Error("invalid byte sequence");
    const cookies = readCookies(request);
    if (path.startsWith("/api/") && !path.startsWith("/api/auth")) {
      const client = request.headers["x-forwarded-for"] as string | undefined;
      for (const [name, value] of Object.entries(limits.count(path, client))) response.setHeader(name, value);
    }
    switch (path) {
      case "/api/getqrcode": {
        only(request, "GET");
        const session = login.userOf(cookies[SESSION_COOKIE] ?? null);
        if (session !== null && !has("session-unseen"))
          return send(response, 200, { qr: "", sid: "", status: 1 });
        const intent = query.get("intent");
        const isKnown = intent === "add" || intent === "approve" || intent === "recover";
        if (isKnown && !has("intent-for-all")) throw new SiteError(401, "", "Sign in first.");
        if (intent !== null && !isKnown && !has("intent-ignored"))
          throw new SiteError(400, "", "No such intent.");
        const host = String(request.headers["x-forwarded-host"] ?? request.headers.host);
        const code = await login.issue(query.get("sid"), cookies[BINDING] ?? null, host);
        const status = has("text-status") ? String(code.status) : code.status;
        const setCookie: Record<string, string> = has("no-cookie")
          ? {}
          : {
              "Set-Cookie": bindingCookie(
                has("secure-on-http") ? `__Host-${BINDING}` : BINDING,
                code.login.secret,
                has,
              ),
            };
        return send(response, 200, { qr: code.qr, sid: code.login.sid, status }, setCookie);
      }
      case "/api/checkfast":
        only(request, "GET");
        return send(
          response,
          200,
          check(query.get("sid")),
          has("check-binds") ? { "Set-Cookie": "x=1" } : {},
        );
      case "/api/fastauth":
        return answerWebhook(request, response, query);
      case "/dashboard":
        return answerDashboard(response, query, cookies);
      default:
        return answerNextAuth(request, response, path, cookies);
    }
  }

  function only(request: IncomingMessage, ...methods: string[]) {
    if (!methods.includes(request.method ?? "") && !has("any-method"))
      throw new SiteError(405, "", "Another method.");
  }

  function check(sid: string | null) {
    if (sid === null && !has("no-sid-waiting")) throw new SiteError(400, "", "Name a sid.");
    const status = login.knowsAnswer(sid ?? "") ? 1 : 0;
    const more = status === 1 && has("status-leaks") ? { addr: login.addressOf(sid ?? "") } : {};
    return { sid, status: has("boolean-status") ? status === 1 : status, ...more };
  }

  async function answerWebhook(request: IncomingMessage, response: ServerResponse, query: URLSearchParams) {
    if (request.method === "OPTIONS") {
      const headers: Record<string, string> = has("no-preflight")
        ? {}
        : { "Access-Control-Allow-Methods": "POST", "Access-Control-Allow-Headers": "Content-Type" };
      return send(response, 200, {}, headers);
    }
    only(request, "GET", "POST");
    const isPage = request.method === "GET" && request.headers.accept?.includes("text/html");
    if (isPage && !has("no-page"))
      return send(response, 200, "<h1>Scan this with a wallet</h1>", { "Content-Type": "text/html" });
    const verdict = await login.accept(query, await readSigned(request, query, has));
    const words = verdict !== 200 && has("one-refusal") ? "refused" : WORDS[verdict];
    send(response, verdict, words);
  }

  /** Signs in by `?sid=`, and shows the user otherwise. */
  async function answerDashboard(
    response: ServerResponse,
    query: URLSearchParams,
    cookies: Record<string, string>,
  ) {
    const sid = query.get("sid");
    if (sid !== null && /^A+_1700000000$/.test(sid)) countFailure();
    if (sid === null) {
      const user = login.userOf(cookies[SESSION_COOKIE] ?? null);
      return user === null
        ? redirect(response, "/login")
        : send(response, 200, `User ${user}`, { "Content-Type": "text/html", ...pageCaching() });
    }
    if (has("needs-script")) return send(response, 200, "<script></script>", { "Content-Type": "text/html" });
    const token = await login.redeem(sid, cookies[BINDING] ?? null, cookies[SESSION_COOKIE] ?? null);
    const wish = query.get("callbackUrl");
    const next = wish !== null && has("open-redirect") ? wish : token === null ? "/login" : "/dashboard";
    const cookie = has("language-for-session") ? "lang=en; Path=/; HttpOnly; SameSite=Lax" : null;
    redirect(response, next, token === null ? {} : { "Set-Cookie": cookie ?? sessionCookie(token, has) });
  }

  function redirect(response: ServerResponse, where: string, headers: Record<string, string> = {}) {
    response.writeHead(303, { Location: where, ...pageCaching(), ...headers }).end();
  }

  function pageCaching(): Record<string, string> {
    return { "Cache-Control": has("cacheable-pages") ? "private, max-age=60" : "no-store" };
  }

  async function answerNextAuth(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    cookies: Record<string, string>,
  ) {
    switch (path) {
      case "/api/auth/providers":
        return send(response, 200, { fast: { id: "fast" } });
      case "/api/auth/csrf":
        return send(response, 200, { csrfToken: "token" });
      case "/api/auth/session": {
        const user = login.userOf(cookies[SESSION_COOKIE] ?? null);
        return send(response, 200, user === null ? {} : { user: { id: user } });
      }
      case "/api/auth/signout":
        for await (const _ of request);
        login.signOut(cookies[SESSION_COOKIE] ?? null, cookies[BINDING]);
        return send(response, 200, {}, { "Set-Cookie": sessionCookie("", has, 0) });
      case "/api/auth/callback/fast": {
        let text = "";
        for await (const part of request) text += part;
        const sid = new URLSearchParams(text).get("sid") ?? "";
        const secret = cookies[BINDING] ?? null;
        const bound = has("callback-unbound") ? (login.secretOf(sid) ?? secret) : secret;
        const token = await login.redeem(sid, bound, cookies[SESSION_COOKIE] ?? null);
        if (token === null || has("callback-broken")) return send(response, 401, {});
        return send(response, 200, { url: origin.origin }, { "Set-Cookie": sessionCookie(token, has) });
      }
      default:
        return send(response, 404, "Error: nothing is here");
    }
  }

  function countFailure() {
    if (!has("failures-unlimited")) limits.count("failures", undefined, limit / 2);
  }

  return { ...listening, asked, advance: (seconds) => login.advance(seconds) };
}

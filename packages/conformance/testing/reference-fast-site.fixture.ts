import type { IncomingMessage, ServerResponse } from "node:http";
import { type HasFault, PlantedFaults, SiteError } from "./reference.fixture.ts";
import { type Headers, type Reference, ReferenceAnswers } from "./reference-answers.fixture.ts";
import type { SignedMessage } from "./reference-bitcoin.fixture.ts";
import { bindingCookie, SESSION_COOKIE, sessionCookie } from "./reference-browsers.fixture.ts";
import { type FastVerdict, ReferenceFastLogin } from "./reference-fast-login.fixture.ts";
import { readBody, readCookies, readTarget } from "./reference-requests.fixture.ts";

const WORDS: Record<FastVerdict, string> = {
  200: "successfully authenticated",
  400: "no challenge found",
  401: "could not verify",
};
const BINDING = "svc-browser";

type Options = { faults?: readonly string[]; limit?: number };

export async function startReferenceFastSite({ faults = [], limit = 1e6 }: Options = {}): Promise<Reference> {
  const planted = new PlantedFaults(faults);
  const { has } = planted;
  const login = new ReferenceFastLogin(planted);
  const answers = new ReferenceAnswers(planted, login, true);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    const { path, query } = readTarget(request, has);
    if (request.url?.includes("%00") && has("nul-throws")) throw new Error("invalid byte sequence");
    if (path.startsWith("/api/") && !path.startsWith("/api/auth")) answers.count(response, path, limit);
    const cookies = readCookies(request);
    const token = cookies[SESSION_COOKIE] ?? null;
    const secret = cookies[BINDING] ?? null;
    const send = (status: number, body: unknown, more: Headers = {}) =>
      answers.send(response, status, body, more);
    const only = (...methods: string[]) => {
      if (!methods.includes(method ?? "") && !has("any-method"))
        throw new SiteError(405, "", "Another method.");
    };
    const own = login.nextAuth(path, token, BINDING);
    if (own) return send(200, ...own);
    switch (path) {
      case "/api/getqrcode": {
        only("GET");
        const hasIntents = !has("no-intents");
        const approves = hasIntents && login.userOf(token) !== null && query.get("intent") === "approve";
        if (login.userOf(token) !== null && !approves && !has("session-unseen"))
          return send(200, { qr: "", sid: "", status: 1 });
        if (hasIntents && !approves) expectNoIntent(query.get("intent"));
        const host = String(headers["x-forwarded-host"] ?? headers.host);
        const { login: own, qr, status } = await login.issue(query.get("sid"), secret, host);
        const name = has("secure-on-http") ? `__Host-${BINDING}` : BINDING;
        const cookie: Headers = has("no-cookie")
          ? {}
          : { "Set-Cookie": bindingCookie(name, own.secret, has) };
        const shown = approves ? `${qr}&intent=approve` : qr;
        return send(
          200,
          { qr: shown, sid: own.sid, status: has("text-status") ? String(status) : status },
          cookie,
        );
      }
      case "/api/checkfast":
        only("GET");
        return send(200, check(query.get("sid")), has("check-binds") ? { "Set-Cookie": "x=1" } : {});
      case "/api/fastauth": {
        if (method === "OPTIONS") return answers.allowPost(response, has("no-preflight") ? {} : undefined);
        only("GET", "POST");
        const isPage = method === "GET" && headers.accept?.includes("text/html");
        if (isPage && !has("no-page")) return answers.sendPage(response, 200, "Scan this with a wallet");
        const verdict = await login.accept(query, await readSigned(request, query, has));
        return send(verdict, verdict !== 200 && has("one-refusal") ? "refused" : WORDS[verdict]);
      }
      case "/dashboard": {
        const sid = query.get("sid");
        const caching = { "Cache-Control": has("cacheable-pages") ? "private, max-age=60" : "no-store" };
        const redirect = (where: string, more: Headers = {}) =>
          void response.writeHead(303, { Location: where, ...caching, ...more }).end();
        if (sid === null) {
          const user = login.userOf(token);
          if (user === null) return redirect("/login");
          return answers.sendPage(response, 200, `User ${user}`, caching);
        }
        if (/^A+_1700000000$/.test(sid) && !has("failures-unlimited"))
          answers.count(response, "failures", limit / 2);
        if (has("needs-script")) return answers.sendPage(response, 200, "<script></script>");
        const opened = await login.redeem(sid, secret, token);
        const wish = query.get("callbackUrl");
        const next = wish !== null && has("open-redirect") ? wish : opened === null ? "/login" : "/dashboard";
        if (opened === null) return redirect(next);
        const language = has("language-for-session") ? "lang=en; Path=/; HttpOnly; SameSite=Lax" : null;
        return redirect(next, { "Set-Cookie": language ?? sessionCookie(opened, has) });
      }
      case "/api/auth/providers":
        return send(200, { fast: { id: "fast" } });
      case "/api/auth/callback/fast": {
        const sid = new URLSearchParams((await readBody(request, has)).toString()).get("sid") ?? "";
        const bound = has("callback-unbound") ? (login.secretOf(sid) ?? secret) : secret;
        const opened = await login.redeem(sid, bound, token);
        if (opened === null || has("callback-broken")) return send(401, {});
        return send(200, { url: login.origin.origin }, { "Set-Cookie": sessionCookie(opened, has) });
      }
      default:
        return send(404, "Error: nothing is here");
    }
  }

  function expectNoIntent(intent: string | null): void {
    const isKnown = intent === "add" || intent === "approve" || intent === "recover";
    if (isKnown && !has("intent-for-all")) throw new SiteError(401, "", "Sign in first.");
    if (intent !== null && !isKnown && !has("intent-ignored"))
      throw new SiteError(400, "", "No such intent.");
  }

  function check(sid: string | null) {
    if (sid === null && !has("no-sid-waiting")) throw new SiteError(400, "", "Name a sid.");
    const status = login.knowsAnswer(sid ?? "") ? 1 : 0;
    const more = status === 1 && has("status-leaks") ? { addr: login.addressOf(sid ?? "") } : {};
    return { sid, status: has("boolean-status") ? status === 1 : status, ...more };
  }

  return answers.listen(answer);
}

/** @throws {SiteError} 400 or 413 */
async function readSigned(
  request: IncomingMessage,
  query: URLSearchParams,
  has: HasFault,
): Promise<SignedMessage> {
  if (request.method !== "POST") return has("post-only") ? pick(() => null) : pick((name) => query.get(name));
  const bytes = await readBody(request, has);
  if (bytes.length > 64 * 1024 && !has("large-bodies")) throw new SiteError(413, "", "Too large.");
  const type = request.headers["content-type"] ?? "";
  const text = bytes.toString("utf8");
  if (type.startsWith("multipart/form-data")) {
    if (has("no-multipart")) return pick(() => null);
    return pick((name) => new RegExp(`name="${name}"\r\n\r\n(.*)\r\n`).exec(text)?.[1] ?? null);
  }
  const form = new URLSearchParams(type.includes("urlencoded") ? text : "");
  if (form.has("msg")) return pick((name) => form.get(name));
  if (query.has("msg") && has("query-merged")) return pick((name) => query.get(name));
  if (text !== "" && !type.includes("json") && has("typed-json")) return pick(() => null);
  const data = dataOf(text, has) as Record<string, unknown> | null | undefined;
  return pick((name) => {
    const value = Object.getOwnPropertyDescriptor(data ?? {}, name)?.value;
    if (typeof value !== "string" && value !== undefined && has("types-throw"))
      return (value as string).trim();
    return typeof value === "string" ? value : null;
  });
}

function dataOf(text: string, has: HasFault): unknown {
  try {
    const body = JSON.parse(text);
    const isObject = typeof body === "object" && body !== null;
    if (isObject && "data" in body && has("data-at-top")) return body;
    return isObject ? body.data : null;
  } catch (error) {
    if (has("parse-throws")) throw error;
    return null;
  }
}

function pick(field: (name: string) => string | null): SignedMessage {
  const [pubk = "", msg = "", sig = "", addr = ""] = ["pubk", "msg", "sig", "addr"].map(
    (name) => field(name) ?? "",
  );
  return { pubk, msg, sig, addr };
}

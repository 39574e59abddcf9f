import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parseSetCookie } from "../cookies.ts";
import { type Action, ReferenceLogin, SiteError } from "./reference-login.fixture.ts";

/** A correct site in memory, with a clock of its own, into which a test plants one fault. */
export type ReferenceSite = {
  origin: URL;
  /** Moves the site's clock. */
  advance(seconds: number): void;
  close(): void;
};

/** How long this site waits for the rest of a body: a test has no ten seconds. */
const STALL_MS = 100;
const CODES: Record<number, string> = {
  404: "not_found",
  405: "method_not_allowed",
  413: "payload_too_large",
};

type Options = { faults?: readonly string[]; limit?: number; qrFormat?: "https" };

export async function startReferenceSite({
  faults = [],
  limit = 1e6,
  qrFormat,
}: Options = {}): Promise<ReferenceSite> {
  const planted = new Set(faults);
  const has = (fault: string) => planted.has(fault);
  let origin = new URL("http://localhost");
  const login = new ReferenceLogin(() => origin, has);
  const counts = new Map<string, { count: number; until: number }>();
  const server = createServer(
    { maxHeaderSize: has("large-headers") ? 64 * 1024 : 16 * 1024 },
    (request, response) => {
      answer(request, response).catch((error) => fail(response, error));
    },
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = new URL(`http://localhost:${(server.address() as AddressInfo).port}`);

  const id = randomUUID();
  const secure = has("secure-on-http");
  const cookieName = secure ? "__Host-svc-browser" : "svc-browser";

  function send(
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string | string[]> = {},
  ) {
    const isError = status >= 400;
    const asHtml = isError && has("html-errors");
    response.writeHead(status, {
      Date: new Date(login.seconds * 1000).toUTCString(),
      "Content-Type": asHtml ? "text/html" : has("text-json") ? "text/plain" : "application/json",
      ...(has("cacheable") || (has("cacheable-errors") && isError) ? {} : { "Cache-Control": "no-store" }),
      ...(has("no-request-id") ? {} : { "X-Request-Id": has("one-request-id") ? id : randomUUID() }),
      ...headers,
    });
    response.end(asHtml ? "<h1>Error</h1>" : JSON.stringify(body));
  }

  function fail(response: ServerResponse, error: unknown) {
    if (response.headersSent) return response.destroy();
    const { status, code } = error instanceof SiteError ? error : { status: 500, code: "internal_error" };
    const text = error instanceof Error ? error.message : "";
    const message = has("tells-stack") && error instanceof Error ? String(error.stack) : `${text} Try again.`;
    const headers: Record<string, string> = {};
    if (status === 405 && !has("no-allow")) headers.Allow = "GET, POST";
    if (status === 429 && !has("no-retry-after")) headers["Retry-After"] = "60";
    const details = status === 429 ? { retry_after: 60 } : {};
    const wrongCode = has("wrong-codes") && status === 408 ? "expired" : code;
    const body = has("flat-errors") ? { error: message } : { error: { code: wrongCode, message, details } };
    const withDetails =
      has("details-null") && "error" in body ? { error: { ...(body.error as object), details: null } } : body;
    send(response, status, withDetails, { ...headers, ...corsHeaders(response.req, true) });
  }

  function corsHeaders({ url = "", method }: IncomingMessage, isError = false): Record<string, string> {
    const isWebhook = url.startsWith("/webhook/");
    const credentials: Record<string, string> = has("credentials")
      ? { "Access-Control-Allow-Credentials": "true" }
      : {};
    if (has("cors-everywhere") || (isWebhook && !has("no-cors") && !(isError && has("cors-on-success")))) {
      return { "Access-Control-Allow-Origin": "*", ...credentials };
    }
    return method === "OPTIONS" ? {} : credentials;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? "/";
    if (target.length > 4_096 && !has("long-targets")) throw new SiteError(414, "uri_too_long");
    const [path = "/", search = ""] = target.split(/\?(.*)/s);
    if (/%(?![0-9a-f]{2})/i.test(target) || !decodes(target)) {
      throw has("decoding-throws") ? new Error("URI malformed") : new SiteError(400, "invalid_request");
    }
    if (request.method === "TRACE" && has("trace-throws")) throw new Error("Unknown method");
    const query = new URLSearchParams(search);
    const names = [...query.keys()];
    if (names.length > 64 && !has("many-fields")) throw new SiteError(400, "invalid_request");
    if (new Set(names).size < names.length && !has("fields-twice"))
      throw new SiteError(400, "invalid_request");
    const cookies = readCookies(request);
    const host = String(request.headers["x-forwarded-host"] ?? "localhost");
    for (const [name, value] of Object.entries(count(request, path))) response.setHeader(name, value);

    const action = /^\/webhook\/(login|register)$/.exec(path)?.[1] as Action | undefined;
    if (action) return answerWebhook(request, response, action);
    const expects = (...methods: string[]) => {
      if (!methods.includes(request.method ?? "") && !has("any-method"))
        throw new SiteError(405, CODES[405] ?? "");
    };
    if (has("cookie-throws") && !/^[\w-]*$/.test(cookies[cookieName] ?? ""))
      throw new Error("Malformed cookie");
    const secret = /^[\w-]+$/.test(cookies[cookieName] ?? "") ? (cookies[cookieName] ?? null) : null;
    const cors = corsHeaders(request);
    switch (path) {
      case "/api/svc/qr": {
        expects("GET");
        const { login: own, text, action: mode, issuedAt } = login.issue(query, secret, host);
        const setCookie: Record<string, string> = has("no-cookie")
          ? {}
          : { "Set-Cookie": bindingCookie(own.secret) };
        const lifetime = has("expires-in-milliseconds") ? 30_000 : 30;
        const body: Record<string, unknown> = {
          sid: own.sid,
          challenge: text,
          qr: payload(own.sid, text, mode, issuedAt, own.secret),
          expiresAt: issuedAt + lifetime,
        };
        if (has("answer-tells-more")) body.status = "pending";
        if (has("expires-missing")) delete body.expiresAt;
        return send(response, 200, body, { ...cors, ...setCookie });
      }
      case "/api/svc/check": {
        expects("GET");
        const extra: Record<string, string> = has("check-binds")
          ? { "Set-Cookie": "svc-browser=x; Path=/" }
          : {};
        return send(response, 200, login.check(query.get("sid")), { ...cors, ...extra });
      }
      case "/api/svc/events": {
        const sid = query.get("sid");
        if (!login.knows(sid, secret)) throw new SiteError(404, "session_not_found");
        response.writeHead(200, {
          "Content-Type": "text/event-stream",
          "Cache-Control": "no-store",
          "X-Request-Id": randomUUID(),
        });
        const tell = () =>
          !has("silent-stream") && response.write(`data: ${JSON.stringify(login.check(sid))}\n\n`);
        tell();
        const timer = setInterval(tell, 20);
        response.on("close", () => clearInterval(timer));
        return;
      }
      case "/api/auth/csrf":
        return send(response, 200, { csrfToken: "token" });
      case "/api/auth/session": {
        const user = login.userOf(cookies["next-auth.session-token"] ?? null);
        return send(response, 200, user === null ? {} : { user: { id: user } }, cors);
      }
      case "/api/auth/callback/svc": {
        const form = new URLSearchParams((await readBody(request)).toString());
        count(request, path, form.get("sid") ?? "");
        const present = cookies["next-auth.session-token"] ?? null;
        const token = await login.redeem(form.get("sid") ?? "", secret, form.get("attempt"), present);
        if (token === null)
          return send(response, 401, { url: `${origin.origin}/login?error=CredentialsSignin` });
        const wish = has("open-callback") ? form.get("callbackUrl") : null;
        return send(
          response,
          200,
          { url: wish ?? `${origin.origin}/dashboard` },
          { "Set-Cookie": sessionCookie(token) },
        );
      }
      case "/api/auth/signout": {
        login.signOut(cookies["next-auth.session-token"] ?? null);
        const gone = [sessionCookie("", 0)];
        if (!has("binding-kept")) gone.push(`${cookieName}=; Path=/; Max-Age=0`);
        return send(response, 200, { url: origin.origin }, { "Set-Cookie": gone });
      }
      case "/dashboard": {
        const sid = query.get("sid");
        if (sid !== null && has("dashboard-signs-in")) {
          const token = await login.redeem(sid, login.secretOf(sid), null, null);
          if (token) return send(response, 200, {}, { "Set-Cookie": sessionCookie(token) });
        }
        return send(response, 404, {}, cors);
      }
      default:
        if (has("html-404")) {
          response.writeHead(404, { "Content-Type": "text/html" }).end("<h1>Not found</h1>");
          return;
        }
        throw new SiteError(404, "not_found");
    }
  }

  async function answerWebhook(request: IncomingMessage, response: ServerResponse, action: Action) {
    const cors = corsHeaders(request);
    if (request.method === "OPTIONS") {
      const allow = {
        "Access-Control-Allow-Methods": has("preflight-get") ? "GET" : "POST",
        ...(has("preflight-no-type") ? {} : { "Access-Control-Allow-Headers": "Content-Type" }),
        "Access-Control-Max-Age": "86400",
      };
      return send(response, 200, {}, { ...cors, ...allow });
    }
    if (request.method === "GET" && qrFormat === "https" && !has("no-page")) {
      response
        .writeHead(200, {
          "Content-Type": "text/html",
          "Cache-Control": "no-store",
          "X-Request-Id": randomUUID(),
        })
        .end("<h1>Open in a wallet</h1>");
      return;
    }
    if (request.method !== "POST") throw new SiteError(405, "method_not_allowed");
    const { headers } = request;
    const isJson = /^application\/json\b/.test(headers["content-type"] ?? "");
    if (!isJson && !has("any-content-type")) throw new SiteError(415, "unsupported_media_type");
    if (headers["content-encoding"] && !has("any-encoding"))
      throw new SiteError(415, "unsupported_media_type");
    const body = readResponse(await readBody(request, has), has);
    await login.accept(action, body);
    const text = has("other-answer") ? { ok: true } : { status: "authenticated" };
    send(response, 200, text, cors);
  }

  function bindingCookie(value: string): string {
    const parts = [
      `${cookieName}=${value}`,
      `Path=${has("narrow-path") ? "/api" : "/"}`,
      `Max-Age=${has("long-cookie") ? 31_536_000 : 600}`,
      ...(has("script-cookie") ? [] : ["HttpOnly"]),
      `SameSite=${has("samesite-none") ? "None" : "Lax"}`,
      ...(has("cookie-domain") ? ["Domain=localhost"] : []),
      ...(secure ? ["Secure"] : []),
    ];
    return parts.join("; ");
  }

  function sessionCookie(value: string, maxAge = 3600): string {
    const attributes = has("script-session") ? "SameSite=Lax" : "HttpOnly; SameSite=Lax";
    return `next-auth.session-token=${value}; Path=/; Max-Age=${maxAge}; ${attributes}`;
  }

  function payload(sid: string, challenge: string, mode: Action, ts: number, secret: string): string {
    const host = has("webhook-elsewhere") ? "https://elsewhere.example" : origin.origin;
    const webhook = `${host}/webhook/${has("one-webhook") ? "login" : mode}`;
    if (qrFormat === "https") return `${webhook}?${new URLSearchParams({ s: sid, c: challenge })}`;
    const fields = new URLSearchParams({
      webhook,
      session: has("payload-other-sid") ? "other" : sid,
      challenge: has("payload-other-challenge") ? challenge.toUpperCase() : challenge,
      ts: String(has("payload-other-ts") ? ts + 30 : ts),
    });
    if (has("payload-twice")) fields.append("webhook", webhook);
    if (has("payload-secret")) fields.set("token", secret);
    return `${has("other-scheme") ? "wallet://login" : "svc://auth"}?${fields}`;
  }

  /** Counts by path; failed sign-ins by the answer, which is known beforehand here. */
  function count(request: IncomingMessage, path: string, sid?: string): Record<string, string> {
    if (path.startsWith("/api/auth") && sid === undefined) return {};
    const forged = has("forged-address") ? request.headers["x-forwarded-for"] : "";
    const key = `${path} ${forged}`;
    const window = counts.get(key) ?? { count: 0, until: login.seconds + 60 };
    if (window.until < login.seconds) Object.assign(window, { count: 0, until: login.seconds + 60 });
    window.count++;
    counts.set(key, window);
    const most = path.startsWith("/api/auth") ? limit / 2 : limit;
    const isUnlimited = has("no-limits") || (has("sign-ins-unlimited") && path.startsWith("/api/auth"));
    if (window.count > most && !isUnlimited) throw new SiteError(429, "rate_limited");
    if (has("no-limit-headers")) return {};
    return {
      "RateLimit-Limit": String(most),
      "RateLimit-Remaining": String(Math.max(0, most - (has("limit-stands-still") ? 0 : window.count))),
      "RateLimit-Reset": "60",
    };
  }

  return {
    origin,
    advance: (seconds) => login.advance(seconds),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function readCookies({ headers }: IncomingMessage): Record<string, string> {
  const pairs = (headers.cookie ?? "").split("; ").map(parseSetCookie);
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

function decodes(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

async function readBody(
  request: IncomingMessage,
  has: (fault: string) => boolean = () => false,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  const late = has("stall-throws") ? new Error("aborted") : new SiteError(400, "invalid_request");
  const timer = setTimeout(() => request.emit("error", late), STALL_MS);
  for await (const part of request) parts.push(part);
  clearTimeout(timer);
  return Buffer.concat(parts);
}

const MOST_SECONDS = 253_402_300_799;

/** The body of a wallet response. @throws {SiteError} 400, 413 */
function readResponse(bytes: Buffer, has: (fault: string) => boolean): Record<string, unknown> {
  if (bytes.length > 64 * 1024 && !has("large-bodies")) throw new SiteError(413, "payload_too_large");
  const refuse = () => new SiteError(400, "invalid_request");
  let body: unknown;
  try {
    const text = has("any-utf8") ? bytes.toString() : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    body = JSON.parse(text);
  } catch (error) {
    throw has("parse-throws") ? error : refuse();
  }
  if (Array.isArray(body) && has("arrays-opened")) body = body[0];
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw refuse();
  if (depthOf(body) > 16 && !has("deep-bodies")) throw refuse();
  const inherited = Object.getOwnPropertyDescriptor(body, "__proto__")?.value;
  const own = has("prototype-followed") ? { ...inherited, ...body } : body;
  const fields: Record<string, unknown> = { ...own };
  for (const name of ["public_key", "signature", "challenge"]) {
    if (has("fields-converted") && fields[name] !== undefined) fields[name] = String(fields[name]);
    if (typeof fields[name] !== "string" && !has("fields-unchecked")) throw refuse();
    if (/\0|[\ud800-\udfff]/.test(String(fields[name])) && has("text-throws"))
      throw new Error("invalid byte sequence");
  }
  const { timestamp } = fields;
  const isInteger =
    Number.isInteger(timestamp) && Number(timestamp) >= 0 && Number(timestamp) <= MOST_SECONDS;
  if (!isInteger && !has("any-timestamp")) throw refuse();
  if (has("clock-compared") && Math.abs(Number(timestamp) - Date.now() / 1000) > 600) throw refuse();
  if (has("strict-fields") && Object.keys(fields).some((name) => !KNOWN.includes(name))) throw refuse();
  const { device_info: device } = fields;
  if (device === undefined && !has("device-required")) return fields;
  if (typeof device !== "object" || device === null || Array.isArray(device)) throw refuse();
  for (const [name, most] of [
    ["platform", 100],
    ["version", 100],
    ["device_id", 200],
  ] as const) {
    const value = (device as Record<string, unknown>)[name];
    const isRight = value === undefined || (typeof value === "string" && value.length <= most);
    if (/\0|[\ud800-\udfff]/.test(String(value))) throw refuse();
    if (!isRight && !(has("any-length") && typeof value === "string")) throw refuse();
  }
  return fields;
}

const KNOWN = ["public_key", "signature", "challenge", "timestamp", "device_info"];

function depthOf(value: unknown): number {
  let depth = 0;
  for (let level: unknown[] = [value]; level.length > 0 && depth < 40; depth++) {
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return depth;
}

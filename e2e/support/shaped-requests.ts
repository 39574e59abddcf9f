import fc from "fast-check";
import { fill, request } from "#scripts/resilience/costly-requests.ts";

const UNITS = [
  ..."a - _ . / % & = ; , : + * ( [ { < \" ' \\ ? # @ ~ 0 9 \t".split(" "),
  ...[
    "ab-",
    "a.",
    "a=b;",
    "a&",
    "a=b&",
    "%41",
    "%F0%9F%99%82",
    "%25",
    "xn--",
    "xn--a.",
    "a;q=0.1,",
    'W/"a",',
    "bytes=0-,",
  ],
  ...[
    "04",
    "3045",
    "1e",
    "[]",
    "{}",
    '["",{}],',
    '"a":1,',
    "\\\\u0041",
    "svc:",
    "https://",
    "//",
    "../",
    "Mozilla/5.0 (",
    "Google-",
    "bot",
  ],
];
const HEADERS = [
  ..."Accept Accept-Encoding Accept-Language Authorization Cache-Control Content-Type Cookie Forwarded Idempotency-Key".split(
    " ",
  ),
  ..."If-Modified-Since If-None-Match Last-Event-ID Next-Action Next-Router-Prefetch Next-Router-Segment-Prefetch".split(
    " ",
  ),
  ..."Next-Router-State-Tree Next-Url Origin Purpose RSC Range Referer Sec-Fetch-Site User-Agent X-Forwarded-For".split(
    " ",
  ),
  ..."X-Forwarded-Host X-Matched-Path X-Middleware-Subrequest X-Nextjs-Data X-Prerender-Revalidate traceparent baggage".split(
    " ",
  ),
];
const PAGES = [
  "/",
  "/login",
  "/register",
  "/fast",
  "/dashboard",
  "/console/test/domains/x",
  "/open",
  "/wallet",
  "/docs/api",
];
const READS = [
  ...PAGES,
  "/api/svc/qr",
  "/api/svc/check",
  "/api/getqrcode",
  "/api/checkfast",
  "/api/auth/session",
  "/favicon.svg",
  "/sandbox/v1/domains",
  "/nowhere",
];
const BODIES: readonly (readonly [path: string, fields: readonly string[]])[] = [
  ["/webhook/login", ["public_key", "signature", "challenge", "timestamp", "device_info"]],
  ["/webhook/sessions/x", ["public_key", "signature", "challenge"]],
  ["/webhook/events", ["event", "data"]],
  ["/api/fastauth?sid=x&c=y&t=1", ["msg", "sig", "addr", "data"]],
  ["/api/auth/callback/svc", ["sid", "csrfToken", "callbackUrl"]],
  ["/api/account/credentials", ["sid", "label"]],
  ["/sandbox/v1/sessions", ["domain", "mode", "webhook_url", "metadata"]],
  ["/sandbox/v1/domains", ["domain", "webhook_url"]],
  ["/sandbox/v1/verify", ["public_key", "signature", "message"]],
];

/** Requests of every shape that is repeated: targets, headers, cookies of ours, JSON and forms. */
export function shapedRequests(apiKey: string): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...UNITS) },
    fc.string({ minLength: 1, maxLength: 4 }).map(printable),
  );
  const size = fc.constantFrom(500, 4_000, 16_000, 64_000);
  const filled = fc.tuple(unit, size).map(([text, bytes]) => fill(text, bytes));
  const bearer = `Authorization: Bearer ${apiKey}\r\n`;
  const target = fc
    .tuple(
      fc.constantFrom(...READS),
      fc.constantFrom("?", "?sid=", "?cursor=", "?callbackUrl=", "/", "?a&"),
      filled,
    )
    .map(([path, join, text]) =>
      request(`GET ${path}${join}${text.replace(/\s/g, "_").slice(0, 4_000)}`, bearer),
    );
  const headers = fc
    .tuple(
      fc.constantFrom(...READS),
      fc.uniqueArray(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 }),
      filled,
      fc.constantFrom("", "RSC: 1\r\n"),
    )
    .map(([path, names, text, more]) =>
      request(
        `GET ${path}`,
        more + names.map((name) => `${name}: ${text.slice(0, 15_000 / names.length)}z\r\n`).join(""),
      ),
    );
  const cookies = fc
    .tuple(
      fc.constantFrom(...READS),
      fc.constantFrom(
        "svc-browser",
        "next-auth.session-token",
        "next-auth.callback-url",
        "next-auth.csrf-token",
      ),
      filled,
    )
    .map(([path, name, text]) => request(`GET ${path}`, `Cookie: ${name}=${text.slice(0, 15_000)}\r\n`));
  const json = fc
    .tuple(fc.constantFrom(...BODIES), filled, fc.constantFrom("text", "https", "array", "raw"))
    .chain(([[path, fields], text, kind]) =>
      fc.constantFrom(...fields).map((field) => {
        const long = text.slice(0, 60_000);
        const value =
          kind === "array"
            ? Array(Math.floor(Math.min(20_000, long.length / 3))).fill([])
            : kind === "https"
              ? `https://${long}`
              : long;
        const body = kind === "raw" ? long : JSON.stringify({ domain: "localhost", [field]: value });
        return request(`POST ${path}`, `${bearer}Content-Type: application/json\r\n`, body.slice(0, 65_000));
      }),
    );
  const form = fc
    .tuple(
      fc.constantFrom("/api/fastauth?sid=x&c=y&t=1", "/api/auth/callback/svc", "/api/auth/signout"),
      filled,
    )
    .map(([path, text]) =>
      request(
        `POST ${path}`,
        "Content-Type: application/x-www-form-urlencoded\r\n",
        `msg=${text.slice(0, 60_000)}`,
      ),
    );
  return fc.oneof(target, headers, cookies, json, form);
}

/** Characters that may stand in a header. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "~");
}

import fc from "fast-check";
import { splitWords } from "#tools/resilience/hostile.ts";
import { fill, formatRequest } from "#tools/resilience/hostile-requests.ts";

const JSON_TYPE = "Content-Type: application/json\r\n";
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded\r\n";

const UNITS = splitWords(`
  a - _ . / % & = ; , : + * ( [ { < " ' \\ ? # @ ~ 0 9 ab- a. a=b; a& a=b& %41 %F0%9F%99%82 %25 xn-- xn--a. a;q=0.1,
  W/"a", bytes=0-, 04 3045 1e [] {} ["",{}], "a":1, \\\\u0041 svc: https:// // ../ Google- bot
`).concat("\t", "Mozilla/5.0 (");
const HEADERS = splitWords(`
  Accept Accept-Encoding Accept-Language Authorization Cache-Control Content-Type Cookie Forwarded Idempotency-Key
  If-Modified-Since If-None-Match Last-Event-ID Next-Action Next-Router-Prefetch Next-Router-Segment-Prefetch
  Next-Router-State-Tree Next-Url Origin Purpose RSC Range Referer Sec-Fetch-Site User-Agent X-Forwarded-For
  X-Forwarded-Host X-Matched-Path X-Middleware-Subrequest X-Nextjs-Data X-Prerender-Revalidate traceparent baggage
`);
const READS = splitWords(`
  / /login /register /fast /dashboard /console/test/domains/x /open /wallet /docs/api /api/svc/qr /api/svc/check
  /api/getqrcode /api/checkfast /api/auth/session /favicon.svg /sandbox/v1/domains /nowhere
`);
const FORMS = ["/api/fastauth?sid=x&c=y&t=1", "/api/auth/callback/svc", "/api/auth/signout"];
const COOKIES = splitWords("svc-browser next-auth.session-token next-auth.callback-url next-auth.csrf-token");
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

const withField = (field: string, value: unknown) => JSON.stringify({ domain: "localhost", [field]: value });
/** A field, a URL, an array of the same size, and the text without JSON around it. */
const BODY_OF: ((field: string, text: string) => string)[] = [
  withField,
  (field, text) => withField(field, `https://${text}`),
  (field, { length }) => withField(field, Array(Math.floor(Math.min(20_000, length / 3))).fill([])),
  (_field, text) => text,
];

/**
 * Generates requests that contain repeated text in every possible place: targets, headers, our cookies, JSON and forms.
 */
export function shapedRequests(apiKey: string): fc.Arbitrary<string> {
  const unit = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...UNITS) },
    fc.string({ minLength: 1, maxLength: 4 }).map(printable),
  );
  const size = fc.constantFrom(500, 4_000, 16_000, 64_000);
  const filled = fc.tuple(unit, size).map(([text, bytes]) => fill(text, bytes));
  const bearer = `Authorization: Bearer ${apiKey}\r\n`;
  const read = fc.constantFrom(...READS);
  const join = fc.constantFrom("?", "?sid=", "?cursor=", "?callbackUrl=", "/", "?a&");
  const target = fc
    .tuple(read, join, filled)
    .map(([path, before, text]) =>
      formatRequest(`GET ${path}${before}${text.replace(/\s/g, "_").slice(0, 4_000)}`, bearer),
    );
  const names = fc.uniqueArray(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 });
  const headers = fc
    .tuple(read, names, filled, fc.constantFrom("", "RSC: 1\r\n"))
    .map(([path, named, text, more]) => {
      const lines = named.map((name) => `${name}: ${text.slice(0, 15_000 / named.length)}z\r\n`);
      return formatRequest(`GET ${path}`, more + lines.join(""));
    });
  const cookies = fc
    .tuple(read, fc.constantFrom(...COOKIES), filled)
    .map(([path, name, text]) =>
      formatRequest(`GET ${path}`, `Cookie: ${name}=${text.slice(0, 15_000)}\r\n`),
    );
  const json = fc
    .tuple(fc.constantFrom(...BODIES), filled, fc.constantFrom(...BODY_OF))
    .chain(([[path, fields], text, bodyOf]) =>
      fc.constantFrom(...fields).map((field) => {
        const body = bodyOf(field, text.slice(0, 60_000)).slice(0, 65_000);
        return formatRequest(`POST ${path}`, bearer + JSON_TYPE, body);
      }),
    );
  const form = fc
    .tuple(fc.constantFrom(...FORMS), filled)
    .map(([path, text]) => formatRequest(`POST ${path}`, FORM_TYPE, `msg=${text.slice(0, 60_000)}`));
  return fc.oneof(target, headers, cookies, json, form);
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "~");
}

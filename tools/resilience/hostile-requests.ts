/**
 * Requests for raw sockets, as strings with one character for each byte. Some requests are malformed. Others are the
 * largest that the server allows, or once kept the server busy for far longer than their size explains.
 */

const HOST = "Host: localhost\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
export const formatGet = (target: string, headers = "") => `GET ${target} HTTP/1.1\r\n${HOST}${headers}\r\n`;
export const formatPost = (headers: string, body = "", target = "/webhook/login") =>
  `POST ${target} HTTP/1.1\r\n${HOST}${JSON_TYPE}${headers}\r\n${body}`;
const smuggled = formatGet("/healthz");

/** Each request must get a status below 500, or the server must close the connection. */
export const HOSTILE_BYTES: readonly (readonly [string, string])[] = [
  ["bad percent-encoding", formatGet("/v1/x/%E0%A4%A")],
  ["bad percent-encoding of the framework's own", formatGet("/_next/static/%E0%A4%A")],
  ["bad percent-encoding in NextAuth's path", formatGet("/api/auth/%E0%A4%A")],
  ["the framework's image optimizer", formatGet("/_next/image?url=%2f%2fevil.example&w=1&q=1")],
  ["the framework's data", formatGet("/_next/data/x/login.json")],
  [
    "the framework's router",
    formatGet("/login", "RSC: 1\r\nNext-Router-State-Tree: %%%\r\nNext-Url: %%%\r\n"),
  ],
  ["an action of the framework", formatPost("Next-Action: x\r\nContent-Length: 2\r\n", "{}", "/login")],
  [
    "the framework's inner headers",
    formatGet("/login", "x-middleware-subrequest: x:x:x:x:x\r\nx-invoke-path: /y\r\n"),
  ],
  ["TRACE", `TRACE / HTTP/1.1\r\n${HOST}\r\n`],
  ["CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`],
  ["a method that does not exist", `BREW /login HTTP/1.1\r\n${HOST}\r\n`],
  ["a method of a thousand letters", `${"A".repeat(1000)} / HTTP/1.1\r\n${HOST}\r\n`],
  ["OPTIONS of everything", `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
  ["the absolute form", formatGet("http://evil.example/login")],
  ["the absolute form of another scheme", formatGet("gopher://evil.example/login")],
  ["an authority", formatGet("evil.example:80")],
  ["a large header", formatGet("/login", `X-Large: ${"x".repeat(64 * 1024)}\r\n`)],
  ["ten thousand headers", formatGet("/login", "X: y\r\n".repeat(10_000))],
  ["a thousand cookies", formatGet("/login", `Cookie: ${"a=b; ".repeat(1000)}\r\n`)],
  ["a huge query", formatGet(`/api/svc/check?sid=${"x".repeat(15_000)}`)],
  ["ten thousand parameters", formatGet(`/login?${"a=b&".repeat(3_000)}`)],
  ["NUL in the target", formatGet("/api/svc/\0")],
  ["NUL in a header", formatGet("/login", "X-A: \0\r\n")],
  ["NUL instead of headers", `GET / HTTP/1.1\r\n${"\0".repeat(100)}\r\n\r\n`],
  ["control characters in the target", formatGet("/\x01\x02\x7f")],
  ["raw UTF-8 in the target", formatGet("/\xc3\xa9")],
  ["both lengths", formatPost("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`)],
  ["two lengths", formatPost("Content-Length: 2\r\nContent-Length: 3\r\n", `{}\n${smuggled}`)],
  ["a length that is none", formatPost("Content-Length: 1e3\r\n", "{}")],
  ["a length with a sign", formatPost("Content-Length: +2\r\n", "{}")],
  ["a length beyond all numbers", formatPost(`Content-Length: ${"9".repeat(40)}\r\n`, "{}")],
  ["an unknown transfer encoding", formatPost("Transfer-Encoding: xchunked\r\n", `0\r\n\r\n${smuggled}`)],
  ["a transfer encoding with a tab", formatPost("Transfer-Encoding:\tchunked\r\n", `0\r\n\r\n${smuggled}`)],
  [
    "a transfer encoding in two lines",
    formatPost("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", "0\r\n\r\n"),
  ],
  ["a space before the colon", formatPost("Content-Length : 2\r\n", `{}${smuggled}`)],
  ["a folded header", formatPost("X-A: b\r\n c: d\r\nContent-Length: 2\r\n", "{}")],
  ["bare line feeds", "GET /login HTTP/1.1\nHost: localhost\n\n"],
  ["bare carriage returns", "GET /login HTTP/1.1\rHost: localhost\r\r"],
  ["a chunk size that is none", formatPost("Transfer-Encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n")],
  ["a negative chunk size", formatPost("Transfer-Encoding: chunked\r\n", "-1\r\n{}\r\n0\r\n\r\n")],
  [
    "a chunk size beyond all numbers",
    formatPost("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n{}\r\n"),
  ],
  [
    "a large chunk extension",
    formatPost("Transfer-Encoding: chunked\r\n", `2;${"x".repeat(64 * 1024)}\r\n{}\r\n0\r\n\r\n`),
  ],
  [
    "trailers that change the length",
    formatPost("Transfer-Encoding: chunked\r\n", "2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n"),
  ],
  ["a chunk longer than it says", formatPost("Transfer-Encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n")],
  ["a body with GET", `GET /api/svc/qr HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\n{}`],
  ["a body larger than it says", formatPost("Content-Length: 2\r\n", `{}${"x".repeat(100)}`)],
  ["a body that is too large, said", formatPost(`Content-Length: ${2 ** 30}\r\n`, "{")],
  ["a body in gzip", formatPost("Content-Encoding: gzip\r\nContent-Length: 4\r\n", "\x1f\x8b\x08\x00")],
  ["a body of deep nesting", formatPost("Content-Length: 60000\r\n", "[".repeat(60_000))],
  ["a body of prototype keys", formatPost("Content-Length: 33\r\n", '{"__proto__":{"public_key":"04"}}')],
  ["a body that is no UTF-8", formatPost("Content-Length: 4\r\n", '"\xff\xfe"')],
  [
    "a body for NextAuth that is no form",
    formatPost("Content-Length: 4\r\n", "\xff\xfe\0%", "/api/auth/callback/svc"),
  ],
  ["a body that never comes", formatPost("Content-Length: 10\r\n")],
  ["a body that is waited for", formatPost("Expect: 100-continue\r\nContent-Length: 10\r\n")],
  ["an expectation that nobody knows", formatGet("/login", "Expect: wonders\r\n")],
  [
    "an upgrade",
    formatGet("/login", "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n"),
  ],
  [
    "an upgrade to hot reload",
    formatGet("/_next/webpack-hmr", "Connection: Upgrade\r\nUpgrade: websocket\r\n"),
  ],
  [
    "an upgrade to h2c",
    formatGet(
      "/login",
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    ),
  ],
  ["HTTP/2 without asking", `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${"\0".repeat(9)}`],
  ["a TLS hello", `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${"x".repeat(508)}`],
  ["HTTP/0.9", "GET /login\r\n"],
  ["HTTP/1.0", "GET /login HTTP/1.0\r\n\r\n"],
  ["HTTP/1.0 that asks to be kept", "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"],
  ["a version that does not exist", `GET /login HTTP/3.7\r\n${HOST}\r\n`],
  ["no Host", "GET /login HTTP/1.1\r\n\r\n"],
  ["two Hosts", "GET /login HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
  ["a Host that is none", "GET /login HTTP/1.1\r\nHost: a b%%%:x@[\r\n\r\n"],
  ["addresses of nobody", formatGet("/api/svc/qr", `X-Forwarded-For: ${"999.1.1.1, ".repeat(500)}\r\n`)],
  ["an Authorization of bytes", formatGet("/v1/domains", "Authorization: Bearer \xff\xfe\r\n")],
  [
    "cookies of bytes",
    formatGet("/dashboard", "Cookie: next-auth.session-token=\xff%00; __Host-svc=\xff\r\n"),
  ],
  [
    "an Origin that is none",
    formatPost("Origin: \\\\\r\nContent-Length: 2\r\n", "{}", "/api/account/sessions"),
  ],
  ["empty lines for ever", "\r\n".repeat(5_000)],
  ["nothing", ""],
];

/** For each request, a name, the beginning of the request, and a part that is then sent endlessly. */
export const ENDLESS_REQUESTS: readonly (readonly [string, string, string])[] = [
  [
    "a chunked body without end",
    formatPost("Transfer-Encoding: chunked\r\n"),
    `1000\r\n${" ".repeat(4096)}\r\n`,
  ],
  [
    "a chunked form without end",
    `POST /api/auth/callback/svc HTTP/1.1\r\n${HOST}Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `1000\r\n${"a".repeat(4096)}\r\n`,
  ],
  [
    "a chunked body for a page",
    formatPost("Transfer-Encoding: chunked\r\n", "", "/login"),
    `1000\r\n${" ".repeat(4096)}\r\n`,
  ],
  ["a header without end", `GET / HTTP/1.1\r\n${HOST}X-Endless: `, "x".repeat(4096)],
  ["a target without end", "GET /", "x".repeat(4096)],
  ["a method without end", "", "X".repeat(4096)],
];

export function formatRequest(line: string, headers = "", body = ""): string {
  const length = body === "" ? "" : `Content-Length: ${Buffer.byteLength(body, "latin1")}\r\n`;
  return `${line} HTTP/1.1\r\n${HOST}Connection: close\r\n${headers}${length}\r\n${body}`;
}

export function fill(unit: string, bytes: number): string {
  return unit.repeat(Math.floor(bytes / unit.length));
}

const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded\r\n";
const PARTS_TYPE = "Content-Type: multipart/form-data; boundary=b\r\n";
const BODY_BYTES = 65_000;
const FIELDS = "a&".repeat(BODY_BYTES / 2);
const PART = '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nx\r\n';
const WEBHOOK = "POST /webhook/login";
const FAST_FORM = "POST /api/fastauth?sid=x&c=y&t=1";

const x = (times: number) => "x".repeat(times);
const header = (name: string, value: string) => `${name}: ${value}\r\n`;
const cookie = (value: string) => header("Cookie", value);
const TOKEN = "next-auth.session-token";
const brackets = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const state = (tree: string) => `RSC: 1\r\n${header("Next-Router-State-Tree", tree)}`;
const nested = (depth: number) => `${'["",{"a":'.repeat(depth)}["",{}]${"}]".repeat(depth)}`;
const numberItems = (count: number, item: (n: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join("");

type Case = [status: number, name: string, line: string, headers?: string, body?: string];

const CASES: readonly Case[] = [
  [414, "7,500 fields in a page's query", `GET /login?${"a&".repeat(7_500)}`],
  [400, "2,000 fields in a page's query", `GET /login?${"a&".repeat(2_000)}`],
  [200, "64 fields in a page's query", `GET /login?${numberItems(64, (n) => `f${n}=${x(55)}&`)}`],
  [200, "a query of one field", `GET /login?x=${fill("%F0%9F%99%82", 4_000)}`],
  [200, "a query of nothing", `GET /login?${"&".repeat(4_000)}`],
  [404, "a path of 2,000 segments", `GET ${"/a".repeat(2_000)}`],
  [404, "a path of encoded characters", `GET /${"%41".repeat(1_300)}`],
  [414, "a target of 20 KB", `GET /${"a".repeat(20_000)}`],
  [307, "3,600 short cookies", "GET /dashboard", cookie("a=b;".repeat(3_600))],
  [
    307,
    "2,400 cookies of different names",
    "GET /dashboard",
    cookie(numberItems(2_400, (n) => `${n.toString(36)}=1;`)),
  ],
  [307, "a token in 480 parts", "GET /dashboard", cookie(numberItems(480, (n) => `${TOKEN}.${n}=1;`))],
  [307, "a token of 15 KB", "GET /dashboard", cookie(`${TOKEN}=${"a.".repeat(7_500)}`)],
  [200, "a User-Agent of 15 KB, one word", "GET /login", header("User-Agent", x(15_000))],
  [200, "a User-Agent of 15 KB, dashes", "GET /login", header("User-Agent", "a-".repeat(7_500))],
  [400, "a router's state of 1,000 levels", "GET /login", state(nested(1_000))],
  [400, "a router's state of 7,000 arrays", "GET /login", state(brackets(7_000))],
  [431, "1,200 header lines", "GET /login", numberItems(1_200, (n) => header(`${n}`, "1"))],
  [200, "100 header lines", "GET /login", numberItems(100, (n) => header(`${n}`, x(100)))],
  [431, "10,000 header lines", "GET /login", "a:b\r\n".repeat(10_000)],
  [200, "an Accept-Language of 15 KB", "GET /login", header("Accept-Language", fill("a;q=0.5,", 15_000))],
  [200, "an If-None-Match of 15 KB", "GET /login", header("If-None-Match", fill('W/"a",', 15_000))],
  [200, "the longest page", "GET /docs/api"],
  [200, "the longest guide", "GET /docs/guides/protocol"],
  [400, "a sign-out with 32,000 fields", "POST /api/auth/signout", FORM_TYPE, FIELDS],
  [400, "fast login's form with 32,000 fields", FAST_FORM, FORM_TYPE, FIELDS],
  [400, "fast login's form in 1,000 parts", FAST_FORM, PARTS_TYPE, `${fill(PART, BODY_BYTES)}--b--\r\n`],
  [400, "20,000 arrays for a webhook", WEBHOOK, JSON_TYPE, `[${"[],".repeat(20_000)}[]]`],
  [
    400,
    "7,000 members for a webhook",
    WEBHOOK,
    JSON_TYPE,
    `{${numberItems(7_000, (n) => `"${n}":1,`)}"a":1}`,
  ],
  [400, "32,000 levels for a webhook", WEBHOOK, JSON_TYPE, brackets(32_000)],
];

/** Name, bytes, and the status that each request must get. */
export const COSTLY_REQUESTS = CASES.map(
  ([status, name, line, headers, body]) => [name, formatRequest(line, headers, body), status] as const,
);

/** Within the server's limits; these requests once took a site several seconds. */
export const COSTLY_SITE_REQUESTS: readonly (readonly [string, string])[] = [
  [
    "an Accept-Language of blanks",
    formatRequest("GET /login", header("Accept-Language", `a${" ".repeat(15_500)}b`)),
  ],
  [
    "blanks where a page is missing",
    formatRequest("GET /nowhere", header("Accept-Language", `a${" ".repeat(15_500)}b`)),
  ],
  ["a User-Agent of 15 KB", formatRequest("GET /login", header("User-Agent", "a-".repeat(7_500)))],
  ["a cookie header of 15 KB", formatRequest("GET /login", cookie("a=b;".repeat(3_600)))],
  ["64 fields in the query", formatRequest(`GET /login?${numberItems(64, (n) => `f${n}=${x(55)}&`)}`)],
  ["a router's state of 7,000 arrays", formatRequest("GET /login", state(brackets(7_000)))],
  ["32,000 levels for a webhook", formatRequest(WEBHOOK, JSON_TYPE, brackets(32_000))],
];

/** Requests that once cost far more than their size, and the largest that are allowed. */

const HOST = "Host: localhost\r\nConnection: close\r\n";

/** A request's bytes, one character a byte. */
export function request(line: string, headers = "", body = ""): string {
  const length = body === "" ? "" : `Content-Length: ${Buffer.byteLength(body, "latin1")}\r\n`;
  return `${line} HTTP/1.1\r\n${HOST}${headers}${length}\r\n${body}`;
}

const JSON_TYPE = "Content-Type: application/json\r\n";
const FORM_TYPE = "Content-Type: application/x-www-form-urlencoded\r\n";
const BODY_BYTES = 65_000;

/** `unit` again and again, as often as it fits into `bytes`. */
export function fill(unit: string, bytes: number): string {
  return unit.repeat(Math.floor(bytes / unit.length));
}

const nested = (depth: number) => `${'["",{"a":'.repeat(depth)}["",{}]${"}]".repeat(depth)}`;
const numbered = (count: number, item: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join("");

/** By name, with the statuses that answer it. */
export const COSTLY_REQUESTS: readonly (readonly [
  name: string,
  bytes: string,
  statuses: readonly number[],
])[] = [
  ["7,500 fields in a page's query", request(`GET /login?${"a&".repeat(7_500)}`), [414]],
  ["2,000 fields in a page's query", request(`GET /login?${"a&".repeat(2_000)}`), [400]],
  [
    "64 fields in a page's query",
    request(`GET /login?${numbered(64, (index) => `f${index}=${"x".repeat(55)}&`)}`),
    [200],
  ],
  ["a query of one field", request(`GET /login?x=${fill("%F0%9F%99%82", 4_000)}`), [200]],
  ["a query of nothing", request(`GET /login?${"&".repeat(4_000)}`), [200]],
  ["a path of 2,000 segments", request(`GET ${"/a".repeat(2_000)}`), [404]],
  ["a path of encoded characters", request(`GET /${"%41".repeat(1_300)}`), [404]],
  ["a target of 20 KB", request(`GET /${"a".repeat(20_000)}`), [414]],
  ["3,600 short cookies", request("GET /dashboard", `Cookie: ${"a=b;".repeat(3_600)}\r\n`), [307]],
  [
    "2,400 cookies of different names",
    request("GET /dashboard", `Cookie: ${numbered(2_400, (index) => `${index.toString(36)}=1;`)}\r\n`),
    [307],
  ],
  [
    "a token in 480 parts",
    request(
      "GET /dashboard",
      `Cookie: ${numbered(480, (index) => `next-auth.session-token.${index}=1;`)}\r\n`,
    ),
    [307],
  ],
  [
    "a token of 15 KB",
    request("GET /dashboard", `Cookie: next-auth.session-token=${"a.".repeat(7_500)}\r\n`),
    [307],
  ],
  ["a User-Agent of 15 KB, one word", request("GET /login", `User-Agent: ${"x".repeat(15_000)}\r\n`), [200]],
  ["a User-Agent of 15 KB, dashes", request("GET /login", `User-Agent: ${"a-".repeat(7_500)}\r\n`), [200]],
  [
    "a router's state of 1,000 levels",
    request("GET /login", `RSC: 1\r\nNext-Router-State-Tree: ${nested(1_000)}\r\n`),
    [400],
  ],
  [
    "a router's state of 7,000 arrays",
    request("GET /login", `RSC: 1\r\nNext-Router-State-Tree: ${"[".repeat(7_000)}${"]".repeat(7_000)}\r\n`),
    [400],
  ],
  [
    "1,200 header lines",
    request(
      "GET /login",
      numbered(1_200, (index) => `${index}: 1\r\n`),
    ),
    [431],
  ],
  [
    "100 header lines",
    request(
      "GET /login",
      numbered(100, (index) => `${index}: ${"x".repeat(100)}\r\n`),
    ),
    [200],
  ],
  ["10,000 header lines", request("GET /login", "a:b\r\n".repeat(10_000)), [431]],
  [
    "an Accept-Language of 15 KB",
    request("GET /login", `Accept-Language: ${fill("a;q=0.5,", 15_000)}\r\n`),
    [200],
  ],
  ["an If-None-Match of 15 KB", request("GET /login", `If-None-Match: ${fill('W/"a",', 15_000)}\r\n`), [200]],
  ["the longest page", request("GET /docs/api"), [200]],
  ["the longest guide", request("GET /docs/guides/protocol"), [200]],
  [
    "a sign-out with 32,000 fields",
    request("POST /api/auth/signout", FORM_TYPE, "a&".repeat(BODY_BYTES / 2)),
    [400],
  ],
  [
    "fast login's form with 32,000 fields",
    request("POST /api/fastauth?sid=x&c=y&t=1", FORM_TYPE, "a&".repeat(BODY_BYTES / 2)),
    [400],
  ],
  [
    "fast login's form in 1,000 parts",
    request(
      "POST /api/fastauth?sid=x&c=y&t=1",
      "Content-Type: multipart/form-data; boundary=b\r\n",
      `${fill('--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\nx\r\n', BODY_BYTES)}--b--\r\n`,
    ),
    [400],
  ],
  [
    "20,000 arrays for a webhook",
    request("POST /webhook/login", JSON_TYPE, `[${"[],".repeat(20_000)}[]]`),
    [400],
  ],
  [
    "7,000 members for a webhook",
    request("POST /webhook/login", JSON_TYPE, `{${numbered(7_000, (index) => `"${index}":1,`)}"a":1}`),
    [400],
  ],
  [
    "32,000 levels for a webhook",
    request("POST /webhook/login", JSON_TYPE, "[".repeat(32_000) + "]".repeat(32_000)),
    [400],
  ],
];

/** Requests that once cost far more than their size, and the largest that are allowed. */

const HOST = "Host: localhost\r\nConnection: close\r\n";

/** A request's bytes, one character a byte. */
export function request(line: string, headers = "", body = ""): string {
  const length = body === "" ? "" : `Content-Length: ${Buffer.byteLength(body, "latin1")}\r\n`;
  return `${line} HTTP/1.1\r\n${HOST}${headers}${length}\r\n${body}`;
}

/** `unit` again and again, as often as it fits into `bytes`. */
export function fill(unit: string, bytes: number): string {
  return unit.repeat(Math.floor(bytes / unit.length));
}

const JSON_TYPE = "Content-Type: application/json\r\n";
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
const numbered = (count: number, item: (n: number) => string) =>
  Array.from({ length: count }, (_, index) => item(index)).join("");

type Case = [status: number, name: string, line: string, headers?: string, body?: string];

const CASES: readonly Case[] = [
  [414, "7,500 fields in a page's query", `GET /login?${"a&".repeat(7_500)}`],
  [400, "2,000 fields in a page's query", `GET /login?${"a&".repeat(2_000)}`],
  [200, "64 fields in a page's query", `GET /login?${numbered(64, (n) => `f${n}=${x(55)}&`)}`],
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
    cookie(numbered(2_400, (n) => `${n.toString(36)}=1;`)),
  ],
  [307, "a token in 480 parts", "GET /dashboard", cookie(numbered(480, (n) => `${TOKEN}.${n}=1;`))],
  [307, "a token of 15 KB", "GET /dashboard", cookie(`${TOKEN}=${"a.".repeat(7_500)}`)],
  [200, "a User-Agent of 15 KB, one word", "GET /login", header("User-Agent", x(15_000))],
  [200, "a User-Agent of 15 KB, dashes", "GET /login", header("User-Agent", "a-".repeat(7_500))],
  [400, "a router's state of 1,000 levels", "GET /login", state(nested(1_000))],
  [400, "a router's state of 7,000 arrays", "GET /login", state(brackets(7_000))],
  [431, "1,200 header lines", "GET /login", numbered(1_200, (n) => header(`${n}`, "1"))],
  [200, "100 header lines", "GET /login", numbered(100, (n) => header(`${n}`, x(100)))],
  [431, "10,000 header lines", "GET /login", "a:b\r\n".repeat(10_000)],
  [200, "an Accept-Language of 15 KB", "GET /login", header("Accept-Language", fill("a;q=0.5,", 15_000))],
  [200, "an If-None-Match of 15 KB", "GET /login", header("If-None-Match", fill('W/"a",', 15_000))],
  [200, "the longest page", "GET /docs/api"],
  [200, "the longest guide", "GET /docs/guides/protocol"],
  [400, "a sign-out with 32,000 fields", "POST /api/auth/signout", FORM_TYPE, FIELDS],
  [400, "fast login's form with 32,000 fields", FAST_FORM, FORM_TYPE, FIELDS],
  [400, "fast login's form in 1,000 parts", FAST_FORM, PARTS_TYPE, `${fill(PART, BODY_BYTES)}--b--\r\n`],
  [400, "20,000 arrays for a webhook", WEBHOOK, JSON_TYPE, `[${"[],".repeat(20_000)}[]]`],
  [400, "7,000 members for a webhook", WEBHOOK, JSON_TYPE, `{${numbered(7_000, (n) => `"${n}":1,`)}"a":1}`],
  [400, "32,000 levels for a webhook", WEBHOOK, JSON_TYPE, brackets(32_000)],
];

/** By name, with the status that answers it. */
export const COSTLY_REQUESTS = CASES.map(
  ([status, name, line, headers, body]) => [name, request(line, headers, body), status] as const,
);

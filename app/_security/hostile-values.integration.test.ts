import { beforeAll, describe, expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import {
  ALL_ENDPOINTS,
  API_ENDPOINTS,
  type Endpoint,
  OTHER_HANDLERS,
  PAGES,
} from "#e2e/support/endpoints.ts";
import { BINDING_COOKIE, databaseUrl, SESSION_COOKIE, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { requestQr, signInBrowser } from "#tools/kit/login.ts";
import { TestWallet } from "#tools/kit/test-wallet.ts";

const READS = ALL_ENDPOINTS.filter(({ method }) => method === "GET");
/** Omits the build's files: they contain the texts of all pages, and are the same for every user. */
const ANSWERS = READS.filter(({ path }) => !path.startsWith("/_next/static/"));

/** Endpoints that ignore the request body. */
const TAKE_NONE = ["/api/account/recovery-codes", "/api/conformance/runs"];
const TAKE_BODIES: Endpoint[] = [...API_ENDPOINTS, ...OTHER_HANDLERS].filter(
  ({ method, path }) => ["POST", "PATCH"].includes(method) && !TAKE_NONE.includes(path),
);

const FIELDS = [
  ...["challenge", "signature", "public_key", "sid", "label", "name", "domain", "webhook_url", "message"],
  ...["addr", "sig", "msg"],
];
/** Each field is tested with only three of these pieces, because `patterns.test.ts` checks every pattern. */
const PIECES = ["a", "\\", "(", "0", ".", "-", " ", "svc:", "é"];
/** All fields together fit into the 64 KB that the server reads. */
const FIELD_BYTES = 3_000;

describe("a hostile body", () => {
  const bodies: [string, string][] = [
    [
      "prototype keys",
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"data":{"__proto__":{"msg":"x"}}}',
    ],
    [
      "repeated keys",
      '{"sid":"a","sid":"b","challenge":"a","challenge":{"x":1},"label":1,"label":"x","data":1,"data":{"msg":"x"}}',
    ],
    ["escaped spellings of keys", '{"\\u0073id":"a","SID":"b","sid ":"c"}'],
    ...[0, 3, 6].map((first): [string, string] => {
      const fields = FIELDS.map((name, at) => {
        const piece = PIECES[(first + at) % PIECES.length] ?? "";
        return [name, `!${piece.repeat(Math.floor(FIELD_BYTES / Buffer.byteLength(piece)))}!`];
      });
      const body = JSON.stringify({ ...Object.fromEntries(fields), timestamp: 1 });
      return [`long fields, ${first / 3 + 1} of 3`, body];
    }),
    ["an infinite number", '{"timestamp":1e999,"challenge":"x","signature":"x","public_key":"x"}'],
  ];

  test.each(bodies)("gets a 4xx from every endpoint that accepts a body: %s", async (_what, body) => {
    const { browser } = await signInBrowser(url);
    const customer = await newCustomer(url, databaseUrl);
    for (const { method, path } of TAKE_BODIES) {
      const headers = {
        "Content-Type": "application/json",
        Origin: url,
        Authorization: `Bearer ${customer.key}`,
      };
      const response = await browser.fetch(path, { method, headers, body });
      const at = `${method} ${path} ${response.status}`;
      expect(response.status, at).toBeLessThan(500);
      // The endpoint for test logins ignores the request body, so it returns 201.
      if (!path.endsWith("/test-logins")) expect(response.status, at).not.toBe(201);
      expect(await response.text(), at).not.toMatch(/"admin"|node_modules|SELECT /);
    }
    expect((await (await new Client(url).fetch("/api/svc/check?sid=x")).json()).error.details).toEqual({});
  });
});

const MARKUP = `"><img src=x onerror=alert(1)></script><script>alert(1)</script>`;
const ACTIVE_MARKUP = /<img src=x|<script>alert|<\/script><script>/i;

describe("stored markup", () => {
  test("is escaped on every page that shows a device, browser, name or endpoint response", async () => {
    const wallet = new TestWallet();
    const device_info = { platform: MARKUP, version: MARKUP, device_id: MARKUP };
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser, "register");
    await browser.post("/webhook/register", wallet.response(challenge, { device_info }));
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "User-Agent": `Firefox/1 ${MARKUP}`,
    };
    const csrfToken = await browser.csrfToken();
    const form = new URLSearchParams({ csrfToken, sid, json: "true" }).toString();
    await browser.fetch("/api/auth/callback/svc", { method: "POST", headers, body: form });
    const console = (path: string, body: unknown) =>
      browser.post(`/api/console/test${path}`, body, { Origin: url });
    expect((await console("/keys", { name: MARKUP })).status).toBe(201);
    const host = `d${Date.now()}.example`;
    const webhook_url = `https://${host}/?q=${encodeURIComponent(MARKUP)}`;
    const { id: domain } = await (await console("/domains", { domain: host, webhook_url })).json();
    await console(`/domains/${domain}/test-event`, undefined);

    const seenNonces: string[] = [];
    for (const { path } of [...PAGES, { path: `/console/test/domains/${domain}` }]) {
      const html = await (await browser.fetch(path)).text();
      expect(html, path).not.toMatch(ACTIVE_MARKUP);
      if (html.includes("onerror=alert(1)")) seenNonces.push(path);
    }
    expect(seenNonces).toEqual(expect.arrayContaining(["/dashboard", "/console/test/keys"]));
  });
});

describe("hostile text in a request", () => {
  const NAMES = "callbackUrl error sid mode intent s c t problem kind status domain_id cursor".split(" ");
  /** The first two encodings are ordinary characters, which are allowed in a URL's query. */
  const [CHARACTERS = "", ...CONTROLS] = [
    "%E5%98%8A%E5%98%8DX-Injected:1",
    "%C4%8D%C4%8AX-Injected:1",
    "%0d%0aX-Injected:%201",
    "%0aX-Injected:1",
  ];
  const anyone = new Client(url);
  const send = async (path: string, value: string) => {
    const query = NAMES.map((name) => `${name}=${value}`).join("&");
    const response = await anyone.fetch(`${path}?${query}`);
    return { path, status: response.status, headers: response.headers, text: await response.text() };
  };
  let answers: Awaited<ReturnType<typeof send>>[];

  beforeAll(async () => {
    answers = [];
    for (const { path } of READS) answers.push(await send(path, encodeURIComponent(MARKUP) + CHARACTERS));
  });

  test("is returned as plain text in every response that repeats it", () => {
    const documents = answers.filter(({ headers }) => headers.get("content-type")?.startsWith("text/html"));
    expect(documents.length).toBeGreaterThan(10);
    for (const { path, text } of documents) expect(text, path).not.toMatch(ACTIVE_MARKUP);
  });

  test("cannot inject a response header in any encoding", async () => {
    // Only these headers can contain text from a request.
    const affectedHeaders = ["location", "refresh", "set-cookie", "content-disposition", "link"];
    const affected = answers.filter(({ headers }) => affectedHeaders.some((name) => headers.has(name)));
    for (const { path } of affected) for (const value of CONTROLS) answers.push(await send(path, value));
    for (const { path, status, headers } of answers) {
      expect(status, path).toBeLessThan(500);
      expect([...headers.keys()], path).not.toContain("x-injected");
    }
  });

  test("cannot change the site's name in a response through Host or a proxy's headers", async () => {
    const more = ["/login/", "/api/auth/signin?callbackUrl=/dashboard"].map((path) => ({ path }));
    for (const { path } of [...READS, ...more]) {
      const { status, text } = await getAs(path, {
        Host: "evil.example",
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Server": "evil.example",
        "X-Original-URL": "//evil.example/",
        "X-Rewrite-URL": "/dashboard",
        Forwarded: "host=evil.example",
      });
      expect(status, path).toBeLessThan(500);
      expect(text, path).not.toContain("evil.example");
    }
  });
});

describe("a hostile credential", () => {
  const token = SESSION_COOKIE;
  // Bearer tokens and cookies are read in different places, so one request can test both.
  const CREDENTIALS: [string, Record<string, string>][] = [
    ["a badly encoded bearer or token", { Authorization: "Bearer %E0%A4%A", Cookie: `${token}=%E0%A4%A` }],
    [
      "an empty bearer, or a token without encryption",
      { Authorization: "Bearer ", Cookie: `${token}=eyJhbGciOiJub25lIn0.e30.` },
    ],
    [
      "a bearer that is not a token, or a token in pieces",
      {
        Authorization: "Bearer a.b.c.d.e",
        Cookie: `${token}.0=a; ${token}.1=b; ${token}.99999999999999999999=c; ${token}.x=d`,
      },
    ],
    [
      "another scheme, or a token of many pieces",
      {
        Authorization: "Basic Og==",
        Cookie: Array.from({ length: 50 }, (_, at) => `${token}.${at}=x`).join("; "),
      },
    ],
    [
      "cookies with the names of a prototype",
      { Cookie: `__proto__=1; constructor=2; hasOwnProperty=3; ${BINDING_COOKIE}=4` },
    ],
    ["malformed cookies", { Cookie: `=;;; ;=x; ${token}; ${BINDING_COOKIE}; ${"a".repeat(4000)}` }],
  ];
  const SHOW_USER = ["/dashboard", "/api/auth/session"];

  test.each(CREDENTIALS)("does not sign in or cause a 500: %s", async (what, headers) => {
    // All paths use the same functions to read credentials, so each of the other paths is tested with only a third of
    // the credentials.
    const turn = CREDENTIALS.findIndex(([name]) => name === what) % 3;
    const addresses = ANSWERS.filter(({ path }, index) => index % 3 === turn || SHOW_USER.includes(path));
    for (const { path } of addresses) {
      const { status, text } = await getAs(path, headers);
      expect(status, path).toBeLessThan(500);
      expect(/Where you are signed in|"user":\{"id"/.test(text), path).toBe(false);
    }
  });
});

/** Sends headers that `fetch` would not send. Returns the status line, headers and body as one text. */
async function getAs(
  path: string,
  requestHeaders: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const { status, headers, body } = await new Client(url).send(path, { headers: requestHeaders });
  return { status, text: `${JSON.stringify(headers)}\n${body}` };
}

import { request as httpRequest } from "node:http";
import { describe, expect, inject, test } from "vitest";
import { type Address, API_ADDRESSES, EVERY_ADDRESS, OTHER_HANDLERS, PAGES } from "#e2e/support/addresses.ts";
import { Client } from "#e2e/support/client.ts";
import { newIntegrator } from "#e2e/support/integrator.ts";
import { requestQr, signedIn } from "#e2e/support/login.ts";
import { TestWallet } from "#e2e/support/test-wallet.ts";

/** Text of an attacker's choosing wherever the application takes any. */

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

const ELSEWHERE = [
  ...["https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example", "/\t/evil.example"],
  ...["/\n/evil.example", "/%09/evil.example", "/%2F/evil.example", "/%5Cevil.example", "https:evil.example"],
  ...["/.//evil.example", "/..//evil.example", "///evil.example", "/x@evil.example//..//evil.example"],
  ...[`${url}@evil.example/`, `${url}.evil.example/`, "http://localhost:1/", "//evil.example\\@localhost/"],
  ...[
    "/／evil.example",
    "//evil。example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)//",
    "data:text/html,x",
    "\u0000//evil.example",
  ],
];

/** Where an answer leads, as a browser reads it; null when it leads nowhere. */
function leadsTo(response: Response, from: string): URL | null {
  const location =
    response.headers.get("location") ?? /url=(.*)$/.exec(response.headers.get("refresh") ?? "")?.[1];
  return location ? new URL(location, new URL(from, url)) : null;
}

describe("where somebody is sent", () => {
  test("is never another origin, whatever a path or a query says", async () => {
    const anyone = new Client(url);
    const { browser } = await signedIn(url);
    const paths = ELSEWHERE.flatMap((target) => {
      const encoded = encodeURIComponent(target);
      const query = `callbackUrl=${encoded}&redirect=${encoded}&next=${encoded}&url=${encoded}&error=${encoded}`;
      return [
        ...["/login", "/register", "/dashboard", "/api/auth/signin", "/api/auth/error"].map(
          (path) => `${path}?${query}`,
        ),
        ...["/dashboard?sid=", "/dashboard/enter?sid=", "/fast?problem="].map((path) => path + encoded),
        ...[`/${encoded}`, `/login/${encoded}/`, `/console/${encoded}`, `/console/test/domains/${encoded}`],
      ];
    });
    // As they stand, too: what a browser would send of them, and what only a program would.
    const raw = [
      "/login//evil.example/",
      "/login/..//evil.example/",
      "/%2e%2e//evil.example/",
      "/x/%2f%2fevil.example/",
    ];
    for (const path of [...paths, ...raw]) {
      for (const who of [anyone, browser]) {
        const response = await who.fetch(path);
        expect(response.status, path).toBeLessThan(500);
        const there = leadsTo(response, path);
        if (there) expect(`${path} → ${there.origin}`).toBe(`${path} → ${url}`);
        const html = await response.text();
        expect(html, path).not.toMatch(
          /(?:href|src|action|content)="\s*(?:\d+;\s*url=)?(?:https?:)?[\\/]{2}evil/i,
        );
        expect(html, path).not.toMatch(/(?:href|src|action)="\s*(?:javascript|data):/i);
      }
    }
  });

  test("after signing out is this site as well", async () => {
    for (const callbackUrl of ELSEWHERE) {
      const { browser } = await signedIn(url);
      const { csrfToken } = await (await browser.fetch("/api/auth/csrf")).json();
      const response = await browser.fetch("/api/auth/signout", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ csrfToken, callbackUrl }).toString(),
      });
      expect(leadsTo(response, "/")?.origin).toBe(url);
      await response.body?.cancel();
    }
  });
});

const READS = EVERY_ADDRESS.filter(({ method }) => method === "GET");

describe("what a request says of itself", () => {
  test("makes no header, however it is encoded", async () => {
    const anyone = new Client(url);
    const injected = [
      "%0d%0aX-Injected:%201",
      "%0aX-Injected:1",
      "%E5%98%8A%E5%98%8DX-Injected:1",
      "%C4%8D%C4%8AX-Injected:1",
    ];
    const names = [
      "sid",
      "callbackUrl",
      "error",
      "mode",
      "problem",
      "intent",
      "s",
      "c",
      "t",
      "cursor",
      "status",
    ];
    for (const { path } of READS) {
      for (const value of injected) {
        const query = names.map((name) => `${name}=${value}`).join("&");
        const response = await anyone.fetch(`${path}?${query}`);
        await response.body?.cancel();
        expect(response.status, path).toBeLessThan(500);
        expect([...response.headers.keys()]).not.toContain("x-injected");
      }
    }
  });

  test("names this site in no answer: neither Host nor a proxy's headers are believed", async () => {
    for (const { path } of [
      ...READS,
      { path: "/login/" },
      { path: "/api/auth/signin?callbackUrl=/dashboard" },
    ]) {
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

describe("what claims to prove who asks", () => {
  const token = "next-auth.session-token";
  test.each<[string, Record<string, string>]>([
    ["a badly encoded bearer", { Authorization: "Bearer %E0%A4%A" }],
    ["an empty bearer", { Authorization: "Bearer " }],
    ["a bearer that is no token", { Authorization: "Bearer a.b.c.d.e" }],
    ["another scheme", { Authorization: "Basic Og==" }],
    ["a badly encoded token", { Cookie: `${token}=%E0%A4%A` }],
    ["a token without encryption", { Cookie: `${token}=eyJhbGciOiJub25lIn0.e30.` }],
    [
      "a token in pieces",
      { Cookie: `${token}.0=a; ${token}.1=b; ${token}.99999999999999999999=c; ${token}.x=d` },
    ],
    [
      "a token of many pieces",
      { Cookie: Array.from({ length: 200 }, (_, at) => `${token}.${at}=x`).join("; ") },
    ],
    [
      "cookies by the names of a prototype",
      { Cookie: "__proto__=1; constructor=2; hasOwnProperty=3; svc-browser=4" },
    ],
    ["cookies that are none", { Cookie: `=;;; ;=x; ${token}; svc-browser; ${"a".repeat(4000)}` }],
  ])("and is %s signs nobody in, and fails nowhere", async (_what, headers) => {
    for (const { path } of READS) {
      const { status, text } = await getAs(path, headers);
      expect(status, path).toBeLessThan(500);
      expect(text, path).not.toMatch(/You are signed in|"user":/);
    }
  });
});

/** A GET with headers that `fetch` would not send; status line, headers and body as one text. */
function getAs(path: string, headers: Record<string, string>): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(path, url), { headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => (body += chunk));
      response.on("end", () => {
        const status = response.statusCode ?? 0;
        resolve({ status, text: `${JSON.stringify(response.headers)}\n${body}` });
      });
    });
    request.on("error", reject);
    request.end();
  });
}

/** Everything that takes a JSON body. */
const TAKE_BODIES: Address[] = [...API_ADDRESSES, ...OTHER_HANDLERS].filter(({ method }) =>
  ["POST", "PATCH"].includes(method),
);

describe("a body", () => {
  const long = 60_000;
  const bodies: [string, string][] = [
    [
      "prototype keys",
      '{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}},"data":{"__proto__":{"msg":"x"}}}',
    ],
    [
      "keys twice",
      '{"sid":"a","sid":"b","challenge":"a","challenge":{"x":1},"label":1,"label":"x","data":1,"data":{"msg":"x"}}',
    ],
    ["keys by other spellings", '{"\\u0073id":"a","SID":"b","sid ":"c"}'],
    ...["a", "%", "=", "\\\\", "(", "0", ".", "-", " ", "svc:", "a@", "1.", "[", "é"].map(
      (piece): [string, string] => {
        const text = piece.repeat(Math.floor(long / Buffer.byteLength(piece) / 10));
        const names = [
          "challenge",
          "signature",
          "public_key",
          "sid",
          "label",
          "name",
          "domain",
          "webhook_url",
          "message",
        ];
        return [
          `fields of many ${piece}`,
          `{${names.map((name) => `"${name}":"!${text}!"`).join(",")},"timestamp":1}`,
        ];
      },
    ),
    ["a number that is none", '{"timestamp":1e999,"challenge":"x","signature":"x","public_key":"x"}'],
  ];

  test.each(bodies)(
    "with %s is answered with a 4xx at every address that takes one, and changes no object",
    async (_what, body) => {
      const { browser } = await signedIn(url);
      const integrator = await newIntegrator(url, databaseUrl);
      for (const { method, path } of TAKE_BODIES) {
        const headers = {
          "Content-Type": "application/json",
          Origin: url,
          Authorization: `Bearer ${integrator.key}`,
        };
        const response = await browser.fetch(path, { method, headers, body });
        const at = `${method} ${path} ${response.status}`;
        expect(response.status, at).toBeLessThan(500);
        expect(response.status, at).not.toBe(201);
        expect(await response.text(), at).not.toMatch(/"admin"|node_modules|SELECT /);
      }
      expect((await (await new Client(url).fetch("/api/svc/check?sid=x")).json()).error.details).toEqual({});
    },
  );

  test.each(["a", "%25", "/", ".", "-", "_1", "svc:", "@", "0", "%F0%9F%99%82"])(
    "or a query or a path of many %s is no trouble either",
    async (piece) => {
      const text = piece.repeat(Math.floor(7_000 / piece.length));
      const anyone = new Client(url);
      for (const { path } of READS) {
        const response = await anyone.fetch(`${path}?sid=${text}&callbackUrl=/${text}`);
        expect(response.status, path).toBeLessThan(500);
        await response.body?.cancel();
      }
      expect((await anyone.fetch(`/x${text}`)).status).toBeLessThan(500);
    },
  );
});

describe("markup that somebody stored", () => {
  const MARKUP = `"><img src=x onerror=alert(1)></script><script>alert(1)</script>`;

  test("is text on every page that shows it: device, browser, names, an endpoint's answer", async () => {
    const wallet = new TestWallet();
    const device_info = { platform: MARKUP, version: MARKUP, device_id: MARKUP };
    const browser = new Client(url);
    const { sid, challenge } = await requestQr(browser, "register");
    await browser.post("/webhook/register", wallet.delivery(challenge, { device_info }));
    const headers = {
      "Content-Type": "application/x-www-form-urlencoded",
      "User-Agent": `Firefox/1 ${MARKUP}`,
    };
    const { csrfToken } = await (await browser.fetch("/api/auth/csrf")).json();
    const form = new URLSearchParams({ csrfToken, sid, json: "true" }).toString();
    await browser.fetch("/api/auth/callback/svc", { method: "POST", headers, body: form });
    const console = (path: string, body: unknown) =>
      browser.post(`/api/console/test${path}`, body, { Origin: url });
    expect((await console("/keys", { name: MARKUP })).status).toBe(201);
    const host = `d${Date.now()}.test`;
    const webhook_url = `https://${host}/?q=${encodeURIComponent(MARKUP)}`;
    const { id: domain } = await (await console("/domains", { domain: host, webhook_url })).json();
    await console(`/domains/${domain}/test-event`, undefined);

    const seen: string[] = [];
    for (const { path } of [...PAGES, { path: `/console/test/domains/${domain}` }]) {
      const html = await (await browser.fetch(path)).text();
      expect(html, path).not.toMatch(/<img src=x|<script>alert|<\/script><script>/i);
      if (html.includes("onerror=alert(1)")) seen.push(path);
    }
    expect(seen).toEqual(expect.arrayContaining(["/dashboard", "/console/test/keys"]));
  });

  test("and so it is where an address shows it again", async () => {
    const anyone = new Client(url);
    for (const { path } of PAGES) {
      const names = [
        "callbackUrl",
        "error",
        "sid",
        "s",
        "c",
        "t",
        "problem",
        "kind",
        "status",
        "domain_id",
        "cursor",
      ];
      const query = names.map((name) => `${name}=${encodeURIComponent(MARKUP)}`).join("&");
      const html = await (await anyone.fetch(`${path}?${query}`)).text();
      expect(html, path).not.toMatch(/<img src=x|<script>alert|<\/script><script>/i);
    }
  });
});

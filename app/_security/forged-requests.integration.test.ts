import { describe, expect, test } from "vitest";
import { EVERY_ADDRESS } from "#e2e/support/addresses.ts";
import { url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";

/** Headers and addresses that no browser sends: what they make of an answer, and whom they make one believe. */

const READS = EVERY_ADDRESS.filter(({ method }) => method === "GET");
/** Without the build's files: they are the same for everybody, and hold the words of every page. */
const ANSWERS = READS.filter(({ path }) => !path.startsWith("/_next/static/"));

describe("what a request says of itself", () => {
  test("makes no header, however it is encoded", async () => {
    const anyone = new Client(url);
    const injected = [
      "%0d%0aX-Injected:%201",
      "%0aX-Injected:1",
      "%E5%98%8A%E5%98%8DX-Injected:1",
      "%C4%8D%C4%8AX-Injected:1",
    ];
    const names = "sid callbackUrl error mode problem intent s c t cursor status".split(" ");
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
      { Cookie: Array.from({ length: 50 }, (_, at) => `${token}.${at}=x`).join("; ") },
    ],
    [
      "cookies by the names of a prototype",
      { Cookie: "__proto__=1; constructor=2; hasOwnProperty=3; svc-browser=4" },
    ],
    ["cookies that are none", { Cookie: `=;;; ;=x; ${token}; svc-browser; ${"a".repeat(4000)}` }],
  ])("and is %s signs nobody in, and fails nowhere", async (_what, headers) => {
    for (const { path } of ANSWERS) {
      const { status, text } = await getAs(path, headers);
      expect(status, path).toBeLessThan(500);
      expect(/Where you are signed in|"user":\{"id"/.test(text), path).toBe(false);
    }
  });
});

/** A GET with headers that `fetch` would not send; status line, headers and body as one text. */
async function getAs(path: string, sent: Record<string, string>): Promise<{ status: number; text: string }> {
  const { status, headers, body } = await new Client(url).send(path, { headers: sent });
  return { status, text: `${JSON.stringify(headers)}\n${body}` };
}

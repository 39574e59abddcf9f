import { describe, expect, inject, test } from "vitest";
import { expectFastAnswer, FAST_ANSWERS } from "#e2e/support/fast-answer.ts";
import { Client } from "#scripts/kit/client.ts";
import { askedFast, checkFast, deliverForm } from "#scripts/kit/fast-login.ts";

/** What comes of a request that is no correct response, and how it is told. */

const [url] = inject("appUrls");

describe("a body of any kind", () => {
  const JSON_TYPE = { "Content-Type": "application/json" };
  const bodies: [string, RequestInit][] = [
    ["none", {}],
    ["no JSON", { headers: JSON_TYPE, body: "{" }],
    ["JSON that is no object", { headers: JSON_TYPE, body: "null" }],
    ["data that is no object", { headers: JSON_TYPE, body: '{"data":"x"}' }],
    ["fields that are no text", { headers: JSON_TYPE, body: '{"data":{"msg":1,"sig":[],"addr":{}}}' }],
    ["prototype keys", { headers: JSON_TYPE, body: '{"__proto__":{"data":{"msg":"x"}}}' }],
    ["deep nesting", { headers: JSON_TYPE, body: "[".repeat(30_000) }],
    ["lone surrogates", { headers: JSON_TYPE, body: '{"data":{"msg":"\\ud800","sig":"x","addr":"x"}}' }],
    ["bytes that are no UTF-8", { headers: JSON_TYPE, body: Buffer.of(0xff, 0xfe) }],
    [
      "a multipart form without its end",
      { headers: { "Content-Type": "multipart/form-data; boundary=x" }, body: "--x" },
    ],
    [
      "a multipart form without a boundary",
      { headers: { "Content-Type": "multipart/form-data" }, body: "--x" },
    ],
  ];
  test.each(bodies)("is answered in words: %s", async (_what, init) => {
    const { qr, phone } = await askedFast(url);
    const { pathname, search } = new URL(qr);
    await expectFastAnswer(
      await phone.fetch(pathname + search, { method: "POST", ...init }),
      FAST_ANSWERS.notVerified,
    );
  });

  test("is refused above 64 KB in plain text", async () => {
    const response = await new Client(url).fetch("/api/fastauth", {
      method: "POST",
      body: "x".repeat(65_537),
    });
    await expectFastAnswer(response, [413, "Error: "]);
  });

  test.each(["PUT", "DELETE", "PATCH"])(
    "is refused by %s in plain text, with what is allowed",
    async (method) => {
      const response = await new Client(url).fetch("/api/fastauth", { method });
      expect(response.headers.get("allow")).toBe("GET, POST");
      await expectFastAnswer(response, [405, "Error: "]);
    },
  );

  test("is not read from a HEAD, which signs nobody in", async () => {
    const { qr, sid, wallet, phone } = await askedFast(url);
    const { pathname, search } = new URL(qr);
    const path = `${pathname}${search}&${new URLSearchParams(wallet.fields(qr))}`;
    expect((await phone.fetch(path, { method: "HEAD" })).status).toBe(405);
    expect(await checkFast(phone, sid)).toEqual({ sid, status: 0 });
  });

  test.each(["/api/fastauth?c=%00", "/api/fastauth?c=%E0%A4%A", "/api/fastauth?c=a&c=b", "/api/fastauth/x"])(
    "%s is refused in plain text",
    async (path) => {
      const response = await new Client(url).fetch(path);
      expect([400, 404]).toContain(response.status);
      expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
      expect(await response.text()).toMatch(/^Error: /);
    },
  );
});

test("a browser that opens the code sees a page, and is not signed in", async () => {
  const { qr, sid } = await askedFast(url);
  const { pathname, search } = new URL(qr);
  const response = await new Client(url).fetch(pathname + search, { headers: { Accept: "text/html,*/*" } });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/html/);
  expect(await checkFast(new Client(url), sid)).toEqual({ sid, status: 0 });
});

test("a page of any origin may send a wallet response, without credentials", async () => {
  const { qr, wallet, phone } = await askedFast(url);
  const response = await deliverForm(phone, qr, wallet.fields(qr));
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  const preflight = await phone.fetch("/api/fastauth", { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-methods")).toBe("POST");
});

test("the limit of wallet responses is told in plain text, with when to try again", async () => {
  const client = new Client(url);
  const responses = await Promise.all(Array.from({ length: 125 }, () => client.fetch("/api/fastauth")));
  const limited = responses.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(5);
  expect(limited[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(limited[0]?.headers.get("ratelimit-limit")).toBe("120");
  expect(await limited[0]?.text()).toMatch(/^Error: /);
});

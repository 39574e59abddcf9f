import { describe, expect, inject, test } from "vitest";
import { expectFastAnswer, FAST_ANSWERS } from "#e2e/support/fast-answer.ts";
import { Client } from "#scripts/kit/client.ts";
import { askedFast, checkFast } from "#scripts/kit/fast-login.ts";

/** What comes of a request that is no correct response, and how it is told. */

const [url] = inject("appUrls");

describe("a body of any kind", () => {
  const JSON_TYPE = { "Content-Type": "application/json" };
  const bodies: [string, RequestInit][] = [
    ["data that is no object", { headers: JSON_TYPE, body: '{"data":"x"}' }],
    ["deep nesting", { headers: JSON_TYPE, body: "[".repeat(30_000) }],
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

test("the limit of wallet responses is told in plain text, with when to try again", async () => {
  const client = new Client(url);
  const responses = await Promise.all(Array.from({ length: 125 }, () => client.fetch("/api/fastauth")));
  const limited = responses.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(5);
  expect(limited[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(limited[0]?.headers.get("ratelimit-limit")).toBe("120");
  expect(await limited[0]?.text()).toMatch(/^Error: /);
});

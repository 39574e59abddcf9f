import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#scripts/kit/client.ts";
import { Qr, registered, requestQr } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const COOKIE = "svc-browser";

describe("GET /api/svc/qr", () => {
  test.each([
    ["/api/svc/qr", "login"],
    ["/api/svc/qr?mode=login", "login"],
    ["/api/svc/qr?mode=register", "register"],
  ])("answers %s with a challenge of the action %s, its session and its end", async (path, action) => {
    const before = Math.floor(Date.now() / 1000);
    const response = await new Client(url).fetch(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toContain("no-store");
    const { sid, challenge, qr, expiresAt } = Qr.parse(await response.json());
    const after = Math.floor(Date.now() / 1000);

    expect(challenge).toMatch(new RegExp(`^svc:${action}:localhost:\\d+:[A-Za-z0-9]{32}$`));
    const timestamp = Number(challenge.split(":")[3]);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(after);
    expect(expiresAt).toBe(timestamp + 30);
    // 128 bits or more, base64url.
    expect(sid).toMatch(/^[A-Za-z0-9_-]{22,}$/);

    expect(qr).toMatch(/^svc:\/\/auth\?/);
    expect(qr).toContain(`webhook=${encodeURIComponent(`${url}/webhook/${action}`)}`);
    expect(qr).toContain(`challenge=${encodeURIComponent(challenge)}`);
    expect(Object.fromEntries(new URL(qr).searchParams)).toEqual({
      webhook: `${url}/webhook/${action}`,
      session: sid,
      challenge,
      ts: String(timestamp),
    });
  });

  test.each(["LOGIN", "signin", "", "login%20", "__proto__"])(
    "refuses the mode %j with 400",
    async (mode) => {
      const response = await new Client(url).fetch(`/api/svc/qr?mode=${mode}`);
      await expectApiError(response, 400, "invalid_request");
    },
  );

  test("never gives the same challenge or session twice", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => requestQr(new Client(url))));
    expect(new Set(answers.map(({ challenge }) => challenge)).size).toBe(20);
    expect(new Set(answers.map(({ sid }) => sid)).size).toBe(20);
  });
});

describe("the browser's cookie", () => {
  test("holds a secret apart from the sid, out of reach of scripts and of other sites' posts", async () => {
    const response = await new Client(url).fetch("/api/svc/qr");
    const [line = "", ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    const [pair = "", ...attributes] = line.split("; ");
    expect(pair).toMatch(/^svc-browser=[A-Za-z0-9_-]{43}$/);
    expect(attributes.toSorted()).toEqual(["HttpOnly", "Max-Age=600", "Path=/", "SameSite=Lax"]);
    expect(await response.text()).not.toContain(pair.slice(pair.indexOf("=") + 1));
  });

  test("keeps its secret while the browser goes on asking, whatever the session", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    const secret = browser.cookies.get(COOKIE);
    await requestQr(browser, "login", sid);
    await requestQr(browser, "register");
    await requestQr(browser, "login", "unknown");
    expect(browser.cookies.get(COOKIE)).toBe(secret);
  });

  test.each(["A".repeat(43), "short", "", "'; --", "A".repeat(4000)])(
    "is replaced when the server never made its value: %.10s…",
    async (planted) => {
      const browser = new Client(url);
      browser.cookies.set(COOKIE, planted);
      await requestQr(browser);
      expect(browser.cookies.get(COOKIE)).toMatch(/^[A-Za-z0-9_-]{43}$/);
      expect(browser.cookies.get(COOKIE)).not.toBe(planted);
    },
  );
});

describe("a sid that is asked for", () => {
  test("goes on with a new challenge when it is live and bound to this browser", async () => {
    const browser = new Client(url);
    const first = await requestQr(browser);
    const second = await requestQr(browser, "login", first.sid);
    expect(second.sid).toBe(first.sid);
    expect(second.challenge).not.toBe(first.challenge);
  });

  test("moves between the modes without leaving its session", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser, "login");
    const second = await requestQr(browser, "register", sid);
    expect(second.sid).toBe(sid);
    expect(second.challenge).toMatch(/^svc:register:/);
  });

  test("is not given to a browser that merely saw it", async () => {
    const { sid } = await requestQr(new Client(url));
    const thief = new Client(url);
    expect((await requestQr(thief, "login", sid)).sid).not.toBe(sid);
    // Nor with a live secret of the thief's own.
    expect((await requestQr(thief, "login", sid)).sid).not.toBe(sid);
  });

  test.each([
    "made-up-by-a-stranger-000000000",
    "%F0%9F%99%82",
    "a".repeat(4000),
    "../../etc",
    "' OR 1=1 --",
  ])("is never adopted when the server did not make it: %.20s", async (made) => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser, "login", made);
    expect(sid).not.toBe(made);
    expect(sid).toMatch(/^[A-Za-z0-9_-]{22,64}$/);
  });

  test("is left behind once it is authenticated", async () => {
    const { browser, sid } = await registered(url);
    expect((await requestQr(browser, "login", sid)).sid).not.toBe(sid);
  });

  test("is left behind after ten idle minutes, and the secret with it", async () => {
    const browser = new Client(url);
    const { sid } = await requestQr(browser);
    const secret = browser.cookies.get(COOKIE);
    await ageLogin(databaseUrl, sid, 601);
    expect((await requestQr(browser, "login", sid)).sid).not.toBe(sid);
    expect(browser.cookies.get(COOKIE)).not.toBe(secret);
  });
});

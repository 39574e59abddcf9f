import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { answeredFast, checkFast, enterDashboard, FastQr, requestFastQr } from "#scripts/kit/fast-login.ts";
import { signedIn } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const TOKEN = /^[A-Za-z0-9]{22,}_(\d+)$/;

describe("GET /api/getqrcode", () => {
  test("answers with our webhook, the session, a challenge and the hex time of its issue", async () => {
    const before = Math.floor(Date.now() / 1000);
    const response = await new Client(url).fetch("/api/getqrcode?sid=");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("cache-control")).toContain("no-store");
    const { qr, sid, status } = FastQr.parse(await response.json());
    expect(status).toBe(0);
    expect(Number(TOKEN.exec(sid)?.[1])).toBeGreaterThanOrEqual(before);
    const { origin, pathname, searchParams } = new URL(qr);
    expect(origin + pathname).toBe(`${url}/api/fastauth`);
    expect([...searchParams.keys()]).toEqual(["sid", "c", "t"]);
    expect(searchParams.get("sid")).toBe(sid);
    const time = Number(TOKEN.exec(searchParams.get("c") ?? "")?.[1]);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(searchParams.get("t")).toBe(time.toString(16));
  });

  test.each([
    "",
    "?sid=",
    "?sid=null",
    "?sid=undefined",
    "?sid=nobody",
    "?sid=abcdefghijklmnopqrstuvwxyz_1700000000",
  ])("makes a session of its own for %j, and never adopts the sid", async (query) => {
    const { sid } = FastQr.parse(await (await new Client(url).fetch(`/api/getqrcode${query}`)).json());
    expect(sid).toMatch(TOKEN);
    expect(query).not.toContain(sid);
  });

  test("goes on with the session of this browser, and gives a new challenge each time", async () => {
    const browser = new Client(url);
    const first = await requestFastQr(browser);
    const second = await requestFastQr(browser, { sid: first.sid });
    expect(second.sid).toBe(first.sid);
    expect(second.qr).not.toBe(first.qr);
  });

  test("does not go on with another browser's session", async () => {
    const { sid } = await requestFastQr(new Client(url));
    expect((await requestFastQr(new Client(url), { sid })).sid).not.toBe(sid);
    const other = new Client(url);
    await requestFastQr(other);
    expect((await requestFastQr(other, { sid })).sid).not.toBe(sid);
  });

  test("does not go on with a session that was not refreshed for ten minutes", async () => {
    const browser = new Client(url);
    const { sid } = await requestFastQr(browser);
    await ageLogin(databaseUrl, sid, 601);
    expect((await requestFastQr(browser, { sid })).sid).not.toBe(sid);
  });

  test("does not go on with a session of the site login", async () => {
    const browser = new Client(url);
    const { sid } = await (await browser.fetch("/api/svc/qr")).json();
    expect((await requestFastQr(browser, { sid })).sid).not.toBe(sid);
  });

  test("binds the browser by the cookie of site login, which it keeps", async () => {
    const browser = new Client(url);
    const response = await browser.fetch("/api/getqrcode");
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^svc-browser=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ]);
    const secret = browser.cookies.get("svc-browser");
    await browser.fetch("/api/svc/qr");
    expect(browser.cookies.get("svc-browser")).toBe(secret);
  });

  test("answers status 1 and no code once the session has an address", async () => {
    const { browser, sid } = await answeredFast(url);
    expect(await requestFastQr(browser, { sid })).toEqual({ qr: "", sid, status: 1 });
    expect((await requestFastQr(new Client(url), { sid })).status).toBe(0);
  });

  test("answers status 1 and no code to a user who is signed in, by whichever flow", async () => {
    const { browser, sid } = await answeredFast(url);
    await enterDashboard(browser, sid);
    expect(await requestFastQr(browser, { sid })).toEqual({ qr: "", sid, status: 1 });
    expect(await requestFastQr(browser)).toEqual({ qr: "", sid: "", status: 1 });
    expect(await requestFastQr((await signedIn(url)).browser)).toEqual({ qr: "", sid: "", status: 1 });
  });

  test("answers mistakes in plain text", async () => {
    const twice = await new Client(url).fetch("/api/getqrcode?sid=a&sid=b");
    expect(twice.status).toBe(400);
    expect(twice.headers.get("content-type")).toMatch(/^text\/plain/);
    expect(await twice.text()).toMatch(/^Error: /);
    expect((await new Client(url).fetch("/api/getqrcode?intent=steal")).status).toBe(400);
    expect((await new Client(url).fetch("/api/getqrcode?intent=add")).status).toBe(401);
  });
});

describe("GET /api/checkfast", () => {
  test("answers 0 until the session has an address, then 1, to anybody who knows the sid", async () => {
    const { sid } = await requestFastQr(new Client(url));
    expect(await checkFast(new Client(url), sid)).toEqual({ sid, status: 0 });
    const answered = await answeredFast(url);
    expect(await checkFast(new Client(url), answered.sid)).toEqual({ sid: answered.sid, status: 1 });
  });

  test.each(["nobody", "' OR 1=1 --", "😀", "a".repeat(4000)])(
    "answers 0 for %j, which is no session",
    async (sid) => {
      expect(await checkFast(new Client(url), sid)).toEqual({ sid, status: 0 });
    },
  );

  test("answers 0 for a session of the site login", async () => {
    const { sid } = await (await new Client(url).fetch("/api/svc/qr")).json();
    expect(await checkFast(new Client(url), sid)).toEqual({ sid, status: 0 });
  });

  test("asks for the sid in plain text when there is none", async () => {
    const response = await new Client(url).fetch("/api/checkfast");
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/^Error: /);
  });
});

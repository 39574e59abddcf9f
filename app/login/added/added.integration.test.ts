import { describe, expect, inject, test } from "vitest";
import {
  type AddingFlow,
  answeredLogin,
  questionPage,
  sessionsBy,
  stoppedAtQuestion,
  withAddedKey,
} from "#e2e/support/added-key.ts";
import { Client } from "#scripts/kit/client.ts";
import { enterDashboard } from "#scripts/kit/fast-login.ts";
import { registered, userIdOf } from "#scripts/kit/login.ts";
import type { TestWallet } from "#scripts/kit/test-wallet.ts";

/** A key that was added elsewhere is shown to its holder before it signs anybody in. */

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const TOKEN = "next-auth.session-token";

const FLOWS: AddingFlow[] = ["svc", "fast"];
type Entering = { name: string; flow: AddingFlow; enter: (browser: Client, sid: string) => Promise<string> };

/** Every way to redeem a login; each answers with where the browser is sent. */
const ENTRANCES: Entering[] = [
  ...FLOWS.map((flow) => ({
    name: `signIn("${flow}")`,
    flow,
    enter: async (browser: Client, sid: string) => {
      const response = await browser.signIn(flow, sid);
      expect(response.status).toBe(200);
      const { pathname, search, origin } = new URL((await response.json()).url);
      expect(origin).toBe(url);
      return pathname + search;
    },
  })),
  {
    name: "/dashboard?sid=",
    flow: "fast",
    enter: async (browser, sid) => (await enterDashboard(browser, sid)).path,
  },
];

describe("the first sign-in by an added key, in another browser", () => {
  test.each(ENTRANCES)("by $name stops at the question, and signs nobody in", async ({ flow, enter }) => {
    const { wallet, owner, value } = await withAddedKey(url, flow);
    const browser = new Client(url);
    const sid = await answeredLogin(wallet, browser);
    // Asked for again, before the decision, it stops again.
    for (let times = 0; times < 2; times++) {
      expect(await enter(browser, sid)).toBe(`/login/added?sid=${sid}`);
    }
    expect(browser.cookies.has(TOKEN)).toBe(false);
    expect(await userIdOf(browser)).toBeNull();
    expect(await sessionsBy(databaseUrl, value)).toEqual([]);
    const page = await questionPage(browser, sid);
    expect(page).toContain(`User <!-- -->${owner.userId}`);
    expect(page).toContain("1 other key or address");
    expect(page).toContain("Created");
  });

  test("does not stop NextAuth's client without being followed: it is sent there, not told that it is signed in", async () => {
    const { browser, sid } = await stoppedAtQuestion(url);
    const csrfToken = await browser.csrfToken();
    const response = await browser.postForm("/api/auth/callback/svc", { csrfToken, sid });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${url}/login/added?sid=${sid}`);
    expect(response.headers.getSetCookie().join()).not.toContain(TOKEN);
  });

  test("is asked about at the restricted page too, of this browser alone", async () => {
    const { browser, sid } = await stoppedAtQuestion(url);
    const location = (await browser.fetch("/dashboard")).headers.get("location");
    expect(location).toBe(`/login/added?sid=${sid}`);
    expect((await new Client(url).fetch("/dashboard")).headers.get("location")).toContain("/login?");
  });

  test("registers nobody: a register code leads to the same question", async () => {
    const { wallet } = await withAddedKey(url, "svc");
    const { browser, sid } = await registered(url, wallet as TestWallet);
    expect((await (await browser.signIn("svc", sid)).json()).url).toBe(`${url}/login/added?sid=${sid}`);
    expect(await userIdOf(browser)).toBeNull();
  });

  test("is not asked about in the browser that added it, and is so elsewhere afterwards", async () => {
    const { owner, wallet, value } = await withAddedKey(url, "svc");
    const sid = await answeredLogin(wallet, owner.browser);
    expect((await owner.browser.signIn("svc", sid)).status).toBe(200);
    expect(await userIdOf(owner.browser)).toBe(owner.userId);
    expect(await sessionsBy(databaseUrl, value)).toHaveLength(1);
    const browser = new Client(url);
    const elsewhere = await answeredLogin(wallet, browser);
    await browser.signIn("svc", elsewhere);
    expect(await userIdOf(browser)).toBeNull();
  });
});

import { describe, expect, test } from "vitest";
import {
  type AddingFlow,
  answerAddCode,
  answeredLogin,
  expireSessions,
  questionPage,
  sessionsBy,
  signOutEverywhere,
  stoppedAtQuestion,
  storedKey,
  withAddedKey,
} from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { ageApprovals, approve } from "#e2e/support/approval.ts";
import { databaseUrl, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { deliverForm, enterDashboard, requestFastQr } from "#scripts/kit/fast-login.ts";
import { registered, requestQr, signedIn, userIdOf } from "#scripts/kit/login.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

/** Codes that add a key; and a key that was added elsewhere, which is shown to its holder before it signs anybody in. */

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
    name: "POST /api/svc/sign-in",
    flow: "svc",
    enter: async (browser, sid) => (await (await browser.post("/api/svc/sign-in", { sid })).json()).redirect,
  },
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
});

type User = Awaited<ReturnType<typeof signedIn>>;

const ENDS: Record<string, (user: User) => Promise<unknown>> = {
  "its browser signs out": ({ browser }) => signOutEverywhere(browser),
  "its session's time is over": ({ userId }) => expireSessions(databaseUrl, userId),
  "its session is renewed": ({ browser, wallet }) => approve(browser, wallet),
  "its session's approval is too old": ({ userId }) => ageApprovals(databaseUrl, userId, 601),
};

test.each([
  ...Object.keys(ENDS).map((end) => ["add", end] as const),
  ["approve", "its browser signs out"],
  ["approve", "its session's time is over"],
] as const)("a code to %s is dead once %s: 408, and no account is made", async (intent, end) => {
  const user = await signedIn(url);
  const codes = [];
  for (const mode of intent === "add" ? ["login", "register"] : ["login"]) {
    codes.push({ mode, ...(await requestQr(user.browser, mode, undefined, intent)) });
  }
  const { qr } = await requestFastQr(user.browser, { intent });
  await ENDS[end]?.(user);
  for (const { mode, challenge } of codes) {
    const wallet = intent === "add" ? new TestWallet() : user.wallet;
    const late = await new Client(url).post(`/webhook/${mode}`, wallet.response(challenge));
    await expectApiError(late, 408, "challenge_expired");
    if (intent === "add") expect(await storedKey(databaseUrl, wallet.publicKey)).toEqual([]);
  }
  const late = await deliverForm(new Client(url), qr, new FastWallet().fields(qr));
  expect(`${late.status} ${await late.text()}`).toMatch(/^400 .*no challenge found/);
});

describe("an add code", () => {
  test("says in its payload that it adds, in both flows, and one that approves that it approves", async () => {
    const { browser } = await signedIn(url);
    for (const intent of ["add", "approve"]) {
      for (const path of ["/api/svc/qr", "/api/getqrcode"]) {
        const { qr } = await (await browser.fetch(`${path}?intent=${intent}`)).json();
        expect(new URL(qr).searchParams.get("intent")).toBe(intent);
      }
    }
    expect(new URL((await requestQr(browser)).qr).searchParams.has("intent")).toBe(false);
  });

  test("that was answered before its session ended adds nothing afterwards", async () => {
    const { browser, wallet } = await signedIn(url);
    const added = new TestWallet();
    const sid = await answerAddCode(browser, added);
    const kept = browser.copy();
    await browser.signOut();
    await expectApiError(await kept.post("/api/account/credentials", { sid }), 401, "not_signed_in");
    const again = (await signedIn(url, wallet)).browser;
    again.cookies.set("svc-browser", kept.cookies.get("svc-browser") ?? "");
    await expectApiError(await again.post("/api/account/credentials", { sid }), 404, "session_not_found");
    expect(await storedKey(databaseUrl, added.publicKey)).toEqual([]);
  });
});

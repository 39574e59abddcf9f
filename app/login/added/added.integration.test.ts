import { describe, expect, test } from "vitest";
import {
  type AddedKeyFlow,
  addForeignKey,
  answerNewLogin,
  expireSessions,
  fetchQuestionPage,
  findSessionsOfKey,
  postDecision,
  readStoredKey,
  signInUntilQuestion,
  signOutEverywhere,
} from "#e2e/support/account.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { approve, backdateApprovals } from "#e2e/support/approval.ts";
import { databaseUrl, otherUrl, query, SESSION_COOKIE, url } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { enterDashboard, postWalletForm, requestFastQr } from "#tools/kit/fast-login.ts";
import { answerRegistration, readUserId, requestQr, signInBrowser } from "#tools/kit/login.ts";
import { backdateLogin } from "#tools/kit/sql.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

/** Disowning the account is tested in packages/login/plugins/recovery/recovery.integration.test.ts. */

const ATTEMPT = "0123456789abcdef".repeat(2);

const FLOWS: AddedKeyFlow[] = ["svc", "fast"];
type SignInWay = {
  name: string;
  flow: AddedKeyFlow;
  enter: (browser: Client, sid: string) => Promise<string>;
};

/** Every way to redeem a login. Each returns the URL to which the browser is redirected. */
const ENTRANCES: SignInWay[] = [
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

describe("the first sign-in with an added key in another browser", () => {
  test.each(ENTRANCES)("asks the key's holder for confirmation: $name", async ({ flow, enter }) => {
    const { wallet, owner, value } = await addForeignKey(url, flow);
    const browser = new Client(url);
    const sid = await answerNewLogin(wallet, browser);
    // Repeating the sign-in before the decision shows the question again.
    for (let times = 0; times < 2; times++) {
      expect(await enter(browser, sid)).toBe(`/login/added?sid=${sid}`);
    }
    expect(browser.cookies.has(SESSION_COOKIE)).toBe(false);
    expect(await readUserId(browser)).toBeNull();
    expect(await findSessionsOfKey(databaseUrl, value)).toEqual([]);
    const page = await fetchQuestionPage(browser, sid);
    expect(page).toContain(`User <!-- -->${owner.userId}`);
    expect(page).toContain("1 other key or address");
    expect(page).toContain("Created");
  });

  test("redirects NextAuth's client to the confirmation page instead of reporting a sign-in", async () => {
    const { browser, sid } = await signInUntilQuestion(url);
    const csrfToken = await browser.csrfToken();
    const response = await browser.postForm("/api/auth/callback/svc", { csrfToken, sid });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${url}/login/added?sid=${sid}`);
    expect(response.headers.getSetCookie().join()).not.toContain(SESSION_COOKIE);
  });

  test("redirects a restricted page to the question, but only in that browser", async () => {
    const { browser, sid } = await signInUntilQuestion(url);
    const location = (await browser.fetch("/dashboard")).headers.get("location");
    expect(location).toBe(`/login/added?sid=${sid}`);
    expect((await new Client(url).fetch("/dashboard")).headers.get("location")).toContain("/login?");
  });
});

type User = Awaited<ReturnType<typeof signInBrowser>>;

const ENDS: Record<string, (user: User) => Promise<unknown>> = {
  "its browser signs out": ({ browser }) => signOutEverywhere(browser),
  "its session has expired": ({ userId }) => expireSessions(databaseUrl, userId),
  "its session is renewed": ({ browser, wallet }) => approve(browser, wallet),
  "its session's approval is too old": ({ userId }) => backdateApprovals(databaseUrl, userId, 601),
};

test.each([
  ...Object.keys(ENDS).map((end) => ["add", end] as const),
  ["approve", "its browser signs out"],
  ["approve", "its session has expired"],
] as const)(
  "returns 408 for a code once the session that requested it has ended: intent %s, %s",
  async (intent, end) => {
    const user = await signInBrowser(url);
    const codes = [];
    for (const mode of intent === "add" ? ["login", "register"] : ["login"]) {
      codes.push({ mode, ...(await requestQr(user.browser, mode, undefined, intent)) });
    }
    const { qr } = await requestFastQr(user.browser, { intent });
    await ENDS[end]?.(user);
    for (const { mode, challenge } of codes) {
      const wallet = intent === "add" ? new TestWallet() : user.wallet;
      const lateResponse = await new Client(url).post(`/webhook/${mode}`, wallet.response(challenge));
      await expectApiError(lateResponse, 408, "challenge_expired");
      if (intent === "add") expect(await readStoredKey(databaseUrl, wallet.publicKey)).toEqual([]);
    }
    const lateResponse = await postWalletForm(new Client(url), qr, new FastWallet().fields(qr));
    expect(`${lateResponse.status} ${await lateResponse.text()}`).toMatch(/^400 .*no challenge found/);
  },
);

describe("the decision about an added key", () => {
  test("can be sent again with the same attempt id, which returns the same session", async () => {
    const { browser, sid, owner, value } = await signInUntilQuestion(url);
    const before = browser.copy(otherUrl);
    await postDecision(browser, sid, "continue", { attempt: ATTEMPT });
    expect((await postDecision(before, sid, "continue", { attempt: ATTEMPT })).headers.get("location")).toBe(
      "/dashboard",
    );
    expect(await readUserId(before)).toBe(owner.userId);
    expect(await findSessionsOfKey(databaseUrl, value)).toHaveLength(1);
    // A different attempt, or a client without the cookie, is refused.
    const other = browser.copy();
    other.cookies.delete(SESSION_COOKIE);
    await postDecision(other, sid, "continue", { attempt: ATTEMPT.replace("0", "1") });
    await postDecision(other, sid, "continue");
    expect(await readUserId(other)).toBeNull();
    const thief = new Client(url);
    await postDecision(thief, sid, "continue", { attempt: ATTEMPT });
    expect(await readUserId(thief)).toBeNull();
    expect(await findSessionsOfKey(databaseUrl, value)).toHaveLength(1);
  });

  test("expires with its login after ten minutes", async () => {
    const { browser, sid, value } = await signInUntilQuestion(url);
    await backdateLogin(databaseUrl, sid, 601);
    for (const decision of ["continue", "not-mine"]) await postDecision(browser, sid, decision);
    expect(await readUserId(browser)).toBeNull();
    expect(await readStoredKey(databaseUrl, value)).toHaveLength(1);
    expect(await fetchQuestionPage(browser, sid)).toContain("This link is no longer active");
  });

  test.each(FLOWS)(
    "removes the key and its sessions if the holder disowns the account (%s)",
    async (flow) => {
      const { owner, wallet, browser, sid, value } = await signInUntilQuestion(url, flow);
      // A signed-in browser cannot request a QR code for fast login, so only the wallet flow signs in.
      if (flow === "svc") await owner.browser.signIn(flow, await answerNewLogin(wallet, owner.browser));
      const second = new Client(url);
      const pendingSid = await answerNewLogin(wallet, second);
      // Repeating the decision, or making the opposite one, does not change the result.
      for (const decision of ["not-mine", "not-mine", "continue"]) {
        const response = await postDecision(browser, sid, decision);
        expect([response.status, response.headers.get("location")]).toEqual([303, `/login/added?sid=${sid}`]);
      }
      expect(await readStoredKey(databaseUrl, value)).toEqual([]);
      expect(await fetchQuestionPage(browser, sid)).toContain("It has been removed");
      await second.signIn(flow, pendingSid);
      await postDecision(second, pendingSid, "continue");
      expect(await Promise.all([browser, second].map(readUserId))).toEqual([null, null]);
      expect(await readUserId(owner.browser)).toBe(flow === "svc" ? null : owner.userId);
    },
  );

  test("removes even the account's last sign-in method if the holder disowns the account", async () => {
    const { owner, browser, sid, value } = await signInUntilQuestion(url);
    await query("DELETE FROM credential WHERE user_id = $1 AND value <> $2", [owner.userId, value]);
    expect(await fetchQuestionPage(browser, sid)).toContain("None");
    await postDecision(browser, sid, "not-mine");
    expect(await readStoredKey(databaseUrl, value)).toEqual([]);
  });

  test("can be made only in the browser that signed in, not with the sid alone or another browser's cookie", async () => {
    const { browser, sid, value, owner } = await signInUntilQuestion(url);
    const thief = (await signInBrowser(url)).browser;
    await requestQr(thief);
    for (const other of [new Client(url), thief, owner.browser]) {
      for (const decision of ["continue", "not-mine"]) await postDecision(other, sid, decision);
      expect(await fetchQuestionPage(other, sid)).not.toContain("Created");
    }
    expect(await readStoredKey(databaseUrl, value)).toHaveLength(1);
    expect(await findSessionsOfKey(databaseUrl, value)).toEqual([]);
    await postDecision(browser, sid, "continue");
    expect(await readUserId(browser)).toBe(owner.userId);
  });

  test("is rejected if it is malformed, and leaves the login unchanged", async () => {
    const { browser, sid, owner } = await signInUntilQuestion(url);
    for (const decision of ["", "yes", "Continue"]) {
      await expectApiError(await postDecision(browser, sid, decision), 400, "invalid_request");
    }
    for (const wrongValue of ["", "\0", "x".repeat(5000), "' OR 1=1 --"]) {
      expect((await postDecision(browser, wrongValue, "continue")).status).toBe(303);
    }
    expect(await readUserId(browser)).toBeNull();
    await postDecision(browser, sid, "continue");
    expect(await readUserId(browser)).toBe(owner.userId);
  });

  test("takes effect only once, even if simultaneous requests reach both processes", async () => {
    for (let round = 0; round < 4; round++) {
      const { browser, sid, value } = await signInUntilQuestion(url);
      const decisions = ["continue", "not-mine", "continue", "not-mine"];
      await Promise.all(
        decisions.map((decision, index) =>
          postDecision(browser.copy(index < 2 ? url : otherUrl), sid, decision),
        ),
      );
      // Either the key is removed and the sign-in fails, or the key remains and one browser is signed in.
      expect((await findSessionsOfKey(databaseUrl, value)).length).toBe(
        (await readStoredKey(databaseUrl, value)).length,
      );
    }
  });

  test("is not required for the key with which its user registered", async () => {
    const { browser, sid, wallet } = await answerRegistration(url);
    await postDecision(browser, sid, "not-mine");
    expect(await readStoredKey(databaseUrl, wallet.publicKey)).toHaveLength(1);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await readUserId(browser)).toEqual(expect.any(Number));
  });
});

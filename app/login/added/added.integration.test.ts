import { describe, expect, inject, test } from "vitest";
import {
  type AddingFlow,
  answerAddCode,
  answeredLogin,
  decide,
  signOut,
  withAddedKey,
} from "#e2e/support/added-key.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { Client } from "#e2e/support/client.ts";
import { enterDashboard } from "#e2e/support/fast-login.ts";
import { FastWallet } from "#e2e/support/fast-wallet.ts";
import { registered, requestQr, signedIn, userIdOf } from "#e2e/support/login.ts";
import { ageLogin, sql } from "#e2e/support/sql.ts";
import { TestWallet } from "#e2e/support/test-wallet.ts";

/** A key that was added elsewhere is shown to its holder before it signs anybody in. */

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const TOKEN = "next-auth.session-token";
const ATTEMPT = "0123456789abcdef".repeat(2);

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

/** A stranger's browser that the holder of the added key has signed in to, as far as the question. */
async function stopped(flow: AddingFlow = "svc") {
  const added = await withAddedKey(url, flow);
  const browser = new Client(url);
  const sid = await answeredLogin(added.wallet, browser);
  await browser.signIn(flow, sid);
  return { ...added, browser, sid };
}

function rowsOf(value: string) {
  return sql<{ user_id: number; added_by_session: string | null }>(
    databaseUrl,
    "SELECT user_id, added_by_session FROM credential WHERE value = $1",
    [value],
  );
}

const sessionsBy = (value: string) =>
  sql(databaseUrl, "SELECT id FROM browser_session WHERE credential = $1", [value]);

const pageOf = async (browser: Client, sid: string) =>
  (await browser.fetch(`/login/added?sid=${sid}`)).text();

describe("the first sign-in by an added key, in another browser", () => {
  test.each(ENTRANCES)("by $name stops at the question, and signs nobody in", async ({ flow, enter }) => {
    const { wallet, owner, value } = await withAddedKey(url, flow);
    const browser = new Client(url);
    const sid = await answeredLogin(wallet, browser);
    expect(await enter(browser, sid)).toBe(`/login/added?sid=${sid}`);
    expect(browser.cookies.has(TOKEN)).toBe(false);
    expect(await userIdOf(browser)).toBeNull();
    expect(await sessionsBy(value)).toEqual([]);
    const page = await pageOf(browser, sid);
    expect(page).toContain(`User <!-- -->${owner.userId}`);
    expect(page).toContain("1 other key or address");
    expect(page).toContain("Exists since");
  });

  test.each(ENTRANCES)("by $name again, before the decision, stops again", async ({ flow, enter }) => {
    const { browser, sid } = await stopped(flow);
    expect(await enter(browser, sid)).toBe(`/login/added?sid=${sid}`);
    expect(await userIdOf(browser)).toBeNull();
  });

  test("does not stop NextAuth's client without being followed: it is sent there, not told that it is signed in", async () => {
    const { browser, sid } = await stopped();
    const { csrfToken } = await (await browser.fetch("/api/auth/csrf")).json();
    const response = await browser.fetch("/api/auth/callback/svc", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ csrfToken, sid }).toString(),
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(`${url}/login/added?sid=${sid}`);
    expect(response.headers.getSetCookie().join()).not.toContain(TOKEN);
  });

  test("is asked about at the restricted page too, of this browser alone", async () => {
    const { browser, sid } = await stopped();
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
    expect(await sessionsBy(value)).toHaveLength(1);
    const browser = new Client(url);
    const elsewhere = await answeredLogin(wallet, browser);
    await browser.signIn("svc", elsewhere);
    expect(await userIdOf(browser)).toBeNull();
  });

  test("is asked about where the session that added it has been revoked", async () => {
    const { owner, wallet } = await withAddedKey(url, "svc");
    const kept = owner.browser.copy();
    await sql(databaseUrl, "DELETE FROM browser_session WHERE user_id = $1", [owner.userId]);
    const sid = await answeredLogin(wallet, kept);
    expect((await (await kept.signIn("svc", sid)).json()).url).toContain("/login/added");
    expect(await userIdOf(kept)).toBeNull();
  });
});

describe("'continue'", () => {
  test.each(FLOWS)("signs in to the account, and makes the key an ordinary one (%s)", async (flow) => {
    const { browser, sid, owner, wallet, value } = await stopped(flow);
    const response = await decide(browser, sid, "continue");
    expect([response.status, response.headers.get("location")]).toEqual([303, "/dashboard"]);
    expect(await userIdOf(browser)).toBe(owner.userId);
    expect((await rowsOf(value))[0]?.added_by_session).toBeNull();
    const later = new Client(otherUrl);
    await later.signIn(flow, await answeredLogin(wallet, later));
    expect(await userIdOf(later)).toBe(owner.userId);
  });

  test("goes on to where its user wanted to go, on this site", async () => {
    for (const [callbackUrl, path] of [
      ["/console", "/console"],
      ["https://evil.example/", "/dashboard"],
      ["//evil.example", "/dashboard"],
    ] as const) {
      const { browser, sid } = await stopped();
      const response = await decide(browser, sid, "continue", { callbackUrl });
      expect(response.headers.get("location")).toBe(path);
    }
  });

  test("asked for again opens no second session: the same attempt gets the same one", async () => {
    const { browser, sid, owner, value } = await stopped();
    const before = browser.copy(otherUrl);
    await decide(browser, sid, "continue", { attempt: ATTEMPT });
    expect((await decide(before, sid, "continue", { attempt: ATTEMPT })).headers.get("location")).toBe(
      "/dashboard",
    );
    expect(await userIdOf(before)).toBe(owner.userId);
    expect(await sessionsBy(value)).toHaveLength(1);
    // Another attempt, and no browser at all, get nothing.
    const other = browser.copy();
    other.cookies.delete(TOKEN);
    await decide(other, sid, "continue", { attempt: ATTEMPT.replace("0", "1") });
    await decide(other, sid, "continue");
    expect(await userIdOf(other)).toBeNull();
    const thief = new Client(url);
    await decide(thief, sid, "continue", { attempt: ATTEMPT });
    expect(await userIdOf(thief)).toBeNull();
    expect(await sessionsBy(value)).toHaveLength(1);
  });

  test("is over with its login, after ten minutes", async () => {
    const { browser, sid, value } = await stopped();
    await ageLogin(databaseUrl, sid, 601);
    for (const decision of ["continue", "not-mine"]) await decide(browser, sid, decision);
    expect(await userIdOf(browser)).toBeNull();
    expect(await rowsOf(value)).toHaveLength(1);
    expect(await pageOf(browser, sid)).toContain("There is nothing to decide");
  });
});

describe("'this is not my account'", () => {
  test.each(FLOWS)(
    "removes the key, signs nobody in, and shows in the account's browsers (%s)",
    async (flow) => {
      const { browser, sid, owner, wallet, value } = await stopped(flow);
      const response = await decide(browser, sid, "not-mine");
      expect([response.status, response.headers.get("location")]).toEqual([303, `/login/added?sid=${sid}`]);
      expect(await rowsOf(value)).toEqual([]);
      expect(await userIdOf(browser)).toBeNull();
      expect(await pageOf(browser, sid)).toContain("It is removed");
      expect(await (await owner.browser.fetch("/dashboard")).text()).toContain(
        "Way to sign in removed by its holder",
      );
      // The key is its holder's again.
      const again = new Client(url);
      if (wallet instanceof FastWallet) await again.signIn("fast", await answeredLogin(wallet, again));
      else {
        const { challenge, sid: own } = await requestQr(again, "register");
        await new Client(url).post("/webhook/register", wallet.delivery(challenge));
        await again.signIn("svc", own);
      }
      expect(await userIdOf(again)).toEqual(expect.any(Number));
      expect(await userIdOf(again)).not.toBe(owner.userId);
    },
  );

  test("asked for again changes nothing and says the same", async () => {
    const { browser, sid, value, owner } = await stopped();
    const answers = [await decide(browser, sid, "not-mine"), await decide(browser, sid, "not-mine")];
    expect(answers.map(({ headers }) => headers.get("location"))).toEqual(
      Array(2).fill(`/login/added?sid=${sid}`),
    );
    expect(await pageOf(browser, sid)).toContain("It is removed");
    expect(await rowsOf(value)).toEqual([]);
    const removals = await sql(
      databaseUrl,
      "SELECT 1 FROM login_event WHERE user_id = $1 AND kind = 'credential_removed' AND reason = 'not_mine'",
      [owner.userId],
    );
    expect(removals).toHaveLength(1);
  });

  test("ends what the key has opened elsewhere, and other logins that it answered", async () => {
    const { owner, wallet, browser, sid } = await stopped();
    const own = await answeredLogin(wallet, owner.browser);
    await owner.browser.signIn("svc", own);
    const second = new Client(url);
    const waiting = await answeredLogin(wallet, second);
    await decide(browser, sid, "not-mine");
    expect(await userIdOf(owner.browser)).toBeNull();
    expect((await second.signIn("svc", waiting)).status).toBe(401);
    await decide(second, waiting, "continue");
    expect(await userIdOf(second)).toBeNull();
  });

  test("is possible though the key is the account's last way in", async () => {
    const { owner, browser, sid, value } = await stopped();
    await sql(databaseUrl, "DELETE FROM credential WHERE user_id = $1 AND value <> $2", [
      owner.userId,
      value,
    ]);
    expect(await pageOf(browser, sid)).toContain("None");
    await decide(browser, sid, "not-mine");
    expect(await rowsOf(value)).toEqual([]);
  });
});

describe("the decision", () => {
  test("is this browser's: nobody else can make it, with the sid, another cookie or from another site", async () => {
    const { browser, sid, value, owner } = await stopped();
    const thief = (await signedIn(url)).browser;
    await requestQr(thief);
    for (const other of [new Client(url), thief, owner.browser]) {
      for (const decision of ["continue", "not-mine"]) await decide(other, sid, decision);
      expect(await pageOf(other, sid)).not.toContain("Exists since");
    }
    for (const [name, value] of [
      ["Origin", "https://evil.example"],
      ["Sec-Fetch-Site", "cross-site"],
    ] as const) {
      const response = await browser.fetch("/api/account/added-key", {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded", [name]: value },
        body: new URLSearchParams({ sid, decision: "continue" }).toString(),
      });
      await expectApiError(response, 403, "forbidden");
    }
    expect(await rowsOf(value)).toHaveLength(1);
    expect(await sessionsBy(value)).toEqual([]);
    await decide(browser, sid, "continue");
    expect(await userIdOf(browser)).toBe(owner.userId);
  });

  test("is one of two: anything else is refused and loses nothing", async () => {
    const { browser, sid, owner } = await stopped();
    for (const decision of ["", "yes", "Continue"]) {
      await expectApiError(await decide(browser, sid, decision), 400, "invalid_request");
    }
    for (const wrong of ["", "\0", "x".repeat(5000), "' OR 1=1 --"]) {
      expect((await decide(browser, wrong, "continue")).status).toBe(303);
    }
    expect(await userIdOf(browser)).toBeNull();
    await decide(browser, sid, "continue");
    expect(await userIdOf(browser)).toBe(owner.userId);
  });

  test("stands: neither undoes the other", async () => {
    const first = await stopped();
    await decide(first.browser, first.sid, "continue");
    await decide(first.browser, first.sid, "not-mine");
    expect(await rowsOf(first.value)).toHaveLength(1);
    expect(await userIdOf(first.browser)).toBe(first.owner.userId);
    const second = await stopped();
    await decide(second.browser, second.sid, "not-mine");
    await decide(second.browser, second.sid, "continue");
    expect(await userIdOf(second.browser)).toBeNull();
  });

  test("is made once, of any number at once, over two processes", async () => {
    for (let round = 0; round < 8; round++) {
      const { browser, sid, value } = await stopped();
      const decisions = ["continue", "not-mine", "continue", "not-mine"];
      await Promise.all(
        decisions.map((decision, index) => decide(browser.copy(index < 2 ? url : otherUrl), sid, decision)),
      );
      // Either it is removed and nobody is signed in, or it stays and one browser is.
      expect((await sessionsBy(value)).length).toBe((await rowsOf(value)).length);
    }
  });

  test("is not needed for a key that its user registered with, nor can it be forced on one", async () => {
    const { browser, sid, wallet } = await registered(url);
    await decide(browser, sid, "not-mine");
    expect(await rowsOf(wallet.publicKey)).toHaveLength(1);
    expect((await browser.signIn("svc", sid)).status).toBe(200);
    expect(await userIdOf(browser)).toEqual(expect.any(Number));
  });
});

describe("an add code", () => {
  test("says in its payload that it adds, in both flows", async () => {
    const { browser } = await signedIn(url);
    for (const path of ["/api/svc/qr?intent=add", "/api/getqrcode?intent=add"]) {
      const { qr } = await (await browser.fetch(path)).json();
      expect(new URL(qr).searchParams.get("intent")).toBe("add");
    }
    expect(new URL((await requestQr(browser)).qr).searchParams.has("intent")).toBe(false);
  });

  test.each(["", "Add", "add,add", "restore", "login", "__proto__"])(
    "with the intent %j is refused: 400",
    async (intent) => {
      const { browser } = await signedIn(url);
      const query = new URLSearchParams({ intent });
      await expectApiError(await browser.fetch(`/api/svc/qr?${query}`), 400, "invalid_request");
      expect((await browser.fetch(`/api/getqrcode?${query}`)).status).toBe(400);
    },
  );

  test("in fast login signs what it says: without its intent the message does not verify", async () => {
    const { browser } = await signedIn(url);
    const { qr } = await (await browser.fetch("/api/getqrcode?intent=add")).json();
    const plain = qr.replace("&intent=add", "");
    const post = (path: string, message: string) =>
      new Client(url).fetch(path.slice(url.length), {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams(new FastWallet().fields(message)).toString(),
      });
    expect((await post(plain, plain)).status).toBe(401);
    expect((await post(qr, plain)).status).toBe(401);
    expect((await post(qr, qr)).status).toBe(200);
    const login = (await (await new Client(url).fetch("/api/getqrcode")).json()).qr;
    expect((await post(login, `${login}&intent=add`)).status).toBe(401);
  });

  test("is dead once its browser session has ended: 408, and no account is made", async () => {
    for (const end of ["sign-out", "expiry"] as const) {
      for (const mode of ["login", "register"]) {
        const { browser, userId } = await signedIn(url);
        const { challenge } = await (await browser.fetch(`/api/svc/qr?intent=add&mode=${mode}`)).json();
        const fast = await (await browser.fetch("/api/getqrcode?intent=add")).json();
        if (end === "sign-out") await signOut(browser);
        else {
          await sql(
            databaseUrl,
            "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1",
            [userId],
          );
        }
        const wallet = new TestWallet();
        const response = await new Client(url).post(`/webhook/${mode}`, wallet.delivery(challenge));
        await expectApiError(response, 408, "challenge_expired");
        expect(await rowsOf(wallet.publicKey)).toEqual([]);
        const address = new FastWallet();
        const answer = await new Client(url).fetch(fast.qr.slice(url.length), {
          method: "POST",
          headers: { "Content-Type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams(address.fields(fast.qr)).toString(),
        });
        expect(answer.status).toBe(400);
        expect(await answer.text()).toContain("no challenge found");
      }
    }
  });

  test("that was answered before its session ended adds nothing afterwards", async () => {
    const { browser, wallet } = await signedIn(url);
    const added = new TestWallet();
    const sid = await answerAddCode(browser, added);
    const kept = browser.copy();
    await signOut(browser);
    await expectApiError(await kept.post("/api/account/credentials", { sid }), 401, "not_signed_in");
    const again = (await signedIn(url, wallet)).browser;
    again.cookies.set("svc-browser", kept.cookies.get("svc-browser") ?? "");
    await expectApiError(await again.post("/api/account/credentials", { sid }), 404, "session_not_found");
    expect(await rowsOf(added.publicKey)).toEqual([]);
  });
});

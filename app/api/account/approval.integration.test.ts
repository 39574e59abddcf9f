import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import {
  ageApprovals,
  answerChallenge,
  approve,
  approveByAddress,
  requestApproval,
} from "#e2e/support/approval.ts";
import { Client } from "#e2e/support/client.ts";
import { answeredFast, deliverForm, enterDashboard, requestFastQr } from "#e2e/support/fast-login.ts";
import { FastWallet } from "#e2e/support/fast-wallet.ts";
import { check, Qr, requestQr, signedIn, userIdOf } from "#e2e/support/login.ts";
import { sql } from "#e2e/support/sql.ts";
import { TestWallet } from "#e2e/support/test-wallet.ts";

/** A stolen browser session is not the account. */

const [url, otherUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");
const TEN_MINUTES = 600;

/** A browser whose user signed in longer ago than an approval lasts. */
async function stale() {
  const user = await signedIn(url);
  await ageApprovals(databaseUrl, user.userId, TEN_MINUTES + 1);
  return user;
}

/** A second browser of a user. */
async function secondBrowser(wallet: TestWallet) {
  return (await signedIn(url, wallet)).browser;
}

const newKey = (browser: Client, mode = "live") =>
  browser.post(`/api/console/${mode}/keys`, { name: "Laptop" });

async function isApproved(browser: Client): Promise<boolean> {
  const { status } = await newKey(browser);
  expect([201, 403]).toContain(status);
  return status === 201;
}

describe("what outlives a browser session needs a fresh approval", () => {
  type Act = (browser: Client) => Promise<Response>;
  type Prepared = { act: Act; status: number };

  const send = (method: string, path: string) => (browser: Client) => browser.fetch(path, { method });

  async function addedKey(browser: Client): Promise<string> {
    const { sid, challenge } = Qr.parse(await (await browser.fetch("/api/svc/qr?intent=add")).json());
    expect((await answerChallenge(url, new TestWallet(), challenge)).status).toBe(200);
    return sid;
  }

  async function domain(browser: Client, mode: string): Promise<string> {
    const webhook_url = "https://shop.example.com/events";
    const name = `d${crypto.randomUUID()}.example.com`;
    const created = await browser.post(`/api/console/${mode}/domains`, { domain: name, webhook_url });
    expect(created.status).toBe(201);
    return (await created.json()).id;
  }

  const modes = ["live", "test"];
  const acts: [string, (browser: Client) => Promise<Prepared>][] = [
    [
      "adding a way to sign in",
      async (browser) => {
        const sid = await addedKey(browser);
        return { act: (by) => by.post("/api/account/credentials", { sid }), status: 201 };
      },
    ],
    [
      "removing a way to sign in",
      async (browser) => {
        const sid = await addedKey(browser);
        const { id } = await (await browser.post("/api/account/credentials", { sid })).json();
        return { act: send("DELETE", `/api/account/credentials/${id}`), status: 204 };
      },
    ],
    [
      "making recovery codes",
      async () => ({ act: send("POST", "/api/account/recovery-codes"), status: 201 }),
    ],
    ["revoking every API key", async () => ({ act: send("DELETE", "/api/account/api-keys"), status: 204 })],
    ["deleting the account", async () => ({ act: send("DELETE", "/api/account"), status: 204 })],
    [
      "signing out everywhere with the API keys",
      async () => ({ act: send("DELETE", "/api/account/sessions?api_keys=revoke"), status: 204 }),
    ],
    ...modes.flatMap((mode): [string, (browser: Client) => Promise<Prepared>][] => [
      [
        `creating an API key (${mode})`,
        async () => ({ act: (browser) => newKey(browser, mode), status: 201 }),
      ],
      [
        `revoking an API key (${mode})`,
        async (browser) => {
          const { id } = await (await newKey(browser, mode)).json();
          return { act: send("DELETE", `/api/console/${mode}/keys/${id}`), status: 204 };
        },
      ],
      [
        `replacing a webhook secret (${mode})`,
        async (browser) => {
          const path = `/api/console/${mode}/domains/${await domain(browser, mode)}/rotate-secret`;
          return { act: send("POST", path), status: 200 };
        },
      ],
      [
        `changing a webhook URL (${mode})`,
        async (browser) => {
          const id = await domain(browser, mode);
          const body = JSON.stringify({ webhook_url: "https://shop.example.com/other" });
          const headers = { "Content-Type": "application/json" };
          const path = `/api/console/${mode}/domains/${id}`;
          return { act: (by) => by.fetch(path, { method: "PATCH", headers, body }), status: 200 };
        },
      ],
      [
        `deleting a domain (${mode})`,
        async (browser) => {
          const id = await domain(browser, mode);
          return { act: send("DELETE", `/api/console/${mode}/domains/${id}`), status: 204 };
        },
      ],
    ]),
  ];

  test.each(acts)("%s: 403 with an old approval, done with a fresh one", async (_, prepare) => {
    const { browser, wallet, userId } = await signedIn(url);
    const { act, status } = await prepare(browser);
    await ageApprovals(databaseUrl, userId, TEN_MINUTES + 1);
    const refused = await act(browser);
    expect((await refused.clone().json()).error.details).toEqual({ approve_with: ["public_key"] });
    await expectApiError(refused, 403, "approval_required");
    expect((await approve(browser, wallet)).status).toBe(200);
    expect((await act(browser)).status).toBe(status);
  });

  test("signing in counts as an approval, for ten minutes", async () => {
    const { browser, userId } = await signedIn(url);
    expect(await isApproved(browser)).toBe(true);
    await ageApprovals(databaseUrl, userId, TEN_MINUTES - 20);
    expect(await isApproved(browser)).toBe(true);
    await ageApprovals(databaseUrl, userId, TEN_MINUTES + 1);
    expect(await isApproved(browser)).toBe(false);
  });

  test("so does an answered code, by every process's clock", async () => {
    const { browser, wallet, userId } = await stale();
    await approve(browser, wallet);
    const elsewhere = browser.copy(otherUrl);
    expect(await isApproved(elsewhere)).toBe(true);
    await ageApprovals(databaseUrl, userId, TEN_MINUTES - 20);
    expect(await isApproved(browser)).toBe(true);
    await ageApprovals(databaseUrl, userId, TEN_MINUTES + 1);
    expect(await isApproved(browser)).toBe(false);
  });

  test("signing out, everywhere too, revoking a session and renaming need none", async () => {
    const { browser, wallet, userId } = await signedIn(url);
    await secondBrowser(wallet);
    await ageApprovals(databaseUrl, userId, TEN_MINUTES + 1);
    const [credential] = await sql<{ id: string }>(
      databaseUrl,
      "SELECT id FROM credential WHERE user_id = $1",
      [userId],
    );
    const renamed = await browser.fetch(`/api/account/credentials/${credential?.id}`, {
      method: "PATCH",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ label: "Phone" }),
    });
    expect(renamed.status).toBe(204);
    expect((await browser.fetch("/api/account/sessions", { method: "DELETE" })).status).toBe(204);
    expect(await userIdOf(browser)).toBeNull();
  });
});

describe("only a key of this user approves, and only for this browser session", () => {
  test("another user's key is refused with 406: nothing is approved, spent or signed in", async () => {
    const { browser, wallet, userId } = await stale();
    const other = await signedIn(url);
    const { sid, challenge } = await requestApproval(browser);
    await expectApiError(await answerChallenge(url, other.wallet, challenge), 406, "invalid_signature");
    expect(await check(browser, sid)).toEqual({ status: "pending" });
    expect(await isApproved(browser)).toBe(false);
    expect((await browser.signIn("svc", sid)).status).toBe(401);
    expect(await userIdOf(browser)).toBe(userId);
    // The code is as good as before for who may answer it.
    expect((await answerChallenge(url, wallet, challenge)).status).toBe(200);
    expect(await isApproved(browser)).toBe(true);
  });

  test("a key that nobody has is refused with 406, and gets no account", async () => {
    const { browser } = await stale();
    const stranger = new TestWallet();
    const { sid, challenge } = await requestApproval(browser);
    await expectApiError(await answerChallenge(url, stranger, challenge), 406, "invalid_signature");
    expect(await check(browser, sid)).toEqual({ status: "pending" });
    const registering = await new Client(url).post("/webhook/register", stranger.delivery(challenge));
    await expectApiError(registering, 408, "challenge_expired");
    expect(await sql(databaseUrl, "SELECT 1 FROM credential WHERE value = $1", [stranger.publicKey])).toEqual(
      [],
    );
    expect(await isApproved(browser)).toBe(false);
  });

  test("the user's other browsers, and a thief's, are not approved by it", async () => {
    const { browser, wallet, userId } = await signedIn(url);
    const second = await secondBrowser(wallet);
    await ageApprovals(databaseUrl, userId, TEN_MINUTES + 1);
    const { sid, status } = await approve(browser, wallet);
    expect(status).toBe(200);
    expect(await isApproved(second)).toBe(false);
    // Not even with the cookie that binds the code, which another signed-in browser may have got hold of.
    second.cookies.set("svc-browser", browser.cookies.get("svc-browser") ?? "");
    expect((await second.signIn("svc", sid)).status).toBe(401);
    expect(await isApproved(second)).toBe(false);
    expect(await isApproved(browser)).toBe(true);
  });

  test("an approval signs nobody in, by any way", async () => {
    const { browser, wallet } = await stale();
    const { sid } = await approve(browser, wallet);
    const nobody = new Client(url);
    nobody.cookies.set("svc-browser", browser.cookies.get("svc-browser") ?? "");
    expect((await nobody.signIn("svc", sid)).status).toBe(401);
    expect((await nobody.signIn("fast", sid)).status).toBe(401);
    expect((await enterDashboard(nobody, sid)).path).toBe("/fast?problem=not-signed-in");
    expect((await nobody.post("/api/account/credentials", { sid })).status).toBe(401);
    await expectApiError(await browser.post("/api/account/credentials", { sid }), 404, "session_not_found");
    expect(await userIdOf(nobody)).toBeNull();
  });

  test("a login approves nothing, and neither does an addition", async () => {
    const { browser, wallet } = await stale();
    const login = await requestQr(browser, "login");
    expect((await answerChallenge(url, wallet, login.challenge)).status).toBe(200);
    const addition = Qr.parse(await (await browser.fetch("/api/svc/qr?intent=add")).json());
    expect((await answerChallenge(url, wallet, addition.challenge)).status).toBe(200);
    expect(await isApproved(browser)).toBe(false);
    // A session of one kind never becomes one of another: each asks for a new one.
    const approval = await requestApproval(browser, login.sid);
    expect(approval.sid).not.toBe(login.sid);
    expect((await requestQr(browser, "login", approval.sid)).sid).not.toBe(approval.sid);
    expect((await requestApproval(browser, approval.sid)).sid).toBe(approval.sid);
  });

  test("of many answers at once exactly one is taken, and late ones are 408", async () => {
    for (const count of [2, 4, 8]) {
      const { browser, wallet } = await stale();
      const { challenge } = await requestApproval(browser);
      const answers = await Promise.all(
        Array.from({ length: count }, () => answerChallenge(url, wallet, challenge)),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, ...Array.from({ length: count - 1 }, () => 408)]);
      expect(await isApproved(browser)).toBe(true);
    }
  });

  test("a key that was removed approves no more", async () => {
    const { browser, wallet } = await signedIn(url);
    const addition = Qr.parse(await (await browser.fetch("/api/svc/qr?intent=add")).json());
    expect((await answerChallenge(url, new TestWallet(), addition.challenge)).status).toBe(200);
    expect((await browser.post("/api/account/credentials", { sid: addition.sid })).status).toBe(201);
    const { challenge } = await requestApproval(browser);
    const [row] = await sql<{ id: string }>(databaseUrl, "SELECT id FROM credential WHERE value = $1", [
      wallet.publicKey,
    ]);
    const removed = await browser.fetch(`/api/account/credentials/${row?.id}`, { method: "DELETE" });
    expect(removed.status).toBe(204);
    await expectApiError(await answerChallenge(url, wallet, challenge), 406, "invalid_signature");
  });

  test("a code is dead once its browser session has ended: 408", async () => {
    const ended = await stale();
    const { challenge } = await requestApproval(ended.browser);
    const { qr } = await requestFastQr(ended.browser, { intent: "approve" });
    expect((await ended.browser.fetch("/api/account/sessions", { method: "DELETE" })).status).toBe(204);
    await expectApiError(await answerChallenge(url, ended.wallet, challenge), 408, "challenge_expired");
    const wallet = new FastWallet();
    expect((await deliverForm(new Client(url), qr, wallet.fields(qr))).status).toBe(400);

    const expired = await stale();
    const { challenge: late } = await requestApproval(expired.browser);
    await sql(
      databaseUrl,
      "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1",
      [expired.userId],
    );
    await expectApiError(await answerChallenge(url, expired.wallet, late), 408, "challenge_expired");
  });
});

describe("a code that asks for an approval", () => {
  test("says so in its payload, and its challenge is a login's", async () => {
    const { browser } = await stale();
    const { qr, challenge } = await requestApproval(browser);
    expect(new URL(qr).searchParams.get("intent")).toBe("approve");
    expect(challenge).toMatch(/^svc:login:/);
    const login = await requestQr(browser, "login");
    expect(new URL(login.qr).searchParams.has("intent")).toBe(false);
  });

  test.each(["/api/svc/qr?mode=login&intent=approve", "/api/svc/qr?intent=approve"])(
    "403 at %s when nobody is signed in",
    async (path) => {
      await expectApiError(await new Client(url).fetch(path), 403, "approval_required");
    },
  );

  test("403 at /api/getqrcode when nobody is signed in", async () => {
    const response = await new Client(url).fetch("/api/getqrcode?intent=approve");
    expect(response.status).toBe(403);
    expect(await response.text()).toMatch(/^Error: .*Sign in/);
  });

  test.each([
    "/api/svc/qr?mode=register&intent=approve",
    "/api/svc/qr?mode=login&intent=",
    "/api/svc/qr?mode=login&intent=Approve",
    "/api/svc/qr?mode=login&intent=login",
    "/api/svc/qr?mode=login&intent=approve&intent=add",
  ])("400 at %s, for whom it may be", async (path) => {
    await expectApiError(await new Client(url).fetch(path), 400, "invalid_request");
    await expectApiError(await (await stale()).browser.fetch(path), 400, "invalid_request");
  });

  test("400 at /api/getqrcode for another intent", async () => {
    for (const who of [new Client(url), (await stale()).browser]) {
      expect((await who.fetch("/api/getqrcode?intent=sign")).status).toBe(400);
    }
  });
});

describe("an address approves too", () => {
  async function staleByAddress() {
    const wallet = new FastWallet();
    const { browser, sid } = await answeredFast(url, wallet);
    await enterDashboard(browser, sid);
    const userId = await userIdOf(browser);
    await ageApprovals(databaseUrl, userId, TEN_MINUTES + 1);
    return { browser, wallet, userId };
  }

  test("and is named as what can approve", async () => {
    const { browser, wallet } = await staleByAddress();
    const { error } = await (await newKey(browser)).json();
    expect(error).toMatchObject({ code: "approval_required", details: { approve_with: ["address"] } });
    const { sid, qr, status } = await approveByAddress(browser, wallet);
    expect(status).toBe(200);
    expect(new URL(qr).searchParams.get("intent")).toBe("approve");
    expect(await isApproved(browser)).toBe(true);
    // It redeems nothing.
    const nobody = new Client(url);
    nobody.cookies.set("svc-browser", browser.cookies.get("svc-browser") ?? "");
    expect((await nobody.signIn("fast", sid)).status).toBe(401);
    expect((await enterDashboard(nobody, sid)).path).toBe("/fast?problem=not-signed-in");
  });

  test("but not another's, nor one that nobody has, and that spends nothing and makes no account", async () => {
    const { browser, wallet } = await staleByAddress();
    const other = (await staleByAddress()).wallet;
    const unknown = new FastWallet();
    const { qr, sid } = await requestFastQr(browser, { intent: "approve" });
    for (const foreign of [other, unknown]) {
      const refused = await deliverForm(new Client(url), qr, foreign.fields(qr));
      expect(refused.status).toBe(401);
      expect(await refused.text()).toMatch(/^could not verify/);
    }
    expect((await enterDashboard(browser, sid)).path).toBe("/dashboard");
    expect(await sql(databaseUrl, "SELECT 1 FROM credential WHERE value = $1", [unknown.address])).toEqual(
      [],
    );
    expect(await isApproved(browser)).toBe(false);
    expect((await deliverForm(new Client(url), qr, wallet.fields(qr))).status).toBe(200);
    expect(await isApproved(browser)).toBe(true);
  });

  test("and what it signs for a login approves nothing, nor the other way round", async () => {
    const { browser, wallet } = await staleByAddress();
    const { qr } = await requestFastQr(browser, { intent: "approve" });
    const asLogin = new URL(qr);
    asLogin.searchParams.delete("intent");
    const refused = await deliverForm(new Client(url), asLogin.href, wallet.fields(asLogin.href));
    expect(refused.status).toBe(401);
    const login = await requestFastQr(new Client(url));
    const asApproval = `${login.qr}&intent=approve`;
    expect((await deliverForm(new Client(url), asApproval, wallet.fields(asApproval))).status).toBe(401);
    expect(await isApproved(browser)).toBe(false);
  });
});

import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { formatCredentialName } from "../../crypto/public-key.ts";
import { addedKeys, approvals, createLogin, nextAuth, nextSite } from "../../index.ts";
import {
  answerNewLogin,
  createWalletResponseRequest,
  newClientHeaders,
  ORIGIN,
  SITE_SETTINGS,
  SiteBrowser,
  startSite,
} from "../../site/tests/site.fixture.ts";
import { VirtualWallet } from "../../testing/virtual-wallet.ts";
import type { GetCurrentUser } from "./current-user.ts";
import { linkedWallets } from "./linked-wallets.ts";

/** By the token in the cookie. The site's users sign in without the login. */
const sessions = new Map<string, { id: string; signedInAt: Date }>();
const readSession: GetCurrentUser = async (headers) => {
  const [, token = ""] = /\bsite=([^;]+)/.exec(headers.get("cookie") ?? "") ?? [];
  return sessions.get(token) ?? null;
};
const currentUser = vi.fn<GetCurrentUser>();
const onUndone = vi.fn();
const failures: string[] = [];

const site = startSite((databaseUrl) =>
  createLogin({
    plugins: [nextSite(), nextAuth(), approvals(), addedKeys(), linkedWallets()],
    setUp: async () => ({
      ...SITE_SETTINGS,
      databaseUrl,
      findOrCreateUser: async ({ userId }) => `made-for-${userId}`,
      currentUser,
      onUndone,
      onFailure: (message, error) => failures.push(`${message}: ${error}`),
    }),
  }),
);
beforeEach(() => {
  failures.length = 0;
  onUndone.mockReset();
  currentUser.mockReset().mockImplementation(readSession);
});

const QUERY = "mode=login&intent=add_wallet";
const PATH = "/api/svc/wallet";
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

function signIn(browser: SiteBrowser, id: string, signedInAt = new Date()): string {
  const token = randomUUID();
  sessions.set(token, { id, signedInAt });
  browser.cookies.set("site", token);
  return token;
}

function member(signedInAt?: Date) {
  const browser = new SiteBrowser(site().login);
  const id = `member-${randomUUID()}`;
  return { browser, id, token: signIn(browser, id, signedInAt) };
}

async function answeredUser(wallet = new VirtualWallet()) {
  const user = member();
  return { ...user, wallet, ...(await user.browser.answerLogin(QUERY, wallet)) };
}

async function outcome(answer: Response): Promise<unknown> {
  const body = await answer.json();
  return [answer.status, body.error?.code ?? body.status];
}

const link = (browser: SiteBrowser, sid: string) => browser.send("POST", PATH, { sid });
const remove = (browser: SiteBrowser, headers?: Record<string, string>) =>
  browser.send("DELETE", PATH, undefined, headers);
const LINKED = [201, "linked"];
const NOTHING = [404, "session_not_found"];

async function linkNewWallet(wallet = new VirtualWallet()) {
  const user = await answeredUser(wallet);
  expect(await outcome(await link(user.browser, user.sid))).toEqual(LINKED);
  return user;
}

async function userOf(wallet: VirtualWallet): Promise<number | string | undefined> {
  const { sid, cookie } = await answerNewLogin(site().login, wallet);
  return (await site().login.redeem(new Headers({ cookie }), sid))?.userId;
}

const rows = async (text: string, values: unknown[]) => (await site().client.query(text, values)).rows;
const walletsOf = (id: string) =>
  rows("SELECT value FROM site_user JOIN credential USING (user_id) WHERE site_id = $1", [id]);

describe("a wallet that a signed-in user adds", () => {
  test("signs that user in from then on", async () => {
    const { id, wallet } = await linkNewWallet();
    expect(await userOf(wallet)).toBe(id);
    expect(await userOf(wallet)).toBe(id);
  });

  test("is asked to link its key to an existing account", async () => {
    const { browser } = member();
    const { qr, sid, challenge } = await (await browser.send("GET", `/api/svc/qr?${QUERY}`)).json();
    expect(new URL(qr).searchParams.get("intent")).toBe("add");
    const question = new Request(`${ORIGIN}/webhook/login?s=${sid}&c=${encodeURIComponent(challenge)}`, {
      headers: { ...newClientHeaders(), Accept: "application/json" },
    });
    expect(await (await site().login.routes.GET(question)).json()).toMatchObject({ intent: "add" });
  });

  test("is refused if it reports a different intent", async () => {
    const { browser } = member();
    const wallet = new VirtualWallet();
    const { sid, challenge } = await (await browser.send("GET", `/api/svc/qr?${QUERY}`)).json();
    const answerWith = (intent: string | null) => {
      const request = createWalletResponseRequest(wallet, challenge, "login");
      const body = JSON.stringify({ ...wallet.sign(challenge), intent });
      return site().login.routes.POST(new Request(request, { body }));
    };
    expect(await outcome(await answerWith(null))).toEqual([406, "intent_mismatch"]);
    expect((await answerWith("add")).status).toBe(200);
    expect(await outcome(await link(browser, sid))).toEqual(LINKED);
  });

  test("is shown to the user before it is added", async () => {
    const { browser, id, wallet, sid } = await answeredUser();
    const name = formatCredentialName(wallet.publicKey);
    const show = async () => (await browser.send("GET", `${PATH}?sid=${sid}`)).json();
    expect(await show()).toEqual({ wallet: null, answered: name, fresh: true });
    expect(await walletsOf(id)).toEqual([]);
    expect(await rows("SELECT FROM credential WHERE value = $1", [wallet.publicKey])).toEqual([]);
    await link(browser, sid);
    expect(await show()).toEqual({ wallet: name, answered: null, fresh: true });
  });

  test("does not sign anyone in merely by answering the code", async () => {
    const { browser, sid } = await answeredUser();
    expect(await browser.signIn(sid)).toBe(401);
    expect(await site().login.redeem(browser.headers, sid)).toBeNull();
    expect(await (await browser.send("GET", `/api/svc/check?sid=${sid}`)).json()).toEqual({
      status: "authenticated",
      redirect: "/dashboard",
    });
  });

  test("counts as added by someone else until its holder confirms it", async () => {
    const { wallet } = await linkNewWallet();
    const browser = new SiteBrowser(site().login);
    const { sid } = await browser.answerLogin("mode=login", wallet);
    await browser.redeem(sid);
    expect(await browser.userId()).toBeNull();
    const page = await browser.send("GET", `/api/account/added-key?sid=${sid}`);
    expect(await page.text()).toContain("Is this your account?");
  });

  test("is linked only once, even if the request is repeated after a lost response", async () => {
    const { browser, sid, id } = await linkNewWallet();
    expect(await outcome(await link(browser, sid))).toEqual(LINKED);
    expect(await walletsOf(id)).toHaveLength(1);
  });

  test("restores access for a user whose last key was removed", async () => {
    const { id, wallet, browser } = await linkNewWallet();
    const [before] = await rows("SELECT user_id FROM site_user WHERE site_id = $1", [id]);
    await site().client.query("DELETE FROM credential WHERE value = $1", [wallet.publicKey]);
    const { sid } = await browser.answerLogin(QUERY, new VirtualWallet());
    expect(await outcome(await link(browser, sid))).toEqual(LINKED);
    expect(await rows("SELECT user_id FROM site_user WHERE site_id = $1", [id])).toEqual([before]);
  });
});

describe("a user of the site", () => {
  test("gets 401 if they are not signed in", async () => {
    const stranger = new SiteBrowser(site().login);
    for (const path of [`/api/svc/qr?${QUERY}`, PATH]) {
      expect(await outcome(await stranger.send("GET", path))).toEqual([401, "not_signed_in"]);
    }
    const { browser, sid, token, id } = await answeredUser();
    sessions.delete(token);
    expect(await outcome(await link(browser, sid))).toEqual([401, "not_signed_in"]);
    expect(await walletsOf(id)).toEqual([]);
  });

  test("has to sign in again if the sign-in is more than ten minutes old", async () => {
    const late = member(minutesAgo(11));
    const code = await late.browser.send("GET", `/api/svc/qr?${QUERY}`);
    expect(await outcome(code)).toEqual([403, "approval_required"]);
    expect(await (await late.browser.send("GET", PATH)).json()).toMatchObject({ fresh: false });

    const { browser, sid, id } = await answeredUser();
    signIn(browser, id, minutesAgo(11));
    expect(await outcome(await link(browser, sid))).toEqual([403, "approval_required"]);
    signIn(browser, id, minutesAgo(9));
    expect(await outcome(await link(browser, sid))).toEqual(LINKED);
  });

  test("gets 409 for another code if they already have a wallet", async () => {
    const { browser, id } = member();
    const first = await browser.answerLogin(QUERY, new VirtualWallet());
    const wallet = new VirtualWallet();
    const second = await browser.answerLogin(QUERY, wallet);
    expect(await outcome(await link(browser, first.sid))).toEqual(LINKED);
    expect(await outcome(await link(browser, second.sid))).toEqual([409, "already_linked"]);
    expect(await outcome(await browser.send("GET", `/api/svc/qr?${QUERY}`))).toEqual([409, "already_linked"]);
    await site().client.query(
      "DELETE FROM credential USING site_user WHERE credential.user_id = site_user.user_id AND site_id = $1",
      [id],
    );
    expect(await outcome(await link(browser, second.sid))).toEqual(LINKED);
    expect(await userOf(wallet)).toBe(id);
  });

  test("cannot use a wallet that belongs to another account", async () => {
    const { wallet: takenWallet, id: owner } = await linkNewWallet();
    const { browser, id } = member();
    const { sid, challenge } = await (await browser.send("GET", `/api/svc/qr?${QUERY}`)).json();
    const refusal = await site().login.routes.POST(
      createWalletResponseRequest(takenWallet, challenge, "login"),
    );
    expect(await outcome(refusal)).toEqual([406, "invalid_signature"]);
    const accepted = await site().login.routes.POST(
      createWalletResponseRequest(new VirtualWallet(), challenge, "login"),
    );
    expect(accepted.status).toBe(200);
    expect(await outcome(await link(browser, sid))).toEqual(LINKED);
    expect([await userOf(takenWallet), (await walletsOf(id)).length]).toEqual([owner, 1]);
  });

  test("gets 409 if the wallet has registered an account since it answered", async () => {
    const { browser, sid, wallet, id } = await answeredUser();
    const other = await userOf(wallet);
    expect(other).toMatch(/^made-for-/);
    expect(await outcome(await link(browser, sid))).toEqual([409, "credential_taken"]);
    expect([await userOf(wallet), await walletsOf(id)]).toEqual([other, []]);
  });

  test.each<[string, unknown]>([
    ["no id", { signedInAt: new Date() }],
    ["a number as id", { id: 7, signedInAt: new Date() }],
    ["no time", { id: "a" }],
    ["an invalid time", { id: "a", signedInAt: new Date(Number.NaN) }],
    ["the end of the session as time", { id: "a", signedInAt: minutesAgo(-30) }],
  ])("gets 503 if the site's function returns an invalid value: %s", async (_what, answer) => {
    currentUser.mockResolvedValue(answer as Awaited<ReturnType<GetCurrentUser>>);
    const { browser } = member();
    expect(await outcome(await browser.send("GET", `/api/svc/qr?${QUERY}`))).toEqual([
      503,
      "service_unavailable",
    ]);
    expect(failures).toEqual([expect.stringMatching(/^currentUser failed: TypeError: currentUser has to/)]);
  });

  test("gets 503 without the cause if the site's function fails", async () => {
    const { browser, sid } = await answeredUser();
    currentUser.mockRejectedValueOnce(new Error("secret cause"));
    const response = await link(browser, sid);
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.not.stringContaining("secret cause"),
    ]);
    expect(await outcome(await link(browser, sid))).toEqual(LINKED);
  });
});

/** The site could then start its own session. */
async function signInWith(wallet: VirtualWallet) {
  const browser = new SiteBrowser(site().login);
  const { sid } = await browser.answerLogin("mode=login", wallet);
  const session = await site().login.redeem(browser.headers, sid);
  return { browser, sid, session };
}

const sessionsOf = ({ publicKey }: VirtualWallet) =>
  rows("SELECT FROM browser_session WHERE credential = $1", [publicKey]);

describe("a user who removes their wallet", () => {
  test("ends the wallet's sessions and pending logins, and can then add a new wallet", async () => {
    const { browser, id, wallet } = await linkNewWallet();
    const other = await linkNewWallet();
    const [account] = await rows("SELECT user_id FROM site_user WHERE site_id = $1", [id]);
    const { sid } = await signInWith(wallet);
    const { sid: othersSid } = await signInWith(other.wallet);
    const thief = new SiteBrowser(site().login);
    const pendingLogin = await thief.answerLogin("mode=login", wallet);

    const removed = await remove(browser);
    expect([removed.status, await removed.text()]).toEqual([204, ""]);
    expect([await walletsOf(id), await sessionsOf(wallet)]).toEqual([[], []]);
    expect(await site().login.redeem(thief.headers, pendingLogin.sid)).toBeNull();
    expect(onUndone.mock.calls).toEqual([[{ sid, userId: id }]]);
    expect(await userOf(wallet)).toMatch(/^made-for-/);
    expect(othersSid).not.toBe(sid);
    expect([await walletsOf(other.id), await sessionsOf(other.wallet)]).toMatchObject([[{}], [{}]]);

    const newWallet = new VirtualWallet();
    const answer = await browser.answerLogin(QUERY, newWallet);
    expect(await outcome(await link(browser, answer.sid))).toEqual(LINKED);
    expect(await userOf(newWallet)).toBe(id);
    expect(await rows("SELECT user_id FROM site_user WHERE site_id = $1", [id])).toEqual([account]);
  });

  test("gets the same response to a repeated request, and 404 if there is no wallet", async () => {
    const { browser, id } = await linkNewWallet();
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await remove(browser)).status));
    expect(statuses).toEqual(Array(8).fill(204));
    await site().client.query("UPDATE login_event SET at = at - interval '11 min' WHERE reason = 'unlinked'");
    expect(await outcome(await remove(browser))).toEqual([404, "not_found"]);
    const { browser: withoutWallet } = member();
    expect(await outcome(await remove(withoutWallet))).toEqual([404, "not_found"]);
    expect(await walletsOf(id)).toEqual([]);
  });

  test("must have signed in without the wallet during the last ten minutes", async () => {
    const { browser, id, wallet, token } = await linkNewWallet();
    sessions.delete(token);
    expect(await outcome(await remove(browser))).toEqual([401, "not_signed_in"]);
    signIn(browser, id, minutesAgo(11));
    expect(await outcome(await remove(browser))).toEqual([403, "approval_required"]);

    const { browser: signedInWithWallet } = await signInWith(wallet);
    signIn(signedInWithWallet, id);
    expect(await outcome(await remove(signedInWithWallet))).toEqual([403, "approval_required"]);
    expect(await walletsOf(id)).toHaveLength(1);
    // The wallet's login is then older than the user's current sign-in to the site.
    await site().client.query("UPDATE login_session SET redeemed_at = redeemed_at - interval '2 min'");
    expect((await remove(signedInWithWallet)).status).toBe(204);
  });

  test("gets 503 if onUndone fails, and can repeat the request", async () => {
    const { browser, id, wallet } = await linkNewWallet();
    const { sid } = await signInWith(wallet);
    onUndone.mockRejectedValueOnce(new Error("secret cause"));
    const failed = await remove(browser);
    expect([failed.status, await failed.text()]).toEqual([503, expect.not.stringContaining("secret cause")]);
    expect(failures).toEqual([expect.stringMatching(/^onUndone failed/)]);
    expect((await remove(browser)).status).toBe(204);
    expect(onUndone.mock.calls).toEqual([[{ sid, userId: id }], [{ sid, userId: id }]]);
  });

  test("also removes a key that one of the wallet's sessions is adding, and ends sign-ins in progress", async () => {
    const { browser, id, wallet } = await linkNewWallet();
    const { session } = await signInWith(wallet);
    const secondKey = new VirtualWallet().publicKey;
    await site().client.query("BEGIN");
    await rows("SELECT FROM browser_session WHERE id = $1 FOR KEY SHARE", [session?.browserSessionId]);
    const removal = remove(browser);
    await expect
      .poll(() =>
        rows("SELECT FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid)) AND NOT granted", []),
      )
      .toHaveLength(1);
    await site().client.query(
      `INSERT INTO credential (id, user_id, kind, value, created_at)
      SELECT gen_random_uuid(), user_id, 'public_key', $2, now() FROM site_user WHERE site_id = $1`,
      [id, secondKey],
    );
    const signInInProgress = signInWith(wallet).catch(() => null);
    await site().client.query("COMMIT");
    expect((await removal).status).toBe(204);
    await signInInProgress;
    expect([await walletsOf(id), await sessionsOf(wallet)]).toEqual([[], []]);
  });

  test("has to wait for a wallet that is being linked, which is then removed", async () => {
    const { browser, sid, id } = await answeredUser();
    await site().client.query("BEGIN");
    await rows(
      `SELECT login_2.link_wallet(
        $1, asked_by, sid, browser_hash, NULL, now(), now() - interval '10 min', now() + interval '10 s'
      ) FROM login_session WHERE sid = $2`,
      [id, sid],
    );
    const removal = remove(browser);
    await expect
      .poll(() => rows("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", []))
      .toHaveLength(1);
    await site().client.query("COMMIT");
    expect((await removal).status).toBe(204);
    expect(await walletsOf(id)).toEqual([]);
    // The earlier answer cannot link the removed wallet again.
    expect(await outcome(await link(browser, sid))).toEqual(NOTHING);
  });
});

describe("an attacker", () => {
  test("cannot link a wallet in another browser if they know only the sid", async () => {
    const { sid, id, browser } = await answeredUser();
    const attacker = member();
    expect(await outcome(await link(attacker.browser, sid))).toEqual(NOTHING);
    const shownAnswer = await attacker.browser.send("GET", `${PATH}?sid=${sid}`);
    expect(await shownAnswer.json()).toMatchObject({ answered: null });
    // The user is the same, but this browser did not show the code.
    const otherBrowser = new SiteBrowser(site().login);
    signIn(otherBrowser, id);
    expect(await outcome(await link(otherBrowser, sid))).toEqual(NOTHING);
    expect(await outcome(await link(browser, sid))).toEqual(LINKED);
  });

  test("cannot link a wallet to the next user of a shared browser", async () => {
    const { browser, sid } = await answeredUser();
    const victim = `member-${randomUUID()}`;
    signIn(browser, victim);
    expect(await outcome(await link(browser, sid))).toEqual(NOTHING);
    expect(await (await browser.send("GET", `${PATH}?sid=${sid}`)).json()).toMatchObject({ answered: null });
    // The victim's request does not continue the attacker's session.
    const next = await (await browser.send("GET", `/api/svc/qr?${QUERY}&sid=${sid}`)).json();
    expect(next.sid).not.toBe(sid);
    expect(await walletsOf(victim)).toEqual([]);
  });

  test.each<Record<string, string>>([
    { Origin: "https://evil.example" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ])("cannot make a victim's browser link a wallet from another page: %j", async (headers) => {
    const { browser, sid, id } = await answeredUser();
    const answer = await browser.send("POST", PATH, { sid }, headers);
    expect(await outcome(answer)).toEqual([403, "forbidden"]);
    expect(
      (await browser.send("GET", `${PATH}?sid=${sid}`)).headers.get("Access-Control-Allow-Origin"),
    ).toBeNull();
    expect(await walletsOf(id)).toEqual([]);
  });

  test.each<Record<string, string>>([
    { Origin: "https://evil.example" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
  ])("cannot make a victim's browser remove a wallet from another page: %j", async (headers) => {
    const { browser, id } = await linkNewWallet();
    expect(await outcome(await remove(browser, headers))).toEqual([403, "forbidden"]);
    expect(await walletsOf(id)).toHaveLength(1);
  });

  test("gets 429 after 120 attempts per minute to remove a wallet", async () => {
    const { browser } = member();
    const statuses = [];
    for (let times = 0; times < 122; times++) statuses.push((await remove(browser)).status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
  });

  test("cannot link a wallet with a login, a registration or a code for another purpose", async () => {
    const { browser, id } = member();
    for (const query of ["mode=register", "mode=login"]) {
      const wallet = new VirtualWallet();
      if (query === "mode=login") await answerNewLogin(site().login, wallet);
      const { sid } = await browser.answerLogin(query, wallet);
      expect(await outcome(await link(browser, sid))).toEqual(NOTHING);
    }
    const register = await browser.send("GET", "/api/svc/qr?mode=register&intent=add_wallet");
    expect(await outcome(register)).toEqual([400, "invalid_request"]);
    expect(await walletsOf(id)).toEqual([]);
  });

  test("cannot replay an answer to link several wallets", async () => {
    const { browser, id, wallet } = await linkNewWallet();
    await site().client.query("DELETE FROM credential WHERE value = $1", [wallet.publicKey]);
    const [replayed] = await rows("SELECT sid FROM login_session WHERE credential = $1", [wallet.publicKey]);
    expect(await outcome(await link(browser, replayed.sid))).toEqual(NOTHING);

    const answers = [];
    for (let times = 0; times < 8; times++) {
      answers.push(await browser.answerLogin(QUERY, new VirtualWallet()));
    }
    const outcomes = await Promise.all(
      [...answers, ...answers].map(async ({ sid }) =>
        JSON.stringify(await outcome(await link(browser, sid))),
      ),
    );
    // Repeating the request that linked the wallet also succeeds.
    expect(outcomes.filter((outcome) => outcome === JSON.stringify(LINKED))).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome.includes("already_linked"))).toHaveLength(14);
    expect(await walletsOf(id)).toHaveLength(1);
  });

  test("cannot link a second wallet while the first is being linked", async () => {
    const { browser, id } = member();
    const [first, second] = [
      await browser.answerLogin(QUERY, new VirtualWallet()),
      await browser.answerLogin(QUERY, new VirtualWallet()),
    ];
    await site().client.query("BEGIN");
    const [{ outcome: linkedFirst }] = await rows(
      `SELECT login_2.link_wallet(
        $1, asked_by, sid, browser_hash, NULL, now(), now() - interval '10 min', now() + interval '10 s'
      ) AS outcome FROM login_session WHERE sid = $2`,
      [id, first.sid],
    );
    const pendingLink = link(browser, second.sid);
    await expect
      .poll(() => rows("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted", []))
      .toHaveLength(1);
    await site().client.query("COMMIT");
    expect([linkedFirst, await outcome(await pendingLink)]).toEqual(["linked", [409, "already_linked"]]);
    expect(await walletsOf(id)).toHaveLength(1);
  });

  test("cannot link one wallet to two users with concurrent requests", async () => {
    const wallet = new VirtualWallet();
    const [one, other] = [await answeredUser(wallet), await answeredUser(wallet)];
    const outcomes = await Promise.all(
      [one, other].map(async ({ browser, sid }) => outcome(await link(browser, sid))),
    );
    expect(outcomes).toEqual(expect.arrayContaining([LINKED, [409, "credential_taken"]]));
    expect([one.id, other.id]).toContain(await userOf(wallet));
  });

  test("loses the victim's wallet when the victim undoes the answer", async () => {
    const post = (undo = "") => new SiteBrowser(site().login).send("POST", undo.replace(ORIGIN, ""));
    const earlyUser = await answeredUser();
    expect((await post(earlyUser.undo)).status).toBe(200);
    expect(await outcome(await link(earlyUser.browser, earlyUser.sid))).toEqual(NOTHING);

    const late = await linkNewWallet();
    const linkedUser = await linkNewWallet();
    expect(await userOf(late.wallet)).toBe(late.id);
    expect((await post(late.undo)).status).toBe(200);
    expect(await walletsOf(late.id)).toEqual([]);
    const sessionExists = "SELECT FROM browser_session WHERE credential = $1";
    expect(await rows(sessionExists, [late.wallet.publicKey])).toEqual([]);
    expect(await userOf(late.wallet)).toMatch(/^made-for-/);
    expect(await userOf(linkedUser.wallet)).toBe(linkedUser.id);

    // A wallet that was linked again with another answer stays linked.
    await site().client.query("DELETE FROM credential WHERE value = $1", [linkedUser.wallet.publicKey]);
    const again = await linkedUser.browser.answerLogin(QUERY, linkedUser.wallet);
    expect(await outcome(await link(linkedUser.browser, again.sid))).toEqual(LINKED);
    expect((await post(linkedUser.undo)).status).toBe(200);
    expect(await walletsOf(linkedUser.id)).toHaveLength(1);
  });

  test("cannot link a wallet with a statement that runs after the request's deadline", async () => {
    const { browser, sid, id } = await answeredUser();
    const [{ asked_by }] = await rows("SELECT asked_by FROM login_session WHERE sid = $1", [sid]);
    const [{ hash }] = await rows("SELECT browser_hash AS hash FROM login_session WHERE sid = $1", [sid]);
    const late = `SELECT login_2.link_wallet($1, $2, $3, $4, NULL, now(), now() - interval '10 min', now() - interval '1 s')
      AS outcome`;
    expect(await rows(late, [id, asked_by, sid, hash])).toEqual([{ outcome: null }]);
    expect(await outcome(await link(browser, sid))).toEqual(LINKED);
  });

  test("cannot remove a wallet with a statement that runs after the request's deadline", async () => {
    const { id } = await linkNewWallet();
    const late = `SELECT outcome FROM login_2.unlink_wallet($1, NULL, NULL, now(), now(), now() - interval '1 s')`;
    expect(await rows(late, [id])).toEqual([{ outcome: null }]);
    expect(await walletsOf(id)).toHaveLength(1);
  });
});

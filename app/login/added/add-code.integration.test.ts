import { describe, expect, inject, test } from "vitest";
import { expireSessions, signOutEverywhere } from "#e2e/support/account.ts";
import { answerAddCode, storedKey } from "#e2e/support/added-key.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { ageApprovals, approve } from "#e2e/support/approval.ts";
import { Client } from "#scripts/kit/client.ts";
import { deliverForm, requestFastQr } from "#scripts/kit/fast-login.ts";
import { requestQr, signedIn } from "#scripts/kit/login.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

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
      new Client(url).postForm(path.slice(url.length), new FastWallet().fields(message));
    expect((await post(plain, plain)).status).toBe(401);
    expect((await post(qr, plain)).status).toBe(401);
    expect((await post(qr, qr)).status).toBe(200);
    const login = (await (await new Client(url).fetch("/api/getqrcode")).json()).qr;
    expect((await post(login, `${login}&intent=add`)).status).toBe(401);
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

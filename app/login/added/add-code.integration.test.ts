import { describe, expect, inject, test } from "vitest";
import { answerAddCode, storedKey } from "#e2e/support/added-key.ts";
import { expectApiError } from "#e2e/support/api-error.ts";
import { ageApprovals } from "#e2e/support/approval.ts";
import { Client } from "#scripts/kit/client.ts";
import { requestQr, signedIn } from "#scripts/kit/login.ts";
import { sql } from "#scripts/kit/sql.ts";
import { FastWallet, TestWallet } from "#scripts/kit/test-wallet.ts";

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

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
      new Client(url).postForm(path.slice(url.length), new FastWallet().fields(message));
    expect((await post(plain, plain)).status).toBe(401);
    expect((await post(qr, plain)).status).toBe(401);
    expect((await post(qr, qr)).status).toBe(200);
    const login = (await (await new Client(url).fetch("/api/getqrcode")).json()).qr;
    expect((await post(login, `${login}&intent=add`)).status).toBe(401);
  });

  test("is dead once its browser session, or that session's approval, has ended: 408, and no account is made", async () => {
    for (const end of ["sign-out", "expiry", "approval"] as const) {
      for (const mode of ["login", "register"]) {
        const { browser, userId } = await signedIn(url);
        const { challenge } = await (await browser.fetch(`/api/svc/qr?intent=add&mode=${mode}`)).json();
        const fast = await (await browser.fetch("/api/getqrcode?intent=add")).json();
        if (end === "sign-out") await browser.signOut();
        else if (end === "approval") await ageApprovals(databaseUrl, userId, 601);
        else {
          await sql(
            databaseUrl,
            "UPDATE browser_session SET expires_at = now() - interval '1 min' WHERE user_id = $1",
            [userId],
          );
        }
        const wallet = new TestWallet();
        const response = await new Client(url).post(`/webhook/${mode}`, wallet.response(challenge));
        await expectApiError(response, 408, "challenge_expired");
        expect(await storedKey(databaseUrl, wallet.publicKey)).toEqual([]);
        const address = new FastWallet();
        const answer = await new Client(url).postForm(fast.qr.slice(url.length), address.fields(fast.qr));
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
    await browser.signOut();
    await expectApiError(await kept.post("/api/account/credentials", { sid }), 401, "not_signed_in");
    const again = (await signedIn(url, wallet)).browser;
    again.cookies.set("svc-browser", kept.cookies.get("svc-browser") ?? "");
    await expectApiError(await again.post("/api/account/credentials", { sid }), 404, "session_not_found");
    expect(await storedKey(databaseUrl, added.publicKey)).toEqual([]);
  });
});

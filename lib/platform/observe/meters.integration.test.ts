import { describe, expect, test } from "vitest";
import { newCustomer } from "#e2e/support/customer.ts";
import { requestOutput, requestSharedApp } from "#e2e/support/test-apps.ts";
import { Client } from "#tools/kit/client.ts";
import { answerFastLogin, postWalletForm, requestFastQr } from "#tools/kit/fast-login.ts";
import { requestQr } from "#tools/kit/login.ts";
import { backdateLogin } from "#tools/kit/sql.ts";
import { FastWallet, TestWallet } from "#tools/kit/test-wallet.ts";

const app = await requestSharedApp("limitedSender");

/** Omits time and level. */
async function linesOf(response: Response) {
  const requestId = response.headers.get("x-request-id");
  const find = async () =>
    (await requestOutput("limitedSender"))
      .split("\n")
      .filter((line) => line.startsWith("{") && line.includes(`"requestId":"${requestId}"`))
      .map((line) => JSON.parse(line))
      .map(({ flow, session, outcome, reason, msg }) => ({ flow, session, outcome, reason, msg }));
  await expect.poll(find).not.toEqual([]);
  return find();
}

const line = (flow: string, sid: string | null, outcome: string, reason?: string) => [
  { flow, session: sid === null ? null : `${sid.slice(0, 6)}…`, outcome, reason, msg: `login ${outcome}` },
];

describe("the log", () => {
  test("contains the outcome of every step of a site login", async () => {
    const wallet = new TestWallet();
    const browser = new Client(app.url);
    const deliver = (action: string, body: unknown) => new Client(app.url).post(`/webhook/${action}`, body);
    const qrResponse = await browser.fetch("/api/svc/qr?mode=login");
    const { sid, challenge } = await qrResponse.json();
    const tell = async (response: Response, ...rest: [outcome: string, reason?: string]) =>
      expect(await linesOf(response)).toEqual(line("login", sid, ...rest));

    await tell(qrResponse, "issued");
    const forged = wallet.response(challenge, { signature: wallet.sign("another text") });
    await tell(await deliver("login", forged), "refused", "invalid_signature");
    await tell(await deliver("login", wallet.response(challenge)), "unregistered", "unknown_key");
    const other = challenge.replace(/.$/, (last: string) => (last === "x" ? "y" : "x"));
    const unknown = await deliver("login", wallet.response(other));
    expect(await linesOf(unknown)).toEqual(line("login", null, "refused", "challenge_unknown"));

    await backdateLogin(app.databaseUrl, sid, 31);
    await tell(await deliver("login", wallet.response(challenge)), "refused", "challenge_expired");
    const renewedCode = await requestQr(browser, "register", sid);
    const accepted = wallet.response(renewedCode.challenge);
    await tell(await deliver("register", accepted), "authenticated");
    await tell(await deliver("register", accepted), "refused", "challenge_used");

    await tell(await new Client(app.url).signIn("svc", sid), "not_signed_in", "no_cookie");
    await tell(await browser.signIn("svc", sid), "signed_in");
    await tell(await browser.signIn("svc", sid), "not_signed_in", "nothing_to_redeem");
  });

  test("contains the outcome of every step of a hosted login", async () => {
    const caller = await newCustomer(app.url, app.databaseUrl);
    const { domain } = await caller.registerDomain(app.databaseUrl);
    const response = await caller.post("/sessions", { domain });
    const { id } = await response.clone().json();
    expect(await linesOf(response)).toEqual(line("hosted", id, "issued"));
    const refreshed = await caller.post(`/sessions/${id}/refresh`);
    expect(await linesOf(refreshed)).toEqual(line("hosted", id, "issued"));
    const { challenge } = await refreshed.json();
    const wallet = new TestWallet();
    const deliver = (body: unknown) => new Client(app.url).post(`/webhook/sessions/${id}`, body);
    const forged = await deliver(wallet.response(challenge, { signature: wallet.sign("another text") }));
    expect(await linesOf(forged)).toEqual(line("hosted", id, "refused", "invalid_signature"));
    expect(await linesOf(await deliver(wallet.response(challenge)))).toEqual(
      line("hosted", id, "authenticated"),
    );
  });

  test("contains the outcome of every step of a fast login", async () => {
    const browser = new Client(app.url);
    const response = await browser.fetch("/api/getqrcode");
    const { sid } = await response.clone().json();
    expect(await linesOf(response)).toEqual(line("fast", sid, "issued"));
    const { qr } = await requestFastQr(browser, { sid });
    const wallet = new FastWallet();
    const refusal = await postWalletForm(new Client(app.url), qr, {
      ...wallet.fields(qr),
      msg: "another text",
    });
    expect(await linesOf(refusal)).toEqual(line("fast", sid, "refused", "invalid_signature"));
    const accepted = await postWalletForm(new Client(app.url), qr, wallet.fields(qr));
    expect(await linesOf(accepted)).toEqual(line("fast", sid, "authenticated"));
    expect(await linesOf(await browser.signIn("fast", sid))).toEqual(line("fast", sid, "signed_in"));

    const second = await answerFastLogin(app.url);
    const entered = await second.browser.fetch(
      `/dashboard/enter?${new URLSearchParams({ sid: second.sid })}`,
    );
    expect(await linesOf(entered)).toEqual(line("fast", second.sid, "signed_in"));
  });
});

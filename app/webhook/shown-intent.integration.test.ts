import { describe, expect, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { recovering, userWithCodes } from "#e2e/support/recovery.ts";
import { databaseUrl, query, url } from "#e2e/support/test-apps.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, type Qr, registered, requestQr, signedIn } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** What a wallet says it showed (docs/protocol.md#36-intents): a code's intent is not signed, and a relay changes it. */

type Asked = { browser: Client; wallet: TestWallet; code: Qr; action: string };

/** Has a browser show a code, which this wallet may answer. */
async function asked(browser: Client, wallet: TestWallet, action: string, intent?: string): Promise<Asked> {
  return { browser, wallet, code: await requestQr(browser, action, undefined, intent), action };
}

/** A code of each intent, and a wallet that may answer it. */
const CODES = {
  "to sign in": async () => asked(new Client(url), (await registered(url)).wallet, "login"),
  "to register": () => asked(new Client(url), new TestWallet(), "register"),
  add: async () => asked((await signedIn(url)).browser, new TestWallet(), "register", "add"),
  approve: async () => {
    const { browser, wallet } = await signedIn(url);
    return asked(browser, wallet, "login", "approve");
  },
  recover: async () => {
    const { codes } = await userWithCodes(url);
    return asked(await recovering(url, codes[0]), new TestWallet(), "register", "recover");
  },
} satisfies Record<string, () => Promise<Asked>>;
const INTENTS = ["add", "approve", "recover"];

const send = ({ wallet, code, action }: Asked, intent: unknown, changes = {}) =>
  new Client(url).post(`/webhook/${action}`, wallet.response(code.challenge, { ...changes, intent }));

const refusalsOf = (sid: string) =>
  query("SELECT reason FROM login_event WHERE sid = $1 AND kind = 'refused'", [sid]);

describe.each(Object.entries(CODES))("a code %s", (kind, ask) => {
  const own = INTENTS.includes(kind) ? kind : null;
  const others = [null, ...INTENTS, "Add", "steal", ""].filter((intent) => intent !== own);

  test.each(others)("shown as %j: 406, nothing spent, and it is recorded", async (intent) => {
    const shown = await ask();
    await expectApiError(await send(shown, intent), 406, "intent_mismatch");
    expect(await check(shown.browser, shown.code.sid)).toEqual({ status: "pending" });
    expect(await refusalsOf(shown.code.sid)).toEqual([{ reason: "intent_mismatch" }]);
    expect((await send(shown, own)).status).toBe(200);
  });

  test("from a wallet that does not say what it showed is accepted as before", async () => {
    const shown = await ask();
    expect((await send(shown, undefined)).status).toBe(200);
  });

  test("shown as neither text nor null: 400", async () => {
    const shown = await ask();
    for (const intent of [1, true, [], {}, ["add"]])
      await expectApiError(await send(shown, intent), 400, "invalid_request");
    expect(await check(shown.browser, shown.code.sid)).toEqual({ status: "pending" });
  });
});

describe("what was shown is judged", () => {
  test("after the challenge: an expired one is 408", async () => {
    const shown = await CODES.approve();
    await ageLogin(databaseUrl, shown.code.sid, 31);
    await expectApiError(await send(shown, null), 408, "challenge_expired");
  });

  test("after the signature: nobody learns by a wrong one what a code asks for", async () => {
    const shown = await CODES.approve();
    const signature = shown.wallet.sign("another text");
    for (const intent of [null, "approve"])
      await expectApiError(await send(shown, intent, { signature }), 406, "invalid_signature");
  });

  test("before whose key it is: another user's is told that the code was changed", async () => {
    const other = { ...(await CODES.approve()), wallet: (await registered(url)).wallet };
    await expectApiError(await send(other, null), 406, "intent_mismatch");
    await expectApiError(await send(other, "approve"), 406, "invalid_signature");
  });
});

test("the browser that waits is told that its code was changed, and goes on", async () => {
  const shown = await CODES.approve();
  const stream = new EventStream(await shown.browser.fetch(`/api/svc/events?sid=${shown.code.sid}`));
  await stream.next();
  const refused = { event: "refused", data: { reason: "intent_mismatch" } };
  const told = stream.next();
  // The first stream of a process opens the connection that listens. Nobody is told of a refusal before that.
  const sentAgain = () => send(shown, null).then(() => Promise.race([told, null]));
  await expect.poll(sentAgain, { timeout: 15_000 }).toEqual(refused);
  await send(shown, "approve");
  let next = await stream.next();
  while (next?.event === "refused") next = await stream.next();
  expect(next).toMatchObject({ event: "message", data: { status: "authenticated" } });
});

import { describe, expect, inject, test } from "vitest";
import { expectApiError } from "#e2e/support/api-error.ts";
import { requestApproval } from "#e2e/support/approval.ts";
import { EventStream } from "#e2e/support/event-stream.ts";
import { recovering, requestRecoveryQr, userWithCodes } from "#e2e/support/recovery.ts";
import { Client } from "#scripts/kit/client.ts";
import { check, type Qr, registered, requestQr, signedIn } from "#scripts/kit/login.ts";
import { ageLogin, sql } from "#scripts/kit/sql.ts";
import { TestWallet } from "#scripts/kit/test-wallet.ts";

/** What a wallet says it showed (docs/protocol.md#36-intents): a code's intent is not signed, and a relay changes it. */

const [url] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

type Asked = { browser: Client; wallet: TestWallet; code: Qr; action: "login" | "register" };

/** A code of each intent, and a wallet that may answer it. */
const CODES = {
  "to sign in": async (): Promise<Asked> => {
    const browser = new Client(url);
    const { wallet } = await registered(url);
    return { browser, wallet, code: await requestQr(browser), action: "login" };
  },
  "to register": async (): Promise<Asked> => {
    const browser = new Client(url);
    return {
      browser,
      wallet: new TestWallet(),
      code: await requestQr(browser, "register"),
      action: "register",
    };
  },
  add: async (): Promise<Asked> => {
    const { browser } = await signedIn(url);
    const code = await requestQr(browser, "register", undefined, "add");
    return { browser, wallet: new TestWallet(), code, action: "register" };
  },
  approve: async (): Promise<Asked> => {
    const { browser, wallet } = await signedIn(url);
    return { browser, wallet, code: await requestApproval(browser), action: "login" };
  },
  recover: async (): Promise<Asked> => {
    const { codes } = await userWithCodes(url);
    const browser = await recovering(url, codes[0]);
    return { browser, wallet: new TestWallet(), code: await requestRecoveryQr(browser), action: "register" };
  },
};

const OWN: Record<string, string | null> = { add: "add", approve: "approve", recover: "recover" };

const send = ({ wallet, code, action }: Asked, intent: unknown, changes = {}) =>
  new Client(url).post(`/webhook/${action}`, wallet.response(code.challenge, { ...changes, intent }));

const refusalsOf = (sid: string) =>
  sql(databaseUrl, "SELECT reason FROM login_event WHERE sid = $1 AND kind = 'refused'", [sid]);

describe.each(Object.entries(CODES))("a code %s", (kind, ask) => {
  const own = OWN[kind] ?? null;
  const others = [null, "add", "approve", "recover", "Add", "steal", ""].filter((intent) => intent !== own);

  test.each(others)("shown as %j: 406, nothing spent, and it is recorded", async (intent) => {
    const asked = await ask();
    await expectApiError(await send(asked, intent), 406, "intent_mismatch");
    expect(await check(asked.browser, asked.code.sid)).toEqual({ status: "pending" });
    expect(await refusalsOf(asked.code.sid)).toEqual([{ reason: "intent_mismatch" }]);
    expect((await send(asked, own)).status).toBe(200);
  });

  test("from a wallet that does not say what it showed is accepted as before", async () => {
    const asked = await ask();
    expect((await send(asked, undefined)).status).toBe(200);
  });

  test("shown as neither text nor null: 400", async () => {
    const asked = await ask();
    for (const intent of [1, true, [], {}, ["add"]])
      await expectApiError(await send(asked, intent), 400, "invalid_request");
    expect(await check(asked.browser, asked.code.sid)).toEqual({ status: "pending" });
  });
});

describe("what was shown is judged", () => {
  test("after the challenge: an expired one is 408", async () => {
    const asked = await CODES.approve();
    await ageLogin(databaseUrl, asked.code.sid, 31);
    await expectApiError(await send(asked, null), 408, "challenge_expired");
  });

  test("after the signature: nobody learns by a wrong one what a code asks for", async () => {
    const asked = await CODES.approve();
    const signature = asked.wallet.sign("another text");
    for (const intent of [null, "approve"])
      await expectApiError(await send(asked, intent, { signature }), 406, "invalid_signature");
  });

  test("before the key: an unknown one is not told to register", async () => {
    const code = await requestQr(new Client(url));
    const asked: Asked = { browser: new Client(url), wallet: new TestWallet(), code, action: "login" };
    await expectApiError(await send(asked, "approve"), 406, "intent_mismatch");
    expect(await check(asked.browser, code.sid)).toEqual({ status: "pending" });
    await expectApiError(await send(asked, null), 404, "user_not_found");
  });

  test("before whose key it is: another user's is told that the code was changed", async () => {
    const asked = await CODES.approve();
    const other = { ...asked, wallet: (await registered(url)).wallet };
    await expectApiError(await send(other, null), 406, "intent_mismatch");
    await expectApiError(await send(other, "approve"), 406, "invalid_signature");
  });
});

test("the browser that waits is told that its code was changed, and goes on", async () => {
  const asked = await CODES.approve();
  const stream = new EventStream(await asked.browser.fetch(`/api/svc/events?sid=${asked.code.sid}`));
  await stream.next();
  const refused = { event: "refused", data: { reason: "intent_mismatch" } };
  const told = stream.next();
  // The first stream of a process opens the connection that listens. Nobody is told of a refusal before that.
  const sentAgain = () => send(asked, null).then(() => Promise.race([told, null]));
  await expect.poll(sentAgain, { timeout: 15_000 }).toEqual(refused);
  await send(asked, "approve");
  let next = await stream.next();
  while (next?.event === "refused") next = await stream.next();
  expect(next).toMatchObject({ event: "message", data: { status: "authenticated" } });
});

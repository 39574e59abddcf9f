import { describe, expect, inject, test } from "vitest";
import { expectFastAnswer, FAST_ANSWERS } from "#e2e/support/fast-answer.ts";
import { Client } from "#scripts/kit/client.ts";
import { askedFast, checkFast, deliverForm } from "#scripts/kit/fast-login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";

const [url, secondUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

/**
 * Wallet responses, beside those that a run of the conformance kit sends: every address, shape, message, challenge and
 * signature (section 6.2: lib/conformance/app.integration.test.ts).
 */

test.each<[string, (qr: string) => string]>([
  ["our origin on another port", (qr) => qr.replace(/:\d+\//, ":1/")],
  ["upper-case hex", (qr) => qr.replace(/t=.*$/, (t) => `t=${t.slice(2).toUpperCase()}A`)],
  ["nothing", () => ""],
  ["its beginning", (qr) => qr.slice(0, -1)],
])("a message that is not this very request signs nobody in: %s", async (_what, change) => {
  const { qr, sid, wallet, phone } = await askedFast(url);
  const msg = change(qr);
  const fields = wallet.fields(qr, { msg, sig: wallet.sign(msg) });
  await expectFastAnswer(await deliverForm(phone, qr, fields), FAST_ANSWERS.notVerified);
  expect(await checkFast(phone, sid)).toEqual({ sid, status: 0 });
});

test("an address of 60 KB could not be verified", async () => {
  const { qr, wallet, phone } = await askedFast(url);
  const fields = wallet.fields(qr, { addr: "1".repeat(60_000) });
  await expectFastAnswer(await deliverForm(phone, qr, fields), FAST_ANSWERS.notVerified);
});

describe("a challenge that is not in the session's list", () => {
  test("is not found: another session's, which is told before anybody looks at the signature", async () => {
    const [mine, other] = [await askedFast(url), await askedFast(url)];
    const changed = mine.qr.replace(/(?<=sid=)[^&]+/, other.sid);
    for (const sig of ["", mine.wallet.sign(mine.qr)]) {
      const fields = mine.wallet.fields(changed, { sig });
      await expectFastAnswer(await deliverForm(mine.phone, changed, fields), FAST_ANSWERS.noChallenge);
    }
    for (const { sid } of [mine, other]) expect(await checkFast(mine.phone, sid)).toEqual({ sid, status: 0 });
  });

  test("is not found: older than two minutes; within them it signs in", async () => {
    const young = await askedFast(url);
    await ageLogin(databaseUrl, young.sid, 115);
    await expectFastAnswer(
      await deliverForm(young.phone, young.qr, young.wallet.fields(young.qr)),
      FAST_ANSWERS.authenticated,
    );
    const old = await askedFast(url);
    await ageLogin(databaseUrl, old.sid, 121);
    await expectFastAnswer(
      await deliverForm(old.phone, old.qr, old.wallet.fields(old.qr)),
      FAST_ANSWERS.noChallenge,
    );
  });

  test("of 50 wallet responses at once, in two processes, exactly one signs in", async () => {
    const { qr, wallet } = await askedFast(url);
    const fields = wallet.fields(qr);
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        deliverForm(new Client(index % 2 ? url : secondUrl), qr, fields),
      ),
    );
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 400)).toHaveLength(49);
  });
});

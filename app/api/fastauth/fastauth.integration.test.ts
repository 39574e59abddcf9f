import { describe, expect, inject, test } from "vitest";
import { Client } from "#scripts/kit/client.ts";
import { askedFast, checkFast, deliverForm } from "#scripts/kit/fast-login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";

const [url, secondUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

/**
 * Wallet responses, beside those that a run of the conformance kit sends: every address, shape, message, challenge and
 * signature (section 6.2: lib/conformance/app.integration.test.ts).
 */

/** The answers of the webhook, each with the words that it begins with. */
const FAST_ANSWERS = {
  authenticated: [200, "successfully authenticated"],
  noChallenge: [400, "no challenge found"],
  notVerified: [401, "could not verify"],
} as const;

/** Holds an answer to plain text with these words, which nobody may keep. */
async function expectFastAnswer(
  response: Response,
  [status, text]: readonly [number, string],
): Promise<void> {
  expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("cache-control")).toContain("no-store");
}

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

describe("a body of any kind", () => {
  const JSON_TYPE = { "Content-Type": "application/json" };
  const bodies: [string, RequestInit][] = [
    ["data that is no object", { headers: JSON_TYPE, body: '{"data":"x"}' }],
    ["deep nesting", { headers: JSON_TYPE, body: "[".repeat(30_000) }],
    [
      "a multipart form without a boundary",
      { headers: { "Content-Type": "multipart/form-data" }, body: "--x" },
    ],
  ];
  test.each(bodies)("is answered in words: %s", async (_what, init) => {
    const { qr, phone } = await askedFast(url);
    const { pathname, search } = new URL(qr);
    await expectFastAnswer(
      await phone.fetch(pathname + search, { method: "POST", ...init }),
      FAST_ANSWERS.notVerified,
    );
  });

  test("is refused above 64 KB in plain text", async () => {
    const response = await new Client(url).fetch("/api/fastauth", {
      method: "POST",
      body: "x".repeat(65_537),
    });
    await expectFastAnswer(response, [413, "Error: "]);
  });

  test("is not read from a HEAD, which signs nobody in", async () => {
    const { qr, sid, wallet, phone } = await askedFast(url);
    const { pathname, search } = new URL(qr);
    const path = `${pathname}${search}&${new URLSearchParams(wallet.fields(qr))}`;
    expect((await phone.fetch(path, { method: "HEAD" })).status).toBe(405);
    expect(await checkFast(phone, sid)).toEqual({ sid, status: 0 });
  });

  test.each(["/api/fastauth?c=%00", "/api/fastauth?c=%E0%A4%A", "/api/fastauth?c=a&c=b", "/api/fastauth/x"])(
    "%s is refused in plain text",
    async (path) => {
      const response = await new Client(url).fetch(path);
      expect([400, 404]).toContain(response.status);
      expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
      expect(await response.text()).toMatch(/^Error: /);
    },
  );
});

test("the limit of wallet responses is told in plain text, with when to try again", async () => {
  const client = new Client(url);
  const responses = await Promise.all(Array.from({ length: 125 }, () => client.fetch("/api/fastauth")));
  const limited = responses.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(5);
  expect(limited[0]?.headers.get("retry-after")).toMatch(/^\d+$/);
  expect(limited[0]?.headers.get("ratelimit-limit")).toBe("120");
  expect(await limited[0]?.text()).toMatch(/^Error: /);
});

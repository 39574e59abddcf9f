import { describe, expect, inject, test } from "vitest";
import { expectFastAnswer, FAST_ANSWERS } from "#e2e/support/fast-answer.ts";
import { Client } from "#scripts/kit/client.ts";
import {
  answeredFast,
  askedFast,
  checkFast,
  deliverForm,
  enterDashboard,
  requestFastQr,
} from "#scripts/kit/fast-login.ts";
import { userIdOf } from "#scripts/kit/login.ts";
import { ageLogin } from "#scripts/kit/sql.ts";
import { FAST_TYPES, FastWallet, type SignedFields } from "#scripts/kit/test-wallet.ts";

const [url, secondUrl] = inject("appUrls");
const databaseUrl = inject("databaseUrl");

describe("a wallet response", () => {
  test.each(FAST_TYPES)("signs in by a form body: %s", async (type) => {
    const { browser, qr, sid, wallet, phone } = await askedFast(url, type);
    await expectFastAnswer(await deliverForm(phone, qr, wallet.fields(qr)), FAST_ANSWERS.authenticated);
    expect(await checkFast(phone, sid)).toEqual({ sid, status: 1 });
    const { path, response } = await enterDashboard(browser, sid);
    expect([path, response.status]).toEqual(["/dashboard", 200]);
    expect(await response.text()).toContain(wallet.address);
  });

  const ways: [string, (phone: Client, path: string, fields: SignedFields) => Promise<Response>][] = [
    ["raw JSON with data", (phone, path, { pubk: _, ...data }) => phone.post(path, { data })],
    ["raw JSON with data and pubk", (phone, path, data) => phone.post(path, { data })],
    [
      "raw JSON under a form's content type",
      (phone, path, data) =>
        phone.post(path, { data }, { "Content-Type": "application/x-www-form-urlencoded" }),
    ],
    [
      "raw JSON without a content type of its own",
      (phone, path, data) => phone.post(path, { data }, { "Content-Type": "text/plain" }),
    ],
    [
      "a multipart form",
      (phone, path, fields) => {
        const body = new FormData();
        for (const [name, value] of Object.entries(fields)) body.set(name, value);
        return phone.fetch(path, { method: "POST", body });
      },
    ],
    ["the query of a GET", (phone, path, fields) => phone.fetch(`${path}&${new URLSearchParams(fields)}`)],
  ];
  test.each(ways)("signs in by %s", async (_way, send) => {
    const { qr, wallet, phone } = await askedFast(url);
    const { pathname, search } = new URL(qr);
    await expectFastAnswer(
      await send(phone, pathname + search, wallet.fields(qr)),
      FAST_ANSWERS.authenticated,
    );
  });

  test.each([
    ["absent", () => ({})],
    ["empty", () => ({ pubk: "" })],
    ["upper case", (wallet: FastWallet) => ({ pubk: wallet.publicKey.toUpperCase() })],
  ])("need not carry pubk: %s", async (_what, pubk) => {
    const { qr, wallet, phone } = await askedFast(url);
    const { pubk: _, ...fields } = wallet.fields(qr);
    await expectFastAnswer(
      await deliverForm(phone, qr, { ...fields, ...pubk(wallet) }),
      FAST_ANSWERS.authenticated,
    );
  });

  test("finds one user for one address, in upper case too", async () => {
    const wallet = new FastWallet();
    const first = await answeredFast(url, wallet);
    await enterDashboard(first.browser, first.sid);
    const { browser, qr, sid, phone } = await askedFast(url);
    const fields = wallet.fields(qr, { addr: wallet.address.toUpperCase() });
    await expectFastAnswer(await deliverForm(phone, qr, fields), FAST_ANSWERS.authenticated);
    await enterDashboard(browser, sid);
    expect(await userIdOf(browser)).toBe(await userIdOf(first.browser));
  });
});

describe("a message that is not this very request", () => {
  // Of the value alone: its name is another case.
  const otherCase = (parameter: string) =>
    parameter.replace(/(?<==).*/, (value) =>
      value.replace(/./g, (letter) =>
        letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
      ),
    );
  const changes: [string, (qr: string) => string][] = [
    ["something the victim signed elsewhere", () => "I love Bitcoin"],
    ["the code of another site", (qr) => qr.replace(url, "https://evil.example")],
    ["our origin on another port", (qr) => qr.replace(/:\d+\//, ":1/")],
    ["another path", (qr) => qr.replace("/api/fastauth", "/api/fastauth/")],
    ["another t", (qr) => qr.replace(/t=[0-9a-f]+$/, "t=1")],
    ["a parameter more", (qr) => `${qr}&x=1`],
    ["another order", (qr) => qr.replace(/\?(sid=.*)&(c=.*)&(t=.*)$/, "?$2&$1&$3")],
    ["a line more", (qr) => `${qr}\n`],
    ["space before", (qr) => ` ${qr}`],
    ["upper-case hex", (qr) => qr.replace(/t=.*$/, (t) => `t=${t.slice(2).toUpperCase()}A`)],
    ["the scheme in upper case", (qr) => qr.replace("http:", "HTTP:")],
    ["the path in upper case", (qr) => qr.replace("/api/", "/API/")],
    ["a parameter's name in upper case", (qr) => qr.replace("sid=", "SID=")],
    ["the sid in the other case", (qr) => qr.replace(/sid=[^_]+/, otherCase)],
    ["the challenge in the other case", (qr) => qr.replace(/c=[^_]+/, otherCase)],
    ["nothing", () => ""],
    ["its beginning", (qr) => qr.slice(0, -1)],
  ];
  test.each(changes)("signs nobody in: %s", async (_what, change) => {
    const { qr, sid, wallet, phone } = await askedFast(url);
    const msg = change(qr);
    const fields = wallet.fields(qr, { msg, sig: wallet.sign(msg) });
    await expectFastAnswer(await deliverForm(phone, qr, fields), FAST_ANSWERS.notVerified);
    expect(await checkFast(phone, sid)).toEqual({ sid, status: 0 });
    // A failed try does not spend the challenge.
    await expectFastAnswer(await deliverForm(phone, qr, wallet.fields(qr)), FAST_ANSWERS.authenticated);
  });

  test("signs nobody in: another live code of ours, delivered to this one", async () => {
    const victim = await askedFast(url);
    const attacker = await askedFast(url);
    const fields = victim.wallet.fields(victim.qr);
    await expectFastAnswer(await deliverForm(attacker.phone, attacker.qr, fields), FAST_ANSWERS.notVerified);
  });

  test("signs nobody in: the request's own t changed", async () => {
    const { qr, wallet, phone } = await askedFast(url);
    const other = qr.replace(/t=.*$/, "t=1");
    await expectFastAnswer(await deliverForm(phone, other, wallet.fields(qr)), FAST_ANSWERS.notVerified);
    await expectFastAnswer(await deliverForm(phone, other, wallet.fields(other)), FAST_ANSWERS.notVerified);
  });
});

describe("a challenge that is not in the session's list", () => {
  function withQuery(qr: string, changes: Record<string, string | null>): string {
    const changed = new URL(qr);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) changed.searchParams.delete(name);
      else changed.searchParams.set(name, value);
    }
    return changed.href;
  }

  const changes: [string, (qr: string) => Record<string, string | null>][] = [
    ["absent", () => ({ c: null })],
    ["empty", () => ({ c: "" })],
    ["a part of it", (qr) => ({ c: new URL(qr).searchParams.get("c")?.slice(0, 10) ?? null })],
    ["all of it but the end", (qr) => ({ c: new URL(qr).searchParams.get("c")?.slice(0, -1) ?? null })],
    ["two of them, comma-joined", (qr) => ({ c: `${new URL(qr).searchParams.get("c")},x_1` })],
    ["only its separator", () => ({ c: "_" })],
    ["a pattern", () => ({ c: "%" })],
    ["made up", () => ({ c: `${"A".repeat(32)}_${Math.floor(Date.now() / 1000)}` })],
    ["of no session", () => ({ sid: null })],
    ["of an unknown session", () => ({ sid: `${"A".repeat(32)}_1700000000` })],
  ];
  test.each(changes)("is not found: %s", async (_what, change) => {
    const { qr, wallet, phone } = await askedFast(url);
    const changed = withQuery(qr, change(qr));
    await expectFastAnswer(
      await deliverForm(phone, changed, wallet.fields(changed)),
      FAST_ANSWERS.noChallenge,
    );
  });

  test("is not found: another session's", async () => {
    const [mine, other] = [await askedFast(url), await askedFast(url)];
    const changed = withQuery(mine.qr, { sid: other.sid });
    await expectFastAnswer(
      await deliverForm(mine.phone, changed, mine.wallet.fields(changed)),
      FAST_ANSWERS.noChallenge,
    );
  });

  test("is not found: another session's, which is told before anybody looks at the signature", async () => {
    const [mine, other] = [await askedFast(url), await askedFast(url)];
    const changed = withQuery(mine.qr, { sid: other.sid });
    for (const sig of ["", mine.wallet.sign(mine.qr)]) {
      const fields = mine.wallet.fields(changed, { sig });
      await expectFastAnswer(await deliverForm(mine.phone, changed, fields), FAST_ANSWERS.noChallenge);
    }
    for (const { sid } of [mine, other]) expect(await checkFast(mine.phone, sid)).toEqual({ sid, status: 0 });
  });

  test("is not found: a challenge of site login, nor one of fast login by site login", async () => {
    const browser = new Client(url);
    const { sid, challenge } = await (await browser.fetch("/api/svc/qr")).json();
    const { qr, wallet, phone } = await askedFast(url);
    const changed = withQuery(qr, { sid, c: challenge });
    await expectFastAnswer(
      await deliverForm(phone, changed, wallet.fields(changed)),
      FAST_ANSWERS.noChallenge,
    );
  });

  test("is not found: the fifth-oldest; the fourth still signs in", async () => {
    const { browser, qr, sid, wallet, phone } = await askedFast(url);
    const codes = [qr];
    for (let count = 0; count < 4; count++) codes.push((await requestFastQr(browser, { sid })).qr);
    const [fifth = "", fourth = ""] = codes;
    await expectFastAnswer(await deliverForm(phone, fifth, wallet.fields(fifth)), FAST_ANSWERS.noChallenge);
    await expectFastAnswer(
      await deliverForm(phone, fourth, wallet.fields(fourth)),
      FAST_ANSWERS.authenticated,
    );
  });

  test("is not found: of many asked for at once, any but four", async () => {
    const { browser, qr, sid, wallet, phone } = await askedFast(url);
    const codes = await Promise.all(Array.from({ length: 12 }, () => requestFastQr(browser, { sid })));
    const known: boolean[] = [];
    for (const code of [qr, ...codes.map((answer) => answer.qr)]) {
      const response = await deliverForm(phone, code, wallet.fields(code, { sig: "" }));
      known.push((await response.text()).includes("could not verify"));
    }
    expect(known.filter(Boolean)).toHaveLength(4);
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

  test("is not found: one that has signed in, by the same wallet or another, nor its session's others", async () => {
    const { browser, qr, sid, wallet, phone } = await askedFast(url);
    const { qr: next } = await requestFastQr(browser, { sid });
    await expectFastAnswer(await deliverForm(phone, qr, wallet.fields(qr)), FAST_ANSWERS.authenticated);
    for (const [code, signer] of [
      [qr, wallet],
      [qr, new FastWallet()],
      [next, wallet],
      [next, new FastWallet()],
    ] as const) {
      await expectFastAnswer(await deliverForm(phone, code, signer.fields(code)), FAST_ANSWERS.noChallenge);
    }
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

describe("a signature that does not fit", () => {
  const flip = (sig: string) => {
    const bytes = Buffer.from(sig, "base64");
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    return bytes.toString("base64");
  };
  const changes: [string, (wallet: FastWallet, qr: string) => Partial<SignedFields>][] = [
    ["another address", () => ({ addr: new FastWallet().address })],
    ["another key's", (_, qr) => ({ sig: new FastWallet().sign(qr) })],
    ["one bit changed", (wallet, qr) => ({ sig: flip(wallet.sign(qr)) })],
    ["pubk of another key", () => ({ pubk: new FastWallet().publicKey })],
    ["pubk that is none", () => ({ pubk: "02" })],
    ["no signature", () => ({ sig: "" })],
    ["no address", () => ({ addr: "" })],
    [
      "hex instead of base64",
      (wallet, qr) => ({ sig: Buffer.from(wallet.sign(qr), "base64").toString("hex") }),
    ],
    ["base64 with space in it", (wallet, qr) => ({ sig: ` ${wallet.sign(qr)}` })],
    ["base64 without padding", (wallet, qr) => ({ sig: wallet.sign(qr).replace("=", "") })],
    ["header 26", (wallet, qr) => ({ sig: wallet.sign(qr, 25) })],
    ["header 43", (wallet, qr) => ({ sig: wallet.sign(qr, 43) })],
    ["the header of an uncompressed key", (wallet, qr) => ({ sig: wallet.sign(qr, 27) })],
    ["the header of P2SH-P2WPKH", (wallet, qr) => ({ sig: wallet.sign(qr, 35) })],
    [
      "r and s of zeros",
      () => ({ sig: Buffer.concat([Buffer.of(39), Buffer.alloc(64)]).toString("base64") }),
    ],
    [
      "r and s of ones",
      () => ({ sig: Buffer.concat([Buffer.of(39), Buffer.alloc(64, 255)]).toString("base64") }),
    ],
    ["a Taproot address", () => ({ addr: "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr" })],
    ["a testnet address", () => ({ addr: "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx" })],
    ["a testnet P2PKH address", () => ({ addr: "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn" })],
    ["a P2WSH address", () => ({ addr: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3" })],
    ["an address of mixed case", (wallet) => ({ addr: `B${wallet.address.slice(1)}` })],
    ["an address with space in it", (wallet) => ({ addr: ` ${wallet.address}` })],
    ["an address with NUL", (wallet) => ({ addr: `${wallet.address}\0` })],
    ["an address of 60 KB", () => ({ addr: "1".repeat(60_000) })],
  ];
  test.each(changes)("could not be verified: %s", async (_what, change) => {
    const { qr, sid, wallet, phone } = await askedFast(url);
    const fields = wallet.fields(qr, change(wallet, qr));
    await expectFastAnswer(await deliverForm(phone, qr, fields), FAST_ANSWERS.notVerified);
    expect(await checkFast(phone, sid)).toEqual({ sid, status: 0 });
    await expectFastAnswer(await deliverForm(phone, qr, wallet.fields(qr)), FAST_ANSWERS.authenticated);
  });
});

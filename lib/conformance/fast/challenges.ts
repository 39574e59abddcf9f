import { Blocked, fail, type Rule } from "../check.ts";
import { BitcoinWallet } from "./bitcoin-wallet.ts";
import { changed, expectAnswer, type FastCode, type FastSite, pathOf } from "./site.ts";

/** Section 6.2: a challenge is found by its whole text in its own login, and signs in once. */

const LARGE_BURST = 10;
const SMALL_BURSTS = [2, 3];

/** Sends responses at the same moment; exactly one of them may succeed. */
async function burst(site: FastSite, wallets: readonly BitcoinWallet[]): Promise<void> {
  const code = await site.issue();
  const fields = wallets.map((wallet) => wallet.fields(code.qr));
  const statuses = (await Promise.all(fields.map((each) => site.postForm(pathOf(code), each)))).map(
    ({ status }) => status,
  );
  const accepted = statuses.filter((status) => status === 200).length;
  if (accepted !== 1) fail(`Of ${wallets.length} responses at once, ${accepted} were answered 200.`);
  const others = statuses.filter((status) => status !== 200 && status !== 400);
  if (others.length > 0)
    fail(`Of ${wallets.length} responses at once, some were answered ${[...new Set(others)]}.`);
}

/** A response whose request and message agree, so that only the challenge can be wrong. */
async function expectNotFound(
  site: FastSite,
  code: Pick<FastCode, "url" | "qr">,
  what: string,
): Promise<void> {
  const answer = await site.postForm(pathOf(code), new BitcoinWallet().fields(code.qr));
  expectAnswer(answer, 400, what);
}

export const FAST_CHALLENGE_CHECKS: readonly Rule<FastSite>[] = [
  {
    id: "6.2-at-once",
    proves: "Of many responses to one challenge at once exactly one gets 200, and the others get 400.",
    cause:
      "The challenge is read, judged and marked as used in separate steps, with nothing atomic between them.",
    async run(site) {
      const total = LARGE_BURST + SMALL_BURSTS.reduce((sum, size) => sum + size, 0);
      site.http.leaveRoom({ method: "POST", path: site.target.webhook }, total);
      await burst(site, Array(LARGE_BURST).fill(new BitcoinWallet()));
      for (const size of SMALL_BURSTS)
        await burst(
          site,
          Array.from({ length: size }, () => new BitcoinWallet()),
        );
    },
  },
  {
    id: "6.2-at-once-two-codes",
    proves: "Of responses to two codes of one login at once exactly one gets 200.",
    cause: "The challenge is locked and the login is not, so that the second address replaces the first.",
    async run(site) {
      const browser = site.browser();
      const first = await site.issue(browser);
      const second = await site.issue(browser, first.sid);
      if (second.sid !== first.sid) throw new Blocked("A refresh starts another login here.");
      const answers = [first, second].map((code) => site.respond(code, new BitcoinWallet()));
      const accepted = (await Promise.all(answers)).filter(({ status }) => status === 200).length;
      if (accepted !== 1) fail(`Of responses to two codes of one login, ${accepted} were answered 200.`);
    },
  },
  {
    id: "6.2-single-use",
    proves: "A challenge that has signed in is not found again, by the same wallet or by any other.",
    cause: "Challenges stay in the list after they were used.",
    async run(site) {
      const { code, wallet } = await site.answered();
      expectAnswer(await site.respond(code, wallet), 400, "the same response again");
      expectAnswer(await site.respond(code, new BitcoinWallet()), 400, "another wallet's response");
    },
  },
  {
    id: "6.2-answered-is-final",
    proves: "Once a login is answered, no other challenge of it can put another address in its place.",
    cause: "The older challenges of a login stay alive after one of them has succeeded.",
    async run(site) {
      const browser = site.browser();
      const first = await site.issue(browser);
      const second = await site.issue(browser, first.sid);
      if (second.sid !== first.sid) throw new Blocked("A refresh starts another login here.");
      expectAnswer(await site.respond(second, new BitcoinWallet()), 200, "a correct response");
      expectAnswer(
        await site.respond(first, new BitcoinWallet()),
        400,
        "another challenge of an answered login",
      );
    },
  },
  {
    id: "6.2-refused-is-not-spent",
    proves: "A response with a wrong signature leaves the challenge to the wallet that answers it rightly.",
    cause: "The challenge is deleted when it is found, before the signature is judged.",
    async run(site) {
      const code = await site.issue();
      const wallet = new BitcoinWallet();
      const refused = await site.respond(code, wallet, { sig: new BitcoinWallet().sign(code.qr) });
      if (refused.status === 200) fail("A wrong signature is accepted.");
      expectAnswer(await site.respond(code, wallet), 200, "a correct response after a wrong one");
    },
  },
  {
    id: "6.2-challenge-part",
    proves: "A part of a challenge is not found.",
    cause: "The list is one text, and `includes` or LIKE looks for the challenge in it.",
    async run(site) {
      const code = await site.issue();
      const { challenge: c } = code;
      const random = c.split("_")[0] ?? "";
      for (const part of [c.slice(0, -1), c.slice(1), random, c.slice(random.length), ""]) {
        await expectNotFound(site, changed(code, { c: part }), `the challenge ${JSON.stringify(part)}`);
      }
    },
  },
  {
    id: "6.2-challenge-joined",
    proves: "Two live challenges joined by a comma, as the list keeps them, are not found.",
    cause: "The list is one text, and `includes` or LIKE looks for the challenge in it.",
    async run(site) {
      const browser = site.browser();
      const first = await site.issue(browser);
      const { challenge } = await site.issue(browser, first.sid);
      for (const c of [`${first.challenge},${challenge}`, `${challenge},`, ","]) {
        await expectNotFound(site, changed(first, { c }), `the challenge ${JSON.stringify(c)}`);
      }
    },
  },
  {
    id: "6.2-challenge-exact",
    proves: "A challenge is found by its exact text: nothing that is nearly the same is.",
    cause: "The text is trimmed or compared without case, or looked for by a pattern.",
    async run(site) {
      const code = await site.issue();
      const { challenge: c } = code;
      const swapped = [...c].map((each) =>
        each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase(),
      );
      for (const text of [swapped.join(""), ` ${c}`, `${c}\n`, "%", `${c}0`]) {
        await expectNotFound(site, changed(code, { c: text }), `the challenge ${JSON.stringify(text)}`);
      }
    },
  },
  {
    id: "6.2-challenge-unknown",
    proves: "A challenge that the site never issued, or none, is not found, however well it is formed.",
    cause: "The challenge is judged by its form and its time, or an empty one is found in every text.",
    async run(site) {
      const code = await site.issue();
      const now = Math.floor(Date.now() / 1000);
      const random = "A".repeat(code.challenge.split("_")[0]?.length ?? 32);
      const madeUp = { c: `${random}_${now}`, t: now.toString(16) };
      await expectNotFound(site, changed(code, madeUp), "a challenge that was made up");
      await expectNotFound(site, changed(code, { c: null }), "no challenge");
      await expectNotFound(site, changed(code, { c: code.sid }), "the sid in place of the challenge");
    },
  },
  {
    id: "6.2-challenge-other-login",
    proves: "A challenge is found in its own login alone.",
    cause:
      "Challenges are looked up without their sid, so a thief answers his own login with a victim's code.",
    async run(site) {
      const code = await site.issue();
      const other = await site.issue();
      await expectNotFound(site, changed(code, { sid: other.sid }), "a challenge of another login");
      await expectNotFound(site, changed(code, { sid: null }), "a challenge without a sid");
      await expectNotFound(site, changed(code, { sid: `${"A".repeat(32)}_1700000000` }), "an unknown sid");
    },
  },
  {
    id: "6.2-one-login-alone",
    proves: "A response answers the login whose code it signs, and no other.",
    cause: "The address is stored for the browser, the client's address, or the last login that waits.",
    async run(site) {
      const browser = site.browser();
      const [waiting, elsewhere] = [await site.issue(browser), await site.issue()];
      const { code } = await site.answered();
      for (const { sid } of [waiting, elsewhere]) {
        if (await site.isAnswered(sid)) fail("A login that nobody has answered has status 1.");
      }
      if (!(await site.isAnswered(code.sid))) fail("The login that was answered has not status 1.");
    },
  },
];
